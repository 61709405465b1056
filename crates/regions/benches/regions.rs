//! What it costs to find people, units and record sets on a page, beside parsing it.
//!
//! `cargo xtask bench regions FOLDER…` runs it on the pages below some folders, and on pages made for it of 2,000 to 20,000 leaves, which
//! show how costs grow. Whole is from bytes to what is found, parsing and leaves included; it is measured beside our own bare
//! parse and beside that of html5ever, on one core, in processor time. All take turns, and each one's best round
//! counts, because machines are noisy. Fails where finding costs more than it may by html5ever, which is what others parse with; by our
//! own parser, which is several times as fast, it is told.

#[path = "regions/made.rs"]
mod made;

use cpu_time::ThreadTime;
use page::{Leaves, Page};
use regions::{Config, Outline, SetConfig, candidates, people_in, record_sets, units_in};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What pages may cost as a whole, by what parsing them takes.
const MAX_RATIO: f64 = 3.0;
const N_ROUNDS: usize = 7;
/// Larger pages are nobody's.
const MAX_LEAVES: usize = 20_100;
/// Pages named, of each folder and kind.
const N_NAMED: usize = 3;

/// What is found on a page: its name, and how much there is of it.
type Kind = (&'static str, fn(&Page, &Leaves, &Config) -> usize);

const KINDS: [Kind; 4] = [
    ("people", |page, leaves, config| people_in(page, leaves, config).len()),
    ("units", |page, leaves, config| units_in(page, leaves, config).len()),
    ("record sets", |page, leaves, _| {
        candidates(&Outline::new(page, leaves), leaves, None, &SetConfig::default()).len()
    }),
    ("with columns", |page, leaves, _| {
        record_sets(page, leaves, None, &SetConfig::default()).len()
    }),
];

fn main() -> ExitCode {
    let folders = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).map(PathBuf::from);
    let config = Config::default();
    println!(
        "{:<14}{:<34}{:>7}{:>10}{:>11}{:>10}{:>9}{:>14}",
        "kind", "page", "leaves", "parse ms", "html5ever", "whole ms", "by ours", "by html5ever"
    );
    // By kind, the most that any folder or made page costs: by ours, by html5ever.
    let mut most = [(0.0, 0.0); KINDS.len()];
    let mut note = |nth: usize, cost: &Cost| {
        let (by_ours, by_html5ever): &mut (f64, f64) = &mut most[nth];
        *by_ours = by_ours.max(cost.by_ours(nth));
        *by_html5ever = by_html5ever.max(cost.by_html5ever(nth));
    };
    for folder in folders {
        let mut pages = Vec::new();
        collect(&folder, &mut pages);
        let costs: Vec<Cost> =
            pages.iter().filter_map(|(name, bytes)| measure(name, bytes, &config)).collect();
        for (nth, (kind, _)) in KINDS.iter().enumerate() {
            note(nth, &print_kind(nth, kind, &folder, &costs));
        }
    }
    for (nth, (kind, _)) in KINDS.iter().enumerate() {
        for (name, bytes) in made::pages(kind) {
            let Some(cost) = measure(&name, &bytes, &config) else { continue };
            cost.print(kind, nth);
            note(nth, &cost);
        }
    }
    for ((kind, _), (by_ours, by_html5ever)) in KINDS.iter().zip(most) {
        println!("{kind}: at most {by_ours:.1} times our parse, {by_html5ever:.1} times html5ever");
    }
    let is_held = most.iter().all(|(_, by_html5ever)| *by_html5ever <= MAX_RATIO);
    let verdict = if is_held { "ok" } else { "failed" };
    println!(
        "{verdict}: finding costs at most {MAX_RATIO} times a bare parse by html5ever, parsing included"
    );
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The dearest pages of a folder, then all of them together.
fn print_kind(nth: usize, kind: &str, folder: &Path, costs: &[Cost]) -> Cost {
    let mut dearest: Vec<&Cost> = costs.iter().collect();
    dearest.sort_by(|a, b| b.by_ours(nth).total_cmp(&a.by_ours(nth)));
    dearest.iter().take(N_NAMED).for_each(|cost| cost.print(kind, nth));
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let all = Cost {
        name: format!("all {} of {folder}", costs.len()),
        n_leaves: costs.iter().map(|it| it.n_leaves).sum(),
        parse: costs.iter().map(|it| it.parse).sum(),
        html5ever: costs.iter().map(|it| it.html5ever).sum(),
        whole: std::array::from_fn(|nth| costs.iter().map(|it| it.whole[nth]).sum()),
    };
    all.print(kind, nth);
    all
}

struct Cost {
    name: String,
    n_leaves: usize,
    parse: Duration,
    html5ever: Duration,
    /// By kind.
    whole: [Duration; KINDS.len()],
}

impl Cost {
    fn by_ours(&self, kind: usize) -> f64 {
        self.whole[kind].as_secs_f64() / self.parse.as_secs_f64()
    }

    fn by_html5ever(&self, kind: usize) -> f64 {
        self.whole[kind].as_secs_f64() / self.html5ever.as_secs_f64()
    }

    fn print(&self, kind: &str, nth: usize) {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let name: String = self.name.chars().take(32).collect();
        let (parse, html5ever, whole) = (ms(self.parse), ms(self.html5ever), ms(self.whole[nth]));
        println!(
            "{kind:<14}{name:<34}{:>7}{parse:>10.3}{html5ever:>11.3}{whole:>10.3}{:>9.2}{:>14.2}",
            self.n_leaves,
            self.by_ours(nth),
            self.by_html5ever(nth)
        );
    }
}

/// None of pages that are too large.
fn measure(name: &str, bytes: &[u8], config: &Config) -> Option<Cost> {
    let text = String::from_utf8_lossy(bytes);
    let n_leaves = page::parse(bytes).leaves().len();
    if n_leaves > MAX_LEAVES {
        return None;
    }
    let (mut parse, mut html5ever) = (Duration::MAX, Duration::MAX);
    let mut whole = [Duration::MAX; KINDS.len()];
    for _ in 0..N_ROUNDS {
        parse = parse.min(time(|| page::parse(black_box(bytes))));
        html5ever = html5ever.min(time(|| page::reference::parse(black_box(&text))));
        for (best, (_, find)) in whole.iter_mut().zip(KINDS) {
            *best = (*best).min(time(|| {
                let page = page::parse(black_box(bytes));
                find(&page, &page.leaves(), config)
            }));
        }
    }
    Some(Cost { name: name.to_owned(), n_leaves, parse, html5ever, whole })
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

/// The pages below a folder, by name.
fn collect(folder: &Path, pages: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let is_page = path.extension().is_some_and(|it| it == "html" || it == "htm");
        if path.is_dir() {
            collect(&path, pages);
        } else if let (true, Ok(bytes)) = (is_page, std::fs::read(&path)) {
            let parts = path.components().rev().map(|it| it.as_os_str().to_string_lossy());
            let mut parts: Vec<_> = parts.filter(|it| it != "pages").take(2).collect();
            parts.reverse();
            pages.push((parts.join("/"), bytes));
        }
    }
}
