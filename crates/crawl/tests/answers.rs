//! What servers answer to do harm, and what becomes of it.

use crate::harness::{Crawl, failures, pages};
use crate::hostile::Server;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What servers answer to do harm, and the reason that it is put down to.
const CASES: [(&str, &str); 24] = [
    ("/endless", "too large"),
    ("/endless/head", "answer broken"),
    ("/endless/field", "answer broken"),
    ("/bomb/gzip/8", "too large"),
    ("/bomb/deflate/8", "too large"),
    ("/bomb/br", "too large"),
    ("/bomb/zstd/8", "too large"),
    ("/slow/head", "nothing came for too long"),
    ("/slow/body", "took too long"),
    ("/hang", "nothing came for too long"),
    ("/close", "answer broken"),
    ("/garbage", "answer broken"),
    ("/length/long", "answer broken"),
    ("/length/two", "answer broken"),
    ("/chunked/broken", "answer broken"),
    ("/chunked/huge", "answer broken"),
    ("/chunked/cut", "answer broken"),
    ("/status/404", "status 404"),
    ("/status/500", "status 500"),
    ("/type/application/pdf", "not a page: application/pdf"),
    ("/redirect/loop", "too many redirects"),
    ("/redirect/inside/9", "redirect without a place"),
    ("/heavy/links/5", "too large"),
    ("/heavy/deep/5", "too large"),
];

/// An answer must be there after this time, in the settings of tests; and then it is written down.
const DEADLINE: Duration = Duration::from_secs(5);
const SLACK: Duration = Duration::from_secs(2);

fn host(nth: usize, port: u16) -> String {
    format!("http://h{nth}.example:{port}")
}

/// Each of these ends, soon, with a reason that says what it was.
#[test]
fn hostile_answers_end_with_a_reason() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let seeds = CASES.iter().enumerate();
    let seeds: Vec<String> = seeds.map(|(nth, case)| host(nth, port) + case.0).collect();
    let crawl = Crawl::new(&seeds);
    let start = Instant::now();
    crawl.run();
    // One after the other: robots.txt, the page, and what a loop leads to.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    let reasons: BTreeMap<String, String> = crawl.store().failures().unwrap().into_iter().collect();
    for (seed, (path, reason)) in seeds.iter().zip(CASES) {
        assert_eq!(reasons.get(seed).map(String::as_str), Some(reason), "{path}");
    }
    for (url, took) in crawl.timings() {
        assert!(took < DEADLINE + SLACK, "{url}: {took:?}");
    }
}

/// Well-behaved hosts are asked as often as their gaps allow, whatever others do at the same time, and however many they are.
#[test]
fn others_keep_their_rate() {
    const N_WELL: usize = 10;
    const N_PAGES: usize = 50;
    let gap = Duration::from_millis(60);
    let pages_a_second = |n_hostile: usize| {
        let server = Server::start().unwrap();
        let port = server.address().port();
        let mut seeds: Vec<String> = (0..n_hostile)
            .map(|nth| host(nth, port) + CASES[nth % CASES.len()].0)
            .chain((0..n_hostile / 4).map(|nth| format!("http://slow.h{nth}.example:{port}/")))
            .collect();
        let well = (0..N_WELL).map(|nth| format!("http://w{nth}.example:{port}/site/{N_PAGES}/0"));
        seeds.extend(well);
        let mut crawl = Crawl::new(&seeds);
        crawl.config.politeness.gap = gap;
        crawl.config.politeness.per_host = 1;
        crawl.config.limits.per_pattern = u32::MAX;
        let stop = AtomicBool::new(false);
        let n_well = || server.hits().iter().filter(|hit| hit.host.starts_with('w')).count();
        let start = Instant::now();
        let mut took = None;
        crawl.run_until(&stop, |progress| {
            if progress.pages as usize >= N_WELL * N_PAGES {
                took.get_or_insert(start.elapsed());
                stop.store(true, Ordering::Relaxed);
            }
        });
        // With robots.txt.
        assert_eq!(n_well(), N_WELL * (N_PAGES + 1));
        (N_WELL * N_PAGES) as f64 / took.unwrap().as_secs_f64()
    };
    // The machine has other work now and then, which is no host's doing.
    let keeps_rate = (0..3).any(|_| {
        let alone = pages_a_second(0);
        let beside = pages_a_second(2 * CASES.len());
        println!("{alone:.1} pages a second alone, {beside:.1} beside hostile hosts");
        beside >= 0.9 * alone
    });
    assert!(keeps_rate);
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
