//! Why values are what they are: for people, and as JSON lines.

mod json;
mod text;

pub(crate) use json::JsonWhy;
pub(crate) use text::TextWhy;

use pagemill::wrapper::{Absent, FieldPath, Trace};
use pagemill::{InputPage, Page};
use std::io::{self, Write};

/// What is to be told of a page.
pub(crate) struct Explained {
    /// What was asked for; if nothing was, all is told in short.
    pub(crate) field: Option<FieldPath>,
    pub(crate) trace: Trace,
    /// Which values of the trace.
    pub(crate) values: Vec<usize>,
    /// Where what was asked for would be, if it is nowhere.
    pub(crate) absent: Vec<Absent>,
}

/// How it is told.
pub(crate) trait ShowWhy {
    fn show(
        &mut self,
        input: &InputPage,
        page: &Page,
        explained: &Explained,
        out: &mut dyn Write,
    ) -> io::Result<()>;
}
