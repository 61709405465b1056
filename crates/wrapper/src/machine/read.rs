//! From leaves with states to data.

use super::Kind;
use super::lists::Lists;
use super::records::{Labelled, RecordId, Records};
use crate::data::{Data, Text};
use crate::schema::{Column, Field, FieldPath, Reads, Set, SlotId};
use crate::text;
use crate::usual::Checker;
use page::{DataType, LeafKind, Leaves};
use std::borrow::Cow;
use std::ops::Range;

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
    /// All from the first up to the last.
    Row(Range<usize>),
    Many(Vec<usize>),
}

impl CellLeaves {
    pub(crate) fn len(&self) -> usize {
        match self {
            CellLeaves::One(_) => 1,
            CellLeaves::Row(row) => row.len(),
            CellLeaves::Many(leaves) => leaves.len(),
        }
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        (0..self.len()).map(|nth| match self {
            CellLeaves::One(leaf) => *leaf,
            CellLeaves::Row(row) => row.start + nth,
            CellLeaves::Many(leaves) => leaves[nth],
        })
    }

    /// The leaf that it is, if it is one.
    fn alone(&self) -> Option<usize> {
        if self.len() == 1 { self.first() } else { None }
    }
}

/// Takes a column of a record with what is there for it, or a set that has no record; and the leaves that the record, or the
/// page, goes over.
pub(crate) type Visitor<'v> = dyn FnMut(FieldPath, &Field, Option<Cell<'_>>, Range<usize>) + 'v;

/// The fields of a schema, laid out so that what a record does not have costs nothing.
pub(crate) struct Plan<'s> {
    page: RecordPlan<'s>,
    fields_of: FieldsOf,
}

/// The fields of a page, or of the records of a set.
struct RecordPlan<'s> {
    number: PlanId,
    fields: Vec<Planned<'s>>,
    /// Those that something is said of where a record does not have them, a bit for each.
    is_always: Vec<u64>,
}

struct Planned<'s> {
    field: &'s Field,
    /// Its name, as data has it.
    name: Text,
    /// Of a set, what its records have.
    inner: Option<RecordPlan<'s>>,
}

type PlanId = u32;

/// By slot, the fields that are read from it.
type FieldsOf = Lists<(PlanId, u32)>;

impl<'s> Plan<'s> {
    pub(crate) fn of(fields: &'s [Field]) -> Plan<'s> {
        let mut readers = Vec::new();
        let mut n_plans = 0;
        let page = RecordPlan::of(fields, &mut n_plans, &mut readers);
        Plan { page, fields_of: Lists::of(readers) }
    }
}

/// A slot, and a field that is read from it.
type SlotReader = (SlotId, (PlanId, u32));

impl<'s> RecordPlan<'s> {
    fn of(
        fields: &'s [Field],
        n_plans: &mut PlanId,
        readers: &mut Vec<SlotReader>,
    ) -> RecordPlan<'s> {
        let number = *n_plans;
        *n_plans += 1;
        let fields: Vec<&Field> = fields.iter().filter(|field| !field.is_template()).collect();
        let is_always = vec![0; fields.len().div_ceil(64)];
        let mut plan = RecordPlan { number, fields: Vec::with_capacity(fields.len()), is_always };
        for (nth, field) in fields.into_iter().enumerate() {
            let own = (number, nth as u32);
            let (inner, is_always) = match field {
                Field::Column(column) => {
                    add_slots(column, own, readers);
                    (None, column.density == 1000)
                }
                Field::Set(set) => {
                    readers.extend(set.slots.iter().map(|slot| (*slot, own)));
                    (Some(RecordPlan::of(&set.fields, n_plans, readers)), true)
                }
            };
            plan.is_always[nth / 64] |= u64::from(is_always) << (nth % 64);
            plan.fields.push(Planned { field, name: Text::from(field.name()), inner });
        }
        plan
    }
}

fn add_slots(column: &Column, field: (PlanId, u32), readers: &mut Vec<SlotReader>) {
    readers.extend(column.slots.iter().map(|slot| (*slot, field)));
    column.otherwise.iter().for_each(|other| add_slots(other, field, readers));
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
    /// Of the record at hand and those around it, the innermost last: the fields to be looked at, a bit for each.
    present: Vec<u64>,
}

/// A record whose slots are known.
#[derive(Clone, Copy)]
struct Opened {
    record: RecordId,
    number: u64,
}

/// A page that is read, and for what.
#[derive(Clone, Copy)]
struct Reading<'a, 's> {
    page: &'a Labelled<'a>,
    fields_of: &'a FieldsOf,
    plan: &'a RecordPlan<'s>,
}

