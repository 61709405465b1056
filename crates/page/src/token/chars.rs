//! Text as written to text as meant: character references, newlines, NUL.

use super::{named, stretch};
use crate::arena::Arena;
use crate::tree::Slice;
use encoding_rs::WINDOWS_1252;
use memchr::{memchr2, memchr3};

/// What `&` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum References {
    Keep,
    Decode,
    /// In an attribute, `&copy=1` is a part of a URL and not a sign.
    DecodeInAttribute,
}

/// What NUL becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nulls {
    /// U+FFFD
    Replace,
    /// A token of its own.
    Token,
}

/// Whether anything in the text needs decoding.
#[inline]
pub(crate) fn is_special(raw: &[u8], references: References) -> bool {
    /// Below this length a plain loop beats the start-up of a vectorised search.
    const SHORT: usize = 16;
    if raw.len() <= SHORT {
        let keeps = references == References::Keep;
        return raw.iter().any(|byte| matches!(byte, b'\r' | 0) || *byte == b'&' && !keeps);
    }
    next_special(raw, references).is_some()
}

/// The source between two places with references resolved, newlines made `\n` and NUL made U+FFFD.
pub(super) fn decode(
    arena: &mut Arena<'_>,
    start: usize,
    end: usize,
    references: References,
) -> Slice {
    let slice_start = arena.end_of_decoded();
    push_decoded(&mut arena.decoded, &arena.source[start..end], references);
    arena.decoded_since(slice_start)
}

/// The same for a text apart.
pub(super) fn decoded(raw: &str, references: References) -> String {
    let mut text = String::new();
    push_decoded(&mut text, raw, references);
    text
}

/// Append a text with references resolved, newlines made `\n` and NUL made U+FFFD.
pub(crate) fn push_decoded(text: &mut String, raw: &str, references: References) {
    text.reserve(raw.len());
    let mut rest = raw;
    while let Some(found) = next_special(rest.as_bytes(), references) {
        text.push_str(&rest[..found]);
        let special = rest.as_bytes()[found];
        rest = &rest[found + 1..];
        match special {
            b'\r' => {
                text.push('\n');
                rest = rest.strip_prefix('\n').unwrap_or(rest);
            }
            0 => text.push('\u{FFFD}'),
            _ => rest = &rest[push_reference(text, rest, references)..],
        }
    }
    text.push_str(rest);
}

fn next_special(rest: &[u8], references: References) -> Option<usize> {
    let is_kept = references == References::Keep;
    // Most are near, references in an address above all.
    let near = match stretch::special(rest, is_kept) {
        Ok(found) => return Some(found),
        Err(n_seen) => n_seen,
    };
    let rest = &rest[near..];
    let found = if is_kept { memchr2(b'\r', 0, rest) } else { memchr3(b'&', b'\r', 0, rest) };
    found.map(|found| near + found)
}

/// Push what a reference stands for, `rest` being what follows its `&`, and return how much of it was read. What is
/// no reference is pushed as the `&` it is.
fn push_reference(text: &mut String, rest: &str, references: References) -> usize {
    let bytes = rest.as_bytes();
    let read = match bytes.first() {
        Some(b'#') => numeric(text, &bytes[1..]).map(|n| n + 1),
        // No name is shorter than two letters; `?a=1&b=2` is not looked up.
        Some(_) if bytes.iter().take(2).all(u8::is_ascii_alphanumeric) => {
            named(text, rest, references)
        }
        _ => None,
    };
    read.unwrap_or_else(|| {
        text.push('&');
        0
    })
}

fn numeric(text: &mut String, bytes: &[u8]) -> Option<usize> {
    let (base, prefix_len) = match bytes.first()? {
        b'x' | b'X' => (16, 1),
        _ => (10, 0),
    };
    let digits = &bytes[prefix_len..];
    let is_digit = |byte: &u8| (*byte as char).is_digit(base);
    let n_digits = digits.iter().position(|byte| !is_digit(byte)).unwrap_or(digits.len());
    if n_digits == 0 {
        return None;
    }
    let code = digits[..n_digits].iter().fold(0_u32, |code, byte| {
        let digit = (*byte as char).to_digit(base).unwrap_or_default();
        code.saturating_mul(base).saturating_add(digit)
    });
    text.push(character(code));
    let semicolon = usize::from(digits.get(n_digits) == Some(&b';'));
    Some(prefix_len + n_digits + semicolon)
}

/// Numbers of the windows-1252 range mean its characters, as pages expect.
fn character(code: u32) -> char {
    let replaced = match u8::try_from(code) {
        Ok(0) => None,
        Ok(byte @ 0x80..=0x9F) => WINDOWS_1252.decode(&[byte]).0.chars().next(),
        _ => char::from_u32(code),
    };
    replaced.unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn named(text: &mut String, rest: &str, references: References) -> Option<usize> {
    if let Some((character, len)) = common(rest) {
        text.push(character);
        return Some(len);
    }
    if references == References::DecodeInAttribute && is_parameter(rest.as_bytes()) {
        return None;
    }
    let (len, characters) = named::longest(rest)?;
    let is_closed = rest.as_bytes()[len - 1] == b';';
    let next = rest.as_bytes().get(len);
    let goes_on = next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
    if references == References::DecodeInAttribute && !is_closed && goes_on {
        return None;
    }
    text.extend(characters);
    Some(len)
}

/// Whether this is a part of a URL, `&size=`: no reference that ends within the name or with it counts.
fn is_parameter(rest: &[u8]) -> bool {
    rest.iter().find(|byte| !byte.is_ascii_alphanumeric()) == Some(&b'=')
}

/// Nearly all named references of real pages, without asking the table.
fn common(rest: &str) -> Option<(char, usize)> {
    match rest.as_bytes() {
        [b'a', b'm', b'p', b';', ..] => Some(('&', 4)),
        [b'n', b'b', b's', b'p', b';', ..] => Some(('\u{A0}', 5)),
        [b'q', b'u', b'o', b't', b';', ..] => Some(('"', 5)),
        [b'l', b't', b';', ..] => Some(('<', 3)),
        [b'g', b't', b';', ..] => Some(('>', 3)),
        [b'c', b'o', b'p', b'y', b';', ..] => Some(('\u{A9}', 5)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, text: &str, attribute: &str) {
        assert_eq!(decoded(raw, References::Decode), text);
        assert_eq!(decoded(raw, References::DecodeInAttribute), attribute);
    }

    #[test]
    fn references() {
        check("&amp;&lt&gt;", "&<>", "&<>");
        check("&notit; &notin; &not", "¬it; ∉ ¬", "&notit; ∉ ¬");
        check("?a=1&copy=2&copy;", "?a=1©=2©", "?a=1&copy=2©");
        check("&#65;&#x42;&#67x&#;&#x;&;& &", "ABCx&#;&#x;&;& &", "ABCx&#;&#x;&;& &");
        check(
            "&#128;&#0;&#xD800;&#99999999999;",
            "€\u{FFFD}\u{FFFD}\u{FFFD}",
            "€\u{FFFD}\u{FFFD}\u{FFFD}",
        );
        check("&acE;&é&ampé", "\u{223E}\u{333}&é&é", "\u{223E}\u{333}&é&é");
    }

    #[test]
    fn newlines_and_nulls() {
        check("a\r\nb\rc\n\0", "a\nb\nc\n\u{FFFD}", "a\nb\nc\n\u{FFFD}");
        assert_eq!(decoded("&amp;\r", References::Keep), "&amp;\n");
    }
}
