//! Texts as they are compared and cut: keys, words, pieces.

use crate::day::Day;
use foldhash::fast::FixedState;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Maps and sets that hash alike in every run.
pub(crate) type Map<K, V> = HashMap<K, V, FixedState>;
pub(crate) type Set<T> = HashSet<T, FixedState>;

/// What introduces a value inside a text: `by`, `our price`.
pub(crate) type Introductions = Set<String>;

/// Letters and digits, in lower case: what remains of a text when it is compared.
pub(crate) fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    write_key(text, &mut key);
    key
}

/// The same, into a text that was made before.
pub(crate) fn write_key(text: &str, key: &mut String) {
    key.clear();
    if text.is_ascii() {
        words_of_ascii(text).for_each(|word| key.push_str(word));
        key.make_ascii_lowercase();
    } else {
        key.extend(text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase));
    }
}

/// The words of a text, in lower case, with blanks between them.
pub(crate) fn phrase(text: &str) -> String {
    let mut phrase = String::with_capacity(text.len());
    write_phrase(text, &mut phrase);
    phrase
}

/// The same, into a text that was made before.
pub(crate) fn write_phrase(text: &str, phrase: &mut String) {
    phrase.clear();
    if !text.is_ascii() {
        words(text).for_each(|word| push_word(word, phrase));
        return;
    }
    for word in words_of_ascii(text) {
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        phrase.push_str(word);
    }
    phrase.make_ascii_lowercase();
}

/// Append a word to a phrase.
fn push_word(word: &str, phrase: &mut String) {
    if !phrase.is_empty() {
        phrase.push(' ');
    }
    let start = phrase.len();
    if word.is_ascii() {
        phrase.push_str(word);
        phrase[start..].make_ascii_lowercase();
    } else {
        phrase.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// A word in lower case, into a text that was made before.
pub(crate) fn write_lower(word: &str, lower: &mut String) {
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        // A word at a time: how a letter is written may depend on where it stands.
        lower.push_str(&word.to_lowercase());
    }
}

/// The words of a text of ASCII alone, as most are: told by bytes, they cost a tenth.
fn words_of_ascii(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |byte: &u8| !byte.is_ascii_alphanumeric();
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.bytes().position(|it| it.is_ascii_alphanumeric())?;
        let len = rest.as_bytes()[start..].iter().position(is_mark).unwrap_or(rest.len() - start);
        let word = &rest[start..start + len];
        rest = &rest[start + len..];
        Some(word)
    })
}

/// The words of a text as they are.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// No introduction has more words.
const MAX_INTRO_WORDS: usize = 4;

/// Marks that part one value from the next where they stand between blanks; the first ones always do.
const ALWAYS: &[char] = &['|', '•', '·', '»', '›', '／', '｜', '▪', '●'];
const BETWEEN_BLANKS: &[char] = &['-', '–', '—', '/', '~', '*', '+', '>', '<'];

/// Tell `each` of the parts of a text that may each be a value, with what introduces each. None if the text is one value.
pub(crate) fn pieces<'t>(
    text: &'t str,
    days: &[(Range<usize>, Day)],
    introductions: &Introductions,
    mut each: impl FnMut(&'t str, &'t str),
) {
    let mut phrase = String::new();
    let mut part = |part: &'t str| {
        let (intro, piece) = introduced(part, introductions, &mut phrase);
        if !piece.is_empty() && piece != text {
            each(intro, piece);
        }
    };
    let mut start = 0;
    for (place, _) in days {
        split(&text[start..place.start], &mut part);
        part(&text[place.clone()]);
        start = place.end;
    }
    split(&text[start..], &mut part);
}

/// What the marks between values part, without them.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = Vec::new();
    split(text, |part| parts.push(part));
    parts.into_iter().map(trim).filter(|part| !part.is_empty())
}

fn split<'t>(text: &'t str, mut each: impl FnMut(&'t str)) {
    let mut start = 0;
    for (place, mark) in text.char_indices().filter(|(_, c)| !c.is_ascii_alphanumeric()) {
        let end = place + mark.len_utf8();
        let is_apart = || {
            let before = text[..place].chars().next_back().is_none_or(char::is_whitespace);
            let after = text[end..].chars().next().is_none_or(char::is_whitespace);
            before && after
        };
        if mark != ' ' && (ALWAYS.contains(&mark) || BETWEEN_BLANKS.contains(&mark) && is_apart()) {
            each(&text[start..place]);
            start = end;
        }
    }
    each(&text[start..]);
}

/// A part without punctuation at its ends, and parted from the words that introduce it, if they do. `phrase` is for the words
/// so far.
fn introduced<'t>(
    part: &'t str,
    introductions: &Introductions,
    phrase: &mut String,
) -> (&'t str, &'t str) {
    let part = trim(part);
    let mut best = 0;
    let mut n_words = 0;
    let mut word = None;
    phrase.clear();
    for (place, c) in part.char_indices() {
        if c.is_alphanumeric() {
            word.get_or_insert(place);
            continue;
        }
        if let Some(start) = word.take() {
            n_words += 1;
            push_word(&part[start..place], phrase);
            // A colon introduces whatever stands before it.
            if matches!(c, ':' | '：') || introductions.contains(phrase.as_str()) {
                best = place;
            }
        }
        if n_words >= MAX_INTRO_WORDS {
            break;
        }
    }
    (&part[..best], trim(&part[best..]))
}

/// Without blanks and marks around it.
pub(crate) fn trim(text: &str) -> &str {
    let is_edge = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | ';'
                    | ':'
                    | '：'
                    | '|'
                    | '-'
                    | '–'
                    | '—'
                    | '·'
                    | '•'
                    | '/'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '*'
            )
    };
    text.trim_matches(is_edge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::{self, Order};

    fn check(text: &str, expected: &[(&str, &str)]) {
        let known = ["by", "written by", "price"].map(str::to_owned).into_iter().collect();
        let mut found = Vec::new();
        let days = day::days(text, Order::MonthFirst);
        pieces(text, &days, &known, |intro, piece| found.push((intro, piece)));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn texts_fall_into_pieces() {
        check("By Ann Lee | May 3, 2024", &[("By", "Ann Lee"), ("", "May 3, 2024")]);
        check("Written by: Ann Lee", &[("Written by", "Ann Lee")]);
        check("May 3, 2024 by Ann Lee", &[("", "May 3, 2024"), ("by", "Ann Lee")]);
        check("Price: $5", &[("Price", "$5")]);
        check("Ann Lee", &[]);
        check("Bystander", &[]);
        check("", &[]);
    }

    #[test]
    fn keys_and_phrases_drop_what_does_not_count() {
        assert_eq!(key("Our Price: $5.00"), "ourprice500");
        assert_eq!(phrase("  Our PRICE:"), "our price");
    }
}
