//! Results of a suite of sites: as a table, as a file, and against others.

use super::score::Verdict;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Sites named when results are compared.
const N_NAMED: usize = 10;

/// The floor of the score is called so.
const MEAN: &str = "mean";

/// Smaller changes of a score are not told.
const SAME: f64 = 0.0005;

/// A run over a suite.
#[derive(Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) suite: String,
    /// The digest of the data.
    pub(crate) data: String,
    /// What floors are about: the mean score, or those of its parts.
    pub(crate) means: BTreeMap<String, f64>,
    /// How long the run took, scoring included.
    pub(crate) seconds: f64,
    /// By site name.
    pub(crate) rows: Vec<Row>,
}

/// What came out for one site.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) site: String,
    pub(crate) pages: usize,
    /// For a page.
    pub(crate) wall_ms: f64,
    /// For a page.
    pub(crate) cpu_ms: f64,
    /// All zero if there is an error.
    #[serde(flatten)]
    pub(crate) verdict: Verdict,
    /// Why there is no result.
    pub(crate) error: Option<String>,
}

impl Row {
    pub(crate) fn new(site: &str, pages: usize) -> Row {
        let verdict = Verdict::default();
        Row { site: site.to_owned(), pages, wall_ms: 0.0, cpu_ms: 0.0, verdict, error: None }
    }

    /// From the times for all pages.
    pub(crate) fn set_times(&mut self, wall: Duration, cpu: Duration) {
        let per_page = |time: Duration| time.as_secs_f64() * 1e3 / self.pages.max(1) as f64;
        (self.wall_ms, self.cpu_ms) = (per_page(wall), per_page(cpu));
    }

    /// A part of the verdict, or its score.
    fn part(&self, name: &str) -> f64 {
        if name == MEAN {
            return self.verdict.score;
        }
        self.verdict.parts.get(name).map_or(0.0, |part| part.f1)
    }
}

impl Results {
    pub(crate) fn new(
        suite: &str,
        data: String,
        parts: &[&str],
        rows: Vec<Row>,
        seconds: f64,
    ) -> Results {
        let means = parts
            .iter()
            .map(|part| (part.to_string(), mean(rows.iter().map(|row| row.part(part)))))
            .collect();
        Results { suite: suite.to_owned(), data, means, seconds, rows }
    }

    pub(crate) fn read(file: &Path) -> Result<Results> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {file:?}"))?;
        serde_json::from_str(&text).with_context(|| format!("{file:?} holds no saved results"))
    }

    pub(crate) fn write(&self, file: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {file:?}"))
    }

    /// The score of each site.
    pub(crate) fn scores(&self) -> BTreeMap<String, f64> {
        self.rows.iter().map(|row| (row.site.clone(), row.verdict.score)).collect()
    }

    /// Sites from best to worst, so that the worst stand beside the means; then means and times.
    pub(crate) fn table(&self, parts: &[&str], verbose: bool) -> String {
        let width = self.rows.iter().map(|row| row.site.len()).max().unwrap_or(0).max(24);
        let mut table = format!("{:width$}   score", "site");
        for part in shown(parts) {
            write_to(&mut table, format_args!(" {part:>8}"));
        }
        table.push_str("  ms/page   cpu ms\n");
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.verdict.score.total_cmp(&a.verdict.score).then(a.site.cmp(&b.site)));
        for row in rows {
            push_row(&mut table, row, width, parts);
            if verbose {
                push_parts(&mut table, row);
            }
        }
        self.push_summary(&mut table, parts);
        table
    }

    fn push_summary(&self, table: &mut String, parts: &[&str]) {
        let n_failed = self.rows.iter().filter(|row| row.error.is_some()).count();
        write_to(table, format_args!("{}: {} sites", self.suite, self.rows.len()));
        if n_failed > 0 {
            write_to(table, format_args!(", {n_failed} failed"));
        }
        write_to(table, format_args!(", score {:.4}", self.score()));
        for part in shown(parts) {
            let mean = self.means.get(*part).copied().unwrap_or(0.0);
            write_to(table, format_args!(", {part} {mean:.4}"));
        }
        let [wall, cpu] = self.ms_per_page();
        write_to(table, format_args!("\n{wall:.1} ms and {cpu:.1} ms of CPU a page"));
        write_to(table, format_args!(", {:.1} s in all with scoring\n", self.seconds));
    }

    fn score(&self) -> f64 {
        mean(self.rows.iter().map(|row| row.verdict.score))
    }

    /// Wall and CPU time, over all pages.
    fn ms_per_page(&self) -> [f64; 2] {
        let n_pages = self.rows.iter().map(|row| row.pages).sum::<usize>().max(1) as f64;
        let total = |ms: fn(&Row) -> f64| {
            self.rows.iter().map(|row| ms(row) * row.pages as f64).sum::<f64>() / n_pages
        };
        [total(|row| row.wall_ms), total(|row| row.cpu_ms)]
    }
}

