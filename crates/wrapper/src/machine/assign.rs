//! The best sequence of states for the leaves of a page.
//!
//! Every leaf has a few candidates: the states of leaves in such elements, by tags and roles, else by tags alone, else the
//! prose around it. Of all sequences of candidates the cheapest is found by dynamic programming: what a leaf looks
//! like speaks for a state, and so does the state before it.

use super::steps::{Found, Locator};
use super::tables::{Costs, Tables};
use super::{Look, Machine, State, kind_of};
use crate::schema::SlotId;
use page::{Leaf, Leaves, NodeId, Page};
use std::ops::Range;

/// What is kept from one page to the next, so that nothing is made anew.
#[derive(Default)]
pub(crate) struct Scratch {
    locator: Locator,
    /// The candidates of all leaves so far.
    candidates: Vec<Candidate>,
    /// By leaf, where its candidates end, and how deep the elements go that it has in common with the leaf before.
    ends: Vec<(usize, u16)>,
    costs: Costs,
    /// How well each state of a spot fits a leaf by itself, and which.
    own: Vec<(f32, usize)>,
}

/// Up to so many states of a spot are all looked at; of more, those that came after the ones before, and the best by
/// themselves.
const MAX_STATES: usize = 8;
/// So many ways are followed from leaf to leaf.
const MAX_WAYS: usize = 12;
/// So many costs are kept.
const MAX_COSTS: usize = 200_000;

#[derive(Clone, Copy)]
struct Candidate {
    slot: SlotId,
    how: How,
    /// What the leaf itself says for it.
    own: f32,
    /// The best sum so far, and by which candidate before.
    sum: f32,
    before: Option<usize>,
    /// Which state of its spot, for the depths of its records.
    source: Source,
}

/// How a leaf was found to be a candidate's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// In an element of the same tags and roles.
    Exactly,
    /// In an element of the same tags.
    ByTags,
    /// Somewhere in prose.
    InProse,
    /// Somewhere where anything may stand.
    Freely,
    /// Somewhere where nothing like it ever stood.
    Inserted,
}

impl Candidate {
    fn loose(slot: SlotId, how: How, own: f32) -> Candidate {
        Candidate { slot, how, own, sum: 0.0, before: None, source: Source::Slot }
    }
}

#[derive(Clone, Copy)]
enum Source {
    Spot(usize, usize),
    Tags(u64, u8, usize),
    Slot,
}

/// A leaf with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) slot: SlotId,
    /// How deep the records are that it is part of, the outermost first.
    pub(crate) depths: Vec<u16>,
}

/// The leaves of a page with their states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assigned {
    pub(crate) labels: Vec<Option<Label>>,
    pub(crate) misfits: Vec<Misfit>,
    /// How many leaves were found by their tags only.
    pub(crate) n_loose: usize,
}

/// Something that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// A leaf at a place where there never was one.
    Unexpected { leaf: usize },
    /// A leaf that is new among others that fit.
    Inserted { leaf: usize },
    /// A leaf of the template that says something else.
    Reworded { leaf: usize, slot: SlotId },
    /// A state that must not come after the one before.
    OutOfOrder { leaf: usize, slot: SlotId, after: SlotId },
    /// The page ends where something must follow.
    TooShort { after: SlotId },
    /// Too much is missing that every page had.
    Missing { n: usize, of: usize },
}

/// A page that lacks more than this share of what every page had is another.
const MAX_MISSING: f64 = 0.2;

impl Scratch {
    fn start(&mut self, page: &Page) {
        self.candidates.clear();
        self.ends.clear();
        self.locator.start(page);
        if self.costs.len() > MAX_COSTS {
            self.costs.clear();
        }
    }
}

/// What candidates cost that were found by less than all there is.
const BY_TAGS: f32 = -3.0;
const IN_PROSE: f32 = -2.0;
const FREELY: f32 = -7.0;
const INSERTED: f32 = -10.0;
/// What it says for or against a state of the template to say what it says.
const SAME_WORDS: f32 = 3.0;
const OTHER_WORDS: f32 = -8.0;
const OTHER_VALUE: f32 = -2.0;

impl Machine {
    pub(crate) fn assign(
        &self,
        tables: &Tables,
        page: &Page,
        leaves: &Leaves,
        scratch: &mut Scratch,
    ) -> Assigned {
        let last = self.advance(tables, page, leaves, scratch);
        self.trace(tables, leaves, scratch, last)
    }

