//! What annotating a page costs, beside parsing it.
//!
//! `cargo xtask bench annotate` runs it on sets of articles with gold. Of each set some sites teach a model and pages of the
//! others are measured: on one core, in processor time, parsing by html5ever in the same rounds. Rounds alternate and each
//! one's best counts, because machines are noisy. Fails where annotating costs more than it may.

use annotate::{Example, Label, Labels, MapConfig, Model, Phase, Target, TrainConfig, train};
use cpu_time::ThreadTime;
use page::Page;
use serde_json::Value as Json;
use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{array, fs};

/// What annotating may cost, by what html5ever takes to parse the same pages.
const MAX_RATIO: f64 = 2.0;
const N_ROUNDS: usize = 5;
/// Pages of each set: to learn from, and to measure.
const N_TAUGHT: usize = 200;
const N_MEASURED: usize = 150;
const SCHEMA: &str = include_str!("../../../schemas/news.dtd");

fn main() -> ExitCode {
    let folders = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).map(PathBuf::from);
    let mut is_held = true;
    println!("ms a page       pages    KB  html5ever    ours  annotate  ratio  to ours   phases");
    for folder in folders {
        match sets(&folder).and_then(|sets| sets.iter().map(|it| measure(it)).collect()) {
            Ok(ratios) => {
                let ratios: Vec<f64> = ratios;
                is_held &= !ratios.is_empty() && ratios.iter().all(|it| *it <= MAX_RATIO);
            }
            Err(error) => {
                println!("failed: cannot read {folder:?}: {error}");
                is_held = false;
            }
        }
    }
    println!("{}: annotating costs at most {MAX_RATIO} times parsing", verdict(is_held));
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn verdict(is_held: bool) -> &'static str {
    if is_held { "ok" } else { "failed" }
}

/// The folders that have gold of values.
fn sets(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut sets = Vec::new();
    for entry in fs::read_dir(folder)? {
        sets.push(entry?.path());
    }
    sets.retain(|it| it.join("gold.jsonl").exists());
    sets.sort();
    Ok(sets)
}

/// An article with what is known of it.
struct Article {
    bytes: Vec<u8>,
    page: Page,
    site: String,
    values: Json,
}

/// Articles to learn from, and those of other sites.
fn articles(set: &Path) -> Result<(Vec<Article>, Vec<Article>), Box<dyn Error>> {
    let (mut taught, mut measured) = (Vec::new(), Vec::new());
    for line in fs::read_to_string(set.join("gold.jsonl"))?.lines() {
        let gold: Json = serde_json::from_str(line)?;
        let name = gold["page"].as_str().unwrap_or_default();
        let site = gold["url"].as_str().and_then(host).unwrap_or(name).to_owned();
        let is_taught = site.bytes().fold(0u8, u8::wrapping_add) % 2 == 0;
        let (list, most) = match is_taught {
            true => (&mut taught, N_TAUGHT),
            false => (&mut measured, N_MEASURED),
        };
        if list.len() < most {
            let bytes = fs::read(set.join("pages").join(name))?;
            let page = page::parse(&bytes);
            list.push(Article { bytes, page, site, values: gold["values"].clone() });
        }
    }
    Ok((taught, measured))
}

fn host(url: &str) -> Option<&str> {
    url.split("//").nth(1)?.split(['/', ':', '?', '#']).next()
}

fn teach(articles: &[Article]) -> Result<Model, Box<dyn Error>> {
    let target = Target::parse(SCHEMA)?;
    let examples: Vec<Example<'_>> = articles
        .iter()
        .map(|article| Example {
            page: &article.page,
            site: article.site.clone(),
            labels: Labels::new(labels(article, &target)),
        })
        .collect();
    Ok(train(&target, &examples, &TrainConfig::default()))
}

fn labels(article: &Article, target: &Target) -> Vec<Label> {
    let mut labels = Vec::new();
    for (nth, element) in target.elements().iter().enumerate() {
        let values = article.values[element.name()].as_array().into_iter().flatten();
        labels.extend(values.filter_map(Json::as_str).map(|it| Label::Value(nth, it.to_owned())));
    }
    labels
}

/// The times of one round over all pages.
#[derive(Clone, Copy)]
struct Round {
    html5ever: Duration,
    ours: Duration,
    phases: [Duration; Phase::ALL.len()],
}

impl Round {
    fn of(model: &Model, articles: &[Article]) -> Round {
        let html5ever = time(|| {
            for article in articles {
                black_box(page::reference::parse(article.page.source()));
            }
        });
        let ours = time(|| {
            for article in articles {
                black_box(page::parse(&article.bytes));
            }
        });
        Round { html5ever, ours, phases: phases(model, articles) }
    }

    /// The best of each.
    fn min(self, other: Round) -> Round {
        let is_better = self.annotate() < other.annotate();
        Round {
            html5ever: self.html5ever.min(other.html5ever),
            ours: self.ours.min(other.ours),
            phases: if is_better { self.phases } else { other.phases },
        }
    }

    fn annotate(&self) -> Duration {
        self.phases.iter().sum()
    }
}

fn time(run: impl FnOnce()) -> Duration {
    let start = ThreadTime::now();
    run();
    start.elapsed()
}

/// What each phase of annotating costs, from a parsed page to its values.
fn phases(model: &Model, articles: &[Article]) -> [Duration; Phase::ALL.len()] {
    let config = MapConfig::of(model.target());
    let mut sums = array::from_fn(|_| Duration::ZERO);
    for article in articles {
        let mut last = ThreadTime::now();
        let mut watch = |phase: Phase| {
            let now = ThreadTime::now();
            sums[phase as usize] += now.duration_since(last);
            last = now;
        };
        black_box(model.annotate_watched(&article.page, &config, &mut watch));
    }
    sums
}

/// Annotating by parsing, in a set.
fn measure(set: &Path) -> Result<f64, Box<dyn Error>> {
    let (taught, measured) = articles(set)?;
    let model = teach(&taught)?;
    let first = Round::of(&model, &measured);
    let best = (1..N_ROUNDS).fold(first, |best, _| best.min(Round::of(&model, &measured)));
    let n = measured.len().max(1) as f64;
    let ms = |time: Duration| time.as_secs_f64() * 1e3 / n;
    let size = measured.iter().map(|it| it.bytes.len()).sum::<usize>() as f64 / 1e3 / n;
    let annotate = ms(best.annotate());
    let ratio = annotate / ms(best.html5ever);
    let name = set.file_name().unwrap_or_default().to_string_lossy();
    print!(
        "{name:14} {:>6} {size:>5.0} {:>10.2} {:>7.2} {annotate:>9.2} {ratio:>6.2} {:>8.2}  ",
        measured.len(),
        ms(best.html5ever),
        ms(best.ours),
        annotate / ms(best.ours)
    );
    for (phase, took) in Phase::ALL.iter().zip(best.phases) {
        print!(" {} {:.2}", format!("{phase:?}").to_lowercase(), ms(took));
    }
    println!();
    Ok(ratio)
}
