//! `cargo xtask eval`: what the engine reaches on data that is not part of the project, and the floors
//! below which it must not fall.
//!
//! `conformance` runs the html5lib tests. The suites of sites run the binary on each site's pages (`program`) as
//! their `tasks` say, and have its output scored by the referee beside the data (`score`); `report` prints and compares,
//! `floors` judges. `changes` changes pages, and runs the library on them.

mod across;
mod changes;
mod conformance;
mod crawl;
pub(crate) mod fields;
mod floors;
pub(crate) mod mdr;
mod network;
mod nodes;
mod people;
pub(crate) mod program;
mod regions;
mod render;
mod report;
mod score;
mod sites;
mod spark;
mod tasks;
mod thresholds;
mod units;

use crate::shell::{data, root, shared};
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use report::Results;
use sites::Site;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;
use tasks::{Bench, Task};

#[derive(Subcommand)]
pub(crate) enum Suite {
    /// The html5lib tests: tree construction and encodings
    Conformance,
    /// SWDE: sites of detail pages, learnt from 20 pages each
    Detail(Flags),
    /// SWDE: a tenth of each site's pages learnt from at most, the others extracted
    Active(Flags),
    /// SWDE: wrappers of each site on pages of all others, which must not be verified
    Cross(Flags),
    /// Sites of list pages, learnt from all pages of each
    List(Flags),
    /// Sites of list pages: each page extracted by what was learnt from the others
    Unseen(Flags),
    /// News fields on sites never seen, beside trafilatura
    Fields(Flags),
    /// Full-text nodes by few labelled pages of other sites
    Nodes(Flags),
    /// SWDE: some sites of a kind learnt from, others of it annotated: by columns, and by leaves alone
    Across(Flags),
    /// Sites that change: does check notice, and does repair restore?
    Changes(Flags),
    /// Recorded universities: how soon a focused crawl finds people
    Crawl(Flags),
    /// Sites of list pages: the record sets of each page by itself, beside MDR
    Regions(Flags),
    /// Faculty pages of universities: names of people, each page by itself
    People(Flags),
    /// A recorded university: departments on the pages that list them
    Units(Flags),
    /// What the paper's thresholds do to people, units and records, as a drawing
    Thresholds,
    /// A recorded university: the network of its units and people
    Network(Flags),
    /// A Spark cluster of two workers, one of which dies: does it lose or double a page, and what does it cost?
    Spark,
    /// News pages: does the renderer get through them, and does it see what a browser sees?
    Render(Flags),
}

#[derive(Args, Default)]
pub(crate) struct Flags {
    /// Only sites with one of these in their names
    #[arg(value_name = "SITE")]
    sites: Vec<String>,
    /// Take this many pages of each site [default: detail 20, others all]
    #[arg(long, value_name = "N")]
    pages: Option<usize>,
    /// Sites at a time [default: one a core]; 1 for times that can be compared
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Show the best column for each attribute too
    #[arg(long, short)]
    verbose: bool,
    /// Save all results
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show which sites gained and lost most since results saved by --json
    #[arg(long, value_name = "FILE")]
    diff: Option<PathBuf>,
    /// Make the results the new floors
    #[arg(long)]
    pin: bool,
    /// Let --pin lower a floor
    #[arg(long, requires = "pin")]
    lower: bool,
    /// Run this program instead of building one
    #[arg(long, value_name = "PATH", hide = true)]
    binary: Option<PathBuf>,
}

impl Flags {
    /// Is this the run that floors are about?
    fn whole_suite(&self) -> bool {
        self.sites.is_empty() && self.pages.is_none()
    }
}

/// A suite of sites that share a layout and a kind of gold.
struct SiteSuite {
    name: &'static str,
    /// Its folder in the benchmark data.
    folder: &'static str,
    /// Pages taken of each site; `None` takes all.
    n_pages: Option<usize>,
    task: Task,
    /// The figures whose means have floors: `mean` is that of the score, others are parts of the verdict.
    parts: &'static [&'static str],
}

