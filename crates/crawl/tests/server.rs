//! The hostile server does what it says.

use crate::hostile::{self, Server};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The first bytes of an answer, up to a limit.
fn ask(server: &Server, host: &str, path: &str, max: u64) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}:80\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A reset at the end is one of the answers.
    let _ = stream.take(max).read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[track_caller]
fn check(server: &Server, path: &str, parts: &[&str]) {
    let answer = ask(server, "a.example", path, 100_000);
    for part in parts {
        assert!(answer.contains(part), "{path}: {part} in {answer:.300}");
    }
}

#[test]
fn pages_and_statuses() {
    let server = Server::start().unwrap();
    check(&server, "/", &["HTTP/1.1 200", "/endless"]);
    check(&server, "/missing", &["HTTP/1.1 404"]);
    check(&server, "/status/429/7", &["HTTP/1.1 429", "Retry-After: 7"]);
    check(&server, "/flaky/1", &["HTTP/1.1 503"]);
    check(&server, "/flaky/1", &["HTTP/1.1 200"]);
    check(&server, "/redirect/chain/2", &["HTTP/1.1 302", "Location: /redirect/chain/1"]);
    check(&server, "/redirect/inside/5", &["Location: http://169.254.169.254/"]);
    check(&server, "/redirect/to/http://b.example/?a=1", &["Location: http://b.example/?a=1"]);
    check(&server, "/cookie", &["HTTP/1.1 302", "Set-Cookie: passed=yes"]);
    check(&server, "/calendar/2026/12", &["/calendar/2027/1", "/calendar/2026/11"]);
    check(&server, "/sitemap.xml", &["<loc>http://a.example:", "/site/100/99</loc>"]);
    check(&server, "/site/20/3", &["/site/20/1>", "/site/20/7>", "/site/20/8>"]);
    check(&server, "/site/20/20", &["HTTP/1.1 404"]);
    assert_eq!(server.n_hits("/flaky"), 2);
    assert_eq!(server.gaps("a.example").len(), server.hits().len() - 1);
    assert!(server.gaps("b.example").is_empty());
    server.forget();
    assert!(server.hits().is_empty());
}

#[test]
fn every_page_of_a_site_is_reachable() {
    let server = Server::start().unwrap();
    let mut paths = vec!["/site/40".to_owned()];
    let mut n_read = 0;
    while let Some(path) = paths.get(n_read).cloned() {
        n_read += 1;
        let answer = ask(&server, "a.example", &path, 100_000);
        for link in answer.split("href=").skip(1).filter_map(|rest| rest.split('>').next()) {
            if !paths.iter().any(|path| path == link) {
                paths.push(link.to_owned());
            }
        }
    }
    // The first one has two addresses.
    assert_eq!(paths.len(), 41);
}

#[test]
fn robots_are_as_told() {
    let server = Server::start().unwrap();
    let robots = |host: &str| ask(&server, host, "/robots.txt", 2_000_000);
    assert!(robots("a.example").contains("404"));
    assert!(robots("deny.example").contains("Disallow: /\n"));
    assert!(robots("error.example").contains("HTTP/1.1 500"));
    assert!(robots("big.example").len() > 500 << 10);
    server.set_robots("a.example", 200, "User-agent: *\nDisallow: /x\n");
    assert!(robots("a.example").contains("Disallow: /x"));
}

#[test]
fn misbehaviour_is_as_told() {
    let server = Server::start().unwrap();
    for path in ["/endless", "/endless/head", "/endless/field"] {
        assert_eq!(ask(&server, "a.example", path, 3_000_000).len(), 3_000_000, "{path}");
    }
    for (path, coding) in [
        ("/bomb/gzip/8", "gzip"),
        ("/bomb/br", "br"),
        ("/bomb/zstd/8", "zstd"),
        ("/bomb/deflate/8", "deflate"),
    ] {
        check(&server, path, &["HTTP/1.1 200", &format!("Content-Encoding: {coding}")]);
    }
    check(&server, "/length/long", &["Content-Length: 100000", "<p>Three"]);
    check(&server, "/chunked/huge", &["ffffffffffffffff"]);
    assert_eq!(ask(&server, "a.example", "/close", 9), "");
    assert!(!ask(&server, "a.example", "/garbage", 9_000).starts_with("HTTP/"));
    let start = std::time::Instant::now();
    assert_eq!(ask(&server, "a.example", "/slow/head", 4), "HTTP");
    assert!(start.elapsed() > hostile::PAUSE * 3);
    // What hangs, ends with the server.
    let address = server.address();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /hang HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    drop(server);
    assert_eq!(stream.read(&mut [0; 9]).unwrap_or(0), 0);
}

#[test]
fn connections_are_kept() {
    let server = Server::start().unwrap();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    for n in 1..=3 {
        stream.write_all(b"GET /redirect/loop HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        let mut answer = [0; 20];
        stream.read_exact(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 302"));
        let mut rest = [0; 500];
        let _ = stream.read(&mut rest).unwrap();
        assert_eq!(server.n_hits("/redirect/loop"), n);
    }
}

/// Clients do not resolve literal addresses: this is why a guard has to be asked about every one of them.
#[test]
fn literal_addresses_pass_a_resolver() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start().unwrap();
    let guard = crawl::guard::Guard::new(false, [].into_iter());
    let client = reqwest::Client::builder().no_proxy().dns_resolver(guard.clone()).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = url::Url::parse(&server.url("/redirect/chain/1")).unwrap();
    assert!(guard.check(&url).is_err());
    assert!(runtime.block_on(client.get(url).send()).is_ok());
    assert_eq!(server.n_hits("/redirect/chain"), 2);
}
