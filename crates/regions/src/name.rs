//! Names of people in texts.
//!
//! A text goes in; out comes where in it a person's name stands and how much speaks for that it is one, as log-odds. Degrees, titles and
//! forms of address around it are left out (`Prof. Dr. Eva Berg, Ph.D.`), `Last, First` is one name, and what follows the name is told, so
//! that `Eva Berg, Professor` is read and `Eva Berg won a prize` is not.

mod east_asian;
mod part;
mod run;
mod weigh;

pub(crate) use east_asian::is_east_asian;

use crate::dictionary::Dictionary;
use crate::dictionary::fold::{Folded, fold_into};
use part::Part;
use std::ops::Range;

/// What a text is beside the name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// Nothing; or degrees and forms of address.
    Whole,
    /// What is known to stand beside names: a title, an e-mail address, a telephone number.
    Described,
    /// Something else, after a comma or the like.
    Followed,
    /// It goes on as a sentence would.
    Prose,
    /// A single word, which may be half of a name.
    Half,
}

/// A name in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NameReading {
    /// As written, without titles and degrees; empty where nothing speaks for a name.
    pub(crate) name: String,
    /// Where it stands in the text, from its first to its last word.
    pub(crate) place: Range<usize>,
    /// How much speaks for a name: log-odds, without what stands around the text.
    pub(crate) odds: f64,
    pub(crate) form: Form,
    /// Where a title stands before it, if one does.
    pub(crate) title: Option<Range<usize>>,
    /// How many words the person is called by; the letters of a script without blanks count as two.
    pub(crate) n_words: usize,
    /// Where the text goes on after it, separators left out.
    pub(crate) rest: usize,
}

/// The name of a person that a text starts with, titles left out, and how probable it is that it is one, by the text alone.
///
/// ```
/// let known = regions::Dictionary::built_in();
/// let (name, probability) = regions::name_in("Prof. Maria Rossi, Ph.D.", &known).unwrap();
/// assert_eq!(name, "Maria Rossi");
/// assert!(probability > 0.9);
/// ```
pub fn name_in<'t>(text: &'t str, dictionary: &Dictionary) -> Option<(&'t str, f64)> {
    let reading = NameReader::new(dictionary).read(text).filter(|it| it.n_words > 1)?;
    Some((text.get(reading.place)?, crate::place::probability(reading.odds)))
}

/// Whether a text is the name of a person and nothing else, but for titles and degrees.
///
/// ```
/// let known = regions::Dictionary::built_in();
/// assert!(regions::is_name("Rossi, Maria", &known));
/// assert!(!regions::is_name("Research Groups", &known));
/// assert!(!regions::is_name("Maria Rossi, News", &known));
/// ```
pub fn is_name(text: &str, dictionary: &Dictionary) -> bool {
    let reading = NameReader::new(dictionary).read(text);
    reading.is_some_and(|it| it.n_words > 1 && it.form == Form::Whole && it.odds > 0.0)
}

/// Texts with less than this for them are not worth a name.
pub(crate) const LEAST_ODDS: f64 = -6.0;

/// Longer texts are not half a name.
pub(crate) const HALF_BYTES: usize = 24;

/// Longer texts are looked at up to here: a name that is worth finding stands at the start.
const MAX_BYTES: usize = 80;

/// Reads names; holds memory that texts share.
pub(crate) struct NameReader<'d> {
    dictionary: &'d Dictionary,
    parts: Vec<Part>,
    folded: Folded,
}

impl<'d> NameReader<'d> {
    pub(crate) fn new(dictionary: &'d Dictionary) -> NameReader<'d> {
        NameReader { dictionary, parts: Vec::new(), folded: Folded::default() }
    }

    /// The name that a text starts with, titles left out.
    pub(crate) fn read(&mut self, text: &str) -> Option<NameReading> {
        let (text, start) = without_number(text);
        let found = self.read_from_start(text)?;
        Some(found.moved(start))
    }

    fn read_from_start(&mut self, text: &str) -> Option<NameReading> {
        let head = cut(text, MAX_BYTES);
        if !may_start_a_name(head) || goes_on_as_prose(head, text.len() > head.len()) {
            return None;
        }
        part::scan(head, &mut self.parts);
        if self.parts.iter().take(2).any(|it| it.is_word() && is_east_asian_word(it.text(head))) {
            return east_asian::read(head, &self.parts, self.dictionary);
        }
        fold_into(head, &mut self.folded);
        part::know(head, &mut self.parts, &self.folded, self.dictionary);
        run::read(head, text.len() > head.len(), &self.parts, &self.folded, self.dictionary)
    }
}

impl NameReading {
    /// The same in a text that has so many bytes more before it.
    fn moved(self, n_bytes: usize) -> NameReading {
        let moved = |range: Range<usize>| range.start + n_bytes..range.end + n_bytes;
        NameReading {
            place: moved(self.place),
            title: self.title.map(moved),
            rest: self.rest + n_bytes,
            ..self
        }
    }
}

/// A text without the number that an item of a list starts with, and how many bytes that has.
fn without_number(text: &str) -> (&str, usize) {
    let after = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let n_digits = text.len() - after.len();
    match after.strip_prefix(['.', ')']).map(str::trim_start) {
        Some(rest) if (1..=3).contains(&n_digits) => (rest, text.len() - rest.len()),
        _ => (text, 0),
    }
}

fn is_east_asian_word(word: &str) -> bool {
    word.chars().next().is_some_and(is_east_asian)
}

/// Most texts of a page are no names, and told by how they start: with no letter, or as an address does.
fn may_start_a_name(text: &str) -> bool {
    let marks = [' ', '"', '“', '(', '*', '†', '‡', '•', '·', '-', '–'];
    let Some(start) = text.find(|letter: char| !marks.contains(&letter)) else { return false };
    let starts_with_letter = text[start..].chars().next().is_some_and(char::is_alphabetic);
    let first = &text.as_bytes()[start..];
    let n_bytes = first.iter().position(|byte| *byte == b' ').unwrap_or(first.len());
    starts_with_letter && !first[..n_bytes].iter().any(|byte| matches!(byte, b'@' | b'/'))
}

/// Whether the second and the third word of a longer text are in lower case, or a long text is not parted early: nothing that
/// starts with a name does so.
fn goes_on_as_prose(head: &str, is_cut: bool) -> bool {
    let mut words = head.split_ascii_whitespace().skip(1);
    let mut is_small = || {
        words
            .next()
            .is_some_and(|word| word.len() > 3 && word.bytes().all(|it| it.is_ascii_lowercase()))
    };
    let is_sentence = is_small() && is_small();
    let is_parted = || head.contains([',', '(', ':', '|', ';', '–', '—', '-', '/']);
    is_sentence || is_cut && !is_parted()
}

fn cut(text: &str, n_bytes: usize) -> &str {
    if text.len() <= n_bytes {
        return text;
    }
    let end = (0..=n_bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// A number that is the same however a name is written, whatever the order of its words: for telling whether two are one.
pub(crate) fn key(name: &str, folded: &mut Folded) -> u64 {
    fold_into(name, folded);
    folded.words().fold(0, |sum: u64, word| sum.wrapping_add(crate::tree::hash(word)))
}

#[cfg(test)]
mod tests;
