//! From leaves with states to data.

use super::assign::{Assigned, Label};
use super::tables::Tables;
use super::{Kind, Machine};
use crate::columns::Data;
use crate::schema::{Column, Field, Reads, Schema, SlotId};
use crate::text;
use foldhash::fast::FixedState;
use page::{LeafKind, Leaves, NodeId, Page};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use std::ops::Range;

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
    /// All leaves that have a state, by state.
    by_slot: Vec<(SlotId, usize)>,
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
            by_slot: Vec::with_capacity(leaves.len()),
        };
        let mut open = Open::default();
        let mut path = Vec::new();
        for (leaf, label) in assigned.labels.iter().enumerate() {
            let Some(label) = label else { continue };
            sorted.by_slot.push((label.slot, leaf));
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
        sorted.by_slot.sort_unstable();
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
    fn of_slot(&self, slot: SlotId, within: &Range<usize>) -> &[(SlotId, usize)] {
        let start = self.by_slot.partition_point(|it| *it < (slot, within.start));
        let len = self.by_slot[start..].partition_point(|it| *it < (slot, within.end));
        &self.by_slot[start..start + len]
    }
}

/// An element and those around it, the innermost first, without the document.
fn elements(page: &Page, element: NodeId, out: &mut Vec<NodeId>) {
    out.clear();
    out.push(element);
    out.extend(page.ancestors(element));
    out.pop();
}

struct Reader<'a> {
    machine: &'a Machine,
    leaves: &'a Leaves,
    sorted: Sorted,
}

impl Reader<'_> {
    fn record(&self, record: RecordId, fields: &[Field]) -> Data {
        let mut data = Map::new();
        for field in fields.iter().filter(|field| !field.is_template()) {
            match field {
                Field::Column(column) => {
                    if let Some(value) = self.column(record, column) {
                        data.insert(column.name.clone(), value.into());
                    }
                }
                Field::Set(set) => {
                    let children = self.sorted.records[record].children.iter();
                    let own =
                        children.filter(|it| set.slots.contains(&self.sorted.records[**it].set));
                    let records: Vec<Json> =
                        own.map(|it| Json::Object(self.record(*it, &set.fields))).collect();
                    if !records.is_empty() {
                        data.insert(set.name.clone(), Json::Array(records));
                    }
                }
            }
        }
        data
    }

    fn column(&self, record: RecordId, column: &Column) -> Option<String> {
        column.slots.iter().find_map(|slot| {
            let leaves = self.leaves_of(record, *slot);
            self.value(&leaves, column)
        })
    }

    /// The leaves that a slot has in a record, in the order of the page.
    fn leaves_of(&self, record: RecordId, slot: SlotId) -> Vec<usize> {
        let within = &self.sorted.records[record].leaves;
        let own = |slot: SlotId| {
            let all = self.sorted.of_slot(slot, within).iter().map(|(_, leaf)| *leaf);
            all.filter(|leaf| self.sorted.record_of[*leaf] == record)
        };
        match &self.machine.node(slot).kind {
            Kind::Leaf(_) => own(slot).take(1).collect(),
            Kind::Prose(..) => own(slot).collect(),
            // The parts of a run may be records themselves.
            Kind::Run(members) => {
                let of = |slot: &SlotId| self.sorted.of_slot(*slot, within).iter();
                let mut leaves: Vec<usize> =
                    members.iter().flat_map(of).map(|(_, leaf)| *leaf).collect();
                leaves.sort_unstable();
                // It goes as far as nothing that is known stands in between; what is new there is part of it.
                let is_new = |leaf: usize| !self.sorted.is_known[leaf];
                let joins = |pair: &&[usize]| (pair[0] + 1..pair[1]).all(is_new);
                let n = leaves.windows(2).take_while(joins).count();
                if let (Some(first), Some(last)) = (leaves.first(), leaves.get(n)) {
                    leaves = (*first..=*last).collect();
                }
                leaves
            }
            Kind::Tuple(_) | Kind::Set(..) => Vec::new(),
        }
    }

    fn value(&self, leaves: &[usize], column: &Column) -> Option<String> {
        let first = self.leaves.get(*leaves.first()?);
        match column.reads {
            Reads::Link => first.link.map(str::to_owned),
            Reads::Alt => Some(first.text.to_owned()).filter(|text| !text.is_empty()),
            Reads::Value | Reads::Whole => {
                let is_image = leaves.len() == 1 && first.kind == LeafKind::Image;
                let text = match first.src.filter(|_| is_image) {
                    Some(src) => src.to_owned(),
                    None => text::joined(leaves.iter().map(|leaf| self.leaves.get(*leaf))),
                };
                Some(column.strip(&text).to_owned()).filter(|text| !text.is_empty())
            }
        }
    }
}
