//! Names by example: who knows a value on one of the pages can say what its column is to be called.
//!
//! The value is looked for in the data of all pages: as it is, as the whole text around a value, without regard to case,
//! and at last as a part. Where several columns have it, the one that fits best is taken, and the others are told.

use crate::data::{Data, Value};
use crate::edit::nearest::likeness;
use crate::edit::{Edit, EditError};
use crate::learn::Learnt;
use crate::schema::{Column, Field, Reads, SEPARATOR, Schema};
use page::DataType;
use std::collections::BTreeMap;

/// A value that stands on a page, and what its column is to be called. Several examples of one name are of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name to be.
    pub name: String,
    /// The value, white space aside as it stands on a page.
    pub value: String,
}

/// What was named by examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The path it had.
    pub was: String,
    /// The path it has.
    pub path: String,
    /// Other columns that have the value too, the next best first.
    pub others: Vec<String>,
    /// What had the name before, and the path that has now.
    pub displaced: Option<(String, String)>,
}

/// Why something cannot be named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// No column has the value, or all the values.
    #[error("cannot name {name:?}: no column has {}{}", quoted(values), told(nearest))]
    NotFound {
        /// The name to be.
        name: String,
        /// What was looked for.
        values: Vec<String>,
        /// Values that look like it, with the paths of their columns.
        nearest: Vec<(String, String)>,
    },
    /// The name cannot be given.
    #[error(transparent)]
    Edit(#[from] EditError),
}

fn quoted(values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    values.join(" and ")
}

fn told(nearest: &[(String, String)]) -> String {
    let told: Vec<String> =
        nearest.iter().map(|(path, value)| format!("{value:?} in {path}")).collect();
    match told.is_empty() {
        true => "; pagemill learn --data shows all values".into(),
        false => format!("; the nearest values are {}", told.join(", ")),
    }
}

impl Learnt {
    /// Give names to the columns that have some values. Each is an edit of the wrapper, and the data is renamed too. If one
    /// of them cannot be named, none is.
    ///
    /// ```
    /// let pages = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>"];
    /// let pages = pages.iter().map(|html| page::parse(html.as_bytes())).collect();
    /// let mut learnt = wrapper::learn(pages, &Default::default())?;
    /// learnt.name(&[wrapper::Example { name: "price".into(), value: "$7".into() }])?;
    /// assert_eq!(learnt.data[0].as_ref().unwrap()["price"], "$9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name(&mut self, examples: &[Example]) -> Result<Vec<Named>, NameError> {
        let mut wanted: Vec<(&str, Vec<&str>)> = Vec::new();
        for Example { name, value } in examples {
            match wanted.iter_mut().find(|(it, _)| it == name) {
                Some((_, values)) => values.push(value),
                None => wanted.push((name, vec![value])),
            }
        }
        let mut renamed = self.clone();
        let mut all: Vec<Named> = Vec::new();
        for (name, values) in wanted {
            let given: Vec<&str> = all.iter().map(|named| &*named.path).collect();
            let named = renamed.name_one(name, &values, &given)?;
            all.push(named);
        }
        *self = renamed;
        Ok(all)
    }

    fn name_one(
        &mut self,
        name: &str,
        values: &[&str],
        given: &[&str],
    ) -> Result<Named, NameError> {
        let found = candidates(self, name, values, given);
        let Some((was, others)) = found.split_first() else {
            return Err(not_found(self, name, values));
        };
        let within = was.rsplit_once(SEPARATOR).map(|(within, _)| within);
        let path_of = |name: &str| match within {
            Some(within) => format!("{within}{SEPARATOR}{name}"),
            None => name.to_owned(),
        };
        let path = path_of(name);
        let mut displaced = None;
        let is_held = self.schema().field(&path).is_some_and(|field| !field.is_template());
        if path != *was && is_held {
            let is_free = |name: &String| self.schema().field(&path_of(name)).is_none();
            let free = (2..).map(|n| format!("{name}_{n}")).find(is_free).unwrap_or_default();
            self.rename(&path, &free)?;
            displaced = Some((path.clone(), path_of(&free)));
        }
        if path != *was {
            self.rename(was, name)?;
        }
        Ok(Named { was: was.clone(), path, others: others.to_vec(), displaced })
    }

    fn rename(&mut self, path: &str, name: &str) -> Result<(), EditError> {
        self.wrapper.edit(Edit::rename(path, name))?;
        let steps: Vec<&str> = path.split(SEPARATOR).collect();
        for data in self.data.iter_mut().flatten() {
            rename_in(data, &steps, name);
        }
        Ok(())
    }
}

fn rename_in(data: &mut Data, path: &[&str], name: &str) {
    match path {
        [own] => data.rename(own, name),
        [set, rest @ ..] => {
            let records = data.get_mut(set).and_then(Value::as_records_mut);
            for record in records.into_iter().flatten() {
                rename_in(record, rest, name);
            }
        }
        _ => {}
    }
}

/// How a column has a value, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Exact,
    /// It is the text around the column's value.
    Whole,
    AnyCase,
    Part,
}

