//! Bytes to leaves, against yardsticks on the same pages in the same run.
//!
//! `cargo xtask bench page` runs it on real pages where they are to be had. Rounds of all contenders alternate, and each
//! contender's best round counts, because machines are noisy.

use html5ever_rcdom::tendril::TendrilSink as _;
use html5ever_rcdom::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const N_ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(700);

struct Contender {
    name: &'static str,
    run: fn(&[u8], &str),
}

const CONTENDERS: [Contender; 7] = [
    Contender { name: "memchr scan for '<'", run: memchr_scan },
    Contender { name: "html5ever tokens, no-op sink", run: html5ever_tokens },
    Contender { name: "html5ever, our arena", run: html5ever_arena },
    Contender { name: "html5ever + rcdom", run: html5ever_rcdom_tree },
    Contender { name: "ours, decode + parse", run: ours_parse },
    Contender { name: LEAVES_ONLY, run: ours_parse },
    Contender { name: "ours, decode + parse + leaves", run: ours_leaves },
];
/// Runs on pages parsed before, unlike the others.
const LEAVES_ONLY: &str = "ours, leaves of parsed pages";
const YARDSTICK: &str = "html5ever + rcdom";

fn main() {
    let folders: Vec<PathBuf> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).map(PathBuf::from).collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folders = if folders.is_empty() { vec![corpus] } else { folders };
    let mut pages = Vec::new();
    for folder in &folders {
        read_pages(folder, &mut pages);
    }
    let texts: Vec<String> =
        pages.iter().map(|bytes| page::parse(bytes).source().to_owned()).collect();
    let n_bytes: usize = pages.iter().map(Vec::len).sum();
    println!("{} pages, {:.1} MB", pages.len(), n_bytes as f64 / 1e6);
    let best = race(&pages, &texts, n_bytes);
    let yardstick = best[CONTENDERS.iter().position(|it| it.name == YARDSTICK).unwrap_or(0)];
    println!("{:32} {:>8}   against {YARDSTICK}", "", "MB/s");
    for (contender, speed) in CONTENDERS.iter().zip(&best) {
        println!("{:32} {speed:>8.0}   {:>5.2}", contender.name, speed / yardstick);
    }
}

/// The best speed of each contender, in MB/s.
fn race(pages: &[Vec<u8>], texts: &[String], n_bytes: usize) -> Vec<f64> {
    let mut best = vec![0.0_f64; CONTENDERS.len()];
    let parsed: Vec<page::Page> = pages.iter().map(|bytes| page::parse(bytes)).collect();
    for _ in 0..N_ROUNDS {
        for (contender, best) in CONTENDERS.iter().zip(&mut best) {
            let speed = if contender.name == LEAVES_ONLY {
                round(n_bytes, || parsed.iter().for_each(|page| drop(black_box(page.leaves()))))
            } else {
                round(n_bytes, || {
                    pages.iter().zip(texts).for_each(|(bytes, text)| (contender.run)(bytes, text));
                })
            };
            *best = best.max(speed);
        }
    }
    best
}

/// Repeat for a while; megabytes per second.
fn round(n_bytes: usize, mut all_pages: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut n_runs = 0;
    while start.elapsed() < ROUND || n_runs == 0 {
        all_pages();
        n_runs += 1;
    }
    (n_bytes * n_runs) as f64 / 1e6 / start.elapsed().as_secs_f64()
}

fn memchr_scan(bytes: &[u8], _: &str) {
    black_box(memchr::memchr_iter(b'<', bytes).count());
}

struct NoSink;

impl TokenSink for NoSink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        black_box(token);
        TokenSinkResult::Continue
    }
}

fn html5ever_tokens(_: &[u8], text: &str) {
    let tokenizer = Tokenizer::new(NoSink, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(text.into());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
}

fn html5ever_arena(_: &[u8], text: &str) {
    black_box(page::reference::parse(text));
}

fn html5ever_rcdom_tree(_: &[u8], text: &str) {
    let sink = markup5ever_rcdom::RcDom::default();
    black_box(html5ever_rcdom::parse_document(sink, Default::default()).one(text));
}

fn ours_parse(bytes: &[u8], _: &str) {
    black_box(page::parse(bytes));
}

fn ours_leaves(bytes: &[u8], _: &str) {
    black_box(page::parse(bytes).leaves());
}

fn read_pages(folder: &Path, pages: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    // A few pages of each folder, so that no site drowns the others.
    const PER_FOLDER: usize = 6;
    let mut n_taken = 0;
    for path in paths {
        if path.is_dir() {
            read_pages(&path, pages);
        } else if n_taken < PER_FOLDER && is_html(&path) {
            pages.extend(std::fs::read(&path));
            n_taken += 1;
        }
    }
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "html" || extension == "htm")
}
