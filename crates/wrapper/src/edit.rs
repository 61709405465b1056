//! What people change of a schema: names, types, what belongs together, what is left out.
//!
//! Edits are data. They are kept beside the schema that was learnt and made on top of it, in their order, so that the last
//! can be taken back, and all of them be made again on a schema that is learnt later. `tree` makes them, `nearest` finds
//! what somebody may have meant.

pub(crate) mod nearest;
mod tree;

use crate::escape::is_harmful;
use crate::machine::Machine;
use crate::name;
use crate::schema::{Schema, type_name};
use page::DataType;
use serde::{Deserialize, Serialize};
use tree::Tree;

/// A change of what is extracted. Columns and sets are named by their paths, such as `books.price`, as they are after
/// all edits before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Edit {
    /// Call a column or set by another name.
    Rename {
        /// Which one.
        path: String,
        /// Its new name, without the path.
        name: String,
    },
    /// Make one of several columns, or sets: each page or record gives the first that it has.
    Merge {
        /// Which ones, the first wins.
        paths: Vec<String>,
        /// The name of what they become, without the path.
        name: String,
    },
    /// Take apart what was merged, or what has been one since it was learnt.
    Split {
        /// Which one.
        path: String,
    },
    /// Leave out a column or set.
    Drop {
        /// Which one.
        path: String,
    },
    /// Bring back what was dropped; or give, as data, what says the same everywhere.
    Keep {
        /// Which one.
        path: String,
    },
    /// Take the values of a column as something else.
    Type {
        /// Which one.
        path: String,
        /// What its values are.
        #[serde(rename = "type", with = "type_name")]
        data_type: DataType,
    },
}

impl Edit {
    /// Call a column or set by another name.
    pub fn rename(path: impl Into<String>, name: impl Into<String>) -> Edit {
        Edit::Rename { path: path.into(), name: name.into() }
    }

    /// Make one column of several, under the name of the first.
    pub fn merge<P: Into<String>>(paths: impl IntoIterator<Item = P>) -> Edit {
        let paths: Vec<String> = paths.into_iter().map(Into::into).collect();
        let name = paths.first().map_or("", |path| own_name(path)).to_owned();
        Edit::Merge { paths, name }
    }

    /// Make one column of several.
    pub fn merge_as<P: Into<String>>(
        paths: impl IntoIterator<Item = P>,
        name: impl Into<String>,
    ) -> Edit {
        Edit::Merge { paths: paths.into_iter().map(Into::into).collect(), name: name.into() }
    }

    /// Take apart what is one.
    pub fn split(path: impl Into<String>) -> Edit {
        Edit::Split { path: path.into() }
    }

    /// Leave out a column or set.
    pub fn drop(path: impl Into<String>) -> Edit {
        Edit::Drop { path: path.into() }
    }

    /// Bring back what was dropped.
    pub fn keep(path: impl Into<String>) -> Edit {
        Edit::Keep { path: path.into() }
    }

    /// Take the values of a column as something else.
    pub fn set_type(path: impl Into<String>, data_type: DataType) -> Edit {
        Edit::Type { path: path.into(), data_type }
    }
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// No such column or set.
    #[error("there is no {path:?}{}", did_you_mean(nearest))]
    Unknown {
        /// The path that was given.
        path: String,
        /// Paths that look like it.
        nearest: Vec<String>,
    },
    /// Another column or set has the name.
    #[error("{path:?} is there already: rename or drop that first, or merge the two")]
    Taken {
        /// The path that would be there twice.
        path: String,
    },
    /// No name for a column.
    #[error("{name:?} is no name: names are up to {MAX_NAME} letters, digits, _ and -{}", did_you_mean(suggestion.as_slice()))]
    Name {
        /// The name that was given.
        name: String,
        /// A name like it.
        suggestion: Option<String>,
    },
    /// A merge of one thing.
    #[error("to merge takes at least two columns")]
    TooFew,
    /// A merge of something with itself.
    #[error("{path:?} is there twice")]
    Twice {
        /// What was named twice.
        path: String,
    },
    /// A merge of columns of different records.
    #[error(
        "{left:?} and {right:?} are parts of different records: what is merged must stand in the same set"
    )]
    Apart {
        /// The first of them.
        left: String,
        /// One that stands elsewhere.
        right: String,
    },
    /// A merge of a column with a set.
    #[error(
        "{column:?} is a column and {set:?} a set of records: only like can be merged with like"
    )]
    Mixed {
        /// The column.
        column: String,
        /// The set.
        set: String,
    },
    /// Nothing to split.
    #[error("{path:?} was not merged, and is read from one place only: there is nothing to split")]
    Single {
        /// What was to be split.
        path: String,
    },
    /// Nothing to bring back.
    #[error("{path:?} is there: nothing was dropped under this name")]
    NotDropped {
        /// What was to be brought back.
        path: String,
    },
    /// A type for records.
    #[error("{path:?} is a set of records: only columns have a type")]
    SetType {
        /// The set.
        path: String,
    },
    /// More edits than anybody makes.
    #[error("there are more than {MAX_EDITS} edits")]
    TooMany,
}

fn did_you_mean(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(", ")),
    }
}

/// A schema with some edits.
pub(crate) fn apply(
    learnt: &Schema,
    machine: &Machine,
    edits: &[Edit],
) -> Result<Schema, EditError> {
    if edits.len() > MAX_EDITS {
        return Err(EditError::TooMany);
    }
    let mut tree = Tree::of(learnt);
    for edit in edits {
        tree.apply(edit, machine)?;
    }
    Ok(tree.schema())
}

/// Files come from strangers, and each edit searches for its columns.
const MAX_EDITS: usize = 10_000;
/// Longer names are sentences.
const MAX_NAME: usize = 80;

/// Whether something may be the name of a column: what paths, tables and markup can take.
fn check_name(name: &str) -> Result<(), EditError> {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-');
    let has_letter = name.contains(char::is_alphanumeric);
    if has_letter && name.chars().all(is_plain) && name.chars().count() <= MAX_NAME {
        return Ok(());
    }
    let suggestion = Some(name::snake(name)).filter(|it| !it.is_empty() && it != name);
    let name = name.replace(is_harmful, "_");
    Err(EditError::Name { name, suggestion })
}

/// The last name of a path.
fn own_name(path: &str) -> &str {
    path.rsplit(crate::schema::SEPARATOR).next().unwrap_or(path)
}
