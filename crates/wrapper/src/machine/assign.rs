//! The best sequence of states for the leaves of a page.
//!
//! Every leaf has a few candidates: the states of leaves in such elements, by tags and roles, else by tags alone, else the
//! prose around it. Of all sequences of candidates the cheapest is found by dynamic programming: what a leaf looks
//! like speaks for a state, and so does the state before it.

use super::steps::{Found, Locator};
use super::tables::{Costs, Tables};
use super::{Look, Machine, State, kind_of};
use crate::schema::SlotId;
use page::{Leaf, Leaves, Page};

/// What is kept from one page to the next, so that nothing is made anew.
#[derive(Default)]
pub(crate) struct Scratch {
    locator: Locator,
    candidates: Vec<Candidate>,
    /// By leaf, where its candidates end.
    ends: Vec<usize>,
    costs: Costs,
}

/// More candidates than this are not looked at: the best by themselves are.
const MAX_CANDIDATES: usize = 32;
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
    /// A leaf of the template that says something else.
    Reworded { leaf: usize, slot: SlotId },
    /// A state that must not come after the one before.
    OutOfOrder { leaf: usize, slot: SlotId, after: SlotId },
    /// The page ends where something must follow.
    TooShort { after: SlotId },
}

/// What candidates cost that were found by less than all there is.
const BY_TAGS: f32 = -3.0;
const IN_PROSE: f32 = -2.0;
/// What it says for or against a state of the template to say what it says.
const SAME_WORDS: f32 = 3.0;
const OTHER_WORDS: f32 = -8.0;

impl Machine {
    pub(crate) fn assign(
        &self,
        tables: &Tables,
        page: &Page,
        leaves: &Leaves,
        scratch: &mut Scratch,
    ) -> Assigned {
        self.gather(tables, page, leaves, scratch);
        let last = self.connect(tables, scratch);
        self.trace(tables, leaves, scratch, last)
    }

    /// The candidates of all leaves.
    fn gather(&self, tables: &Tables, page: &Page, leaves: &Leaves, scratch: &mut Scratch) {
        let Scratch { locator, candidates, ends, costs } = scratch;
        if costs.len() > MAX_COSTS {
            costs.clear();
        }
        candidates.clear();
        ends.clear();
        locator.start(page);
        for leaf in leaves.iter() {
            let found = locator.find(&self.steps, page, leaf.element);
            self.candidates(tables, &leaf, found, candidates);
            ends.push(candidates.len());
        }
    }

    fn candidates(&self, tables: &Tables, leaf: &Leaf<'_>, found: Found, out: &mut Vec<Candidate>) {
        let kind = kind_of(leaf);
        let spot = tables.spots.get(&(found.step, kind)).filter(|_| found.is_known);
        if let Some(spot) = spot {
            let source = |nth| Source::Spot(*spot, nth);
            self.add(leaf, &self.spots[*spot].states, How::Exactly, source, out);
            return;
        }
        let before = out.len();
        if let Some(states) = tables.by_tags.get(&(found.tags, kind)) {
            self.add(leaf, states, How::ByTags, |nth| Source::Tags(found.tags, kind, nth), out);
        }
        let mut step = found.step;
        while step != 0 {
            for slot in tables.hosts.get(&step).into_iter().flatten() {
                if !out[before..].iter().any(|it| it.slot == *slot) {
                    out.push(Candidate {
                        slot: *slot,
                        how: How::InProse,
                        own: IN_PROSE,
                        sum: 0.0,
                        before: None,
                        source: Source::Slot,
                    });
                }
            }
            step = self.steps.parent(step);
        }
    }

