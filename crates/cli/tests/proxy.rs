//! Proxies and certificates, as the environment and flags name them.

use crate::harness::{Outcome, Run};
use crate::secure::{AUTHORITY, BOTH, GOOD, SecureServer, Tunnel};
use crate::server::Server;
use crate::site::pages;
use std::process::Command;

/// A crawl with none of the settings of whoever runs the tests.
fn crawl(run: &Run, args: &[&str], environment: &[(&str, &str)]) -> Outcome {
    let mut command: Command =
        run.command(&[&["crawl"][..], args, &["--gap", "0s", "--tries", "1"]].concat());
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_ascii_uppercase());
    }
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied());
    Outcome::of(command.output().unwrap())
}

#[test]
fn pages_come_through_a_proxy() {
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY"] {
        let server = Server::start().unwrap();
        let run = Run::with(&[]);
        // Nobody knows this name but the proxy.
        let args = ["http://shop.example/site/20/0", "--store", "a.db"];
        let outcome = crawl(&run, &args, &[(name, &server.url(""))]);
        assert_eq!(outcome.code, Some(0), "{name}: {}", outcome.stderr);
        assert_eq!(pages(&run, "a.db").len(), 20);
        assert!(server.hits().iter().all(|hit| hit.host == "shop.example"), "{name}");
        assert_eq!(server.n_hits("/"), 21, "{name}");
    }
}

#[test]
fn hosts_can_be_kept_from_a_proxy() {
    let (server, proxy) = (Server::start().unwrap(), Server::start().unwrap());
    let run = Run::with(&[]);
    let seed = server.url("/site/5/0");
    let environment = [("HTTP_PROXY", &*proxy.url("")), ("NO_PROXY", "127.0.0.1")];
    let outcome = crawl(&run, &[&seed, "--store", "a.db"], &environment);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!((server.n_hits("/"), proxy.n_hits("/")), (6, 0));
}

/// A proxy is no way into the network: addresses inside it are refused before it is asked.
#[test]
fn a_proxy_is_not_asked_for_private_addresses() {
    let proxy = Server::start().unwrap();
    let run = Run::with(&[]);
    let inside = "http://shop.example/link/to/http://169.254.169.254/latest/";
    let args = [inside, "--store", "a.db", "--scope", "any", "--ignore-robots"];
    crawl(&run, &args, &[("HTTP_PROXY", &proxy.url(""))]);
    assert_eq!(proxy.n_hits("/"), 1);
    let status = run.run(&["status", "a.db", "--json"]).stdout;
    assert!(status.contains("private address"), "{status}");
}

#[test]
fn tls_goes_through_a_proxy_untouched() {
    let server = SecureServer::start(GOOD, BOTH);
    let tunnel = Tunnel::start(server.address());
    let run = Run::with(&[("authority.pem", AUTHORITY)]);
    let args = ["https://secure.example/page/0", "--store", "a.db", "--ca-file", "authority.pem"];
    let outcome = crawl(&run, &args, &[("HTTPS_PROXY", &tunnel.url())]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(pages(&run, "a.db").len(), 10);
    assert!(server.hits().iter().all(|(version, _)| version == "2"), "{:?}", server.hits());
    let asked = tunnel.asked();
    assert!(!asked.is_empty() && asked.iter().all(|it| it == "secure.example:443"), "{asked:?}");
}

/// Authorities of one's own are trusted where they are named, in the usual ways; and never by themselves.
#[test]
fn authorities_are_trusted_when_named() {
    let server = SecureServer::start(GOOD, BOTH);
    let tunnel = Tunnel::start(server.address());
    let run = Run::with(&[("authority.pem", AUTHORITY), ("letter.pem", b"Dear Ada")]);
    let proxy = ("HTTPS_PROXY", &*tunnel.url());
    let seed = ["https://secure.example/page/0", "--ignore-robots"];
    let args = [&seed[..], &["--store", "a.db"]].concat();
    let outcome = crawl(&run, &args, &[proxy]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("certificate not valid: unknown issuer"), "{}", outcome.stderr);
    assert_eq!(server.hits(), []);
    let authority = run.path().join("authority.pem");
    let named = [proxy, ("SSL_CERT_FILE", authority.to_str().unwrap())];
    let args = [&seed[..], &["--store", "b.db"]].concat();
    let outcome = crawl(&run, &args, &named);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(pages(&run, "b.db").len(), 10);
    for (file, said) in [("letter.pem", "has no certificate"), ("none.pem", "cannot read")] {
        let args = [&seed[..], &["--store", "c.db", "--ca-file", file]].concat();
        let outcome = crawl(&run, &args, &[proxy]);
        assert!(outcome.code == Some(2) && outcome.stderr.contains(said), "{}", outcome.stderr);
    }
}
