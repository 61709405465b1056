//! What follows from a machine and is looked up again and again: made once, never written.

use super::steps::StepId;
use super::{Kind, Machine, State};
use crate::schema::SlotId;
use foldhash::fast::FixedState;
use std::collections::HashMap;

type Map<K, V> = HashMap<K, V, FixedState>;

#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// By element and kind of leaf, the spot.
    pub(super) spots: Map<(StepId, u8), usize>,
    /// The same by tags alone: states of all spots with these tags.
    pub(super) by_tags: Map<(u64, u8), Vec<State>>,
    /// By element, the prose that stands in it.
    pub(super) hosts: Map<StepId, Vec<SlotId>>,
    /// By element, the slot it is, if something new may stand in it.
    pub(super) free: Map<StepId, SlotId>,
    pub(super) places: Vec<Place>,
    /// The states that every page had.
    pub(super) always: Vec<SlotId>,
    follows: Map<(SlotId, SlotId), f32>,
    /// By state, those that came right after it.
    pub(super) next: Vec<Vec<SlotId>>,
}

/// What going from one state to another costs, as far as it was asked for.
pub(super) type Costs = Map<(SlotId, SlotId, u16), (f32, bool)>;

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
    pub(super) depths: Vec<u16>,
}

/// What it costs, in logarithms, to go where nobody went before: where the schema allows it, and where not.
const ALLOWED: f32 = -5.0;
const FORBIDDEN: f32 = -26.0;
/// Steps that were seen cost no more than this.
const SEEN: f32 = -4.0;

impl Tables {
    pub(crate) fn new(machine: &Machine) -> Tables {
        let mut tables = Tables {
            spots: Map::default(),
            by_tags: Map::default(),
            hosts: Map::default(),
            free: Map::default(),
            places: (0..machine.nodes.len()).map(|slot| Place::of(machine, slot)).collect(),
            always: (1..machine.nodes.len()).filter(|slot| machine.is_always(*slot)).collect(),
            follows: follows(machine),
            next: vec![Vec::new(); machine.nodes.len()],
        };
        for (from, to, _) in &machine.follows {
            tables.next[*from].push(*to);
        }
        let tag_paths = machine.steps.tag_paths();
        for (index, spot) in machine.spots.iter().enumerate() {
            tables.spots.insert((spot.step, spot.kind), index);
            let Some(tags) = tag_paths.get(spot.step as usize) else { continue };
            let states = tables.by_tags.entry((*tags, spot.kind)).or_default();
            for state in &spot.states {
                match states.iter_mut().find(|known| known.slot == state.slot) {
                    Some(known) => known.n += state.n,
                    None => states.push(state.clone()),
                }
            }
        }
        for states in tables.by_tags.values_mut() {
            states.sort_by_key(|state| state.slot);
        }
        for (slot, node) in machine.nodes.iter().enumerate() {
            tables.free.extend(node.elements.iter().map(|step| (*step, slot)));
            if let Kind::Prose(_, hosts) = &node.kind {
                for host in hosts {
                    tables.hosts.entry(*host).or_default().push(slot);
                }
            }
        }
        tables
    }

    /// What it costs to go from one state to the next, and whether the machine allows it, if the leaves have elements in
    /// common down to a depth. Slot 0 is the start and the end.
    pub(super) fn transition(
        &self,
        machine: &Machine,
        costs: &mut Costs,
        (from, to): (SlotId, SlotId),
        depth: u16,
    ) -> (f32, bool) {
        *costs.entry((from, to, depth)).or_insert_with(|| {
            match (self.is_allowed(machine, from, to, depth), self.follows.get(&(from, to))) {
                (true, Some(cost)) => (*cost, true),
                (true, None) => (ALLOWED, true),
                (false, _) => (FORBIDDEN, false),
            }
        })
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
        // Whatever stands in a free slot, on either side of what is known there.
        let is_prefix = n_common == left.chain.len() || n_common == right.chain.len();
        if is_prefix && !machine.node(left.chain[n_common - 1]).elements.is_empty() {
            return machine.is_within(left.chain[n_common - 1], depth);
        }
        let is_next = || {
            let parts = left.chain.get(n_common).zip(right.chain.get(n_common));
            let within = left.chain[n_common - 1];
            parts.zip(machine.order(within)).is_some_and(|((first, second), order)| {
                machine.node(within).depths.contains(depth)
                    && left.end_top <= n_common
                    && right.start_top <= n_common
                    && (order.may_follow(*first, *second) || self.follows.contains_key(&(from, to)))
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

fn follows(machine: &Machine) -> Map<(SlotId, SlotId), f32> {
    let mut totals: Map<SlotId, u32> = Map::default();
    for (from, _, n) in &machine.follows {
        *totals.entry(*from).or_default() += n;
    }
    let cost = |from: SlotId, n: u32| (n as f32 / totals[&from] as f32).ln().max(SEEN);
    machine.follows.iter().map(|(from, to, n)| ((*from, *to), cost(*from, *n))).collect()
}
