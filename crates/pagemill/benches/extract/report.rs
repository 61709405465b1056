//! What was measured, as a table for people, against the limits.

use crate::Measured;
use crate::cores::Cores;
use crate::peers::Took;
use std::process::ExitCode;
use std::time::Duration;

/// What a page may cost with extraction, by what it costs to parse.
const MAX_RATIO: f64 = 1.35;
/// How many times as many pages a second as others.
const MIN_OVER_PARSEL: f64 = 5.0;
const MIN_OVER_SCRAPELY: f64 = 30.0;
/// How much two cores must be faster than one.
const MIN_SPEEDUP: f64 = 1.8;
/// Who shares the machine with more than this much of a core cannot tell how fast two cores are.
const MAX_OTHERS: f64 = 0.1;

/// Two times of each site, whose ratio is of interest.
struct Pairs<'m>(Vec<(&'m str, Duration, Duration)>);

impl<'m> Pairs<'m> {
    fn of(
        measured: &'m [Measured],
        pair: impl Fn(&Measured) -> Option<(Duration, Duration)>,
    ) -> Option<Pairs<'m>> {
        let pairs = measured.iter().filter_map(|site| {
            let (over, under) = pair(site)?;
            Some((&*site.name, over, under))
        });
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by(|left, right| ratio(left).total_cmp(&ratio(right)));
        (!pairs.is_empty()).then_some(Pairs(pairs))
    }

    fn in_all(&self) -> f64 {
        let sum = |part: fn(&(&str, Duration, Duration)) -> Duration| -> Duration {
            self.0.iter().map(part).sum()
        };
        sum(|it| it.1).as_secs_f64() / sum(|it| it.2).as_secs_f64()
    }

    /// In all, and the median, the lowest and the highest site.
    fn figures(&self) -> String {
        let told = |at: usize| (ratio(&self.0[at]), self.0[at].0);
        let (least, last) = (told(0), told(self.0.len() - 1));
        format!(
            "{:>7.2}{:>8.2}{:>8.2} {:24}{:>8.2} {:24}",
            self.in_all(),
            ratio(&self.0[self.0.len() / 2]),
            least.0,
            least.1,
            last.0,
            last.1
        )
    }
}

fn ratio((_, over, under): &(&str, Duration, Duration)) -> f64 {
    over.as_secs_f64() / under.as_secs_f64()
}

/// Whether a limit is held.
enum Verdict {
    Ok,
    Fail,
    /// It could not be told, and why.
    Open(String),
}

impl Verdict {
    fn of(is_held: bool) -> Verdict {
        if is_held { Verdict::Ok } else { Verdict::Fail }
    }
}

pub(crate) fn print(measured: &[Measured], cores: &Cores) -> ExitCode {
    if measured.is_empty() {
        println!("failed: no detail sites there");
        return ExitCode::FAILURE;
    }
    print_costs(measured);
    println!("\n{:30}{:>7}{:>8}{:>8} {:24}{:>8}", "", "in all", "median", "least", "", "most");
    let mut has_failed = false;
    let mut row = |name: &str, pairs: Option<Pairs<'_>>, limit: &str, judge: Judge<'_>| {
        let Some(pairs) = pairs else {
            println!("{name:30} could not be had, so not measured; limit {limit}");
            return;
        };
        let verdict = match judge(pairs.in_all()) {
            Verdict::Ok => "ok".to_owned(),
            Verdict::Open(why) => why,
            Verdict::Fail => {
                has_failed = true;
                "FAIL".to_owned()
            }
        };
        println!("{name:30}{} {limit:14} {verdict}", pairs.figures());
    };
    row(
        "extract over parse",
        Pairs::of(measured, |site| Some((site.extract, site.parse))),
        &format!("at most {MAX_RATIO}"),
        &|ratio| Verdict::of(ratio <= MAX_RATIO),
    );
    row(
        "extract from cold over parse",
        Pairs::of(measured, |site| Some((site.extract_cold, site.parse))),
        "no limit",
        &|_| Verdict::Open(String::new()),
    );
    row(
        "parsel over ours",
        Pairs::of(measured, |site| Some((site.peers.parsel?.time, site.extract))),
        &format!("at least {MIN_OVER_PARSEL}"),
        &|ratio| Verdict::of(ratio >= MIN_OVER_PARSEL),
    );
    row(
        "Scrapely over ours",
        Pairs::of(measured, |site| Some((site.peers.scrapely?.time, site.extract_few))),
        &format!("at least {MIN_OVER_SCRAPELY}"),
        &|ratio| Verdict::of(ratio >= MIN_OVER_SCRAPELY),
    );
    row(
        "one thread over two",
        Pairs::of(measured, |site| Some((site.speedup.one.clock, site.speedup.two.clock))),
        &format!("at least {MIN_SPEEDUP}"),
        &|ratio| speedup(ratio, cores),
    );
    row(
        "the same in a first run",
        Pairs::of(measured, |site| {
            Some((site.speedup_cold.one.clock, site.speedup_cold.two.clock))
        }),
        "no limit",
        &|_| Verdict::Open(String::new()),
    );
    row(
        "learning from all over some",
        Pairs::of(measured, |site| Some((site.learn_all, site.learn_some))),
        "no limit",
        &|_| Verdict::Open(String::new()),
    );
    print_notes(measured, cores);
    ExitCode::from(u8::from(has_failed))
}

