//! From slots and values to a schema with names, and to the data of each page.
//!
//! Tuples within tuples are flattened: a page or record has columns and sets, and nothing else. A leaf gives up to
//! three columns: its text, where it links to, and, for an image, the picture and its description.

use crate::induce::Context;
use crate::name::{self, Names};
use crate::schema::{Column, Field, Hints, Place, Schema, Set, Shape, Slot, Value};
use page::{DataType, Leaf, LeafKind};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

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
    let table = Table::of(context, slots, &rows, keeps_template);
    (Schema { fields: table.fields }, table.data)
}

/// What the markup around a slot says.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    /// The nearest that give a name.
    hints: Option<&'a Hints>,
    /// The nearest tag.
    tag: &'a str,
}

impl<'a> Around<'a> {
    /// What is said nearest to a leaf is said best.
    fn inside(self, hints: &'a Hints) -> Around<'a> {
        let has_name = name::from_hints(hints).is_some();
        let is_heading =
            |tag: &str| matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "title");
        // A link or a span in a heading is the heading.
        let has_tag = !matches!(&*hints.tag, "" | "#text") && !is_heading(self.tag);
        let names = match &*hints.tag {
            // What the whole page is called says nothing of its parts.
            "html" | "head" | "body" => None,
            _ if has_name => Some(hints),
            // A heading is a title, whatever it stands in.
            tag if is_heading(tag) => None,
            _ => self.hints,
        };
        Around { hints: names, tag: if has_tag { &hints.tag } else { self.tag } }
    }
}

/// A field that has no name of its own yet, with what each instance has for it.
enum Draft<'v> {
    Values(Values),
    Set { hints: &'v Hints, slots: &'v [Slot], records: Vec<&'v [Vec<Value>]> },
}

/// What the leaves of one slot show.
struct Values {
    /// What to call it, if nothing else is called so.
    name: String,
    /// Whether the pages call it so, or only we.
    is_called: bool,
    label: Option<String>,
    /// Whether it is a label itself.
    is_label: bool,
    data_type: DataType,
    texts: Vec<Option<String>>,
    alts: Vec<Option<String>>,
    links: Vec<Option<String>>,
}

/// All fields of a page or record, tuples within tuples flattened.
fn drafts<'v>(
    context: &Context<'_>,
    slots: &'v [Slot],
    rows: &[Vec<&'v Value>],
    around: Around<'v>,
    out: &mut Vec<Draft<'v>>,
) {
    for (index, slot) in slots.iter().enumerate() {
        let around = around.inside(&slot.hints);
        let column: Vec<&Value> =
            rows.iter().map(|row| row.get(index).copied().unwrap_or(&Value::Missing)).collect();
        match &slot.shape {
            Shape::Leaf => out.push(Draft::Values(values(context, &column, around, Reading::Leaf))),
            Shape::Joined => {
                out.push(Draft::Values(values(context, &column, around, Reading::Run)))
            }
            Shape::Set(slots) => {
                let records = column.into_iter().map(records_of).collect();
                out.push(Draft::Set { hints: &slot.hints, slots, records });
            }
            Shape::Tuple(slots) => {
                let rows: Vec<Vec<&Value>> = column.into_iter().map(parts_of).collect();
                drafts(context, slots, &rows, around, out);
            }
        }
    }
}

fn records_of(value: &Value) -> &[Vec<Value>] {
    match value {
        Value::Set(records) => records,
        _ => &[],
    }
}

fn parts_of(value: &Value) -> Vec<&Value> {
    match value {
        Value::Tuple(parts) => parts.iter().collect(),
        _ => Vec::new(),
    }
}

/// How a slot's leaves are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// One leaf, one value.
    Leaf,
    /// All leaves of a run as one text.
    Run,
}

fn values(
    context: &Context<'_>,
    column: &[&Value],
    around: Around<'_>,
    reading: Reading,
) -> Values {
    let place = |value: &&Value| match value {
        Value::Basic(place) => Some(place.clone()),
        _ => None,
    };
    let places: Vec<Option<Place>> = column.iter().map(place).collect();
    let first = |place: &Place| context.boughs[place.page].leaf(place.leaves.start);
    let all = |read: &dyn Fn(&Place) -> Option<String>| -> Vec<Option<String>> {
        places.iter().map(|place| place.as_ref().and_then(read)).collect()
    };
    let is_image = reading == Reading::Leaf
        && places.iter().flatten().any(|place| first(place).kind == LeafKind::Image);
    let texts = all(&|place| match is_image {
        true => first(place).src.map(str::to_owned),
        false => Some(text(context, place)),
    });
    let alt =
        |place: &Place| Some(first(place).text.to_owned()).filter(|it| is_image && !it.is_empty());
    let types: Vec<DataType> =
        places.iter().flatten().map(|place| first(place).data_type).collect();
    let data_type = if reading == Reading::Run { DataType::String } else { most(&types) };
    let label = around.hints.and_then(|hints| hints.label.clone());
    let is_label = label.as_deref().is_some_and(|label| {
        texts.iter().flatten().all(|text| name::snake(text) == name::snake(label))
    });
    let called = around.hints.and_then(name::from_hints);
    Values {
        is_called: called.is_some(),
        name: name_of(called, reading, is_label, around.tag, data_type),
        label,
        is_label,
        data_type,
        texts,
        alts: all(&alt),
        links: all(&|place| first(place).link.map(str::to_owned)),
    }
}

fn name_of(
    called: Option<String>,
    reading: Reading,
    is_label: bool,
    tag: &str,
    data_type: DataType,
) -> String {
    match (called, reading) {
        (Some(name), _) if is_label => format!("{name}_label"),
        (Some(name), Reading::Run) => format!("{name}_text"),
        (Some(name), Reading::Leaf) => name,
        (None, Reading::Run) => "text".into(),
        (None, Reading::Leaf) => name::from_kind(tag, data_type),
    }
}

