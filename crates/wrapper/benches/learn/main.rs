//! Pages to schema: what a page costs, and how that grows with the number of pages and with their leaves.
//!
//! `cargo xtask bench learn` runs it on real sites where they are to be had, and always on pages of our own making. All on
//! one core, in processor time, with parsing alone as the yardstick. Rounds of all sizes alternate, and each size's best
//! round counts, because machines are noisy. Fails when a page costs too much or the cost grows faster than n log n.

mod synthetic;

use cpu_time::ThreadTime;
use page::Page;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use synthetic::Kind;
use wrapper::LearnConfig;

/// Few, because there are many sites, and their noise evens out.
const N_ROUNDS_OF_SITES: usize = 3;
const N_ROUNDS_OF_MADE: usize = 6;
/// Pages taken of each site.
const N_PAGES: [usize; 6] = [2, 5, 10, 20, 50, 100];
/// Leaves of the pages that we make.
const N_LEAVES: [usize; 4] = [250, 1_000, 4_000, 16_000];
/// Pages of each size that we make.
const N_MADE: usize = 2;

/// What a page of a real site may cost in the mean. Several times what it does cost on a slow machine, so that only a
/// change for the worse reaches it.
const MAX_MS_PER_PAGE: f64 = 25.0;
/// What the exponent over the two largest steps may be. For n log n it is 1.27 from 20 to 100 pages and 1.12 from 1,000 to
/// 16,000 leaves. Two steps, because one alone may be where the pages outgrow the processor's cache: on a busy machine
/// that looks like 1.3 for work that is linear.
const MAX_GROWTH: f64 = 1.25;

fn main() -> ExitCode {
    let suites: Vec<PathBuf> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).map(PathBuf::from).collect();
    let mut complaints = Vec::new();
    for suite in &suites {
        match by_pages(suite) {
            Ok(found) => complaints.extend(found),
            Err(error) => complaints.push(format!("cannot read {suite:?}: {error}")),
        }
    }
    complaints.extend(by_leaves());
    for complaint in &complaints {
        println!("failed: {complaint}");
    }
    if !complaints.is_empty() {
        return ExitCode::FAILURE;
    }
    println!("ok");
    ExitCode::SUCCESS
}

/// What some pages cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    n_pages: usize,
    n_leaves: usize,
    parse: Duration,
    /// Parsing, and learning from what was parsed.
    whole: Duration,
}

impl Cost {
    /// Of each of some sets of pages.
    fn of_all(sets: &[&[Vec<u8>]], n_rounds: usize) -> Vec<Cost> {
        let mut best: Vec<Cost> = sets.iter().map(|pages| Cost::unknown(pages)).collect();
        for _ in 0..n_rounds {
            for (pages, best) in sets.iter().zip(&mut best) {
                best.parse = best.parse.min(cost(|| drop(black_box(parse(pages)))));
                best.whole = best.whole.min(cost(|| {
                    // A site whose pages show nothing costs what it costs.
                    drop(black_box(wrapper::learn(parse(pages), &LearnConfig::default())));
                }));
            }
        }
        best
    }

    fn unknown(pages: &[Vec<u8>]) -> Cost {
        let n_leaves = parse(pages).iter().map(|page| page.leaves().len()).sum();
        Cost { n_pages: pages.len(), n_leaves, parse: Duration::MAX, whole: Duration::MAX }
    }

    fn sum(costs: impl Iterator<Item = Cost>) -> Cost {
        costs.fold(Cost::default(), |left, right| Cost {
            n_pages: left.n_pages + right.n_pages,
            n_leaves: left.n_leaves + right.n_leaves,
            parse: left.parse + right.parse,
            whole: left.whole + right.whole,
        })
    }

    fn ms_per_page(&self) -> f64 {
        self.whole.as_secs_f64() * 1e3 / self.n_pages as f64
    }

    fn leaves_per_page(&self) -> f64 {
        self.n_leaves as f64 / self.n_pages as f64
    }

    /// Cost a page with and without learning, and their ratio.
    fn figures(&self) -> String {
        let parse = self.parse.as_secs_f64() * 1e3 / self.n_pages as f64;
        let whole = self.ms_per_page();
        format!("{whole:>10.2} {parse:>8.2} {:>6.1}", whole / parse)
    }
}

fn parse(pages: &[Vec<u8>]) -> Vec<Page> {
    pages.iter().map(|bytes| page::parse(bytes)).collect()
}

/// Processor time of this thread.
fn cost(work: impl FnOnce()) -> Duration {
    let start = ThreadTime::now();
    work();
    start.elapsed()
}

/// A size and what it costs in all.
type Point = (f64, Duration);

/// The slope of log cost over log size: 1 is linear, 2 a square.
fn growth(from: Point, to: Point) -> f64 {
    (to.1.as_secs_f64() / from.1.as_secs_f64()).ln() / (to.0 / from.0).ln()
}

/// What the slope would be for n log n.
fn n_log_n(from: Point, to: Point) -> f64 {
    1.0 + (to.0.ln() / from.0.ln()).ln() / (to.0 / from.0).ln()
}

/// The slopes up to the last of some points: over one step, what it would be for n log n, and over two.
fn slopes(points: &[Point]) -> String {
    let [.., from, to] = points else { return String::new() };
    let mut slopes = format!(" {:>8.2} {:>8.2}", growth(*from, *to), n_log_n(*from, *to));
    if let [.., from, _, to] = points {
        slopes += &format!(" {:>10.2}", growth(*from, *to));
    }
    slopes
}

