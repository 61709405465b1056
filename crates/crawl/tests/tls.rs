//! TLS and HTTP/2: certificates are looked at, both versions are spoken.

use crate::harness::{Crawl, failures, pages};
use crate::secure::{BOTH, EXPIRED, GOOD, OTHER, SecureServer};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};

fn paths(version: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        (0..10).map(|n| (version.to_owned(), format!("/page/{n}"))).collect();
    all.push((version.to_owned(), "/robots.txt".to_owned()));
    all.sort();
    all
}

#[test]
fn pages_come_over_http_2() {
    let server = SecureServer::start(GOOD, BOTH);
    let crawl = Crawl::new(&[server.url("/page/0")]);
    assert_eq!(crawl.run().counts.pages, 10);
    assert_eq!(pages(&crawl.path()).len(), 10);
    assert_eq!(server.hits(), paths("2"));
}

#[test]
fn servers_without_http_2_are_asked_by_http_1() {
    for versions in [&["http/1.1"][..], &[]] {
        let server = SecureServer::start(GOOD, versions);
        let crawl = Crawl::new(&[server.url("/page/0")]);
        assert_eq!(crawl.run().counts.pages, 10);
        assert_eq!(server.hits(), paths("1.1"));
    }
}

/// What is wrong with a certificate is told, and not one request gets through.
#[test]
fn certificates_are_looked_at() {
    let check = |certificate: &[u8], is_trusted: bool, reason: &str| {
        let server = SecureServer::start(certificate, BOTH);
        let mut crawl = Crawl::new(&[server.url("/page/0")]);
        crawl.config.politeness.obeys_robots = false;
        if !is_trusted {
            crawl.trust(b"");
        }
        let counts = crawl.run().counts;
        assert_eq!((counts.pages, failures(&counts).get(reason)), (0, Some(&1)), "{counts:?}");
        assert_eq!(server.hits(), []);
    };
    check(EXPIRED, true, "certificate not valid: expired");
    check(OTHER, true, "certificate not valid: for another name");
    check(GOOD, false, "certificate not valid: unknown issuer");
}

/// Without robots.txt that was told safely, nothing is asked for.
#[test]
fn a_server_that_is_not_trusted_has_no_rules() {
    let server = SecureServer::start(EXPIRED, BOTH);
    let crawl = Crawl::new(&[server.url("/page/0")]);
    let counts = crawl.run().counts;
    assert!(failures(&counts).contains_key("robots.txt out of reach"), "{counts:?}");
    assert_eq!(server.hits(), []);
}

#[test]
fn hostile_answers_of_http_2_end_with_a_reason() {
    let cases = [
        ("/endless", "too large"),
        ("/head", "answer broken"),
        ("/reset", "answer broken"),
        ("/hang", "nothing came for too long"),
    ];
    let server = SecureServer::start(GOOD, BOTH);
    let port = server.address().port();
    // Each by a name of its own, so that none ends the connection of another.
    let address = |nth: usize, path: &str| format!("https://h{nth}.secure.example:{port}{path}");
    let seeds = cases.iter().enumerate().map(|(nth, (path, _))| address(nth, path));
    let mut seeds: Vec<String> = seeds.collect();
    seeds.push(server.url("/page/0"));
    let crawl = Crawl::new(&seeds);
    assert_eq!(crawl.run().counts.pages, 10);
    let reasons = crawl.store().failures().unwrap();
    for (nth, (path, reason)) in cases.iter().enumerate() {
        let url = address(nth, path);
        let found = reasons.iter().find(|(failed, _)| *failed == url).map(|(_, why)| why.as_str());
        assert_eq!(found, Some(*reason), "{path}");
    }
}

/// What speaks no TLS is no server of `https`.
#[test]
fn plain_servers_are_no_secure_ones() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            let _ = client.read(&mut [0; 1024]);
        }
    });
    let mut crawl = Crawl::new(&[format!("https://secure.example:{port}/site/3/0")]);
    crawl.config.politeness.obeys_robots = false;
    let counts = crawl.run().counts;
    assert_eq!(failures(&counts).get("no TLS"), Some(&1), "{counts:?}");
}
