//! Whether the numbers of a machine that was read from a file point at what is there.
//!
//! What a slot stands in comes before it, so that going up always ends; all that is an index is below the length of what it
//! points into; counts are small enough to be added up. What a machine costs before its first page is bounded too.

use super::order::Order;
use super::steps::StepId;
use super::{Kind, Machine};
use crate::schema::SlotId;

/// How many steps up from slots to the page there may be in all: so much is held for each extractor.
const MAX_CHAINS: u64 = 1 << 24;
/// How many parts of orders may be looked at to find out where slots start and end.
const MAX_WORK: u64 = 1 << 31;

impl Machine {
    pub(crate) fn n_slots(&self) -> usize {
        self.nodes.len()
    }

    /// What is wrong with it, if anything is.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.check_parents()?;
        for (slot, node) in self.nodes.iter().enumerate() {
            let checked = match &node.kind {
                Kind::Leaf(_) => Ok(()),
                Kind::Prose(_, hosts) => self.check_steps(hosts),
                Kind::Run(members) => self.check_rising(members),
                Kind::Tuple(order) => self.check_order(order),
                Kind::Set(order, records) => {
                    self.check_order(order).and_then(|()| self.check_rising(&records.starts))
                }
            };
            checked
                .and_then(|()| self.check_steps(&node.elements))
                .map_err(|wrong| format!("slot {slot} {wrong}"))?;
        }
        self.check_spots()?;
        self.check_follows()
    }

    fn check_parents(&self) -> Result<(), String> {
        if self.nodes.is_empty() {
            return Err("the machine has no slots".into());
        }
        let (mut depths, mut works) = (vec![0_u64], vec![0_u64]);
        for (slot, node) in self.nodes.iter().enumerate().skip(1) {
            let parent = node.parent;
            if parent >= slot {
                return Err(format!("slot {parent}, which comes later, holds slot {slot}"));
            }
            let n_parts = self.order(parent).map_or(0, Order::n_parts) as u64;
            depths.push(depths[parent] + 1);
            works.push(works[parent] + n_parts + 1);
        }
        let is_small = |costs: &[u64], max| costs.iter().sum::<u64>() <= max;
        match is_small(&depths, MAX_CHAINS) && is_small(&works, MAX_WORK) {
            true => Ok(()),
            false => Err("the machine has more slots within each other than a template can".into()),
        }
    }

    fn check_order(&self, order: &Order) -> Result<(), String> {
        order.slots().try_for_each(|slot| self.check_slot(slot))
    }

    /// They are searched, and each is looked at once.
    fn check_rising(&self, slots: &[SlotId]) -> Result<(), String> {
        if !slots.is_sorted_by(|left, right| left < right) {
            return Err("names slots that are not in order".into());
        }
        slots.iter().try_for_each(|slot| self.check_slot(*slot))
    }

    fn check_slot(&self, slot: SlotId) -> Result<(), String> {
        let n = self.nodes.len();
        if slot < n { Ok(()) } else { Err(format!("names slot {slot}, of {n}")) }
    }

    fn check_steps(&self, steps: &[StepId]) -> Result<(), String> {
        let n = self.steps.len();
        match steps.iter().find(|step| **step as usize >= n) {
            Some(step) => Err(format!("names step {step}, of {n}")),
            None => Ok(()),
        }
    }

    fn check_spots(&self) -> Result<(), String> {
        let mut total = 0_u64;
        for (index, spot) in self.spots.iter().enumerate() {
            self.check_steps(&[spot.step]).map_err(|wrong| format!("spot {index} {wrong}"))?;
            for state in &spot.states {
                self.check_slot(state.slot).map_err(|wrong| format!("spot {index} {wrong}"))?;
                total += u64::from(state.n);
            }
        }
        check_total(total)
    }

    fn check_follows(&self) -> Result<(), String> {
        let mut total = 0_u64;
        for (index, (from, to, n)) in self.follows.iter().enumerate() {
            let checked = self.check_slot(*from).and_then(|()| self.check_slot(*to));
            checked.map_err(|wrong| format!("follow {index} {wrong}"))?;
            total += u64::from(*n);
        }
        check_total(total)
    }
}

fn check_total(total: u64) -> Result<(), String> {
    match u32::try_from(total) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("the machine counts {total} leaves")),
    }
}
