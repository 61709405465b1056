//! The best sequence of states for the leaves of a page.
//!
//! Every leaf has a few candidates: the states of leaves in such elements, by tags and roles, else by tags alone, else the
//! prose around it. It may also be new, and then the page goes on from the state before it. Of all ways through the
//! page the cheapest is found by dynamic programming: what a leaf looks like speaks for a state, and so does
//! the state before it.

use super::beam::{End, Move, TurnId, Turns};
use super::candidates::{How, Sayings, Sight};
use super::recall::Recall;
use super::steps::{Locator, Look, Marks, Place};
use super::tables::{GroupId, Tables};
use super::{Machine, kind_of};
use crate::schema::SlotId;
use page::{Eye, Leaf, Leaves, Page, Passage};
use std::ops::Range;

/// What is kept from one page to the next, so that nothing is made anew.
#[derive(Default)]
pub(crate) struct Scratch {
    locator: Locator,
    marks: Marks,
    /// Where the leaves of the page at hand are.
    places: Vec<Place>,
    sayings: Sayings,
    turns: Turns,
    /// The steps from leaf to leaf of the page at hand.
    taken: Vec<TurnId>,
    recall: Recall,
    /// Memory for the next page.
    labels: Vec<Option<Label>>,
    /// By slot, the last page that had it.
    seen: Vec<u32>,
    n_pages: u32,
}

/// The state of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) slot: SlotId,
    /// Which states it was chosen from, and which one.
    source: Option<(GroupId, u32)>,
}

impl Label {
    /// Of a state that was one of a group.
    pub(super) fn in_group(slot: SlotId, group: GroupId, nth: usize) -> Label {
        Label { slot, source: u32::try_from(nth).ok().map(|nth| (group, nth)) }
    }

    /// Of a state that stands somewhere in prose.
    pub(super) fn in_prose(slot: SlotId) -> Label {
        Label { slot, source: None }
    }

    /// How deep the records are that the leaf is part of, the outermost first.
    pub(crate) fn depths(self, tables: &Tables) -> &[u16] {
        match self.source {
            Some((group, nth)) => &tables.group(group)[nth as usize].depths,
            None => &tables.places[self.slot].depths,
        }
    }
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

impl Misfit {
    /// The leaf that does not fit.
    pub(super) fn leaf(&self) -> Option<usize> {
        match *self {
            Misfit::Inserted { leaf }
            | Misfit::Reworded { leaf, .. }
            | Misfit::OutOfOrder { leaf, .. } => Some(leaf),
            Misfit::TooShort { .. } | Misfit::Missing { .. } => None,
        }
    }
}

/// A page that lacks more than this share of what every page had is another.
const MAX_MISSING: f64 = 0.2;

impl Machine {
    pub(crate) fn assign(
        &self,
        tables: &Tables,
        page: &Page,
        leaves: &Leaves,
        scratch: &mut Scratch,
    ) -> Assigned {
        let Scratch { locator, places, .. } = scratch;
        locator.start(page);
        places.clear();
        places.extend(
            leaves.iter().map(|leaf| locator.find(&self.steps, &tables.facts, page, leaf.element)),
        );
        self.assign_placed(tables, leaves, &[], None, scratch)
    }

    /// The same for a page that was only skimmed.
    pub(crate) fn assign_skimmed(
        &self,
        tables: &Tables,
        skimmed: page::Skimmed<'_>,
        scratch: &mut Scratch,
    ) -> Assigned {
        let Scratch { marks, places, .. } = scratch;
        let place = |it: &page::Place| Place { found: marks.found(it.mark), common: it.common };
        places.clear();
        places.extend(skimmed.places.iter().map(place));
        self.assign_placed(tables, skimmed.leaves, skimmed.passages, skimmed.kept, scratch)
    }

