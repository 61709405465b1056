//! Whole crawls, over HTTP, of a server that does what servers do to crawlers.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod hostile;

use crawl::guard::{Guard, Lookup};
use crawl::traps::Limits;
use crawl::{
    Config, Counts, FetchLimits, Network, NetworkConfig, Plan, Politeness, Reach, Source, Store,
    Strategy, Summary, crawl,
};
use hostile::Server;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use url::Url;

/// All names are this machine.
struct Here;

type Found = crawl::guard::Answers;

impl Lookup for Here {
    fn lookup(&self, _: &str) -> Found {
        Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })
    }
}

/// A crawl to be run, with settings that tests have time for.
struct Crawl {
    folder: TempDir,
    config: Config,
}

impl Crawl {
    fn new(seeds: &[String]) -> Crawl {
        Crawl::with_guard(seeds, Guard::new(true, [].into_iter()).with_lookup(Here))
    }

    fn with_guard(seeds: &[String], guard: Guard) -> Crawl {
        let limits = FetchLimits {
            connect: Duration::from_secs(1),
            read: Duration::from_secs(3),
            whole: Duration::from_secs(5),
            max_packed: 1 << 20,
            max_unpacked: 4 << 20,
        };
        let max_unpacked = limits.max_unpacked;
        let network =
            NetworkConfig { agent: "pagemill/test".to_owned(), limits, guard, is_plain: false };
        let config = Config {
            seeds: seeds.iter().map(|seed| Url::parse(seed).unwrap()).collect(),
            reach: Reach::Host,
            strategy: Strategy::Breadth,
            source: Source::Network(Arc::new(Network::new(network).unwrap())),
            politeness: Politeness {
                gap: Duration::ZERO,
                per_host: 8,
                tries: 1,
                backoff: Duration::from_millis(50),
                ..Politeness::default()
            },
            limits: Limits::default(),
            concurrency: 32,
            max_pages: None,
            reads_sitemaps: false,
            renews: false,
            max_unpacked,
            n_threads: 2,
        };
        Crawl { folder: TempDir::new().unwrap(), config }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("store.db")
    }

    fn run(&self) -> Summary {
        self.run_until(&AtomicBool::new(false), |_| {})
    }

    fn run_until(&self, stop: &AtomicBool, watch: impl FnMut(&crawl::Progress)) -> Summary {
        let store = Store::open(&self.path(), false).unwrap();
        crawl(store, &self.config, stop, watch).unwrap()
    }

    fn store(&self) -> Store {
        Store::read(&self.path()).unwrap()
    }
}

fn pages(path: &Path) -> Vec<String> {
    let store = Store::read(path).unwrap();
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
    let (mut pages, mut last) = (Vec::new(), i64::MIN);
    while let Some(page) = store.page_after(last).unwrap() {
        last = page.id;
        pages.push(page.url);
    }
    pages
}

fn failures(counts: &Counts) -> BTreeMap<&str, u64> {
    let all = counts.failed.iter().chain(&counts.refused);
    all.map(|(reason, n)| (reason.as_str(), *n)).collect()
}

#[test]
fn a_site_comes_in_whole_and_once() {
    let server = Server::start().unwrap();
    let crawl = Crawl::new(&[server.url("/site/300/0")]);
    let summary = crawl.run();
    assert_eq!((summary.counts.pages, summary.counts.waiting), (300, 0));
    let pages = pages(&crawl.path());
    assert_eq!(pages.len(), 300);
    // robots.txt and each page, once.
    assert_eq!(server.n_hits("/"), 301);
    // Nothing is left to do.
    assert_eq!(crawl.run().run.pages, 0);
    assert_eq!(server.n_hits("/"), 301);
}

#[test]
fn a_crawl_that_was_stopped_goes_on() {
    let server = Server::start().unwrap();
    let crawl = Crawl::new(&[server.url("/site/200/0")]);
    let stop = AtomicBool::new(false);
    let first = crawl.run_until(&stop, |progress| {
        stop.store(progress.pages >= 50, Ordering::Relaxed);
    });
    assert!(first.is_stopped && (50..200).contains(&first.counts.pages), "{first:?}");
    let second = crawl.run();
    assert_eq!(second.counts.pages, 200);
    assert_eq!(first.run.pages + second.run.pages, 200);
    assert_eq!(server.n_hits("/"), 201);
}

