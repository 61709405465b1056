//! Columns of a site: where several pages of one template are at hand, what all of them have in one place is judged together.
//!
//! A leaf alone may be taken for many things. A column of a hundred pages shows what stays and what changes, what most of its
//! values look like, and whether they are part of the pages' titles. In come the pages of a site, cut into columns, as a wrapper
//! does; out comes which column is which element.
//!
//! - `portrait` says what a column is like, `lesson` which element it is where that is known.
//! - `habits` counts what columns of an element are like on the sites learnt from.
//! - `weigh` finds how much each kind of evidence is worth.
//! - `model` puts these together, and chooses; `file` keeps it.

mod file;
mod habits;
mod lesson;
mod model;
mod portrait;
mod weigh;

pub(crate) use file::ModelFile;
pub use lesson::Lesson;
pub use model::{Choice, ColumnModel};

use page::Page;
use std::ops::Range;

/// What the pages of a site have in one place of their template.
#[derive(Clone, Debug)]
pub struct Column {
    /// What the wrapper calls it: `price`, `books.title`.
    pub path: String,
    /// What the pages call it: the words of a label, or of a table's header.
    pub label: Option<String>,
    /// Whether a page may have many: it is part of records.
    pub is_in_set: bool,
    /// Its values, in the order of pages.
    pub cells: Vec<Cell>,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The number of its page.
    pub page: usize,
    /// Where it stands, by the numbers of leaves.
    pub leaves: Range<usize>,
    /// The words of the template before it in its own text.
    pub intro: String,
    /// The value.
    pub text: String,
}

/// Pages of one template, cut into columns.
#[derive(Clone, Debug)]
pub struct Site<'p> {
    /// Its pages. Of very many, some are looked at.
    pub pages: Vec<&'p Page>,
    /// Its columns.
    pub columns: Vec<Column>,
}
