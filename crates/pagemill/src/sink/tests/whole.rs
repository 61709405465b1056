use super::*;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const FORMATS: [&str; 6] = ["a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.gz", "a.parquet", "a.db"];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_sink_that_is_dropped_leaves_nothing() {
    for name in FORMATS {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        let mut sink = Sink::create(&path, &books(), &SinkConfig::default()).unwrap();
        write_pages(&mut sink, &pages());
        let [hidden] = &names(folder.path())[..] else { panic!("one file while it is written") };
        assert!(hidden.starts_with(&format!(".{name}.pagemill-")) && hidden.ends_with(".partial"));
        drop(sink);
        assert!(names(folder.path()).is_empty(), "{name}");
    }
}

#[test]
fn what_was_there_stays_until_the_new_file_is_whole() {
    for name in FORMATS {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, "old").unwrap();
        let mut sink = Sink::create(&path, &books(), &SinkConfig::default()).unwrap();
        write_pages(&mut sink, &pages());
        drop(sink);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old", "{name}");
        let sink = Sink::create(&path, &books(), &SinkConfig::default()).unwrap();
        sink.finish().unwrap();
        assert_ne!(fs::read(&path).unwrap(), b"old", "{name}");
        assert_eq!(names(folder.path()), [name]);
    }
}

#[test]
fn only_plain_files_that_may_be_written_are_replaced() {
    let folder = TempDir::new().unwrap();
    let dir = folder.path().join("dir.csv");
    fs::create_dir(&dir).unwrap();
    assert_eq!(WholeFile::create(&dir).unwrap_err().to_string(), "it is a folder");
    let read_only = folder.path().join("kept.csv");
    fs::write(&read_only, "old").unwrap();
    let mut permissions = fs::metadata(&read_only).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&read_only, permissions).unwrap();
    assert_eq!(WholeFile::create(&read_only).unwrap_err().to_string(), "it is read-only");
    #[cfg(unix)]
    assert_eq!(
        WholeFile::create(Path::new("/dev/null")).unwrap_err().to_string(),
        "it is no plain file and cannot be replaced"
    );
}

#[cfg(unix)]
#[test]
fn links_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let (real, link) = (folder.path().join("real.txt"), folder.path().join("link.txt"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    symlink(&real, &link).unwrap();
    let mut file = WholeFile::create(&link).unwrap();
    file.write_all(b"new").unwrap();
    file.finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn long_names_are_fine() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(format!("{}.csv", "n".repeat(251)));
    Sink::create(&path, &books(), &SinkConfig::default()).unwrap().finish().unwrap();
    assert!(path.exists());
}

#[cfg(unix)]
#[test]
fn only_what_nobody_holds_is_removed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.csv");
    let others = [".a.csv.pagemill-notes.partial", ".b.csv.pagemill-1-1.partial"];
    for name in others {
        fs::write(folder.path().join(name), "").unwrap();
    }
    // Numbered as a living process is, and yet nobody's.
    fs::write(folder.path().join(".a.csv.pagemill-1-1.partial"), "").unwrap();
    let first = WholeFile::create(&path).unwrap();
    let second = WholeFile::create(&path).unwrap();
    assert_eq!(names(folder.path()).len(), others.len() + 2);
    first.finish().unwrap();
    second.finish().unwrap();
    assert_eq!(names(folder.path()), [others[0], others[1], "a.csv"]);
}

/// Tells the test below, in a process of its own, where to write without end.
const TARGET: &str = "PAGEMILL_TEST_SINK";

/// Does nothing unless it is started by the test that kills it.
#[test]
fn writer_without_end() {
    let Some(path) = std::env::var_os(TARGET) else { return };
    let mut sink = Sink::create(Path::new(&path), &books(), &SinkConfig::default()).unwrap();
    // Whoever started it may be gone; a minute is enough for everyone.
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        write_pages(&mut sink, &pages());
    }
}

fn start_writer(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sink::tests::whole::writer_without_end"])
        .env(TARGET, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Wait until the writer has put some bytes on the disk.
fn wait_for_bytes(folder: &Path) {
    let has_bytes = || {
        let mut entries = fs::read_dir(folder).unwrap().flatten();
        entries.any(|it| {
            it.file_name().as_encoded_bytes().ends_with(b".partial")
                && it.metadata().is_ok_and(|it| it.len() > 0)
        })
    };
    let start = Instant::now();
    while !has_bytes() {
        assert!(start.elapsed() < Duration::from_secs(30), "the writer does not write");
        thread::yield_now();
    }
}

#[cfg(unix)]
#[test]
fn a_killed_writer_leaves_the_old_file_and_the_next_one_cleans_up() {
    for name in ["a.jsonl", "a.csv.gz", "a.parquet", "a.db"] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, "old").unwrap();
        let mut writer = start_writer(&path);
        wait_for_bytes(folder.path());
        // While it lives, its file is its own.
        drop(Sink::create(&path, &books(), &SinkConfig::default()).unwrap());
        assert_eq!(names(folder.path()).len(), 2, "{name}");
        writer.kill().unwrap();
        writer.wait().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()).len(), 2, "{name}");
        Sink::create(&path, &books(), &SinkConfig::default()).unwrap().finish().unwrap();
        assert_eq!(names(folder.path()), [name]);
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    for name in FORMATS {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, "old").unwrap();
        // A limit on the size of files, with its signal ignored, makes writing fail as a full disk does.
        let status = Command::new("sh")
            .args(["-c", "ulimit -f 8; trap '' XFSZ; exec \"$0\" --exact \"$1\""])
            .arg(std::env::current_exe().unwrap())
            .arg("sink::tests::whole::writer_without_end")
            .env(TARGET, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(101), "{name}: a failed write is told");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old", "{name}");
        assert_eq!(names(folder.path()), [name]);
    }
}