impl Reader {
    /// About how much memory it holds, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.records.n_bytes() + self.first.capacity() * size_of::<(u64, usize)>()
    }

    /// The data of a page, looked at while it is read.
    pub(crate) fn read<'s>(
        &mut self,
        page: &Labelled<'_>,
        plan: &Plan<'s>,
        checker: &mut Checker<'s>,
    ) -> Data {
        self.start(page);
        let Plan { page: plan, fields_of } = plan;
        self.record(Reading { page, fields_of, plan }, 0, checker)
    }

    /// Go over all fields of a page in the order of its data.
    pub(crate) fn visit(&mut self, page: &Labelled<'_>, plan: &Plan<'_>, seen: &mut Visitor<'_>) {
        self.start(page);
        let Plan { page: plan, fields_of } = plan;
        self.visit_record(Reading { page, fields_of, plan }, 0, &FieldPath::default(), seen);
    }

    fn start(&mut self, page: &Labelled<'_>) {
        self.records.find(page);
        self.first.resize(page.machine.nodes.len(), (0, 0));
        self.present.clear();
    }

    fn record<'s>(
        &mut self,
        of: Reading<'_, 's>,
        record: RecordId,
        checker: &mut Checker<'s>,
    ) -> Data {
        let start = self.present.len();
        let opened = self.open(of, record);
        let n_present: u32 = self.present[start..].iter().map(|word| word.count_ones()).sum();
        let mut data = Data::with_capacity(n_present as usize);
        for word in 0..of.plan.is_always.len() {
            let mut left = self.present[start + word];
            while left != 0 {
                let planned = &of.plan.fields[64 * word + left.trailing_zeros() as usize];
                left &= left - 1;
                self.field(of, opened, planned, checker, &mut data);
            }
        }
        self.present.truncate(start);
        data
    }

    /// What a record has for a field, if it has something.
    fn field<'s>(
        &mut self,
        of: Reading<'_, 's>,
        record: Opened,
        planned: &Planned<'s>,
        checker: &mut Checker<'s>,
        data: &mut Data,
    ) {
        match (planned.field, &planned.inner) {
            (Field::Column(column), _) => match self.column(of.page, record, column) {
                Some(cell) => {
                    checker.typed_value(column, &cell.value, || data_type(of.page, &cell));
                    data.push(planned.name.clone(), Text::from(cell.value).into());
                }
                None if column.density == 1000 => checker.nothing(column),
                None => {}
            },
            (Field::Set(set), Some(plan)) => {
                let records = self.set(Reading { plan, ..of }, record, set, checker);
                checker.records(set, records.len());
                if !records.is_empty() {
                    data.push(planned.name.clone(), records.into());
                }
            }
            (Field::Set(_), None) => {}
        }
    }

    /// The records of a set within a record.
    fn set<'s>(
        &mut self,
        of: Reading<'_, 's>,
        within: Opened,
        set: &'s Set,
        checker: &mut Checker<'s>,
    ) -> Vec<Data> {
        let Some(first) = self.first_of(within, set) else { return Vec::new() };
        let after = self.records.after(first).filter(|it| self.is_of(*it, set));
        let mut records = Vec::with_capacity(1 + after.count());
        let mut next = Some(first);
        while let Some(inner) = next {
            checker.enter(set, records.len());
            records.push(self.record(of, inner, checker));
            checker.leave();
            next = self.next_of(inner, set);
        }
        records
    }

    fn visit_record(
        &mut self,
        of: Reading<'_, '_>,
        record: RecordId,
        within: &FieldPath,
        seen: &mut Visitor<'_>,
    ) {
        let start = self.present.len();
        let opened = self.open(of, record);
        // All of them are looked at.
        self.present.truncate(start);
        let range = self.records.get(record).leaves.clone();
        for Planned { field, inner, .. } in &of.plan.fields {
            match field {
                Field::Column(column) => {
                    let path = within.with(field.name(), None);
                    seen(path, field, self.column(of.page, opened, column), range.clone());
                }
                Field::Set(set) => {
                    let mut n_records = 0;
                    let mut next = self.first_of(opened, set);
                    while let (Some(record), Some(plan)) = (next, inner) {
                        let path = within.with(field.name(), Some(n_records));
                        self.visit_record(Reading { plan, ..of }, record, &path, seen);
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
        self.records.after(record).find(|it| self.is_of(*it, set))
    }

    fn is_of(&self, record: RecordId, set: &Set) -> bool {
        set.slots.contains(&self.records.get(record).set)
    }

    /// Note which slots a record has, and which fields are to be looked at for that. No slot is part of both a record and
    /// another within it, so what was noted of the outer one stays.
    fn open(&mut self, of: Reading<'_, '_>, record: RecordId) -> Opened {
        let Reader { records, first, n_opened, present } = self;
        *n_opened += 1;
        let number = *n_opened;
        let start = present.len();
        present.extend_from_slice(&of.plan.is_always);
        let present = &mut present[start..];
        let mut note = |slot: SlotId, leaf: usize| {
            if first[slot].0 != number {
                first[slot] = (number, leaf);
                for (plan, field) in of.fields_of.get(slot) {
                    if *plan == of.plan.number {
                        present[*field as usize / 64] |= 1 << (field % 64);
                    }
                }
            }
        };
        let Labelled { tables, assigned, .. } = of.page;
        let set = records.get(record).set;
        for leaf in records.get(record).leaves.clone() {
            let Some(label) = &assigned.labels[leaf] else { continue };
            if records.of_leaf(leaf) == record {
                note(label.slot, leaf);
            }
            // The parts of a run may be records themselves.
            for run in tables.runs(label.slot).iter().filter(|run| run.set == set) {
                note(run.slot, leaf);
            }
        }
        for inner in records.within(record) {
            note(records.get(inner).set, inner);
        }
        Opened { record, number }
    }

    fn column<'p>(&self, page: &Labelled<'p>, record: Opened, column: &Column) -> Option<Cell<'p>> {
        let others = || column.otherwise.iter().find_map(|other| self.column(page, record, other));
        self.own(page, record, column).or_else(others)
    }

    /// What a record has for a column itself.
    fn own<'p>(&self, page: &Labelled<'p>, record: Opened, column: &Column) -> Option<Cell<'p>> {
        let mut best: Option<Cell<'p>> = None;
        for slot in &column.slots {
            let Some(leaves) = self.leaves_of(page, record, *slot) else { continue };
            // Of several ways to build a text, which may begin alike, the one that goes over most of it.
            if best.as_ref().is_some_and(|best| leaves.len() <= best.leaves.len()) {
                continue;
            }
            let Some(value) = value(page, &leaves, column) else { continue };
            best = Some(Cell { slot: *slot, leaves, value });
            if column.reads != Reads::Whole {
                break;
            }
        }
        best
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
            Kind::Run(_) => Some(CellLeaves::Row(run(page, slot, first..end))),
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
            Some(label) if page.tables.is_in_run(label.slot, slot) => last = leaf,
            Some(_) => break,
            None => {}
        }
    }
    within.start..last + 1
}

