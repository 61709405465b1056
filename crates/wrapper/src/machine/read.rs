//! From leaves with states to data.

use super::assign::{Assigned, Label};
use super::tables::Tables;
use super::{Kind, Machine};
use crate::columns::Data;
use crate::schema::{Column, Field, FieldPath, Reads, Schema, Set, SlotId};
use crate::text;
use foldhash::fast::FixedState;
use page::{LeafKind, Leaves, NodeId, Page};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::slice;

/// The data of a page whose leaves have their states.
pub(crate) fn read(
    machine: &Machine,
    tables: &Tables,
    schema: &Schema,
    page: &Page,
    leaves: &Leaves,
    assigned: &Assigned,
) -> Data {
    let sorted = Sorted::new(machine, tables, page, leaves, assigned);
    let reader = Reader { machine, leaves, sorted };
    reader.record(0, &schema.fields)
}

/// What a page or record has for one column, and where.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) slot: SlotId,
    /// The leaves it was read from, in the order of the page.
    pub(crate) leaves: CellLeaves,
    pub(crate) value: String,
}

/// The leaves of a cell, which is mostly one.
#[derive(Clone, Debug)]
pub(crate) enum CellLeaves {
    One(usize),
    Many(Vec<usize>),
}

impl Deref for CellLeaves {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        match self {
            CellLeaves::One(leaf) => slice::from_ref(leaf),
            CellLeaves::Many(leaves) => leaves,
        }
    }
}

/// Takes a column of a record with what is there for it, or a set that has no record; and the leaves that the record, or the
/// page, goes over.
pub(crate) type Visitor<'v> = dyn FnMut(FieldPath, &Field, Option<Cell>, Range<usize>) + 'v;

/// Go over all fields of a page in the order of its data.
pub(crate) fn visit(
    machine: &Machine,
    tables: &Tables,
    schema: &Schema,
    page: &Page,
    leaves: &Leaves,
    assigned: &Assigned,
    seen: &mut Visitor<'_>,
) {
    let sorted = Sorted::new(machine, tables, page, leaves, assigned);
    let reader = Reader { machine, leaves, sorted };
    reader.visit(0, &schema.fields, &FieldPath::default(), seen);
}

type RecordId = usize;

/// A record, or the page, which is record 0.
struct Record {
    set: SlotId,
    /// From its first leaf to its last.
    leaves: Range<usize>,
    /// The records of sets within it.
    children: Vec<RecordId>,
}

/// The leaves of a page by state, and the records they are part of.
struct Sorted {
    records: Vec<Record>,
    /// By leaf, the innermost record it is part of.
    record_of: Vec<RecordId>,
    /// By leaf, whether it has a state.
    is_known: Vec<bool>,
    /// All leaves that have a state, by state, and where those of each state start.
    by_slot: Vec<usize>,
    starts: Vec<usize>,
}

/// The last record of a set in another record, and the element it began with.
type Open = HashMap<(RecordId, SlotId), (RecordId, Key), FixedState>;

/// What a record is known by: an element, or a leaf that is one by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Element(NodeId),
    Leaf(usize),
}

impl Sorted {
    fn new(
        machine: &Machine,
        tables: &Tables,
        page: &Page,
        leaves: &Leaves,
        assigned: &Assigned,
    ) -> Sorted {
        let all = Record { set: 0, leaves: 0..leaves.len(), children: Vec::new() };
        let mut sorted = Sorted {
            records: vec![all],
            record_of: vec![0; leaves.len()],
            is_known: assigned.labels.iter().map(Option::is_some).collect(),
            by_slot: vec![0; assigned.labels.iter().flatten().count()],
            starts: starts(machine, assigned),
        };
        let mut next = sorted.starts.clone();
        let mut open = Open::default();
        let mut path = Vec::new();
        for (leaf, label) in assigned.labels.iter().enumerate() {
            let Some(label) = label else { continue };
            sorted.by_slot[next[label.slot]] = leaf;
            next[label.slot] += 1;
            let sets = &tables.places[label.slot].sets;
            if sets.is_empty() {
                continue;
            }
            elements(page, leaves.get(leaf).element, &mut path);
            let mut record = 0;
            for (set, depth) in sets.iter().zip(label.depths(tables)) {
                let key = match path.len().checked_sub(usize::from(*depth)) {
                    Some(index) if *depth > 0 => Key::Element(path[index]),
                    _ => Key::Leaf(leaf),
                };
                record = sorted.enter(machine, &mut open, record, *set, label, key, leaf);
            }
            sorted.record_of[leaf] = record;
        }
        sorted
    }

