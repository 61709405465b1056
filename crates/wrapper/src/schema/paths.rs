//! Columns and sets by their paths: `books.price` is the column `price` of the records of `books`.

use super::{Field, Schema};
use crate::edit::nearest::nearest;

/// Stands between the names of a path. No name has it in it.
pub(crate) const SEPARATOR: char = '.';

impl Schema {
    /// All columns and sets with their paths, in the order of the page, a set before what its records have.
    pub fn paths(&self) -> Vec<(String, &Field)> {
        let mut paths = Vec::new();
        add(&self.fields, "", &mut paths);
        paths
    }

    /// The paths of data that somebody may have meant who asked for another, the nearest first.
    pub fn near(&self, path: &str) -> Vec<String> {
        let data = self.paths().into_iter().filter(|(_, field)| !field.is_template());
        let all: Vec<String> = data.map(|(path, _)| path).collect();
        nearest(path, all.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
    }

    /// The column or set that a path leads to.
    pub fn field(&self, path: &str) -> Option<&Field> {
        let mut fields = &self.fields;
        let mut names = path.split(SEPARATOR).peekable();
        while let Some(name) = names.next() {
            let field = fields.iter().find(|field| field.name() == name)?;
            match field {
                found if names.peek().is_none() => return Some(found),
                Field::Set(set) => fields = &set.fields,
                Field::Column(_) => return None,
            }
        }
        None
    }
}

fn add<'s>(fields: &'s [Field], within: &str, paths: &mut Vec<(String, &'s Field)>) {
    for field in fields {
        let path = format!("{within}{}", field.name());
        paths.push((path.clone(), field));
        if let Field::Set(set) = field {
            add(&set.fields, &format!("{path}{SEPARATOR}"), paths);
        }
    }
}
