//! Stretches of source up to a byte: one look finds their end and whether they need decoding.
//!
//! Most stretches are short, texts and attribute values of a dozen bytes, where the start-up of a vectorised search costs
//! more than the search. So the first bytes are looked at as numbers of eight, and only what is longer is left to
//! `memchr`.

use super::chars::{self, References};
use memchr::memchr;

/// A stretch of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Where the byte stands that ends it.
    pub(crate) end: usize,
    /// Whether it holds a `&`, a carriage return or a NUL.
    pub(crate) is_special: bool,
}

/// How many bytes are looked at by eights.
const SHORT: usize = 64;

/// The stretch from `start` up to the first `until`; none if there is none.
#[inline]
pub(crate) fn up_to(bytes: &[u8], start: usize, until: u8) -> Option<Stretch> {
    let untils = splat(until);
    let mut special = 0;
    let mut position = start;
    while position < start + SHORT
        && let Some(word) = load(bytes, position)
    {
        let ends = zeros(word ^ untils);
        let specials = zeros(word) | zeros(word ^ splat(b'&')) | zeros(word ^ splat(b'\r'));
        if ends != 0 {
            let before_end = (ends & ends.wrapping_neg()) - 1;
            let end = position + ends.trailing_zeros() as usize / 8;
            return Some(Stretch { end, is_special: special | specials & before_end != 0 });
        }
        special |= specials;
        position += 8;
    }
    long(bytes, position, until, special != 0)
}

/// The rest of a stretch.
fn long(bytes: &[u8], start: usize, until: u8, is_special: bool) -> Option<Stretch> {
    let rest = bytes.get(start..)?;
    let len = memchr(until, rest)?;
    let is_special = is_special || chars::is_special(&rest[..len], References::Decode);
    Some(Stretch { end: start + len, is_special })
}

/// Where the first byte stands that needs decoding, if it is among the first; otherwise how many were looked at. A `&` may be
/// one that is kept.
#[inline]
pub(super) fn special(bytes: &[u8], is_reference_kept: bool) -> Result<usize, usize> {
    let mut position = 0;
    while position < SHORT / 2
        && let Some(word) = load(bytes, position)
    {
        let references = if is_reference_kept { 0 } else { zeros(word ^ splat(b'&')) };
        let specials = zeros(word) | zeros(word ^ splat(b'\r')) | references;
        if specials != 0 {
            return Ok(position + specials.trailing_zeros() as usize / 8);
        }
        position += 8;
    }
    Err(position)
}

/// Where a name ends that goes on at `start`: at the first byte that `is_end` tells, or with the page. Letters and
/// digits are passed over by eights.
#[inline]
pub(super) fn name_end(bytes: &[u8], start: usize, is_end: impl Fn(u8) -> bool) -> usize {
    let mut position = start;
    while let Some(word) = load(bytes, position) {
        let suspects = below_digits(word) | zeros(word ^ splat(b'=')) | zeros(word ^ splat(b'>'));
        if suspects == 0 {
            position += 8;
            continue;
        }
        position += suspects.trailing_zeros() as usize / 8;
        if is_end(bytes[position]) {
            return position;
        }
        position += 1;
    }
    let rest = &bytes[position.min(bytes.len())..];
    let found = rest.iter().position(|byte| is_end(*byte));
    found.map_or(bytes.len(), |found| position + found)
}

#[inline]
fn load(bytes: &[u8], start: usize) -> Option<u64> {
    bytes.get(start..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

const fn splat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The high bits of bytes that are zero. Right up to the first of these; above it there may be others.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(splat(1)) & !word & splat(0x80)
}

/// The high bits of bytes below `0`, where all that ends a name stands but `=` and `>`. Right up to the first, too.
#[inline]
fn below_digits(word: u64) -> u64 {
    word.wrapping_sub(splat(b'0')) & !word & splat(0x80)
}

#[cfg(test)]
mod tests {
    use super::{special as special_of, *};

    #[test]
    fn stretches_end_where_they_should_at_any_length() {
        for len in 0..100 {
            for (inside, is_special) in
                [("a", false), ("é", false), ("&", true), ("\r", true), ("\0", true)]
            {
                for at in 0..=len {
                    let text = "x".repeat(at) + inside + &"x".repeat(len - at);
                    let end = text.len();
                    let bytes = (text + "<&\r\0<&&").into_bytes();
                    let found = up_to(&bytes, 0, b'<');
                    assert_eq!(found, Some(Stretch { end, is_special }), "{len} {at} {inside:?}");
                    assert_eq!(up_to(&bytes[..end], 0, b'<'), None);
                }
            }
        }
    }

    #[test]
    fn special_bytes_are_found_at_any_place() {
        for len in 0..100 {
            for (special, is_kept) in [("&", true), ("&", false), ("\r", true), ("\0", false)] {
                let bytes = ("x".repeat(len) + special + "\r&\0&&xxxx").into_bytes();
                let expected = len + usize::from(special == "&" && is_kept);
                match special_of(&bytes, is_kept) {
                    Ok(found) => assert_eq!(found, expected),
                    Err(n_seen) => assert!(n_seen <= expected && n_seen >= expected.min(32) - 7),
                }
            }
        }
    }

    #[test]
    fn names_end_where_they_should_at_any_length() {
        let is_end = |byte| matches!(byte, b' ' | b'=' | b'>');
        for len in 0..40 {
            for (name, rest) in [
                ("x", ""),
                ("x", ">"),
                ("x", "=1 a=b c=d"),
                ("-", " x-y"),
                ("é", " "),
                ("<", ">>>>>>>>>"),
            ] {
                let name = name.repeat(len);
                let bytes = (name.clone() + rest).into_bytes();
                assert_eq!(name_end(&bytes, 0, is_end), name.len());
            }
        }
    }
}