/// The paths of columns that have all of some values, the best first.
fn candidates(learnt: &Learnt, name: &str, values: &[&str], given: &[&str]) -> Vec<String> {
    let schema = learnt.schema();
    let mut found: BTreeMap<String, Vec<Option<Match>>> = BTreeMap::new();
    for_each_value(learnt, &mut |path, value| {
        for (index, wanted) in values.iter().enumerate() {
            let Some(how) = matches(wanted, value) else { continue };
            let (path, how) = of_value(schema, path, how);
            if given.contains(&&*path) {
                continue;
            }
            let held = found.entry(path).or_insert_with(|| vec![None; values.len()]);
            held[index] = Some(held[index].map_or(how, |before| before.min(how)));
        }
    });
    let order: Vec<String> = schema.paths().into_iter().map(|(path, _)| path).collect();
    let mut ranked: Vec<(Rank, String)> = Vec::new();
    for (path, held) in found {
        let Some(Field::Column(column)) = schema.field(&path) else { continue };
        let Some(worst) = held.into_iter().collect::<Option<Vec<Match>>>() else { continue };
        let worst = worst.into_iter().max().unwrap_or(Match::Part);
        let at = order.iter().position(|it| *it == path).unwrap_or_default();
        ranked.push((rank(column, &path, name, values, worst, at), path));
    }
    ranked.sort();
    ranked.into_iter().map(|(_, path)| path).collect()
}

/// What speaks against a column, what weighs most first.
type Rank = (Match, [bool; 5], u32, usize);

fn rank(column: &Column, path: &str, name: &str, values: &[&str], how: Match, at: usize) -> Rank {
    let is_of_type = |value: &&str| {
        let data_type = DataType::classify(value.trim());
        data_type.is_a(column.data_type) || column.data_type.is_a(data_type)
    };
    let against = [
        column.name != name,
        column.reads != Reads::Value,
        // Bread crumbs and lists of what else there is say again what the page is about.
        path.contains(SEPARATOR),
        !values.iter().all(is_of_type),
        // The title of the window has the name of the site around it; the heading has not.
        !column.prefix.is_empty() || !column.suffix.is_empty(),
    ];
    (how, against, 1000 - column.density.min(1000), at)
}

fn matches(wanted: &str, value: &str) -> Option<Match> {
    let (wanted, value) = (collapsed(wanted), collapsed(value));
    if wanted.is_empty() {
        return None;
    }
    if wanted == value {
        return Some(Match::Exact);
    }
    let (wanted, value) = (wanted.to_lowercase(), value.to_lowercase());
    if wanted == value {
        return Some(Match::AnyCase);
    }
    is_part(&wanted, &value).then_some(Match::Part)
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text has another in it, as whole words and as a good part of it: `19.99` in `£19.99`.
fn is_part(wanted: &str, value: &str) -> bool {
    let is_edge = |it: Option<char>| !it.is_some_and(char::is_alphanumeric);
    wanted.len() * 3 >= value.len()
        && value.match_indices(wanted).any(|(start, part)| {
            is_edge(value[..start].chars().next_back())
                && is_edge(value[start + part.len()..].chars().next())
        })
}

/// The column of a value, where it was its whole text that matched.
fn of_value(schema: &Schema, path: &str, how: Match) -> (String, Match) {
    let whole = match schema.field(path) {
        Some(Field::Column(column)) if column.reads == Reads::Whole => column,
        _ => return (path.to_owned(), how),
    };
    let within = &path[..path.len() - whole.name.len()];
    let siblings = match within.strip_suffix(SEPARATOR).map(|set| schema.field(set)) {
        Some(Some(Field::Set(set))) => &set.fields,
        _ => &schema.fields,
    };
    let is_value = |column: &&Column| column.reads == Reads::Value && column.slots == whole.slots;
    let columns = siblings.iter().filter_map(|field| match field {
        Field::Column(column) => Some(column),
        Field::Set(_) => None,
    });
    match columns.into_iter().find(is_value) {
        Some(value) => (format!("{within}{}", value.name), how.max(Match::Whole)),
        None => (path.to_owned(), how),
    }
}

/// So many values are named where none is what was asked for.
const N_NEAREST: usize = 3;

fn not_found(learnt: &Learnt, name: &str, values: &[&str]) -> NameError {
    let mut near: Vec<(u32, String, String)> = Vec::new();
    let mut least = 300;
    for_each_value(learnt, &mut |path, value| {
        let alike = values.iter().map(|it| likeness(it, value)).max().unwrap_or_default();
        if alike > least && !near.iter().any(|(_, _, it)| it == value) {
            near.push((alike, path.to_owned(), value.to_owned()));
            near.sort_by_key(|(alike, ..)| std::cmp::Reverse(*alike));
            near.truncate(N_NEAREST);
            if near.len() == N_NEAREST {
                least = near[N_NEAREST - 1].0;
            }
        }
    });
    let shown = |value: String| value.chars().take(80).collect();
    NameError::NotFound {
        name: name.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        nearest: near.into_iter().map(|(_, path, value)| (path, shown(value))).collect(),
    }
}

/// Look at the values of all pages, with the paths of their columns.
pub(crate) fn for_each_value(learnt: &Learnt, see: &mut dyn FnMut(&str, &str)) {
    for data in learnt.data.iter().flatten() {
        see_values(data, "", see);
    }
}

fn see_values(data: &Data, within: &str, see: &mut dyn FnMut(&str, &str)) {
    for (name, value) in data.iter() {
        let path = format!("{within}{name}");
        match value {
            Value::Text(text) => see(&path, text),
            Value::Records(records) => {
                let within = format!("{path}{SEPARATOR}");
                for record in records {
                    see_values(record, &within, see);
                }
            }
        }
    }
}