    /// What a skimmer sees in elements.
    pub(crate) fn eye<'a>(&'a self, tables: &'a Tables, scratch: &'a mut Scratch) -> impl Eye + 'a {
        Look { marks: &mut scratch.marks, steps: &self.steps, facts: &tables.facts }
    }

    /// Some passages may be known from pages before, and the page may be kept for others.
    fn assign_placed(
        &self,
        tables: &Tables,
        leaves: &Leaves,
        passages: &[Passage],
        kept: Option<usize>,
        scratch: &mut Scratch,
    ) -> Assigned {
        scratch.start(self);
        let end = self.advance(tables, leaves, passages, scratch);
        let end = scratch.turns.end(self, tables, end);
        let mut assigned = self.trace(tables, leaves, end, scratch);
        if let Some(slot) = kept {
            let Scratch { recall, turns, taken, .. } = &mut *scratch;
            recall.keep(slot, turns, taken, end.way, &assigned);
        }
        self.restore(tables, leaves, scratch, &mut assigned);
        assigned
    }

    /// Go from leaf to leaf; the last turn leads to the ways that are left at the end of the page.
    fn advance(
        &self,
        tables: &Tables,
        leaves: &Leaves,
        passages: &[Passage],
        scratch: &mut Scratch,
    ) -> TurnId {
        let mut last = TurnId::START;
        let mut next = 0;
        for passage in passages {
            last = self.walk(tables, leaves, next..passage.leaves.start, last, scratch);
            for leaf in passage.leaves.clone() {
                let Scratch { recall, turns, taken, .. } = &mut *scratch;
                if let Some(known) = recall.steps(turns, passage, leaf, last) {
                    taken.extend_from_slice(known);
                    last = known.last().copied().unwrap_or(last);
                    break;
                }
                last = self.walk(tables, leaves, leaf..leaf + 1, last, scratch);
            }
            next = passage.leaves.end;
        }
        self.walk(tables, leaves, next..leaves.len(), last, scratch)
    }

    /// Go over some leaves after a turn.
    fn walk(
        &self,
        tables: &Tables,
        leaves: &Leaves,
        range: Range<usize>,
        last: TurnId,
        scratch: &mut Scratch,
    ) -> TurnId {
        let Scratch { places, sayings, turns, taken, .. } = scratch;
        let mut last = last;
        for position in range {
            let sight = Sight::of(tables, sayings, leaves, position, places[position]);
            last = turns.turn(self, tables, last, &sight);
            taken.push(last);
        }
        last
    }

    /// Go back along the best way, and note what does not fit on it.
    fn trace(&self, tables: &Tables, leaves: &Leaves, end: End, scratch: &mut Scratch) -> Assigned {
        let Scratch { turns, taken, recall, labels, .. } = scratch;
        let mut assigned = Assigned { labels: std::mem::take(labels), ..Assigned::default() };
        assigned.labels.clear();
        assigned.labels.resize(leaves.len(), None);
        if !end.is_allowed {
            assigned.misfits.push(Misfit::TooShort { after: end.slot });
        }
        let mut way = end.way;
        let mut leaf = leaves.len();
        let mut stretches = recall.stretches.iter().rev().peekable();
        while leaf > 0 {
            if let Some(known) = stretches.next_if(|it| it.leaves.end == leaf)
                && let Some((labels, before)) = recall.states(turns, known, way)
            {
                assigned.labels[known.leaves.clone()].copy_from_slice(labels);
                (leaf, way) = (known.leaves.start, before);
                continue;
            }
            leaf -= 1;
            let last = turns.last_move(taken[leaf], way);
            let after = || turns.slot_before(taken[leaf], last.before);
            assigned.take((self, tables), leaves, leaf, &last, after);
            way = last.before;
        }
        assigned.misfits.reverse();
        assigned
    }

    /// Look for what every page had and this one seems to lack: it may only stand elsewhere.
    fn restore(
        &self,
        tables: &Tables,
        leaves: &Leaves,
        scratch: &mut Scratch,
        assigned: &mut Assigned,
    ) {
        for label in assigned.labels.iter().flatten() {
            scratch.see(label.slot);
        }
        let new: Vec<usize> = assigned
            .misfits
            .iter()
            .filter_map(|it| if let Misfit::Inserted { leaf } = it { Some(*leaf) } else { None })
            .collect();
        for position in new {
            let found = scratch.places[position].found;
            let kind = kind_of(leaves.attribute(position));
            let Some(group) = tables.exactly(found, kind) else { continue };
            let mut members = tables.group(group).iter().enumerate();
            let is_lost = |slot: SlotId| tables.is_always[slot] && !scratch.has_seen(slot);
            let Some((nth, lost)) = members.find(|(_, it)| is_lost(it.slot)) else { continue };
            let slot = lost.slot;
            scratch.see(slot);
            assigned.labels[position] = Some(Label::in_group(slot, group, nth));
            let misfit = Misfit::Inserted { leaf: position };
            if let Some(it) = assigned.misfits.iter_mut().find(|it| **it == misfit) {
                *it = Misfit::OutOfOrder { leaf: position, slot, after: 0 };
            }
        }
        let always = tables.is_always.iter().enumerate().filter(|(_, is_always)| **is_always);
        let (mut n, mut of) = (0, 0);
        for (slot, _) in always {
            of += 1;
            n += usize::from(!scratch.has_seen(slot));
        }
        if n as f64 > of as f64 * MAX_MISSING {
            assigned.misfits.push(Misfit::Missing { n, of });
        }
    }
}

