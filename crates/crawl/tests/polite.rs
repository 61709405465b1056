//! What hosts ask for: robots.txt, gaps, patience.

use crate::harness::{Crawl, failures};
use crate::hostile::Server;
use std::time::{Duration, Instant};

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

/// A date is as good as a number of seconds; and a date that is past asks for nothing.
#[test]
fn patience_may_be_asked_for_until_a_date() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/patient/3")]);
    crawl.config.politeness.tries = 2;
    let start = Instant::now();
    assert_eq!(crawl.run().counts.pages, 1);
    // Dates have no fractions, so up to a second of three is lost.
    assert!(start.elapsed() >= Duration::from_millis(1900), "{:?}", start.elapsed());
    let hits: Vec<_> = server.hits().into_iter().filter(|hit| hit.path != "/robots.txt").collect();
    assert_eq!(hits.len(), 2);
    let mut crawl =
        Crawl::new(&[server.url("/status/503/Thu,%2001%20Jan%201970%2000:00:00%20GMT")]);
    crawl.config.politeness.tries = 2;
    let start = Instant::now();
    assert_eq!(crawl.run().counts.waiting, 0);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// Who asks for hours is left for the next run, which does not begin before; the run does not wait for it.
#[test]
fn long_patience_is_for_the_next_run() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let mut crawl = Crawl::new(&[
        format!("http://later.example:{port}/status/503/7200"),
        format!("http://later.example:{port}/site/10/0"),
        format!("http://now.example:{port}/site/10/0"),
    ]);
    crawl.config.politeness.tries = 3;
    crawl.config.politeness.per_host = 1;
    let start = Instant::now();
    let first = crawl.run();
    assert_eq!(first.given_up, ["later.example"]);
    assert!(first.counts.waiting > 0 && first.counts.pages >= 10, "{:?}", first.counts);
    let n_hits = server.n_hits("/status/503");
    let second = crawl.run();
    assert_eq!(server.n_hits("/status/503"), n_hits);
    assert!(second.counts.waiting > 0, "{:?}", second.counts);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
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

