//! `pagemill status`: how far a crawl is.

use super::crawl::flags::duration;
use crate::exit::Exit;
use crate::output::safe::safe;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::crawl::{Counts, SharedStore, Store, StoreError};
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Show how far a crawl is, also while it runs
#[derive(Debug, Args)]
pub(super) struct Flags {
    /// The store of the crawl
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// Print JSON, also on a terminal
    #[arg(long)]
    json: bool,

    /// Show it again and again, each TIME (1s if none is given), until the crawl ends
    #[arg(long, value_name = "TIME", num_args = 0..=1, default_missing_value = "1s", value_parser = duration)]
    watch: Option<Duration>,
}

/// How far it is at a moment.
struct Status {
    counts: Counts,
    /// Whether it runs, and by which process if that is known.
    writer: Option<Option<u32>>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let is_json = flags.json || !io::stdout().is_terminal();
    let mut out = io::stdout().lock();
    let mut n_lines = 0;
    loop {
        let status = match status(flags) {
            Ok(status) => status,
            Err(error) => {
                talk::say(&error);
                return Ok(Exit::SomeFailed);
            }
        };
        let text = if is_json { format!("{}\n", as_json(&status)) } else { as_text(&status) };
        // What was shown before is shown over.
        let back =
            if is_json || n_lines == 0 { String::new() } else { format!("\x1b[{n_lines}A\x1b[J") };
        n_lines = text.lines().count();
        write!(out, "{back}{text}").and_then(|()| out.flush()).context(CANNOT_WRITE)?;
        match flags.watch.filter(|_| status.writer.is_some()) {
            Some(pause) => std::thread::sleep(pause),
            None => {
                let n_pages = usize::try_from(status.counts.pages).unwrap_or(usize::MAX);
                return Ok(Exit::of(n_pages, 0));
            }
        }
    }
}

/// Who writes is asked first: what was counted after a crawl's end is all of it.
fn status(flags: &Flags) -> Result<Status, StoreError> {
    if let Some(url) = flags.store.to_str().filter(|name| SharedStore::is_named(name)) {
        let mut store = SharedStore::read(url)?;
        let is_running = store.n_workers()? > 0;
        return Ok(Status { counts: store.counts()?, writer: is_running.then_some(None) });
    }
    let store = Store::read(&flags.store)?;
    let writer = store.writer();
    Ok(Status { counts: store.counts()?, writer })
}

fn as_json(status: &Status) -> serde_json::Value {
    let counts = &status.counts;
    let map = |all: &[(String, u64)]| -> serde_json::Map<String, serde_json::Value> {
        all.iter().map(|(name, n)| (name.clone(), json!(n))).collect()
    };
    json!({
        "is_running": status.writer.is_some(),
        "process": status.writer.flatten(),
        "pages": counts.pages,
        "pages_per_second": rate(counts),
        "bytes": counts.bytes,
        "alike": counts.alike,
        "waiting": counts.waiting,
        "hosts_waiting": counts.hosts_waiting,
        "fetches": counts.fetches,
        "kinds": map(&counts.kinds),
        "failed": map(&counts.failed),
        "refused": map(&counts.refused),
        "hosts": map(&counts.hosts),
    })
}

/// Of the last minute, to a tenth.
fn rate(counts: &Counts) -> f64 {
    (counts.recent as f64 / 6.0).round() / 10.0
}

fn as_text(status: &Status) -> String {
    let counts = &status.counts;
    let megabytes = counts.bytes as f64 / 1e6;
    let state = match status.writer {
        Some(Some(pid)) => format!("running (process {pid}), {} pages a second", rate(counts)),
        Some(None) => format!("running, {} pages a second", rate(counts)),
        None if counts.waiting > 0 => "not running; the same command goes on".to_owned(),
        None => "done".to_owned(),
    };
    let mut text = format!(
        "{:>9}  pages, {megabytes:.1} MB; {} nearly the same as another\n\
         {:>9}  addresses of {} hosts wait\n\
         {:>9}  questions were asked\n\
         {:>9}  {state}\n",
        counts.pages, counts.alike, counts.waiting, counts.hosts_waiting, counts.fetches, ""
    );
    let lists = [
        ("pages by kind", &counts.kinds),
        ("no page to be had", &counts.failed),
        ("not asked for", &counts.refused),
        ("pages by host", &counts.hosts),
    ];
    for (title, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        text.push_str(&format!("\n{title}\n"));
        for (name, n) in list.iter() {
            text.push_str(&format!("{n:>9}  {}\n", safe(name)));
        }
    }
    text
}
