//! One crawl that several processes work on.

use crate::harness::Run;
use crate::postgres::database;
use crate::server::Server;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

const N_HOSTS: usize = 30;
const N_PAGES: usize = 100;
const N_KILLS: usize = 20;
/// Questions at the same time, of each process.
const N_SLOTS: usize = 8;
const GAP: Duration = Duration::from_millis(40);

/// A process that works on the crawl, by way of a server that knows all names.
fn worker(run: &Run, server: &Server, store: &str) -> Child {
    let seeds = (0..N_HOSTS).map(|nth| format!("http://h{nth}.example/own/{N_PAGES}/0"));
    let mut args: Vec<String> = vec!["crawl".to_owned()];
    args.extend(seeds);
    let flags = ["--store", store, "--gap", "40ms", "--lease", "1s", "--concurrency", "8"];
    args.extend(flags.map(str::to_owned));
    let mut command = run.command(&args);
    command.env("HTTP_PROXY", server.url("")).env_remove("NO_PROXY").env_remove("no_proxy");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn status(run: &Run, store: &str) -> Value {
    serde_json::from_str(&run.run(&["status", store, "--json"]).stdout).unwrap()
}

/// Three processes, two of which are killed again and again: no page is lost or there twice, and no host is asked too often.
#[test]
fn a_crawl_is_shared_and_outlives_its_workers() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let store = database();
    let start = || worker(&run, &server, &store);
    let mut workers: Vec<Child> = (0..3).map(|_| start()).collect();
    let (mut state, mut n_killed): (u64, usize) = (11, 0);
    for _ in 0..N_KILLS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        thread::sleep(Duration::from_millis(100 + (state >> 33) % 400));
        let victim = &mut workers[1 + (state >> 60 & 1) as usize];
        victim.kill().unwrap();
        n_killed += usize::from(!victim.wait().unwrap().success());
        *victim = start();
    }
    for mut worker in workers {
        assert_eq!(worker.wait().unwrap().code(), Some(0));
    }
    assert!(n_killed >= N_KILLS / 2, "only {n_killed} kills met a process at work");
    let status = status(&run, &store);
    assert_eq!((&status["pages"], &status["waiting"]), (&(N_HOSTS * N_PAGES).into(), &0.into()));
    assert_eq!(status["failed"], Value::Object(Default::default()), "{status}");
    check_pages(&run, &store);
    check_politeness(&server, n_killed);
}

/// All pages are there, once.
fn check_pages(run: &Run, store: &str) {
    assert_eq!(run.run(&["store", "export", store, "all.warc.gz"]).code, Some(0));
    let pages = crate::site::pages(run, "all.warc.gz");
    let expected: BTreeSet<String> = (0..N_HOSTS)
        .flat_map(|host| (0..N_PAGES).map(move |page| (host, page)))
        .map(|(host, page)| format!("http://h{host}.example/own/{N_PAGES}/{page}"))
        .collect();
    assert_eq!(pages.len(), expected.len());
    assert_eq!(pages.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// No gap is too short, whoever asked before; and what was asked for twice was under way when its process died.
fn check_politeness(server: &Server, n_killed: usize) {
    let mut n_asked: BTreeMap<(String, String), usize> = BTreeMap::new();
    for hit in server.hits().into_iter().filter(|hit| hit.path != "/robots.txt") {
        *n_asked.entry((hit.host, hit.path)).or_default() += 1;
    }
    let n_again: usize = n_asked.values().map(|n| n - 1).sum();
    assert!(n_again <= n_killed * N_SLOTS, "{n_again} asked for again, {n_killed} kills");
    for nth in 0..N_HOSTS {
        let gaps = server.gaps(&format!("h{nth}.example"));
        let least = gaps.iter().min().unwrap();
        assert!(*least >= GAP, "h{nth}: {least:?}");
    }
}

/// What a process leaves when it is told to stop, another goes on with at once.
#[test]
fn a_shared_crawl_goes_on() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let store = database();
    let args = ["crawl", "http://a.example/own/60/0", "--store", &store, "--gap", "0s"];
    let crawl = |more: &[&str]| {
        let mut command = run.command(&[&args[..], more].concat());
        command.env("HTTP_PROXY", server.url("")).env_remove("NO_PROXY").env_remove("no_proxy");
        crate::harness::Outcome::of(command.output().unwrap())
    };
    let first = crawl(&["--max-pages", "20"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let n_pages = status(&run, &store)["pages"].as_u64().unwrap();
    assert!((20..60).contains(&n_pages), "{n_pages}");
    let second = crawl(&[]);
    assert_eq!(
        (second.code, &status(&run, &store)["pages"]),
        (Some(0), &60.into()),
        "{}",
        second.stderr
    );
    assert_eq!(server.n_hits("/own/"), 60);
    let other = crawl(&["--plan", "news"]);
    assert!(other.code == Some(2) && other.stderr.contains("--fresh"), "{}", other.stderr);
    let fresh = crawl(&["--fresh", "--max-pages", "5"]);
    assert_eq!(
        (fresh.code, &status(&run, &store)["pages"]),
        (Some(0), &5.into()),
        "{}",
        fresh.stderr
    );
}

#[test]
fn servers_that_are_not_there_are_told() {
    let run = Run::with(&[]);
    let store = "postgres://ann:secret@127.0.0.1:1/none";
    let outcome = run.run(&["crawl", "http://a.example/", "--store", store]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("cannot use the shared store"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
}
