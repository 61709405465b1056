//! The data of a page or record: what it has for each field, in the order of the schema.

use compact_str::CompactString;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Index};

/// The data of one page or record: texts and records by the names of their fields.
///
/// It has a few fields, of which most names and texts are short, and there are millions of it. So it is a list that is
/// searched from its start, and short texts take no memory of their own.
///
/// ```
/// use wrapper::Data;
///
/// let mut book = Data::new();
/// book.insert("title", "Dune");
/// book.insert("authors", vec![Data::from_iter([("name", "Frank Herbert")])]);
/// assert_eq!(book["authors"][0]["name"], "Frank Herbert");
/// assert_eq!(book.get("title").and_then(|title| title.as_str()), Some("Dune"));
/// let json = serde_json::to_string(&book)?;
/// assert_eq!(json, r#"{"title":"Dune","authors":[{"name":"Frank Herbert"}]}"#);
/// assert_eq!(serde_json::from_str::<Data>(&json)?, book);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Data {
    cells: Vec<(Text, Value)>,
}

/// What a page or record has for one field. [`Data`] has an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, for a column.
    Text(Text),
    /// Any number of records, for a set.
    Records(Vec<Data>),
}

/// A text that, if it is short, takes no memory of its own. It is used as a `&str`.
///
/// ```
/// let text = wrapper::Text::from("$9.99");
/// assert!(text.starts_with('$'));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(CompactString);

impl Data {
    /// Of a page that has nothing.
    pub fn new() -> Data {
        Data::default()
    }

    pub(crate) fn with_capacity(n: usize) -> Data {
        Data { cells: Vec::with_capacity(n) }
    }

    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|(own, _)| **own == *name)
    }

    /// What it has for a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.position(name).map(|index| &self.cells[index].1)
    }

    /// What it has for a field, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.position(name).map(|index| &mut self.cells[index].1)
    }

    /// Whether it has something for a field.
    pub fn contains_key(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Put something in for a field, in place of what it had; else as the last one.
    pub fn insert(&mut self, name: impl Into<Text>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        match self.get_mut(&name) {
            Some(old) => *old = value,
            None => self.cells.push((name, value)),
        }
    }

    /// Add a field that it does not have yet.
    pub(crate) fn push(&mut self, name: Text, value: Value) {
        self.cells.push((name, value));
    }

    /// Take out what it has for a field.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.position(name).map(|index| self.cells.remove(index).1)
    }

    /// All fields with their names, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> + Clone {
        self.cells.iter().map(|(name, value)| (&**name, value))
    }

    /// Give a field another name.
    pub(crate) fn rename(&mut self, name: &str, other: &str) {
        if let Some(index) = self.position(name) {
            self.cells[index].0 = other.into();
        }
    }
}

impl Value {
    /// The text of a column.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Records(_) => None,
        }
    }

    /// The records of a set.
    pub fn as_records(&self) -> Option<&[Data]> {
        match self {
            Value::Records(records) => Some(records),
            Value::Text(_) => None,
        }
    }

    /// The records of a set, to be changed.
    pub fn as_records_mut(&mut self) -> Option<&mut Vec<Data>> {
        match self {
            Value::Records(records) => Some(records),
            Value::Text(_) => None,
        }
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into())
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Text {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<T: Into<Text>> From<T> for Value {
    fn from(text: T) -> Value {
        Value::Text(text.into())
    }
}

impl From<Vec<Data>> for Value {
    fn from(records: Vec<Data>) -> Value {
        Value::Records(records)
    }
}

impl PartialEq<str> for Value {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl<N: Into<Text>, V: Into<Value>> FromIterator<(N, V)> for Data {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(cells: I) -> Data {
        let mut data = Data::new();
        cells.into_iter().for_each(|(name, value)| data.insert(name, value));
        data
    }
}

impl PartialEq<String> for Value {
    fn eq(&self, other: &String) -> bool {
        self == other.as_str()
    }
}

/// Panics where there is no such field.
impl Index<&str> for Data {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        match self.get(name) {
            Some(value) => value,
            None => panic!("there is no {name:?} in {self:?}"),
        }
    }
}

/// Panics where there is no such record.
impl Index<usize> for Value {
    type Output = Data;

    fn index(&self, record: usize) -> &Data {
        &self.as_records().unwrap_or_default()[record]
    }
}

impl From<Data> for serde_json::Value {
    fn from(data: Data) -> serde_json::Value {
        let members = data.cells.into_iter().map(|(name, value)| (name.to_string(), value.into()));
        serde_json::Value::Object(members.collect())
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> serde_json::Value {
        match value {
            Value::Text(text) => text.to_string().into(),
            Value::Records(records) => records.into(),
        }
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.iter())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Text(text) => out.serialize_str(text),
            Value::Records(records) => records.serialize(out),
        }
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Data, D::Error> {
        input.deserialize_map(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        let mut data = Data::new();
        // A field without a value is one that is not there.
        while let Some((name, value)) = map.next_entry::<String, Option<Value>>()? {
            if let Some(value) = value {
                data.insert(name, value);
            }
        }
        Ok(data)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Value, D::Error> {
        input.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or records")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut records = Vec::new();
        while let Some(record) = seq.next_element()? {
            records.push(record);
        }
        Ok(Value::Records(records))
    }
}
