//! `cargo xtask eval people`: names of people on single pages of universities, by the referee.
//!
//! Each page is read by itself; nothing is learnt. Beside what the engine does stand the paper's own rule and its baseline, over the same
//! dictionary, so that what differs is the method.

use super::report::{Results, Row};
use super::score::{Part, Verdict, score};
use super::sites::{self, Site};
use super::{Flags, mdr};
use crate::shell::root;
use anyhow::{Context, Result};
use page::Page;
use pagemill::regions::{Config, Thresholds, people};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) const SUITE: &str = "people";
pub(crate) const FOLDER: &str = "uni/faculty-pages";

/// A page with the names that are on it.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) page: Page,
    bytes: Vec<u8>,
    pub(crate) wanted: Vec<String>,
}

/// What one page comes to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) right: usize,
    pub(crate) found: usize,
    pub(crate) wanted: usize,
}

pub(crate) fn run(flags: &Flags, shared: &Path, data: &Path) -> Result<()> {
    let started = Instant::now();
    let folder = data.join(FOLDER);
    let site = Site::read(&folder, usize::MAX)?;
    let digest = sites::digest(std::slice::from_ref(&site))?;
    let pages = read(&folder)?;
    let referee = shared.join("eval/score.py");
    let mut rows = Vec::new();
    for (way, names) in ways() {
        let found: Vec<Vec<String>> = pages.iter().map(|it| names(&it.page)).collect();
        let verdict = judged(&referee, &folder, &pages, &found)?;
        if rows.is_empty() {
            print!("{}", table(&pages, &found, flags.verbose));
            print!("{}", worst(&pages, &found)?);
            println!("\n{:<40} precision   recall       F1", "names");
        }
        let part = &verdict.parts["name"];
        println!("{way:<40} {:9.4} {:8.4} {:8.4}", part.precision, part.recall, part.f1);
        let mut row = Row::new(way, pages.len());
        row.verdict = verdict;
        rows.push(row);
    }
    tell_cost(&pages);
    let seconds = started.elapsed().as_secs_f64();
    let mut results = Results::new(SUITE, digest, &[], rows, seconds);
    let ours = results.rows.first().map_or(0.0, |row| row.verdict.score);
    results.means.insert("names".to_owned(), ours);
    if let Some(file) = &flags.json {
        results.write(file)?;
    }
    super::judge(flags, &results)
}

/// A way to find the names of people on a page.
type Names = Box<dyn Fn(&Page) -> Vec<String>>;

/// The engine's way first.
fn ways() -> Vec<(&'static str, Names)> {
    let alone = Thresholds { regularity: 0.0, ..Thresholds::default() };
    vec![
        ("graded", by(Config::default())),
        (
            "paper's rule: names of one path",
            by(Config { thresholds: Thresholds::paper(), ..Config::default() }),
        ),
        ("each text by itself", by(Config { thresholds: alone, ..Config::default() })),
        (
            "paper's repeating units and dictionary",
            Box::new(|page| mdr::people_by_units(page, &Config::default(), mdr::SIMILARITY)),
        ),
        (
            "MDR and dictionary",
            Box::new(|page| mdr::people(page, &Config::default(), mdr::SIMILARITY)),
        ),
    ]
}

/// People by some configuration.
pub(crate) fn by(config: Config) -> Names {
    Box::new(move |page| people(page, &config).into_iter().map(|person| person.name).collect())
}

/// All pages with their gold.
pub(crate) fn read(folder: &Path) -> Result<Vec<Listed>> {
    let gold = fs::read_to_string(folder.join("gold.jsonl"))?;
    let listed = |line: &str| -> Result<Listed> {
        let gold: Value = serde_json::from_str(line)?;
        let name = gold["page"].as_str().context("a page has no name")?.to_owned();
        let bytes = fs::read(folder.join("pages").join(&name))?;
        let names = gold["names"].as_array().into_iter().flatten();
        let wanted = names.filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(Listed { name, page: page::parse(&bytes), bytes, wanted })
    };
    gold.lines().filter(|line| !line.trim().is_empty()).map(listed).collect()
}

/// What the referee says.
fn judged(
    referee: &Path,
    folder: &Path,
    pages: &[Listed],
    found: &[Vec<String>],
) -> Result<Verdict> {
    let mut lines = String::new();
    for (page, names) in pages.iter().zip(found) {
        let people: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
        writeln!(lines, "{}", json!({ "page": page.name, "data": { "people": people } }))?;
    }
    let file = tempfile::NamedTempFile::new()?;
    fs::write(file.path(), lines)?;
    score(referee, folder, file.path())
}

