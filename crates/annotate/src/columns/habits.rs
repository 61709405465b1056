//! What columns of an element are like on the sites learnt from, feature by feature, beside what columns are like at large.
//!
//! There are few sites and one column of each, so features are cut into a few bins of about as many columns each, a site counts
//! once whatever its size, and what was never seen is thought likely enough to be possible.

use super::lesson::Lesson;
use super::portrait::Portrait;
use crate::feature::Scale;
use serde::{Deserialize, Serialize};

/// How the values of a feature are told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bins {
    Categories(usize),
    /// A value's bin is the number of cuts at or below it.
    Cuts(Vec<f32>),
}

const N_BINS: usize = 8;

impl Bins {
    pub(super) fn learn(scale: Scale, mut values: Vec<f32>) -> Bins {
        if let Scale::Categories(n) = scale {
            return Bins::Categories(n);
        }
        values.sort_by(f32::total_cmp);
        let cut = |nth: usize| values.get(nth * values.len() / N_BINS).copied();
        let mut cuts: Vec<f32> = (1..N_BINS).filter_map(cut).collect();
        cuts.dedup();
        Bins::Cuts(cuts)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Bins::Categories(n) => *n,
            Bins::Cuts(cuts) => cuts.len() + 1,
        }
    }

    pub(super) fn of(&self, value: f32) -> usize {
        match self {
            Bins::Categories(n) => (value as usize).min(n - 1),
            Bins::Cuts(cuts) => cuts.iter().filter(|cut| value >= **cut).count(),
        }
    }

    /// Whether these can be looked up: as a file of strangers may hold anything.
    pub(super) fn is_sound(&self) -> bool {
        const MANY: usize = 256;
        match self {
            Bins::Categories(n) => (1..=MANY).contains(n),
            Bins::Cuts(cuts) => {
                cuts.len() <= MANY && cuts.is_sorted() && cuts.iter().all(|it| it.is_finite())
            }
        }
    }

    /// The bins that a value counts in, and how much: numbers count in those beside theirs too.
    fn around(&self, value: f32) -> [(usize, f32); 3] {
        let at = self.of(value);
        match self {
            Bins::Categories(_) => [(at, 1.0), (at, 0.0), (at, 0.0)],
            Bins::Cuts(_) => {
                let (below, above) = (at.saturating_sub(1), (at + 1).min(self.len() - 1));
                [(at, 0.5), (below, 0.25), (above, 0.25)]
            }
        }
    }
}

/// How often each bin of one feature is that of columns at large, and of each element's, on one site.
struct Shares {
    all: Vec<f32>,
    /// By element.
    own: Vec<Vec<f32>>,
}

/// What each bin of one feature says of each element: `[element][bin]`, as logarithms of how much likelier.
pub(super) type Odds = Vec<Vec<f32>>;

/// How often each bin of each feature is at each element, by site.
pub(super) struct Habits {
    n_elements: usize,
    /// By feature, then by site.
    shares: Vec<Vec<Shares>>,
    /// By site and element: whether it has any.
    has: Vec<Vec<bool>>,
}

/// So many sites of columns at large stand behind each element's.
const SMOOTHING: f32 = 1.0;
/// Bins that no column is in are thought to have this share.
const LEAST: f32 = 0.02;

impl Habits {
    pub(super) fn of(lessons: &[&Lesson], bins: &[Bins], n_elements: usize) -> Habits {
        let totals: Vec<Vec<f32>> = lessons.iter().map(|it| totals(it, n_elements)).collect();
        let shares = bins.iter().enumerate().map(|(feature, bins)| {
            let sites = lessons.iter().zip(&totals);
            sites.map(|(lesson, totals)| shares(lesson, feature, bins, totals)).collect()
        });
        let has = totals.iter().map(|it| it.iter().map(|n| *n > 0.0).collect());
        Habits { n_elements, shares: shares.collect(), has: has.collect() }
    }

    /// Whether a site has columns of an element; whether any has; and whether another has.
    pub(super) fn is_known(&self, site: usize, element: usize) -> bool {
        self.has[site][element]
    }

    pub(super) fn is_known_anywhere(&self, element: usize) -> bool {
        self.has.iter().any(|has| has[element])
    }

    pub(super) fn is_known_elsewhere(&self, site: usize, element: usize) -> bool {
        (0..self.has.len()).any(|other| other != site && self.has[other][element])
    }

    /// What each bin of a feature says of each element, by all sites but one.
    pub(super) fn odds(&self, feature: usize, without: Option<usize>) -> Odds {
        let sites = self.sites(without);
        let of = |element: usize| {
            let n = sites.iter().filter(|it| self.has[**it][element]).count() as f32;
            self.ratios(feature, &sites, n, |shares, bin| shares.own[element][bin])
        };
        (0..self.n_elements).map(of).collect()
    }

    /// What each bin of a feature says of any element: what of its place is labelled is a habit of who labels.
    pub(super) fn common_odds(&self, feature: usize, without: Option<usize>) -> Vec<f32> {
        let sites = self.sites(without);
        let n = sites.iter().flat_map(|it| &self.has[*it]).filter(|has| **has).count() as f32;
        self.ratios(feature, &sites, n, |shares, bin| shares.own.iter().map(|it| it[bin]).sum())
    }

    fn sites(&self, without: Option<usize>) -> Vec<usize> {
        (0..self.has.len()).filter(|it| Some(*it) != without).collect()
    }

    fn ratios(
        &self,
        feature: usize,
        sites: &[usize],
        n: f32,
        seen: impl Fn(&Shares, usize) -> f32,
    ) -> Vec<f32> {
        let shares = &self.shares[feature];
        let n_bins = shares.first().map_or(0, |it| it.all.len());
        let ratio = |bin: usize| {
            let all: f32 = sites.iter().map(|it| shares[*it].all[bin]).sum();
            let share = (all + LEAST) / (sites.len() as f32 + LEAST * n_bins as f32);
            let seen: f32 = sites.iter().map(|it| seen(&shares[*it], bin)).sum();
            let likely = (seen + SMOOTHING * share) / (n + SMOOTHING);
            ((likely / share).ln() * 1e3).round() / 1e3
        };
        (0..n_bins).map(ratio).collect()
    }
}

/// How many columns of each element a site has.
fn totals(lesson: &Lesson, n_elements: usize) -> Vec<f32> {
    let mut totals = vec![0.0; n_elements];
    for (_, class) in lesson.columns() {
        if let Some(element) = usize::from(class).checked_sub(1) {
            totals[element] += 1.0;
        }
    }
    totals
}

fn shares(lesson: &Lesson, feature: usize, bins: &Bins, totals: &[f32]) -> Shares {
    let mut shares =
        Shares { all: vec![0.0; bins.len()], own: vec![vec![0.0; bins.len()]; totals.len()] };
    let value = |portrait: &Portrait| portrait.values[feature];
    let n = lesson.portraits.len() as f32;
    for portrait in &lesson.portraits {
        shares.all[bins.of(value(portrait))] += 1.0 / n;
    }
    for (portrait, class) in lesson.columns() {
        let Some(element) = usize::from(class).checked_sub(1) else { continue };
        for (bin, weight) in bins.around(value(portrait)) {
            shares.own[element][bin] += weight / totals[element];
        }
    }
    shares
}