    /// The record of a set within another that a leaf is part of, made if the leaf begins one.
    #[allow(clippy::too_many_arguments, reason = "one step of a loop over all of these")]
    fn enter(
        &mut self,
        machine: &Machine,
        open: &mut Open,
        within: RecordId,
        set: SlotId,
        label: &Label,
        key: Key,
        leaf: usize,
    ) -> RecordId {
        let may_start = match &machine.node(set).kind {
            Kind::Set(_, records) => {
                records.starts.is_empty() || records.starts.binary_search(&label.slot).is_ok()
            }
            _ => true,
        };
        if let Some((record, last)) = open.get_mut(&(within, set))
            && (*last == key || !may_start)
        {
            *last = key;
            self.records[*record].leaves.end = leaf + 1;
            return *record;
        }
        let record = self.records.len();
        self.records.push(Record { set, leaves: leaf..leaf + 1, children: Vec::new() });
        self.records[within].children.push(record);
        open.insert((within, set), (record, key));
        record
    }

    /// The leaves of a state within a record.
    fn of_slot(&self, slot: SlotId, within: &Range<usize>) -> &[usize] {
        let all = &self.by_slot[self.starts[slot]..self.starts[slot + 1]];
        let start = all.partition_point(|leaf| *leaf < within.start);
        let len = all[start..].partition_point(|leaf| *leaf < within.end);
        &all[start..start + len]
    }
}

/// Where the leaves of each state start, if they are sorted by state, and where all end.
fn starts(machine: &Machine, assigned: &Assigned) -> Vec<usize> {
    let mut starts = vec![0; machine.nodes.len() + 1];
    for label in assigned.labels.iter().flatten() {
        starts[label.slot + 1] += 1;
    }
    for slot in 1..starts.len() {
        starts[slot] += starts[slot - 1];
    }
    starts
}

/// An element and those around it, the innermost first, without the document.
fn elements(page: &Page, element: NodeId, out: &mut Vec<NodeId>) {
    out.clear();
    out.push(element);
    out.extend(page.ancestors(element));
    out.pop();
}

/// Of more fields than this most records have but a few.
const MAX_RESERVED: usize = 32;

struct Reader<'a> {
    machine: &'a Machine,
    leaves: &'a Leaves,
    sorted: Sorted,
}

