//! The best sequence of states for the leaves of a page.
//!
//! Every leaf has a few candidates: the states of leaves in such elements, by tags and roles, else by tags alone, else the
//! prose around it. It may also be new, and then the page goes on from the state before it. Of all ways through the
//! page the cheapest is found by dynamic programming: what a leaf looks like speaks for a state, and so does
//! the state before it.

use super::steps::{Found, Locator};
use super::tables::{Costs, GroupId, Member, Tables};
use super::{Look, Machine, kind_of};
use crate::schema::SlotId;
use page::{Leaf, Leaves, Page};
use std::ops::Range;

/// What is kept from one page to the next, so that nothing is made anew.
#[derive(Default)]
pub(crate) struct Scratch {
    locator: Locator,
    /// The candidates of one leaf.
    candidates: Vec<Candidate>,
    /// How well each state of a group fits a leaf by itself, and which.
    own: Vec<(f32, usize)>,
    /// The ways to all leaves so far. The first is the start of the page.
    ways: Vec<Way>,
    costs: Costs,
    /// By slot, the last page that had it.
    seen: Vec<u32>,
    n_pages: u32,
}

/// A leaf that fits a state this well, and comes after one that it was seen to come after, needs no other candidates.
const GOOD: f32 = -6.0;
/// Else so many states of its group are looked at.
const MAX_STATES: usize = 8;
/// So many ways are followed from leaf to leaf, if they are not much worse than the best.
const MAX_WAYS: usize = 6;
const MAX_WORSE: f32 = 30.0;
/// A leaf is taken as new only where that is not much worse than any state.
const MAX_WORSE_NEW: f32 = 12.0;
/// From so many ways a leaf may be new.
const MAX_NEW: usize = 3;

/// A state that a leaf may have.
#[derive(Clone, Copy)]
struct Candidate {
    label: Label,
    how: How,
    /// What the leaf itself says for it.
    own: f32,
}

/// How a leaf was found to have its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// In an element of the same tags and roles.
    Exactly,
    /// In an element of the same tags.
    ByTags,
    /// Somewhere in prose.
    InProse,
    /// It has none: it is new where anything may stand,
    Freely,
    /// or where nothing like it ever stood.
    Inserted,
}

impl How {
    fn is_new(self) -> bool {
        matches!(self, How::Freely | How::Inserted)
    }
}

/// The state of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) slot: SlotId,
    /// Which states it was chosen from, and which one.
    source: Option<(GroupId, u32)>,
}

impl Label {
    /// That of the start and the end of a page.
    const NONE: Label = Label { slot: 0, source: None };

    /// How deep the records are that the leaf is part of, the outermost first.
    pub(crate) fn depths(self, tables: &Tables) -> &[u16] {
        match self.source {
            Some((group, nth)) => &tables.group(group)[nth as usize].depths,
            None => &tables.places[self.slot].depths,
        }
    }
}

/// A way to a leaf.
#[derive(Clone, Copy)]
struct Way {
    /// The state of the leaf, or of the last one before it that has one.
    label: Label,
    how: How,
    /// Whether the machine allows its last step.
    is_allowed: bool,
    /// How deep the elements go that the leaves since that state have in common.
    since: u16,
    sum: f32,
    /// The way to the leaf before.
    before: usize,
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

/// What candidates cost that were found by less than all there is.
pub(super) const BY_TAGS: f32 = -3.0;
pub(super) const IN_PROSE: f32 = -2.0;
/// What it costs to take a leaf as new: where anything may stand, elsewhere, and where states are known that it could have.
const FREELY: f32 = -9.0;
const INSERTED: f32 = -10.0;
const INSERTED_AMONG_KNOWN: f32 = -16.0;
/// What it costs more for each leaf that follows a new one.
const MORE_NEW: f32 = -5.0;
/// What it says for or against a state of the template to say what it says.
const SAME_WORDS: f32 = 3.0;
const SAME_LABEL: f32 = 6.0;
const OTHER_WORDS: f32 = -8.0;
const OTHER_VALUE: f32 = -2.0;

/// One leaf on its way.
struct Step<'a> {
    leaf: Leaf<'a>,
    found: Found,
    /// How deep the elements go that it has in common with the leaf before.
    depth: u16,
}

impl Machine {
    pub(crate) fn assign(
        &self,
        tables: &Tables,
        page: &Page,
        leaves: &Leaves,
        scratch: &mut Scratch,
    ) -> Assigned {
        self.advance(tables, page, leaves, scratch);
        let mut assigned = self.trace(leaves, scratch);
        self.restore(tables, leaves, scratch, &mut assigned);
        assigned
    }

