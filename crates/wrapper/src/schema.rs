//! The schema of a template: what is on its pages, by name.
//!
//! A schema is a tree. Its leaves are columns, each one text of a page; its inner nodes are sets, each a list of
//! records with a schema of their own. What not every page (or record) has is optional.

mod export;

use page::DataType;
use serde::Serialize;
use std::fmt::{self, Write};
use std::ops::Range;

/// What was learnt of a template.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schema {
    /// What a page has, in the order of the page.
    pub fields: Vec<Field>,
}

/// A part of a page or of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Field {
    /// One value.
    Column(Column),
    /// Any number of records.
    Set(Set),
}

impl Field {
    /// Whether it says the same everywhere. A set never does.
    pub fn is_template(&self) -> bool {
        matches!(self, Field::Column(column) if column.is_template)
    }
}

/// A place of the template that holds one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Unique within its page or record, in `snake_case`.
    pub name: String,
    /// The words on the page that the name comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What most of its values are.
    #[serde(rename = "type", serialize_with = "type_name")]
    pub data_type: DataType,
    /// The share of pages or records that have it, in thousandths.
    pub density: u32,
    /// Whether it says the same everywhere: part of the template, not data.
    pub is_template: bool,
    /// Some values.
    pub examples: Vec<String>,
}

/// A place of the template that holds records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Set {
    /// Unique within its page or record, in `snake_case`.
    pub name: String,
    /// The share of pages or records that have any, in thousandths.
    pub density: u32,
    /// How many records there were in all.
    pub n_records: usize,
    /// What a record has.
    pub fields: Vec<Field>,
}

fn type_name<S: serde::Serializer>(data_type: &DataType, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(data_type.name())
}

/// Longer examples are cut where the tree is printed.
const MAX_EXAMPLE: usize = 60;

impl fmt::Display for Schema {
    /// A tree, without what is template.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = width(&self.fields, 0);
        let mut out = String::new();
        print(&mut out, &self.fields, 0, width);
        f.write_str(&out)
    }
}

fn print(out: &mut String, fields: &[Field], depth: usize, width: usize) {
    let indent = "  ".repeat(depth);
    for field in fields {
        match field {
            Field::Column(column) if column.is_template => {}
            Field::Column(column) => {
                let name = format!("{indent}{}{}", column.name, mark(column.density));
                let example: String = column
                    .examples
                    .first()
                    .map_or("", String::as_str)
                    .chars()
                    .take(MAX_EXAMPLE)
                    .collect();
                let _ = writeln!(out, "{name:width$}  {:10} {example}", column.data_type.name());
            }
            Field::Set(set) => {
                let name = format!("{indent}{}{}", set.name, mark(set.density));
                let _ = writeln!(out, "{name:width$}  set of {} records", set.n_records);
                print(out, &set.fields, depth + 1, width);
            }
        }
    }
}

fn mark(density: u32) -> &'static str {
    if density < 1000 { "?" } else { "" }
}

fn width(fields: &[Field], depth: usize) -> usize {
    let own = |name: &str| 2 * depth + name.chars().count() + 1;
    fields
        .iter()
        .map(|field| match field {
            Field::Column(column) if column.is_template => 0,
            Field::Column(column) => own(&column.name),
            Field::Set(set) => own(&set.name).max(width(&set.fields, depth + 1)),
        })
        .max()
        .unwrap_or_default()
}

/// Where a value stands: a leaf of one page, or a stretch of leaves read as one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) page: usize,
    pub(crate) leaves: Range<usize>,
}

/// What one instance has for one slot.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Missing,
    Basic(Place),
    Tuple(Vec<Value>),
    Set(Vec<Vec<Value>>),
}

/// What kind of slot.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// One leaf.
    Leaf,
    /// All leaves of a stretch, as one text.
    Joined,
    Tuple(Vec<Slot>),
    /// Records, each a tuple of these.
    Set(Vec<Slot>),
}

/// A place of the template, before it has a name.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) shape: Shape,
    pub(crate) hints: Hints,
}

/// What the pages say about the name of a slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// The label that picked it out among its like.
    pub(crate) label: Option<String>,
    pub(crate) tag: String,
    pub(crate) class: String,
    pub(crate) id: String,
}
