//! Active training: learning from few of many pages, those that teach something.
//!
//! In come pages that can be had by their numbers, as often as they are wanted; out comes a wrapper, with the pages that it was
//! learnt from and how each page fits. Only the pages that are learnt from are held.
//!
//! It starts with pages of all sizes, the smallest and the largest among them, learns, and looks which of the others
//! fit. Of those that do not it adds the ones that have most in common with other such pages, and begins again, until
//! all fit, a bound is reached, or it does not help. (The UWIDE paper starts with two and adds one at random.)
//!
//! Of very many pages a sample is looked at in each round: those whose content has the lowest hashes, so that neither their
//! order nor chance has a say. All are looked at once before and once after.

use crate::extract::{Extractor, Status};
use crate::group::{self, Sketch};
use crate::learn::{LearnConfig, LearnError, Learnt, learn_from};
use crate::threads::for_each;
use page::Page;
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct ActiveConfig {
    learn: LearnConfig,
    max_pages: Option<usize>,
    n_threads: NonZeroUsize,
}

impl Default for ActiveConfig {
    fn default() -> Self {
        let learn = LearnConfig::default();
        ActiveConfig { learn, max_pages: None, n_threads: NonZeroUsize::MIN }
    }
}

impl ActiveConfig {
    /// How to learn from the pages that are taken.
    #[must_use]
    pub fn with_learning(mut self, learn: LearnConfig) -> Self {
        self.learn = learn;
        self
    }

    /// Learn from so many pages at most. If not given, from a tenth of them, but from 10 at least and 60 at most.
    #[must_use]
    pub fn with_max_pages(mut self, max_pages: usize) -> Self {
        self.max_pages = Some(max_pages);
        self
    }

    /// How many threads look over the pages. The default is one; the result is always the same.
    #[must_use]
    pub fn with_threads(mut self, n_threads: NonZeroUsize) -> Self {
        self.n_threads = n_threads;
        self
    }

    fn bound(&self, n_pages: usize) -> usize {
        let usual = (n_pages / ONE_OF).clamp(LEAST, MOST);
        self.max_pages.unwrap_or(usual).max(1)
    }
}

/// One page of so many is learnt from, at most.
const ONE_OF: usize = 10;
/// So few pages may be learnt from even if they are more than that.
const LEAST: usize = 10;
/// Pages beyond this many teach little and cost time.
const MOST: usize = 60;
/// It starts with so many pages, of all sizes.
const N_START: usize = 8;
/// A round adds one page for so many that it learnt from before.
const ADD_ONE_FOR: usize = 4;
/// And at least so many.
const ADD_LEAST: usize = 2;
/// So many pages are looked at in each round.
const SAMPLE: usize = 400;
/// After so many rounds that did not help it ends.
const MAX_IDLE: usize = 3;

/// What came of training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// What was learnt from the pages that were taken; its data is theirs.
    pub learnt: Learnt,
    /// The numbers of the pages that were learnt from, in order.
    pub taken: Vec<usize>,
    /// How each page fits.
    pub statuses: Vec<Status>,
    /// How often it learnt.
    pub n_rounds: usize,
}

impl Trained {
    /// How many pages are of a status.
    pub fn n(&self, status: Status) -> usize {
        self.statuses.iter().filter(|it| **it == status).count()
    }
}

/// How far training is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Round {
    /// How many pages are learnt from now.
    pub n_taken: usize,
    /// How many pages fitted by what was known before.
    pub n_verified: usize,
}

/// Learn the template that most of `n_pages` pages share from few of them. `page` gives a page by its number, the same one
/// every time; `watch` is told of each round. The order of the pages leaves no trace in what is learnt.
///
/// ```
/// use wrapper::{ActiveConfig, Status, train};
///
/// let html = |n: usize| match n % 9 {
///     0 => format!("<h1>Book {n}</h1><p>Price: <b>${n}</b></p><i>sold out</i>"),
///     _ => format!("<h1>Book {n}</h1><p>Price: <b>${n}</b></p>"),
/// };
/// let page = |n: usize| page::parse(html(n).as_bytes());
/// let trained = train(100, page, &ActiveConfig::default(), |_| ())?;
/// assert_eq!(trained.n(Status::Verified), 100);
/// assert!(trained.taken.len() <= 10);
/// # Ok::<(), wrapper::LearnError>(())
/// ```
pub fn train<P: Borrow<Page>>(
    n_pages: usize,
    page: impl Fn(usize) -> P + Sync,
    config: &ActiveConfig,
    mut watch: impl FnMut(Round),
) -> Result<Trained, LearnError> {
    if n_pages == 0 {
        return Err(LearnError::NoPages);
    }
    let sketch = || |number: usize| Sketch::new(page(number).borrow());
    let sketches = for_each((0..n_pages).collect(), config.n_threads, sketch);
    let mut pool = Pool::new(&sketches, &page, config);
    if pool.members.is_empty() {
        return Err(LearnError::NothingShown(n_pages));
    }
    let best = pool.train(&mut watch)?;
    let rest = (0..n_pages).filter(|number| !best.fits.contains_key(number)).collect();
    let rest = pool.verify(&best.learnt, rest);
    let status = |number: usize| best.fits.get(&number).or(rest.get(&number)).map(|fit| fit.0);
    let statuses = (0..n_pages).map(|number| status(number).unwrap_or(Status::Failed)).collect();
    let mut taken = best.taken;
    taken.sort_unstable();
    Ok(Trained { learnt: best.learnt, taken, statuses, n_rounds: pool.n_rounds })
}

/// Train on pages that are in memory.
pub fn train_on(pages: &[Page], config: &ActiveConfig) -> Result<Trained, LearnError> {
    train(pages.len(), |number| &pages[number], config, |_| ())
}

