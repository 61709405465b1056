//! From slots and values to a schema with names, and to the data of each page.
//!
//! Tuples within tuples are flattened: a page or record has columns and sets, and nothing else. A leaf gives up to
//! four columns: its value, the whole text around that, where it links to, and, for an image, what describes it.

mod affix;
mod draft;
mod either;

use crate::induce::Context;
use crate::name::Names;
use crate::schema::{Column, Field, Reads, Schema, Set, Slot, Value};
use draft::{
    Around, Draft, Reading, SetDraft, Values, drafts, is_constant, merge_alternatives, most,
};
use page::DataType;
use serde_json::{Map, Value as Json};

/// The data of one page or record.
pub type Data = Map<String, Json>;

/// The schema, and for each instance its data.
pub(crate) fn finish(
    context: &Context<'_>,
    slots: &[Slot],
    values: &[Vec<Value>],
    keeps_template: bool,
) -> (Schema, Vec<Data>) {
    let rows: Vec<Vec<&Value>> = values.iter().map(|row| row.iter().collect()).collect();
    let mut found = Vec::new();
    drafts(context, slots, &rows, Around::default(), &mut found);
    let table = Table::of(context, found, rows.len(), keeps_template);
    (Schema { fields: table.fields, either: table.either }, table.data)
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
            data: vec![Map::new(); n_rows],
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
        let n_instances = self.data.len();
        let counts: Vec<usize> = (0..n_instances).map(|it| set.n_records(it)).collect();
        let n_records = counts.iter().sum();
        let inner = Table::of(context, inner_drafts(context, set), n_records, self.keeps_template);
        if inner.fields.iter().all(Field::is_template) && !self.keeps_template {
            return;
        }
        let mut data = inner.data.into_iter();
        for (count, out) in counts.iter().zip(&mut self.data).filter(|(count, _)| **count > 0) {
            let records: Vec<Json> = data.by_ref().take(*count).map(Json::Object).collect();
            out.insert(name.clone(), Json::Array(records));
        }
        let n_present = counts.iter().filter(|count| **count > 0).count();
        self.fields.push(Field::Set(Set {
            name,
            density: share(n_present, n_instances),
            n_records,
            fields: inner.fields,
            either: inner.either,
        }));
    }

    fn add_values(&mut self, values: Values, name: String) {
        let is_template = values.is_template();
        let Values { label, reading, data_type, affixes, texts, alts, links, .. } = values;
        let column = |name: String, label: Option<String>, reads, data_type| Column {
            name,
            label,
            data_type,
            density: 0,
            is_template,
            reads,
            prefix: String::new(),
            suffix: String::new(),
            examples: Vec::new(),
        };
        let reads = if reading == Reading::Run { Reads::Whole } else { Reads::Value };
        if affixes.are_none() {
            self.add_column(column(name.clone(), label, reads, data_type), texts);
        } else {
            let stripped: Vec<Option<String>> = texts
                .iter()
                .map(|text| text.as_deref().map(|text| affixes.strip(text).to_owned()))
                .collect();
            let data_type = most(stripped.iter().flatten().map(|text| DataType::classify(text)));
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
            if values.iter().any(Option::is_some) {
                let name = self.names.unique(&format!("{name}_{suffix}"));
                // A link that goes with what is template is template too, if it always leads to the same place.
                let is_everywhere = values.iter().all(Option::is_some);
                let is_template = is_constant(&values) && (is_everywhere || is_template);
                let column = Column { is_template, ..column(name, None, reads, data_type) };
                self.add_column(column, values);
            }
        }
    }

    /// Add a column, its figures taken from its values.
    fn add_column(&mut self, mut column: Column, values: Vec<Option<String>>) {
        let n_present = values.iter().flatten().count();
        let mut distinct: Vec<&String> = values.iter().flatten().collect();
        distinct.sort_unstable();
        distinct.dedup();
        column.density = share(n_present, values.len());
        column.examples = distinct.iter().take(3).map(|it| (*it).clone()).collect();
        if !column.is_template || self.keeps_template {
            for (value, out) in values.into_iter().zip(&mut self.data) {
                if let Some(value) = value {
                    out.insert(column.name.clone(), value.into());
                }
            }
        }
        self.fields.push(Field::Column(column));
    }
}

/// The fields of a set's records. What one variant has, the records of the others lack.
fn inner_drafts<'v>(context: &Context<'_>, set: &SetDraft<'v>) -> Vec<Draft<'v>> {
    let n_instances = set.variants[0].records.len();
    let mut found = Vec::new();
    for (index, variant) in set.variants.iter().enumerate() {
        let mut rows: Vec<Vec<&'v Value>> = Vec::new();
        for instance in 0..n_instances {
            for (other, of) in set.variants.iter().enumerate() {
                rows.extend(of.records[instance].iter().map(|record| match other == index {
                    true => record.iter().collect(),
                    false => Vec::new(),
                }));
            }
        }
        drafts(context, variant.slots, &rows, Around::default(), &mut found);
    }
    found
}

fn share(part: usize, all: usize) -> u32 {
    u32::try_from(part * 1000 / all.max(1)).unwrap_or(1000)
}
