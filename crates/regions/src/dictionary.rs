//! What words are about: names of people, titles, fields of study, parts of universities.
//!
//! The dictionaries are data, in `dictionaries/`, and built in. They are read once, when first asked for, into a table of words and a table
//! of phrases. Words are compared as they are [folded](mod@fold): lower case, without accents. Users add their own by
//! [`Dictionary::with_text`], in the format of the built-in files: lines `class: phrase, phrase`.

pub(crate) mod fold;
mod table;

use crate::title::Rank;
use fold::fold;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use table::WordTable;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// What is known of a word, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(pub(crate) u16);

impl Flags {
    /// A given name of few people.
    pub(crate) const GIVEN: Flags = Flags(1);
    /// A given name of many.
    pub(crate) const COMMON_GIVEN: Flags = Flags(2);
    /// A surname of few people.
    pub(crate) const SURNAME: Flags = Flags(4);
    /// A surname of many.
    pub(crate) const COMMON_SURNAME: Flags = Flags(8);
    /// A word that every text may have.
    pub(crate) const COMMON_WORD: Flags = Flags(16);
    /// Another word of the language.
    pub(crate) const WORD: Flags = Flags(32);
    /// A word of menus and headings.
    pub(crate) const MENU: Flags = Flags(64);
    /// The first word of a phrase.
    pub(crate) const PHRASE: Flags = Flags(128);
    /// A word of addresses and buildings.
    pub(crate) const PLACE: Flags = Flags(256);
    /// `van`, `de`
    pub(crate) const PARTICLE: Flags = Flags(512);
    /// `Jr.`, `III`
    pub(crate) const SUFFIX: Flags = Flags(1024);
    /// `Ph.D.`
    pub(crate) const DEGREE: Flags = Flags(2048);
    /// A word that joins others and says nothing by itself.
    pub(crate) const JOINING: Flags = Flags(4096);

    /// Where the number of words of the longest phrase stands that starts with a word, less one.
    const LONGEST: u16 = 13;

    /// The same of a word that also starts a phrase of so many words, one to eight.
    fn starting(self, n_words: usize) -> Flags {
        let n_words = if self.has(Flags::PHRASE) { n_words.max(self.longest()) } else { n_words };
        let longest = u16::try_from(n_words - 1).unwrap_or(u16::MAX).min(MAX_WORDS as u16 - 1);
        let others = self.0 & ((1 << Flags::LONGEST) - 1);
        Flags(others | Flags::PHRASE.0 | longest << Flags::LONGEST)
    }

    /// The number of words of the longest phrase that starts with it, if it is the first of any.
    fn longest(self) -> usize {
        usize::from(self.0 >> Flags::LONGEST) + 1
    }

    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn and(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Whether anybody is called so.
    pub(crate) fn is_name(self) -> bool {
        self.0 & 15 != 0
    }

    /// Whether it is a word, whoever may be called so.
    pub(crate) fn is_word(self) -> bool {
        self.0 & (16 + 32 + 64) != 0
    }
}

/// What a part of a university is, by what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitKind {
    /// Of several departments: a college, school or faculty.
    College,
    /// A department or institute.
    Department,
    /// Another: a centre, a laboratory, a programme.
    Other,
}

/// What a phrase is about; it may be several things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub(crate) rank: Option<Rank>,
    pub(crate) unit: Option<UnitKind>,
    pub(crate) is_discipline: bool,
}

/// A line of a dictionary that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DictionaryError {
    /// It has no `class:` before its phrases.
    #[error(
        "line {line}: no class; a line is `class: phrase, phrase`, such as `surname: Quillfeather`"
    )]
    NoClass {
        /// Its number, from one.
        line: usize,
    },
    /// The class is not known.
    #[error(
        "line {line}: no class {class:?}; classes are given, surname, particle, suffix, degree, word, place, joining, discipline, unit college, unit department, \
         unit other, and title with a rank such as professor"
    )]
    Class {
        /// Its number, from one.
        line: usize,
        /// What stands before the colon.
        class: String,
    },
}

/// Words and phrases with what they are about.
#[derive(Clone, Debug)]
pub struct Dictionary {
    words: WordTable,
    /// By the folded phrase.
    phrases: Map<Box<str>, Meaning>,
}

/// What a line's phrases are.
#[derive(Clone, Copy)]
enum Class {
    Word(Flags),
    Phrase(Meaning),
}

const NAMES: &str = include_str!("../../../dictionaries/names.txt");
const WORDS: &str = include_str!("../../../dictionaries/words.txt");
const PHRASES: [&str; 5] = [
    include_str!("../../../dictionaries/forms.txt"),
    include_str!("../../../dictionaries/titles.txt"),
    include_str!("../../../dictionaries/units.txt"),
    include_str!("../../../dictionaries/disciplines.txt"),
    include_str!("../../../dictionaries/menu.txt"),
];
/// Longer phrases are not looked for, so that a user's file cannot make pages slow, and that three bits of a word's flags tell.
const MAX_WORDS: usize = 8;

impl Dictionary {
    /// The dictionaries that are built in.
    pub fn built_in() -> Arc<Dictionary> {
        static BUILT_IN: OnceLock<Arc<Dictionary>> = OnceLock::new();
        BUILT_IN.get_or_init(|| Arc::new(Dictionary::read_built_in())).clone()
    }

