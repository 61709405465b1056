//! How much memory extraction takes, whatever the number of pages.
//!
//! `cargo xtask bench memory` makes an archive of 100,000 pages in a folder for temporary files, runs the program on it for
//! each format and asks the system for the most memory that it had resident at any moment. Fails above a limit.

#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up has failed")]

#[path = "../tests/crawl.rs"]
mod crawl;
#[path = "../tests/harness.rs"]
#[allow(dead_code, reason = "made for tests, which need more of it")]
mod harness;

use harness::Run;
use std::fs;
use std::process::{ExitCode, Stdio};
use std::time::Instant;
use wait4::Wait4;

const N_PAGES: usize = 100_000;
const MAX_MB: f64 = 300.0;

fn main() -> ExitCode {
    let run = Run::with(&[]);
    let archive = run.path().join("shop.warc.gz");
    crawl::write(&archive, N_PAGES).unwrap();
    let size = fs::metadata(&archive).unwrap().len() as f64 / 1e6;
    run.run(&["learn", &crawl::books(), "-o", "shop.json"]);
    println!("an archive of {N_PAGES} pages, {size:.0} MB packed; limit {MAX_MB} MB of memory");
    println!("{:12} {:>8} {:>10} {:>8}", "", "peak MB", "file MB", "seconds");
    let mut has_failed = false;
    for output in ["a.jsonl", "a.csv", "a.parquet", "a.db", "a.jsonl.gz"] {
        let start = Instant::now();
        let mut command = run.command(&["extract", "shop.json", "shop.warc.gz", "-o", output]);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let used = child.wait4().unwrap();
        let (peak, seconds) = (used.rusage.maxrss as f64 / 1e6, start.elapsed().as_secs_f64());
        let is_ok = used.status.success() && peak <= MAX_MB;
        has_failed |= !is_ok;
        let path = run.path().join(output);
        let size = fs::metadata(&path).map_or(0.0, |file| file.len() as f64 / 1e6);
        let verdict = if is_ok { "ok" } else { "FAIL" };
        println!("{output:12} {peak:>8.0} {size:>10.0} {seconds:>8.0} {verdict}");
        let _ = fs::remove_file(path);
    }
    ExitCode::from(u8::from(has_failed))
}
