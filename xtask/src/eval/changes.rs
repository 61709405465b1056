//! `cargo xtask eval changes`: what happens when a site changes.
//!
//! A wrapper is learnt from some pages of a site. The same pages are changed in known ways (`rewrite`), all alike: does
//! `check` notice what changes results, and does `repair` read the changed pages as the old wrapper read them before? The
//! same is asked of pages that were not learnt from. There, those that did not change show how often `check` is wrong, and
//! what is lost by learning again from other pages, whatever changes.

mod document;
mod rewrite;
mod values;

use super::floors::Pins;
use super::report::{Results, Row};
use super::score::{Part, Verdict};
use super::sites::{self, Site};
use super::{Flags, in_parallel};
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use document::Document;
use page::Page;
use rewrite::Kind;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;
use values::Values;
use wrapper::{
    Check, CheckConfig, Data, Extraction, Extractor, LearnConfig, Report, Status, Wrapper, learn,
    repair,
};

/// So many pages are learnt from, and so many others are changed.
const N_PAGES: usize = 12;
/// Of so many sites one is measured, unless sites are named: each is repaired after every change, which takes its time. All of them:
/// `cargo xtask eval changes auto book camera job nba`.
const SAMPLED: usize = 5;
/// Results of which less than this share differs have not changed.
const MIN_CHANGED: f64 = 0.02;
/// So many columns are told of which values are not restored.
const MAX_MISSED: usize = 4;
pub(crate) const SUITE: &str = "changes";

/// What came of one change to one site.
struct Outcome {
    kind: Kind,
    /// The share of values that the old wrapper reads from the changed pages no more.
    lost: f64,
    noticed: bool,
    /// Why `check` says that the pages have changed.
    reasons: Vec<String>,
    /// The share of values that the repaired wrapper reads from them.
    restored: f64,
    /// Columns by how many values of theirs are not restored, the worst first.
    missed: Vec<(String, usize)>,
    /// Whether the pages were not learnt from.
    are_others: bool,
}

pub(crate) fn run(flags: &Flags, folder: &Path) -> Result<()> {
    ensure!(
        flags.whole_suite() || !flags.pin,
        "floors are about the whole suite: --pin goes with neither SITE nor --pages"
    );
    let pins = Pins::read()?;
    let n_pages = flags.pages.unwrap_or(N_PAGES);
    let mut sites = sites::find(&folder.join("swde"), &flags.sites, Some(2 * n_pages))?;
    if flags.sites.is_empty() {
        sites = sites.into_iter().step_by(SAMPLED).collect();
        sites.push(of_corpus("bookshop/detail", 2 * n_pages)?);
        sites.push(of_corpus("newspaper", 2 * n_pages)?);
    }
    let digest = sites::digest(&sites)?;
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_jobs = flags.jobs.unwrap_or(n_cores).max(1);
    eprintln!("{SUITE}: {digest}; {n_jobs} at a time");
    let started = Instant::now();
    let outcomes = in_parallel(&sites, n_jobs, measure);
    let outcomes: Vec<(String, Vec<Outcome>)> = sites
        .iter()
        .zip(outcomes)
        .map(|(site, outcomes)| {
            Ok((site.name.clone(), outcomes.with_context(|| site.name.clone())?))
        })
        .collect::<Result<_>>()?;
    print(&outcomes, flags.verbose);
    let results = results(&outcomes, digest, n_pages, started.elapsed().as_secs_f64());
    if let Some(file) = &flags.json {
        results.write(file)?;
    }
    match (flags.pin, flags.whole_suite()) {
        (true, _) => pins.pin(&results, flags.lower),
        (false, true) => pins.check(&results),
        (false, false) => Ok(()),
    }
}

/// A site of the corpus, whose folders have more than pages.
fn of_corpus(folder: &str, n_pages: usize) -> Result<Site> {
    let mut site = Site::read(&root().join("corpus").join(folder), usize::MAX)?;
    site.name = format!("corpus-{}", folder.replace('/', "-"));
    site.pages.retain(|path| path.extension().is_some_and(|it| it == "html"));
    site.pages.truncate(n_pages);
    Ok(site)
}

fn measure(site: &Site) -> Result<Vec<Outcome>> {
    let documents = site.pages.iter().map(|path| -> Result<Document> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {path:?}"))?;
        Ok(Document::of(&page::parse(&bytes)))
    });
    let documents: Vec<Document> = documents.collect::<Result<_>>()?;
    let (before, others) = documents.split_at(documents.len().div_ceil(2));
    let old = learn(parsed(before), &LearnConfig::default())?.wrapper;
    let mut outcomes = Vec::new();
    for (documents, are_others) in [(before, false), (others, true)] {
        let was = extracted(&old, &parsed(documents));
        for kind in Kind::ALL {
            let Some(changed) = kind.apply(documents, &old, &was) else { continue };
            let pages = parsed(&changed);
            let now = extracted(&old, &pages);
            let report = check(&old, &now);
            let repaired = repair(&old, pages.clone(), &LearnConfig::default())?.wrapper;
            let restored = Kept::of(&old, &was, &repaired, &extracted(&repaired, &pages));
            outcomes.push(Outcome {
                kind,
                lost: 1.0 - Kept::of(&old, &was, &old, &now).share(),
                noticed: report.is_drift,
                reasons: report.reasons,
                restored: restored.share(),
                missed: restored.missed(),
                are_others,
            });
        }
    }
    Ok(outcomes)
}

fn parsed(documents: &[Document]) -> Vec<Page> {
    documents.iter().map(|document| page::parse(document.html().as_bytes())).collect()
}