#[test]
fn a_budget_is_kept_over_runs() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/site/200/0")]);
    crawl.config.max_pages = Some(30);
    assert_eq!(crawl.run().counts.pages, 30);
    assert_eq!(crawl.run().counts.pages, 30);
    crawl.config.max_pages = Some(40);
    assert_eq!(crawl.run().counts.pages, 40);
}

#[test]
fn one_process_writes_a_store() {
    let server = Server::start().unwrap();
    let crawl = Crawl::new(&[server.url("/site/10/0")]);
    let open = Store::open(&crawl.path(), false).unwrap();
    let error = Store::open(&crawl.path(), false).err().unwrap().to_string();
    assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    drop(open);
    assert_eq!(crawl.run().counts.pages, 10);
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("letter.txt");
    std::fs::write(&path, "Dear Ada").unwrap();
    assert!(Store::open(&path, true).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear Ada");
}

/// Each of these ends, soon, with a reason that says what it was; and nobody else waits for it.
#[test]
fn hostile_answers_end_with_a_reason() {
    let cases = [
        ("/endless", "too large"),
        ("/endless/head", "answer broken"),
        ("/endless/field", "answer broken"),
        ("/bomb/gzip/8", "too large"),
        ("/bomb/deflate/8", "too large"),
        ("/bomb/br/64", "too large"),
        ("/bomb/zstd/8", "too large"),
        ("/slow/head", "nothing came for too long"),
        ("/slow/body", "took too long"),
        ("/hang", "nothing came for too long"),
        ("/close", "answer broken"),
        ("/garbage", "answer broken"),
        ("/length/long", "answer broken"),
        ("/chunked/broken", "answer broken"),
        ("/chunked/huge", "answer broken"),
        ("/chunked/cut", "answer broken"),
        ("/status/404", "status 404"),
        ("/status/500", "status 500"),
        ("/type/application/pdf", "not a page: application/pdf"),
    ];
    let server = Server::start().unwrap();
    let port = server.address().port();
    let host = |nth: usize| format!("http://h{nth}.example:{port}");
    let mut seeds: Vec<String> =
        cases.iter().enumerate().map(|(nth, case)| format!("{}{}", host(nth), case.0)).collect();
    seeds.push(format!("http://well.example:{port}/site/400/0"));
    let crawl = Crawl::new(&seeds);
    let start = Instant::now();
    let mut well_at = None;
    let summary = crawl.run_until(&AtomicBool::new(false), |progress| {
        if progress.pages >= 400 {
            well_at.get_or_insert(start.elapsed());
        }
    });
    let took = start.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(well_at.unwrap() < Duration::from_secs(10), "{well_at:?}");
    let reasons: BTreeMap<String, String> = crawl.store().failures().unwrap().into_iter().collect();
    for (nth, (path, reason)) in cases.iter().enumerate() {
        let found = reasons.get(&format!("{}{path}", host(nth)));
        assert_eq!(found.map(String::as_str), Some(*reason), "{path}");
    }
    assert_eq!(summary.counts.pages, 400);
}

#[test]
fn redirects_end() {
    let server = Server::start().unwrap();
    let paths =
        ["/redirect/loop", "/redirect/chain/5", "/redirect/chain/30", "/redirect/grow", "/cookie"];
    let seeds: Vec<String> = paths.iter().map(|path| server.url(path)).collect();
    let crawl = Crawl::new(&seeds);
    let counts = crawl.run().counts;
    let pages = pages(&crawl.path());
    assert!(pages.iter().any(|page| page.ends_with("/redirect/chain/0")), "{pages:?}");
    assert!(pages.iter().any(|page| page.ends_with("/cookie")), "{pages:?}");
    assert!(failures(&counts).contains_key("too many redirects"), "{counts:?}");
    assert!(server.n_hits("/") < 150, "{}", server.n_hits("/"));
}

#[test]
fn what_fails_for_a_while_is_tried_again() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/flaky/2")]);
    crawl.config.politeness.tries = 3;
    assert_eq!(crawl.run().counts.pages, 1);
}

#[test]
fn patience_is_had_where_a_server_asks_for_it() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/status/429/1")]);
    crawl.config.politeness.tries = 2;
    let start = Instant::now();
    crawl.run();
    assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());
}