impl Assigned {
    /// Give a leaf the state of a move, and note what does not fit, the last thing first.
    #[inline]
    fn take(
        &mut self,
        (machine, tables): (&Machine, &Tables),
        leaves: &Leaves,
        leaf: usize,
        last: &Move,
        after: impl Fn() -> SlotId,
    ) {
        let Move { label, how, is_allowed, .. } = *last;
        if how.is_new() {
            if how == How::Inserted {
                self.misfits.push(Misfit::Inserted { leaf });
            }
            return;
        }
        let slot = label.slot;
        self.n_loose += usize::from(how == How::ByTags);
        if !is_allowed {
            self.misfits.push(Misfit::OutOfOrder { leaf, slot, after: after() });
        }
        if tables.is_reworded(machine, slot, leaves, leaf) {
            self.misfits.push(Misfit::Reworded { leaf, slot });
        }
        self.labels[leaf] = Some(label);
    }
}

impl Scratch {
    /// Where the leaves of the last page are.
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// About how much memory it holds, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        let Scratch { locator, marks, places, turns, taken, recall, labels, .. } = self;
        let a_leaf = size_of::<Option<Label>>() + size_of::<Place>() + size_of::<TurnId>();
        let leaves = labels.capacity().max(places.capacity()).max(taken.capacity()) * a_leaf;
        locator.n_bytes() + marks.n_bytes() + turns.n_bytes() + recall.n_bytes() + leaves
    }

    /// Take back what is no longer needed, for the next page.
    pub(crate) fn give_back(&mut self, assigned: Assigned) {
        self.labels = assigned.labels;
    }

    fn start(&mut self, machine: &Machine) {
        if self.turns.tidy() {
            self.recall.forget();
        }
        self.recall.start();
        self.taken.clear();
        self.seen.resize(machine.nodes.len(), 0);
        self.n_pages = self.n_pages.wrapping_add(1);
    }

    fn see(&mut self, slot: SlotId) {
        self.seen[slot] = self.n_pages;
    }

    fn has_seen(&self, slot: SlotId) -> bool {
        self.seen[slot] == self.n_pages
    }
}

/// What a leaf says; a picture without a description, where it is.
pub(super) fn said<'a>(leaf: &Leaf<'a>) -> &'a str {
    if leaf.text.is_empty() { leaf.src.unwrap_or_default() } else { leaf.text }
}
