//! Comments, doctypes and CDATA: everything that opens with `<!` or looks as if.

use super::chars::{self, Nulls, References};
use super::{Tokenizer, is_space};
use crate::build::DoctypeToken;
use crate::tree::{Slice, Span, offset};
use memchr::{memchr, memchr_iter, memmem};

impl Tokenizer<'_> {
    /// The cursor stands on `<!`.
    pub(super) fn declaration(&mut self) {
        let rest = &self.bytes[self.position + 2..];
        if rest.starts_with(b"--") {
            self.comment();
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.doctype();
        } else if rest.starts_with(b"[CDATA[") && self.gate.is_foreign() {
            self.cdata();
        } else {
            self.bogus_comment(2);
        }
    }

    fn comment(&mut self) {
        let start = self.position + 4;
        let (len, n_read) = comment_len(&self.bytes[start..]);
        self.emit_comment(start, start + len, start + n_read);
    }

    /// Something that is no markup, up to the next `>`.
    pub(super) fn bogus_comment(&mut self, skip: usize) {
        let start = self.position + skip;
        let found = memchr(b'>', &self.bytes[start..]);
        let end = found.map_or(self.bytes.len(), |found| start + found);
        self.emit_comment(start, end, end + usize::from(found.is_some()));
    }

    fn emit_comment(&mut self, start: usize, end: usize, next: usize) {
        let span = Span::new(self.position, next);
        let text = if chars::is_special(&self.bytes[start..end], References::Keep) {
            chars::decode(self.gate.arena(), start, end, References::Keep)
        } else {
            Slice { start: offset(start), len: offset(end - start) }
        };
        self.gate.comment(text, span);
        self.position = next;
    }

    fn cdata(&mut self) {
        let start = self.position + "<![CDATA[".len();
        let found = memmem::find(&self.bytes[start..], b"]]>");
        let end = found.map_or(self.bytes.len(), |found| start + found);
        self.text(start, end, References::Keep, Nulls::Token);
        self.position = found.map_or(end, |_| end + 3);
    }

    fn doctype(&mut self) {
        let start = self.position + "<!doctype".len();
        let found = memchr(b'>', &self.bytes[start..]);
        let end = found.map_or(self.bytes.len(), |found| start + found);
        let declaration = chars::decoded(&self.source[start..end], References::Keep);
        self.gate.doctype(doctype(&declaration, found.is_some()));
        self.position = end + usize::from(found.is_some());
    }
}

/// How long a comment's text is, and how much of `bytes` it takes with its end.
pub(crate) fn comment_len(bytes: &[u8]) -> (usize, usize) {
    for opening in [&b">"[..], b"->"] {
        if bytes.starts_with(opening) {
            return (0, opening.len());
        }
    }
    for close in memchr_iter(b'>', bytes) {
        for dashes in [&b"--"[..], b"--!"] {
            if bytes[..close].ends_with(dashes) {
                return (close - dashes.len(), close + 1);
            }
        }
    }
    let half_closed = [&b"--!"[..], b"--", b"-"].into_iter().find(|end| bytes.ends_with(end));
    (bytes.len() - half_closed.map_or(0, <[u8]>::len), bytes.len())
}

/// Read what stands between `<!doctype` and its `>`, or the end of the page.
pub(crate) fn doctype(declaration: &str, is_closed: bool) -> DoctypeToken {
    let mut doctype = DoctypeToken { force_quirks: !is_closed, ..DoctypeToken::default() };
    let rest = declaration.trim_start_matches(is_space_char);
    let name_len = rest.find(is_space_char).unwrap_or(rest.len());
    if name_len == 0 {
        doctype.force_quirks = true;
        return doctype;
    }
    doctype.name = Some(rest[..name_len].to_ascii_lowercase());
    let rest = rest[name_len..].trim_start_matches(is_space_char);
    if rest.is_empty() {
        return doctype;
    }
    let Some((keyword, rest)) = rest.split_at_checked(6) else { return bogus(doctype) };
    if keyword.eq_ignore_ascii_case("public") {
        public_identifier(doctype, rest)
    } else if keyword.eq_ignore_ascii_case("system") {
        system_identifier(doctype, rest, Missing::Error)
    } else {
        bogus(doctype)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Error,
    Fine,
}

fn public_identifier(mut doctype: DoctypeToken, rest: &str) -> DoctypeToken {
    let Some((identifier, rest)) = quoted(rest) else { return bogus(doctype) };
    doctype.public = Some(identifier.into());
    match rest {
        Some(rest) => system_identifier(doctype, rest, Missing::Fine),
        None => bogus(doctype),
    }
}

fn system_identifier(mut doctype: DoctypeToken, rest: &str, missing: Missing) -> DoctypeToken {
    let is_empty = rest.trim_start_matches(is_space_char).is_empty();
    if is_empty && missing == Missing::Fine {
        return doctype;
    }
    let Some((identifier, rest)) = quoted(rest) else { return bogus(doctype) };
    doctype.system = Some(identifier.into());
    match rest {
        // Whatever follows is passed over, and an end of page in it is no harm either.
        Some(rest) => {
            doctype.force_quirks &= rest.trim_start_matches(is_space_char).is_empty();
            doctype
        }
        None => bogus(doctype),
    }
}

/// An identifier, and what follows it if it was closed.
fn quoted(rest: &str) -> Option<(&str, Option<&str>)> {
    let rest = rest.trim_start_matches(is_space_char);
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let rest = &rest[1..];
    match rest.split_once(quote) {
        Some((identifier, rest)) => Some((identifier, Some(rest))),
        None => Some((rest, None)),
    }
}

fn bogus(doctype: DoctypeToken) -> DoctypeToken {
    DoctypeToken { force_quirks: true, ..doctype }
}

fn is_space_char(character: char) -> bool {
    u8::try_from(character).is_ok_and(is_space)
}
