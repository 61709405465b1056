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
const MIN_INSTANCES: u32 = 20;
/// Two parts have an order if they were seen in it at least so often.
const MIN_PAIRS: u32 = 5;

/// The paper's bounds: a part that fewer instances than this have is thin, and if more than this share of parts is,
/// there is no uniform template.
const DENSE: f64 = 0.6;
const MAX_THIN: f64 = 0.3;

/// Where a part stands in an order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rank {
    /// Its place, if it is part of it.
    index: Option<usize>,
    /// How many before it are always there.
    n_always: usize,
}

/// Gathers what an order is made from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    n: u32,
    /// By part, in how many instances it was, and the sum of its ranks there, in thousandths.
    parts: BTreeMap<SlotId, (u32, u64)>,
    /// Pairs of which the first came before the second, and how often.
    before: BTreeMap<(SlotId, SlotId), u32>,
    /// Parts known by a label, which come in any order.
    labelled: BTreeSet<SlotId>,
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
            for (right, _) in later {
                *self.before.entry((*left, *right)).or_default() += 1;
            }
        }
    }

    /// A part is known by a label, wherever it stands among the others.
    pub(crate) fn add_labelled(&mut self, part: SlotId) {
        self.labelled.insert(part);
    }

    /// Whether the first may come before the second though it mostly comes after.
    fn may_turn(&self, first: SlotId, second: SlotId) -> bool {
        let n = |left, right| self.before.get(&(left, right)).copied().unwrap_or_default();
        n(first, second) > 0
            || n(second, first) < MIN_PAIRS
            || self.labelled.contains(&first) && self.labelled.contains(&second)
    }

    /// Whether the parts come and go: then there is no template here, but what somebody wrote, or a table to which rows may be
    /// added.
    pub(crate) fn is_ragged(&self) -> bool {
        let is_thin = |n: u32| f64::from(n) < f64::from(self.n) * DENSE;
        let n_thin = self.parts.values().filter(|(n, _)| is_thin(*n)).count();
        let is_open = self.labelled.len() > 1;
        self.n > 1 && (is_open || n_thin as f64 > self.parts.len() as f64 * MAX_THIN)
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
        let mut turned = BTreeSet::new();
        for (rank, (later, _)) in parts.iter().enumerate().filter(|_| !self.is_free) {
            let earlier = parts[..rank].iter().map(|(earlier, _)| *earlier);
            turned.extend(earlier.filter(|it| self.may_turn(*later, *it)).map(|it| (it, *later)));
        }
        Order { n: self.n, parts, turned, is_free: self.is_free }
    }
}

impl Order {
    /// In how many instances it was seen.
    pub(crate) fn n_instances(&self) -> u32 {
        self.n
    }

    pub(crate) fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// All slots that it speaks of.
    pub(crate) fn slots(&self) -> impl Iterator<Item = SlotId> {
        let turned = self.turned.iter().flat_map(|(left, right)| [*left, *right]);
        self.parts.iter().map(|(part, _)| *part).chain(turned)
    }

    fn rank(&self, part: SlotId) -> Option<usize> {
        self.parts.iter().position(|(it, _)| *it == part)
    }

    /// Whether the second may be anywhere before the first, though it mostly comes later.
    fn are_turned(&self, first: SlotId, second: SlotId) -> bool {
        self.is_free || self.turned.contains(&(first, second))
    }

    /// The places of all parts.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = (SlotId, Rank)> + '_ {
        let mut n_always = 0;
        self.parts.iter().enumerate().map(move |(index, (part, is_always))| {
            let rank = Rank { index: Some(index), n_always };
            n_always += usize::from(*is_always);
            (*part, rank)
        })
    }

    /// Whether the part at one place may come right after that at another.
    pub(crate) fn may_follow(&self, first: Rank, second: Rank) -> bool {
        let (Some(left), Some(right)) = (first.index, second.index) else { return false };
        if self.is_free {
            return true;
        }
        let ((first_part, is_always), (second_part, _)) = (self.parts[left], self.parts[right]);
        if left >= right {
            return left > right && self.are_turned(second_part, first_part);
        }
        if second.n_always == first.n_always + usize::from(is_always) {
            return true;
        }
        // What is always between them is missing.
        !self.parts[left + 1..right].iter().any(|(part, is_always)| {
            *is_always
                && !self.are_turned(first_part, *part)
                && !self.are_turned(*part, second_part)
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

    /// The order of instances that were seen often enough to be sure of it.
    fn order(instances: &[&[SlotId]]) -> Order {
        order_of(instances, MIN_INSTANCES)
    }

    fn order_of(instances: &[&[SlotId]], times: u32) -> Order {
        let mut seen = Seen::default();
        for instance in instances {
            for _ in 0..times {
                seen.add(instance);
            }
        }
        seen.into_order()
    }

    impl Order {
        fn may_come_after(&self, first: SlotId, second: SlotId) -> bool {
            let rank = |part| self.ranks().find(|(it, _)| *it == part).map(|it| it.1);
            self.may_follow(rank(first).unwrap_or_default(), rank(second).unwrap_or_default())
        }
    }

    #[test]
    fn options_may_be_skipped_and_what_is_always_there_may_not() {
        let order = order(&[&[1, 2, 3, 4], &[1, 3, 4], &[1, 2, 3, 4]]);
        assert!(order.may_come_after(1, 2) && order.may_come_after(1, 3));
        assert!(!order.may_come_after(1, 4) && !order.may_come_after(2, 1));
        assert!(order.may_start(1) && !order.may_start(2) && order.may_end(4) && !order.may_end(3));
    }

    #[test]
    fn parts_seen_in_both_orders_may_come_in_both() {
        let order = order(&[&[1, 2, 3], &[2, 1, 3], &[1, 2, 3]]);
        assert!(
            order.may_come_after(1, 2) && order.may_come_after(2, 1) && order.may_come_after(1, 3)
        );
        assert!(order.may_start(1) && order.may_start(2) && !order.may_start(3));
    }

    #[test]
    fn a_few_instances_prove_nothing() {
        let order = order_of(&[&[1, 2, 3]], 2);
        assert!(order.may_come_after(1, 3) && order.may_end(1) && order.may_come_after(2, 1));
    }

    #[test]
    fn rows_with_labels_come_in_any_order() {
        let mut seen = Seen::default();
        seen.add_labelled(2);
        seen.add_labelled(3);
        for _ in 0..MIN_INSTANCES {
            seen.add(&[1, 2, 3]);
        }
        let order = seen.into_order();
        assert!(
            order.may_come_after(3, 2) && order.may_come_after(1, 3) && !order.may_come_after(2, 1)
        );
    }
}