fn extracted(wrapper: &Wrapper, pages: &[Page]) -> Vec<Extraction> {
    let mut extractor = Extractor::new(wrapper);
    pages.iter().map(|page| extractor.extract(page)).collect()
}

/// The data of a page that has not failed.
fn data(page: &Extraction) -> Option<&Data> {
    (page.status != Status::Failed).then_some(&page.data)
}

fn check(wrapper: &Wrapper, pages: &[Extraction]) -> Report {
    let mut check = Check::new(wrapper, CheckConfig::default());
    for (n, page) in pages.iter().enumerate() {
        let problems: Vec<String> = page.problems.iter().map(ToString::to_string).collect();
        check.add(&n.to_string(), page.status, data(page), &problems);
    }
    check.report()
}

/// The values that are read under the same name from the same page.
#[derive(Default)]
struct Kept {
    n: usize,
    n_kept: usize,
    missed: BTreeMap<String, usize>,
}

impl Kept {
    fn of(old: &Wrapper, was: &[Extraction], new: &Wrapper, now: &[Extraction]) -> Kept {
        let mut kept = Kept::default();
        for (was, now) in was.iter().zip(now) {
            let was = Values::of(old.schema(), data(was));
            let now = Values::of(new.schema(), data(now));
            let missed = was.without(&now);
            kept.n += was.len();
            kept.n_kept += was.len() - missed.len();
            for path in missed {
                *kept.missed.entry(path.to_owned()).or_default() += 1;
            }
        }
        kept
    }

    fn share(&self) -> f64 {
        self.n_kept as f64 / self.n.max(1) as f64
    }

    fn missed(self) -> Vec<(String, usize)> {
        let mut missed: Vec<(String, usize)> = self.missed.into_iter().collect();
        missed.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        missed
    }
}

fn print(outcomes: &[(String, Vec<Outcome>)], verbose: bool) {
    println!(
        "change        sites  restored  changed  noticed   others  restored  changed  noticed"
    );
    for kind in Kind::ALL {
        let figures = [false, true].map(|are_others| {
            let all = || of_kind(outcomes, kind, are_others);
            let n_changed = all().filter(|it| it.lost >= MIN_CHANGED).count();
            let n_noticed = all().filter(|it| it.lost >= MIN_CHANGED && it.noticed).count();
            let restored = mean(all().map(|it| it.restored));
            format!("{:6} {restored:9.4} {n_changed:8} {n_noticed:8}", all().count())
        });
        println!("{:12} {}", kind.name(), figures.join("   "));
    }
    for (are_others, which) in [(false, "learnt from"), (true, "not learnt from")] {
        let n = of_kind(outcomes, Kind::Same, are_others).filter(|it| it.noticed).count();
        println!("sites taken for changed that are not, by pages {which}: {n}");
    }
    for (site, outcome) in
        outcomes.iter().flat_map(|(site, all)| all.iter().map(move |it| (site, it)))
    {
        let Outcome { kind, lost, noticed, reasons, restored, missed, are_others } = outcome;
        let is_missed = *lost >= MIN_CHANGED && !noticed;
        let is_false = *kind == Kind::Same && *noticed;
        if verbose || is_missed || is_false {
            let noticed = if *noticed { "noticed" } else { "not noticed" };
            let others = if *are_others { ", others" } else { "" };
            println!(
                "{site:28} {:12} lost {lost:.3}, {noticed}, restored {restored:.3}{others}",
                kind.name()
            );
            if is_false {
                println!("{:28}   {}", "", reasons.join("; "));
            }
            for (path, n) in missed.iter().take(MAX_MISSED).filter(|_| verbose) {
                println!("{n:>34} values of {path} not restored");
            }
        }
    }
}

fn of_kind(
    outcomes: &[(String, Vec<Outcome>)],
    kind: Kind,
    are_others: bool,
) -> impl Iterator<Item = &Outcome> {
    let all = outcomes.iter().flat_map(|(_, all)| all);
    all.filter(move |it| it.kind == kind && it.are_others == are_others)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Floors for what is restored after each kind of change, for what is noticed, and for how often `check` is quiet where
/// nothing has changed.
fn results(
    outcomes: &[(String, Vec<Outcome>)],
    data: String,
    n_pages: usize,
    seconds: f64,
) -> Results {
    let mut means: BTreeMap<String, f64> = BTreeMap::new();
    for kind in Kind::ALL {
        for (are_others, suffix) in [(false, ""), (true, "_others")] {
            let restored = mean(of_kind(outcomes, kind, are_others).map(|it| it.restored));
            means.insert(format!("{}{suffix}", kind.name()), restored);
        }
    }
    for (are_others, suffix) in [(false, ""), (true, "_others")] {
        let is_quiet = |it: &Outcome| f64::from(u8::from(!it.noticed));
        let quiet = mean(of_kind(outcomes, Kind::Same, are_others).map(is_quiet));
        means.insert(format!("quiet{suffix}"), quiet);
    }
    let all = outcomes.iter().flat_map(|(_, all)| all);
    let changed: Vec<&Outcome> = all.filter(|it| it.lost >= MIN_CHANGED).collect();
    means.insert(
        "noticed".to_owned(),
        mean(changed.iter().map(|it| f64::from(u8::from(it.noticed)))),
    );
    let rows = outcomes.iter().map(|(site, all)| {
        let part = |it: &Outcome| {
            let part =
                Part { f1: it.restored, recall: it.restored, precision: it.restored, column: None };
            (it.kind.name().to_owned(), part)
        };
        let score = mean(all.iter().map(|it| it.restored));
        let verdict = Verdict { score, parts: all.iter().map(part).collect() };
        Row { verdict, ..Row::new(site, n_pages) }
    });
    Results { suite: SUITE.to_owned(), data, means, seconds, rows: rows.collect() }
}
