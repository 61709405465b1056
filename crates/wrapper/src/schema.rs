//! The schema of a template: what is on its pages, by name.
//!
//! A schema is a tree. Its leaves are columns, each one text of a page; its inner nodes are sets, each a list of
//! records with a schema of their own. What not every page (or record) has is optional; where every one has exactly
//! one of several things, these are alternatives.

mod export;
mod field_path;
mod made;

pub use field_path::{FieldPath, FieldPathError};
mod paths;

pub(crate) use paths::SEPARATOR;

use crate::columns::affix;
use crate::usual::{Counts, Usual};
use page::DataType;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::ops::Range;

/// What was learnt of a template.
///
/// ```
/// use wrapper::{Field, learn};
///
/// let shelf = |title: &str, books: &[&str]| {
///     let book = |it: &&str| format!("<li><a href=/{it}>{it}</a> <b>${}</b>", it.len());
///     let books: String = books.iter().map(book).collect();
///     page::parse(format!("<h1>{title}</h1><ul class=books>{books}</ul>").as_bytes())
/// };
/// let pages = vec![
///     shelf("Sea", &["Herring", "Fog", "Kelp"]),
///     shelf("Ice", &["Floe", "Winter"]),
///     shelf("Tar", &["Pitch", "Roads", "Boats", "Knots"]),
/// ];
/// let learnt = learn(pages, &Default::default())?;
/// let fields = &learnt.schema().fields;
/// assert_eq!(fields[0].name(), "title");
/// let Field::Set(books) = &fields[1] else { panic!("a page has many books") };
/// assert_eq!((&*books.name, books.n_records), ("books", 9));
/// let columns: Vec<_> = books.fields.iter().filter(|it| it.is_data()).map(Field::name).collect();
/// assert_eq!(columns, ["link", "link_url", "money"]);
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// What a page has, in the order of the page.
    pub fields: Vec<Field>,
    /// Alternatives: of the branches of each, a page has exactly one. A branch is the names of fields that come together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub either: Vec<Vec<Vec<String>>>,
    /// The share of the pages learnt from that do not fit all the same, in thousandths.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unfit: u32,
}

fn is_zero(share: &u32) -> bool {
    *share == 0
}

/// A part of a page or of a record. [`Schema`] shows how to go through fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

    /// Whether it is data in its own right: neither template nor another reading of what a column has already.
    pub fn is_data(&self) -> bool {
        match self {
            Field::Column(column) => !column.is_template && column.reads != Reads::Whole,
            Field::Set(_) => true,
        }
    }

    /// Its name, unique within its page or record.
    pub fn name(&self) -> &str {
        match self {
            Field::Column(column) => &column.name,
            Field::Set(set) => &set.name,
        }
    }

    /// The share of pages or records that have it, in thousandths.
    pub fn density(&self) -> u32 {
        match self {
            Field::Column(column) => column.density,
            Field::Set(set) => set.density,
        }
    }

    /// How the pages learnt from are read.
    pub(crate) fn as_read(&self) -> AsRead {
        let (as_read, density) = match self {
            Field::Column(column) => (column.as_read, column.density),
            Field::Set(set) => (set.as_read, set.density),
        };
        as_read.unwrap_or(AsRead { density, odd: 0 })
    }
}

/// How a wrapper reads the pages that it was learnt from, where that is not how they were learnt: a place that cannot be
/// told from another by its elements may be read as that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AsRead {
    /// The share of pages or records in which it is read, in thousandths.
    pub(crate) density: u32,
    /// The share of pages that have a value unlike the usual ones, of those that have any, in thousandths.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) odd: u32,
}

/// A place of the template that holds one value.
///
/// ```
/// use wrapper::{Field, learn};
///
/// let page = |n: usize| page::parse(format!("<h1>Book {n}</h1><p>Weight: {n} g</p>").as_bytes());
/// let learnt = learn((1..=8).map(page).collect(), &Default::default())?;
/// let column = learnt.schema().fields.iter().find_map(|field| match field {
///     Field::Column(column) if column.name == "weight" => Some(column),
///     _ => None,
/// });
/// let weight = column.unwrap();
/// assert_eq!((weight.data_type.name(), &*weight.prefix), ("quantity", "Weight: "));
/// assert_eq!((weight.density, &*weight.examples[0]), (1000, "1 g"));
/// assert_eq!(weight.usual.as_ref().unwrap().units, ["g"]);
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Unique within its page or record, in `snake_case`.
    pub name: String,
    /// The words on the page that the name comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What most of its values are.
    #[serde(rename = "type", with = "type_name")]
    pub data_type: DataType,
    /// The share of pages or records that have it, in thousandths.
    pub density: u32,
    /// Whether it says the same everywhere: part of the template, not data.
    pub is_template: bool,
    /// What of its place it gives.
    pub reads: Reads,
    /// Words of the template that stand before the value in its own text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Words of the template that stand after the value in its own text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suffix: String,
    /// The slots of the wrapper that its values are read from.
    pub(crate) slots: Vec<SlotId>,
    /// Some values.
    pub examples: Vec<String>,
    /// What all values had in common, if there were enough of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual: Option<Usual>,
    /// How the pages learnt from are read, if not as they were learnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) as_read: Option<AsRead>,
    /// What is read in its place where it has no value: the others of a merge, the first wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Column>,
}

impl Column {
    /// The value within a text of its place.
    pub(crate) fn strip<'a>(&self, text: &'a str) -> &'a str {
        affix::strip(text, &self.prefix, &self.suffix)
    }
}

