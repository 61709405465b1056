//! JSON lines: one object a page, with the data as it is, whatever the schema says.

use super::output::Output;
use super::{Row, WriteRows};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};
use wrapper::Data;

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

/// JSON leaves DEL, C1 controls, line separators and marks of direction as they are. Here they are escaped as well: what
/// is written to a file or a pipe often ends on a terminal, and some readers take U+2028 for the end of a line.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut rest = text;
        while let Some((start, harmful)) = next_harmful(rest) {
            out.write_all(&rest.as_bytes()[..start])?;
            write!(out, "\\u{:04x}", u32::from(harmful))?;
            rest = &rest[start + harmful.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

fn next_harmful(text: &str) -> Option<(usize, char)> {
    // The first bytes of DEL, of C1 controls and of what lies around U+2028: nearly all texts are decided by them.
    let start = text.bytes().position(|byte| matches!(byte, 0x7F | 0xC2 | 0xE2))?;
    let harmful = text[start..].char_indices().find(|(_, character)| is_harmful(*character));
    harmful.map(|(offset, character)| (start + offset, character))
}

fn is_harmful(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