    fn read_built_in() -> Dictionary {
        let n_lines = memchr_lines(NAMES) + memchr_lines(WORDS);
        let mut dictionary = Dictionary {
            words: WordTable::with_capacity(n_lines + n_lines / 8),
            phrases: Map::default(),
        };
        for (text, flags_of) in [(NAMES, name_flags as fn(&str) -> Flags), (WORDS, word_flags)] {
            for (word, letters) in text.lines().filter_map(|line| line.split_once('\t')) {
                dictionary.words.add_static(word, flags_of(letters));
            }
        }
        for text in PHRASES {
            let read = dictionary.add(text);
            debug_assert!(read.is_ok(), "a built-in dictionary is not as it should be: {read:?}");
        }
        dictionary
    }

    /// The same with more: lines `class: phrase, phrase`, where `#` starts a remark.
    ///
    /// ```
    /// let ours = regions::Dictionary::built_in().with_text("surname: Quillfeather\ntitle head: Reeve")?;
    /// # Ok::<(), regions::DictionaryError>(())
    /// ```
    pub fn with_text(&self, text: &str) -> Result<Dictionary, DictionaryError> {
        let mut more = self.clone();
        more.add(text)?;
        Ok(more)
    }

    fn add(&mut self, text: &str) -> Result<(), DictionaryError> {
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let number = number + 1;
            let (class, phrases) =
                line.split_once(':').ok_or(DictionaryError::NoClass { line: number })?;
            let class = Class::read(class.trim()).ok_or_else(|| DictionaryError::Class {
                line: number,
                class: class.trim().to_owned(),
            })?;
            for phrase in phrases.split([',', '，', '、']) {
                self.add_phrase(phrase, class);
            }
        }
        Ok(())
    }

    fn add_phrase(&mut self, phrase: &str, class: Class) {
        let folded = fold(phrase);
        let words: Vec<&str> = folded.words().collect();
        match class {
            Class::Word(flags) => {
                for word in words {
                    self.words.change(word, |known| known.and(flags));
                }
            }
            Class::Phrase(meaning) => {
                if let Some(first) = words.first().filter(|_| words.len() <= MAX_WORDS) {
                    self.words.change(first, |known| known.starting(words.len()));
                    let known = self.phrases.entry(words.join(" ").into()).or_default();
                    known.rank = known.rank.or(meaning.rank);
                    known.unit = known.unit.or(meaning.unit);
                    known.is_discipline |= meaning.is_discipline;
                }
            }
        }
    }

    /// What is known of a folded word.
    pub(crate) fn word(&self, folded: &str) -> Flags {
        self.words.get(folded)
    }

    /// What a whole folded phrase is about.
    pub(crate) fn exact(&self, folded: &str) -> Option<Meaning> {
        self.phrases.get(folded).copied()
    }

    /// The longest phrase that starts at a word of a folded text: how many words it has, and what it is about.
    pub(crate) fn phrase(&self, text: &fold::Folded, start: usize) -> Option<(usize, Meaning)> {
        self.phrase_by(self.word(text.word(start)), text, start)
    }

    /// The same, where it is known already what the first word is.
    pub(crate) fn phrase_by(
        &self,
        first: Flags,
        text: &fold::Folded,
        start: usize,
    ) -> Option<(usize, Meaning)> {
        if !first.has(Flags::PHRASE) {
            return None;
        }
        let most = (text.len() - start).min(first.longest());
        (1..=most).rev().find_map(|n_words| {
            let meaning = self.phrases.get(text.slice(start, start + n_words))?;
            Some((n_words, *meaning))
        })
    }
}

impl Class {
    fn read(class: &str) -> Option<Class> {
        let mut words = class.split_whitespace();
        let meaning = Meaning::default();
        let class = match (words.next()?, words.next()) {
            ("given", None) => Class::Word(Flags::COMMON_GIVEN),
            ("surname", None) => Class::Word(Flags::COMMON_SURNAME),
            ("word", None) => Class::Word(Flags::MENU),
            ("place", None) => Class::Word(Flags::PLACE),
            ("particle", None) => Class::Word(Flags::PARTICLE),
            ("suffix", None) => Class::Word(Flags::SUFFIX),
            ("degree", None) => Class::Word(Flags::DEGREE),
            ("joining", None) => Class::Word(Flags::JOINING),
            ("discipline", None) => Class::Phrase(Meaning { is_discipline: true, ..meaning }),
            ("unit", Some(kind)) => {
                let unit = match kind {
                    "college" => UnitKind::College,
                    "department" => UnitKind::Department,
                    "other" => UnitKind::Other,
                    _ => return None,
                };
                Class::Phrase(Meaning { unit: Some(unit), ..meaning })
            }
            ("title", Some(rank)) => {
                Class::Phrase(Meaning { rank: Some(Rank::from_name(rank)?), ..meaning })
            }
            _ => return None,
        };
        words.next().is_none().then_some(class)
    }
}

fn memchr_lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// `G` and `S` are names of many people, `g` and `s` of few.
fn name_flags(letters: &str) -> Flags {
    letters.bytes().fold(Flags::default(), |flags, letter| {
        flags.and(match letter {
            b'G' => Flags::COMMON_GIVEN,
            b'g' => Flags::GIVEN,
            b'S' => Flags::COMMON_SURNAME,
            b's' => Flags::SURNAME,
            _ => Flags::default(),
        })
    })
}

fn word_flags(grade: &str) -> Flags {
    if grade == "1" { Flags::COMMON_WORD } else { Flags::WORD }
}

#[cfg(test)]
mod tests;