    /// Go from leaf to leaf, and find the best way to each candidate. The best of the last ones comes back.
    fn advance(
        &self,
        tables: &Tables,
        page: &Page,
        leaves: &Leaves,
        scratch: &mut Scratch,
    ) -> Option<usize> {
        scratch.start(page);
        let mut previous = 0..0;
        let mut last: Option<(NodeId, u16)> = None;
        for leaf in leaves.iter() {
            let is_free = |step| tables.free.contains_key(&step);
            let found = scratch.locator.find(&self.steps, is_free, page, leaf.element);
            let start = scratch.candidates.len();
            self.candidates(tables, &leaf, found, previous.clone(), scratch);
            if let Some(slot) = found.free.and_then(|step| tables.free.get(&step)) {
                let is_free = self.nodes[*slot].is_free;
                let (how, own) =
                    if is_free { (How::Freely, FREELY) } else { (How::Inserted, INSERTED) };
                scratch.candidates.push(Candidate::loose(*slot, how, own));
            }
            let here = (leaf.element, found.depth);
            let depth = last.map_or(0, |last| common_depth(page, last, here));
            // What comes next is compared with the last leaf that has a state.
            if scratch.candidates.len() > start {
                self.connect(tables, scratch, previous, start, depth);
                previous = start..scratch.candidates.len();
                last = Some(here);
            }
            scratch.ends.push((scratch.candidates.len(), depth));
        }
        let Scratch { candidates, costs, .. } = scratch;
        for candidate in &mut candidates[previous.clone()] {
            candidate.sum += tables.transition(self, costs, (candidate.slot, 0), 0).0;
        }
        previous.max_by(|left, right| candidates[*left].sum.total_cmp(&candidates[*right].sum))
    }

    /// Add the candidates of a leaf.
    fn candidates(
        &self,
        tables: &Tables,
        leaf: &Leaf<'_>,
        found: Found,
        previous: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let kind = kind_of(leaf);
        let spot = tables.spots.get(&(found.step, kind)).filter(|_| found.is_known);
        if let Some(spot) = spot {
            let source = |nth| Source::Spot(*spot, nth);
            let states = &self.spots[*spot].states;
            self.add(tables, leaf, states, How::Exactly, source, previous, scratch);
            return;
        }
        let before = scratch.candidates.len();
        if let Some(states) = tables.by_tags.get(&(found.tags, kind)) {
            let source = |nth| Source::Tags(found.tags, kind, nth);
            self.add(tables, leaf, states, How::ByTags, source, previous, scratch);
        }
        let mut step = found.step;
        while step != 0 {
            for slot in tables.hosts.get(&step).into_iter().flatten() {
                if !scratch.candidates[before..].iter().any(|it| it.slot == *slot) {
                    scratch.candidates.push(Candidate::loose(*slot, How::InProse, IN_PROSE));
                }
            }
            step = self.steps.parent(step);
        }
    }

    /// Add the states of a spot that may be a leaf's.
    #[allow(clippy::too_many_arguments, reason = "one step of a loop over all of these")]
    fn add(
        &self,
        tables: &Tables,
        leaf: &Leaf<'_>,
        states: &[State],
        how: How,
        source: impl Fn(usize) -> Source,
        previous: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let base = if how == How::ByTags { BY_TAGS } else { 0.0 };
        let candidate = |own: f32, nth: usize| Candidate {
            slot: states[nth].slot,
            how,
            own: base + own,
            sum: 0.0,
            before: None,
            source: source(nth),
        };
        if states.len() == 1 {
            scratch.candidates.push(candidate(0.0, 0));
            return;
        }
        let total: u32 = states.iter().map(|state| state.n).sum();
        let Scratch { candidates, own, .. } = scratch;
        own.clear();
        own.extend(states.iter().enumerate().map(|(nth, state)| {
            let share = (state.n as f32 / total as f32).ln();
            (share + self.look(state.slot).map_or(0.0, |look| look.likelihood(leaf)), nth)
        }));
        let first = candidates.len();
        if states.len() > MAX_STATES {
            for before in previous {
                for slot in &tables.next[candidates[before].slot] {
                    let is_new = |it: &Candidate| it.slot != *slot;
                    if let Ok(nth) = states.binary_search_by_key(slot, |state| state.slot)
                        && candidates[first..].iter().all(is_new)
                    {
                        candidates.push(candidate(own[nth].0, nth));
                    }
                }
            }
            own.select_nth_unstable_by(MAX_STATES - 1, |left, right| right.0.total_cmp(&left.0));
            own.truncate(MAX_STATES);
        }
        for (own, nth) in own.iter() {
            if candidates[first..].iter().all(|it| it.slot != states[*nth].slot) {
                candidates.push(candidate(*own, *nth));
            }
        }
    }

