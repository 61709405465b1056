//! JSON that does no harm on a terminal.

use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Writes JSON with DEL, C1 controls, line separators and marks of direction escaped, which JSON leaves as they are: what is
/// written to a file or a pipe often ends on a terminal, and some readers take U+2028 for the end of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Escaping;

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
    // JSON escapes lower controls by itself. The first bytes of DEL, of C1 controls and of what lies around U+2028: nearly all
    // texts are decided by them.
    let start = text.bytes().position(|byte| matches!(byte, 0x7F | 0xC2 | 0xE2))?;
    let harmful = text[start..].char_indices().find(|(_, character)| is_harmful(*character));
    harmful.map(|(offset, character)| (start + offset, character))
}

/// Whether a terminal obeys a character instead of showing it.
pub fn is_harmful(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
