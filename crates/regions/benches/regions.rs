//! What it costs to find the record sets of a page, beside parsing it.
//!
//! `cargo xtask bench regions` runs it on pages that list things. Each page is measured on one core, in processor time, parsing and
//! finding in the same rounds; each one's best round counts, because machines are noisy. Fails where finding costs more than
//! it may.

use cpu_time::ThreadTime;
use regions::{SetConfig, record_sets};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What finding may cost, by what parsing the same pages takes.
const MAX_RATIO: f64 = 3.0;
const N_ROUNDS: usize = 5;
/// Larger pages are nobody's.
const MAX_LEAVES: usize = 20_000;

fn main() -> ExitCode {
    let folders = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).map(PathBuf::from);
    let mut pages: Vec<(String, Vec<u8>)> = Vec::new();
    folders.for_each(|folder| collect(&folder, &mut pages));
    for n_records in [100, 2_000, 6_600] {
        pages.push((format!("made, {n_records} records"), made(n_records)));
    }
    let mut costs: Vec<Cost> =
        pages.iter().filter_map(|(name, bytes)| measure(name, bytes)).collect();
    costs.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    println!("{:<60}{:>8}{:>12}{:>12}{:>8}", "page", "leaves", "parse ms", "sets ms", "ratio");
    for cost in costs.iter().take(12) {
        cost.print();
    }
    let sum = |of: fn(&Cost) -> Duration| costs.iter().map(of).sum();
    let all = Cost {
        name: format!("all {}", costs.len()),
        n_leaves: costs.iter().map(|it| it.n_leaves).sum(),
        parse: sum(|it| it.parse),
        find: sum(|it| it.find),
    };
    all.print();
    let is_held = all.ratio() <= MAX_RATIO;
    let verdict = if is_held { "ok" } else { "failed" };
    println!("{verdict}: finding the sets of a page costs at most {MAX_RATIO} times parsing it");
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Cost {
    name: String,
    n_leaves: usize,
    parse: Duration,
    find: Duration,
}

impl Cost {
    fn ratio(&self) -> f64 {
        self.find.as_secs_f64() / self.parse.as_secs_f64()
    }

    fn print(&self) {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let name: String = self.name.chars().take(58).collect();
        let (parse, find) = (ms(self.parse), ms(self.find));
        println!("{name:<60}{:>8}{parse:>12.3}{find:>12.3}{:>8.2}", self.n_leaves, self.ratio());
    }
}

/// None of pages that are too large.
fn measure(name: &str, bytes: &[u8]) -> Option<Cost> {
    let (mut parse, mut find) = (Duration::MAX, Duration::MAX);
    let mut n_leaves = 0;
    for _ in 0..N_ROUNDS {
        let start = ThreadTime::now();
        let page = black_box(page::parse(black_box(bytes)));
        parse = parse.min(start.elapsed());
        let start = ThreadTime::now();
        let leaves = page.leaves();
        black_box(record_sets(&page, &leaves, None, &SetConfig::default()));
        find = find.min(start.elapsed());
        n_leaves = leaves.len();
    }
    (n_leaves <= MAX_LEAVES).then(|| Cost { name: name.to_owned(), n_leaves, parse, find })
}

/// A page of records, each of three leaves.
fn made(n_records: usize) -> Vec<u8> {
    let record = |n: usize| {
        let badge = if n.is_multiple_of(3) { "<em>new</em>" } else { "" };
        format!(
            "<li class='book b{n}'><a href=/{n}>Book {n}</a>{badge} <span class=price>${n}.99</span><p>About book {n}</p>"
        )
    };
    let records: String = (0..n_records).map(record).collect();
    format!("<h1>Books</h1><ul>{records}</ul>").into_bytes()
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
            let name = path.components().rev().take(3).map(|it| it.as_os_str().to_string_lossy());
            let name: Vec<_> = name.collect();
            pages.push((name.into_iter().rev().collect::<Vec<_>>().join("/"), bytes));
        }
    }
}
