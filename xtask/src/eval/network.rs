//! `cargo xtask eval network`: from a recorded university's home page to the network of its units and people.
//!
//! The binary crawls the archive with the built-in plan and exports what came of it; the referee compares that with the gold.
//! Beside it, the paper's baselines: the same budget of fetches spent by best-first and by breadth; and the pages of our own crawl
//! with people found by MDR and the dictionary, joined as ours are.

use super::Flags;
use super::mdr;
use super::program::{self, pagemill};
use super::report::{Results, Row};
use super::score::{Verdict, score};
use anyhow::{Context, Result, bail};
use page::{Leaves, Page};
use pagemill::gather::{Recipe, gather_people_by};
use pagemill::network::Network;
use pagemill::regions::Config;
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::TempDir;

pub(crate) const SUITE: &str = "network";
/// Fetches of a crawl.
const BUDGET: &str = "600";
const PLAN: &str = "university";
const PARTS: [&str; 3] = ["units", "people", "titles"];

pub(crate) fn run(flags: &Flags, shared: &Path, data: &Path) -> Result<()> {
    let started = Instant::now();
    let binary = program::binary(flags.binary.as_deref())?;
    let referee = shared.join("eval/score.py");
    let site = data.join("uni/ucsd");
    println!("{:<12}{:>8}{:>8}{:>8}", "strategy", PARTS[0], PARTS[1], PARTS[2]);
    let mut row = Row::new("ucsd", 1);
    let print = |name: &str, verdict: &Verdict| {
        let figure = |part: &str| verdict.parts.get(part).map_or(0.0, |it| it.f1);
        let [units, people, titles] = PARTS.map(figure);
        println!("{name:<12}{units:>8.3}{people:>8.3}{titles:>8.3}");
    };
    for strategy in ["breadth", "best-first"] {
        let crawled = Crawled::by(&binary, &site, strategy)?;
        crawled.gather(&binary)?;
        print(strategy, &crawled.judged(&binary, &referee, &site)?);
    }
    let crawled = Crawled::by(&binary, &site, "plan")?;
    row.verdict = crawled.judged(&binary, &referee, &site)?;
    print("plan", &row.verdict);
    let by_mdr = crawled.with_people_by_mdr()?;
    print("plan, MDR", &by_mdr.judged(&binary, &referee, &site)?);
    println!(
        "breadth, best-first: other crawls of as many fetches. plan, MDR: the pages of our crawl, with people by the data regions \
         of MDR whose records the dictionary finds names in; units and joining are ours"
    );
    let archive = std::fs::metadata(site.join("site.warc.gz"))?.len();
    let seconds = started.elapsed().as_secs_f64();
    let results = Results::new(SUITE, format!("ucsd {archive} bytes"), &PARTS, vec![row], seconds);
    super::judge(flags, &results)
}

/// The pages of a crawl, and beside them the network that they are made into.
struct Crawled {
    folder: TempDir,
}

impl Crawled {
    /// Crawl a recorded site by a strategy.
    fn by(binary: &Path, site: &Path, strategy: &str) -> Result<Crawled> {
        let crawled = Crawled::new()?;
        let gold: Value = serde_json::from_slice(&std::fs::read(site.join("gold.json"))?)?;
        let home = gold["home"].as_str().context("the gold names no home page")?;
        let how: &[&str] = match strategy {
            "plan" => &["--plan", PLAN],
            "best-first" => &["--keyword", "faculty"],
            _ => &[],
        };
        let crawl = pagemill(binary, |command| {
            command.args(["crawl", home, "--max-pages", BUDGET, "--concurrency", "1"]).args(how);
            command.arg("--store").arg(crawled.store());
            command.arg("--replay").arg(site.join("site.warc.gz"));
        })?;
        crawl.tolerated()?;
        Ok(crawled)
    }

    fn new() -> Result<Crawled> {
        Ok(Crawled { folder: tempfile::tempdir().context("cannot make a temporary folder")? })
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("u.db")
    }

    /// Make a network of the pages; a crawl by a plan has done it.
    fn gather(&self, binary: &Path) -> Result<()> {
        let gather = pagemill(binary, |command| {
            command.arg("network").arg(self.store()).args(["gather", "--plan", PLAN]);
        })?;
        gather.success().map(drop)
    }

    /// The network of the same pages with people found by MDR.
    fn with_people_by_mdr(&self) -> Result<Crawled> {
        let made = Crawled::new()?;
        let name = |path: PathBuf| path.into_os_string().into_string();
        let (Ok(pages), Ok(network)) = (name(self.store()), name(made.store())) else {
            bail!("the temporary folder has a name that is not Unicode");
        };
        let plan = pagemill::files::read_plan(Path::new(PLAN))?;
        let recipe = Recipe::of(&plan)?.context("the plan makes a network")?;
        let schema = pagemill::network::built_in(&recipe.schema).context("no such schema")?;
        let mut network = Network::open(&network)?;
        network.define(schema)?;
        let people = |page: &Page, leaves: &Leaves, config: &Config| {
            mdr::people_in(page, leaves, config, mdr::SIMILARITY)
        };
        let mut pages = pagemill::crawl::pages(&pages)?;
        let config = Config::default();
        gather_people_by(pages.as_mut(), &mut network, &recipe, &config, &people, |_| {
            ControlFlow::Continue(())
        })?;
        Ok(made)
    }

    /// Export the network, and have it judged.
    fn judged(&self, binary: &Path, referee: &Path, site: &Path) -> Result<Verdict> {
        let output = self.folder.path().join("network.jsonl");
        let export = pagemill(binary, |command| {
            command.arg("network").arg(self.store()).args(["export", "--format", "jsonl"]);
            command.arg("-o").arg(&output);
        })?;
        export.success()?;
        score(referee, site, &output)
    }
}