impl Reader<'_> {
    fn record(&self, record: RecordId, fields: &[Field]) -> Data {
        let mut data = Map::with_capacity(fields.len().min(MAX_RESERVED));
        for field in fields.iter().filter(|field| !field.is_template()) {
            match field {
                Field::Column(column) => {
                    if let Some(cell) = self.column(record, column) {
                        data.insert(column.name.clone(), cell.value.into());
                    }
                }
                Field::Set(set) => {
                    let own = self.records_of(record, set);
                    let records: Vec<Json> =
                        own.map(|it| Json::Object(self.record(it, &set.fields))).collect();
                    if !records.is_empty() {
                        data.insert(set.name.clone(), Json::Array(records));
                    }
                }
            }
        }
        data
    }

    fn visit(
        &self,
        record: RecordId,
        fields: &[Field],
        within: &FieldPath,
        seen: &mut Visitor<'_>,
    ) {
        let range = &self.sorted.records[record].leaves;
        for field in fields.iter().filter(|field| !field.is_template()) {
            match field {
                Field::Column(column) => {
                    let path = within.with(field.name(), None);
                    seen(path, field, self.column(record, column), range.clone());
                }
                Field::Set(set) => {
                    let mut n_records = 0;
                    for inner in self.records_of(record, set) {
                        let path = within.with(field.name(), Some(n_records));
                        self.visit(inner, &set.fields, &path, seen);
                        n_records += 1;
                    }
                    if n_records == 0 {
                        seen(within.with(field.name(), None), field, None, range.clone());
                    }
                }
            }
        }
    }

    /// The records of a set within a record.
    fn records_of<'a>(
        &'a self,
        record: RecordId,
        set: &'a Set,
    ) -> impl Iterator<Item = RecordId> + 'a {
        let children = self.sorted.records[record].children.iter().copied();
        children.filter(|it| set.slots.contains(&self.sorted.records[*it].set))
    }

    fn column(&self, record: RecordId, column: &Column) -> Option<Cell> {
        let others = || column.otherwise.iter().find_map(|other| self.column(record, other));
        self.own(record, column).or_else(others)
    }

    /// What a record has for a column itself.
    fn own(&self, record: RecordId, column: &Column) -> Option<Cell> {
        let mut cells = column.slots.iter().filter_map(|slot| {
            let leaves = self.leaves_of(record, *slot)?;
            let value = self.value(&leaves, column)?;
            Some(Cell { slot: *slot, leaves, value })
        });
        let first = cells.next()?;
        if column.reads != Reads::Whole {
            return Some(first);
        }
        // Of several ways to build a text, which may begin alike, the one that goes over most of it.
        let longer = |best: Cell, cell: Cell| {
            if cell.leaves.len() > best.leaves.len() { cell } else { best }
        };
        Some(cells.fold(first, longer))
    }

    /// The leaves that a slot has in a record, in the order of the page.
    fn leaves_of(&self, record: RecordId, slot: SlotId) -> Option<CellLeaves> {
        let within = &self.sorted.records[record].leaves;
        let own = |slot: SlotId| {
            let all = self.sorted.of_slot(slot, within).iter().copied();
            all.filter(|leaf| self.sorted.record_of[*leaf] == record)
        };
        match &self.machine.node(slot).kind {
            Kind::Leaf(_) => own(slot).next().map(CellLeaves::One),
            Kind::Prose(..) => Some(CellLeaves::Many(own(slot).collect())),
            // The parts of a run may be records themselves.
            Kind::Run(members) => {
                let of = |slot: &SlotId| self.sorted.of_slot(*slot, within).iter();
                let mut leaves: Vec<usize> = members.iter().flat_map(of).copied().collect();
                leaves.sort_unstable();
                // It goes as far as nothing that is known stands in between; what is new there is part of it.
                let is_new = |leaf: usize| !self.sorted.is_known[leaf];
                let joins = |pair: &&[usize]| (pair[0] + 1..pair[1]).all(is_new);
                let n = leaves.windows(2).take_while(joins).count();
                if let (Some(first), Some(last)) = (leaves.first(), leaves.get(n)) {
                    leaves = (*first..=*last).collect();
                }
                Some(CellLeaves::Many(leaves))
            }
            Kind::Tuple(_) | Kind::Set(..) => None,
        }
    }

    fn value(&self, leaves: &[usize], column: &Column) -> Option<String> {
        let first = self.leaves.get(*leaves.first()?);
        match column.reads {
            Reads::Link => first.link.map(str::to_owned),
            Reads::Alt => Some(first.text.to_owned()).filter(|text| !text.is_empty()),
            Reads::Value | Reads::Whole => {
                let is_image = leaves.len() == 1 && first.kind == LeafKind::Image;
                let joined = || text::joined(leaves.iter().map(|leaf| self.leaves.get(*leaf)));
                let text = match first.src.filter(|_| is_image) {
                    Some(src) => Cow::Borrowed(src),
                    None if leaves.len() == 1 => Cow::Borrowed(first.text),
                    None => Cow::Owned(joined()),
                };
                Some(column.strip(&text)).filter(|text| !text.is_empty()).map(str::to_owned)
            }
        }
    }
}