    fn add(
        &self,
        leaf: &Leaf<'_>,
        states: &[State],
        how: How,
        source: impl Fn(usize) -> Source,
        out: &mut Vec<Candidate>,
    ) {
        let total: u32 = states.iter().map(|state| state.n).sum();
        let before = out.len();
        for (nth, state) in states.iter().enumerate() {
            let mut own = if how == How::ByTags { BY_TAGS } else { 0.0 };
            if states.len() > 1 {
                own += (state.n as f32 / total as f32).ln();
                own += self.look(state.slot).map_or(0.0, |look| look.likelihood(leaf));
            }
            let source = source(nth);
            out.push(Candidate { slot: state.slot, how, own, sum: 0.0, before: None, source });
        }
        if states.len() > 1 {
            prune(out, before);
        }
    }

    /// Find the best way to each candidate. The best of the last ones comes back.
    fn connect(&self, tables: &Tables, scratch: &mut Scratch) -> Option<usize> {
        let Scratch { candidates, ends, costs, .. } = scratch;
        let mut start = 0;
        let mut previous = 0..0;
        for end in ends.iter().copied() {
            if end == start {
                continue;
            }
            for index in start..end {
                let slot = candidates[index].slot;
                let mut best = (f32::NEG_INFINITY, None);
                for before in previous.clone() {
                    let from = candidates[before].slot;
                    let sum = candidates[before].sum + tables.transition(self, costs, from, slot).0;
                    if sum > best.0 {
                        best = (sum, Some(before));
                    }
                }
                if previous.is_empty() {
                    best = (tables.transition(self, costs, 0, slot).0, None);
                }
                candidates[index].sum = best.0 + candidates[index].own;
                candidates[index].before = best.1;
            }
            previous = start..end;
            start = end;
        }
        for candidate in &mut candidates[previous.clone()] {
            candidate.sum += tables.transition(self, costs, candidate.slot, 0).0;
        }
        previous.max_by(|left, right| candidates[*left].sum.total_cmp(&candidates[*right].sum))
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
        for (leaf, end) in ends.iter().copied().enumerate() {
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
            if self.look(slot).is_some_and(|look| look.is_reworded(&leaves.get(leaf))) {
                assigned.misfits.push(Misfit::Reworded { leaf, slot });
            }
            if !tables.transition(self, costs, after, slot).1 {
                assigned.misfits.push(Misfit::OutOfOrder { leaf, slot, after });
            }
            assigned.labels.push(Some(Label { slot, depths: self.depths(tables, candidate) }));
            after = slot;
        }
        if !tables.transition(self, costs, after, 0).1 {
            assigned.misfits.push(Misfit::TooShort { after });
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

/// Leave the candidates from `first` on that may be it: words of the template settle it, else the best.
fn prune(candidates: &mut Vec<Candidate>, first: usize) {
    let of_leaf = &mut candidates[first..];
    of_leaf.sort_by(|left, right| right.own.total_cmp(&left.own).then(left.slot.cmp(&right.slot)));
    let best = of_leaf[0].own;
    let n_near = of_leaf.iter().take_while(|it| it.own > best + OTHER_WORDS).count();
    candidates.truncate(first + n_near.min(MAX_CANDIDATES));
}

impl Look {
    /// How well a leaf looks like those of this state, in logarithms.
    fn likelihood(&self, leaf: &Leaf<'_>) -> f32 {
        let words = match &self.text {
            Some(text) if text == said(leaf) => SAME_WORDS,
            Some(_) => OTHER_WORDS,
            None => 0.0,
        };
        let n_of_type =
            self.types.iter().find(|(it, _)| *it == leaf.data_type).map_or(0, |(_, n)| *n);
        let of_type = (n_of_type as f32 + 0.5) / (self.n as f32 + 7.5);
        words + of_type.ln()
    }

    fn is_reworded(&self, leaf: &Leaf<'_>) -> bool {
        self.text.as_deref().is_some_and(|text| text != said(leaf))
    }
}

/// What a leaf says; a picture without a description, where it is.
fn said<'a>(leaf: &Leaf<'a>) -> &'a str {
    if leaf.text.is_empty() { leaf.src.unwrap_or_default() } else { leaf.text }
}
