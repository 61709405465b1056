//! What follows from a machine and is looked up again and again: made once, never written.

use super::assign::said;
use super::lists::Lists;
use super::order::Rank;
use super::steps::{Found, StepFacts, StepId};
use super::{Kind, Look, Machine, State};
use crate::schema::SlotId;
use foldhash::fast::FixedState;
use page::{DataType, Leaf, Leaves};
use std::collections::HashMap;

type Map<K, V> = HashMap<K, V, FixedState>;

/// States that leaves of one kind of place may have.
pub(super) type GroupId = u32;

/// Words of the template.
pub(super) type TextId = u32;

/// There is none.
const NONE: GroupId = GroupId::MAX;
/// Leaves are of so many kinds.
const N_KINDS: usize = 5;

#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(super) facts: StepFacts,
    /// By element and kind of leaf, the states of such leaves.
    spots: Vec<[GroupId; N_KINDS]>,
    /// The same by tags alone: the states of all spots with these tags.
    by_tags: Map<(u64, u8), GroupId>,
    groups: Vec<Vec<Member>>,
    /// By element, the prose that stands in it.
    pub(super) hosts: Map<StepId, Vec<SlotId>>,
    pub(super) places: Vec<Place>,
    /// By slot, the runs that its leaves are part of.
    runs: Lists<Run>,
    /// By slot, whether it is a state that every page had.
    pub(super) is_always: Vec<bool>,
    /// By slot, its place among the parts of what it stands in, and how many before it are always there.
    ranks: Vec<Rank>,
    follows: Map<(SlotId, SlotId), f32>,
    /// By state, those that came right after it.
    next: Lists<SlotId>,
    /// The words of the template that are the same on all pages, and by state which of them it says.
    texts: Map<Box<str>, TextId>,
    words: Vec<Option<TextId>>,
    /// By state, whether these are the label of something.
    is_label: Vec<bool>,
    /// The most bytes that one of them has.
    longest_text: usize,
    /// By state, how well each type of leaf fits, in logarithms.
    types: Vec<[f32; DataType::ALL.len()]>,
    /// By step, the state that most leaves in it had.
    commonest: Vec<Option<(u32, SlotId)>>,
}

/// A state of a group.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) slot: SlotId,
    /// Which share of the group's leaves had it, in logarithms.
    pub(super) share: f32,
    /// How deep the records are that it was part of, the outermost first.
    pub(super) depths: Box<[u16]>,
}

/// The text of a stretch of leaves that have states of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) slot: SlotId,
    /// The innermost set it stands in, or the page.
    pub(super) set: SlotId,
}

/// Where a state stands in the template.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The slots it stands in, the page first, itself last.
    chain: Vec<SlotId>,
    /// It may be the first leaf of the slot at this index of the chain and of those after it.
    start_top: usize,
    /// The same for the last leaf.
    end_top: usize,
    /// The sets it stands in, the outermost first.
    pub(super) sets: Vec<SlotId>,
    /// How deep the records of these sets are, most often.
    pub(super) depths: Box<[u16]>,
}

/// What it costs, in logarithms, to go where nobody went before: where the schema allows it, and where not.
const ALLOWED: f32 = -5.0;
const FORBIDDEN: f32 = -26.0;
/// What it says for or against a state of the template to say what it says.
const SAME_WORDS: f32 = 3.0;
const SAME_LABEL: f32 = 6.0;
const OTHER_WORDS: f32 = -8.0;
const OTHER_VALUE: f32 = -2.0;
/// Steps that were seen cost no more than this.
const SEEN: f32 = -4.0;

impl Tables {
    pub(crate) fn new(machine: &Machine) -> Tables {
        let n_steps = machine.steps.len();
        let mut tables = Tables {
            facts: StepFacts {
                tag_paths: machine.steps.tag_paths(),
                is_free: vec![false; n_steps],
            },
            spots: vec![[NONE; N_KINDS]; n_steps],
            by_tags: Map::default(),
            groups: Vec::new(),
            hosts: Map::default(),
            places: (0..machine.nodes.len()).map(|slot| Place::of(machine, slot)).collect(),
            runs: runs(machine),
            is_always: (0..machine.nodes.len())
                .map(|slot| slot > 0 && machine.is_always(slot))
                .collect(),
            ranks: ranks(machine),
            follows: follows(machine),
            next: Lists::of(machine.follows.iter().map(|(from, to, _)| (*from, *to)).collect()),
            texts: Map::default(),
            words: Vec::new(),
            is_label: Vec::new(),
            longest_text: 0,
            types: machine
                .nodes
                .iter()
                .map(|node| node.kind.look().map(types))
                .map(Option::unwrap_or_default)
                .collect(),
            commonest: commonest(machine),
        };
        tables.add_spots(machine);
        tables.add_texts(machine);
        for (slot, node) in machine.nodes.iter().enumerate() {
            for step in node.elements.iter().filter(|_| node.is_free) {
                tables.facts.is_free[*step as usize] = true;
            }
            if let Kind::Prose(_, hosts) = &node.kind {
                for host in hosts {
                    tables.hosts.entry(*host).or_default().push(slot);
                }
            }
        }
        tables
    }

