//! Addresses inside the network that nobody named, and files.

use crate::harness::{Crawl, Found, Here, failures, pages};
use crate::hostile::Server;
use crawl::Reach;
use crawl::guard::{Guard, Lookup};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use url::Url;

/// Public at first, then this machine: what a name says may change between two questions.
struct Rebinding(AtomicUsize);

impl Lookup for Rebinding {
    fn lookup(&self, _: &str) -> Found {
        let is_first = self.0.fetch_add(1, Ordering::Relaxed) == 0;
        let address = if is_first { Ipv4Addr::new(93, 184, 216, 34) } else { Ipv4Addr::LOCALHOST };
        Box::pin(async move { Ok(vec![IpAddr::V4(address)]) })
    }
}

#[test]
fn private_addresses_are_not_connected_to() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let spellings = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0177.0.0.1",
        "017700000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "0.0.0.0",
        "0",
        "[::]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[fe80::1]",
        "[fc00::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001::1]",
        "[2001:db8::1]",
        "127.0.0.2",
        "127.255.255.254",
        "0x7f.0x0.0x0.0x1",
        "[0:0:0:0:0:ffff:7f00:0001]",
        "private.example",
    ];
    let seeds: Vec<String> =
        spellings.iter().map(|host| format!("http://{host}:{port}/site/10/0")).collect();
    // Nobody named them as seeds; and names lead to this machine.
    let guard = Guard::new(false, [].into_iter()).with_lookup(Here);
    let crawl = Crawl::with_guard(&seeds, guard);
    let counts = crawl.run().counts;
    assert_eq!((counts.pages, server.n_hits("/")), (0, 0), "{counts:?}");
}

#[test]
fn names_that_lead_elsewhere_later_are_not_connected_to() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let guard = Guard::new(false, [].into_iter()).with_lookup(Rebinding(AtomicUsize::new(0)));
    let seeds = [format!("http://rebind.example:{port}/site/10/0")];
    let mut crawl = Crawl::with_guard(&seeds, guard);
    crawl.config.politeness.tries = 3;
    crawl.run();
    assert_eq!(server.n_hits("/"), 0);
}

#[test]
fn redirects_to_private_addresses_are_not_followed() {
    let server = Server::start().unwrap();
    let inside = Server::start().unwrap();
    let to = format!("127.0.0.1:{}", inside.address().port());
    // The seed's own host is named by the user, and a name; where it leads is neither.
    let port = server.address().port();
    let seed = format!("http://public.example:{port}/redirect/to/http://{to}/site/5/0");
    let named = Url::parse(&seed).unwrap();
    let guard = Guard::new(false, [&named].into_iter()).with_lookup(Here);
    let mut crawl = Crawl::with_guard(&[named.to_string()], guard);
    crawl.config.reach = Reach::Any;
    let counts = crawl.run().counts;
    assert!(server.n_hits("/") > 0);
    assert_eq!(inside.n_hits("/"), 0, "{counts:?}");
    assert!(
        failures(&counts).contains_key("private address")
            || failures(&counts).contains_key("robots.txt out of reach"),
        "{counts:?}"
    );
}

/// Files of a folder that the user named are pages like others; those beside it are not, whoever links to them.
#[test]
fn files_are_read_where_the_user_named_them() {
    let folder = tempfile::TempDir::new().unwrap();
    let site = folder.path().join("site");
    std::fs::create_dir_all(site.join("below")).unwrap();
    let write = |name: &str, html: &str| std::fs::write(folder.path().join(name), html).unwrap();
    write("secret.html", "<p>Secret");
    write(
        "site/index.html",
        "<p>Home<a href=a.html>a</a><a href=below/b.html>b</a><a href=../secret.html>no</a>\
         <a href=/etc/passwd>no</a><a href=missing.html>gone</a><a href=http://a.example/>web</a>",
    );
    write("site/a.html", "<p>First<a href=below/>index</a>");
    write("site/below/b.html", "<p>Second<a href=../index.html>up</a>");
    write("site/below/index.htm", "<p>Third<a href=b.html>b</a>");
    let seed = Url::from_file_path(site.join("index.html")).unwrap();
    let mut crawl = Crawl::new(&[seed.to_string()]);
    // A gap is for hosts.
    crawl.config.politeness.gap = std::time::Duration::from_secs(60);
    let counts = crawl.run().counts;
    let found = pages(&crawl.path());
    let names: Vec<&str> = found.iter().map(|url| url.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["index.html", "a.html", "b.html", "index.htm"]);
    let failures = failures(&counts);
    assert_eq!((failures.get("no such file"), failures.get("out of scope")), (Some(&1), Some(&3)));
}

/// Pages of the network do not lead to files, even to those that a seed names.
#[test]
fn pages_of_the_network_do_not_lead_to_files() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("index.html");
    std::fs::write(&file, "<p>Home").unwrap();
    std::fs::write(folder.path().join("secret.html"), "<p>Secret").unwrap();
    let server = Server::start().unwrap();
    let secret = Url::from_file_path(folder.path().join("secret.html")).unwrap();
    let mut crawl = Crawl::new(&[
        Url::from_file_path(&file).unwrap().to_string(),
        server.url(&format!("/redirect/to/{secret}")),
        server.url(&format!("/link/to/{secret}")),
    ]);
    crawl.config.reach = Reach::Any;
    let counts = crawl.run().counts;
    let found = pages(&crawl.path());
    assert!(
        found.len() == 2
            && !found.iter().any(|url| url.contains("secret.html") && url.starts_with("file:")),
        "{found:?}"
    );
    assert_eq!(failures(&counts).get("redirect without a place"), Some(&1), "{counts:?}");
    assert_eq!(counts.waiting, 0);
}