    /// Find the best way to each candidate from `start` on, and keep the best of them.
    fn connect(
        &self,
        tables: &Tables,
        scratch: &mut Scratch,
        previous: Range<usize>,
        start: usize,
        depth: u16,
    ) {
        let Scratch { candidates, costs, .. } = scratch;
        let (before, of_leaf) = candidates.split_at_mut(start);
        for candidate in of_leaf.iter_mut() {
            let mut best = (f32::NEG_INFINITY, None);
            for (offset, from) in before[previous.clone()].iter().enumerate() {
                let step = (from.slot, candidate.slot);
                let sum = from.sum + tables.transition(self, costs, step, depth).0;
                if sum > best.0 {
                    best = (sum, Some(previous.start + offset));
                }
            }
            if previous.is_empty() {
                best = (tables.transition(self, costs, (0, candidate.slot), 0).0, None);
            }
            candidate.sum = best.0 + candidate.own;
            candidate.before = best.1;
        }
        if of_leaf.len() > MAX_WAYS {
            let better = |left: &Candidate, right: &Candidate| {
                right.sum.total_cmp(&left.sum).then(left.slot.cmp(&right.slot))
            };
            of_leaf.sort_unstable_by(better);
            candidates.truncate(start + MAX_WAYS);
        }
    }

    /// Go back along the best way, and note what does not fit on it.
    fn trace(
        &self,
        tables: &Tables,
        leaves: &Leaves,
        scratch: &mut Scratch,
        last: Option<usize>,
    ) -> Assigned {
        let Scratch { candidates, ends, costs, .. } = scratch;
        let mut chosen = Vec::with_capacity(leaves.len());
        let mut next = last;
        while let Some(index) = next {
            chosen.push(index);
            next = candidates[index].before;
        }
        let mut assigned = Assigned::default();
        let mut start = 0;
        let mut after = 0;
        for (leaf, (end, depth)) in ends.iter().copied().enumerate() {
            if end == start {
                assigned.labels.push(None);
                assigned.misfits.push(Misfit::Unexpected { leaf });
                continue;
            }
            start = end;
            let Some(index) = chosen.pop() else { continue };
            let candidate = &candidates[index];
            let slot = candidate.slot;
            assigned.n_loose += usize::from(candidate.how == How::ByTags);
            if candidate.how == How::Inserted {
                assigned.misfits.push(Misfit::Inserted { leaf });
            }
            if self.look(slot).is_some_and(|look| look.is_reworded(&leaves.get(leaf))) {
                assigned.misfits.push(Misfit::Reworded { leaf, slot });
            }
            if !tables.transition(self, costs, (after, slot), depth).1 {
                assigned.misfits.push(Misfit::OutOfOrder { leaf, slot, after });
            }
            assigned.labels.push(Some(Label { slot, depths: self.depths(tables, candidate) }));
            after = slot;
        }
        if !tables.transition(self, costs, (after, 0), 0).1 {
            assigned.misfits.push(Misfit::TooShort { after });
        }
        let mut seen: Vec<SlotId> = assigned.labels.iter().flatten().map(|it| it.slot).collect();
        seen.sort_unstable();
        let n = tables.always.iter().filter(|slot| seen.binary_search(slot).is_err()).count();
        let of = tables.always.len();
        if n as f64 > of as f64 * MAX_MISSING {
            assigned.misfits.push(Misfit::Missing { n, of });
        }
        assigned
    }

    fn depths(&self, tables: &Tables, candidate: &Candidate) -> Vec<u16> {
        match candidate.source {
            Source::Spot(spot, nth) => self.spots[spot].states[nth].depths.clone(),
            Source::Tags(tags, kind, nth) => tables.by_tags[&(tags, kind)][nth].depths.clone(),
            Source::Slot => tables.places[candidate.slot].depths.clone(),
        }
    }
}

/// How deep the elements go that two elements of known depths have in common.
fn common_depth(page: &Page, left: (NodeId, u16), right: (NodeId, u16)) -> u16 {
    let ((mut left, mut depth), (mut right, mut other)) = (left, right);
    while left != right {
        if depth >= other {
            let Some(parent) = page.parent(left) else { return 0 };
            (left, depth) = (parent, depth.saturating_sub(1));
        } else {
            let Some(parent) = page.parent(right) else { return 0 };
            (right, other) = (parent, other.saturating_sub(1));
        }
    }
    depth.min(other)
}

impl Look {
    /// How well a leaf looks like those of this state, in logarithms.
    fn likelihood(&self, leaf: &Leaf<'_>) -> f32 {
        let words = match &self.text {
            Some(text) if text == said(leaf) => SAME_WORDS,
            Some(_) if self.is_label => OTHER_WORDS,
            // It may only have seemed to say the same everywhere.
            Some(_) => OTHER_VALUE,
            None => 0.0,
        };
        let n_of_type =
            self.types.iter().find(|(it, _)| *it == leaf.data_type).map_or(0, |(_, n)| *n);
        let of_type = (n_of_type as f32 + 0.5) / (self.n as f32 + 7.5);
        words + of_type.ln()
    }

    fn is_reworded(&self, leaf: &Leaf<'_>) -> bool {
        self.is_label && self.text.as_deref().is_some_and(|text| text != said(leaf))
    }
}

/// What a leaf says; a picture without a description, where it is.
fn said<'a>(leaf: &Leaf<'a>) -> &'a str {
    if leaf.text.is_empty() { leaf.src.unwrap_or_default() } else { leaf.text }
}
