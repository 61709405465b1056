//! From slots and values to a schema with names, and to the data of each page.
//!
//! Tuples within tuples are flattened: a page or record has columns and sets, and nothing else. A leaf gives up to
//! four columns: its value, the whole text around that, where it links to, and, for an image, what describes it.

pub(crate) mod affix;
mod draft;
mod either;

use crate::data::Data;
use crate::induce::Context;
use crate::name::Names;
use crate::schema::{Column, Field, Reading, Reads, Schema, Set, Slot, Value};
use crate::usual::{Counts, Usual};
use draft::{
    Around, Cells, Draft, Rows, SetDraft, Values, drafts, is_constant, merge_alternatives, most,
};
use page::DataType;

/// The schema, and for each instance its data.
pub(crate) fn finish(
    context: &Context<'_>,
    slots: &[Slot],
    values: &[Vec<Value>],
    keeps_template: bool,
) -> (Schema, Vec<Data>) {
    let rows: Rows<'_> = values.iter().map(Vec::as_slice).enumerate().collect();
    let mut found = Vec::new();
    drafts(context, slots, &rows, rows.len(), Around::default(), &mut found);
    let table = Table::of(context, found, rows.len(), keeps_template);
    (Schema { fields: table.fields, either: table.either, unfit: 0 }, table.data)
}

/// The fields of a page or record, and the data of all of them.
struct Table {
    /// Whether what says the same everywhere is data too.
    keeps_template: bool,
    names: Names,
    fields: Vec<Field>,
    either: Vec<Vec<Vec<String>>>,
    data: Vec<Data>,
}

impl Table {
    fn of(
        context: &Context<'_>,
        drafts: Vec<Draft<'_>>,
        n_rows: usize,
        keeps_template: bool,
    ) -> Table {
        let mut table = Table {
            keeps_template,
            names: Names::default(),
            fields: Vec::new(),
            either: Vec::new(),
            data: vec![Data::new(); n_rows],
        };
        let drafts = merge_alternatives(drafts);
        let names = table.name(&drafts);
        for (draft, name) in drafts.into_iter().zip(names) {
            match draft {
                Draft::Values(values) => table.add_values(values, name),
                Draft::Set(set) => table.add_set(context, &set, name),
            }
        }
        table.either = either::find(&table.fields, &table.data);
        table
    }

    /// A name for each draft. Data comes first: what says the same everywhere, or twice, takes what is left.
    fn name(&mut self, drafts: &[Draft<'_>]) -> Vec<String> {
        let rank = |draft: &Draft<'_>| match draft {
            Draft::Set(_) => 0,
            Draft::Values(values) if values.is_template() => 2,
            Draft::Values(values) if values.reading == Reading::Run => 1,
            Draft::Values(_) => 0,
        };
        let mut order: Vec<usize> = (0..drafts.len()).collect();
        order.sort_by_key(|index| rank(&drafts[*index]));
        let mut names = vec![String::new(); drafts.len()];
        for index in order {
            names[index] = match &drafts[index] {
                Draft::Values(values) => self.names.unique(&values.name),
                Draft::Set(set) => self.names.unique(&set.name),
            };
        }
        names
    }

    fn add_set(&mut self, context: &Context<'_>, set: &SetDraft<'_>, name: String) {
        let records = Records::of(set);
        let drafts = inner_drafts(context, set, &records);
        let inner = Table::of(context, drafts, records.n_records, self.keeps_template);
        if inner.fields.iter().all(Field::is_template) && !self.keeps_template {
            return;
        }
        let mut data = inner.data.into_iter();
        let mut n_rows = 0;
        for (row, count) in records.counts() {
            n_rows += 1;
            let records: Vec<Data> = data.by_ref().take(count).collect();
            self.data[row].push(name.as_str().into(), records.into());
        }
        self.fields.push(Field::Set(Set {
            name,
            density: share(n_rows, self.data.len()),
            n_records: records.n_records,
            usual: Counts::of(&records.counts(), self.data.len()),
            as_read: None,
            slots: set.variants.iter().map(|variant| variant.id).collect(),
            fields: inner.fields,
            either: inner.either,
        }));
    }

