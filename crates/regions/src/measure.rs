//! What speaks for a repeat being records: figures, each from 0 to 1 unless it is a count.

use crate::boxes::{self, Boxes};
use crate::matching::Matcher;
use crate::repeat::{Repeat, Unit};
use crate::tree::{Outline, hash};
use page::Leaves;

/// Figures of one repeat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measures {
    /// How many units it has.
    pub n_units: usize,
    /// The share of the page's text that is in its units.
    pub coverage: f64,
    /// How many leaves a unit has, on average.
    pub n_leaves: f64,
    /// How many letters a unit has, on average.
    pub n_letters: f64,
    /// How alike its units are, in the tree.
    pub regularity: f64,
    /// How many different things its units say.
    pub n_different: usize,
    /// The share of units that say something of their own.
    pub variety: f64,
    /// The share of letters in links.
    pub linked: f64,
    /// Whether the markup says that they belong to the site rather than to the page: navigation, header, footer.
    pub is_frame: bool,
    /// How regularly units stand on the page, where that is known.
    pub alignment: Option<f64>,
}

/// Longer repeats are measured by some of their units.
const MAX_COMPARED: usize = 24;

/// Sums over the leaves of a page, so that any stretch of them is measured at once.
pub(crate) struct Sums {
    letters: Vec<u32>,
    linked: Vec<u32>,
    texts: Vec<u64>,
}

impl Sums {
    pub(crate) fn new(leaves: &Leaves) -> Sums {
        let n = leaves.len();
        let mut sums = Sums {
            letters: Vec::with_capacity(n + 1),
            linked: Vec::with_capacity(n + 1),
            texts: Vec::with_capacity(n),
        };
        let (mut letters, mut linked) = (0_u32, 0_u32);
        sums.letters.push(0);
        sums.linked.push(0);
        for leaf in leaves.iter() {
            // A picture is worth a few words.
            let n = leaf.text.len().max(if leaf.src.is_some() { PICTURE } else { 0 });
            let n = u32::try_from(n).unwrap_or(u32::MAX);
            letters = letters.saturating_add(n);
            linked = linked.saturating_add(if leaf.link.is_some() { n } else { 0 });
            sums.letters.push(letters);
            sums.linked.push(linked);
            sums.texts.push(hash(&(leaf.text, leaf.src)));
        }
        sums
    }

    fn letters(&self, leaves: std::ops::Range<usize>) -> u32 {
        self.letters[leaves.end] - self.letters[leaves.start]
    }

    fn linked(&self, leaves: std::ops::Range<usize>) -> u32 {
        self.linked[leaves.end] - self.linked[leaves.start]
    }
}

/// Letters that a picture counts as.
const PICTURE: usize = 12;

pub(crate) fn measure(
    outline: &Outline,
    leaves: &Leaves,
    sums: &Sums,
    matcher: &mut Matcher<'_>,
    boxes: Option<&Boxes>,
    repeat: &Repeat,
) -> Measures {
    let ranges: Vec<_> = repeat.units.iter().map(|unit| outline.leaves_of(unit)).collect();
    let n_units = repeat.units.len();
    let n_leaves: usize = ranges.iter().map(|it| it.len()).sum();
    let letters: u32 = ranges.iter().map(|it| sums.letters(it.clone())).sum();
    let linked: u32 = ranges.iter().map(|it| sums.linked(it.clone())).sum();
    let mut texts: Vec<u64> = ranges.iter().map(|it| hash(&sums.texts[it.clone()])).collect();
    texts.sort_unstable();
    texts.dedup();
    let share = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
    Measures {
        n_units,
        coverage: share(f64::from(letters), f64::from(sums.letters(0..leaves.len()))),
        n_leaves: n_leaves as f64 / n_units as f64,
        n_letters: f64::from(letters) / n_units as f64,
        regularity: regularity(matcher, &repeat.units),
        n_different: texts.len(),
        variety: texts.len() as f64 / n_units as f64,
        linked: share(f64::from(linked), f64::from(letters)),
        is_frame: outline.twig(repeat.units[0][0]).is_frame,
        alignment: boxes.and_then(|boxes| boxes::alignment(boxes, &ranges)),
    }
}

/// Some units, evenly spread.
fn some(units: &[Unit]) -> impl Iterator<Item = &Unit> {
    units.iter().step_by(units.len().div_ceil(MAX_COMPARED))
}

/// How alike units are to the one in the middle of them by size, on average.
fn regularity(matcher: &mut Matcher<'_>, units: &[Unit]) -> f64 {
    let mut by_size: Vec<&Unit> = some(units).collect();
    by_size.sort_by_cached_key(|unit| matcher.size_of(unit));
    let middle = by_size[by_size.len() / 2];
    let others: Vec<f64> =
        some(units).filter(|it| *it != middle).map(|it| matcher.alike_units(middle, it)).collect();
    if others.is_empty() { 1.0 } else { others.iter().sum::<f64>() / others.len() as f64 }
}