/// What is shown beside the score.
fn shown<'a>(parts: &'a [&'a str]) -> impl Iterator<Item = &'a &'a str> {
    parts.iter().filter(|part| **part != MEAN)
}

fn push_row(table: &mut String, row: &Row, width: usize, parts: &[&str]) {
    write_to(table, format_args!("{:width$}  {:.4}", row.site, row.verdict.score));
    for part in shown(parts) {
        write_to(table, format_args!(" {:>8.4}", row.part(part)));
    }
    write_to(table, format_args!(" {:>8.1} {:>8.1}", row.wall_ms, row.cpu_ms));
    if let Some(error) = &row.error {
        write_to(table, format_args!("  {error}"));
    }
    table.push('\n');
}

fn push_parts(table: &mut String, row: &Row) {
    for (name, part) in &row.verdict.parts {
        let column = part.column.as_deref().unwrap_or("");
        let (precision, recall, f1) = (part.precision, part.recall, part.f1);
        let line = format!("  {name:20} P {precision:.3}  R {recall:.3}  F1 {f1:.3}  {column}");
        table.push_str(line.trim_end());
        table.push('\n');
    }
}

/// Which sites gained and lost most between two runs, and how the means moved.
pub(crate) fn diff(before: &Results, after: &Results) -> String {
    let mut text = format!("since {}:\n", before.data);
    let (was, is) = (before.scores(), after.scores());
    let mut changes = changes(&was, &is);
    push_changes(&mut text, "lost", changes.iter().filter(|change| change.by() < 0.0));
    changes.reverse();
    push_changes(&mut text, "gained", changes.iter().filter(|change| change.by() > 0.0));
    push_common(&mut text, &was, &is);
    // Means over different sites would look like a change of the engine.
    if was.keys().eq(is.keys()) {
        for (name, value) in &after.means {
            push_move(&mut text, name, before.means.get(name).copied().unwrap_or(0.0), *value);
        }
    }
    let [wall_was, wall_is] = [before, after].map(|results| results.ms_per_page()[0]);
    write_to(&mut text, format_args!("ms/page {wall_was:.1} -> {wall_is:.1}\n"));
    text
}

/// The mean score over the sites that both have.
fn push_common(text: &mut String, before: &BTreeMap<String, f64>, after: &BTreeMap<String, f64>) {
    let both: Vec<&String> = before.keys().filter(|site| after.contains_key(*site)).collect();
    let score = |scores: &BTreeMap<String, f64>| mean(both.iter().map(|site| scores[*site]));
    push_move(text, &format!("score over {} sites", both.len()), score(before), score(after));
}

fn push_move(text: &mut String, name: &str, was: f64, is: f64) {
    write_to(text, format_args!("{name} {was:.4} -> {is:.4} ({:+.4})\n", is - was));
}

/// The sites that fell most below what is pinned for them; nothing if none did.
pub(crate) fn losses(pinned: &BTreeMap<String, f64>, now: &BTreeMap<String, f64>) -> String {
    let mut text = String::new();
    let changes = changes(pinned, now);
    push_changes(&mut text, "lost", changes.iter().filter(|change| change.by() < 0.0));
    if text.is_empty() { text } else { format!("since the floors were pinned:\n{text}") }
}

struct Change<'a> {
    site: &'a str,
    before: f64,
    after: f64,
}

impl Change<'_> {
    fn by(&self) -> f64 {
        self.after - self.before
    }
}

/// The sites in both whose score moved, the greatest loss first.
fn changes<'a>(
    before: &'a BTreeMap<String, f64>,
    after: &BTreeMap<String, f64>,
) -> Vec<Change<'a>> {
    let both = before.iter().filter_map(|(site, before)| {
        Some(Change { site, before: *before, after: *after.get(site)? })
    });
    let mut moved: Vec<Change> = both.filter(|change| change.by().abs() > SAME).collect();
    moved.sort_by(|a, b| a.by().total_cmp(&b.by()));
    moved
}