const DETAIL: SiteSuite = SiteSuite {
    name: "detail",
    folder: "swde",
    n_pages: Some(20),
    task: Task::Learn,
    parts: &["mean"],
};
const ACTIVE: SiteSuite = SiteSuite {
    name: "active",
    folder: "swde",
    n_pages: None,
    task: Task::LearnFromFew,
    parts: &["mean", "verified", "spared"],
};
const CROSS: SiteSuite = SiteSuite {
    name: "cross",
    folder: "swde",
    n_pages: None,
    task: Task::RefuseOthers,
    parts: &["mean"],
};
const LIST: SiteSuite = SiteSuite {
    name: "list",
    folder: "list",
    n_pages: None,
    task: Task::Learn,
    parts: &["records", "cells"],
};
const UNSEEN: SiteSuite = SiteSuite {
    name: "unseen",
    folder: "list",
    n_pages: None,
    task: Task::LeaveOneOut,
    parts: &["records", "cells", "verified"],
};
const SUITES: [SiteSuite; 5] = [DETAIL, ACTIVE, CROSS, LIST, UNSEEN];

/// One suite; or conformance and all suites that have floors.
pub(crate) fn run(suite: Option<Suite>) -> Result<()> {
    if matches!(suite, Some(Suite::Spark)) {
        return spark::run();
    }
    let shared = shared().context("no benchmark data: expected a folder ../shared")?;
    match suite {
        Some(Suite::Conformance) => conformance::run(&shared),
        Some(Suite::Detail(flags)) => run_sites(&DETAIL, &flags, &shared),
        Some(Suite::Active(flags)) => run_sites(&ACTIVE, &flags, &shared),
        Some(Suite::Cross(flags)) => run_sites(&CROSS, &flags, &shared),
        Some(Suite::List(flags)) => run_sites(&LIST, &flags, &shared),
        Some(Suite::Unseen(flags)) => run_sites(&UNSEEN, &flags, &shared),
        Some(Suite::Fields(flags)) => {
            fields::run(&flags, &shared, &data()?.context("no benchmark data")?)
        }
        Some(Suite::Nodes(flags)) => nodes::run(&flags, &data()?.context("no benchmark data")?),
        Some(Suite::Across(flags)) => across::run(&flags, &data()?.context("no benchmark data")?),
        Some(Suite::Changes(flags)) => changes::run(&flags, &data()?.context("no benchmark data")?),
        Some(Suite::Crawl(flags)) => {
            crawl::run(&flags, &crawl::LIVE, &shared, &data()?.context("no benchmark data")?)
        }
        Some(Suite::Regions(flags)) => {
            let data = data()?.context("no benchmark data")?;
            regions::run(&flags, regions::Beside::Mdr, &shared, &data)
        }
        Some(Suite::People(flags)) => {
            people::run(&flags, &shared, &data()?.context("no benchmark data")?)
        }
        Some(Suite::Units(flags)) => units::run(&flags, &data()?.context("no benchmark data")?),
        Some(Suite::Thresholds) => thresholds::run(&shared, &data()?.context("no benchmark data")?),
        Some(Suite::Network(flags)) => {
            network::run(&flags, &shared, &data()?.context("no benchmark data")?)
        }
        Some(Suite::Render(flags)) => render::run(&flags, &data()?.context("no benchmark data")?),
        Some(Suite::Spark) => spark::run(),
        None => run_pinned(&shared, None),
    }
}

/// All suites that have floors, by the binary that the tests built: a release of its own would take longer to build than the
/// suites take to run, and what is found is the same.
pub(crate) fn run_as_test(shared: &Path) -> Result<()> {
    let folder = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    run_pinned(shared, Some(root().join(folder).join("debug/pagemill")))
}

