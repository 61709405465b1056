//! The second look: a block by what was made of those around it.
//!
//! A line of a table says nothing by itself. What tells that it is of the text is that the text goes on after it, in the same
//! element; and what stands in elements of one kind is mostly of one kind.

use super::block::Text;
use super::crumb::Crumbs;
use super::portrait::ln;
use crate::calibrate::probability;
use crate::sheet::{Sheet, Sums};
use crate::text::Map;
use page::NodeId;

/// How many features there are.
pub(super) const N_AGAIN: usize = NAMES.len();

/// What features are called, in their order.
pub(super) const NAMES: [&str; 10] = [
    "odds",
    "likely in parent",
    "share of likely in parent",
    "share of likely in grandparent",
    "likely of its kind",
    "to nearest sure",
    "to farther sure",
    "levels to farther sure",
    "levels to nearer sure",
    "between sure ones",
];

/// From this on a block is surely prose.
const SURE: f32 = 0.7;
/// Blocks further away are far.
const FAR: usize = 30;
/// So many elements above a block are looked at.
const N_LEVELS: usize = 6;
/// A text of more words counts no more than this.
const MANY_WORDS: usize = 60;

/// What was made of the blocks of a page.
pub(super) struct Around<'s, 'p> {
    sheet: &'s Sheet<'p>,
    crumbs: &'s Crumbs,
    texts: &'s [Text],
    odds: &'s [f32],
    /// By block: what it weighs, and what of that is likely.
    weights: Vec<Weight>,
    /// The same of all before each leaf, at the first of each block.
    sums: (Sums<f64>, Sums<f64>),
    kinds: Map<u64, Weight>,
    /// Of the page.
    likely: f64,
    /// By block: the nearest sure one before it, and after it.
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Default)]
struct Weight {
    all: f64,
    likely: f64,
}

impl Weight {
    /// The likely part, without one that is known.
    fn without(self, own: Weight) -> f32 {
        let rest = self.all - own.all;
        if rest > 0.5 { ((self.likely - own.likely) / rest) as f32 } else { 0.0 }
    }
}

impl<'s, 'p> Around<'s, 'p> {
    pub(super) fn of(
        sheet: &'s Sheet<'p>,
        crumbs: &'s Crumbs,
        texts: &'s [Text],
        odds: &'s [f32],
    ) -> Around<'s, 'p> {
        let weight = |(text, odds): (&Text, &f32)| {
            let all = (text.n_words.min(MANY_WORDS) + 1) as f64;
            Weight { all, likely: all * f64::from(probability(*odds)) }
        };
        let weights: Vec<Weight> = texts.iter().zip(odds).map(weight).collect();
        let mut kinds: Map<u64, Weight> = Map::default();
        let mut by_leaf = vec![Weight::default(); sheet.leaves.len()];
        for (text, weight) in texts.iter().zip(&weights) {
            by_leaf[text.leaves.start] = *weight;
            let kind = kinds.entry(crumbs.get(text.element).way).or_default();
            kind.all += weight.all;
            kind.likely += weight.likely;
        }
        let is_sure = |nth: usize| probability(odds[nth]) > SURE;
        let mut after = nearest((0..texts.len()).rev(), is_sure);
        after.reverse();
        Around {
            sheet,
            crumbs,
            texts,
            odds,
            likely: weights.iter().map(|it| it.likely).sum::<f64>().max(1e-9),
            weights,
            sums: (
                Sums::of(by_leaf.iter().map(|it| it.all)),
                Sums::of(by_leaf.iter().map(|it| it.likely)),
            ),
            kinds,
            before: nearest(0..texts.len(), is_sure),
            after,
        }
    }

    pub(super) fn get(&self, nth: usize) -> [f32; N_AGAIN] {
        let text = &self.texts[nth];
        let own = self.weights[nth];
        let page = self.sheet.page;
        let mut above = page.ancestors(text.element).filter(|it| page.tag(*it).is_some());
        let parent = above.next().unwrap_or(text.element);
        let grandparent = above.next().unwrap_or(parent);
        let (in_parent, in_grandparent) = (self.below(parent), self.below(grandparent));
        let kind = self.kinds.get(&self.crumbs.get(text.element).way).copied().unwrap_or_default();
        let sure = [self.before[nth], self.after[nth]];
        let [before, after] = sure.map(|it| it.map_or(FAR, |it| (it.abs_diff(nth) - 1).min(FAR)));
        let [up_before, up_after] = sure.map(|it| self.levels(nth, it));
        [
            self.odds[nth],
            in_parent.without(own),
            (in_parent.likely / self.likely) as f32,
            (in_grandparent.likely / self.likely) as f32,
            kind.without(own),
            ln(before.min(after)),
            ln(before.max(after)),
            up_before.max(up_after),
            up_before.min(up_after),
            f32::from(u8::from(sure.iter().all(Option::is_some))),
        ]
    }

    fn below(&self, node: NodeId) -> Weight {
        let leaves = self.sheet.extents.below(node);
        Weight { all: self.sums.0.over(leaves.clone()), likely: self.sums.1.over(leaves) }
    }

    /// How many elements up there is one that holds another block too.
    fn levels(&self, nth: usize, other: Option<usize>) -> f32 {
        let Some(other) = other else { return N_LEVELS as f32 };
        let page = self.sheet.page;
        let element = self.texts[nth].element;
        let leaf = self.texts[other].leaves.start;
        let all = std::iter::once(element).chain(page.ancestors(element));
        let holds = |node: NodeId| self.sheet.is_below(leaf, node);
        all.take(N_LEVELS).position(holds).unwrap_or(N_LEVELS) as f32
    }
}

/// For each, in their order, the last sure one that came before it.
fn nearest(
    order: impl Iterator<Item = usize>,
    is_sure: impl Fn(usize) -> bool,
) -> Vec<Option<usize>> {
    let mut last = None;
    order.map(|nth| if is_sure(nth) { last.replace(nth) } else { last }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::block::texts;
    use crate::text::Introductions;

    #[test]
    fn blocks_are_seen_between_sure_ones() {
        let html = "<!doctype html><div><p>one<p>two<table><td>three</table><p>four</div><ul><li>five</ul>";
        let page = page::parse(html.as_bytes());
        let sheet = Sheet::new(&page, &Introductions::default());
        let crumbs = Crumbs::of(&page);
        let texts = texts(&sheet, &crumbs);
        let odds = [9.0, 9.0, -9.0, 9.0, -9.0];
        let around = Around::of(&sheet, &crumbs, &texts, &odds);
        let of = |nth: usize, name: &str| {
            around.get(nth)[NAMES.iter().position(|it| *it == name).unwrap()]
        };
        assert_eq!((of(2, "between sure ones"), of(4, "between sure ones")), (1.0, 0.0));
        // From the cell by row, body and table to the element around the text.
        assert_eq!((of(2, "levels to farther sure"), of(0, "levels to nearer sure")), (4.0, 1.0));
        assert_eq!((of(2, "to nearest sure"), of(2, "to farther sure")), (0.0, 0.0));
        assert!(of(0, "likely in parent") > 0.6 && of(0, "likely of its kind") > 0.9);
        assert_eq!(of(4, "likely in parent"), 0.0);
        assert!(of(0, "share of likely in parent") > 0.9);
    }

    #[test]
    fn the_last_sure_one_counts() {
        let found = nearest(0..5, |nth| nth == 1 || nth == 3);
        assert_eq!(found, [None, None, Some(1), Some(1), Some(3)]);
    }
}
