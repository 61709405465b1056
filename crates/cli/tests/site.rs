//! `pagemill crawl`: what becomes of a site.

use crate::harness::Run;
use crate::server::Server;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Questions at the same time.
const N_SLOTS: usize = 8;

fn crawl(run: &Run, seed: &str, store: &str) -> Command {
    let slots = N_SLOTS.to_string();
    let mut command = run.command(&["crawl", seed, "--store", store, "--gap", "0s"]);
    command.args(["--per-host", &slots, "--concurrency", &slots]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The addresses of the pages in a store, sorted.
pub(crate) fn pages(run: &Run, store: &str) -> Vec<String> {
    let found = run.run(&["leaves", store, "--json"]);
    let mut pages: Vec<String> = found
        .stdout
        .lines()
        .filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(line.get("page")?.as_str()?.to_owned())
        })
        .collect();
    pages.sort_unstable();
    pages.dedup();
    pages
}

/// However often a crawl is killed, no page is lost, and none is there twice.
#[test]
fn kills_lose_nothing() {
    const N_PAGES: usize = 5000;
    const N_KILLS: usize = 200;
    let server = Server::start().unwrap();
    let seed = server.url(&format!("/site/{N_PAGES}/0"));
    let run = Run::with(&[]);
    let kill = |mut child: Child| {
        child.kill().unwrap();
        !child.wait().unwrap().success()
    };
    let mut n_kills = 0;
    let mut state: u64 = 7;
    for _ in 0..N_KILLS {
        let child = crawl(&run, &seed, "a.db").spawn().unwrap();
        // Any moment, from before the store is open to dozens of pages later; no more, or the site would be whole too soon.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let until = Instant::now() + Duration::from_millis((state >> 33) % 60);
        let most = server.n_hits("/site/") + usize::try_from((state >> 40) % 40).unwrap();
        while Instant::now() < until && server.n_hits("/site/") < most {
            thread::sleep(Duration::from_millis(1));
        }
        n_kills += usize::from(kill(child));
    }
    assert!(crawl(&run, &seed, "a.db").status().unwrap().success());
    assert_eq!(run.run(&["store", "check", "a.db"]).code, Some(0));
    // Pages; not those who may ask for them.
    let n_asked = server.n_hits("/site/");
    let status = run.run(&["status", "a.db", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!((&status["pages"], &status["waiting"]), (&N_PAGES.into(), &0.into()), "{status}");
    assert!(n_asked - N_PAGES <= n_kills * N_SLOTS, "{n_asked} questions, {n_kills} kills");
    assert!(n_kills >= N_KILLS * 9 / 10, "only {n_kills} kills met a crawl at work");
    let found = pages(&run, "a.db");
    assert_eq!(found.len(), N_PAGES);
    assert!(crawl(&run, &seed, "b.db").status().unwrap().success());
    assert_eq!(found, pages(&run, "b.db"));
}

#[test]
fn archives_go_out_and_come_in() {
    let server = Server::start().unwrap();
    let seed = server.url("/site/30/0");
    let run = Run::with(&[]);
    assert!(crawl(&run, &seed, "a.db").status().unwrap().success());
    assert_eq!(run.run(&["store", "export", "a.db", "a.warc.gz"]).code, Some(0));
    let found = pages(&run, "a.db");
    assert_eq!((found.len(), &found), (30, &pages(&run, "a.warc.gz")));
    assert_eq!(run.run(&["store", "import", "b.db", "a.warc.gz"]).code, Some(0));
    assert_eq!(found, pages(&run, "b.db"));
    server.forget();
    let replayed = run.run(&["crawl", &seed, "--store", "c.db", "--replay", "a.warc.gz"]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    assert_eq!((found, server.n_hits("/")), (pages(&run, "c.db"), 0));
}

#[test]
fn mistakes_are_told() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let seed = server.url("/site/3/0");
    let said = |args: &[&str]| {
        let run = run.run(args);
        (run.code, run.stderr)
    };
    let (code, stderr) = said(&["crawl", &seed, "--store", "a.db", "--plan", "missing.toml"]);
    assert!(
        code == Some(2) && stderr.contains("university, shop and news are built in"),
        "{stderr}"
    );
    let (code, stderr) = said(&["crawl", "ftp://example.org/", "--store", "a.db"]);
    assert!(code == Some(2) && stderr.contains("only http, https and file"), "{stderr}");
    let (code, stderr) = said(&["crawl", "file:///no/such/page.html", "--store", "a.db"]);
    assert!(code == Some(2) && stderr.contains("no such file"), "{stderr}");
    let (code, stderr) = said(&["crawl", &seed, "--store", "a.db", "--replay", "missing.warc"]);
    assert!(code == Some(2) && stderr.contains("no such file"), "{stderr}");
    let (code, stderr) = said(&["status", "a.db"]);
    assert!(code == Some(3) && !stderr.is_empty(), "{stderr}");
    std::fs::write(run.path().join("letter.db"), "Dear Ada").unwrap();
    let (code, stderr) = said(&["crawl", &seed, "--store", "letter.db"]);
    assert!(code != Some(0) && !stderr.is_empty(), "{stderr}");
    assert_eq!(std::fs::read_to_string(run.path().join("letter.db")).unwrap(), "Dear Ada");
    let (code, _) = said(&["crawl", &seed, "--store", "a.db", "--gap", "0s"]);
    assert_eq!(code, Some(0));
    let (code, stderr) = said(&["crawl", &seed, "--store", "a.db", "--plan", "news"]);
    assert!(code == Some(2) && stderr.contains("--fresh"), "{stderr}");
    let (code, _) =
        said(&["crawl", &seed, "--store", "a.db", "--plan", "news", "--fresh", "--gap", "0s"]);
    assert_eq!(code, Some(0));
}

/// A strategy that lacks what it goes by is a mistake, not another strategy.
#[test]
fn strategies_need_what_they_go_by() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let seed = server.url("/site/3/0");
    let wrong = [
        (&["--strategy", "plan"][..], "--plan university, shop, news, or a file"),
        (&["--strategy", "plan", "--keyword", "staff"], "--plan university"),
        (&["--strategy", "best-first"], "--keyword WORDS"),
        (&["--strategy", "best-first", "--plan", "shop"], "--keyword WORDS"),
        (&["--strategy", "breadth", "--plan", "shop"], "leave them out"),
        (&["--strategy", "breadth", "--keyword", "staff"], "leave them out"),
        (&["--plan", "shop", "--keyword", "staff"], "cannot be used with"),
        (&["--strategy", "depth"], "best-first"),
    ];
    let base = ["crawl", &seed, "--store", "a.db", "--gap", "0s"];
    for (flags, said) in wrong {
        let outcome = run.run(&[&base[..], flags].concat());
        assert!(outcome.code == Some(2) && outcome.stderr.contains(said), "{}", outcome.stderr);
    }
    assert_eq!(server.n_hits("/"), 0);
    let right = [
        &["--strategy", "plan", "--plan", "shop"][..],
        &["--strategy", "best-first", "--keyword", "staff"],
        &["--strategy", "breadth"],
    ];
    for flags in right {
        assert_eq!(run.run(&[&base[..], flags, &["--fresh"]].concat()).code, Some(0));
    }
}

#[test]
fn a_folder_that_is_named_is_crawled() {
    let index: &[u8] = b"<p>Home<a href=a.html>a</a><a href=../b.html>b</a>";
    let files = [("site/index.html", index), ("site/a.html", b"<p>First"), ("b.html", b"<p>No")];
    let run = Run::with(&files);
    let seed = format!("file://{}/site/index.html", run.path().canonicalize().unwrap().display());
    let outcome = run.run(&["crawl", &seed, "--store", "a.db"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let found = pages(&run, "a.db");
    assert!(found.len() == 2 && found.iter().all(|page| page.contains("/site/")), "{found:?}");
}

/// What a store has is thrown away with --fresh, and only then; what is no store is not.
#[test]
fn a_store_is_started_over_when_asked_for() {
    let server = Server::start().unwrap();
    let run = Run::with(&[("letter.db", b"Dear Ada")]);
    let (one, two) = (server.url("/site/7/0"), server.url("/site/5/0"));
    assert!(crawl(&run, &one, "a.db").status().unwrap().success());
    assert!(crawl(&run, &two, "a.db").status().unwrap().success());
    assert_eq!(pages(&run, "a.db").len(), 12);
    assert!(crawl(&run, &two, "a.db").arg("--fresh").status().unwrap().success());
    assert_eq!(pages(&run, "a.db").len(), 5);
    assert!(!crawl(&run, &two, "letter.db").arg("--fresh").status().unwrap().success());
    assert_eq!(run.read("letter.db"), "Dear Ada");
}
