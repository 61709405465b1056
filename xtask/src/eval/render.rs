//! `cargo xtask eval render`: does the renderer get through the web, and does it see what a browser sees?
//!
//! The work is done by an example of the renderer's crate: its engine takes minutes to build, and other tasks do not need
//! it. Being a process of its own, it may die, and that is told. It comes to two suites: `render` is about every page, `browser` about
//! some pages beside a browser, if there is one. Floors leave room for a page or two; that no page ends the engine does not.

use super::Flags;
use super::report::{Results, Row};
use super::score::{Part, Verdict};
use super::sites::{self, Site};
use crate::shell::{root, run as shell};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What the suites are called.
pub(crate) const SUITE: &str = "render";
const BROWSER: &str = "browser";
/// How well the order of leaves agrees with a browser's is bounded by this, and not by what was measured when floors were pinned:
/// browsers and fonts differ from machine to machine.
const AGREED: f64 = 0.95;

/// What the survey found.
#[derive(Deserialize)]
struct Survey {
    sets: Vec<Set>,
    /// None without a browser.
    compared: Option<Vec<Compared>>,
}

#[derive(Deserialize)]
struct Set {
    name: String,
    pages: usize,
    /// Pages that have leaves.
    shown: usize,
    /// Of these, those whose leaves have places.
    boxes: usize,
    /// Pages that the engine gave up, by a panic above all.
    failed: usize,
    /// Pages that it did not finish in time.
    late: usize,
    ms: f64,
}

#[derive(Deserialize)]
struct Compared {
    page: String,
    order: f64,
}

pub(crate) fn run(flags: &Flags, data: &Path) -> Result<()> {
    ensure!(
        flags.whole_suite() || !flags.pin,
        "floors are about the whole suite: --pin goes with neither SITE nor --pages"
    );
    let sets = sites::find_pages(&data.join("news"), &flags.sites, flags.pages)?;
    let digest = sites::digest(&sets)?;
    let survey = build()?;
    let started = Instant::now();
    let found = survey_of(&survey, &sets, flags)?;
    let seconds = started.elapsed().as_secs_f64();
    let unbroken = all_unbroken(&found.sets);
    let rows = found.sets.into_iter().map(Set::row).collect();
    let results = Results::new(SUITE, digest.clone(), &["boxes"], rows, seconds);
    print!("{}", results.table(&["boxes"], false));
    if let Some(file) = &flags.json {
        results.write(file)?;
    }
    unbroken?;
    super::judge(flags, &results)?;
    let Some(compared) = found.compared else {
        println!("no browser on the PATH: nothing to compare with");
        return Ok(());
    };
    let rows = compared.into_iter().map(Compared::row).collect();
    let mut results = Results::new(BROWSER, digest, &["order"], rows, seconds);
    if flags.pin {
        results.means.values_mut().for_each(|mean| *mean = mean.min(AGREED));
    }
    super::judge(flags, &results)
}

/// An error if there is a page that the engine gave up or did not finish in time.
fn all_unbroken(sets: &[Set]) -> Result<()> {
    let n_failed: usize = sets.iter().map(|set| set.failed).sum();
    let n_late: usize = sets.iter().map(|set| set.late).sum();
    ensure!(
        n_failed == 0 && n_late == 0,
        "the engine failed on {n_failed} pages and took too long for {n_late}; `cargo xtask eval render -v` names them"
    );
    Ok(())
}

/// The program, built as tests are, so that what they have built is used: with other targets Cargo turns other features on,
/// and the engine would be built again.
fn build() -> Result<PathBuf> {
    shell("cargo", &["test", "--workspace", "--all-features", "--no-run", "--quiet"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    Ok(root().join(target).join("debug/examples/survey"))
}

fn survey_of(program: &Path, sets: &[Site], flags: &Flags) -> Result<Survey> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (figures, said) = (folder.path().join("figures.json"), folder.path().join("said"));
    let mut command = Command::new(program);
    command.args(sets.iter().map(Site::folder)).arg("--figures").arg(&figures);
    command.args(flags.pages.map(|n_pages| format!("--pages={n_pages}")));
    command.args(flags.jobs.map(|n_jobs| format!("--jobs={n_jobs}")));
    command.args(flags.verbose.then_some("--verbose"));
    // In builds with checks the engine says much there.
    let status = command.stderr(File::create(&said)?).status();
    let status = status.with_context(|| format!("cannot run {program:?}"))?;
    if !status.success() {
        let said = fs::read(&said).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let last: Vec<&str> = said.lines().rev().take(5).collect();
        last.iter().rev().for_each(|line| eprintln!("{line}"));
    }
    ensure!(status.success(), "the renderer came to an early end: {status}");
    let text = fs::read_to_string(&figures).context("the survey gave no figures")?;
    serde_json::from_str(&text).context("the figures of the survey cannot be read")
}

impl Set {
    fn row(self) -> Row {
        let boxes = Part::share(self.boxes, self.shown);
        let mut row = Row::new(&self.name, self.pages);
        row.wall_ms = self.ms;
        row.cpu_ms = self.ms;
        let score = boxes.f1;
        row.verdict = Verdict { score, parts: BTreeMap::from([("boxes".to_owned(), boxes)]) };
        row
    }
}

impl Compared {
    fn row(self) -> Row {
        let order =
            Part { precision: self.order, recall: self.order, f1: self.order, column: None };
        let mut row = Row::new(&self.page, 1);
        let parts = BTreeMap::from([("order".to_owned(), order)]);
        row.verdict = Verdict { score: self.order, parts };
        row
    }
}

#[cfg(test)]
mod tests {
    use super::{Set, all_unbroken};

    fn set(failed: usize, late: usize) -> Set {
        let name = "news".to_owned();
        Set { name, pages: 9_999, shown: 9_999, boxes: 9_999, failed, late, ms: 1.0 }
    }

    #[test]
    fn one_page_that_ends_the_engine_is_one_too_many() {
        all_unbroken(&[set(0, 0), set(0, 0)]).unwrap();
        let error = |sets: &[Set]| all_unbroken(sets).unwrap_err().to_string();
        assert!(error(&[set(0, 0), set(1, 0)]).contains("failed on 1 pages"));
        assert!(error(&[set(0, 1), set(0, 1)]).contains("took too long for 2"));
    }
}
