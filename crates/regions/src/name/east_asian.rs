//! Chinese, Japanese and Korean names: in their own scripts, and as others write them.

use super::part::{Mark, Part};
use super::{Form, NameReading};
use crate::dictionary::fold::fold;
use crate::dictionary::{Dictionary, Flags};

/// Han, kana and Hangul: scripts without capitals, and without blanks in names.
pub(crate) fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '々' | '\u{f900}'..='\u{faff}')
}

/// A name in its own script: a surname of one or two letters and a given name, with a blank between or without.
pub(super) fn read(text: &str, parts: &[Part], dictionary: &Dictionary) -> Option<NameReading> {
    let start = parts.iter().position(|part| part.is_word())?;
    let is_letters = |part: &&Part| part.is_word() && part.text(text).chars().all(is_east_asian);
    let first = parts.get(start).filter(is_letters)?;
    let second = parts
        .get(start + 1)
        .filter(is_letters)
        .filter(|part| is_given(part.text(text), dictionary));
    let n_first = first.text(text).chars().count();
    let (end, n_letters) = match second {
        Some(second) if n_first <= 3 => (start + 2, n_first + second.text(text).chars().count()),
        _ => (start + 1, n_first),
    };
    let place = first.place.start..parts[end - 1].place.end;
    let is_word =
        is_word(&text[place.clone()], dictionary) || is_word(first.text(text), dictionary);
    if is_word || !(2..=6).contains(&n_letters) {
        return None;
    }
    let rest = parts.get(end..).unwrap_or_default();
    let form = match rest.first() {
        None => Form::Whole,
        Some(part) if part.is_word() && is_word_title(part.text(text), dictionary) => {
            Form::Described
        }
        Some(part) if part.is_word() => Form::Prose,
        Some(part) if part.mark == Mark::Foreign => Form::Prose,
        Some(_) => Form::Followed,
    };
    let surname = surname_letters(first.text(text), dictionary);
    let is_split = end == start + 2;
    let odds = match (surname, n_letters) {
        (1, 2..=3) | (2, 3..=4) => 2.0,
        (2, 2..=5) if is_split => 2.5,
        (1 | 2, _) if is_split => 1.0,
        (0, 2..=4) => -1.5,
        _ => -2.0,
    };
    let odds = odds + if form == Form::Described { 1.0 } else { 0.0 }
        - if form == Form::Prose { 3.0 } else { 0.0 };
    let rest = rest.iter().find(|part| part.is_word()).map_or(text.len(), |part| part.place.start);
    let name = text[place.clone()].to_owned();
    Some(NameReading { name, place, odds, form, title: None, n_words: 2, rest })
}

fn is_given(word: &str, dictionary: &Dictionary) -> bool {
    word.chars().count() <= 3 && !is_word_title(word, dictionary) && !is_word(word, dictionary)
}

fn is_word(word: &str, dictionary: &Dictionary) -> bool {
    let folded = fold(word);
    let plain = folded.words().next().unwrap_or_default();
    dictionary.word(plain).has(Flags::MENU)
        || dictionary.exact(plain).is_some()
        || has_unit_end(plain, dictionary)
}

/// `计算机学院`
fn has_unit_end(word: &str, dictionary: &Dictionary) -> bool {
    let ends = word.char_indices().rev().take(3).map(|(start, _)| &word[start..]);
    ends.filter_map(|end| dictionary.exact(end))
        .any(|meaning| meaning.unit.is_some() || meaning.is_discipline || meaning.rank.is_some())
}

fn is_word_title(word: &str, dictionary: &Dictionary) -> bool {
    crate::title::read(&fold(word), dictionary).is_some()
}

/// How many of the first letters are a surname: two, one or none.
fn surname_letters(word: &str, dictionary: &Dictionary) -> usize {
    let end_of = |n_letters: usize| {
        word.char_indices().nth(n_letters).map_or(word.len(), |(place, _)| place)
    };
    [2, 1]
        .into_iter()
        .find(|n| dictionary.word(&word[..end_of(*n)]).has(super::weigh::SURNAME))
        .unwrap_or(0)
}

/// Whether a word is one to three Chinese or Korean syllables in Latin letters: consonants that these begin with, vowels, and `n`, `ng`
/// or `k` at the end. Few words of other languages are.
pub(super) fn is_romanised(word: &str) -> bool {
    const MAX_SYLLABLES: usize = 3;
    let mut rest = word.as_bytes();
    let mut n_syllables = 0;
    while !rest.is_empty() && n_syllables < MAX_SYLLABLES {
        let Some(after) = syllable(rest) else { return false };
        rest = after;
        n_syllables += 1;
    }
    rest.is_empty() && n_syllables > 0
}

/// What follows the first syllable of a word.
fn syllable(word: &[u8]) -> Option<&[u8]> {
    let is_vowel = |letter: &u8| b"aeiou".contains(letter);
    let start = match word {
        [b'z' | b'c' | b's' | b'k', b'h', ..] | [b't', b's', ..] | [b'h', b's', ..] => 2,
        [b'b' | b'p' | b'm' | b'f' | b'd' | b't' | b'n' | b'l' | b'g' | b'k' | b'h' | b'j', ..] => {
            1
        }
        [b'q' | b'x' | b'r' | b'z' | b'c' | b's' | b'y' | b'w', ..] => 1,
        _ => 0,
    };
    let n_vowels = word[start..].iter().take_while(|letter| is_vowel(letter)).count();
    if !(1..=3).contains(&n_vowels) {
        return None;
    }
    let rest = &word[start + n_vowels..];
    let n_last = match rest {
        [b'n', b'g', after @ ..] if !after.first().is_some_and(is_vowel) => 2,
        [b'n' | b'k', after @ ..] if !after.first().is_some_and(is_vowel) => 1,
        _ => 0,
    };
    Some(&rest[n_last..])
}