    fn add_spots(&mut self, machine: &Machine) {
        let mut by_tags: Map<(u64, u8), Map<SlotId, State>> = Map::default();
        for spot in &machine.spots {
            self.spots[spot.step as usize][usize::from(spot.kind).min(N_KINDS - 1)] =
                self.add_group(spot.states.iter());
            let tags = self.facts.tag_paths[spot.step as usize];
            let merged = by_tags.entry((tags, spot.kind)).or_default();
            for state in &spot.states {
                let known = merged.entry(state.slot).or_insert(State { n: 0, ..state.clone() });
                known.n += state.n;
            }
        }
        for (key, states) in by_tags {
            let group = self.add_group(states.values());
            self.by_tags.insert(key, group);
        }
    }

    fn add_texts(&mut self, machine: &Machine) {
        for node in &machine.nodes {
            let look = node.kind.look();
            let text = look.and_then(|look| look.text.as_deref());
            self.is_label.push(text.is_some() && look.is_some_and(|look| look.is_label));
            let next = TextId::try_from(self.texts.len()).unwrap_or(TextId::MAX);
            let known = text.map(|text| *self.texts.entry(text.into()).or_insert(next));
            self.words.push(known);
            self.longest_text = self.longest_text.max(text.map_or(0, str::len));
        }
    }

    fn add_group<'s>(&mut self, states: impl Iterator<Item = &'s State> + Clone) -> GroupId {
        let total: u32 = states.clone().map(|state| state.n).sum();
        let member = |state: &State| Member {
            slot: state.slot,
            share: (state.n as f32 / total as f32).ln(),
            depths: state.depths.as_slice().into(),
        };
        let mut members: Vec<Member> = states.map(member).collect();
        members.sort_by_key(|member| member.slot);
        self.groups.push(members);
        GroupId::try_from(self.groups.len() - 1).unwrap_or(NONE)
    }

    /// The states that came right after one.
    #[inline]
    pub(super) fn next(&self, slot: SlotId) -> &[SlotId] {
        self.next.get(slot)
    }

    /// The runs that the leaves of a slot are part of.
    #[inline]
    pub(super) fn runs(&self, slot: SlotId) -> &[Run] {
        self.runs.get(slot)
    }

    /// Whether the leaves of a slot are part of a run.
    #[inline]
    pub(super) fn is_in_run(&self, slot: SlotId, run: SlotId) -> bool {
        self.runs(slot).iter().any(|it| it.slot == run)
    }

    pub(super) fn group(&self, group: GroupId) -> &[Member] {
        &self.groups[group as usize]
    }

    /// The states that leaves in such an element have had, by tags and roles.
    pub(super) fn exactly(&self, found: Found, kind: u8) -> Option<GroupId> {
        let group = self.spots[found.step as usize][usize::from(kind)];
        (found.is_known && group != NONE).then_some(group)
    }

    /// The states that leaves in such an element have had, by tags alone.
    pub(super) fn by_tags(&self, found: Found, kind: u8) -> Option<GroupId> {
        self.by_tags.get(&(found.tags, kind)).copied()
    }

    /// The states that every page had.
    pub(super) fn always(&self) -> impl Iterator<Item = SlotId> + '_ {
        let slots = self.is_always.iter().enumerate();
        slots.filter(|(_, is_always)| **is_always).map(|(slot, _)| slot)
    }

    /// The state that most leaves in an element had.
    pub(super) fn commonest(&self, step: StepId) -> Option<SlotId> {
        self.commonest[step as usize].map(|(_, slot)| slot)
    }

    /// How well a type fits a state, in logarithms.
    pub(super) fn fit(&self, slot: SlotId, data_type: DataType) -> f32 {
        self.types[slot][data_type as usize]
    }

    /// Which words of the template a leaf says.
    pub(super) fn said(&self, leaf: &Leaf<'_>) -> Option<TextId> {
        let said = said(leaf);
        if said.len() > self.longest_text { None } else { self.texts.get(said).copied() }
    }

    /// What it says for or against a state that a leaf says what it says.
    pub(super) fn words(&self, slot: SlotId, said: Option<TextId>) -> f32 {
        if self.words[slot].is_none() {
            return 0.0;
        }
        match (self.words[slot] == said, self.is_label[slot]) {
            (true, true) => SAME_LABEL,
            (true, false) => SAME_WORDS,
            (false, true) => OTHER_WORDS,
            // It may only have seemed to say the same everywhere.
            (false, false) => OTHER_VALUE,
        }
    }

    /// Whether a leaf says something else than the label that it should be.
    pub(super) fn is_reworded(
        &self,
        machine: &Machine,
        slot: SlotId,
        leaves: &Leaves,
        leaf: usize,
    ) -> bool {
        let label = || machine.look(slot).and_then(|look| look.text.as_deref());
        self.is_label[slot] && label() != Some(said(&leaves.get(leaf)))
    }

    /// What it costs to go from one state to the next, and whether the machine allows it, if the leaves have elements in
    /// common down to a depth. Slot 0 is the start and the end.
    pub(super) fn transition(
        &self,
        machine: &Machine,
        (from, to): (SlotId, SlotId),
        depth: u16,
    ) -> (f32, bool) {
        match (self.is_allowed(machine, from, to, depth), self.follows.get(&(from, to))) {
            (true, Some(cost)) => (*cost, true),
            (true, None) => (ALLOWED, true),
            (false, _) => (FORBIDDEN, false),
        }
    }

    fn is_allowed(&self, machine: &Machine, from: SlotId, to: SlotId, depth: u16) -> bool {
        let (left, right) = (&self.places[from], &self.places[to]);
        match (from, to) {
            (0, 0) => return false,
            (0, _) => return right.start_top == 0,
            (_, 0) => return left.end_top == 0,
            _ => {}
        }
        if from == to && machine.is_stretch(from, depth) {
            return true;
        }
        let pairs = left.chain.iter().zip(&right.chain);
        let n_common = pairs.take_while(|(left, right)| left == right).count();
        let is_next = || {
            let parts = left.chain.get(n_common).zip(right.chain.get(n_common));
            let within = left.chain[n_common - 1];
            parts.zip(machine.order(within)).is_some_and(|((first, second), order)| {
                machine.node(within).depths.contains(depth)
                    && left.end_top <= n_common
                    && right.start_top <= n_common
                    && (order.may_follow(self.ranks[*first], self.ranks[*second])
                        || self.follows.contains_key(&(from, to)))
            })
        };
        let is_next_record = || {
            let top = left.end_top.max(right.start_top);
            let is_repeated = |slot: &SlotId| match &machine.node(*slot).kind {
                Kind::Set(_, records) => records.hosts.contains(depth),
                _ => false,
            };
            left.chain[..n_common].iter().skip(top).any(is_repeated)
        };
        is_next() || is_next_record()
    }
}