fn run_pinned(shared: &Path, binary: Option<PathBuf>) -> Result<()> {
    let of_sites = Flags { binary, ..Flags::default() };
    conformance::run(shared)?;
    let pinned = floors::Pins::read()?;
    for suite in SUITES {
        if pinned.has(suite.name) {
            run_sites(&suite, &of_sites, shared)?;
        }
    }
    if pinned.has(fields::SUITE) {
        fields::run(&Flags::default(), shared, &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(nodes::SUITE) {
        nodes::run(&Flags::default(), &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(across::SUITE) {
        across::run(&Flags::default(), &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(changes::SUITE) {
        changes::run(&Flags::default(), &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(crawl::SUITE) {
        let data = data()?.context("no benchmark data")?;
        crawl::run(&Flags::default(), &crawl::QUICK, shared, &data)?;
    }
    if pinned.has(regions::SUITE) {
        let data = data()?.context("no benchmark data")?;
        regions::run(&of_sites, regions::Beside::Nothing, shared, &data)?;
    }
    if pinned.has(people::SUITE) {
        people::run(&Flags::default(), shared, &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(units::SUITE) {
        units::run(&Flags::default(), &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(network::SUITE) {
        network::run(&of_sites, shared, &data()?.context("no benchmark data")?)?;
    }
    if pinned.has(render::SUITE) {
        render::run(&Flags::default(), &data()?.context("no benchmark data")?)?;
    }
    Ok(())
}

fn run_sites(suite: &SiteSuite, flags: &Flags, shared: &Path) -> Result<()> {
    ensure!(
        flags.whole_suite() || !flags.pin,
        "floors are about the whole suite: --pin goes with neither SITE nor --pages"
    );
    // Read before the run: a mistyped file name should not cost minutes.
    let before = flags.diff.as_deref().map(Results::read).transpose()?;
    let folder = data()?.context("no benchmark data")?.join(suite.folder);
    let sites = sites::find(&folder, &flags.sites, flags.pages.or(suite.n_pages))?;
    let results = measure(suite, flags, shared, &sites)?;
    print!("{}", results.table(suite.parts, flags.verbose));
    if let Some(file) = &flags.json {
        results.write(file)?;
    }
    if let Some(before) = before {
        print!("{}", report::diff(&before, &results));
    }
    judge(flags, &results)
}

/// Compare results with the floors, or make them the floors.
fn judge(flags: &Flags, results: &Results) -> Result<()> {
    let pins = floors::Pins::read()?;
    match (flags.pin, flags.whole_suite()) {
        (true, _) => pins.pin(results, flags.lower),
        (false, true) => pins.check(results),
        (false, false) => {
            println!("floors are about the whole suite, so they were not asked");
            Ok(())
        }
    }
}

/// Learn and score all sites.
fn measure(suite: &SiteSuite, flags: &Flags, shared: &Path, sites: &[Site]) -> Result<Results> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bench = Bench {
        binary: program::binary(flags.binary.as_deref())?,
        referee: shared.join("eval/score.py"),
        folder: folder.path().to_owned(),
        sites,
    };
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_jobs = flags.jobs.unwrap_or(n_cores).max(1);
    let data = sites::digest(sites)?;
    eprintln!("{}: {data}; {n_jobs} at a time", suite.name);
    let started = Instant::now();
    let rows = in_parallel(sites, n_jobs, |site| bench.row(suite.task, site));
    let seconds = started.elapsed().as_secs_f64();
    Ok(Results::new(suite.name, data, suite.parts, rows, seconds))
}

/// `work` on each item, `n_jobs` at a time; the results are in the items' order.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    n_jobs: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.iter().enumerate());
    let next = || queue.lock().ok()?.next();
    let job = || {
        let mut done = Vec::new();
        while let Some((index, item)) = next() {
            done.push((index, work(item)));
        }
        done
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..n_jobs).map(|_| scope.spawn(job)).collect();
        jobs.into_iter()
            .flat_map(|job| job.join().expect("a job only runs other programs"))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn parallel_results_keep_the_order() {
        let items: Vec<u64> = (0..40).collect();
        let doubled: Vec<u64> = items.iter().map(|item| item * 2).collect();
        for n_jobs in [1, 2, 7] {
            assert_eq!(in_parallel(&items, n_jobs, |item| item * 2), doubled);
        }
        assert_eq!(in_parallel(&[], 2, |item: &u64| *item), Vec::<u64>::new());
    }
}
