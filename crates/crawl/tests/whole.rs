//! Sites as a whole: all pages, once, however often a crawl ends.

use crate::harness::{Crawl, pages};
use crate::hostile::Server;
use crawl::{Plan, Store, Strategy};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

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

/// Servers are asked for what has changed since, and what has not is kept as it is.
#[test]
fn what_is_unchanged_is_kept() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/versioned/0")]);
    assert_eq!(crawl.run().counts.pages, 12);
    let bodies = |crawl: &Crawl| {
        crawl.rows("SELECT url, body FROM pages ORDER BY url", |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?))
        })
    };
    let before = bodies(&crawl);
    crawl.config.renews = true;
    for is_changed in [false, true] {
        if is_changed {
            server.change();
        }
        server.forget();
        let again = crawl.run();
        assert_eq!((again.counts.pages, again.counts.waiting), (12, 0));
        let asked = server.hits().into_iter().filter(|hit| hit.path != "/robots.txt");
        assert_eq!(asked.filter(|hit| hit.is_conditional).count(), 12);
        let after = bodies(&crawl);
        let n_changed = before.iter().zip(&after).filter(|(old, new)| old != new).count();
        assert_eq!((n_changed, again.run.pages), if is_changed { (6, 6) } else { (0, 0) });
    }
    assert_eq!(pages(&crawl.path()).len(), 12);
}

/// What pages usually say, and which words are rare, is known after a break as it was before: nothing is judged otherwise.
#[test]
fn pages_are_judged_the_same_after_a_break() {
    let server = Server::start().unwrap();
    let judged = |breaks: &[u64], strategy: &Strategy| {
        let mut crawl = Crawl::new(&[server.url("/alike/0")]);
        crawl.config.strategy = strategy.clone();
        // One after the other, so that their order is always the same.
        crawl.config.concurrency = 1;
        crawl.config.n_threads = 1;
        for budget in breaks {
            crawl.config.max_pages = Some(*budget);
            crawl.run();
        }
        crawl.config.max_pages = None;
        let counts = crawl.run().counts;
        let priority = "SELECT key, priority FROM addresses ORDER BY key";
        let priorities = crawl
            .rows(priority, |row| Ok((row.get::<_, String>(0)?, row.get::<_, f64>(1)?.to_bits())));
        let pages = crawl.rows("SELECT url, hash, like FROM pages ORDER BY address", |row| {
            let like: Option<i64> = row.get(2)?;
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<i64>>(1)?, like))
        });
        (pages, priorities, counts.alike)
    };
    for strategy in [Strategy::Breadth, Strategy::BestFirst(vec!["amber heron".to_owned()])] {
        let whole = judged(&[], &strategy);
        assert!(whole.0.len() > 40 && whole.2 > 5, "{} pages, {} alike", whole.0.len(), whole.2);
        assert_eq!(judged(&[3, 9, 17, 30], &strategy), whole);
    }
}

/// Stores of the first version are gone on with.
#[test]
fn old_stores_are_renovated() {
    let server = Server::start().unwrap();
    let mut crawl = Crawl::new(&[server.url("/site/30/0")]);
    crawl.config.max_pages = Some(10);
    crawl.run();
    let old =
        "DROP TABLE texts; DROP TABLE words; UPDATE meta SET value = '1' WHERE key = 'version'";
    rusqlite::Connection::open(crawl.path()).unwrap().execute_batch(old).unwrap();
    assert_eq!(pages(&crawl.path()).len(), 10);
    crawl.config.max_pages = None;
    assert_eq!(crawl.run().counts.pages, 30);
    assert_eq!(pages(&crawl.path()).len(), 30);
    let new = "UPDATE meta SET value = '3' WHERE key = 'version'";
    rusqlite::Connection::open(crawl.path()).unwrap().execute_batch(new).unwrap();
    let error = Store::open(&crawl.path(), false).err().unwrap().to_string();
    assert!(error.contains("its version is 3, not 2"), "{error}");
}

/// With nobody to be polite to, five hundred pages a second come in; here several times that.
#[test]
fn pages_come_fast() {
    const N_PAGES: u64 = 3000;
    let mut best: f64 = 0.0;
    // Others may use the machine, too.
    for _ in 0..3 {
        let server = Server::start().unwrap();
        let crawl = Crawl::new(&[server.url(&format!("/site/{N_PAGES}/0"))]);
        let summary = crawl.run();
        assert_eq!(summary.counts.pages, N_PAGES);
        best = best.max(N_PAGES as f64 / summary.took.as_secs_f64());
        if best >= 500.0 {
            break;
        }
    }
    println!("{best:.0} pages a second");
    assert!(best >= 500.0, "{best:.0} pages a second");
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
