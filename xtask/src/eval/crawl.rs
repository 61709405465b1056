//! `cargo xtask eval crawl`: does a focused crawl find what it is after, and sooner than others?
//!
//! Recorded universities are crawled from their archives by each strategy, and some of them over HTTP as well, which must give the
//! same pages. What counts is how many of the pages that are wanted were asked for by when; addresses that the archive does not have
//! are no part of the recorded world, and do not count.

mod live;

use super::Flags;
use super::report::{Results, Row};
use super::score::{Part, Verdict};
use crate::shell::root;
use anyhow::{Context, Result, bail, ensure};
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
/// Fetches of a crawl with a budget, and the site that has to be found within it.
const BUDGET: usize = 150;
const BUDGETED: &str = "ucsd";
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

/// Sites that are crawled over HTTP, too.
pub(crate) const LIVE: [&str; 2] = ["ucsd", "webkb-cornell"];
/// The one of them that takes seconds. The other has links to hundreds of hosts, which are asked one after the other.
pub(crate) const QUICK: [&str; 1] = ["ucsd"];

pub(crate) fn run(flags: &Flags, live: &[&str], shared: &Path, data: &Path) -> Result<()> {
    let started = Instant::now();
    let mut rows = Vec::new();
    let mut digest = Vec::new();
    println!(
        "{:<16}{:<12}{:>8}{:>8}{:>8}{:>8}{:>10}",
        "site", "strategy", "10 %", "25 %", "50 %", "150", "for 90 %"
    );
    for name in ["ucsd", "webkb-cornell", "webkb-texas"] {
        let folder = data.join("uni").join(name);
        let scene = Scene::read(name, &folder)?;
        digest.push(format!("{name} {}", scene.recorded.len()));
        let marks = scene.compare()?;
        hold(name, &marks)?;
        if live.contains(&name) {
            let n_same = live::same_pages(&scene, shared, &folder)?;
            println!("{name:<16}{n_same} pages, the same over HTTP and from the archive");
        }
        rows.push(scene.row(&marks));
    }
    let parts = ["plan_10", "plan_25", "plan_50", "plan_budget"];
    let seconds = started.elapsed().as_secs_f64();
    let results = Results::new(SUITE, digest.join(", "), &parts, rows, seconds);
    super::judge(flags, &results)
}

/// What has to be so whatever the floors are: a plan finds what is wanted within a budget, in half of the fetches that it takes
/// without; and on the other sites no strategy is behind a simpler one.
fn hold(name: &str, marks: &[Marks]) -> Result<()> {
    let [breadth, .., plan] = marks else { bail!("strategies are missing") };
    if name == BUDGETED {
        let (found, wanted) = (plan.in_budget, plan.n_wanted);
        ensure!(found * 10 >= wanted * 9, "{name}: {found} of {wanted} in {BUDGET} fetches");
        let (by_plan, by_breadth) = (plan.for_most, breadth.for_most);
        ensure!(
            by_plan.saturating_mul(2) <= by_breadth,
            "{name}: {by_plan} fetches by plan, {by_breadth} by breadth"
        );
        return Ok(());
    }
    for pair in marks.windows(2) {
        let is_behind = pair[1].by_share.iter().zip(&pair[0].by_share).any(|(it, than)| it < than);
        ensure!(!is_behind, "{name}: {} finds less than {}", pair[1].strategy, pair[0].strategy);
    }
    Ok(())
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

    /// How soon each strategy finds what is wanted, the simplest first.
    fn compare(&self) -> Result<Vec<Marks>> {
        let mut all = Vec::new();
        for (strategy, label) in strategies()? {
            let marks = Marks::of(label, &self.found(strategy)?, self.wanted.len());
            let [tenth, quarter, half] = marks.by_share;
            println!(
                "{:<16}{label:<12}{tenth:>8}{quarter:>8}{half:>8}{:>8}{:>10}",
                self.name, marks.in_budget, marks.for_most
            );
            all.push(marks);
        }
        Ok(all)
    }

    fn row(&self, marks: &[Marks]) -> Row {
        let mut parts = BTreeMap::new();
        for marks in marks {
            let [tenth, quarter, half] = marks.by_share;
            let figures =
                [("10", tenth), ("25", quarter), ("50", half), ("budget", marks.in_budget)];
            for (name, n) in figures {
                parts.insert(format!("{}_{name}", marks.strategy), Part::share(n, marks.n_wanted));
            }
        }
        let mut row = Row::new(self.name, self.recorded.len());
        row.verdict = Verdict { score: parts["plan_budget"].f1, parts };
        row
    }

    /// In the order of fetches: whether each was one that is wanted, and was not there before.
    fn found(&self, strategy: Strategy) -> Result<Vec<bool>> {
        let folder = tempfile::tempdir()?;
        let store = folder.path().join("store.db");
        let source: Arc<dyn pagemill::crawl::Archive> = Arc::clone(&self.recorded) as _;
        // One after the other, so that the order is that of the strategy.
        self.crawl(&store, strategy, Source::Archive(source), 1)?;
        let fetched = Store::read(&store)?.fetched()?;
        let mut left = self.wanted.clone();
        let answered = fetched.iter().filter(|(_, is_answered)| *is_answered);
        let found: Vec<bool> = answered
            .filter_map(|(url, _)| Some(left.remove(&address::key(&Url::parse(url).ok()?))))
            .collect();
        ensure!(!found.is_empty(), "{}: nothing was fetched", self.name);
        Ok(found)
    }

    fn crawl(&self, store: &Path, strategy: Strategy, from: Source, n_slots: usize) -> Result<()> {
        let config = Config {
            seeds: vec![self.seed.clone()],
            reach: Reach::Any,
            strategy,
            source: from,
            politeness: Politeness {
                gap: Duration::ZERO,
                per_host: n_slots,
                ..Politeness::default()
            },
            limits: Limits::default(),
            concurrency: n_slots,
            max_pages: None,
            reads_sitemaps: false,
            renews: false,
            max_unpacked: 64 << 20,
            n_threads: 1,
        };
        crawl(Store::open(store, false)?, &config, &AtomicBool::new(false), |_| {})?;
        Ok(())
    }
}

/// How soon what is wanted was found.
struct Marks {
    strategy: &'static str,
    n_wanted: usize,
    /// After a tenth, a quarter and half of all fetches.
    by_share: [usize; 3],
    in_budget: usize,
    /// Fetches until nine of ten were found.
    for_most: usize,
}

impl Marks {
    fn of(strategy: &'static str, found: &[bool], n_wanted: usize) -> Marks {
        let within = |n: usize| found.iter().take(n).filter(|it| **it).count();
        let most = (n_wanted * 9).div_ceil(10);
        let for_most = (1..=found.len()).find(|n| within(*n) >= most).unwrap_or(usize::MAX);
        let by_share = [10, 25, 50].map(|percent| within(found.len() * percent / 100));
        Marks { strategy, n_wanted, by_share, in_budget: within(BUDGET), for_most }
    }
}
