//! What a suite has the binary do with the pages of a site, and what is made of the result.

use super::program::pagemill;
use super::report::Row;
use super::score::{Part, Verdict, score};
use super::sites::{Site, name};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is done with a site.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    /// Learn from all its pages; the data of the same pages counts.
    Learn,
    /// Learn from a tenth at most, chosen by training; the others count.
    LearnFromFew,
    /// Learn from all pages but one, and extract that one; for each page.
    LeaveOneOut,
    /// Learn from some pages, and extract from those of all other sites, none of which may fit.
    RefuseOthers,
}

/// What it takes to measure a site.
pub(crate) struct Bench<'a> {
    pub(crate) binary: PathBuf,
    pub(crate) referee: PathBuf,
    /// For the binary's output and the gold that it is scored by.
    pub(crate) folder: PathBuf,
    pub(crate) sites: &'a [Site],
}

/// One page of so many is learnt from at most, where few are.
const ONE_OF: usize = 10;
/// A wrapper that others' pages are tried on is learnt from so many.
const N_LEARNT: usize = 10;
/// So many pages of each other site are tried.
const N_TRIED: usize = 5;

/// A line of the binary's output, without the data.
#[derive(Deserialize)]
struct Line {
    page: String,
    status: String,
}

impl Line {
    fn is_verified(&self) -> bool {
        self.status == "verified"
    }
}

impl Bench<'_> {
    /// A site that fails is a row like others, with the reason.
    pub(crate) fn row(&self, task: Task, site: &Site) -> Row {
        let mut row = Row::new(&site.name, site.pages.len());
        let filled = match task {
            Task::Learn => self.learn(site, &mut row),
            Task::LearnFromFew => self.learn_from_few(site, &mut row),
            Task::LeaveOneOut => self.leave_one_out(site, &mut row),
            Task::RefuseOthers => self.refuse_others(site, &mut row),
        };
        if let Err(error) = filled {
            row.verdict = Verdict::default();
            row.error = Some(format!("{error:#}"));
        }
        row
    }

    fn learn(&self, site: &Site, row: &mut Row) -> Result<()> {
        let output = self.file(site, "jsonl");
        let run = pagemill(&self.binary, |command| {
            command.args(["learn", "--all", "--data"]).arg(&output).args(&site.pages);
        })?;
        row.set_times(run.wall, run.cpu);
        run.success()?;
        row.verdict = score(&self.referee, &site.write_gold(&self.folder, |_| true)?, &output)?;
        Ok(())
    }

    fn learn_from_few(&self, site: &Site, row: &mut Row) -> Result<()> {
        let output = self.file(site, "jsonl");
        let max_pages = (site.pages.len() / ONE_OF).max(1).to_string();
        let run = pagemill(&self.binary, |command| {
            command.args(["learn", "--explain", "--max-pages", &max_pages, "--data"]).arg(&output);
            command.args(&site.pages);
        })?;
        row.set_times(run.wall, run.cpu);
        let taken = taken(run.said());
        run.success()?;
        let is_other = |page: &str| !taken.iter().any(|taken| taken == page);
        let gold = site.write_gold(&self.folder, is_other)?;
        row.verdict = score(&self.referee, &gold, &output)?;
        let lines = lines(&output)?;
        let others: Vec<&Line> =
            lines.iter().filter(|line| is_other(&name(Path::new(&line.page)))).collect();
        let n_verified = others.iter().filter(|line| line.is_verified()).count();
        let parts = &mut row.verdict.parts;
        parts.insert("verified".to_owned(), Part::share(n_verified, others.len()));
        parts.insert("spared".to_owned(), Part::share(others.len(), lines.len()));
        Ok(())
    }

    fn leave_one_out(&self, site: &Site, row: &mut Row) -> Result<()> {
        let mut verdicts = Vec::new();
        let (mut wall, mut cpu, mut n_verified) = (Duration::ZERO, Duration::ZERO, 0);
        for page in &site.pages {
            let (wrapper, output) = (self.file(site, "json"), self.file(site, "jsonl"));
            let others = site.pages.iter().filter(|other| *other != page);
            let run = pagemill(&self.binary, |command| {
                command.args(["learn", "--all", "-o"]).arg(&wrapper).args(others);
            })?;
            wall += run.wall;
            cpu += run.cpu;
            run.success()?;
            self.extract(&wrapper, &[page], &output)?;
            // By itself, because each page has another wrapper, with other names.
            let gold = site.write_gold(&self.folder, |other| other == name(page))?;
            verdicts.push(score(&self.referee, &gold, &output)?);
            n_verified += lines(&output)?.iter().filter(|line| line.is_verified()).count();
        }
        row.set_times(wall, cpu);
        row.verdict = Verdict::mean(&verdicts);
        let verified = Part::share(n_verified, site.pages.len());
        row.verdict.parts.insert("verified".to_owned(), verified);
        Ok(())
    }

    /// The score is 1, or 0 if any page fits.
    fn refuse_others(&self, site: &Site, row: &mut Row) -> Result<()> {
        let (wrapper, output) = (self.file(site, "json"), self.file(site, "jsonl"));
        let run = pagemill(&self.binary, |command| {
            command.args(["learn", "-o"]).arg(&wrapper).args(some(&site.pages, N_LEARNT));
        })?;
        run.success()?;
        let others = self.sites.iter().filter(|other| other.name != site.name);
        let pages: Vec<&PathBuf> = others.flat_map(|other| some(&other.pages, N_TRIED)).collect();
        self.extract(&wrapper, &pages, &output)?;
        let lines = lines(&output)?;
        let verified = lines.iter().find(|line| line.is_verified());
        row.pages = lines.len();
        row.verdict.score = if verified.is_none() { 1.0 } else { 0.0 };
        // Not an error, because the run went well; but the place to say which page it was.
        row.error = verified.map(|line| format!("{} is verified", line.page));
        Ok(())
    }

    fn extract(&self, wrapper: &Path, pages: &[&PathBuf], output: &Path) -> Result<()> {
        let run = pagemill(&self.binary, |command| {
            command.arg("extract").arg(wrapper).args(pages).arg("-o").arg(output);
        })?;
        run.tolerated()
    }

    fn file(&self, site: &Site, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", site.name))
    }
}

/// So many pages, evenly spread.
fn some(pages: &[PathBuf], n: usize) -> impl Iterator<Item = &PathBuf> {
    pages.iter().step_by((pages.len() / n).max(1)).take(n)
}

/// The names of the pages that `learn --explain` says it learnt from; all were, if it says nothing.
fn taken(said: &str) -> Vec<String> {
    let pages = said.lines().filter_map(|line| line.strip_prefix("pagemill: learnt from \""));
    pages.map(|page| name(Path::new(page.trim_end_matches('"')))).collect()
}

fn lines(output: &Path) -> Result<Vec<Line>> {
    let text = fs::read_to_string(output).with_context(|| format!("cannot read {output:?}"))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_learnt_from_are_known_by_name() {
        let said = "root: 3 classes\npagemill: learnt from \"a b/1.htm\"\npagemill: 9 columns learnt from 1 of 2";
        assert_eq!(taken(said), ["1.htm"]);
        assert!(taken("").is_empty());
    }

    #[test]
    fn some_pages_are_spread_over_all() {
        let pages: Vec<PathBuf> = (0..10).map(|n| PathBuf::from(n.to_string())).collect();
        let chosen: Vec<&PathBuf> = some(&pages, 5).collect();
        assert_eq!(chosen, [&pages[0], &pages[2], &pages[4], &pages[6], &pages[8]]);
        assert_eq!(some(&pages, 20).count(), 10);
    }
}
