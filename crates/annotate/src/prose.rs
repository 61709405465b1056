//! Which blocks of a page are its prose, learnt from few pages.
//!
//! What prose looks like is much the same everywhere, so nobody has to learn it from nothing: `prior` says what each feature is
//! worth on articles of many sites, and the pages at hand only move that. A block is judged as a whole, because what is
//! inside a line is what the line is: a link in a sentence, a name in bold. All features of a block are added up; there are no
//! trees and no networks, which a few pages cannot fill.
//!
//! Blocks are looked at twice: what was made of those around a block (`again`) tells whether a line that could be anything is
//! of the text. What stands between blocks of the text and belongs to them is taken with them (`gap`).
//!
//! Of many sites the judges of single leaves tell as much, and other things: then both are asked, and nothing is taken from the
//! prior.

mod again;
mod block;
mod crumb;
mod fit;
mod gap;
mod learn;
mod portrait;
mod prior;

pub(crate) use learn::{Known, prior_of};

use crate::sheet::Sheet;
use again::{Around, N_AGAIN};
use portrait::{ANNOUNCED, N_FEATURES, Portraits};
use std::ops::Range;

/// How many features both looks have together.
const N_ALL: usize = N_FEATURES + N_AGAIN;

/// What features are called, in their order.
fn names() -> impl Iterator<Item = &'static str> {
    portrait::NAMES.into_iter().chain(again::NAMES)
}

/// What tells the prose of one element from all else.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prose {
    /// What counts for every block, on the first look and on the second.
    pub(crate) start: [f32; 2],
    /// By feature; of those that only the second look has, nothing counts on the first.
    worths: Vec<Worth>,
    /// Whether it was learnt from few sites, of which the judges of leaves know too little to be asked.
    pub(crate) is_alone: bool,
}

/// What is known of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    /// What is usual, and how far values usually are from it.
    pub(crate) mean: f32,
    pub(crate) spread: f32,
    /// What a value so far above counts for prose, on the first look and on the second.
    pub(crate) weights: [f32; 2],
}

/// A value is thought to be no further from the mean than so many of its usual distances.
const FARTHEST: f64 = 3.0;

impl Worth {
    /// How far a value is from what is usual.
    fn distance(&self, value: f32) -> f64 {
        let distance = f64::from(value - self.mean) / f64::from(self.spread);
        distance.clamp(-FARTHEST, FARTHEST)
    }

    fn is_sound(&self) -> bool {
        let all = [self.mean, self.spread, self.weights[0], self.weights[1]];
        all.iter().all(|it| it.is_finite()) && self.spread > 0.0
    }
}

/// Which look at a block.
#[derive(Clone, Copy)]
enum Look {
    First,
    Second,
}

/// A block of text, and the odds that it is of the element.
pub(crate) struct Judged {
    pub(crate) leaves: Range<usize>,
    pub(crate) odds: f32,
}

/// A page whose blocks were judged.
pub(crate) struct Reading<'s, 'p> {
    portraits: Portraits<'s, 'p>,
    /// By block: whether comments were announced.
    is_announced: Vec<bool>,
    pub(crate) blocks: Vec<Judged>,
}

impl Prose {
    /// Judge the blocks of a page.
    pub(crate) fn judge<'s, 'p>(&self, sheet: &'s Sheet<'p>) -> Reading<'s, 'p> {
        let portraits = Portraits::of(sheet);
        let values: Vec<[f32; N_FEATURES]> = portraits.iter().collect();
        let first = self.first_odds(&values);
        let around = Around::of(sheet, &portraits.crumbs, &portraits.texts, &first);
        let judge = |(nth, values): (usize, &[f32; N_FEATURES])| Judged {
            leaves: portraits.texts[nth].leaves.clone(),
            odds: self.odds(Look::Second, values.iter().chain(&around.get(nth))),
        };
        let blocks = values.iter().enumerate().map(judge).collect();
        let is_announced = values.iter().map(|values| values[ANNOUNCED] > 0.0).collect();
        Reading { is_announced, blocks, portraits }
    }

    fn first_odds(&self, blocks: &[[f32; N_FEATURES]]) -> Vec<f32> {
        blocks.iter().map(|values| self.odds(Look::First, values.iter())).collect()
    }

    fn odds<'v>(&self, look: Look, values: impl Iterator<Item = &'v f32>) -> f32 {
        let said = values
            .zip(&self.worths)
            .map(|(value, worth)| worth.distance(*value) * f64::from(worth.weights[look as usize]));
        self.start[look as usize] + said.sum::<f64>() as f32
    }

    /// What is known of features, by name: for files.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, &Worth)> {
        names().zip(&self.worths)
    }

    /// From what files say; none if a feature is missing or a number is none.
    pub(crate) fn from_named(
        is_alone: bool,
        start: [f32; 2],
        worth: impl Fn(&str) -> Option<Worth>,
    ) -> Option<Prose> {
        let worths: Option<Vec<Worth>> =
            names().map(|name| worth(name).filter(Worth::is_sound)).collect();
        let is_sound = start.iter().all(|it| it.is_finite());
        Some(Prose { start, worths: worths?, is_alone }).filter(|_| is_sound)
    }
}
