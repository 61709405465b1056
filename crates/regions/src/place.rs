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

/// Which paths have one of some tags, told once for each path.
pub(crate) struct PathsWith {
    tags: &'static [&'static str],
    known: Vec<Option<bool>>,
}

impl PathsWith {
    fn new(tags: &'static [&'static str]) -> PathsWith {
        PathsWith { tags, known: Vec::new() }
    }

    /// Those that are not of what the page is about.
    pub(crate) fn asides() -> PathsWith {
        PathsWith::new(&["nav", "footer", "option", "button"])
    }

    pub(crate) fn has(&mut self, leaves: &Leaves, path: PathId) -> bool {
        if self.known.len() <= path.index() {
            self.known.resize(path.index() + 1, None);
        }
        let is_one = |tag: &&str| self.tags.contains(tag);
        *self.known[path.index()]
            .get_or_insert_with(|| leaves.paths().steps(path).iter().any(is_one))
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
        let cells = PathsWith::new(&["td", "th"]);
        let mut around = Around { page, leaves, classes: Classes::of(page), cells };
        let mut depths = InlineDepths::default();
        let mut last_block = None;
        let mut n_in_block = 0_u64;
        let place = |leaf: Leaf<'_>| {
            if leaf.kind != LeafKind::Text {
                return None;
            }
            let n_inline = depths.of(page, leaf);
            let block = above(page, leaf.element, n_inline);
            n_in_block = if block == last_block { n_in_block + 1 } else { 0 };
            last_block = block;
            Some(around.place_of(leaf, block, n_inline, n_in_block))
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

/// What places are told by.
struct Around<'p> {
    page: &'p Page,
    leaves: &'p Leaves,
    classes: Classes<'p>,
    /// Paths within cells of tables.
    cells: PathsWith,
}

impl Around<'_> {
    fn place_of(
        &mut self,
        leaf: Leaf<'_>,
        block: Option<NodeId>,
        n_inline: usize,
        n_in_block: u64,
    ) -> Place {
        let nth = n_in_block.min(3);
        let is_cell = self.cells.has(self.leaves, leaf.path);
        let column = if is_cell { column(self.page, block) } else { 0 };
        let path = hash([1, leaf.path.index() as u64]);
        let own_classes = self.classes.around(leaf.element);
        let dressed = hash([2, path, own_classes]);
        let cell = hash([3, dressed, column]);
        let block_classes = match block {
            Some(block) if block != leaf.element => self.classes.around(block),
            _ => own_classes,
        };
        let paths = self.leaves.paths();
        let block_path = (0..n_inline).fold(leaf.path, |path, _| paths.parent(path));
        let of_block = hash([5, block_path.index() as u64, block_classes, column]);
        Place {
            levels: [path, dressed, cell, hash([4, cell, nth])],
            block: [of_block, hash([6, of_block, nth])],
            block_path,
        }
    }
}

/// By path, how many elements lie between a text and its block: all texts of a path have as many.
#[derive(Default)]
struct InlineDepths(Vec<Option<usize>>);

impl InlineDepths {
    fn of(&mut self, page: &Page, leaf: Leaf<'_>) -> usize {
        if self.0.len() <= leaf.path.index() {
            self.0.resize(leaf.path.index() + 1, None);
        }
        *self.0[leaf.path.index()].get_or_insert_with(|| {
            let elements = std::iter::once(leaf.element).chain(page.ancestors(leaf.element));
            elements.take_while(|node| page.is_inline(*node)).count()
        })
    }
}

/// The element so many above another.
fn above(page: &Page, element: NodeId, n_steps: usize) -> Option<NodeId> {
    std::iter::once(element).chain(page.ancestors(element)).nth(n_steps)
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
        hash([7, next(), next(), next()])
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

/// Of numbers that are hashes or small; each place has half a dozen of them.
fn hash<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0, crate::tree::mix)
}