    fn add_values(&mut self, values: Values, name: String) {
        let is_template = values.is_template();
        let Values { label, reading, data_type, affixes, slots, texts, alts, links, .. } = values;
        let column = |name: String, label: Option<String>, reads, data_type| Column {
            name,
            label,
            data_type,
            density: 0,
            is_template,
            reads,
            prefix: String::new(),
            suffix: String::new(),
            slots: slots.clone(),
            examples: Vec::new(),
            usual: None,
            as_read: None,
            otherwise: Vec::new(),
        };
        let reads = if reading == Reading::Run { Reads::Whole } else { Reads::Value };
        if affixes.are_none() {
            self.add_column(column(name.clone(), label, reads, data_type), texts);
        } else {
            let strip = |(row, text): &(usize, String)| (*row, affixes.strip(text).to_owned());
            let stripped: Cells = texts.iter().map(strip).collect();
            let data_type = most(stripped.iter().map(|(_, text)| DataType::classify(text)));
            let value = Column {
                prefix: affixes.prefix,
                suffix: affixes.suffix,
                ..column(name.clone(), label, reads, data_type)
            };
            self.add_column(value, stripped);
            let whole = self.names.unique(&format!("{name}_text"));
            self.add_column(column(whole, None, Reads::Whole, DataType::String), texts);
        }
        for (suffix, reads, data_type, values) in [
            ("alt", Reads::Alt, DataType::String, alts),
            ("url", Reads::Link, DataType::Url, links),
        ] {
            if !values.is_empty() {
                let name = self.names.unique(&format!("{name}_{suffix}"));
                // A link that goes with what is template is template too, if it always leads to the same place.
                let is_everywhere = values.len() == self.data.len();
                let is_template = is_constant(&values) && (is_everywhere || is_template);
                let column = Column { is_template, ..column(name, None, reads, data_type) };
                self.add_column(column, values);
            }
        }
    }

    /// Add a column, its figures taken from its values.
    fn add_column(&mut self, mut column: Column, values: Cells) {
        column.density = share(values.len(), self.data.len());
        column.examples = first_in_order(&values).map(str::to_owned).collect();
        if column.reads == Reads::Value && !column.is_template {
            column.usual = Usual::of(values.iter().map(|(_, value)| &**value));
        }
        if !column.is_template || self.keeps_template {
            for (row, value) in values {
                self.data[row].push(column.name.as_str().into(), value.into());
            }
        }
        self.fields.push(Field::Column(column));
    }
}

/// The first three of different values, in their order: examples that do not change with the order of the pages.
fn first_in_order(values: &Cells) -> impl Iterator<Item = &str> {
    let mut first: [Option<&str>; 3] = [None; 3];
    for (_, value) in values {
        let value = value.as_str();
        let place = first.iter().position(|it| it.is_none_or(|it| value <= it));
        if let Some(place) = place.filter(|place| first[*place] != Some(value)) {
            first[place..].rotate_right(1);
            first[place] = Some(value);
        }
    }
    first.into_iter().flatten()
}

/// The records of all variants of a set, as rows of their own: by the row they belong to, then by variant.
struct Records {
    /// The row, the variant, which of its entries, and the number of the first record.
    entries: Vec<(usize, usize, usize, usize)>,
    n_records: usize,
}

impl Records {
    fn of(set: &SetDraft<'_>) -> Records {
        let mut entries = Vec::new();
        for (variant, of) in set.variants.iter().enumerate() {
            let of_row = |(nth, (row, _)): (usize, &(usize, _))| (*row, variant, nth, 0);
            entries.extend(of.records.iter().enumerate().map(of_row));
        }
        entries.sort_unstable();
        let mut n_records = 0;
        for (_, variant, nth, first) in &mut entries {
            *first = n_records;
            n_records += set.variants[*variant].records[*nth].1.len();
        }
        Records { entries, n_records }
    }

    /// By row that has any, how many.
    fn counts(&self) -> Vec<(usize, usize)> {
        let ends = self.entries.iter().skip(1).map(|entry| entry.3).chain([self.n_records]);
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for ((row, _, _, first), end) in self.entries.iter().zip(ends) {
            match counts.last_mut().filter(|(last, _)| last == row) {
                Some((_, count)) => *count += end - first,
                None => counts.push((*row, end - first)),
            }
        }
        counts
    }
}

/// The fields of a set's records. What one variant has, the records of the others lack.
fn inner_drafts<'v>(
    context: &Context<'_>,
    set: &SetDraft<'v>,
    records: &Records,
) -> Vec<Draft<'v>> {
    let mut found = Vec::new();
    for (index, variant) in set.variants.iter().enumerate() {
        let mut rows: Rows<'v> = Vec::new();
        for (_, _, nth, first) in records.entries.iter().filter(|entry| entry.1 == index) {
            let parts = variant.records[*nth].1.iter().map(Vec::as_slice);
            rows.extend(parts.enumerate().map(|(offset, parts)| (first + offset, parts)));
        }
        drafts(context, variant.slots, &rows, records.n_records, Around::default(), &mut found);
    }
    found
}

fn share(part: usize, all: usize) -> u32 {
    u32::try_from(part * 1000 / all.max(1)).unwrap_or(1000)
}
