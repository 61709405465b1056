//! Why a leaf has its state: how the state was found, which others there were, and what spoke against them.
//!
//! This looks only at what `assign` looks at, one leaf at a time and with the states around it as they came out, so that it
//! can be done for any leaf afterwards and costs extraction nothing. What it says for and against a state is weighed as there.

use super::assign::Assigned;
use super::candidates::{BY_TAGS, IN_PROSE};
use super::records::Labelled;
use super::steps::Place;
use super::tables::Member;
use super::{Kind, Machine, kind_of};
use crate::schema::SlotId;
use crate::trace::{How, Loss};
use page::Leaf;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Finds out about the leaves of one page.
pub(crate) struct Chooser<'a> {
    pub(crate) page: Labelled<'a>,
}

/// A state that a leaf could have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) slot: SlotId,
    pub(crate) how: How,
    weights: Weights,
}

/// What speaks for a state, in logarithms.
#[derive(Clone, Copy, Debug, Default)]
struct Weights {
    /// How it was found.
    markup: f32,
    /// How often leaves of such elements have it.
    share: f32,
    /// What the leaf says.
    words: f32,
    data_type: f32,
    /// The states before and after.
    order: f32,
}

impl Choice {
    pub(crate) fn score(&self) -> f32 {
        let Weights { markup, share, words, data_type, order } = self.weights;
        markup + share + words + data_type + order
    }

    /// What spoke most against this choice, compared with the one that was made.
    pub(crate) fn loss_to(&self, chosen: &Choice) -> Loss {
        let (own, best) = (self.weights, chosen.weights);
        if self.score() > chosen.score() {
            return Loss::Elsewhere;
        }
        let losses = [
            (best.order - own.order, Loss::Order),
            (best.words - own.words, Loss::Words),
            (best.data_type - own.data_type, Loss::DataType),
            (best.markup - own.markup, Loss::Markup),
            (best.share - own.share, Loss::Rare),
        ];
        let most = losses.into_iter().max_by(|left, right| left.0.total_cmp(&right.0));
        most.map_or(Loss::Rare, |(_, loss)| loss)
    }
}

impl Chooser<'_> {
    /// The state of a leaf, if it has one, and those that it could have had, the best first.
    pub(crate) fn choices(&self, leaf: usize) -> Option<(Choice, Vec<Choice>)> {
        let slot = self.page.assigned.labels[leaf].as_ref()?.slot;
        let mut choices = self.candidates(leaf);
        for choice in &mut choices {
            choice.weights.order = self.order(leaf, choice.slot);
        }
        let chosen = choices.iter().position(|choice| choice.slot == slot);
        let chosen = choices.swap_remove(chosen?);
        choices.sort_by(|left, right| {
            right.score().total_cmp(&left.score()).then(left.slot.cmp(&right.slot))
        });
        Some((chosen, choices))
    }

    fn candidates(&self, leaf: usize) -> Vec<Choice> {
        let Labelled { machine, tables, leaves, places, .. } = self.page;
        let (found, leaf) = (places[leaf].found, &leaves.get(leaf));
        let kind = kind_of(leaf.attribute);
        let mut choices = Vec::new();
        if let Some(group) = tables.exactly(found, kind) {
            self.weigh(leaf, tables.group(group), (How::Exactly, 0.0), &mut choices);
            return choices;
        }
        if let Some(group) = tables.by_tags(found, kind) {
            self.weigh(leaf, tables.group(group), (How::ByTags, BY_TAGS), &mut choices);
        }
        let hosts = machine.way_to(found.step).into_iter().rev();
        for slot in hosts.filter_map(|step| tables.hosts.get(&step)).flatten() {
            if choices.iter().all(|choice| choice.slot != *slot) {
                let weights = Weights { markup: IN_PROSE, ..Weights::default() };
                choices.push(Choice { slot: *slot, how: How::InProse, weights });
            }
        }
        choices
    }

    fn weigh(
        &self,
        leaf: &Leaf<'_>,
        members: &[Member],
        (how, markup): (How, f32),
        out: &mut Vec<Choice>,
    ) {
        let tables = self.page.tables;
        let said = tables.said(leaf);
        for Member { slot, share, .. } in members {
            let weights = match members {
                [_] => Weights { markup, ..Weights::default() },
                _ => Weights {
                    share: *share,
                    words: tables.words(*slot, said),
                    data_type: tables.fit(*slot, leaf.data_type()),
                    markup,
                    order: 0.0,
                },
            };
            out.push(Choice { slot: *slot, how, weights });
        }
    }

    /// How well a state stands between those before and after a leaf.
    fn order(&self, leaf: usize, slot: SlotId) -> f32 {
        let labels = &self.page.assigned.labels;
        let before = labels[..leaf].iter().rposition(Option::is_some);
        let after = labels[leaf + 1..].iter().position(Option::is_some).map(|it| leaf + 1 + it);
        self.step(before, Some(leaf), |it| (it, slot))
            + self.step(Some(leaf), after, |it| (slot, it))
    }

    /// What it costs to go from one leaf to the next, of which one has a state that is tried.
    fn step(
        &self,
        from: Option<usize>,
        to: Option<usize>,
        pair: impl Fn(SlotId) -> (SlotId, SlotId),
    ) -> f32 {
        let Labelled { machine, tables, assigned, places, .. } = self.page;
        let slot = |leaf: Option<usize>| {
            leaf.and_then(|leaf| assigned.labels[leaf].as_ref()).map_or(0, |it| it.slot)
        };
        let (left, right) = pair(0);
        let other = if left == 0 && right != 0 { slot(from) } else { slot(to) };
        let depth = match (from, to) {
            (Some(from), Some(to)) => common_depth(&places[from + 1..=to]),
            _ => 0,
        };
        tables.transition(machine, pair(other), depth).0
    }
}

