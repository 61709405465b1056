//! A machine in new clothes: the same places of the template, in elements that are called otherwise.
//!
//! `repair` looks how pages are dressed now. Here the elements are renamed, or put into one more, and nothing else changes:
//! all that was learnt about order, records and values stays.

use super::steps::{Step, StepId, Steps};
use super::{Depths, Kind, Machine};
use crate::schema::SlotId;
use std::collections::BTreeMap;

/// The elements of a machine, and where its leaves stand.
pub(crate) struct Wardrobe {
    steps: Vec<Step>,
    /// By slot, the elements that its leaves stand in, where most were first.
    by_slot: BTreeMap<SlotId, Vec<StepId>>,
    /// By element, how many leaves stand in it, or in one within it.
    n_leaves: Vec<u64>,
}

impl Wardrobe {
    pub(crate) fn of(machine: &Machine) -> Wardrobe {
        let steps = machine.steps.all().to_vec();
        let mut seen: Vec<(SlotId, u32, StepId)> = Vec::new();
        let mut n_leaves = vec![0; steps.len()];
        for spot in &machine.spots {
            for state in &spot.states {
                seen.push((state.slot, state.n, spot.step));
                n_leaves[spot.step as usize] += u64::from(state.n);
            }
        }
        seen.sort_by_key(|(slot, n, step)| (*slot, std::cmp::Reverse(*n), *step));
        let mut by_slot: BTreeMap<SlotId, Vec<StepId>> = BTreeMap::new();
        for (slot, _, step) in seen {
            by_slot.entry(slot).or_default().push(step);
        }
        // What holds a step comes before it.
        for step in (1..steps.len()).rev() {
            n_leaves[steps[step].parent as usize] += n_leaves[step];
        }
        Wardrobe { steps, by_slot, n_leaves }
    }

    /// The elements of a slot's leaves that stand in elements with these tags.
    pub(crate) fn path_of(&self, slot: SlotId, tags: &[&str]) -> Option<Vec<&Step>> {
        let mut paths = self.by_slot.get(&slot)?.iter().map(|step| self.path(*step));
        paths.find(|path| path.iter().map(|it| &*it.tag).eq(tags.iter().copied()))
    }

    fn path(&self, step: StepId) -> Vec<&Step> {
        let mut path = Vec::new();
        let mut step = step as usize;
        while step != 0 {
            path.push(&self.steps[step]);
            step = self.steps[step].parent as usize;
        }
        path.reverse();
        path
    }

    /// The elements that hold nearly all leaves, the outermost first.
    pub(crate) fn trunk(&self) -> Vec<StepId> {
        let mut trunk = Vec::new();
        let mut at: StepId = 0;
        loop {
            let is_inside = |step: &usize| *step != 0 && self.steps[*step].parent == at;
            let largest =
                (1..self.steps.len()).filter(is_inside).max_by_key(|it| self.n_leaves[*it]);
            match largest {
                Some(step) if self.n_leaves[step] * 10 >= self.n_leaves[0] * 8 => {
                    at = StepId::try_from(step).unwrap_or(0);
                    trunk.push(at);
                }
                _ => return trunk,
            }
        }
    }

    pub(crate) fn clothes(&self, step: StepId) -> &Step {
        &self.steps[step as usize]
    }
}

impl Machine {
    /// With other roles of elements.
    pub(crate) fn with_roles(&self, other: impl Fn(&str) -> String) -> Option<Machine> {
        let mut steps = self.steps.all().to_vec();
        for step in steps.iter_mut().filter(|step| !step.role.is_empty()) {
            step.role = other(&step.role);
        }
        Some(Machine { steps: Steps::made_of(steps)?, ..self.clone() })
    }

    /// With other words of the template, by slot.
    pub(crate) fn with_words(&self, words: &BTreeMap<SlotId, String>) -> Machine {
        let mut machine = self.clone();
        for (slot, word) in words {
            if let Kind::Leaf(look) | Kind::Prose(look, _) = &mut machine.nodes[*slot].kind {
                look.text = Some(word.clone());
            }
        }
        machine
    }

    /// With all that stands in an element in one more.
    pub(crate) fn with_shell(&self, around: StepId, tag: &str, role: &str) -> Option<Machine> {
        let old = self.steps.all();
        let depth = depth_of(old, around);
        let moved = |step: StepId| if step >= around { step + 1 } else { step };
        let mut steps = Vec::with_capacity(old.len() + 1);
        for (index, step) in old.iter().enumerate() {
            let is_above = index <= around as usize;
            let parent = if is_above { step.parent } else { moved(step.parent) };
            steps.push(Step { parent, ..step.clone() });
            if index == around as usize {
                steps.push(Step { parent: around, tag: tag.to_owned(), role: role.to_owned() });
            }
        }
        let is_inside = self.slots_within(old, around);
        let mut machine = Machine { steps: Steps::made_of(steps)?, ..self.clone() };
        for spot in &mut machine.spots {
            if is_within(old, spot.step, around) {
                let records = spot.states.iter_mut().flat_map(|state| &mut state.depths);
                records.for_each(|it| *it += u16::from(*it >= depth));
            }
            spot.step = moved(spot.step);
        }
        for (node, is_inside) in machine.nodes.iter_mut().zip(is_inside) {
            node.elements.iter_mut().for_each(|step| *step = moved(*step));
            let deeper = |depths: &mut Depths| {
                if let Some((least, most)) = depths.0.as_mut().filter(|_| is_inside) {
                    *least += u16::from(*least >= depth);
                    *most += u16::from(*most >= depth);
                }
            };
            deeper(&mut node.depths);
            match &mut node.kind {
                Kind::Leaf(look) => deeper(&mut look.elements),
                Kind::Prose(look, hosts) => {
                    deeper(&mut look.elements);
                    hosts.iter_mut().for_each(|step| *step = moved(*step));
                }
                Kind::Set(_, records) => {
                    deeper(&mut records.hosts);
                    records.depth += u16::from(is_inside && records.depth >= depth);
                }
                Kind::Run(_) | Kind::Tuple(_) => {}
            }
        }
        Some(machine)
    }

    /// By slot, whether most of its leaves stand in an element.
    fn slots_within(&self, steps: &[Step], around: StepId) -> Vec<bool> {
        let mut counts = vec![(0_u64, 0_u64); self.nodes.len()];
        for spot in &self.spots {
            let is_within = is_within(steps, spot.step, around);
            for state in &spot.states {
                for slot in self.chain(state.slot) {
                    counts[slot].0 += u64::from(state.n) * u64::from(is_within);
                    counts[slot].1 += u64::from(state.n);
                }
            }
        }
        for (slot, node) in self.nodes.iter().enumerate() {
            if let Kind::Run(members) = &node.kind
                && let Some(first) = members.first()
            {
                counts[slot] = counts[*first];
            }
        }
        counts.into_iter().map(|(within, all)| within * 2 > all).collect()
    }
}

fn depth_of(steps: &[Step], mut step: StepId) -> u16 {
    let mut depth = 0;
    while step != 0 {
        depth += 1;
        step = steps[step as usize].parent;
    }
    depth
}

fn is_within(steps: &[Step], mut step: StepId, around: StepId) -> bool {
    while step != 0 && step != around {
        step = steps[step as usize].parent;
    }
    step == around
}
