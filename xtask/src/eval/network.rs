//! `cargo xtask eval network`: from a recorded university's home page to the network of its units and people.
//!
//! The binary crawls the archive with the built-in plan and exports what came of it; the referee compares that with the gold.
//! Beside it: the same budget of fetches spent by best-first and by breadth.

use super::Flags;
use super::program::{self, pagemill};
use super::report::{Results, Row};
use super::score::{Verdict, score};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

pub(crate) const SUITE: &str = "network";
/// Fetches of a crawl.
const BUDGET: &str = "600";
const PARTS: [&str; 3] = ["units", "people", "titles"];

pub(crate) fn run(flags: &Flags, shared: &Path, data: &Path) -> Result<()> {
    let started = Instant::now();
    let binary = program::binary(flags.binary.as_deref())?;
    let referee = shared.join("eval/score.py");
    let site = data.join("uni/ucsd");
    println!("{:<12}{:>8}{:>8}{:>8}", "strategy", PARTS[0], PARTS[1], PARTS[2]);
    let mut row = Row::new("ucsd", 1);
    for strategy in ["breadth", "best-first", "plan"] {
        let verdict = measure(&binary, &referee, &site, strategy)?;
        let figure = |part: &str| verdict.parts.get(part).map_or(0.0, |it| it.f1);
        let [units, people, titles] = PARTS.map(figure);
        println!("{strategy:<12}{units:>8.3}{people:>8.3}{titles:>8.3}");
        row.verdict = verdict;
    }
    let archive = std::fs::metadata(site.join("site.warc.gz"))?.len();
    let seconds = started.elapsed().as_secs_f64();
    let results = Results::new(SUITE, format!("ucsd {archive} bytes"), &PARTS, vec![row], seconds);
    super::judge(flags, &results)
}

/// Crawl a recorded site by a strategy, export its network, and have it judged.
fn measure(binary: &Path, referee: &Path, site: &Path, strategy: &str) -> Result<Verdict> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let store = folder.path().join("u.db");
    let output = folder.path().join("network.jsonl");
    let gold: Value = serde_json::from_slice(&std::fs::read(site.join("gold.json"))?)?;
    let home = gold["home"].as_str().context("the gold names no home page")?;
    let how: &[&str] = match strategy {
        "plan" => &["--plan", "university"],
        "best-first" => &["--keyword", "faculty"],
        _ => &[],
    };
    let crawl = pagemill(binary, |command| {
        command.args(["crawl", home, "--max-pages", BUDGET, "--concurrency", "1"]).args(how);
        command.arg("--store").arg(&store).arg("--replay").arg(site.join("site.warc.gz"));
    })?;
    crawl.tolerated()?;
    // A crawl by a plan has done it.
    if strategy != "plan" {
        let gather = pagemill(binary, |command| {
            command.arg("network").arg(&store).args(["gather", "--plan", "university"]);
        })?;
        gather.success()?;
    }
    let export = pagemill(binary, |command| {
        command.arg("network").arg(&store).args(["export", "--format", "jsonl"]);
        command.arg("-o").arg(&output);
    })?;
    export.success()?;
    score(referee, site, &output)
}
