//! A PostgreSQL server of our own, for as long as the tests run.

use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// The server; it ends when the process does, because its input ends then.
struct Server {
    sockets: PathBuf,
    _shell: Mutex<(Child, ChildStdin)>,
}

/// Starts the server, says so, and stops it when nobody holds its input any more.
const SCRIPT: &str = r#"
set -e
bin=$1; dir=$2
"$bin/initdb" -D "$dir/data" -A trust -U postgres -E UTF8 --no-locale --no-sync >/dev/null
"$bin/postgres" -D "$dir/data" -c listen_addresses= -c unix_socket_directories="$dir" -c fsync=off >"$dir/log" 2>&1 &
server=$!
until "$bin/pg_isready" -q -h "$dir" || ! kill -0 $server 2>/dev/null; do sleep 0.1; done
echo ready
cat >/dev/null
kill -INT $server
wait $server || true
rm -rf "$dir"
"#;

/// The address of a new, empty database.
pub(crate) fn database() -> String {
    static SERVER: OnceLock<Server> = OnceLock::new();
    static N_DATABASES: AtomicUsize = AtomicUsize::new(0);
    let server = SERVER.get_or_init(start);
    let name = format!("test{}", N_DATABASES.fetch_add(1, Ordering::Relaxed));
    let made = Command::new(bin().join("createdb"))
        .args(["-U", "postgres", "-h"])
        .arg(&server.sockets)
        .arg(&name)
        .status();
    assert!(made.is_ok_and(|status| status.success()), "cannot make a database");
    let host = server.sockets.display().to_string().replace('/', "%2F");
    format!("postgres://postgres@{host}/{name}")
}

fn start() -> Server {
    // The server refuses to run as root, so as root it runs as the user that its package made.
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let sockets = std::env::temp_dir().join(format!("pagemill-pg-{}", std::process::id()));
    std::fs::create_dir_all(&sockets).expect("a folder for the server");
    let mut command = match is_root {
        true => {
            let owned = Command::new("chown").arg("postgres").arg(&sockets).status();
            assert!(
                owned.is_ok_and(|status| status.success()),
                "no user for the server: {MISSING}"
            );
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh"]);
            command
        }
        false => Command::new("sh"),
    };
    let mut shell = command
        .args(["-c", SCRIPT, "sh"])
        .arg(bin())
        .arg(&sockets)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let input = shell.stdin.take().expect("an input");
    let mut line = String::new();
    let output = shell.stdout.take().expect("an output");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("a line");
    assert_eq!(
        line.trim(),
        "ready",
        "PostgreSQL does not start: {:?}",
        std::fs::read_to_string(sockets.join("log"))
    );
    Server { sockets, _shell: Mutex::new((shell, input)) }
}

const MISSING: &str = "run `cargo xtask test`, which installs it, or `apt-get install postgresql`";

/// Where the server's programs are: on Debian not among the others.
fn bin() -> PathBuf {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&on_path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    folders.extend(versions.map(|version| version.path().join("bin")));
    let has_all = |folder: &&PathBuf| {
        ["initdb", "postgres", "createdb"].iter().all(|name| is_there(folder, name))
    };
    let found = folders.iter().find(has_all);
    found.cloned().unwrap_or_else(|| panic!("no PostgreSQL server is installed: {MISSING}"))
}

fn is_there(folder: &Path, name: &str) -> bool {
    folder.join(name).exists()
}