    /// Go from leaf to leaf, and find the best way to each candidate. The best one to the end of the page is the last.
    fn advance(&self, tables: &Tables, page: &Page, leaves: &Leaves, scratch: &mut Scratch) {
        scratch.start(self, page);
        let mut previous = 0..1;
        for leaf in leaves.iter() {
            let (found, depth) =
                scratch.locator.find(&self.steps, &tables.facts, page, leaf.element);
            let step = Step { leaf, found, depth };
            self.candidates(tables, &step, previous.clone(), scratch);
            let start = scratch.ways.len();
            self.connect(tables, scratch, previous.clone(), &step);
            previous = scratch.prune(start);
        }
        scratch.candidates.clear();
        scratch.candidates.push(Candidate { label: Label::NONE, how: How::Exactly, own: 0.0 });
        let end = scratch.ways.len();
        self.find_ways(tables, scratch, previous, 0);
        scratch.ways.truncate(end + 1);
    }

    /// Find the candidates of a leaf.
    fn candidates(
        &self,
        tables: &Tables,
        step: &Step<'_>,
        previous: Range<usize>,
        scratch: &mut Scratch,
    ) {
        scratch.candidates.clear();
        let kind = kind_of(&step.leaf);
        if let Some(group) = tables.exactly(step.found, kind) {
            self.add(tables, &step.leaf, group, How::Exactly, previous, scratch);
            return;
        }
        if let Some(group) = tables.by_tags(step.found, kind) {
            self.add(tables, &step.leaf, group, How::ByTags, previous, scratch);
        }
        let mut around = step.found.step;
        while around != 0 && scratch.candidates.len() < 2 * MAX_STATES {
            for slot in tables.hosts.get(&around).into_iter().flatten().take(MAX_STATES) {
                if !scratch.candidates.iter().any(|it| it.label.slot == *slot) {
                    let label = Label { slot: *slot, source: None };
                    scratch.candidates.push(Candidate { label, how: How::InProse, own: IN_PROSE });
                }
            }
            around = self.steps.parent(around);
        }
    }

    /// Add the states of a group that may be a leaf's.
    fn add(
        &self,
        tables: &Tables,
        leaf: &Leaf<'_>,
        group: GroupId,
        how: How,
        previous: Range<usize>,
        scratch: &mut Scratch,
    ) {
        let members = tables.group(group);
        let base = if how == How::ByTags { BY_TAGS } else { 0.0 };
        let candidate = |own: f32, nth: usize| Candidate {
            label: Label { slot: members[nth].slot, source: Some((group, nth as u32)) },
            how,
            own: base + own,
        };
        let Scratch { candidates, own, ways, .. } = scratch;
        if members.len() == 1 {
            candidates.push(candidate(0.0, 0));
            return;
        }
        let fit = |nth: usize| {
            let Member { slot, share, .. } = members[nth];
            let words = self.look(slot).map_or(0.0, |look| look.words(leaf));
            share + words + tables.fit(slot, leaf.data_type)
        };
        let start = candidates.len();
        let mut best = f32::NEG_INFINITY;
        for way in &ways[previous] {
            for slot in &tables.next[way.label.slot] {
                if let Ok(nth) = members.binary_search_by_key(slot, |it| it.slot)
                    && candidates[start..].iter().all(|it| it.label.slot != *slot)
                {
                    let own = fit(nth);
                    best = best.max(own);
                    candidates.push(candidate(own, nth));
                }
            }
        }
        if best >= GOOD {
            return;
        }
        own.clear();
        own.extend((0..members.len()).map(|nth| (fit(nth), nth)));
        if members.len() > MAX_STATES {
            own.select_nth_unstable_by(MAX_STATES - 1, |left, right| right.0.total_cmp(&left.0));
            own.truncate(MAX_STATES);
        }
        for (own, nth) in own.iter() {
            if candidates[start..].iter().all(|it| it.label.slot != members[*nth].slot) {
                candidates.push(candidate(*own, *nth));
            }
        }
    }

    /// Find the best way to each candidate of a leaf, and those on which it is new, if that is not much worse.
    fn connect(
        &self,
        tables: &Tables,
        scratch: &mut Scratch,
        previous: Range<usize>,
        step: &Step<'_>,
    ) {
        let start = scratch.ways.len();
        self.find_ways(tables, scratch, previous.clone(), step.depth);
        let Scratch { candidates, ways, .. } = scratch;
        let best_known = ways[start..].iter().map(|way| way.sum).fold(f32::NEG_INFINITY, f32::max);
        let is_known = candidates.iter().any(|it| it.how == How::Exactly);
        let (how, first) = match step.found.is_free {
            true => (How::Freely, FREELY),
            false if is_known => (How::Inserted, INSERTED_AMONG_KNOWN),
            false => (How::Inserted, INSERTED),
        };
        for before in previous.take(MAX_NEW) {
            let from = ways[before];
            let sum = from.sum + if from.how.is_new() { MORE_NEW } else { first };
            if sum > best_known - MAX_WORSE_NEW {
                let since = from.since.min(step.depth);
                ways.push(Way { how, is_allowed: true, since, sum, before, ..from });
            }
        }
    }

