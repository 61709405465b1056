//! What users see: data on stdout, talk on stderr, neither with control characters from strangers.

pub(crate) mod file;
pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod record_sets;
pub(crate) mod records;
pub(crate) mod regions;
pub(crate) mod rows;
pub(crate) mod safe;
pub(crate) mod table;
pub(crate) mod talk;
mod telling;
pub(crate) mod why;

use pagemill::{InputPage, Leaf, Leaves, Page};
use std::io::{self, Write};

/// What a failed command says when it was the output that failed.
pub(crate) const CANNOT_WRITE: &str = "cannot write to stdout";

/// A page and those of its leaves that were asked for.
pub(crate) struct Selection<'p> {
    pub(crate) input: &'p InputPage,
    pub(crate) page: &'p Page,
    pub(crate) leaves: &'p Leaves,
    pub(crate) chosen: Vec<Leaf<'p>>,
}

/// How leaves are shown.
pub(crate) trait Show {
    fn show(&mut self, selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()>;
}
