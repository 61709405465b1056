//! The second look: what was first made of a spot, seen beside what was first made of the page around it.
//!
//! A paragraph is content because those around it are; a name is the author's because the title is just above. The first look
//! sees each spot alone. This room turns its odds into features of a second judge.

use crate::calibrate::probability;
use crate::sheet::{Origin, Sheet, Spot, Sums};
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
    /// Probability times bytes of leaves.
    masses: Sums<f64>,
    best: f32,
    /// The leaf where the best spot starts.
    place: Option<usize>,
    /// The leaves of the region that holds most of it.
    region: (usize, usize),
    region_node: Option<NodeId>,
    /// What is only asked of an element whose own spots are looked at again.
    own: Option<Own>,
}

struct Own {
    /// By block: the mean probability of its text.
    blocks: Vec<f32>,
    /// By spot: how many have better odds, or many.
    ranks: Vec<u8>,
}

impl<'s, 'p> Context<'s, 'p> {
    pub(crate) fn n_features(n_elements: usize) -> usize {
        N_OWN + N_EACH * n_elements
    }

    /// To look again at the spots of those elements that are asked for.
    pub(crate) fn new(
        sheet: &'s Sheet<'p>,
        odds: &'s [f32],
        n_elements: usize,
        is_asked: impl Fn(usize) -> bool,
    ) -> Context<'s, 'p> {
        let first = |element: usize| First { sheet, odds, n_elements, element };
        let elements = (0..n_elements).map(|it| first(it).around(is_asked(it))).collect();
        Context { sheet, n_elements, odds, elements }
    }

    /// The features of a spot that is not a statement.
    pub(crate) fn of(&self, nth: usize, element: usize, values: &mut Vec<f32>) {
        let sheet = self.sheet;
        let spot = &sheet.spots[nth];
        let around = &self.elements[element];
        let (blocks, ranks) = match &around.own {
            Some(own) => (&own.blocks[..], &own.ranks[..]),
            None => (&[][..], &[][..]),
        };
        let own = self.odds[nth * self.n_elements + element];
        let block = sheet.block_of[spot.leaves.start];
        let parent = sheet.page.parent(sheet.blocks[block].element);
        let grandparent = parent.and_then(|it| sheet.page.parent(it));
        let near = |distance: isize| {
            let at = block.checked_add_signed(distance);
            at.and_then(|at| blocks.get(at)).copied().unwrap_or(0.0)
        };
        let others = (0..self.n_elements).filter(|it| *it != element);
        let rival = others.map(|it| self.odds[nth * self.n_elements + it]).fold(-20.0, f32::max);
        let is_inside =
            around.region_node.is_some_and(|node| sheet.is_below(spot.leaves.start, node));
        values.extend([
            own,
            f32::from(ranks.get(nth).copied().unwrap_or(MANY)),
            own - around.best,
            around.best,
            near(0),
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
        let below = self.sheet.extents.below(node);
        around.masses.over(below) as f32 / (self.sheet.mass(node).len.max(1) as f32)
    }
}

/// So many better spots are as good as any more.
const MANY: u8 = 30;

/// The first look at one element.
struct First<'s, 'p> {
    sheet: &'s Sheet<'p>,
    odds: &'s [f32],
    n_elements: usize,
    element: usize,
}

impl First<'_, '_> {
    fn odds(&self, spot: usize) -> f32 {
        self.odds[spot * self.n_elements + self.element]
    }

    fn around(&self, is_asked: bool) -> Around {
        let sheet = self.sheet;
        let mut blocks = vec![0.0; sheet.blocks.len()];
        let mut weights = vec![0.0; sheet.leaves.len()];
        let mut best = f32::NEG_INFINITY;
        let mut place = None;
        for (nth, spot) in sheet.spots[..sheet.n_standing()].iter().enumerate() {
            let odds = self.odds(nth);
            if odds > best {
                (best, place) = (odds, Some(spot.leaves.start));
            }
            if spot.origin == Origin::Leaf {
                let weight = probability(odds) * sheet.text(spot).len() as f32;
                blocks[sheet.block_of[spot.leaves.start]] += weight;
                weights[spot.leaves.start] = f64::from(weight);
            }
        }
        for (share, block) in blocks.iter_mut().zip(&sheet.blocks) {
            *share /= block.len.max(1) as f32;
        }
        let masses = Sums::of(weights.into_iter());
        let region_node = region(sheet.page, |node| masses.over(sheet.extents.below(node)) as f32);
        let region = region_node.map_or((0, 0), |node| {
            let below = sheet.extents.below(node);
            (below.start, below.end.saturating_sub(1))
        });
        let own = is_asked.then(|| Own { blocks, ranks: self.ranks() });
        Around { masses, best: best.max(-20.0), place, region, region_node, own }
    }

    fn ranks(&self) -> Vec<u8> {
        let n_standing = self.sheet.n_standing();
        let mut best: Vec<(f32, usize)> =
            (0..n_standing).map(|nth| (self.odds(nth), nth)).collect();
        let by_odds = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let many = usize::from(MANY);
        if best.len() > many {
            best.select_nth_unstable_by(many, by_odds);
            best.truncate(many);
        }
        best.sort_unstable_by(by_odds);
        let mut ranks = vec![MANY; n_standing];
        for (rank, (_, nth)) in (0..).zip(best) {
            ranks[nth] = rank;
        }
        ranks
    }
}

/// A region has so much of what its parent has.
const MOST: f32 = 0.7;

/// The region of a page that most of something is in.
pub(crate) fn region(page: &Page, mass: impl Fn(NodeId) -> f32) -> Option<NodeId> {
    heaviest(page, mass, DOMINANCE, MOST)
}

/// From the body down while one child outweighs every other so many times, and has so much of what its parent has.
pub(crate) fn heaviest(
    page: &Page,
    mass: impl Fn(NodeId) -> f32,
    dominance: f32,
    most: f32,
) -> Option<NodeId> {
    let mut node = page.find(page.document(), "body")?;
    let mut whole = mass(node);
    if whole <= 0.0 {
        return None;
    }
    loop {
        let (mut best, mut first, mut second) = (None, 0.0, 0.0);
        for child in page.children(node) {
            let mass = mass(child);
            if mass > first {
                second = first;
                (first, best) = (mass, Some(child));
            } else if mass > second {
                second = mass;
            }
        }
        match best {
            Some(child) if first > dominance * second && first > most * whole => {
                (node, whole) = (child, first);
            }
            _ => return Some(node),
        }
    }
}