/// How deep the elements go that two leaves have in common, by the places of those after the first up to the second.
fn common_depth(places: &[Place]) -> u16 {
    places.iter().map(|place| place.common).min().unwrap_or(0)
}

/// Where something usually stands that a page lacks.
pub(crate) struct Absence {
    /// The states it is read from.
    pub(crate) states: Vec<SlotId>,
    /// What mostly comes right before and right after it, the most frequent first. Slot 0 is the start or the end.
    pub(crate) before: Vec<SlotId>,
    pub(crate) after: Vec<SlotId>,
    /// The leaf before the place where it would stand on this page, and the one that stands there.
    pub(crate) previous: Option<usize>,
    pub(crate) instead: Option<usize>,
}

impl Absence {
    /// Where what is read from some slots usually stands, and what is there among some leaves of a page.
    pub(crate) fn new(
        machine: &Machine,
        slots: &[SlotId],
        assigned: &Assigned,
        within: Range<usize>,
    ) -> Absence {
        let states = machine.states_of(slots);
        let (before, after) = machine.neighbours(&states);
        let mut absence = Absence {
            states: states.into_iter().collect(),
            before,
            after,
            previous: None,
            instead: None,
        };
        absence.look_at(assigned, within);
        absence
    }

    fn look_at(&mut self, assigned: &Assigned, within: Range<usize>) {
        let n_leaves = assigned.labels.len();
        // What comes before the first part of a record is the end of the record before.
        let start = within.start.saturating_sub(1);
        let at = |state: &SlotId| {
            (start..within.end.min(n_leaves))
                .find(|leaf| assigned.labels[*leaf].as_ref().is_some_and(|it| it.slot == *state))
        };
        if let Some(previous) = self.before.iter().find_map(at) {
            self.previous = Some(previous);
            self.instead = Some(previous + 1).filter(|leaf| *leaf < n_leaves);
        } else if let Some(next) = self.after.iter().find_map(at) {
            self.previous = next.checked_sub(1);
            self.instead = Some(next);
        } else if self.before.first() == Some(&0) && n_leaves > 0 {
            self.instead = Some(0);
        }
    }
}

impl Machine {
    /// The states of leaves that some slots are read from.
    fn states_of(&self, slots: &[SlotId]) -> BTreeSet<SlotId> {
        let mut states = BTreeSet::new();
        for slot in slots {
            match &self.node(*slot).kind {
                Kind::Leaf(_) | Kind::Prose(..) => {
                    states.insert(*slot);
                }
                Kind::Run(members) => states.extend(members),
                Kind::Tuple(_) | Kind::Set(..) => {
                    let is_inside =
                        |it: &SlotId| self.look(*it).is_some() && self.chain(*it).contains(slot);
                    states.extend((1..self.nodes.len()).filter(is_inside));
                }
            }
        }
        states
    }

    /// What came right before and right after some states, the most frequent first.
    fn neighbours(&self, states: &BTreeSet<SlotId>) -> (Vec<SlotId>, Vec<SlotId>) {
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for (from, to, n) in &self.follows {
            match (states.contains(from), states.contains(to)) {
                (false, true) => *before.entry(*from).or_insert(0_u64) += u64::from(*n),
                (true, false) => *after.entry(*to).or_insert(0_u64) += u64::from(*n),
                _ => {}
            }
        }
        let by_n = |counts: BTreeMap<SlotId, u64>| {
            let mut slots: Vec<(SlotId, u64)> = counts.into_iter().collect();
            slots.sort_by_key(|(slot, n)| (Reverse(*n), *slot));
            slots.into_iter().map(|(slot, _)| slot).collect()
        };
        (by_n(before), by_n(after))
    }
}
