//! `cargo xtask eval crawl`: does a focused crawl find what it is after, and sooner than others?
//!
//! Recorded universities are crawled from their archives by each strategy. What counts is how many of the pages that are wanted
//! were asked for by when; addresses that the archive does not have are no part of the recorded world, and do not count.

use super::Flags;
use super::report::{Results, Row};
use super::score::{Part, Verdict};
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use pagemill::crawl::{
    Config, Plan, Politeness, Reach, Source, Store, Strategy, address, crawl, traps::Limits,
};
use pagemill::input::Recorded;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use url::Url;

pub(crate) const SUITE: &str = "crawl";
/// Fetches of a crawl with a budget.
const BUDGET: usize = 150;
/// What a user would say who has no plan.
const KEYWORD: &str = "faculty";

/// A recorded site and the pages that are wanted of it.
struct Scene {
    name: &'static str,
    seed: Url,
    recorded: Arc<Recorded>,
    /// By what makes addresses the same.
    wanted: HashSet<String>,
}

pub(crate) fn run(flags: &Flags, data: &Path) -> Result<()> {
    let started = Instant::now();
    let mut rows = Vec::new();
    let mut digest = Vec::new();
    println!(
        "{:<16}{:<12}{:>8}{:>8}{:>8}{:>8}{:>10}",
        "site", "strategy", "10 %", "25 %", "50 %", "150", "for 90 %"
    );
    for name in ["ucsd", "webkb-cornell", "webkb-texas"] {
        let scene = Scene::read(name, &data.join("uni").join(name))?;
        digest.push(format!("{name} {}", scene.recorded.len()));
        let mut parts = BTreeMap::new();
        let mut before: Option<Vec<usize>> = None;
        for (strategy, label) in strategies()? {
            let found = scene.found(strategy)?;
            let marks = marks(&found, scene.wanted.len());
            println!(
                "{name:<16}{label:<12}{:>8}{:>8}{:>8}{:>8}{:>10}",
                marks.by_share[0],
                marks.by_share[1],
                marks.by_share[2],
                marks.in_budget,
                marks.for_most
            );
            for (share, n) in ["10", "25", "50"].iter().zip(&marks.by_share) {
                parts.insert(format!("{label}_{share}"), Part::share(*n, scene.wanted.len()));
            }
            parts.insert(
                format!("{label}_budget"),
                Part::share(marks.in_budget, scene.wanted.len()),
            );
            if let Some(before) = before.replace(marks.by_share.to_vec()) {
                let is_better =
                    marks.by_share.iter().zip(&before).all(|(now, before)| now >= before);
                println!(
                    "{:<16}{}",
                    "",
                    if is_better { "no worse than that" } else { "WORSE than that" }
                );
            }
        }
        let mut row = Row::new(name, scene.recorded.len());
        row.verdict = Verdict { score: parts["plan_budget"].f1, parts };
        rows.push(row);
    }
    let parts = ["plan_10", "plan_25", "plan_50", "plan_budget"];
    let seconds = started.elapsed().as_secs_f64();
    let results = Results::new(SUITE, digest.join(", "), &parts, rows, seconds);
    super::judge(flags, &results)
}

fn strategies() -> Result<[(Strategy, &'static str); 3]> {
    let plan = std::fs::read_to_string(root().join("plans/university.toml"))?;
    Ok([
        (Strategy::Breadth, "breadth"),
        (Strategy::BestFirst(vec![KEYWORD.to_owned()]), "best-first"),
        (Strategy::Plan(Plan::parse(&plan)?), "plan"),
    ])
}

impl Scene {
    fn read(name: &'static str, folder: &Path) -> Result<Scene> {
        let (recorded, damages) = Recorded::read(&folder.join("site.warc.gz"))?;
        ensure!(damages.is_empty(), "{name}: the archive is damaged");
        let gold: Value = serde_json::from_slice(&std::fs::read(folder.join("gold.json"))?)?;
        let home = gold["home"].as_str().or_else(|| gold["home"][0].as_str());
        let seed = Url::parse(home.context("no home")?)?;
        let key = |url: &str| Some(address::key(&Url::parse(url).ok()?));
        let people = gold["units"].as_array().into_iter().flatten();
        let people = people.filter_map(|unit| key(unit["people_page"].as_str()?));
        let classes = gold["classes"].as_object().into_iter().flatten();
        let faculty = classes.filter(|(_, class)| *class == "faculty").filter_map(|it| key(it.0));
        let wanted = people.chain(faculty).collect();
        Ok(Scene { name, seed, recorded: Arc::new(recorded), wanted })
    }

    /// In the order of fetches: whether each was one that is wanted, and was not there before.
    fn found(&self, strategy: Strategy) -> Result<Vec<bool>> {
        let folder = tempfile::tempdir()?;
        let store = folder.path().join("store.db");
        let source: Arc<dyn pagemill::crawl::Archive> = Arc::clone(&self.recorded) as _;
        let config = Config {
            seeds: vec![self.seed.clone()],
            reach: Reach::Any,
            strategy,
            source: Source::Archive(source),
            politeness: Politeness { gap: Duration::ZERO, ..Politeness::default() },
            limits: Limits::default(),
            // One after the other, so that the order is that of the strategy.
            concurrency: 1,
            max_pages: None,
            reads_sitemaps: false,
            renews: false,
            max_unpacked: 64 << 20,
            n_threads: 1,
        };
        crawl(Store::open(&store, false)?, &config, &AtomicBool::new(false), |_| {})?;
        let fetched = Store::read(&store)?.fetched()?;
        let mut left = self.wanted.clone();
        let answered = fetched.iter().filter(|(_, is_answered)| *is_answered);
        let found: Vec<bool> = answered
            .filter_map(|(url, _)| Some(left.remove(&address::key(&Url::parse(url).ok()?))))
            .collect();
        ensure!(!found.is_empty(), "{}: nothing was fetched", self.name);
        Ok(found)
    }
}

/// How soon what is wanted was found.
struct Marks {
    /// After a tenth, a quarter and half of all fetches.
    by_share: [usize; 3],
    in_budget: usize,
    /// Fetches until nine of ten were found.
    for_most: usize,
}

fn marks(found: &[bool], n_wanted: usize) -> Marks {
    let within = |n: usize| found.iter().take(n).filter(|it| **it).count();
    let most = (n_wanted * 9).div_ceil(10);
    let for_most = (1..=found.len()).find(|n| within(*n) >= most).unwrap_or(usize::MAX);
    let share = |percent: usize| within(found.len() * percent / 100);
    Marks { by_share: [share(10), share(25), share(50)], in_budget: within(BUDGET), for_most }
}