/// A complaint if the cost grows too fast over the two largest steps.
fn too_steep(of: &str, points: &[Point]) -> Option<String> {
    let [.., from, _, to] = points else { return None };
    let growth = growth(*from, *to);
    (growth > MAX_GROWTH).then(|| {
        format!(
            "{of}: exponent {growth:.2} from {:.0} to {:.0}; {MAX_GROWTH} is allowed",
            from.0, to.0
        )
    })
}

/// A row for each number of pages, over all sites that have as many.
fn by_pages(suite: &Path) -> io::Result<Vec<String>> {
    let sites = sites(suite)?;
    let costs: Vec<Vec<Cost>> =
        sites.iter().map(|site| costs_of_site(site)).collect::<io::Result<_>>()?;
    let mut complaints = Vec::new();
    let mut points = Vec::new();
    println!("pages of each site, one core, processor time");
    println!(
        "{:>6} {:>6} {:>8} {:>10} {:>8} {:>6} {:>8} {:>8} {:>10}",
        "pages", "sites", "leaves", "ms a page", "parse", "ratio", "growth", "n log n", "two steps"
    );
    for (index, n_pages) in N_PAGES.into_iter().enumerate() {
        let large: Vec<&Vec<Cost>> = costs.iter().filter(|costs| costs.len() > index).collect();
        if large.is_empty() {
            break;
        }
        let sum = |index: usize| Cost::sum(large.iter().map(|costs| costs[index]));
        let cost = sum(index);
        // Growth is that of the sites in this row: others may be cheaper or dearer.
        points = (0..=index).map(|index| (N_PAGES[index] as f64, sum(index).whole)).collect();
        let (n_sites, leaves) = (large.len(), cost.leaves_per_page());
        println!("{n_pages:>6} {n_sites:>6} {leaves:>8.0} {}{}", cost.figures(), slopes(&points));
        if cost.ms_per_page() > MAX_MS_PER_PAGE {
            complaints.push(format!(
                "{:.1} ms a page with {n_pages} pages of a site; {MAX_MS_PER_PAGE} are allowed",
                cost.ms_per_page()
            ));
        }
    }
    if points.len() < 3 {
        complaints.push(format!("no site in {suite:?} has pages enough to tell how costs grow"));
    }
    complaints.extend(too_steep("pages of a site", &points));
    print_worst(&sites, &costs);
    Ok(complaints)
}

/// The costs of the first pages of a site, for as many of `N_PAGES` as it has.
fn costs_of_site(site: &Path) -> io::Result<Vec<Cost>> {
    let mut files = entries(&site.join("pages"))?;
    files.truncate(N_PAGES[N_PAGES.len() - 1]);
    let pages = files.iter().map(std::fs::read).collect::<io::Result<Vec<_>>>()?;
    let sizes = N_PAGES.iter().filter(|n_pages| **n_pages <= pages.len());
    let sets: Vec<&[Vec<u8>]> = sizes.map(|n_pages| &pages[..*n_pages]).collect();
    Ok(Cost::of_all(&sets, N_ROUNDS_OF_SITES))
}

/// The site that costs most a page, which the mean hides.
fn print_worst(sites: &[PathBuf], costs: &[Vec<Cost>]) {
    let last = sites.iter().zip(costs).filter_map(|(site, of_site)| Some((site, of_site.last()?)));
    if let Some((site, cost)) =
        last.max_by(|(_, left), (_, right)| left.ms_per_page().total_cmp(&right.ms_per_page()))
    {
        let name = site.file_name().unwrap_or_default().to_string_lossy();
        println!(
            "dearest: {name}, {:.1} ms a page of {:.0} leaves\n",
            cost.ms_per_page(),
            cost.leaves_per_page()
        );
    }
}

/// A row for each size of page, for each kind of page that we make.
fn by_leaves() -> Vec<String> {
    let mut complaints = Vec::new();
    println!("{N_MADE} pages of our own making, one core, processor time");
    println!(
        "{:16} {:>8} {:>10} {:>8} {:>6} {:>10} {:>8} {:>8} {:>10}",
        "", "leaves", "ms a page", "parse", "ratio", "µs a leaf", "growth", "n log n", "two steps"
    );
    for kind in Kind::ALL {
        let mut points = Vec::new();
        for cost in costs_of_kind(kind) {
            let us_per_leaf = cost.whole.as_secs_f64() * 1e6 / cost.n_leaves as f64;
            let (name, leaves) = (kind.name(), cost.leaves_per_page());
            points.push((leaves, cost.whole));
            println!(
                "{name:16} {leaves:>8.0} {} {us_per_leaf:>10.2}{}",
                cost.figures(),
                slopes(&points)
            );
        }
        complaints.extend(too_steep(&format!("leaves of pages with {}", kind.name()), &points));
    }
    complaints
}

fn costs_of_kind(kind: Kind) -> Vec<Cost> {
    let page = |n_leaves, number| synthetic::page(kind, n_leaves, number).into_bytes();
    let sets: Vec<Vec<Vec<u8>>> = N_LEAVES
        .iter()
        .map(|n_leaves| (0..N_MADE).map(|number| page(*n_leaves, number)).collect())
        .collect();
    for page in sets.iter().flat_map(|pages| parse(pages)) {
        assert!(page.notes().is_empty(), "a page was cut, so it has not the leaves it should have");
    }
    let sets: Vec<&[Vec<u8>]> = sets.iter().map(Vec::as_slice).collect();
    Cost::of_all(&sets, N_ROUNDS_OF_MADE)
}

/// The sites of a suite: folders that have pages.
fn sites(suite: &Path) -> io::Result<Vec<PathBuf>> {
    let mut sites = entries(suite)?;
    sites.retain(|site| site.join("pages").is_dir());
    Ok(sites)
}

/// What is in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
