//! A crawl while it runs: who else may come near, how it is watched and stopped.

use crate::harness::Run;
use crate::server::Server;
use crate::site::pages;
use serde_json::Value;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A crawl under way, which ends with this.
struct Running(Child);

impl Running {
    fn start(run: &Run, args: &[&str]) -> Running {
        let mut command = run.command(&[&["crawl"][..], args].concat());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Running(command.spawn().unwrap())
    }

    fn interrupt(&self) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    }

    /// Its exit code, and what it said.
    fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        let mut stderr = self.0.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut stderr, &mut said).unwrap();
        (self.0.wait().unwrap().code(), said)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Wait for something that comes about soon.
#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what} did not come about");
        thread::sleep(Duration::from_millis(10));
    }
}

fn status(run: &Run, store: &str) -> Value {
    serde_json::from_str(&run.run(&["status", store, "--json"]).stdout).unwrap()
}

#[test]
fn a_store_has_one_writer_who_is_told() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let seed = server.url("/hang");
    let crawl = Running::start(&run, &[&seed, "--store", "a.db"]);
    until("the question", || server.n_hits("/hang") > 0);
    let second = run.run(&["crawl", &seed, "--store", "a.db"]);
    let owner = format!("a.db is in use by another crawl (process {})", crawl.0.id());
    assert!(second.code == Some(2) && second.stderr.contains(&owner), "{}", second.stderr);
    let fresh = run.run(&["crawl", &seed, "--store", "a.db", "--fresh"]);
    assert!(fresh.code == Some(2) && fresh.stderr.contains(&owner), "{}", fresh.stderr);
    let seen = status(&run, "a.db");
    assert_eq!((&seen["is_running"], &seen["process"]), (&true.into(), &crawl.0.id().into()));
    drop(crawl);
    let seen = status(&run, "a.db");
    assert_eq!((&seen["is_running"], &seen["process"]), (&false.into(), &Value::Null));
}

#[test]
fn the_first_interruption_finishes_what_is_under_way() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let seed = server.url("/site/400/0");
    let args = [seed.as_str(), "--store", "a.db", "--gap", "3ms"];
    let crawl = Running::start(&run, &args);
    until("some pages", || server.n_hits("/site/") > 30);
    crawl.interrupt();
    let (code, said) = crawl.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("once more to stop now"), "{said}");
    assert!(said.contains("the same command goes on where it was"), "{said}");
    let n_pages = pages(&run, "a.db").len();
    assert!((30..400).contains(&n_pages), "{n_pages}");
    // What was under way was finished, so nothing is asked for twice.
    assert_eq!(Running::start(&run, &args).end().0, Some(0));
    assert_eq!((pages(&run, "a.db").len(), server.n_hits("/site/")), (400, 400));
}

#[test]
fn the_second_interruption_stops_at_once() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let (page, hang) = (server.url("/site/3/0"), server.url("/hang"));
    let args = [page.as_str(), hang.as_str(), "--store", "a.db", "--gap", "0s", "--per-host", "4"];
    let crawl = Running::start(&run, &args);
    until("the pages", || server.n_hits("/hang") > 0 && server.n_hits("/site/") == 3);
    until("that they are kept", || status(&run, "a.db")["pages"] == 3);
    let start = Instant::now();
    crawl.interrupt();
    thread::sleep(Duration::from_millis(300));
    crawl.interrupt();
    let (code, said) = crawl.end();
    assert!(code == Some(130) && start.elapsed() < Duration::from_secs(10), "{said}");
    assert_eq!(run.run(&["store", "check", "a.db"]).code, Some(0));
    let seen = status(&run, "a.db");
    assert_eq!((&seen["pages"], &seen["waiting"]), (&3.into(), &1.into()), "{seen}");
}

/// Watched from outside until it ends, with all that there is to see.
#[test]
fn a_crawl_can_be_watched() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let (site, gone) = (server.url("/site/150/0"), server.url("/status/404"));
    let crawl = Running::start(&run, &[&site, &gone, "--store", "a.db", "--gap", "5ms"]);
    until("some pages", || server.n_hits("/site/") > 5);
    let watched = run.run(&["status", "a.db", "--watch", "50ms"]);
    assert_eq!((watched.code, crawl.end().0), (Some(0), Some(0)), "{}", watched.stderr);
    let lines: Vec<Value> =
        watched.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (first, last) = (lines.first().unwrap(), lines.last().unwrap());
    assert!(lines.len() > 1 && first["is_running"] == true, "{}", watched.stdout);
    assert_eq!((&last["pages"], &last["waiting"]), (&150.into(), &0.into()));
    assert_eq!(last["failed"]["status 404"], 1);
    assert_eq!(last["hosts"]["127.0.0.1"], 150);
    assert!(last["pages_per_second"].as_f64().unwrap() > 0.0 && last["is_running"] == false);
}
