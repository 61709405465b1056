//! What extraction costs: beside parsing, beside other programs, by two cores, and beside learning from every page.
//!
//! `cargo xtask bench extract` runs it on real detail sites where they are to be had, else on the corpus. Of each site a
//! wrapper is learnt from ten evenly spaced pages, and the others are extracted, all columns. Everything but the two cores
//! is processor time of one core. Rounds alternate and each site's best counts, because machines are noisy.
//!
//! An extractor finds out about a template as it goes, so it is told how fast it is from its first page on (cold), and
//! how fast once it knows the site (warm). No extractor ever measures a page that it has read before: warm ones read one
//! half of the others, every second page, and are measured on the other half, and the other way round, with a new extractor
//! for each half and round. The limits are for warm extractors and pages that they have not seen.
//!
//! The peers get the same pages, in bytes and in memory as ours, and are set up outside of the measured time; `peers.py` says
//! how. parsel evaluates five XPaths a page, where ours gives all columns. Scrapely is shown one page and then finds
//! the fields that it was shown.
//!
//! Fails where a limit is not held. What could not be measured is told and fails nothing.

mod cores;
mod peers;
mod report;
mod site;

use cores::{Cores, Speedup};
use cpu_time::ThreadTime;
use mimalloc::MiMalloc;
use pagemill::{Extractor, LearnConfig, LearnError, Page, ParseConfig, Wrapper, learn, parse};
use peers::{Answer, Peers};
use site::{File, Site, sites};
use std::convert::Infallible;
use std::hint::black_box;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// As the command has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Few, because there are many sites, and their noise evens out.
const N_ROUNDS: usize = 3;

fn main() -> ExitCode {
    let (mut folders, mut python) = (Vec::new(), None);
    for arg in std::env::args().skip(1) {
        match arg.strip_prefix("--python=") {
            Some(path) => python = Some(PathBuf::from(path)),
            None if arg.starts_with("--") => {}
            None => folders.push(PathBuf::from(arg)),
        }
    }
    match measure_all(&folders, python.as_deref()) {
        Ok((measured, cores)) => report::print(&measured, &cores),
        Err(error) => {
            println!("failed: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What the pages of one site cost.
pub(crate) struct Measured {
    name: String,
    n_learnt: usize,
    n_others: usize,
    n_bytes: usize,
    /// Parsing the others, and nothing else.
    parse: Duration,
    /// Getting all columns of the others, with an extractor that knows the site and none of these pages.
    extract: Duration,
    /// The same with one that knows nothing at first.
    extract_cold: Duration,
    /// The same as the first of the few pages that the slowest peer gets.
    extract_few: Duration,
    n_few: usize,
    /// Parsing all pages and learning from all of them.
    learn_all: Duration,
    /// Parsing all pages, learning from some and extracting the others.
    learn_some: Duration,
    speedup: Speedup,
    /// The same of wrappers that were just read from a file.
    speedup_cold: Speedup,
    peers: Answer,
}

fn measure_all(
    folders: &[PathBuf],
    python: Option<&Path>,
) -> Result<(Vec<Measured>, Cores), Box<dyn std::error::Error>> {
    let mut peers = python.map(Peers::start).transpose()?;
    let is_watched = io::stderr().is_terminal();
    let mut cores = Cores::default();
    let mut measured = Vec::new();
    for folder in folders {
        for site in sites(folder)? {
            let site = site?;
            if is_watched {
                eprint!("\r{:40}", site.name());
            }
            measured.push(measure(&site, &mut cores, peers.as_mut())?);
        }
    }
    if is_watched {
        eprint!("\r{:40}\r", "");
    }
    Ok((measured, cores))
}

fn measure(
    site: &Site,
    cores: &mut Cores,
    peers: Option<&mut Peers>,
) -> Result<Measured, Box<dyn std::error::Error>> {
    let wrapper = learn_from(&site.learnt)?;
    let mut parsing = Duration::MAX;
    let [mut extracting, mut extracting_cold, mut extracting_few] = [Duration::MAX; 3];
    let n_few = peers::few(&site.others).count();
    for _ in 0..N_ROUNDS {
        parsing = parsing.min(cost(|| {
            site.others.iter().for_each(|page| drop(black_box(parse(&page.bytes))));
        }));
        let warm = extract_warm(&wrapper, &site.others, |_| true);
        extracting = extracting.min(warm);
        extracting_cold =
            extracting_cold.min(cost(|| extract(&mut Extractor::new(&wrapper), &site.others)));
        let few: Vec<&str> = peers::few(&site.others).map(|file| &*file.name).collect();
        let warm = extract_warm(&wrapper, &site.others, |file| few.contains(&&*file.name));
        extracting_few = extracting_few.min(warm);
    }
    let (learn_all, learn_some) = learning(site)?;
    let file = wrapper.to_json()?;
    Ok(Measured {
        name: site.name(),
        n_learnt: site.learnt.len(),
        n_others: site.others.len(),
        n_bytes: site.others.iter().map(|page| page.bytes.len()).sum(),
        parse: parsing,
        extract: extracting,
        extract_cold: extracting_cold,
        extract_few: extracting_few,
        n_few,
        learn_all,
        learn_some,
        // What was found out with a wrapper, those copied from it know too.
        speedup: cores.measure(&site.others, || Ok::<_, Infallible>(wrapper.clone()))?,
        speedup_cold: cores.measure(&site.others, || Wrapper::from_json(file.as_bytes()))?,
        peers: peers.map(|peers| peers.measure(site)).transpose()?.unwrap_or_default(),
    })
}

fn extract<'f>(extractor: &mut Extractor<'_>, pages: impl IntoIterator<Item = &'f File>) {
    let config = ParseConfig::default();
    for page in pages {
        drop(black_box(extractor.extract_bytes(&page.bytes, &config)));
    }
}

/// What it costs to extract those pages that are wanted, each half of them with an extractor that has read the other half.
fn extract_warm(wrapper: &Wrapper, pages: &[File], is_wanted: impl Fn(&File) -> bool) -> Duration {
    let half = |nth: usize| pages.iter().skip(nth).step_by(2);
    let measured = [(0, 1), (1, 0)].map(|(known, new)| {
        let mut extractor = Extractor::new(wrapper);
        extract(&mut extractor, half(known));
        let wanted: Vec<&File> = half(new).filter(|file| is_wanted(file)).collect();
        cost(|| extract(&mut extractor, wanted))
    });
    measured.iter().sum()
}

/// What it costs to get the data of all pages: by learning from all, and by learning from some.
fn learning(site: &Site) -> Result<(Duration, Duration), LearnError> {
    // Once, because it is long and nothing depends on it.
    let mut learnt = Ok(());
    let all = cost(|| learnt = learn_from(site.learnt.iter().chain(&site.others)).map(drop));
    learnt?;
    let mut learnt = Ok(());
    let some = cost(|| {
        learnt = learn_from(&site.learnt)
            .map(|wrapper| extract(&mut Extractor::new(&wrapper), &site.others));
    });
    learnt?;
    Ok((all, some))
}

fn learn_from<'f>(files: impl IntoIterator<Item = &'f File>) -> Result<Wrapper, LearnError> {
    let pages: Vec<Page> = files.into_iter().map(|file| parse(&file.bytes)).collect();
    learn(pages, &LearnConfig::default()).map(|learnt| learnt.wrapper)
}

/// Processor time of this thread.
fn cost(work: impl FnOnce()) -> Duration {
    let start = ThreadTime::now();
    work();
    start.elapsed()
}
