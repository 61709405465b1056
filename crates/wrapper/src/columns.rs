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
    let mut table = Table::new(values.len(), keeps_template);
    table.add_slots(context, slots, &rows, Around::default());
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

/// What is being filled in: the fields of a page or record, and the data of all of them.
struct Table {
    /// Whether what says the same everywhere is data too.
    keeps_template: bool,
    names: Names,
    fields: Vec<Field>,
    data: Vec<Data>,
}

impl Table {
    fn new(n_instances: usize, keeps_template: bool) -> Table {
        let data = vec![Map::new(); n_instances];
        Table { keeps_template, names: Names::default(), fields: Vec::new(), data }
    }

    fn add_slots(
        &mut self,
        context: &Context<'_>,
        slots: &[Slot],
        rows: &[Vec<&Value>],
        around: Around<'_>,
    ) {
        for (index, slot) in slots.iter().enumerate() {
            let column: Vec<&Value> =
                rows.iter().map(|row| row.get(index).copied().unwrap_or(&Value::Missing)).collect();
            self.add_slot(context, slot, &column, around);
        }
    }

    fn add_slot(
        &mut self,
        context: &Context<'_>,
        slot: &Slot,
        column: &[&Value],
        around: Around<'_>,
    ) {
        let around = around.inside(&slot.hints);
        match &slot.shape {
            Shape::Leaf | Shape::Joined => self.add_leaf(context, slot, column, around),
            Shape::Set(slots) => self.add_set(context, slot, slots, column),
            Shape::Tuple(slots) => {
                let rows: Vec<Vec<&Value>> = column
                    .iter()
                    .map(|value| match value {
                        Value::Tuple(values) => values.iter().collect(),
                        _ => Vec::new(),
                    })
                    .collect();
                self.add_slots(context, slots, &rows, around);
            }
        }
    }

    fn add_set(&mut self, context: &Context<'_>, slot: &Slot, slots: &[Slot], column: &[&Value]) {
        let mut records: Vec<Vec<&Value>> = Vec::new();
        let mut counts = Vec::new();
        for value in column {
            let found = match value {
                Value::Set(found) => found.as_slice(),
                _ => &[],
            };
            counts.push(found.len());
            records.extend(found.iter().map(|record| record.iter().collect::<Vec<_>>()));
        }
        let mut inner = Table::new(records.len(), self.keeps_template);
        inner.add_slots(context, slots, &records, Around::default());
        if inner.fields.iter().all(is_template) && !self.keeps_template {
            return;
        }
        let name = self.names.unique(&name::of_set(&slot.hints));
        let n_present = counts.iter().filter(|count| **count > 0).count();
        let mut data = inner.data.into_iter();
        for (count, out) in counts.iter().zip(&mut self.data) {
            if *count > 0 {
                let records: Vec<Json> = data.by_ref().take(*count).map(Json::Object).collect();
                out.insert(name.clone(), Json::Array(records));
            }
        }
        self.fields.push(Field::Set(Set {
            name,
            density: share(n_present, column.len()),
            n_records: records.len(),
            fields: inner.fields,
        }));
    }

    fn add_leaf(
        &mut self,
        context: &Context<'_>,
        slot: &Slot,
        column: &[&Value],
        around: Around<'_>,
    ) {
        let places: Vec<Option<&Place>> = column
            .iter()
            .map(|value| match value {
                Value::Basic(place) => Some(place),
                _ => None,
            })
            .collect();
        let first = |place: &Place| context.boughs[place.page].leaf(place.leaves.start);
        let is_image = !slot_is_joined(slot)
            && places.iter().flatten().any(|place| first(place).kind == LeafKind::Image);
        let texts: Vec<Option<String>> = places
            .iter()
            .map(|place| {
                place.map(
                    |place| if is_image { picture(&first(place)) } else { text(context, place) },
                )
            })
            .collect();
        let types: Vec<DataType> =
            places.iter().flatten().map(|place| first(place).data_type).collect();
        let data_type = if slot_is_joined(slot) { DataType::String } else { most(&types) };
        let named = around.hints.and_then(name::from_hints);
        let name = match (named, slot_is_joined(slot)) {
            (Some(name), true) => format!("{name}_text"),
            (Some(name), false) => name,
            (None, true) => "text".into(),
            (None, false) => name::from_kind(around.tag, data_type),
        };
        let label = around.hints.and_then(|hints| hints.label.clone());
        let is_label = label.as_deref().is_some_and(|label| {
            texts.iter().flatten().all(|text| name::snake(text) == name::snake(label))
        });
        let name = if is_label { format!("{name}_label") } else { name };
        let name = self.add_column(&name, label, data_type, texts, is_label);
        if is_image {
            let alts = places.iter().map(|place| place.map(|place| first(place).text.to_owned()));
            let alts: Vec<Option<String>> =
                alts.map(|alt| alt.filter(|it| !it.is_empty())).collect();
            self.add_derived(&format!("{name}_alt"), DataType::String, alts);
        }
        let links: Vec<Option<String>> = places
            .iter()
            .map(|place| place.and_then(|place| first(place).link.map(str::to_owned)))
            .collect();
        self.add_derived(&format!("{name}_url"), DataType::Url, links);
    }

    /// A column that exists only if it has something.
    fn add_derived(&mut self, name: &str, data_type: DataType, values: Vec<Option<String>>) {
        if values.iter().any(Option::is_some) {
            self.add_column(name, None, data_type, values, false);
        }
    }

    fn add_column(
        &mut self,
        name: &str,
        label: Option<String>,
        data_type: DataType,
        values: Vec<Option<String>>,
        is_label: bool,
    ) -> String {
        let name = self.names.unique(name);
        let n_present = values.iter().flatten().count();
        let mut distinct: Vec<&String> = values.iter().flatten().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let is_constant = distinct.len() < 2 && n_present == values.len() && values.len() > 1;
        self.fields.push(Field::Column(Column {
            name: name.clone(),
            label,
            data_type,
            density: share(n_present, values.len()),
            is_template: is_label || is_constant,
            examples: distinct.iter().take(3).map(|it| (*it).clone()).collect(),
        }));
        if (is_label || is_constant) && !self.keeps_template {
            return name;
        }
        for (value, out) in values.into_iter().zip(&mut self.data) {
            if let Some(value) = value {
                out.insert(name.clone(), value.into());
            }
        }
        name
    }
}

fn is_template(field: &Field) -> bool {
    matches!(field, Field::Column(column) if column.is_template)
}

fn slot_is_joined(slot: &Slot) -> bool {
    matches!(slot.shape, Shape::Joined)
}

fn share(part: usize, all: usize) -> u32 {
    u32::try_from(part * 1000 / all.max(1)).unwrap_or(1000)
}

fn picture(leaf: &Leaf<'_>) -> String {
    leaf.src.unwrap_or_default().to_owned()
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