type Judge<'j> = &'j dyn Fn(f64) -> Verdict;

/// Two threads that are fast enough are so whoever else was there; those that are not may have lacked a core.
fn speedup(ratio: f64, cores: &Cores) -> Verdict {
    let others = cores.others();
    match ratio >= MIN_SPEEDUP {
        true => Verdict::Ok,
        false if others > MAX_OTHERS => {
            Verdict::Open(format!("not to be told: others had {others:.1} cores"))
        }
        false => Verdict::Fail,
    }
}

fn print_costs(measured: &[Measured]) {
    let n = |part: fn(&Measured) -> usize| measured.iter().map(part).sum::<usize>();
    let (n_learnt, n_others) = (n(|site| site.n_learnt), n(|site| site.n_others));
    let n_bytes = n(|site| site.n_bytes);
    println!(
        "{} sites, learnt from {n_learnt} pages, measured on {n_others} others of {} KB in the mean",
        measured.len(),
        n_bytes / n_others.max(1) / 1000
    );
    println!(
        "{:30}{:>10}{:>16}{:>8}",
        "one core, processor time", "ms a page", "pages a second", "MB/s"
    );
    let row = |name: &str, n_pages: usize, time: Duration, n_bytes: Option<usize>| {
        let (pages, seconds) = (n_pages as f64, time.as_secs_f64());
        let speed = n_bytes.map_or(String::new(), |n| format!("{:.0}", n as f64 / 1e6 / seconds));
        println!("{name:30}{:>10.3}{:>16.0}{speed:>8}", seconds * 1e3 / pages, pages / seconds);
    };
    let sum = |part: fn(&Measured) -> Duration| measured.iter().map(part).sum::<Duration>();
    row("parse", n_others, sum(|site| site.parse), Some(n_bytes));
    row("extract, warm, new pages", n_others, sum(|site| site.extract), Some(n_bytes));
    row("extract, from cold", n_others, sum(|site| site.extract_cold), Some(n_bytes));
    type Peer = fn(&Measured) -> (Option<Took>, usize);
    let peers: [(&str, Peer); 2] = [
        ("parsel, five XPaths", |site| (site.peers.parsel, site.n_others)),
        ("Scrapely, shown one page", |site| (site.peers.scrapely, site.n_few)),
    ];
    for (name, peer) in peers {
        let known = || measured.iter().map(peer).filter_map(|(took, n)| Some((took?, n)));
        let time = known().map(|(took, _)| took.time).sum();
        let n_pages: usize = known().map(|(_, n)| n).sum();
        if n_pages > 0 {
            row(name, n_pages, time, None);
        }
    }
    row("learn from all pages", n_learnt + n_others, sum(|site| site.learn_all), None);
    row("learn from some, extract", n_learnt + n_others, sum(|site| site.learn_some), None);
}

/// What one should know of the figures.
fn print_notes(measured: &[Measured], cores: &Cores) {
    let work = Pairs::of(measured, |site| Some((site.speedup.two.work, site.speedup.one.work)));
    let work = work.map_or(0.0, |work| work.in_all());
    println!(
        "\nin all: times summed over sites. Two threads are measured on the clock, while others had {:.2} cores; they \
         spend {work:.2} times the processor time of one.",
        cores.others()
    );
    print_found("parsel", measured, |site| site.peers.parsel);
    print_found("Scrapely", measured, |site| site.peers.scrapely);
}

/// That a peer did what it was asked for.
fn print_found(name: &str, measured: &[Measured], peer: fn(&Measured) -> Option<Took>) {
    let found: Vec<f64> = measured.iter().filter_map(peer).map(|took| took.found).collect();
    if !found.is_empty() {
        let (n, mean) = (found.len(), found.iter().sum::<f64>() / found.len() as f64);
        println!("{name} found {:.0} % of what it was asked for, on {n} sites.", mean * 100.0);
    }
}
