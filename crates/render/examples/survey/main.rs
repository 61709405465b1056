//! Does the renderer get through the web, and is it right? `cargo xtask eval render` runs this.
//!
//! It renders real pages, none of which may end it; and of some pages that bring their styles it compares what it found with
//! what a browser finds, if there is one.

mod order;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use order::{correlation, ranks};
use page::{Leaves, NodeKind, Page};
use render::{
    Chromium, Config, Detail, Look, Renderer, Rendering, Trouble, by_rules, find_chromium,
};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Render pages, and compare some with a browser
#[derive(Parser)]
struct Flags {
    /// Sets of pages: folders that have a folder `pages`
    #[arg(required = true)]
    sets: Vec<PathBuf>,
    /// Render the first so many pages of each set
    #[arg(long, value_name = "N")]
    pages: Option<usize>,
    /// Pages at a time [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Compare with the browser on this many pages
    #[arg(long, value_name = "N", default_value_t = N_COMPARED)]
    compared: usize,
    /// Write all figures to a file, as JSON
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,
    /// Show each page that was not rendered, and each that was compared
    #[arg(long, short)]
    verbose: bool,
}

/// Styles alone are measured on one of so many pages.
const SAMPLED: usize = 20;
const N_COMPARED: usize = 20;
/// Pages with less than this in their `<style>` elements say little of their look.
const MIN_STYLE: usize = 2_000;
/// So many leaves have an order worth speaking of.
const MIN_LEAVES: usize = 50;

