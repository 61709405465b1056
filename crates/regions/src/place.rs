//! Where leaves stand, ever more exactly, and how often something stands there.
//!
//! A place is told by the leaf's path, by the classes around it, by the column of its cell, by its number within its block. At each level
//! the rate of what is looked for is estimated from all other leaves there, starting from the rate of the level above. So few leaves of a
//! kind lean on what their wider surroundings are like, and many speak for themselves.

use page::{AttrKeys, Leaf, LeafKind, Leaves, NodeId, Page, PathId};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// How many levels a place has.
const N_LEVELS: usize = 4;

/// Where a leaf stands, as numbers that are equal where places are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// From coarse to fine: path, classes, column, number within the block.
    pub(crate) levels: [u64; N_LEVELS],
    /// The same of its block, whatever markup is between: one record has a link on the name, the next has none.
    block: [u64; 2],
    /// The path of its block.
    pub(crate) block_path: PathId,
}

/// How many leaves the rate of the level above counts for.
const PRIOR_WEIGHT: f64 = 2.0;
/// What speaks against a leaf that is only in the same kind of block as the others.
const BLOCK_DOUBT: f64 = 0.7;

impl Place {
    pub(crate) fn finest(&self) -> u64 {
        self.levels[N_LEVELS - 1]
    }
}

/// The places of all leaves that show text.
#[derive(Debug)]
pub(crate) struct Places(Vec<Option<Place>>);

/// Which paths are not of what the page is about.
#[derive(Default)]
pub(crate) struct Asides(HashMap<PathId, bool, foldhash::fast::FixedState>);

impl Asides {
    pub(crate) fn has(&mut self, leaves: &Leaves, leaf: usize) -> bool {
        let path = leaves.get(leaf).path;
        let is_aside = |tag: &&str| matches!(*tag, "nav" | "footer" | "option" | "button");
        *self.0.entry(path).or_insert_with(|| leaves.paths().steps(path).iter().any(is_aside))
    }
}

/// How much of what is looked for is at each place.
#[derive(Debug)]
pub(crate) struct Rates<'p> {
    places: &'p Places,
    tallies: HashMap<u64, Tally, foldhash::fast::FixedState>,
    base: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    n_leaves: f64,
    n_found: f64,
}

/// The nearest element that is a block of its own.
pub(crate) fn block(page: &Page, element: NodeId) -> Option<NodeId> {
    if !page.is_inline(element) {
        return Some(element);
    }
    page.ancestors(element).find(|node| !page.is_inline(*node))
}

pub(crate) fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

pub(crate) fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(0.001, 0.999);
    (probability / (1.0 - probability)).ln()
}

impl Places {
    pub(crate) fn of(page: &Page, leaves: &Leaves) -> Places {
        let mut classes = Classes::of(page);
        let mut last_block = None;
        let mut n_in_block = 0_u64;
        let place = |leaf: Leaf<'_>| {
            if leaf.kind != LeafKind::Text {
                return None;
            }
            let block = block(page, leaf.element);
            n_in_block = if block == last_block { n_in_block + 1 } else { 0 };
            last_block = block;
            Some(place_of(page, leaves, leaf, block, n_in_block, &mut classes))
        };
        Places(leaves.iter().map(place).collect())
    }

    pub(crate) fn get(&self, leaf: usize) -> Option<&Place> {
        self.0.get(leaf)?.as_ref()
    }
}

impl<'p> Rates<'p> {
    /// From how probable each leaf is; `base` is the rate where nothing is known.
    pub(crate) fn of(places: &'p Places, probabilities: &[f64], base: f64) -> Rates<'p> {
        let mut tallies: HashMap<u64, Tally, foldhash::fast::FixedState> = HashMap::default();
        for (place, probability) in places.0.iter().zip(probabilities) {
            for level in place.iter().flat_map(|it| it.levels.iter().chain(&it.block)) {
                let tally = tallies.entry(*level).or_default();
                tally.n_leaves += 1.0;
                tally.n_found += probability;
            }
        }
        Rates { places, tallies, base }
    }

    /// What the other leaves at a leaf's place say for it, as log-odds. Its own probability is left out.
    pub(crate) fn support(&self, leaf: usize, own: f64) -> f64 {
        let Some(place) = self.places.get(leaf) else { return 0.0 };
        let by_path = self.rate(&place.levels, own);
        let by_block = self.rate(&place.block, own);
        let base = log_odds(self.base);
        (log_odds(by_path) - base).max(log_odds(by_block) - base - BLOCK_DOUBT)
    }

    fn rate(&self, levels: &[u64], own: f64) -> f64 {
        levels.iter().fold(self.base, |rate, level| {
            let tally = self.tallies.get(level).copied().unwrap_or_default();
            let (n_found, n_leaves) = (tally.n_found - own, tally.n_leaves - 1.0);
            (n_found.max(0.0) + PRIOR_WEIGHT * rate) / (n_leaves.max(0.0) + PRIOR_WEIGHT)
        })
    }
}

fn place_of(
    page: &Page,
    leaves: &Leaves,
    leaf: Leaf<'_>,
    block: Option<NodeId>,
    n_in_block: u64,
    classes: &mut Classes<'_>,
) -> Place {
    let nth = n_in_block.min(3);
    let column = column(page, block);
    let path = hash(&[1, leaf.path.index() as u64]);
    let own_classes = classes.around(leaf.element);
    let dressed = hash(&[2, path, own_classes]);
    let cell = hash(&[3, dressed, column]);
    let block_classes = match block {
        Some(block) if block != leaf.element => classes.around(block),
        _ => own_classes,
    };
    let block_path = block_path(page, leaves, leaf, block);
    let of_block = hash(&[5, block_path.index() as u64, block_classes, column]);
    Place {
        levels: [path, dressed, cell, hash(&[4, cell, nth])],
        block: [of_block, hash(&[6, of_block, nth])],
        block_path,
    }
}

/// The path of a leaf's block.
fn block_path(page: &Page, leaves: &Leaves, leaf: Leaf<'_>, block: Option<NodeId>) -> PathId {
    let inline = std::iter::once(leaf.element).chain(page.ancestors(leaf.element));
    let n_inline = inline.take_while(|node| Some(*node) != block).count();
    (0..n_inline).fold(leaf.path, |path, _| leaves.paths().parent(path))
}

/// The classes of elements as numbers, without digits: `post-7` and `post-12` are the same.
struct Classes<'p> {
    page: &'p Page,
    key: AttrKeys<1>,
    /// By element; zero where it was not asked for yet.
    known: Vec<u64>,
}

impl<'p> Classes<'p> {
    fn of(page: &'p Page) -> Classes<'p> {
        Classes { page, key: page.attr_keys(["class"]), known: vec![0; page.n_nodes()] }
    }

    /// Of an element and of the two above it.
    fn around(&mut self, element: NodeId) -> u64 {
        let page = self.page;
        let mut above = std::iter::once(element).chain(page.ancestors(element)).take(3);
        let mut next = || above.next().map_or(0, |node| self.own(node));
        hash(&[7, next(), next(), next()])
    }

    fn own(&mut self, element: NodeId) -> u64 {
        let known = self.known[element.index()];
        if known != 0 {
            return known;
        }
        let mut hasher = foldhash::fast::FixedState::default().build_hasher();
        for (_, class) in self.page.attrs_by(element, &self.key) {
            for piece in class.as_bytes().split(u8::is_ascii_digit) {
                hasher.write(piece);
            }
        }
        // Zero is for those that are not known.
        self.known[element.index()] = hasher.finish() | 1;
        self.known[element.index()]
    }
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
