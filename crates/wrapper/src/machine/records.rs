//! Which record each leaf of a page is part of.

use super::assign::{Assigned, Label};
use super::steps::Place;
use super::tables::Tables;
use super::{Kind, Machine};
use crate::schema::SlotId;
use page::Leaves;
use std::iter;
use std::ops::Range;

/// A record, or the page, which is record 0.
pub(super) type RecordId = usize;

pub(super) struct Record {
    pub(super) set: SlotId,
    /// From its first leaf to its last.
    pub(super) leaves: Range<usize>,
    /// The first and the last of the records within it.
    children: Option<(RecordId, RecordId)>,
    /// The next record within the same one.
    next: Option<RecordId>,
}

impl Record {
    fn new(set: SlotId, leaves: Range<usize>) -> Record {
        Record { set, leaves, children: None, next: None }
    }
}

/// The records of one page after another. What is kept spares making it anew.
#[derive(Default)]
pub(crate) struct Records {
    records: Vec<Record>,
    /// By leaf, the innermost record it is part of.
    record_of: Vec<RecordId>,
    /// By leaf, the next one of the same state.
    next_alike: Vec<Option<usize>>,
    /// By slot, its last leaf so far.
    last: Vec<Option<usize>>,
    /// By set, its last record.
    open: Vec<Open>,
    n_pages: u64,
    /// By depth, the first leaf of the element there that the leaf at hand stands in.
    begun: Vec<usize>,
}

/// The last record of a set, the record that it is within, and the element it goes on with. Records come and go in the order
/// of the page: one within which another was begun later is not met again.
#[derive(Clone, Copy)]
struct Open {
    /// The page that it was on; none at first.
    page: u64,
    within: RecordId,
    record: RecordId,
    key: Key,
}

impl Open {
    const NONE: Open = Open { page: 0, within: 0, record: 0, key: Key::Leaf(0) };
}

/// What a record is known by: an element, or a leaf that is one by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    /// By its depth and its first leaf.
    Element(u16, usize),
    Leaf(usize),
}

/// A page whose leaves have their states.
#[derive(Clone, Copy)]
pub(crate) struct Labelled<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) tables: &'a Tables,
    pub(crate) leaves: &'a Leaves,
    pub(crate) assigned: &'a Assigned,
    /// Where the leaves are.
    pub(crate) places: &'a [Place],
}

impl Records {
    /// About how much memory they hold, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        let a_leaf = size_of::<(RecordId, Option<usize>)>();
        let a_slot = size_of::<(Option<usize>, Open)>();
        self.records.capacity() * size_of::<Record>()
            + self.record_of.capacity() * a_leaf
            + self.open.capacity() * a_slot
    }

    /// Find the records of a page.
    pub(super) fn find(&mut self, of: &Labelled<'_>) {
        self.start(of);
        for (leaf, label) in of.assigned.labels.iter().enumerate() {
            self.stand(leaf, of.places[leaf]);
            let Some(label) = label else { continue };
            if let Some(last) = self.last[label.slot].replace(leaf) {
                self.next_alike[last] = Some(leaf);
            }
            let sets = &of.tables.places[label.slot].sets;
            let mut record = 0;
            for (set, depth) in sets.iter().zip(label.depths(of.tables)) {
                let key = self.around(leaf, of.places[leaf], *depth);
                record = self.enter(of.machine, record, *set, label, key, leaf);
            }
            self.record_of[leaf] = record;
        }
    }

    fn start(&mut self, of: &Labelled<'_>) {
        let n_leaves = of.leaves.len();
        self.records.clear();
        self.records.push(Record::new(0, 0..n_leaves));
        self.record_of.clear();
        self.record_of.resize(n_leaves, 0);
        self.next_alike.clear();
        self.next_alike.resize(n_leaves, None);
        self.last.clear();
        self.last.resize(of.machine.nodes.len(), None);
        self.open.resize(of.machine.nodes.len(), Open::NONE);
        self.n_pages += 1;
    }

    /// Note which elements a leaf is the first of.
    fn stand(&mut self, leaf: usize, Place { found, common }: Place) {
        let (depth, common) = (usize::from(found.depth), usize::from(common));
        if self.begun.len() <= depth {
            self.begun.resize(depth + 1, 0);
        }
        if let Some(new) = self.begun.get_mut(common + 1..=depth) {
            new.fill(leaf);
        }
    }

    /// The element at a depth that a leaf stands in.
    fn around(&self, leaf: usize, place: Place, depth: u16) -> Key {
        if (1..=place.found.depth).contains(&depth) {
            Key::Element(depth, self.begun[usize::from(depth)])
        } else {
            Key::Leaf(leaf)
        }
    }

    /// The record of a set within another that a leaf is part of, made if the leaf begins one.
    fn enter(
        &mut self,
        machine: &Machine,
        within: RecordId,
        set: SlotId,
        label: &Label,
        key: Key,
        leaf: usize,
    ) -> RecordId {
        let may_start = || match &machine.node(set).kind {
            Kind::Set(_, records) => {
                records.starts.is_empty() || records.starts.binary_search(&label.slot).is_ok()
            }
            _ => true,
        };
        let open = &mut self.open[set];
        let is_open = open.page == self.n_pages && open.within == within;
        if is_open && (open.key == key || !may_start()) {
            open.key = key;
            self.records[open.record].leaves.end = leaf + 1;
            return open.record;
        }
        let record = self.records.len();
        self.records.push(Record::new(set, leaf..leaf + 1));
        self.append(within, record);
        self.open[set] = Open { page: self.n_pages, within, record, key };
        record
    }

    fn append(&mut self, within: RecordId, record: RecordId) {
        let children = &mut self.records[within].children;
        match *children {
            None => *children = Some((record, record)),
            Some((first, last)) => {
                *children = Some((first, record));
                self.records[last].next = Some(record);
            }
        }
    }

    pub(super) fn get(&self, record: RecordId) -> &Record {
        &self.records[record]
    }

    /// The innermost record that a leaf is part of.
    pub(super) fn of_leaf(&self, leaf: usize) -> RecordId {
        self.record_of[leaf]
    }

    /// The records within a record, in the order of the page.
    pub(super) fn within(&self, record: RecordId) -> impl Iterator<Item = RecordId> + '_ {
        let first = self.records[record].children.map(|(first, _)| first);
        iter::successors(first, |it| self.records[*it].next)
    }

    /// The records after one, within the same record.
    pub(super) fn after(&self, record: RecordId) -> impl Iterator<Item = RecordId> + '_ {
        iter::successors(self.records[record].next, |it| self.records[*it].next)
    }

    /// A leaf and those after it that have the same state.
    pub(super) fn alike(&self, leaf: usize) -> impl Iterator<Item = usize> + '_ {
        iter::successors(Some(leaf), |it| self.next_alike[*it])
    }
}
