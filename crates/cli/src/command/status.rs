//! `pagemill status`: how far a crawl is.

use crate::exit::Exit;
use crate::output::safe::safe;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::crawl::{Counts, Store};
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Show how far a crawl is, also while it runs
#[derive(Debug, Args)]
pub(super) struct Flags {
    /// The store of the crawl
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// Print JSON, also on a terminal
    #[arg(long)]
    json: bool,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let counts = match Store::read(&flags.store).and_then(|store| store.counts()) {
        Ok(counts) => counts,
        Err(error) => {
            talk::say(&error);
            return Ok(Exit::SomeFailed);
        }
    };
    let mut out = io::stdout().lock();
    let written = match flags.json || !io::stdout().is_terminal() {
        true => writeln!(out, "{}", as_json(&counts)),
        false => show(&counts, &mut out),
    };
    written.context(CANNOT_WRITE)?;
    Ok(Exit::of(usize::try_from(counts.pages).unwrap_or(usize::MAX), 0))
}

fn as_json(counts: &Counts) -> serde_json::Value {
    let map = |all: &[(String, u64)]| -> serde_json::Map<String, serde_json::Value> {
        all.iter().map(|(name, n)| (name.clone(), json!(n))).collect()
    };
    json!({
        "pages": counts.pages,
        "bytes": counts.bytes,
        "alike": counts.alike,
        "waiting": counts.waiting,
        "fetches": counts.fetches,
        "kinds": map(&counts.kinds),
        "failed": map(&counts.failed),
        "refused": map(&counts.refused),
        "hosts": map(&counts.hosts),
    })
}

fn show(counts: &Counts, out: &mut impl Write) -> io::Result<()> {
    let megabytes = counts.bytes as f64 / 1e6;
    writeln!(
        out,
        "{:>9}  pages, {megabytes:.1} MB; {} nearly the same as another",
        counts.pages, counts.alike
    )?;
    writeln!(out, "{:>9}  addresses wait", counts.waiting)?;
    writeln!(out, "{:>9}  questions were asked", counts.fetches)?;
    let lists = [
        ("pages by kind", &counts.kinds),
        ("no page to be had", &counts.failed),
        ("not asked for", &counts.refused),
        ("pages by host", &counts.hosts),
    ];
    for (title, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        writeln!(out, "\n{title}")?;
        for (name, n) in list.iter() {
            writeln!(out, "{n:>9}  {}", safe(name))?;
        }
    }
    Ok(())
}