#[test]
fn traps_end() {
    let server = Server::start().unwrap();
    for path in ["/calendar/2024/3", "/grow/", "/session/1", "/facets?a=1"] {
        server.forget();
        let mut crawl = Crawl::new(&[server.url(path)]);
        crawl.config.max_pages = Some(1500);
        let counts = crawl.run().counts;
        assert!(counts.waiting == 0 && server.n_hits("/") < 1500, "{path}: {counts:?}");
    }
}

#[test]
fn robots_are_followed() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let rules = "User-agent: *\nDisallow: /site/50/1\nAllow: /site/50/12\n";
    server.set_robots("rules.example", 200, rules);
    server.set_robots("gone.example", 404, "");
    server.set_robots("broken.example", 500, "");
    let hosts = ["rules", "gone", "broken"];
    let seeds: Vec<String> =
        hosts.iter().map(|host| format!("http://{host}.example:{port}/site/50/0")).collect();
    let crawl = Crawl::new(&seeds);
    let counts = crawl.run().counts;
    let asked = |host: &str| -> Vec<String> {
        let hits = server.hits().into_iter().filter(|hit| hit.host == host);
        hits.map(|hit| hit.path).filter(|path| path != "/robots.txt").collect()
    };
    let forbidden = asked("rules.example");
    assert!(
        !forbidden
            .iter()
            .any(|path| path.starts_with("/site/50/1") && !path.starts_with("/site/50/12")),
        "{forbidden:?}"
    );
    assert!(forbidden.len() > 5);
    assert_eq!(asked("gone.example").len(), 50);
    assert_eq!(asked("broken.example"), Vec::<String>::new());
    assert!(failures(&counts).contains_key("robots.txt"), "{counts:?}");
    assert!(failures(&counts).contains_key("robots.txt out of reach"), "{counts:?}");
}

/// Two thousand questions to twenty hosts, none too soon after another.
#[test]
fn gaps_are_kept() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let gap = Duration::from_millis(20);
    let seeds: Vec<String> =
        (0..20).map(|nth| format!("http://p{nth}.example:{port}/site/100/0")).collect();
    let mut crawl = Crawl::new(&seeds);
    crawl.config.politeness.gap = gap;
    crawl.config.politeness.per_host = 1;
    // All hosts say the same, which is a reason to leave most of them alone.
    crawl.config.limits.per_pattern = u32::MAX;
    let counts = crawl.run().counts;
    assert_eq!(counts.pages, 2000);
    for nth in 0..20 {
        let gaps = server.gaps(&format!("p{nth}.example"));
        assert_eq!(gaps.len(), 100);
        let least = gaps.iter().min().unwrap();
        assert!(*least >= gap, "p{nth}: {least:?}");
    }
}

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

#[test]
fn sitemaps_lead_to_pages() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let rules = format!("Sitemap: http://map.example:{port}/sitemap.xml\n");
    server.set_robots("map.example", 200, &rules);
    let mut crawl = Crawl::new(&[format!("http://map.example:{port}/status/404")]);
    crawl.config.reads_sitemaps = true;
    assert_eq!(crawl.run().counts.pages, 100);
}

#[test]
fn what_is_unchanged_is_kept() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/site/20/0")]);
    assert_eq!(crawl.run().counts.pages, 20);
    crawl.config.renews = true;
    let again = crawl.run();
    assert_eq!((again.counts.pages, again.counts.waiting), (20, 0));
    assert_eq!(server.n_hits("/"), 41);
    assert_eq!(pages(&crawl.path()).len(), 20);
}

#[test]
fn plans_say_what_is_wrong_with_them() {
    let error = |text: &str| Plan::parse(text).unwrap_err().to_string();
    assert!(error("start = 'home'").contains("no kinds"));
    let unknown = "start = 'home'\n[[kind]]\nname = 'home'\n[[kind]]\nname = 'list'\nfrom = ['hom']\nwords = { a = 1 }";
    assert!(error(unknown).contains("\"hom\""));
    let unreachable = "start = 'home'\n[[kind]]\nname = 'home'\n[[kind]]\nname = 'list'";
    assert!(error(unreachable).contains("nothing leads"));
    let misspelt = "start = 'home'\n[[kind]]\nname = 'home'\nword = { a = 1 }";
    assert!(error(misspelt).contains("word"), "{}", error(misspelt));
}
