use crate::harness::{Run, corpus};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

/// Ends with the test.
struct Studio(Child, String);

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(run: &Run, args: &[&str]) -> Studio {
    let mut child = run.command(&[&["studio", "--no-open"], args].concat()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Studio(child, line.trim().to_owned())
}

#[test]
fn it_serves_the_address_that_it_prints() {
    let run = Run::with(&[]);
    let studio = start(&run, &[&corpus("articles/pages")]);
    let rest = studio.1.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    assert!(host.starts_with("127.0.0.1:") && path.starts_with("?token="), "{}", studio.1);
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("<title>Pagemill studio</title>"),
        "{answer}"
    );
    // The port is taken now.
    let port = host.rsplit(':').next().unwrap();
    let second = run.run(&["studio", "--no-open", "--port", port]);
    assert_eq!(second.code, Some(3));
    assert!(
        second.stderr.starts_with(&format!("pagemill: cannot serve port {port}: ")),
        "{}",
        second.stderr
    );
}

#[test]
fn what_it_cannot_open_is_told() {
    let run = Run::with(&[("a.json", b"{}"), ("page.html", b"<p>One")]);
    let outcome = run.run(&["studio", "--no-open", "a.json", "page.html"]);
    assert_eq!(outcome.code, Some(2));
    assert!(
        outcome.stderr.starts_with("pagemill: cannot use \"a.json\" as a wrapper: "),
        "{}",
        outcome.stderr
    );
    let mut studio = start(&run, &["page.html", "no.html"]);
    let mut said = String::new();
    BufReader::new(studio.0.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "pagemill: cannot read \"no.html\": no such file or folder\n");
}

/// The address has the token, and what a program is started with can be seen by all users of a machine.
#[cfg(unix)]
#[test]
fn the_browser_is_not_started_with_the_token() {
    use std::os::unix::fs::PermissionsExt as _;
    let run = Run::with(&[("page.html", b"<p>One")]);
    let folder = run.path();
    let browser = folder.join("xdg-open");
    let told = folder.join("told");
    let script =
        "#!/bin/sh\n{ echo \"$1\"; ls -l \"$1\"; cat \"$1\"; } > told.new && mv told.new told\n";
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = run.command(&["studio", "page.html"]);
    let mut child = command.env("PATH", path).env("XDG_RUNTIME_DIR", folder).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let studio = Studio(child, line.trim().to_owned());
    let said = (0..200).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::read_to_string(&told).ok()
    });
    let said = said.expect("a browser is started");
    let (started_with, rest) = said.split_once('\n').unwrap();
    assert!(started_with.ends_with(".html") && !started_with.contains("token"), "{said}");
    assert!(rest.starts_with("-rw-------") && rest.contains(&studio.1), "{said}");
}
