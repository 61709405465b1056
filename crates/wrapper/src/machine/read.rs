//! From leaves with states to data.

use super::Kind;
use super::records::{Labelled, RecordId, Records};
use crate::data::{Data, Text};
use crate::schema::{Column, Field, FieldPath, Reads, Set, SlotId};
use crate::text;
use crate::usual::Checker;
use page::{DataType, LeafKind, Leaves};
use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::slice;

/// What a page or record has for one column, and where.
#[derive(Clone, Debug)]
pub(crate) struct Cell<'p> {
    pub(crate) slot: SlotId,
    /// The leaves it was read from, in the order of the page.
    pub(crate) leaves: CellLeaves,
    pub(crate) value: Cow<'p, str>,
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
pub(crate) type Visitor<'v> = dyn FnMut(FieldPath, &Field, Option<Cell<'_>>, Range<usize>) + 'v;

/// Of more fields than this most records have but a few.
const MAX_RESERVED: usize = 32;

/// The fields of a schema, laid out so that those are passed over quickly that a record does not have.
pub(crate) struct Plan<'s> {
    fields: Vec<Planned<'s>>,
    slots: Vec<SlotId>,
}

struct Planned<'s> {
    field: &'s Field,
    /// Its name, as data has it.
    name: Text,
    /// The slots that it is read from.
    slots: Range<usize>,
    /// Of a set, what its records have.
    inner: Option<Plan<'s>>,
    /// Whether every record had it.
    is_always: bool,
}

impl<'s> Plan<'s> {
    pub(crate) fn of(fields: &'s [Field]) -> Plan<'s> {
        let mut plan = Plan { fields: Vec::new(), slots: Vec::new() };
        for field in fields.iter().filter(|field| !field.is_template()) {
            let start = plan.slots.len();
            let (inner, is_always) = match field {
                Field::Column(column) => {
                    plan.add_slots(column);
                    (None, column.density == 1000)
                }
                Field::Set(set) => {
                    plan.slots.extend(&set.slots);
                    (Some(Plan::of(&set.fields)), true)
                }
            };
            let (name, slots) = (Text::from(field.name()), start..plan.slots.len());
            plan.fields.push(Planned { field, name, slots, inner, is_always });
        }
        plan
    }

    fn add_slots(&mut self, column: &Column) {
        self.slots.extend(&column.slots);
        column.otherwise.iter().for_each(|other| self.add_slots(other));
    }
}

/// Reads one page after another.
#[derive(Default)]
pub(crate) struct Reader {
    records: Records,
    /// By slot, the record that was looked at last of those that have it, and its first leaf there; of a set, its first
    /// record.
    first: Vec<(u64, usize)>,
    /// How many records were looked at.
    n_opened: u64,
}

/// A record whose slots are known.
#[derive(Clone, Copy)]
struct Opened {
    record: RecordId,
    number: u64,
}

impl Reader {
    /// The data of a page, looked at while it is read.
    pub(crate) fn read<'s>(
        &mut self,
        page: &Labelled<'_>,
        plan: &Plan<'s>,
        checker: &mut Checker<'s>,
    ) -> Data {
        self.start(page);
        self.record(page, 0, plan, checker)
    }

    /// Go over all fields of a page in the order of its data.
    pub(crate) fn visit(&mut self, page: &Labelled<'_>, plan: &Plan<'_>, seen: &mut Visitor<'_>) {
        self.start(page);
        self.visit_record(page, 0, plan, &FieldPath::default(), seen);
    }

    fn start(&mut self, page: &Labelled<'_>) {
        self.records.find(page);
        self.first.resize(page.machine.nodes.len(), (0, 0));
    }

