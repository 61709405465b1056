//! Addresses of the web as inputs.

use crate::harness::Run;
use crate::server::Server;

/// As requests name it, without the port.
const HOST: &str = "127.0.0.1";

fn server() -> Server {
    let server = Server::start().unwrap();
    server.set_robots(HOST, 200, "User-agent: *\nDisallow: /own/\n");
    server
}

#[test]
fn pages_are_read_where_they_are() {
    let (server, run) = (server(), Run::with(&[]));
    let outcome = run.run(&["leaves", "--table", &server.url("/redirect/chain/2")]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("The end of the chain"), "{}", outcome.stdout);
}

/// Learning looks at pages more than once; servers are asked once, and not in one breath.
#[test]
fn a_page_is_asked_for_once() {
    let (server, run) = (server(), Run::with(&[]));
    let urls = [server.url("/site/9/1"), server.url("/site/9/2")];
    let outcome = run.run(&["learn", &urls[0], &urls[1], "--data", "a.jsonl"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!((server.n_hits("/site/"), server.n_hits("/robots.txt")), (2, 1));
    assert_eq!(run.read("a.jsonl").matches(&*server.url("/site/9/")).count(), 2);
    let gaps = server.gaps(HOST);
    assert!(gaps.iter().any(|gap| gap.as_millis() >= 990), "{gaps:?}");
}

/// Also where nothing comes of it, or a server cannot be asked what it allows.
#[test]
fn a_page_is_asked_for_in_vain_once() {
    let (server, run) = (server(), Run::with(&[("a.html", b"<p>One"), ("b.html", b"<p>Two")]));
    let gone = server.url("/status/404");
    let outcome = run.run(&["learn", &gone, &gone, "a.html", "b.html", "--data", "a.jsonl"]);
    assert!(outcome.stderr.contains("status 404"), "{}", outcome.stderr);
    assert_eq!((server.n_hits("/status/"), server.n_hits("/robots.txt")), (1, 1));
}

/// A host inside is open where the user named it, and at no other port.
#[test]
fn other_ports_of_a_host_inside_stay_closed() {
    let (server, other, run) = (server(), server(), Run::with(&[]));
    let there = server.url(&format!("/redirect/to/{}", other.url("/site/9/1")));
    let outcome = run.run(&["leaves", &there]);
    assert!(outcome.stderr.contains("private address"), "{}", outcome.stderr);
    assert_eq!(other.n_hits("/"), 0);
}

#[test]
fn a_page_that_is_cut_off_is_read_and_told() {
    let (server, run) = (server(), Run::with(&[]));
    let url = server.url("/cut");
    let outcome = run.run(&["leaves", "--table", &url]);
    assert!(outcome.stdout.contains("The start of it"), "{}", outcome.stdout);
    let told = format!("cannot read all of {url:?}: its gzip data is cut off; its start was kept");
    assert!(outcome.stderr.contains(&told), "{}", outcome.stderr);
}

#[test]
fn what_cannot_be_had_is_told_and_the_rest_goes_on() {
    let (server, run) = (server(), Run::with(&[("a.html", b"<p>One")]));
    for (path, reason) in [
        ("/own/3/1", "its site's robots.txt forbids it, or could not be read"),
        ("/status/404", "status 404"),
        ("/type/application/pdf", "not a page: application/pdf"),
        ("/redirect/to/http://127.0.0.2:9/", "private address"),
    ] {
        let url = server.url(path);
        let outcome = run.run(&["leaves", "--table", &url, "a.html"]);
        assert_eq!(outcome.code, Some(3), "{path}: {}", outcome.stderr);
        let told = format!("cannot get {url:?}: {reason}");
        assert!(outcome.stderr.contains(&told), "{path}: {}", outcome.stderr);
        assert!(outcome.stdout.contains("One"), "{}", outcome.stdout);
    }
    assert_eq!(server.n_hits("/own/"), 0);
    let outcome = run.run(&["leaves", "http://127.0.0.1:9/"]);
    assert!(outcome.stderr.contains("connection refused"), "{}", outcome.stderr);
}
