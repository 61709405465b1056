//! Ordered word lists with a cheap filter, and the words that a value may hold at all.

use std::cmp::Ordering;

use super::{calendar, number, unit};

/// A list of lower-case words in order, looked up in any case.
pub(super) struct Words {
    list: &'static [&'static str],
    /// The last letters of the words, by their length and first letter, as sets of bits.
    /// Nearly all words that are not in a list end here, before the search.
    ends: [u32; N_HEADS],
}

const N_HEADS: usize = 128;

/// Where the words of that length and first letter are in [`Words::ends`].
const fn head(len: usize, first: u32) -> usize {
    (len % 4 * 32) + (first as usize % 32)
}

impl Words {
    pub(super) const fn new(list: &'static [&'static str]) -> Words {
        let mut ends = [0; N_HEADS];
        let mut idx = 0;
        while idx < list.len() {
            let (len, first, end) = shape(list[idx].as_bytes());
            ends[head(len, first)] |= 1 << (end % 32);
            idx += 1;
        }
        Words { list, ends }
    }

    pub(super) fn contain(&self, word: &[char]) -> bool {
        let ([first, ..], [.., last]) = (word, word) else {
            return false;
        };
        let ends = self.ends[head(word.len(), lower(*first) as u32)];
        ends >> (lower(*last) as u32 % 32) & 1 == 1 && self.search(word)
    }

    fn search(&self, word: &[char]) -> bool {
        self.list.binary_search_by(|entry| compare(entry, word)).is_ok()
    }

    #[cfg(test)]
    pub(super) fn list(&self) -> &'static [&'static str] {
        self.list
    }
}

/// The number of characters of a word, and the low bits of the first and the last one. UTF-8 keeps
/// those in the last byte of each character.
const fn shape(word: &[u8]) -> (usize, u32, u32) {
    let (mut len, mut first, mut idx) = (0, 0, 0);
    while idx < word.len() {
        let is_last_byte = idx + 1 == word.len() || word[idx + 1] & 0xC0 != 0x80;
        if is_last_byte && len == 0 {
            first = word[idx] as u32;
        }
        len += is_last_byte as usize;
        idx += 1;
    }
    (len, first, word[word.len() - 1] as u32)
}

/// Compares a lower-case word with one in any case. By hand, as `Iterator::cmp` took twice as long.
pub(super) fn compare(entry: &str, word: &[char]) -> Ordering {
    let mut expected = entry.chars();
    for c in word {
        match expected.next().map(|e| e.cmp(&lower(*c))) {
            Some(Ordering::Equal) => {}
            Some(order) => return order,
            None => return Ordering::Less,
        }
    }
    if expected.next().is_some() { Ordering::Greater } else { Ordering::Equal }
}

fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

/// Whether all longer words of the text are ones that some grammar knows. Most texts with digits
/// are names and sentences, and are told by their first long word.
///
/// The scripts of East Asia put no blanks between words and are let through.
pub(super) fn are_known(text: &[char]) -> bool {
    let is_judged = |word: &&[char]| word.len() >= LONG && word.iter().all(|c| *c < EAST_ASIAN);
    text.split(|c| !c.is_alphabetic()).filter(is_judged).all(is_known)
}

/// Shorter words may be units, zones or parts of codes.
const LONG: usize = 4;

const EAST_ASIAN: char = '\u{2E80}';

fn is_known(word: &[char]) -> bool {
    ALL.iter().any(|words| words.contain(word))
}

pub(super) static ALL: [&Words; 11] = [
    &calendar::MONTHS,
    &calendar::NAMED_DAYS,
    &unit::UNITS,
    &unit::TIME_UNITS,
    &unit::CURRENCY_WORDS,
    &unit::CURRENCY_CODES,
    &unit::CURRENCY_PREFIXES,
    &unit::DOLLAR_COUNTRIES,
    &unit::PERCENT,
    &number::SCALES,
    &LINKS,
];

/// Zones, prepositions and other words that the grammars spell out where they need them.
#[rustfmt::skip]
static LINKS: Words = Words::new(&[
    "acst", "aedt", "aest", "akdt", "akst", "awst", "cent", "cest", "cubic", "eest", "gegen",
    "hace", "mesz", "nzst", "square", "west", "года", "назад",
]);