    fn record<'s>(
        &mut self,
        page: &Labelled<'_>,
        record: RecordId,
        plan: &Plan<'s>,
        checker: &mut Checker<'s>,
    ) -> Data {
        let opened = self.open(page, record);
        let mut data = Data::with_capacity(plan.fields.len().min(MAX_RESERVED));
        for planned in &plan.fields {
            let has_any = self.has_any(opened, &plan.slots[planned.slots.clone()]);
            if !has_any && !planned.is_always {
                continue;
            }
            match planned.field {
                Field::Column(column) if !has_any => checker.nothing(column),
                Field::Column(column) => match self.column(page, opened, column) {
                    Some(cell) => {
                        checker.typed_value(column, &cell.value, || data_type(page, &cell));
                        data.push(planned.name.clone(), Text::from(&*cell.value).into());
                    }
                    None if planned.is_always => checker.nothing(column),
                    None => {}
                },
                Field::Set(set) => {
                    let records = self.set(page, opened, set, planned.inner.as_ref(), checker);
                    checker.records(set, records.len());
                    if !records.is_empty() {
                        data.push(planned.name.clone(), records.into());
                    }
                }
            }
        }
        data
    }

    /// The records of a set within a record.
    fn set<'s>(
        &mut self,
        page: &Labelled<'_>,
        within: Opened,
        set: &'s Set,
        plan: Option<&Plan<'s>>,
        checker: &mut Checker<'s>,
    ) -> Vec<Data> {
        let mut records = Vec::new();
        let mut next = self.first_of(within, set);
        while let (Some(inner), Some(plan)) = (next, plan) {
            checker.enter(set, records.len());
            records.push(self.record(page, inner, plan, checker));
            checker.leave();
            next = self.next_of(inner, set);
        }
        records
    }

    fn visit_record(
        &mut self,
        page: &Labelled<'_>,
        record: RecordId,
        plan: &Plan<'_>,
        within: &FieldPath,
        seen: &mut Visitor<'_>,
    ) {
        let opened = self.open(page, record);
        let range = self.records.get(record).leaves.clone();
        for Planned { field, inner, .. } in &plan.fields {
            match field {
                Field::Column(column) => {
                    let path = within.with(field.name(), None);
                    seen(path, field, self.column(page, opened, column), range.clone());
                }
                Field::Set(set) => {
                    let mut n_records = 0;
                    let mut next = self.first_of(opened, set);
                    while let (Some(record), Some(plan)) = (next, inner) {
                        let path = within.with(field.name(), Some(n_records));
                        self.visit_record(page, record, plan, &path, seen);
                        n_records += 1;
                        next = self.next_of(record, set);
                    }
                    if n_records == 0 {
                        seen(within.with(field.name(), None), field, None, range.clone());
                    }
                }
            }
        }
    }

    /// Whether a record has one of some slots.
    fn has_any(&self, record: Opened, slots: &[SlotId]) -> bool {
        slots.iter().any(|slot| self.first[*slot].0 == record.number)
    }

    /// The first record of a set within a record.
    fn first_of(&self, within: Opened, set: &Set) -> Option<RecordId> {
        let first = |slot: &SlotId| {
            let (number, record) = self.first[*slot];
            (number == within.number).then_some(record)
        };
        set.slots.iter().filter_map(first).min()
    }

    /// The next record of a set after one.
    fn next_of(&self, record: RecordId, set: &Set) -> Option<RecordId> {
        self.records.after(record).find(|it| set.slots.contains(&self.records.get(*it).set))
    }

    /// Note which slots a record has. No slot is part of both a record and another within it, so what was noted of the
    /// outer one stays.
    fn open(&mut self, page: &Labelled<'_>, record: RecordId) -> Opened {
        self.n_opened += 1;
        let number = self.n_opened;
        let set = self.records.get(record).set;
        let mut note = |slot: SlotId, leaf: usize| {
            if self.first[slot].0 != number {
                self.first[slot] = (number, leaf);
            }
        };
        for leaf in self.records.get(record).leaves.clone() {
            let Some(label) = &page.assigned.labels[leaf] else { continue };
            if self.records.of_leaf(leaf) == record {
                note(label.slot, leaf);
            }
            // The parts of a run may be records themselves.
            for run in &page.tables.runs[label.slot] {
                if page.tables.places[*run].set() == set {
                    note(*run, leaf);
                }
            }
        }
        for inner in self.records.within(record) {
            note(self.records.get(inner).set, inner);
        }
        Opened { record, number }
    }

    fn column<'p>(&self, page: &Labelled<'p>, record: Opened, column: &Column) -> Option<Cell<'p>> {
        let others = || column.otherwise.iter().find_map(|other| self.column(page, record, other));
        self.own(page, record, column).or_else(others)
    }

    /// What a record has for a column itself.
    fn own<'p>(&self, page: &Labelled<'p>, record: Opened, column: &Column) -> Option<Cell<'p>> {
        let mut cells = column.slots.iter().filter_map(|slot| {
            let leaves = self.leaves_of(page, record, *slot)?;
            let value = value(page, &leaves, column)?;
            Some(Cell { slot: *slot, leaves, value })
        });
        let first = cells.next()?;
        if column.reads != Reads::Whole {
            return Some(first);
        }
        // Of several ways to build a text, which may begin alike, the one that goes over most of it.
        let longer = |best: Cell<'p>, cell: Cell<'p>| {
            if cell.leaves.len() > best.leaves.len() { cell } else { best }
        };
        Some(cells.fold(first, longer))
    }

    /// The leaves that a slot has in a record, in the order of the page.
    fn leaves_of(
        &self,
        page: &Labelled<'_>,
        Opened { record, number }: Opened,
        slot: SlotId,
    ) -> Option<CellLeaves> {
        let (seen, first) = self.first[slot];
        if seen != number {
            return None;
        }
        let end = self.records.get(record).leaves.end;
        match &page.machine.node(slot).kind {
            Kind::Leaf(_) => Some(CellLeaves::One(first)),
            Kind::Prose(..) => {
                let alike = self.records.alike(first).take_while(|leaf| *leaf < end);
                let is_own = |leaf: &usize| self.records.of_leaf(*leaf) == record;
                Some(CellLeaves::Many(alike.filter(is_own).collect()))
            }
            Kind::Run(_) => Some(CellLeaves::Many(run(page, slot, first..end).collect())),
            Kind::Tuple(_) | Kind::Set(..) => None,
        }
    }
}

