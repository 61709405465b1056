//! Where raw text ends.

use super::is_space;
use memchr::{memchr, memchr2};

/// The `<` of the first `</name` at or after `start` that is a whole tag name.
pub(crate) fn end_tag(bytes: &[u8], start: usize, name: &str) -> Option<usize> {
    let mut search = start;
    while let Some(found) = memchr(b'<', &bytes[search..]) {
        let open = search + found;
        if is_tag(&bytes[open + 1..], b"/", name) {
            return Some(open);
        }
        search = open + 1;
    }
    None
}

/// How far into `<!-- <script> … </script> -->` we are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Not in a comment.
    Plain,
    /// In a comment: `</script` ends the element.
    Escaped,
    /// In a comment and in a `<script` inside it: `</script` ends that one only.
    DoubleEscaped,
}

/// The `<` of the end tag of a script: the script data states, of which only those transitions
/// matter that change whether an end tag counts.
pub(crate) fn script_end(bytes: &[u8], start: usize, name: &str) -> Option<usize> {
    let mut escape = Escape::Plain;
    let mut position = start;
    loop {
        let found = match escape {
            Escape::Plain => memchr(b'<', &bytes[position..]),
            _ => memchr2(b'<', b'-', &bytes[position..]),
        };
        position += found?;
        let rest = &bytes[position + 1..];
        if bytes[position] == b'-' {
            if rest.starts_with(b"->") {
                escape = Escape::Plain;
                position += 2;
            }
        } else {
            match escape {
                Escape::Plain | Escape::Escaped if is_tag(rest, b"/", name) => {
                    return Some(position);
                }
                // The dashes may be those of the end, so they are looked at again.
                Escape::Plain if rest.starts_with(b"!--") => {
                    escape = Escape::Escaped;
                    position += 1;
                }
                Escape::Escaped if is_tag(rest, b"", "script") => escape = Escape::DoubleEscaped,
                Escape::DoubleEscaped if is_tag(rest, b"/", "script") => escape = Escape::Escaped,
                _ => {}
            }
        }
        position += 1;
    }
}

/// Whether `prefix`, then `name` as a whole word, stand at the start.
fn is_tag(rest: &[u8], prefix: &[u8], name: &str) -> bool {
    let Some(rest) = rest.strip_prefix(prefix) else { return false };
    let Some((word, rest)) = rest.split_at_checked(name.len()) else { return false };
    word.eq_ignore_ascii_case(name.as_bytes())
        && rest.first().is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
}