fn main() -> ExitCode {
    // To stdout, because in builds with checks the engine says much on stderr.
    match run(&Flags::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(flags: &Flags) -> Result<()> {
    let mut pages = Vec::new();
    let mut sets = Vec::new();
    for set in &flags.sets {
        let mut of_set = entries(&set.join("pages"))?;
        of_set.truncate(flags.pages.unwrap_or(usize::MAX));
        let outcomes = render_all(&of_set, &Config::default(), flags.jobs)?;
        sets.push(tell(&name(set), &outcomes, flags.verbose));
        pages.extend(of_set);
    }
    ensure!(!pages.is_empty(), "there are no pages");
    let sample: Vec<PathBuf> = pages.iter().step_by(SAMPLED).cloned().collect();
    let config = Config { detail: Detail::Style, ..Config::default() };
    let styled = render_all(&sample, &config, flags.jobs)?;
    println!("styles alone: {:.1} ms a page", mean_ms(&styled, |it| it.time));
    let compared = find_chromium().map(|program| compare(&pages, &program, flags)).transpose()?;
    if let Some(file) = &flags.figures {
        let figures = json!({ "sets": sets, "compared": compared }).to_string();
        fs::write(file, figures).with_context(|| format!("cannot write {file:?}"))?;
    }
    Ok(())
}

/// What came of one page.
#[derive(Clone)]
struct Outcome {
    page: PathBuf,
    time: Duration,
    /// Of the rules alone.
    rules_time: Duration,
    n_placed: usize,
    n_leaves: usize,
    trouble: Option<Trouble>,
}

/// Render pages, by all cores.
fn render_all(pages: &[PathBuf], config: &Config, jobs: Option<usize>) -> Result<Vec<Outcome>> {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_jobs = jobs.unwrap_or(n_cores).max(1);
    // A renderer is used for some pages and then thrown away, so that one that is stuck does not spoil the rest.
    let work = |pages: &[PathBuf]| {
        let mut outcomes = Vec::new();
        for few in pages.chunks(50) {
            let mut renderer = Renderer::new(config.clone());
            for path in few {
                outcomes.push(outcome(&mut renderer, path)?);
            }
        }
        Ok(outcomes)
    };
    let work = &work;
    let outcomes: Result<Vec<Vec<Outcome>>> = std::thread::scope(|scope| {
        let parts = pages.chunks(pages.len().div_ceil(n_jobs).max(1));
        let jobs: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let end = |_| anyhow::anyhow!("a thread failed");
        jobs.into_iter().map(|job| job.join().map_err(end)?).collect()
    });
    Ok(outcomes?.concat())
}

fn outcome(renderer: &mut Renderer, path: &Path) -> Result<Outcome> {
    let page = page::parse(&fs::read(path).with_context(|| format!("cannot read {path:?}"))?);
    let leaves = page.leaves();
    let start = Instant::now();
    std::hint::black_box(by_rules(&page, &leaves));
    let rules_time = start.elapsed();
    let start = Instant::now();
    let Rendering { looks, trouble, .. } = renderer.render(&page, &leaves, None);
    let n_placed = looks.iter().filter(|look| look.area.is_some()).count();
    Ok(Outcome {
        page: path.to_owned(),
        time: start.elapsed(),
        rules_time,
        n_placed,
        n_leaves: leaves.len(),
        trouble,
    })
}

fn mean_ms(outcomes: &[Outcome], time: fn(&Outcome) -> Duration) -> f64 {
    let sum: Duration = outcomes.iter().map(time).sum();
    sum.as_secs_f64() * 1e3 / outcomes.len().max(1) as f64
}

/// Print what came of the pages of a set; gives its figures.
fn tell(set: &str, outcomes: &[Outcome], is_verbose: bool) -> Json {
    let count = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|it| is(it)).count();
    let n_late = count(&|it| matches!(it.trouble, Some(Trouble::Late(_))));
    let n_failed = count(&|it| it.trouble.is_some()) - n_late;
    let n_shown = count(&|it| it.n_leaves > 0);
    let n_boxed = count(&|it| it.trouble.is_none() && it.n_placed > 0);
    let mut times: Vec<f64> = outcomes.iter().map(|it| it.time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    let ms = mean_ms(outcomes, |it| it.time);
    println!(
        "{set}: {} pages, {n_shown} with leaves: {n_boxed} have boxes, {n_failed} failed, {n_late} took too long; \
         {ms:.1} ms a page (half below {:.1}, 99 of 100 below {:.1}, all below {:.1}), by the rules alone {:.3}",
        outcomes.len(),
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or_default(),
        mean_ms(outcomes, |it| it.rules_time),
    );
    for it in outcomes.iter().filter(|it| is_verbose && (it.trouble.is_some() || it.n_placed == 0))
    {
        let why = it.trouble.as_ref().map_or("it shows nothing".to_owned(), ToString::to_string);
        println!("  {}: {why} ({} leaves)", it.page.display(), it.n_leaves);
    }
    json!({
        "name": set,
        "pages": outcomes.len(),
        "shown": n_shown,
        "boxes": n_boxed,
        "failed": n_failed,
        "late": n_late,
        "ms": ms,
    })
}

/// How far two looks of the same leaves agree, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
struct Agreement {
    order: f64,
    seen: f64,
    size: f64,
    weight: f64,
    colour: f64,
}

/// Compare with a browser; gives how far the order of leaves agrees on each page.
fn compare(pages: &[PathBuf], program: &Path, flags: &Flags) -> Result<Vec<Json>> {
    let config = Config { deadline: Duration::from_secs(60), ..Config::default() };
    let mut browser = Chromium::new(program, config.clone());
    let mut renderer = Renderer::new(config);
    let (mut all, mut figures) = (Vec::new(), Vec::new());
    for path in candidates(pages) {
        if all.len() == flags.compared {
            break;
        }
        let page = page::parse(&fs::read(path).with_context(|| format!("cannot read {path:?}"))?);
        let leaves = page.leaves();
        if style_len(&page) < MIN_STYLE || leaves.len() < MIN_LEAVES {
            continue;
        }
        let (ours, theirs) =
            (renderer.render(&page, &leaves, None), browser.render(&page, &leaves, None));
        if let Some(trouble) = theirs.trouble {
            println!("  {}: the browser did not render it: {trouble}", path.display());
            continue;
        }
        let agreement = agreement(&leaves, &ours.looks, &theirs.looks);
        if flags.verbose {
            println!("  {}: {agreement:.3?}", path.display());
        }
        figures.push(json!({ "page": shown(path), "order": agreement.order }));
        all.push(agreement);
    }
    let mean =
        |part: fn(&Agreement) -> f64| all.iter().map(part).sum::<f64>() / all.len().max(1) as f64;
    println!(
        "{} pages as in a browser: order of leaves {:.4}, seen {:.4}, size {:.4}, weight {:.4}, colour {:.4}",
        all.len(),
        mean(|it| it.order),
        mean(|it| it.seen),
        mean(|it| it.size),
        mean(|it| it.weight),
        mean(|it| it.colour),
    );
    ensure!(!all.is_empty() || flags.compared == 0, "no page could be compared");
    Ok(figures)
}

/// Pages in an order that has some of every set, the same in each run.
fn candidates(pages: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    const STRIDE: usize = 37;
    (0..STRIDE).flat_map(move |start| pages.iter().skip(start).step_by(STRIDE))
}

/// How much style a page brings itself.
fn style_len(page: &Page) -> usize {
    let is_style =
        |it: &page::NodeId| page.kind(*it) == NodeKind::Element && page.tag(*it) == Some("style");
    page.descendants(page.document()).filter(is_style).map(|it| page.text_content(it).len()).sum()
}

fn agreement(leaves: &Leaves, ours: &[Look], theirs: &[Look]) -> Agreement {
    let n_same = ours.iter().zip(theirs).filter(|(a, b)| a.is_visible == b.is_visible).count();
    let both: Vec<(&Look, &Look)> =
        ours.iter().zip(theirs).filter(|(a, b)| a.area.is_some() && b.area.is_some()).collect();
    let share = |is: &dyn Fn(&Look, &Look) -> bool| {
        both.iter().filter(|(a, b)| is(a, b)).count() as f64 / both.len().max(1) as f64
    };
    let y = |look: &Look| look.area.map_or(0.0, |area| f64::from(area.y));
    let ours_y: Vec<f64> = both.iter().map(|(a, _)| y(a)).collect();
    let theirs_y: Vec<f64> = both.iter().map(|(_, b)| y(b)).collect();
    Agreement {
        order: correlation(&ranks(&ours_y), &ranks(&theirs_y)),
        seen: n_same as f64 / leaves.len().max(1) as f64,
        size: share(&|a, b| (a.size - b.size).abs() < 0.5),
        weight: share(&|a, b| a.weight == b.weight),
        colour: share(&|a, b| a.colour == b.colour),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A page with its set.
fn shown(page: &Path) -> String {
    let set = page.parent().and_then(Path::parent).map(name).unwrap_or_default();
    format!("{set}/{}", name(page))
}

/// What is in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).and_then(|it| it.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = read.with_context(|| format!("cannot read {folder:?}"))?;
    entries
        .retain(|it| !it.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    entries.sort();
    Ok(entries)
}
