//! What a crawl takes that meets hostile servers: time and memory have bounds, each by itself and all together.

use crate::harness::Run;
use crate::server::Server;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No hostile server may cost more than this beside what a crawl takes anyway.
const MAX_BYTES: u64 = 64 << 20;
/// As told on the command line.
const TIMEOUT: Duration = Duration::from_secs(5);
/// For starting, robots.txt, redirects, and for other tests that run at the same time.
const SLACK: Duration = Duration::from_secs(15);

const CASES: [&str; 32] = [
    "/endless",
    "/endless/head",
    "/endless/field",
    "/bomb/gzip/64",
    "/bomb/deflate/64",
    "/bomb/br",
    "/bomb/zstd/64",
    "/slow/head",
    "/slow/body",
    "/hang",
    "/close",
    "/garbage",
    "/length/long",
    "/length/short",
    "/length/two",
    "/chunked/broken",
    "/chunked/huge",
    "/chunked/cut",
    "/redirect/loop",
    "/redirect/grow",
    "/deep",
    "/binary",
    // Within all limits, and made to cost.
    "/heavy/links/7",
    "/heavy/leaves/7",
    "/heavy/deep/7",
    "/heavy/attributes/7",
    "/heavy/words/7",
    // Traps.
    "/calendar/2024/3",
    "/grow/",
    "/session/1",
    "/facets?a=1",
    "/sitemap.xml",
];

/// A crawl of some seeds, whose names only the server knows.
fn start(run: &Run, server: &Server, store: &str, seeds: &[String]) -> Child {
    let flags = ["--store", store, "--gap", "0s", "--tries", "1", "--timeout", "5s"];
    let mut args: Vec<&str> = vec!["crawl"];
    args.extend(seeds.iter().map(String::as_str));
    args.extend(flags);
    args.extend(["--max-pages", "300"]);
    let mut command = run.command(&args);
    command.env("HTTP_PROXY", server.url("")).env_remove("NO_PROXY").env_remove("no_proxy");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The most memory that it had, in bytes. The system's own count on its end would start with what the tests have.
fn peak(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let ended = child.try_wait().unwrap();
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let told = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = told.and_then(|told| told.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) << 10);
        if let Some(status) = ended {
            assert!(status.code().is_some_and(|code| code != 2), "{status:?}");
            assert!(peak > 0);
            return peak;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn megabytes(bytes: u64) -> u64 {
    bytes >> 20
}

/// What a crawl of a few plain pages takes.
fn plain(run: &Run, server: &Server) -> u64 {
    peak(start(run, server, "plain.db", &["http://plain.example/site/20/0".to_owned()]))
}

#[test]
fn each_hostile_case_takes_little() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let plain = plain(&run, &server);
    // Four at a time: they wait for their deadlines, most of all.
    for (group, cases) in CASES.chunks(4).enumerate() {
        let begun = Instant::now();
        let children = cases.iter().enumerate().map(|(nth, path)| {
            let store = format!("{group}-{nth}.db");
            (path, start(&run, &server, &store, &[format!("http://h{nth}.example{path}")]))
        });
        let watched = children.map(|(path, child)| (path, thread::spawn(move || peak(child))));
        for (path, watched) in watched.collect::<Vec<_>>() {
            let peak = watched.join().unwrap();
            println!(
                "{path}: {} MB beside {}",
                megabytes(peak.saturating_sub(plain)),
                megabytes(plain)
            );
            assert!(peak < plain + MAX_BYTES, "{path}: {} MB", megabytes(peak));
        }
        assert!(begun.elapsed() < TIMEOUT + SLACK, "{cases:?}: {:?}", begun.elapsed());
    }
}

/// Eighty hosts that do their worst at the same time take no more than three may.
#[test]
fn all_hostile_cases_together_take_little() {
    let server = Server::start().unwrap();
    let run = Run::with(&[]);
    let plain = plain(&run, &server);
    let seeds: Vec<String> = (0..3)
        .flat_map(|nth| CASES[..27].iter().map(move |path| (nth, path)))
        .map(|(nth, path)| format!("http://h{nth}{}.example{path}", path.replace('/', "-")))
        .collect();
    let peak = peak(start(&run, &server, "all.db", &seeds));
    println!("all: {} MB beside {}", megabytes(peak.saturating_sub(plain)), megabytes(plain));
    assert!(peak < plain + 3 * MAX_BYTES, "{} MB beside {}", megabytes(peak), megabytes(plain));
}
