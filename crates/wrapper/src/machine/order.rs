//! Which parts of a page or record may follow which.
//!
//! Parts have an order, the one they mostly come in. A part may follow another if it comes later in that order, or was
//! seen to come before it all the same, and if nothing that is always there would be left out between the two.

use crate::schema::SlotId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// In how many instances.
    n: u32,
    /// In their order, and whether each is always there.
    parts: Vec<(SlotId, bool)>,
    /// Pairs that were seen the other way round: the second came before the first.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    turned: BTreeSet<(SlotId, SlotId)>,
    /// Whether parts come in any order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_free: bool,
}

/// More parts than this are rows of a large table: their order is not learnt pair by pair.
const MAX_PARTS: usize = 250;
/// Something is always there if it was in all of at least so many instances.
const MIN_INSTANCES: u32 = 3;

/// Gathers what an order is made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    n: u32,
    /// By part, in how many instances it was, and the sum of its ranks there, in thousandths.
    parts: BTreeMap<SlotId, (u32, u64)>,
    /// Pairs of which the first came before the second.
    before: BTreeSet<(SlotId, SlotId)>,
    is_free: bool,
}

impl Seen {
    /// Take in an instance: its parts in the order of the page, those that come several times each time.
    pub(crate) fn add(&mut self, sequence: &[SlotId]) {
        self.n += 1;
        let mut spans: BTreeMap<SlotId, (usize, usize)> = BTreeMap::new();
        for (rank, part) in sequence.iter().enumerate() {
            spans.entry(*part).or_insert((rank, rank)).1 = rank;
        }
        for (part, (first, _)) in &spans {
            let (n, ranks) = self.parts.entry(*part).or_default();
            *n += 1;
            *ranks += (first * 1000 / sequence.len()) as u64;
        }
        self.is_free |= self.parts.len() > MAX_PARTS;
        if self.is_free {
            return;
        }
        for (left, (first, _)) in &spans {
            let later = spans.iter().filter(|(right, (_, last))| *right != left && first < last);
            self.before.extend(later.map(|(right, _)| (*left, *right)));
        }
    }

    pub(crate) fn into_order(self) -> Order {
        let mut parts: Vec<(u64, SlotId, bool)> = self
            .parts
            .iter()
            .map(|(part, (n, ranks))| {
                let is_always = *n == self.n && self.n >= MIN_INSTANCES;
                (ranks / u64::from(*n).max(1), *part, is_always)
            })
            .collect();
        parts.sort_unstable();
        let parts: Vec<(SlotId, bool)> =
            parts.into_iter().map(|(_, part, is_always)| (part, is_always)).collect();
        let ranks: BTreeMap<SlotId, usize> =
            parts.iter().enumerate().map(|(rank, (part, _))| (*part, rank)).collect();
        let is_turned = |(first, second): &&(SlotId, SlotId)| ranks[first] > ranks[second];
        let turned = match self.is_free {
            true => BTreeSet::new(),
            false => self.before.iter().filter(is_turned).map(|(a, b)| (*b, *a)).collect(),
        };
        Order { n: self.n, parts, turned, is_free: self.is_free }
    }
}

impl Order {
    fn rank(&self, part: SlotId) -> Option<usize> {
        self.parts.iter().position(|(it, _)| *it == part)
    }

    /// Whether the second may be anywhere before the first, though it mostly comes later.
    fn are_turned(&self, first: SlotId, second: SlotId) -> bool {
        self.is_free || self.turned.contains(&(first, second))
    }

    /// Whether one part may come right after another.
    pub(crate) fn may_follow(&self, first: SlotId, second: SlotId) -> bool {
        let (Some(left), Some(right)) = (self.rank(first), self.rank(second)) else { return false };
        if self.is_free {
            return true;
        }
        if left >= right {
            return left > right && self.are_turned(second, first);
        }
        // What is always between them is missing.
        !self.parts[left + 1..right].iter().any(|(part, is_always)| {
            *is_always && !self.are_turned(first, *part) && !self.are_turned(*part, second)
        })
    }

    /// Whether an instance may begin with a part.
    pub(crate) fn may_start(&self, part: SlotId) -> bool {
        let Some(rank) = self.rank(part) else { return false };
        let is_missing =
            |(other, is_always): &(SlotId, bool)| *is_always && !self.are_turned(*other, part);
        self.is_free || !self.parts[..rank].iter().any(is_missing)
    }

    /// Whether an instance may end with a part.
    pub(crate) fn may_end(&self, part: SlotId) -> bool {
        let Some(rank) = self.rank(part) else { return false };
        let is_missing =
            |(other, is_always): &(SlotId, bool)| *is_always && !self.are_turned(part, *other);
        self.is_free || !self.parts[rank + 1..].iter().any(is_missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(instances: &[&[SlotId]]) -> Order {
        let mut seen = Seen::default();
        for instance in instances {
            seen.add(instance);
        }
        seen.into_order()
    }

    #[test]
    fn options_may_be_skipped_and_what_is_always_there_may_not() {
        let order = order(&[&[1, 2, 3, 4], &[1, 3, 4], &[1, 2, 3, 4]]);
        assert!(order.may_follow(1, 2) && order.may_follow(1, 3));
        assert!(!order.may_follow(1, 4) && !order.may_follow(2, 1));
        assert!(order.may_start(1) && !order.may_start(2) && order.may_end(4) && !order.may_end(3));
    }

    #[test]
    fn parts_seen_in_both_orders_may_come_in_both() {
        let order = order(&[&[1, 2, 3], &[2, 1, 3], &[1, 2, 3]]);
        assert!(order.may_follow(1, 2) && order.may_follow(2, 1) && order.may_follow(1, 3));
        assert!(order.may_start(1) && order.may_start(2) && !order.may_start(3));
    }

    #[test]
    fn nothing_is_always_there_by_two_instances() {
        let order = order(&[&[1, 2, 3], &[1, 2, 3]]);
        assert!(order.may_follow(1, 3) && order.may_end(1));
    }
}