/// Whether a page fits, and what does not.
type Fit = (Status, Vec<u64>);

/// The pages at hand.
struct Pool<'a, P, F> {
    page: &'a F,
    config: &'a ActiveConfig,
    /// Those of the template that are looked at, each content once, from the smallest to the largest.
    members: Vec<usize>,
    /// How many pages may be learnt from.
    bound: usize,
    held: Vec<P>,
    taken: Vec<usize>,
    n_rounds: usize,
}

/// What came of a round.
struct Outcome {
    learnt: Learnt,
    taken: Vec<usize>,
    fits: BTreeMap<usize, Fit>,
}

impl<'a, P: Borrow<Page>, F: Fn(usize) -> P + Sync> Pool<'a, P, F> {
    fn new(sketches: &[Sketch], page: &'a F, config: &'a ActiveConfig) -> Self {
        let mut numbers: Vec<usize> = (0..sketches.len()).collect();
        numbers.sort_by_key(|number| sketches[*number].content);
        numbers.dedup_by_key(|number| sketches[*number].content);
        numbers.truncate(SAMPLE);
        let in_order: Vec<Sketch> = numbers.iter().map(|it| sketches[*it].clone()).collect();
        let group = group::linked(&in_order).into_iter().next().unwrap_or_default();
        let mut members: Vec<usize> = group.into_iter().map(|index| numbers[index]).collect();
        members.sort_by_key(|number| (sketches[*number].n_leaves, sketches[*number].content));
        let bound = config.bound(sketches.len()).min(members.len());
        Pool { page, config, members, bound, held: Vec::new(), taken: Vec::new(), n_rounds: 0 }
    }

    /// Learn until all pages fit, or it does not help.
    fn train(&mut self, watch: &mut dyn FnMut(Round)) -> Result<Outcome, LearnError> {
        self.take(spread(&self.members, N_START.min(self.bound)));
        let mut best: Option<Outcome> = None;
        let mut n_idle = 0;
        loop {
            let n_verified = best.as_ref().map_or(0, Outcome::n_verified);
            watch(Round { n_taken: self.taken.len(), n_verified });
            let outcome = self.round()?;
            let next = self.next(&outcome);
            let has_helped = best.as_ref().is_none_or(|best| outcome.worth() > best.worth());
            if has_helped {
                best = Some(outcome);
            }
            n_idle = if has_helped { 0 } else { n_idle + 1 };
            match best {
                Some(best) if next.is_empty() || n_idle == MAX_IDLE => return Ok(best),
                _ => self.take(next),
            }
        }
    }

    fn take(&mut self, numbers: Vec<usize>) {
        self.held.extend(numbers.iter().map(|number| (self.page)(*number)));
        self.taken.extend(numbers);
    }

    fn round(&mut self) -> Result<Outcome, LearnError> {
        self.n_rounds += 1;
        let held: Vec<&Page> = self.held.iter().map(Borrow::borrow).collect();
        let learnt = learn_from(held, &self.config.learn)?;
        let fits = self.verify(&learnt, self.members.clone());
        Ok(Outcome { learnt, taken: self.taken.clone(), fits })
    }

    fn verify(&self, learnt: &Learnt, numbers: Vec<usize>) -> BTreeMap<usize, Fit> {
        let page = self.page;
        let verify = || {
            let mut extractor = Extractor::new(&learnt.wrapper);
            move |number: usize| extractor.verify(page(number).borrow())
        };
        let fits = for_each(numbers.clone(), self.config.n_threads, verify);
        numbers.into_iter().zip(fits).collect()
    }

    /// The pages to add: those with most in common with other pages that do not fit, and little with each other.
    fn next(&self, outcome: &Outcome) -> Vec<usize> {
        let n_free = self.bound - self.taken.len();
        let n_wanted = (self.taken.len() / ADD_ONE_FOR).max(ADD_LEAST).min(n_free);
        let mut weights: BTreeMap<u64, f64> = BTreeMap::new();
        let misfits: Vec<(usize, BTreeSet<u64>)> = self
            .members
            .iter()
            .filter(|number| !self.taken.contains(number))
            .filter(|number| outcome.fits[number].0 != Status::Verified)
            .map(|number| (*number, outcome.fits[number].1.iter().copied().collect()))
            .collect();
        for (_, misfits) in &misfits {
            for misfit in misfits {
                *weights.entry(*misfit).or_default() += 1.0 / misfits.len() as f64;
            }
        }
        let mut next = Vec::new();
        while next.len() < n_wanted {
            let weight = |misfits: &BTreeSet<u64>| -> f64 {
                misfits.iter().filter_map(|misfit| weights.get(misfit)).sum()
            };
            let best = misfits
                .iter()
                .filter(|(number, _)| !next.contains(number))
                .map(|(number, misfits)| (weight(misfits), *number, misfits))
                // The first of equals, as they are sorted by what they hold.
                .reduce(|best, other| if other.0 > best.0 { other } else { best });
            let Some((_, number, misfits)) = best else { break };
            for misfit in misfits {
                weights.remove(misfit);
            }
            next.push(number);
        }
        next
    }
}

impl Outcome {
    fn n_verified(&self) -> usize {
        self.fits.values().filter(|fit| fit.0 == Status::Verified).count()
    }

    /// The more the better.
    fn worth(&self) -> (usize, usize) {
        let n_failed = self.fits.values().filter(|fit| fit.0 == Status::Failed).count();
        (self.n_verified(), self.fits.len() - n_failed)
    }
}

/// So many of some things, evenly spread, the first and the last among them.
fn spread(things: &[usize], n: usize) -> Vec<usize> {
    let last = things.len().saturating_sub(1);
    (0..n).map(|step| things[step * last / n.saturating_sub(1).max(1)]).collect()
}