/// Join what the pages call by one name and never have twice: alternatives, of which each page shows one.
fn merge_alternatives(drafts: Vec<Draft<'_>>) -> Vec<Draft<'_>> {
    let mut merged: Vec<Draft<'_>> = Vec::new();
    for draft in drafts {
        let Draft::Values(values) = draft else {
            merged.push(draft);
            continue;
        };
        let twin = merged.iter_mut().find_map(|other| match other {
            Draft::Values(other) if other.is_alternative_to(&values) => Some(other),
            _ => None,
        });
        match twin {
            Some(twin) => twin.take_over(values),
            None => merged.push(Draft::Values(values)),
        }
    }
    merged
}

impl Values {
    fn is_alternative_to(&self, other: &Values) -> bool {
        let never_both = || {
            let mut pairs = self.texts.iter().zip(&other.texts);
            pairs.all(|(left, right)| left.is_none() || right.is_none())
        };
        self.is_called
            && other.is_called
            && self.name == other.name
            && self.data_type == other.data_type
            && self.is_label == other.is_label
            && never_both()
    }

    fn take_over(&mut self, other: Values) {
        let fill = |into: &mut Vec<Option<String>>, from: Vec<Option<String>>| {
            for (into, from) in into.iter_mut().zip(from) {
                *into = into.take().or(from);
            }
        };
        fill(&mut self.texts, other.texts);
        fill(&mut self.alts, other.alts);
        fill(&mut self.links, other.links);
    }
}

/// The fields of a page or record, and the data of all of them.
struct Table {
    /// Whether what says the same everywhere is data too.
    keeps_template: bool,
    names: Names,
    fields: Vec<Field>,
    data: Vec<Data>,
}

impl Table {
    fn of(
        context: &Context<'_>,
        slots: &[Slot],
        rows: &[Vec<&Value>],
        keeps_template: bool,
    ) -> Table {
        let mut found = Vec::new();
        drafts(context, slots, rows, Around::default(), &mut found);
        let data = vec![Map::new(); rows.len()];
        let mut table = Table { keeps_template, names: Names::default(), fields: Vec::new(), data };
        for draft in merge_alternatives(found) {
            match draft {
                Draft::Values(values) => table.add_values(values),
                Draft::Set { hints, slots, records } => {
                    table.add_set(context, hints, slots, &records);
                }
            }
        }
        table
    }

    fn add_set(
        &mut self,
        context: &Context<'_>,
        hints: &Hints,
        slots: &[Slot],
        records: &[&[Vec<Value>]],
    ) {
        let rows: Vec<Vec<&Value>> =
            records.iter().flat_map(|of| of.iter()).map(|record| record.iter().collect()).collect();
        let inner = Table::of(context, slots, &rows, self.keeps_template);
        if inner.fields.iter().all(Field::is_template) && !self.keeps_template {
            return;
        }
        let name = self.names.unique(&name::of_set(hints));
        let mut data = inner.data.into_iter();
        for (of, out) in records.iter().zip(&mut self.data).filter(|(of, _)| !of.is_empty()) {
            let records: Vec<Json> = data.by_ref().take(of.len()).map(Json::Object).collect();
            out.insert(name.clone(), Json::Array(records));
        }
        let n_present = records.iter().filter(|of| !of.is_empty()).count();
        self.fields.push(Field::Set(Set {
            name,
            density: share(n_present, records.len()),
            n_records: rows.len(),
            fields: inner.fields,
        }));
    }

    fn add_values(&mut self, values: Values) {
        let Values { name, label, is_label, data_type, texts, alts, links, .. } = values;
        let name = self.names.unique(&name);
        let column = |name: String, label, data_type| Column {
            name,
            label,
            data_type,
            density: 0,
            is_template: is_label,
            examples: Vec::new(),
        };
        self.add_column(column(name.clone(), label, data_type), texts);
        for (suffix, data_type, values) in
            [("alt", DataType::String, alts), ("url", DataType::Url, links)]
        {
            if values.iter().any(Option::is_some) {
                let name = self.names.unique(&format!("{name}_{suffix}"));
                self.add_column(column(name, None, data_type), values);
            }
        }
    }

    /// Add a column, its figures taken from its values.
    fn add_column(&mut self, mut column: Column, values: Vec<Option<String>>) {
        let n_present = values.iter().flatten().count();
        let mut distinct: Vec<&String> = values.iter().flatten().collect();
        distinct.sort_unstable();
        distinct.dedup();
        column.is_template |= distinct.len() < 2 && n_present == values.len() && values.len() > 1;
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

fn share(part: usize, all: usize) -> u32 {
    u32::try_from(part * 1000 / all.max(1)).unwrap_or(1000)
}

fn text(context: &Context<'_>, place: &Place) -> String {
    let bough = &context.boughs[place.page];
    // A value for machines beside the text for people would say it twice.
    let is_said = |leaf: &Leaf<'_>| place.leaves.len() == 1 || leaf.kind != LeafKind::Value;
    let leaves = place.leaves.clone().map(|leaf| bough.leaf(leaf)).filter(is_said);
    leaves.map(|leaf| leaf.text).collect::<Vec<_>>().join(" ")
}

/// The most frequent type; of equally frequent ones the first in their order.
fn most(types: &[DataType]) -> DataType {
    let mut counts: BTreeMap<DataType, usize> = BTreeMap::new();
    for data_type in types {
        *counts.entry(*data_type).or_default() += 1;
    }
    let best = counts.into_iter().max_by_key(|(data_type, n)| (*n, std::cmp::Reverse(*data_type)));
    best.map_or(DataType::String, |(data_type, _)| data_type)
}
