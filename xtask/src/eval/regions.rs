//! `cargo xtask eval regions`: the record sets of single list pages, beside MDR.
//!
//! Each page is read by itself, and what the binary says the page is about is compared with its gold. MDR names all data regions of a
//! page and does not say which one matters: it is given the one with most text, and beside that the one that the gold likes
//! best, which is more than anyone could choose.

use super::program::pagemill;
use super::report::{Results, Row};
use super::score::{Verdict, score};
use super::sites::{self, Site, name};
use super::{Flags, in_parallel, mdr, program};
use anyhow::{Context, Result, ensure};
use pagemill::regions::{SetConfig, record_sets};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) const SUITE: &str = "regions";
pub(crate) const FOLDER: &str = "list";
const PARTS: [&str; 2] = ["records", "cells"];
/// How the records of a page are found.
#[derive(Clone, Copy)]
enum Way {
    /// What the binary says that the page is about.
    Main,
    /// The data region of MDR with most text.
    MdrMost,
    /// All data regions of MDR, of which the referee takes the best.
    MdrBest,
}

/// The engine's way first: the others are there to compare with.
const WAYS: [Way; 3] = [Way::Main, Way::MdrMost, Way::MdrBest];

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Main => "the page's main set",
            Way::MdrMost => "MDR, most text",
            Way::MdrBest => "MDR, best by the gold",
        }
    }
}

/// What it takes to measure a site.
struct Bench {
    binary: PathBuf,
    referee: PathBuf,
    folder: PathBuf,
}

/// What the engine is shown beside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    Mdr,
    /// For tests: the referee takes longer than the engine, and is asked for each page and way.
    Nothing,
}

pub(crate) fn run(flags: &Flags, beside: Beside, shared: &Path, data: &Path) -> Result<()> {
    ensure!(
        flags.whole_suite() || !flags.pin,
        "floors are about the whole suite: --pin goes with neither SITE nor --pages"
    );
    let sites = sites::find(&data.join(FOLDER), &flags.sites, flags.pages)?;
    let digest = sites::digest(&sites)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bench = Bench {
        binary: program::binary(flags.binary.as_deref())?,
        referee: shared.join("eval/score.py"),
        folder: folder.path().to_owned(),
    };
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let started = Instant::now();
    let rows = in_parallel(&sites, flags.jobs.unwrap_or(n_cores).max(1), |site| {
        let ways = if beside == Beside::Mdr { &WAYS[..] } else { &WAYS[..1] };
        ways.iter().map(|way| bench.row(*way, site)).collect::<Vec<Row>>()
    });
    let seconds = started.elapsed().as_secs_f64();
    let mut by_way: Vec<Vec<Row>> = Vec::new();
    for (nth, row) in rows.into_iter().flat_map(|of_site| of_site.into_iter().enumerate()) {
        by_way.resize_with(by_way.len().max(nth + 1), Vec::new);
        by_way[nth].push(row);
    }
    let results = by_way.into_iter();
    let results = results.map(|rows| Results::new(SUITE, digest.clone(), &PARTS, rows, seconds));
    let results: Vec<Results> = results.collect();
    print!("{}", results[0].table(&PARTS, flags.verbose));
    println!("\n{:<28}{:>9}{:>9}", "way", PARTS[0], PARTS[1]);
    for (way, results) in WAYS.iter().zip(&results) {
        let mean = |part: &str| results.means.get(part).copied().unwrap_or(0.0);
        println!("{:<28}{:>9.4}{:>9.4}", way.name(), mean(PARTS[0]), mean(PARTS[1]));
    }
    if let Some(file) = &flags.json {
        results[0].write(file)?;
    }
    super::judge(flags, &results[0])
}

/// What a way found on each page, by the page's name.
type Found = BTreeMap<String, Value>;

impl Bench {
    /// A site that fails is a row like others, with the reason.
    fn row(&self, way: Way, site: &Site) -> Row {
        let mut row = Row::new(&site.name, site.pages.len());
        let found = match way {
            Way::Main => self.ours(site, &mut row),
            Way::MdrMost => by_mdr(site, 1),
            Way::MdrBest => by_mdr(site, usize::MAX),
        };
        match found.and_then(|found| self.judge(site, &found)) {
            Ok(verdict) => row.verdict = verdict,
            Err(error) => row.error = Some(format!("{error:#}")),
        }
        row
    }

    /// The main set of each page, as the binary gives it.
    fn ours(&self, site: &Site, row: &mut Row) -> Result<Found> {
        let run = pagemill(&self.binary, |command| {
            command.args(["regions", "--kind", "records", "--json"]).args(&site.pages);
        })?;
        row.set_times(run.wall, run.cpu);
        let main = |line: &str| -> Result<(String, Value)> {
            let mut line: Value = serde_json::from_str(line)?;
            let page = line["page"].as_str().context("a line names no page")?;
            Ok((name(Path::new(page)), json!({ "main": line["data"]["main"]["records"].take() })))
        };
        run.success()?.lines().map(main).collect()
    }

    /// The mean over the pages, each by itself: as each has columns of its own, so it has names of its own.
    fn judge(&self, site: &Site, found: &Found) -> Result<Verdict> {
        let mut verdicts = Vec::new();
        for page in &site.pages {
            let page = name(page);
            let gold = site.write_gold(&self.folder, |other| other == page)?;
            let output = gold.join("found.jsonl");
            let data = found.get(&page).unwrap_or(&Value::Null);
            fs::write(&output, json!({ "page": page, "data": data }).to_string())?;
            verdicts.push(score(&self.referee, &gold, &output)?);
        }
        Ok(Verdict::mean(&verdicts))
    }
}

/// The regions of each page, up to so many, those with most text first.
fn by_mdr(site: &Site, n_regions: usize) -> Result<Found> {
    let of_page = |path: &PathBuf| -> Result<(String, Value)> {
        let page = page::parse(&fs::read(path)?);
        let sets = mdr::record_sets(&page, &page.leaves()).into_iter().take(n_regions).enumerate();
        let numbered: Map<String, Value> =
            sets.map(|(nth, it)| (nth.to_string(), json!(it))).collect();
        Ok((name(path), Value::Object(numbered)))
    };
    site.pages.iter().map(of_page).collect()
}

/// F1 over the records of main sets by some configuration, the mean over sites; the pages of a site are judged together.
pub(crate) fn records_by(sites: &[Site], shared: &Path, config: &SetConfig) -> Result<f64> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let referee = shared.join("eval/score.py");
    let of_site = |site: &Site| -> Result<f64> {
        let gold = site.write_gold(folder.path(), |_| true)?;
        let mut lines = String::new();
        for path in &site.pages {
            let page = page::parse(&fs::read(path)?);
            let sets = record_sets(&page, &page.leaves(), None, config);
            let main = sets.first().map(|set| &set.records);
            writeln!(lines, "{}", json!({ "page": name(path), "data": { "main": main } }))?;
        }
        let output = gold.join("found.jsonl");
        fs::write(&output, lines)?;
        let verdict = score(&referee, &gold, &output)?;
        Ok(verdict.parts.get(PARTS[0]).map_or(0.0, |part| part.f1))
    };
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let all = in_parallel(sites, n_cores, of_site).into_iter().collect::<Result<Vec<f64>>>()?;
    Ok(all.iter().sum::<f64>() / all.len().max(1) as f64)
}