impl Place {
    fn of(machine: &Machine, slot: SlotId) -> Place {
        let chain = machine.chain(slot);
        let may = |index: usize, start: bool| {
            machine.order(chain[index]).is_some_and(|order| match start {
                true => order.may_start(chain[index + 1]),
                false => order.may_end(chain[index + 1]),
            })
        };
        let top = |start: bool| {
            let n_inner = (0..chain.len() - 1).rev().take_while(|it| may(*it, start)).count();
            chain.len() - 1 - n_inner
        };
        let (start_top, end_top) = (top(true), top(false));
        let sets = machine.sets(slot);
        let depth = |set: &SlotId| match &machine.node(*set).kind {
            Kind::Set(_, records) => records.depth,
            _ => 0,
        };
        let depths = sets.iter().map(depth).collect();
        Place { chain, start_top, end_top, sets, depths }
    }
}

fn runs(machine: &Machine) -> Lists<Run> {
    let mut runs = Vec::new();
    for (slot, node) in machine.nodes.iter().enumerate() {
        if let Kind::Run(members) = &node.kind {
            let run = Run { slot, set: machine.sets(slot).last().copied().unwrap_or(0) };
            runs.extend(members.iter().map(|member| (*member, run)));
        }
    }
    Lists::of(runs)
}

fn ranks(machine: &Machine) -> Vec<Rank> {
    let mut ranks = vec![Rank::default(); machine.nodes.len()];
    for (slot, order) in (0..machine.nodes.len()).filter_map(|it| Some((it, machine.order(it)?))) {
        for (part, rank) in order.ranks().filter(|(part, _)| machine.node(*part).parent == slot) {
            ranks[part] = rank;
        }
    }
    ranks
}

fn follows(machine: &Machine) -> Map<(SlotId, SlotId), f32> {
    let mut totals: Map<SlotId, u32> = Map::default();
    for (from, _, n) in &machine.follows {
        *totals.entry(*from).or_default() += n;
    }
    let cost = |from: SlotId, n: u32| (n as f32 / totals[&from] as f32).ln().max(SEEN);
    machine.follows.iter().map(|(from, to, n)| ((*from, *to), cost(*from, *n))).collect()
}

/// How well types fit a look, by type.
fn types(look: &Look) -> [f32; DataType::ALL.len()] {
    DataType::ALL.map(|data_type| {
        let n = look.types.iter().find(|(it, _)| *it == data_type).map_or(0, |(_, n)| *n);
        ((n as f32 + 0.5) / (look.n as f32 + 7.5)).ln()
    })
}

/// By step, the state that most leaves in it had, and how many.
fn commonest(machine: &Machine) -> Vec<Option<(u32, SlotId)>> {
    let mut commonest: Vec<Option<(u32, SlotId)>> = vec![None; machine.steps.len()];
    for spot in &machine.spots {
        let best = spot.states.iter().map(|state| (state.n, state.slot)).max();
        commonest[spot.step as usize] = commonest[spot.step as usize].max(best);
    }
    // What a step stands in comes before it.
    for step in (1..commonest.len()).rev() {
        let around = machine.steps.parent(step as StepId) as usize;
        commonest[around] = commonest[around].max(commonest[step]);
    }
    commonest
}