/// What of its place a column gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reads {
    /// The value: a text, or where a picture is.
    Value,
    /// The whole text that a value, or several, are part of.
    Whole,
    /// What describes a picture.
    Alt,
    /// Where it links to.
    Link,
}

/// A place of the template that holds records. [`Schema`] has an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Set {
    /// Unique within its page or record, in `snake_case`.
    pub name: String,
    /// The share of pages or records that have any, in thousandths.
    pub density: u32,
    /// How many records there were in all.
    pub n_records: usize,
    /// How many there were on each page or in each record, if there were enough of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual: Option<Counts>,
    /// How the pages learnt from are read, if not as they were learnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) as_read: Option<AsRead>,
    /// The slots of the wrapper that its records are read from.
    pub(crate) slots: Vec<SlotId>,
    /// What a record has.
    pub fields: Vec<Field>,
    /// Alternatives, as in [`Schema::either`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub either: Vec<Vec<Vec<String>>>,
}

/// A type by its name.
pub(crate) mod type_name {
    use page::DataType;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        data_type: &DataType,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        out.serialize_str(data_type.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<DataType, D::Error> {
        let name = String::deserialize(input)?;
        let unknown = || D::Error::custom(format_args!("no type is called {name:?}"));
        DataType::from_name(&name).ok_or_else(unknown)
    }
}

/// Longer examples are cut where the tree is printed.
const MAX_EXAMPLE: usize = 60;

impl fmt::Display for Schema {
    /// A tree, without what is template or said twice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = width(&self.fields, 0);
        let mut out = String::new();
        print(&mut out, &self.fields, &self.either, 0, width);
        f.write_str(&out)
    }
}

fn print(
    out: &mut String,
    fields: &[Field],
    either: &[Vec<Vec<String>>],
    depth: usize,
    width: usize,
) {
    let indent = "  ".repeat(depth);
    for field in fields.iter().filter(|field| field.is_data()) {
        let name = format!("{indent}{}{}", field.name(), mark(field, either));
        match field {
            Field::Column(column) => {
                let _ = write!(out, "{name:width$}  {:10}", column.data_type.name());
                let _ = writeln!(out, " {:4} {}", share(column.density), example(column));
            }
            Field::Set(set) => {
                let _ = write!(out, "{name:width$}  {:10}", "set");
                let _ = writeln!(out, " {:4} {} records", share(set.density), set.n_records);
                print(out, &set.fields, &set.either, depth + 1, width);
            }
        }
    }
    for branches in either {
        let branches: Vec<String> = branches.iter().map(|branch| branch.join(" + ")).collect();
        let _ = writeln!(out, "{indent}({})", branches.join(" | "));
    }
}

fn share(density: u32) -> String {
    format!("{}%", density / 10)
}

/// A value with the words around it: `(Price:) £5`
fn example(column: &Column) -> String {
    let value = column.examples.first().map_or("", String::as_str);
    let around = |words: &str| match words.trim() {
        "" => String::new(),
        words => format!("({words})"),
    };
    let parts = [around(&column.prefix), value.to_owned(), around(&column.suffix)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ").chars().take(MAX_EXAMPLE).collect()
}

/// `|` for one of several alternatives, `?` for what may be missing.
fn mark(field: &Field, either: &[Vec<Vec<String>>]) -> &'static str {
    let is_branch = either.iter().flatten().flatten().any(|name| name == field.name());
    match field.density() {
        _ if is_branch => "|",
        0..1000 => "?",
        _ => "",
    }
}

fn width(fields: &[Field], depth: usize) -> usize {
    let own = |name: &str| 2 * depth + name.chars().count() + 1;
    fields
        .iter()
        .filter(|field| field.is_data())
        .map(|field| match field {
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
    /// One text.
    Text(Reading),
    Tuple(Vec<Slot>),
    /// Records, each a tuple of these.
    Set(Vec<Slot>),
}

/// How the leaves of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// One leaf, one value.
    Leaf,
    /// All leaves of a stretch as one text, which has no other parts.
    Prose,
    /// The same, beside its parts.
    Run,
}

/// A place of the template, before it has a name.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Its number among all slots of an induction, given by [`number`] when they are complete.
    pub(crate) id: SlotId,
    pub(crate) shape: Shape,
    pub(crate) hints: Hints,
}

/// The number of a slot. The page itself is slot 0.
pub(crate) type SlotId = usize;

impl Slot {
    pub(crate) fn new(shape: Shape, hints: Hints) -> Slot {
        Slot { id: 0, shape, hints }
    }
}

/// Give all slots their numbers, each after what it stands in. The next free number comes back.
pub(crate) fn number(slots: &mut [Slot], first: SlotId) -> SlotId {
    let mut next = first;
    for slot in slots {
        slot.id = next;
        next += 1;
        if let Shape::Tuple(inner) | Shape::Set(inner) = &mut slot.shape {
            next = number(inner, next);
        }
    }
    next
}

/// What the pages say about the name of a slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// The label that picked it out among its like.
    pub(crate) label: Option<String>,
    /// The header of the table column it stands in.
    pub(crate) header: Option<String>,
    /// What it is called for those who cannot see it.
    pub(crate) aria: Option<String>,
    pub(crate) tag: String,
    pub(crate) class: String,
    pub(crate) id: String,
}

impl Hints {
    /// What is written on the page to say what it is.
    pub(crate) fn introduced_by(&self) -> Option<&str> {
        self.label.as_deref().or(self.header.as_deref())
    }
}
