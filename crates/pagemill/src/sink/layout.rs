//! What all formats ask of a schema and of the data of a page: which fields are written, under which names, with which
//! values.

use std::borrow::Cow;
use std::collections::HashSet;
use wrapper::{Data, Field, Set, Value};

/// The fields that are written: no template unless it is asked for, no text that other columns have the values of, no sets
/// without columns, no name twice.
pub(super) fn written(fields: &[Field], takes_template: bool) -> Vec<Field> {
    let mut seen = HashSet::new();
    fields
        .iter()
        .filter(|field| field.is_data() || takes_template && field.is_template())
        .filter(|field| seen.insert(field.name()))
        .filter_map(|field| match field {
            Field::Column(_) => Some(field.clone()),
            Field::Set(set) => {
                let mut set = set.clone();
                set.fields = written(&set.fields, takes_template);
                (!set.fields.is_empty()).then_some(Field::Set(set))
            }
        })
        .collect()
}

pub(super) fn sets(fields: &[Field]) -> impl Iterator<Item = &Set> {
    fields.iter().filter_map(|field| match field {
        Field::Set(set) => Some(set),
        Field::Column(_) => None,
    })
}

pub(super) fn columns(fields: &[Field]) -> impl Iterator<Item = &str> {
    fields.iter().filter_map(|field| match field {
        Field::Column(column) => Some(&*column.name),
        Field::Set(_) => None,
    })
}

/// The text of a column; of a set, its records as JSON.
pub(super) fn text<'d>(data: Option<&'d Data>, column: &str) -> Option<Cow<'d, str>> {
    match data?.get(column)? {
        Value::Text(text) => Some(Cow::Borrowed(text)),
        records => serde_json::to_string(records).ok().map(Cow::Owned),
    }
}

/// The records of a set; none if the page or record has no such set.
pub(super) fn records<'d>(
    data: Option<&'d Data>,
    set: &str,
) -> Option<impl ExactSizeIterator<Item = Option<&'d Data>>> {
    let records = data?.get(set)?.as_records()?;
    Some(records.iter().map(Some))
}

/// Names that were given already. Many readers of tables do not tell upper from lower case, so neither does this.
#[derive(Default)]
pub(super) struct Names {
    used: HashSet<String>,
}

impl Names {
    pub(super) fn reserving(names: &[&str]) -> Names {
        Names { used: names.iter().map(|name| name.to_lowercase()).collect() }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.used.contains(&name.to_lowercase())
    }

    /// The name if it is free, else the first of `name_2`, `name_3` and so on that is.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let name = plain(name);
        let mut candidate = name.clone();
        let mut n = 2;
        while !self.used.insert(candidate.to_lowercase()) {
            candidate = format!("{name}_{n}");
            n += 1;
        }
        candidate
    }
}

/// Names come from pages: control characters would end an SQL statement or take over a terminal.
fn plain(name: &str) -> String {
    match name {
        "" => "unnamed".into(),
        _ => name.replace(char::is_control, "_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_by_more_than_case() {
        let mut names = Names::reserving(&["id"]);
        let given = ["ID", "Price", "price", "", "a\0b", "id_2"].map(|it| names.unique(it));
        assert_eq!(given, ["ID_2", "Price", "price_2", "unnamed", "a_b", "id_2_2"]);
    }
}
