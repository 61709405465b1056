//! The best sequence of states for the leaves of a page.
//!
//! Every leaf has a few candidates: the states of leaves in such elements, by tags and roles, else by tags alone, else the
//! prose around it. It may also be new, and then the page goes on from the state before it. Of all ways through the
//! page the cheapest is found by dynamic programming: what a leaf looks like speaks for a state, and so does
//! the state before it.

use super::beam::{Move, TurnId, Turns};
use super::candidates::{How, Sayings, Sight};
use super::steps::{Locator, Look, Marks, Place};
use super::tables::{GroupId, Tables};
use super::{Machine, kind_of};
use crate::schema::SlotId;
use page::{Eye, Leaf, Leaves, Page};

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
    /// Memory for the next page.
    moves: Vec<Move>,
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
        self.assign_placed(tables, leaves, scratch)
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
        self.assign_placed(tables, skimmed.leaves, scratch)
    }

    /// What a skimmer sees in elements.
    pub(crate) fn eye<'a>(&'a self, tables: &'a Tables, scratch: &'a mut Scratch) -> impl Eye + 'a {
        Look { marks: &mut scratch.marks, steps: &self.steps, facts: &tables.facts }
    }

    fn assign_placed(&self, tables: &Tables, leaves: &Leaves, scratch: &mut Scratch) -> Assigned {
        let end = self.advance(tables, leaves, scratch);
        let mut assigned = self.trace(tables, leaves, end, scratch);
        self.restore(tables, leaves, scratch, &mut assigned);
        assigned
    }

    /// Go from leaf to leaf; the last turn leads to the ways that are left at the end of the page.
    fn advance(&self, tables: &Tables, leaves: &Leaves, scratch: &mut Scratch) -> TurnId {
        scratch.start(self);
        let Scratch { places, sayings, turns, taken, .. } = scratch;
        let mut last = TurnId::START;
        for (leaf, place) in leaves.iter().zip(places) {
            let sight = Sight::of(tables, sayings, &leaf, place.found, place.common);
            last = turns.turn(self, tables, last, &sight);
            taken.push(last);
        }
        last
    }

    /// Go back along the best way, and note what does not fit on it.
    fn trace(
        &self,
        tables: &Tables,
        leaves: &Leaves,
        end: TurnId,
        scratch: &mut Scratch,
    ) -> Assigned {
        let Scratch { turns, taken, moves, labels, .. } = scratch;
        let (mut way, last, may_end) = turns.end(self, tables, end);
        moves.clear();
        for turn in taken.iter().rev() {
            let last = turns.last_move(*turn, way);
            way = last.before;
            moves.push(last);
        }
        let mut assigned = Assigned { labels: std::mem::take(labels), ..Assigned::default() };
        assigned.labels.clear();
        assigned.labels.reserve(leaves.len());
        for (leaf, last) in moves.iter().rev().enumerate() {
            let Move { label, how, is_allowed, before } = *last;
            if how.is_new() {
                assigned.labels.push(None);
                if how == How::Inserted {
                    assigned.misfits.push(Misfit::Inserted { leaf });
                }
                continue;
            }
            let slot = label.slot;
            assigned.n_loose += usize::from(how == How::ByTags);
            if tables.is_reworded(slot, leaves, leaf) {
                assigned.misfits.push(Misfit::Reworded { leaf, slot });
            }
            if !is_allowed {
                let after = turns.slot_before(taken[leaf], before);
                assigned.misfits.push(Misfit::OutOfOrder { leaf, slot, after });
            }
            assigned.labels.push(Some(label));
        }
        if !may_end {
            assigned.misfits.push(Misfit::TooShort { after: last });
        }
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
            let leaf = leaves.get(position);
            let found = scratch.places[position].found;
            let Some(group) = tables.exactly(found, kind_of(&leaf)) else { continue };
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

impl Scratch {
    /// Where the leaves of the last page are.
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// Take back what is no longer needed, for the next page.
    pub(crate) fn give_back(&mut self, assigned: Assigned) {
        self.labels = assigned.labels;
    }

    fn start(&mut self, machine: &Machine) {
        self.turns.tidy();
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