/// What robots.txt says, and which of the pages 0 to 19 of a site it forbids.
const RULES: [(&str, &[u64]); 37] = [
    ("User-agent: *\nDisallow:", &[]),
    ("", &[]),
    ("User-agent: *\nDisallow: /site/20/1", &[1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]),
    ("User-agent: *\nDisallow: /site/20/1$", &[1]),
    ("User-agent: *\nDisallow: /site/20/2", &[2]),
    ("User-agent: *\nDisallow: /*/3", &[3]),
    ("User-agent: *\nDisallow: /*3$", &[3, 13]),
    ("User-agent: *\nDisallow: *7$", &[7, 17]),
    (
        "User-agent: *\nDisallow: /site/20/1\nAllow: /site/20/12",
        &[1, 10, 11, 13, 14, 15, 16, 17, 18, 19],
    ),
    (
        "User-agent: *\nAllow: /site/20/12\nDisallow: /site/20/1",
        &[1, 10, 11, 13, 14, 15, 16, 17, 18, 19],
    ),
    (
        "User-agent: *\nDisallow: /site/\nAllow: /site/20/0\nAllow: /site/20/2$",
        &[1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
    ),
    ("User-agent: *\nDisallow: /site/20/4\nAllow: /site/20/4", &[]),
    ("user-AGENT: *\ndisallow: /site/20/5", &[5]),
    ("User-agent: *\nDisallow: /SITE/20/5", &[]),
    ("User-agent: *\nDisallow: /site/20/%36", &[6]),
    ("User-agent: *\nDisallow: /%73ite/20/8", &[8]),
    ("User-agent: *\nDisallow: /site/20/9 # not this", &[9]),
    ("User-agent: *\n# Disallow: /\nDisallow: /site/20/9", &[9]),
    ("User-agent: *\nDisallow: /site/20/?$", &[]),
    ("User-agent: *\nDisallow: /site/20/1*2$", &[12]),
    ("User-agent: *\nDisallow: /site/*/2", &[2]),
    ("User-agent: *\nDisallow: //", &[]),
    ("User-agent: *\nCrawl-delay: 0\nDisallow: /site/20/3", &[3]),
    ("User-agent: *\r\nDisallow: /site/20/3\r\nDisallow: /site/20/4\r\n", &[3, 4]),
    ("User-agent: *\rDisallow: /site/20/3\rDisallow: /site/20/4\r", &[3, 4]),
    ("User-agent: other\nDisallow: /", &[]),
    ("User-agent: pagemill\nDisallow: /site/20/2\n\nUser-agent: *\nDisallow: /", &[2]),
    ("User-agent: *\nDisallow: /\n\nUser-agent: PageMill\nDisallow: /site/20/6", &[6]),
    ("User-agent: pagemill/1.0\nDisallow: /site/20/6", &[6]),
    ("User-agent: pagemillbot\nDisallow: /", &[]),
    ("User-agent: a\nUser-agent: pagemill\nDisallow: /site/20/7", &[7]),
    (
        "User-agent: pagemill\nDisallow: /site/20/7\n\nUser-agent: pagemill\nDisallow: /site/20/8",
        &[7, 8],
    ),
    ("User-agent: *\n\nDisallow: /site/20/5", &[5]),
    ("\u{FEFF}User-agent: *\nDisallow: /site/20/5", &[5]),
    ("Disallow: /\nUser-agent: *\nDisallow: /site/20/4", &[4]),
    ("User-agent: *\nSitemap: http://x.example/map.xml\nDisallow: /site/20/4", &[4]),
    ("User-agent: *\nNonsense: 1\nDisallow: /site/20/4", &[4]),
];

/// Statuses of robots.txt, and whether the site may be asked then; 418 stands for all of its kind.
const STATUSES: [(u16, bool); 7] =
    [(404, true), (403, true), (418, true), (429, true), (500, false), (503, false), (599, false)];

/// Whole crawls by each table: no page is asked for that is forbidden, and every other that can be reached.
#[test]
fn no_rule_is_broken_and_none_is_made_up() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let every: Vec<u64> = (0..20).collect();
    let refuse_all = "User-agent: *\nDisallow: /";
    let of_statuses = STATUSES.iter().map(|(status, is_open)| {
        (*status, refuse_all, if *is_open { &[] } else { every.as_slice() })
    });
    let rules = RULES.iter().map(|(rules, forbidden)| (200, *rules, *forbidden));
    let all = [(200, refuse_all, every.as_slice())];
    let cases: Vec<(u16, &str, &[u64])> = rules.chain(of_statuses).chain(all).collect();
    assert!(cases.len() >= 40);
    for (nth, (status, rules, _)) in cases.iter().enumerate() {
        server.set_robots(&format!("r{nth}.example"), *status, rules);
    }
    let seeds: Vec<String> =
        (0..cases.len()).map(|nth| format!("http://r{nth}.example:{port}/site/20/0")).collect();
    let mut crawl = Crawl::new(&seeds);
    crawl.config.limits.per_pattern = u32::MAX;
    crawl.run();
    let hits = server.hits();
    for (nth, (status, rules, forbidden)) in cases.iter().enumerate() {
        let host = format!("r{nth}.example");
        let asked = hits.iter().filter(|hit| hit.host == host && hit.path != "/robots.txt");
        let number = |path: &str| path.rsplit('/').next().unwrap().parse::<u64>().unwrap();
        let mut asked: Vec<u64> = asked.map(|hit| number(&hit.path)).collect();
        asked.sort_unstable();
        assert_eq!(asked, reachable(forbidden), "{status} {rules:?}");
    }
}

/// The pages of a site of twenty that can be got at without asking for forbidden ones: each leads to two, and to the one above.
fn reachable(forbidden: &[u64]) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    for page in 0..20_u64 {
        let is_led_to = page == 0 || found.contains(&((page - 1) / 2));
        if is_led_to && !forbidden.contains(&page) {
            found.push(page);
        }
    }
    found
}

/// Packed, endless, slow, in circles: what comes of robots.txt that is not just a file.
#[test]
fn odd_robots_are_no_way_round_them() {
    let server = Server::start().unwrap();
    let port = server.address().port();
    let hosts = ["gzip", "endless", "big", "loop", "slow", "deny", "error"];
    let seeds: Vec<String> =
        hosts.iter().map(|host| format!("http://{host}.example:{port}/site/50/0")).collect();
    let crawl = Crawl::new(&seeds);
    crawl.run();
    let asked = |host: &str| -> Vec<String> {
        let host = format!("{host}.example");
        let hits = server.hits().into_iter().filter(|hit| hit.host == host);
        hits.map(|hit| hit.path).filter(|path| path != "/robots.txt").collect()
    };
    let mut packed = asked("gzip");
    packed.sort();
    // What the others lead to is forbidden.
    assert_eq!(packed, ["/site/50/0", "/site/50/2", "/site/50/5", "/site/50/6"]);
    // What can be read of them forbids nothing here.
    assert_eq!((asked("endless").len(), asked("big").len()), (50, 50));
    for host in ["loop", "slow", "deny", "error"] {
        assert_eq!(asked(host), Vec::<String>::new(), "{host}");
    }
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
