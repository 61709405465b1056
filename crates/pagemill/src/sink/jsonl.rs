//! JSON lines: one object a page, with the data as it is, whatever the schema says.

use super::output::Output;
use super::{Row, WriteRows};
use serde::Serialize;
use serde_json::ser::Serializer;
use std::io::{self, Write};
use wrapper::Data;
use wrapper::escape::Escaping;

pub(super) struct JsonLines {
    out: Output,
}

/// One line. The order of the fields is the order in which they are written.
#[derive(Serialize)]
struct Line<'a> {
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<usize>,
    status: &'static str,
    data: Option<&'a Data>,
    problems: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

/// What was extracted from a page as a line of JSON, its end included. Where pages of several templates go to one file,
/// the number of its group says of which this is.
pub fn json_line(row: &Row<'_>, group: Option<usize>) -> io::Result<Vec<u8>> {
    let Row { page, status, data, problems, warnings } = *row;
    let line = Line { page, group, status: status.name(), data, problems, warnings };
    let mut text = Vec::new();
    line.serialize(&mut Serializer::with_formatter(&mut text, Escaping))?;
    text.push(b'\n');
    Ok(text)
}

impl JsonLines {
    pub(super) fn new(out: Output) -> JsonLines {
        JsonLines { out }
    }
}

impl WriteRows for JsonLines {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        // At once: streams may be slow for many small pieces, and a closed one gets no half line.
        self.out.write_all(&json_line(row, None)?)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.finish()
    }
}