    /// Find the best way to each candidate, if the leaf has elements in common with the one before down to a depth.
    fn find_ways(
        &self,
        tables: &Tables,
        scratch: &mut Scratch,
        previous: Range<usize>,
        depth: u16,
    ) {
        let Scratch { candidates, ways, costs, .. } = scratch;
        for Candidate { label, how, own } in candidates.iter().copied() {
            let mut best: Option<Way> = None;
            for before in previous.clone() {
                let from = &ways[before];
                let slots = (from.label.slot, label.slot);
                let (cost, is_allowed) = costs.of(self, tables, slots, from.since.min(depth));
                let sum = from.sum + cost + own;
                if best.is_none_or(|best| sum > best.sum) {
                    best = Some(Way { label, how, is_allowed, since: u16::MAX, sum, before });
                }
            }
            ways.extend(best);
        }
    }

    /// Go back along the best way, and note what does not fit on it.
    fn trace(&self, leaves: &Leaves, scratch: &Scratch) -> Assigned {
        let ways = &scratch.ways;
        let mut assigned = Assigned::default();
        let Some(end) = ways.last() else { return assigned };
        let mut chosen = Vec::with_capacity(leaves.len());
        let mut next = end.before;
        while next != 0 {
            chosen.push(next);
            next = ways[next].before;
        }
        assigned.labels.reserve(leaves.len());
        for (leaf, index) in chosen.into_iter().rev().enumerate() {
            let way = &ways[index];
            let slot = way.label.slot;
            if way.how.is_new() {
                assigned.labels.push(None);
                if way.how == How::Inserted {
                    assigned.misfits.push(Misfit::Inserted { leaf });
                }
                continue;
            }
            assigned.n_loose += usize::from(way.how == How::ByTags);
            if self.look(slot).is_some_and(|look| look.is_reworded(&leaves.get(leaf))) {
                assigned.misfits.push(Misfit::Reworded { leaf, slot });
            }
            if !way.is_allowed {
                let after = ways[way.before].label.slot;
                assigned.misfits.push(Misfit::OutOfOrder { leaf, slot, after });
            }
            assigned.labels.push(Some(way.label));
        }
        if !end.is_allowed {
            assigned.misfits.push(Misfit::TooShort { after: ways[end.before].label.slot });
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
            let found = scratch.locator.again(leaf.element);
            let Some(group) = found.and_then(|found| tables.exactly(found, kind_of(&leaf))) else {
                continue;
            };
            let mut members = tables.group(group).iter().enumerate();
            let is_lost = |slot: SlotId| tables.is_always[slot] && !scratch.has_seen(slot);
            let Some((nth, lost)) = members.find(|(_, it)| is_lost(it.slot)) else { continue };
            let slot = lost.slot;
            scratch.see(slot);
            assigned.labels[position] = Some(Label { slot, source: Some((group, nth as u32)) });
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
    /// Where the elements of the last page are.
    pub(crate) fn locator(&self) -> &Locator {
        &self.locator
    }

    fn start(&mut self, machine: &Machine, page: &Page) {
        self.locator.start(page);
        self.ways.clear();
        self.ways.push(Way {
            label: Label::NONE,
            how: How::Exactly,
            is_allowed: true,
            since: u16::MAX,
            sum: 0.0,
            before: 0,
        });
        self.seen.resize(machine.nodes.len(), 0);
        self.n_pages = self.n_pages.wrapping_add(1);
    }

    fn see(&mut self, slot: SlotId) {
        self.seen[slot] = self.n_pages;
    }

    fn has_seen(&self, slot: SlotId) -> bool {
        self.seen[slot] == self.n_pages
    }

    /// Keep the best of the ways from `start` on, the best first, and say which these are.
    fn prune(&mut self, start: usize) -> Range<usize> {
        let of_leaf = &mut self.ways[start..];
        if of_leaf.len() > 1 {
            of_leaf.sort_unstable_by(|left, right| {
                let by_slot = left.label.slot.cmp(&right.label.slot);
                right.sum.total_cmp(&left.sum).then(by_slot).then(left.before.cmp(&right.before))
            });
            let worst = of_leaf[0].sum - MAX_WORSE;
            let n_good = of_leaf.iter().take(MAX_WAYS).take_while(|it| it.sum >= worst).count();
            self.ways.truncate(start + n_good);
        }
        start..self.ways.len()
    }
}

impl Look {
    /// What it says for this state that a leaf says what it says.
    pub(super) fn words(&self, leaf: &Leaf<'_>) -> f32 {
        match &self.text {
            Some(text) if text == said(leaf) && self.is_label => SAME_LABEL,
            Some(text) if text == said(leaf) => SAME_WORDS,
            Some(_) if self.is_label => OTHER_WORDS,
            // It may only have seemed to say the same everywhere.
            Some(_) => OTHER_VALUE,
            None => 0.0,
        }
    }

    fn is_reworded(&self, leaf: &Leaf<'_>) -> bool {
        self.is_label && self.text.as_deref().is_some_and(|text| text != said(leaf))
    }
}

/// What a leaf says; a picture without a description, where it is.
fn said<'a>(leaf: &Leaf<'a>) -> &'a str {
    if leaf.text.is_empty() { leaf.src.unwrap_or_default() } else { leaf.text }
}