/// The leaves of a run that starts a range: as far as nothing that is known stands in between. What is new there is part
/// of it.
fn run(page: &Labelled<'_>, slot: SlotId, within: Range<usize>) -> Range<usize> {
    let mut last = within.start;
    for leaf in within.clone() {
        match &page.assigned.labels[leaf] {
            Some(label) if page.tables.runs[label.slot].contains(&slot) => last = leaf,
            Some(_) => break,
            None => {}
        }
    }
    within.start..last + 1
}

/// The type of a value, which that of its leaf is if the leaf says nothing else.
fn data_type(page: &Labelled<'_>, cell: &Cell<'_>) -> DataType {
    match *cell.leaves {
        [leaf] if *page.leaves.text(leaf) == *cell.value => {
            let leaf = page.leaves.get(leaf);
            if leaf.src.is_none() { leaf.data_type() } else { DataType::classify(&cell.value) }
        }
        _ => DataType::classify(&cell.value),
    }
}

fn value<'p>(page: &Labelled<'p>, leaves: &[usize], column: &Column) -> Option<Cow<'p, str>> {
    let first = *leaves.first()?;
    let text = match column.reads {
        Reads::Link => return page.leaves.get(first).link.map(Cow::Borrowed),
        Reads::Alt => Cow::Borrowed(page.leaves.text(first)),
        Reads::Value | Reads::Whole => match whole(page.leaves, leaves) {
            Cow::Borrowed(text) => Cow::Borrowed(column.strip(text)),
            Cow::Owned(text) => Cow::Owned(column.strip(&text).to_owned()),
        },
    };
    Some(text).filter(|text| !text.is_empty())
}

/// What leaves say together; a picture by itself, where it is.
fn whole<'p>(of: &'p Leaves, leaves: &[usize]) -> Cow<'p, str> {
    match *leaves {
        [leaf] if of.kind(leaf) == LeafKind::Image => {
            let image = of.get(leaf);
            Cow::Borrowed(image.src.unwrap_or(image.text))
        }
        [leaf] => Cow::Borrowed(of.text(leaf)),
        _ => Cow::Owned(text::joined(leaves.iter().map(|leaf| of.get(*leaf)))),
    }
}
