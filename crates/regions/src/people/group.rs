//! Which candidates are people: by what stands at the same place of other records.
//!
//! Where a leaf stands is told ever more exactly: by its path, by the classes around it, by the column of its cell, by its number within the
//! block. At each level the rate of names is estimated from all other leaves there, starting from that of the level above; that rate is
//! added to what the text itself says. So a name that no dictionary has is one among names, and `Summer Hall` is none in a menu.

use super::candidate::{Candidate, block};
use crate::config::Config;
use page::{AttrKeys, Leaf, LeafKind, Leaves, NodeId, Page, PathId};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// How many levels a place has.
const N_LEVELS: usize = 4;
/// A leaf's place, from coarse to fine.
type Place = [u64; N_LEVELS];
type Map<V> = HashMap<u64, V, foldhash::fast::FixedState>;

/// The rate of names among the texts of any page.
const BASE_RATE: f64 = 0.12;
/// How many leaves the rate of the level above counts for.
const PRIOR_WEIGHT: f64 = 2.0;

#[derive(Clone, Copy, Default)]
struct Tally {
    n_leaves: f64,
    n_names: f64,
}

/// Judge all candidates.
pub(super) fn judge(page: &Page, leaves: &Leaves, candidates: &mut [Candidate], config: &Config) {
    if candidates.is_empty() {
        return;
    }
    let places = places(page, leaves);
    let mut tallies: Map<Tally> = Map::default();
    let mut named = vec![0.0; leaves.len()];
    for candidate in candidates.iter() {
        named[candidate.leaf] = probability(candidate.text_odds);
    }
    for (place, probability) in places.iter().zip(&named) {
        for level in place.iter().flatten() {
            let tally = tallies.entry(*level).or_default();
            tally.n_leaves += 1.0;
            tally.n_names += probability;
        }
    }
    let threshold = log_odds(config.thresholds.names);
    let mut asides = Asides::default();
    let mut groups: Map<usize> = Map::default();
    for candidate in candidates {
        let Some(place) = &places[candidate.leaf] else { continue };
        let rate = rate_without(place, named[candidate.leaf], &tallies);
        let support = config.thresholds.regularity * (log_odds(rate) - log_odds(BASE_RATE));
        let aside = if asides.has(leaves, candidate.leaf) { ASIDE_ODDS } else { 0.0 };
        candidate.odds = candidate.text_odds + support + aside;
        candidate.is_person = candidate.odds > threshold;
        if candidate.is_person {
            let n_groups = groups.len();
            candidate.group = *groups.entry(place[1]).or_insert(n_groups);
        }
    }
}

/// What speaks against a name in a menu or a footer: somebody else's news, or who made the page.
const ASIDE_ODDS: f64 = -2.0;

/// Which paths are not of what the page is about.
#[derive(Default)]
struct Asides(HashMap<PathId, bool, foldhash::fast::FixedState>);

impl Asides {
    fn has(&mut self, leaves: &Leaves, leaf: usize) -> bool {
        let path = leaves.get(leaf).path;
        let is_aside = |tag: &&str| matches!(*tag, "nav" | "footer" | "option" | "button");
        *self.0.entry(path).or_insert_with(|| leaves.paths().steps(path).iter().any(is_aside))
    }
}

/// The rate of names at a place, one leaf of it left out.
fn rate_without(place: &Place, own: f64, tallies: &Map<Tally>) -> f64 {
    place.iter().fold(BASE_RATE, |rate, level| {
        let tally = tallies.get(level).copied().unwrap_or_default();
        let (n_names, n_leaves) = (tally.n_names - own, tally.n_leaves - 1.0);
        (n_names.max(0.0) + PRIOR_WEIGHT * rate) / (n_leaves.max(0.0) + PRIOR_WEIGHT)
    })
}

pub(super) fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(0.001, 0.999);
    (probability / (1.0 - probability)).ln()
}

/// The places of all leaves that show text.
fn places(page: &Page, leaves: &Leaves) -> Vec<Option<Place>> {
    let keys = page.attr_keys(["class"]);
    let mut last_block = None;
    let mut n_in_block = 0_u64;
    let place = |leaf: Leaf<'_>| {
        if leaf.kind != LeafKind::Text {
            return None;
        }
        let block = block(page, leaf.element);
        n_in_block = if block == last_block { n_in_block + 1 } else { 0 };
        last_block = block;
        Some(place_of(page, leaf, block, n_in_block, &keys))
    };
    leaves.iter().map(place).collect()
}

fn place_of(
    page: &Page,
    leaf: Leaf<'_>,
    block: Option<NodeId>,
    n_in_block: u64,
    keys: &AttrKeys<1>,
) -> Place {
    let path = hash(&[1, leaf.path.index() as u64]);
    let classes = hash(&[2, path, class_hash(page, leaf.element, keys)]);
    let cell = hash(&[3, classes, column(page, block)]);
    let nth = hash(&[4, cell, n_in_block.min(3)]);
    [path, classes, cell, nth]
}

/// The classes of an element and of the two above it, without digits.
fn class_hash(page: &Page, element: NodeId, keys: &AttrKeys<1>) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    for node in std::iter::once(element).chain(page.ancestors(element)).take(3) {
        hasher.write_u8(b'/');
        for (_, class) in page.attrs_by(node, keys) {
            for byte in class.bytes().filter(|byte| !byte.is_ascii_digit()).take(64) {
                hasher.write_u8(byte);
            }
        }
    }
    hasher.finish()
}

/// The column of a cell; wider tables are not told apart further.
fn column(page: &Page, block: Option<NodeId>) -> u64 {
    const MAX_COLUMNS: usize = 16;
    let is_cell = |node: &NodeId| matches!(page.tag(*node), Some("td" | "th"));
    let above = block
        .into_iter()
        .flat_map(|node| std::iter::once(node).chain(page.ancestors(node)).take(4));
    let Some(cell) = above.into_iter().find(is_cell) else { return 0 };
    let before =
        std::iter::successors(page.previous_sibling(cell), |node| page.previous_sibling(*node));
    1 + before.take(2 * MAX_COLUMNS).filter(is_cell).count() as u64
}

fn hash(numbers: &[u64]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    for number in numbers {
        hasher.write_u64(*number);
    }
    hasher.finish()
}
