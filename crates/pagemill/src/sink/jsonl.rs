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
    /// A line is written at once: streams may be slow for many small pieces, and a closed one gets no half line.
    line: Vec<u8>,
}

/// One line. The order of the fields is the order in which they are written.
#[derive(Serialize)]
struct Line<'a> {
    page: &'a str,
    status: &'static str,
    data: Option<&'a Data>,
    problems: &'a [String],
}

impl JsonLines {
    pub(super) fn new(out: Output) -> JsonLines {
        JsonLines { out, line: Vec::new() }
    }
}

impl WriteRows for JsonLines {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        let line = Line {
            page: row.page,
            status: row.status.name(),
            data: row.data,
            problems: row.problems,
        };
        self.line.clear();
        line.serialize(&mut Serializer::with_formatter(&mut self.line, Escaping))?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.finish()
    }
}
