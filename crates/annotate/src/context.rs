//! The second look: what was first made of a spot, seen beside what was first made of the page around it.
//!
//! A paragraph is content because those around it are; a name is the author's because the title is just above. The first look
//! sees each spot alone. This room turns its odds into features of a second judge.

use crate::calibrate::probability;
use crate::sheet::{Origin, Sheet, Spot};
use page::{NodeId, Page};

/// Features of one spot and element that are the same for all schemas; each other element adds three.
const N_OWN: usize = 14;
/// Features that each element of the schema adds.
const N_EACH: usize = 3;

/// A child that outweighs the others so many times is gone down to.
const DOMINANCE: f32 = 3.0;

/// What the first look made of a page.
pub(crate) struct Context<'s, 'p> {
    sheet: &'s Sheet<'p>,
    n_elements: usize,
    /// `spot * n_elements + element`.
    odds: &'s [f32],
    elements: Vec<Around>,
}

/// What the first look made of one element.
struct Around {
    /// By block: the mean probability of its text.
    blocks: Vec<f32>,
    /// By node: probability times bytes below it.
    masses: Vec<f32>,
    /// By spot: how many have better odds.
    ranks: Vec<u16>,
    best: f32,
    /// The leaf where the best spot starts.
    place: Option<usize>,
    /// The leaves of the region that holds most of it.
    region: (usize, usize),
    region_node: Option<NodeId>,
}

impl<'s, 'p> Context<'s, 'p> {
    pub(crate) fn n_features(n_elements: usize) -> usize {
        N_OWN + N_EACH * n_elements
    }

    pub(crate) fn new(sheet: &'s Sheet<'p>, odds: &'s [f32], n_elements: usize) -> Context<'s, 'p> {
        let elements = (0..n_elements).map(|it| around(sheet, odds, n_elements, it)).collect();
        Context { sheet, n_elements, odds, elements }
    }

    /// The features of a spot that is not a statement.
    pub(crate) fn of(&self, nth: usize, element: usize, values: &mut Vec<f32>) {
        let sheet = self.sheet;
        let spot = &sheet.spots[nth];
        let around = &self.elements[element];
        let own = self.odds[nth * self.n_elements + element];
        let block = sheet.block_of[spot.leaves.start];
        let parent = sheet.page.parent(sheet.blocks[block].element);
        let grandparent = parent.and_then(|it| sheet.page.parent(it));
        let near = |distance: isize| {
            let at = block.checked_add_signed(distance);
            at.and_then(|at| around.blocks.get(at)).copied().unwrap_or(0.0)
        };
        let others = (0..self.n_elements).filter(|it| *it != element);
        let rival = others.map(|it| self.odds[nth * self.n_elements + it]).fold(-20.0, f32::max);
        let is_inside =
            around.region_node.is_some_and(|node| sheet.is_below(spot.leaves.start, node));
        values.extend([
            own,
            f32::from(around.ranks[nth].min(30)),
            own - around.best,
            around.best,
            around.blocks[block],
            self.mean(around, parent),
            self.mean(around, grandparent),
            near(-1),
            near(1),
            (near(-1) + near(-2) + near(-3)) / 3.0,
            (near(1) + near(2) + near(3)) / 3.0,
            f32::from(u8::from(is_inside)),
            rival,
            match spot.origin {
                Origin::Leaf => 0.0,
                Origin::Block => 1.0,
                _ => 2.0,
            },
        ]);
        for other in &self.elements {
            self.relations(spot, other, values);
        }
    }

    fn relations(&self, spot: &Spot, other: &Around, values: &mut Vec<f32>) {
        let position = spot.leaves.start as f32;
        let distance = |to: usize| (position - to as f32).clamp(-80.0, 80.0);
        let (start, end) = other.region;
        let is_there = other.region_node.is_some();
        values.push(other.place.map_or(99.0, distance));
        values.push(if is_there { distance(start) } else { 99.0 });
        values.push(if is_there { distance(end) } else { 99.0 });
    }

    fn mean(&self, around: &Around, node: Option<NodeId>) -> f32 {
        let Some(node) = node else { return 0.0 };
        around.masses[node.index()] / (self.sheet.masses[node.index()].len.max(1) as f32)
    }
}

fn around(sheet: &Sheet<'_>, odds: &[f32], n_elements: usize, element: usize) -> Around {
    let of = |nth: usize| odds[nth * n_elements + element];
    let mut blocks = vec![0.0; sheet.blocks.len()];
    let mut masses = vec![0.0; sheet.page.n_nodes()];
    let mut best = f32::NEG_INFINITY;
    let mut place = None;
    let mut sorted: Vec<(f32, usize)> = Vec::with_capacity(sheet.spots.len());
    for (nth, spot) in sheet.spots.iter().enumerate() {
        if spot.leaves.is_empty() {
            continue;
        }
        sorted.push((of(nth), nth));
        if of(nth) > best {
            (best, place) = (of(nth), Some(spot.leaves.start));
        }
        if spot.origin != Origin::Leaf {
            continue;
        }
        let weight = probability(of(nth)) * sheet.text(spot).len() as f32;
        blocks[sheet.block_of[spot.leaves.start]] += weight;
        let element = sheet.leaves.get(spot.leaves.start).element;
        for node in std::iter::once(element).chain(sheet.page.ancestors(element)) {
            masses[node.index()] += weight;
        }
    }
    for (share, block) in blocks.iter_mut().zip(&sheet.blocks) {
        *share /= block.len.max(1) as f32;
    }
    sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut ranks = vec![u16::MAX; sheet.spots.len()];
    for (rank, (_, nth)) in sorted.iter().enumerate() {
        ranks[*nth] = u16::try_from(rank).unwrap_or(u16::MAX);
    }
    let region_node = region(sheet.page, &masses);
    let region = region_node.map_or((0, 0), |node| extent(sheet, node));
    Around { blocks, masses, ranks, best: best.max(-20.0), place, region, region_node }
}

/// A region has so much of what its parent has.
const MOST: f32 = 0.7;

/// The region of a page that most of something is in.
pub(crate) fn region(page: &Page, masses: &[f32]) -> Option<NodeId> {
    heaviest(page, masses, DOMINANCE, MOST)
}

/// From the body down while one child outweighs every other so many times, and has so much of what its parent has.
pub(crate) fn heaviest(page: &Page, masses: &[f32], dominance: f32, most: f32) -> Option<NodeId> {
    let mut node = page.find(page.document(), "body")?;
    if masses[node.index()] <= 0.0 {
        return None;
    }
    loop {
        let (mut best, mut first, mut second) = (None, 0.0, 0.0);
        for child in page.children(node) {
            let mass = masses[child.index()];
            if mass > first {
                second = first;
                (first, best) = (mass, Some(child));
            } else if mass > second {
                second = mass;
            }
        }
        match best {
            Some(child) if first > dominance * second && first > most * masses[node.index()] => {
                node = child
            }
            _ => return Some(node),
        }
    }
}

/// The first and last leaf below a node.
fn extent(sheet: &Sheet<'_>, node: NodeId) -> (usize, usize) {
    let mut below = (0..sheet.leaves.len()).filter(|leaf| sheet.is_below(*leaf, node));
    let first = below.next().unwrap_or(0);
    (first, below.next_back().unwrap_or(first))
}