/// The words of a name in any order, as the referee compares them.
fn key(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic()).filter(|it| !it.is_empty());
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words.join(" ")
}

impl Counts {
    pub(crate) fn of(wanted: &[String], found: &[String]) -> Counts {
        let keys =
            |names: &[String]| names.iter().map(|name| key(name)).collect::<BTreeSet<String>>();
        let (wanted, found) = (keys(wanted), keys(found));
        Counts {
            right: wanted.intersection(&found).count(),
            found: found.len(),
            wanted: wanted.len(),
        }
    }

    pub(crate) fn plus(self, other: Counts) -> Counts {
        Counts {
            right: self.right + other.right,
            found: self.found + other.found,
            wanted: self.wanted + other.wanted,
        }
    }

    pub(crate) fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.wanted).max(1) as f64
    }

    pub(crate) fn part(self) -> Part {
        let share = |of: usize| self.right as f64 / of.max(1) as f64;
        Part {
            precision: share(self.found),
            recall: share(self.wanted),
            f1: self.f1(),
            column: None,
        }
    }
}

/// Pages from best to worst; with what is missing and what is too much, where that is asked for.
fn table(pages: &[Listed], found: &[Vec<String>], verbose: bool) -> String {
    let mut rows: Vec<(&Listed, &Vec<String>, Counts)> = pages
        .iter()
        .zip(found)
        .map(|(page, names)| (page, names, Counts::of(&page.wanted, names)))
        .collect();
    rows.sort_by(|a, b| b.2.f1().total_cmp(&a.2.f1()).then(a.0.name.cmp(&b.0.name)));
    let mut table = format!("{:<16} names  found  right       F1\n", "page");
    for (page, names, counts) in rows {
        let Counts { right, found, wanted } = counts;
        let _ = writeln!(
            table,
            "{:<16} {wanted:5}  {found:5}  {right:5} {:8.3}",
            page.name,
            counts.f1()
        );
        if verbose {
            push_differences(&mut table, &page.wanted, names);
        }
    }
    table
}

/// What is said of pages that score less than this.
const POOR: f64 = 0.95;

/// The worst pages, with what was seen on them by those who looked.
fn worst(pages: &[Listed], found: &[Vec<String>]) -> Result<String> {
    let notes = fs::read_to_string(root().join("eval/people.toml")).context("no notes on pages")?;
    let notes: BTreeMap<String, String> = toml::from_str(&notes)?;
    let mut rows: Vec<(f64, &str)> = pages
        .iter()
        .zip(found)
        .map(|(page, names)| (Counts::of(&page.wanted, names).f1(), page.name.as_str()))
        .filter(|(f1, _)| *f1 < POOR)
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut text = String::from("\nthe worst, and why\n");
    for (f1, page) in rows {
        let note = notes.get(page).map_or("nobody has looked yet", String::as_str);
        writeln!(text, "{page:<10} {f1:.3}  {note}")?;
    }
    Ok(text)
}

fn push_differences(table: &mut String, wanted: &[String], found: &[String]) {
    let by_key =
        |names: &[String]| names.iter().map(|it| (key(it), it.clone())).collect::<BTreeMap<_, _>>();
    let (wanted, found) = (by_key(wanted), by_key(found));
    let without = |all: &BTreeMap<String, String>, others: &BTreeMap<String, String>| {
        all.iter()
            .filter(|(key, _)| !others.contains_key(*key))
            .map(|it| it.1.clone())
            .collect::<Vec<_>>()
    };
    for (sign, names) in [('-', without(&wanted, &found)), ('+', without(&found, &wanted))] {
        if !names.is_empty() {
            let _ = writeln!(table, "    {sign} {}", names.join("; "));
        }
    }
}

/// What people cost beside the bare parse of the same pages.
fn tell_cost(pages: &[Listed]) {
    const N_TIMES: usize = 5;
    let config = Config::default();
    let best = |work: &dyn Fn()| {
        let time = || {
            let started = Instant::now();
            work();
            started.elapsed()
        };
        (0..N_TIMES).map(|_| time()).min().unwrap_or(Duration::ZERO).as_secs_f64()
    };
    let parse = best(&|| pages.iter().for_each(|it| drop(page::parse(&it.bytes))));
    let whole =
        best(&|| pages.iter().for_each(|it| drop(people(&page::parse(&it.bytes), &config))));
    let per_page = |seconds: f64| seconds * 1e3 / pages.len().max(1) as f64;
    println!(
        "\na page takes {:.2} ms to parse, {:.2} ms to people: {:.1} times",
        per_page(parse),
        per_page(whole),
        whole / parse.max(1e-9)
    );
}
