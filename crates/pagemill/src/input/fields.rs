//! The header of a WARC record or an HTTP response: a first line, then fields.

use std::io::{self, BufRead, Read};

/// Real headers have a few kilobytes; cookies and policies may add dozens.
const MAX_LEN: u64 = 256 << 10;

#[derive(Debug, Default)]
pub(super) struct Header {
    /// The line before the fields.
    pub(super) first_line: String,
    /// Names in lower case.
    fields: Vec<(String, String)>,
}

impl Header {
    /// Read up to and with the empty line that ends a header. None if its first line starts in another way, or if it
    /// does not end, or not soon enough.
    pub(super) fn read(bytes: &mut impl BufRead, start: &str) -> io::Result<Option<Header>> {
        let mut bytes = bytes.take(MAX_LEN);
        let first_line = read_line(&mut bytes)?.filter(|line| line.starts_with(start));
        let Some(first_line) = first_line else { return Ok(None) };
        let mut header = Header { first_line, fields: Vec::new() };
        loop {
            let Some(line) = read_line(&mut bytes)? else { return Ok(None) };
            if line.is_empty() {
                return Ok(Some(header));
            }
            header.push(&line);
        }
    }

    /// A field's value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.as_str())
    }

    /// All fields, names in lower case.
    pub(super) fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// Lines that are no fields are passed over, as browsers do.
    fn push(&mut self, line: &str) {
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = self.fields.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            self.fields.push((name.trim_end().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
}

/// A line without its end; none if the bytes end first.
fn read_line(bytes: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    bytes.read_until(b'\n', &mut line)?;
    let Some(line) = line.strip_suffix(b"\n") else { return Ok(None) };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Ok(Some(String::from_utf8_lossy(line).into_owned()))
}
