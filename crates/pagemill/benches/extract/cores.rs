//! How much faster the pipeline is by two threads than by one, on the clock.
//!
//! A run has each page several times, and the wrapper has been in use: what each thread finds out about the template for itself
//! is no matter in long runs, and these last some hundredths of a second. What the first run of a wrapper gains is told beside
//! it.
//!
//! Only the clock can tell, and on the clock other programs count too. So each site has several rounds, of which the best
//! counts, and it is told how much of the machine others had meanwhile. Processor time is told beside it: what two threads
//! spend more than one is what they lose to each other, whoever else is there.

use crate::site::File;
use cpu_time::ProcessTime;
use pagemill::{InputPage, Wrapper, pipeline};
use std::convert::Infallible;
use std::fs;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Many, to catch moments in which both cores are ours.
const N_ROUNDS: usize = 6;

/// How often a run has each page.
const N_TIMES: usize = 5;

/// What it takes with one thread, and with two.
#[derive(Clone, Copy)]
pub(crate) struct Speedup {
    pub(crate) one: Spent,
    pub(crate) two: Spent,
}

#[derive(Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) clock: Duration,
    /// Processor time, of all threads.
    pub(crate) work: Duration,
}

impl Spent {
    const UNKNOWN: Spent = Spent { clock: Duration::MAX, work: Duration::MAX };

    fn min(self, other: Spent) -> Spent {
        Spent { clock: self.clock.min(other.clock), work: self.work.min(other.work) }
    }
}

/// What was under way while we measured.
#[derive(Default)]
pub(crate) struct Cores {
    clock: Duration,
    others: Duration,
}

impl Cores {
    /// Each run has a wrapper of its own. All pages are in memory when the clock starts.
    pub(crate) fn measure<E>(
        &mut self,
        files: &[File],
        wrapper: impl Fn() -> Result<Wrapper, E>,
    ) -> Result<Speedup, E> {
        let mut best = Speedup { one: Spent::UNKNOWN, two: Spent::UNKNOWN };
        for _ in 0..N_ROUNDS {
            best.one = best.one.min(self.time(&wrapper()?, files, NonZeroUsize::MIN));
            best.two = best.two.min(self.time(&wrapper()?, files, TWO));
        }
        Ok(best)
    }

    fn time(&mut self, wrapper: &Wrapper, files: &[File], n_threads: NonZeroUsize) -> Spent {
        let all = std::iter::repeat_n(files, N_TIMES).flatten();
        let pages: Vec<_> = all.map(|file| Ok(input(file))).collect();
        let (clock, ours, all) = (Instant::now(), ProcessTime::now(), busy());
        let Ok(()) = pipeline::extract(wrapper, pages.into_iter(), n_threads, |found| {
            black_box(&found);
            Ok::<(), Infallible>(())
        });
        let spent = Spent { clock: clock.elapsed(), work: ours.elapsed() };
        self.clock += spent.clock;
        if let (Some(before), Some(after)) = (all, busy()) {
            self.others += after.saturating_sub(before).saturating_sub(spent.work);
        }
        spent
    }

    /// How many cores other programs had, in the mean.
    pub(crate) fn others(&self) -> f64 {
        self.others.as_secs_f64() / self.clock.as_secs_f64()
    }
}

const TWO: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

fn input(file: &File) -> InputPage {
    let (id, bytes) = (file.name.clone(), file.bytes.clone());
    InputPage { id, bytes, ..InputPage::default() }
}

/// The processor time that all programs have had since the machine was started, where the system tells.
fn busy() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let ticks: Vec<u64> =
        stat.lines().next()?.split_whitespace().skip(1).flat_map(str::parse).collect();
    // user, nice, system, idle, iowait, irq, softirq, steal; a tick is 10 ms.
    let [user, nice, system, _, _, irq, softirq, steal, ..] = ticks[..] else { return None };
    Some(
        Duration::from_millis(10)
            * u32::try_from(user + nice + system + irq + softirq + steal).ok()?,
    )
}
