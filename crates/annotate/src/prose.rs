//! Which blocks of a page are its prose, learnt from few pages.
//!
//! What prose looks like is much the same everywhere, so nobody has to learn it from nothing: `prior` says what each feature is
//! worth on articles of many sites, and the pages at hand only move that. A block is judged as a whole, because what is
//! inside a line is what the line is: a link in a sentence, a name in bold. All features of a block are added up; there are no
//! trees and no networks, which a few pages cannot fill.
//!
//! Of many sites the judges of single leaves tell as much, and other things: then both are asked, and nothing is taken from the
//! prior.

mod block;
mod crumb;
mod fit;
mod portrait;
mod prior;

pub(crate) use portrait::N_FEATURES;

use crate::sheet::Sheet;
use fit::Row;
use portrait::{NAMES, Portraits};
use prior::PRIOR;
use std::fmt::Write;
use std::ops::Range;

/// What tells the prose of one element from all else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prose {
    /// What nothing is known of, then what each feature is worth.
    weights: Vec<f32>,
    /// Whether it was learnt from few sites, of which the judges of leaves know too little to be asked.
    pub(crate) is_alone: bool,
}

/// A page to learn from.
pub(crate) struct Known<'s, 'p> {
    pub(crate) sheet: &'s Sheet<'p>,
    /// By leaf: whether it is of the element.
    pub(crate) is_it: Vec<bool>,
    /// How many pages its site has: together they count as one.
    pub(crate) n_of_site: usize,
}

/// A block of text, and the odds that it is of the element.
pub(crate) struct Judged {
    pub(crate) leaves: Range<usize>,
    pub(crate) odds: f32,
}

/// How far what is known of other sites is believed: those who label a few pages may mean something else by prose.
const BELIEF: f64 = 0.5;
/// How strongly weights are drawn there, in leaves.
const PULL: f64 = 80.0;
const PULL_OF_MANY: f64 = 10.0;
/// Each page counts as if it had so many leaves of prose, or long ones would be all that is learnt from.
const USUAL: f64 = 20.0;
/// Of fewer it is not known what the page is like.
const LEAST: usize = 3;
/// A value is thought to be no further from the mean than so many of its usual distances.
const FARTHEST: f64 = 3.0;

impl Prose {
    /// Learn from pages, of few sites or of many.
    pub(crate) fn learn(pages: &[Known<'_, '_>], is_few: bool) -> Prose {
        let (belief, pull) = if is_few { (BELIEF, PULL) } else { (0.0, PULL_OF_MANY) };
        let known = PRIOR.iter().map(|it| f64::from(it.weight) * belief);
        let before: Vec<f64> = std::iter::once(0.0).chain(known).collect();
        let rows: Vec<Row> = pages.iter().flat_map(|page| rows(page, scaled)).collect();
        let weights = fit::fit(&rows, &before, pull);
        Prose { weights: weights.into_iter().map(rounded).collect(), is_alone: is_few }
    }

    /// The blocks of a page.
    pub(crate) fn judge(&self, sheet: &Sheet<'_>) -> Vec<Judged> {
        let portraits = Portraits::of(sheet);
        let judged = portraits.iter().map(|(text, values)| {
            let row = scaled(&values);
            let said =
                row.iter().zip(&self.weights).map(|(value, weight)| value * f64::from(*weight));
            Judged { leaves: text.leaves.clone(), odds: said.sum::<f64>() as f32 }
        });
        judged.collect()
    }

    /// By name, what nothing is known of first: for files.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, f32)> + '_ {
        std::iter::once(START).chain(NAMES).zip(self.weights.iter().copied())
    }

    /// From weights by name; none if one is missing or no number.
    pub(crate) fn from_named(
        is_alone: bool,
        weight: impl Fn(&str) -> Option<f32>,
    ) -> Option<Prose> {
        let names = std::iter::once(START).chain(NAMES);
        let weights: Option<Vec<f32>> =
            names.map(|name| weight(name).filter(|it| it.is_finite())).collect();
        Some(Prose { weights: weights?, is_alone })
    }
}

/// What the weight is called that counts for every block.
const START: &str = "start";

/// What prose is like on these pages, as a table to be built in.
pub(crate) fn prior_of(pages: &[Known<'_, '_>]) -> String {
    let rows: Vec<Row> = pages.iter().flat_map(|page| rows(page, plain)).collect();
    let n = rows.len().max(1) as f64;
    let mut known = [(0.0, 0.0); N_FEATURES];
    for (feature, (mean, spread)) in known.iter_mut().enumerate() {
        let of = |row: &Row| row.values[feature + 1];
        *mean = rows.iter().map(of).sum::<f64>() / n;
        let square: f64 = rows.iter().map(|row| (of(row) - *mean).powi(2)).sum();
        *spread = (square / n).sqrt().max(LEAST_SPREAD);
    }
    let scale = |row: Row| {
        let values = row.values[1..].iter().zip(&known);
        let values = values
            .map(|(value, (mean, spread))| ((value - mean) / spread).clamp(-FARTHEST, FARTHEST));
        Row { values: std::iter::once(1.0).chain(values).collect(), ..row }
    };
    let rows: Vec<Row> = rows.into_iter().map(scale).collect();
    let weights = fit::fit(&rows, &[0.0; N_FEATURES + 1], PULL / 2.0);
    let mut table = String::new();
    for (nth, name) in NAMES.iter().enumerate() {
        let (mean, spread) = known[nth];
        let weight = weights[nth + 1];
        // A text takes everything that is written to it.
        let _ = writeln!(
            table,
            "    Worth {{ mean: {mean:.3}, spread: {spread:.3}, weight: {weight:.3} }}, // {name}"
        );
    }
    table
}

/// The least usual distance from the mean: what is hardly ever there says little when it is.
const LEAST_SPREAD: f64 = 0.05;

fn rows(page: &Known<'_, '_>, scale: fn(&[f32; N_FEATURES]) -> Vec<f64>) -> Vec<Row> {
    let n_of_it = page.is_it.iter().filter(|is_it| **is_it).count().max(LEAST);
    let portraits = Portraits::of(page.sheet);
    let rows = portraits.iter().map(|(text, values)| {
        let len = |leaf: &usize| page.sheet.leaves.get(*leaf).text.len();
        let all: usize = text.shown(page.sheet).map(|leaf| len(&leaf)).sum();
        let own: usize =
            text.shown(page.sheet).filter(|leaf| page.is_it[*leaf]).map(|leaf| len(&leaf)).sum();
        let weight = text.n_leaves as f64 * USUAL / (n_of_it * page.n_of_site.max(1)) as f64;
        Row { values: scale(&values), is_it: own * 2 > all, weight }
    });
    rows.collect()
}

/// One for the start, then features by how far they are from what is usual.
fn scaled(values: &[f32; N_FEATURES]) -> Vec<f64> {
    let distances = values.iter().zip(&PRIOR).map(|(value, known)| {
        let distance = f64::from(value - known.mean) / f64::from(known.spread);
        distance.clamp(-FARTHEST, FARTHEST)
    });
    std::iter::once(1.0).chain(distances).collect()
}

fn plain(values: &[f32; N_FEATURES]) -> Vec<f64> {
    std::iter::once(1.0).chain(values.iter().map(|it| f64::from(*it))).collect()
}

/// Three digits are more than a few pages can tell.
fn rounded(weight: f64) -> f32 {
    ((weight * 1e3).round() / 1e3) as f32
}