/// The type of a value, which that of its leaf is if the leaf says nothing else.
fn data_type(page: &Labelled<'_>, cell: &Cell<'_>) -> DataType {
    match cell.leaves.alone() {
        Some(leaf) if *page.leaves.text(leaf) == *cell.value => {
            let leaf = page.leaves.get(leaf);
            if leaf.src.is_none() { leaf.data_type() } else { DataType::classify(&cell.value) }
        }
        _ => DataType::classify(&cell.value),
    }
}

fn value<'p>(page: &Labelled<'p>, leaves: &CellLeaves, column: &Column) -> Option<Cow<'p, str>> {
    let first = leaves.first()?;
    let text = match column.reads {
        Reads::Link => return page.leaves.link(first).map(Cow::Borrowed),
        Reads::Alt => Cow::Borrowed(page.leaves.text(first)),
        Reads::Value | Reads::Whole => match whole(page.leaves, leaves) {
            Cow::Borrowed(text) => Cow::Borrowed(column.strip(text)),
            Cow::Owned(text) => match column.strip(&text) {
                value if value.len() == text.len() => Cow::Owned(text),
                value => Cow::Owned(value.to_owned()),
            },
        },
    };
    Some(text).filter(|text| !text.is_empty())
}

/// What leaves say together; a picture by itself, where it is.
fn whole<'p>(of: &'p Leaves, leaves: &CellLeaves) -> Cow<'p, str> {
    match leaves.alone() {
        Some(leaf) if of.kind(leaf) == LeafKind::Image => {
            let image = of.get(leaf);
            Cow::Borrowed(image.src.unwrap_or(image.text))
        }
        Some(leaf) => Cow::Borrowed(of.text(leaf)),
        None => Cow::Owned(text::joined(leaves.iter().map(|leaf| of.get(leaf)))),
    }
}