fn push_changes<'a>(text: &mut String, verb: &str, changes: impl Iterator<Item = &'a Change<'a>>) {
    let changes: Vec<_> = changes.collect();
    for change in changes.iter().take(N_NAMED) {
        let (site, before, after, by) = (change.site, change.before, change.after, change.by());
        write_to(text, format_args!("{verb:6} {by:+.4}  {site}: {before:.4} -> {after:.4}\n"));
    }
    if changes.len() > N_NAMED {
        write_to(text, format_args!("{verb:6} and {} more sites\n", changes.len() - N_NAMED));
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n_values = values.len().max(1) as f64;
    values.sum::<f64>() / n_values
}

fn write_to(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes any text");
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::eval::score::Part;

    /// A detail run with these scores.
    pub(crate) fn results(scores: &[(&str, f64)]) -> Results {
        let rows = scores.iter().map(|(site, score)| {
            let mut row = Row::new(site, 20);
            row.verdict.score = *score;
            row.set_times(Duration::from_millis(100), Duration::from_millis(150));
            row
        });
        Results::new("detail", "data".to_owned(), &[MEAN], rows.collect(), 2.0)
    }

    fn list_results() -> Results {
        let part = |f1, column: &str| Part {
            precision: 1.0,
            recall: 1.0,
            f1,
            column: Some(column.to_owned()),
        };
        let mut good = Row::new("good", 3);
        good.set_times(Duration::from_millis(30), Duration::from_millis(60));
        good.verdict.score = 0.75;
        good.verdict.parts.insert("records".to_owned(), part(1.0, "/rows[]"));
        good.verdict.parts.insert("cells".to_owned(), part(0.5, ""));
        let mut bad = Row::new("bad", 3);
        bad.error = Some("no template".to_owned());
        Results::new("list", "data".to_owned(), &["records", "cells"], vec![bad, good], 1.0)
    }

    #[test]
    fn table_has_the_worst_last_and_counts_failures_as_zero() {
        let table = list_results().table(&["records", "cells"], false);
        let expected = "\
site                       score  records    cells  ms/page   cpu ms
good                      0.7500   1.0000   0.5000     10.0     20.0
bad                       0.0000   0.0000   0.0000      0.0      0.0  no template
list: 2 sites, 1 failed, score 0.3750, records 0.5000, cells 0.2500
5.0 ms and 10.0 ms of CPU a page, 1.0 s in all with scoring
";
        assert_eq!(table, expected);
    }

    #[test]
    fn verbose_table_names_columns() {
        let table = list_results().table(&["records", "cells"], true);
        assert!(table.contains("  records              P 1.000  R 1.000  F1 1.000  /rows[]\n"));
        assert!(table.contains("  cells                P 1.000  R 1.000  F1 0.500\n"));
    }

    #[test]
    fn diff_names_losses_and_gains() {
        let before = results(&[("a", 0.5), ("b", 0.9), ("c", 0.7), ("gone", 1.0)]);
        let after = results(&[("a", 0.8), ("b", 0.6), ("c", 0.7001), ("new", 1.0)]);
        let expected = "\
since data:
lost   -0.3000  b: 0.9000 -> 0.6000
gained +0.3000  a: 0.5000 -> 0.8000
score over 3 sites 0.7000 -> 0.7000 (+0.0000)
ms/page 5.0 -> 5.0
";
        assert_eq!(diff(&before, &after), expected);
    }

    #[test]
    fn means_are_compared_over_the_same_sites_only() {
        let diff_with = |sites: &[(&str, f64)]| diff(&results(&[("a", 0.5)]), &results(sites));
        assert!(diff_with(&[("a", 0.75)]).contains("\nmean 0.5000 -> 0.7500 (+0.2500)\n"));
        assert!(!diff_with(&[("a", 0.75), ("b", 0.1)]).contains("mean"));
        assert!(diff_with(&[("b", 0.1)]).contains("score over 0 sites"));
    }

    #[test]
    fn losses_are_named_greatest_first() {
        let pinned = results(&[("a", 0.5), ("b", 0.9), ("c", 0.7)]).scores();
        let now = results(&[("a", 0.4), ("b", 0.6), ("c", 0.8)]).scores();
        let expected = "\
since the floors were pinned:
lost   -0.3000  b: 0.9000 -> 0.6000
lost   -0.1000  a: 0.5000 -> 0.4000
";
        assert_eq!(losses(&pinned, &now), expected);
        assert_eq!(losses(&now, &now), "");
    }

    #[test]
    fn saved_results_can_be_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        list_results().write(file.path()).unwrap();
        let read = Results::read(file.path()).unwrap();
        assert_eq!(read.table(&["records"], true), list_results().table(&["records"], true));
        assert!(Results::read(Path::new("no such file")).is_err());
    }
}
