//! How much speaks for a name, word by word.
//!
//! Weights are log-odds by rule of thumb, the same for all pages; what decides in doubt is what stands at the same place of the other records.

use super::Form;
use super::part::{Kind, Part};
use crate::dictionary::Flags;
use crate::dictionary::fold::Folded;

pub(super) const GIVEN: Flags = Flags(1 + 2);
pub(super) const SURNAME: Flags = Flags(4 + 8);

/// What is known of a name as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// `Last, First`
    pub(super) is_turned: bool,
    /// `Dr.`
    pub(super) has_address: bool,
    /// `Ph.D.`
    pub(super) has_degree: bool,
    pub(super) form: Form,
}

/// Before anything is known; most texts of pages are no names.
const START: f64 = -1.2;

/// Of the words of a name.
pub(super) fn odds(text: &str, words: &[&Part], folded: &Folded, shape: Shape) -> f64 {
    let sum: f64 = words.iter().map(|part| word_odds(part, part.text(text), folded)).sum();
    let called = words.iter().filter(|part| !matches!(part.kind, Kind::Particle | Kind::Suffix));
    let n_called = called.clone().count();
    let n_initials = called.filter(|part| part.kind == Kind::Initial).count();
    START
        + particle_odds(words)
        + sum
        + length_odds(n_called, n_initials)
        + shape_odds(shape)
        + phrase_odds(words)
        + pair_odds(words)
}

fn length_odds(n_called: usize, n_initials: usize) -> f64 {
    if n_initials >= n_called {
        return -4.0;
    }
    match n_called {
        0 | 1 => -2.2,
        2 | 3 => 0.0,
        4 => -0.6,
        5 => -2.0,
        _ => -5.0,
    }
}

fn shape_odds(shape: Shape) -> f64 {
    let form = match shape.form {
        Form::Whole | Form::Half => 0.0,
        Form::Described => 1.0,
        Form::Followed => -1.0,
        Form::Prose => -4.5,
    };
    let extra = [(shape.is_turned, 0.5), (shape.has_address, 2.5), (shape.has_degree, 2.5)];
    form + extra.iter().map(|(is_so, odds)| if *is_so { *odds } else { 0.0 }).sum::<f64>()
}

/// Particles speak for a name among names, and against one among words that nobody is called. Those that any text may have speak
/// against one anywhere: `The Tower of London`.
fn particle_odds(words: &[&Part]) -> f64 {
    let particles = || words.iter().filter(|part| part.kind == Kind::Particle);
    let n_words = particles().filter(|part| part.flags.has(Flags::COMMON_WORD)).count() as f64;
    let n_particles = particles().count() as f64 - n_words;
    let is_called = |part: &&Part| {
        part.kind == Kind::Initial
            || part.flags.is_name()
                && !part.flags.has(Flags(16 + 32 + 64))
                && part.kind != Kind::Particle
    };
    let n_called = words.iter().filter(|part| is_called(part)).count();
    let each = if n_called > 0 { 0.1 } else { -1.2 };
    each * n_particles - 1.2 * n_words
}

/// A given name and a surname together are more than their sum.
fn pair_odds(words: &[&Part]) -> f64 {
    let has = |flags: Flags| words.iter().any(|part| part.flags.has(flags));
    if has(GIVEN) && has(SURNAME) { 0.5 } else { 0.0 }
}

/// Names of fields of study and parts of universities are made of words that people are called too.
fn phrase_odds(words: &[&Part]) -> f64 {
    let is_phrase = |part: &&&Part| {
        part.phrase.is_some_and(|(n_words, meaning)| {
            n_words > 1
                || (meaning.is_discipline || meaning.unit.is_some() || meaning.rank.is_some())
                    && !part.flags.is_name()
        })
    };
    -3.0 * words.iter().filter(is_phrase).count() as f64
}

fn word_odds(part: &Part, word: &str, folded: &Folded) -> f64 {
    match part.kind {
        Kind::Initial => 0.8,
        Kind::Particle => 0.0,
        Kind::Suffix => 0.5,
        Kind::Degree => -0.5,
        Kind::Name => name_odds(part, word, folded),
        Kind::Lower => name_odds(part, word, folded) - 2.0,
        Kind::None => -3.0,
    }
}

fn name_odds(part: &Part, word: &str, folded: &Folded) -> f64 {
    let flags = part.flags;
    let name = name_strength(flags);
    if flags.has(Flags::PLACE) {
        return -2.5;
    }
    // `The`; shorter ones are names of many people: `An`, `In`, `To`.
    if flags.has(Flags::JOINING) && flags.has(Flags::COMMON_WORD) && word.len() > 2 {
        return -2.5;
    }
    if flags.has(Flags::MENU) {
        return match name {
            it if it >= 2.2 => 0.0,
            it if it >= 1.8 => -0.8,
            _ => -4.0,
        };
    }
    if flags.has(Flags::COMMON_WORD) {
        return match name {
            it if it >= 2.2 => 0.6,
            it if it >= 1.8 => 0.2,
            it if it > 0.0 => -1.5,
            _ => -3.0,
        };
    }
    if flags.has(Flags::WORD) {
        return match name {
            it if it >= 2.2 => 1.2,
            it if it >= 1.8 => 0.8,
            it if it > 0.0 => -0.3,
            _ => -2.0,
        };
    }
    if name > 0.0 { name } else { unknown_odds(part, word, folded) }
}

fn name_strength(flags: Flags) -> f64 {
    let strengths = [
        (Flags::COMMON_GIVEN, 2.2),
        (Flags::COMMON_SURNAME, 1.8),
        (Flags::GIVEN, 1.5),
        (Flags::SURNAME, 1.2),
    ];
    strengths.iter().find(|(flag, _)| flags.has(*flag)).map_or(0.0, |(_, strength)| *strength)
}

/// A word that no dictionary has.
fn unknown_odds(part: &Part, word: &str, folded: &Folded) -> f64 {
    let n_letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_capitals = n_letters > 1 && !word.chars().any(char::is_lowercase);
    let is_syllables =
        part.words.clone().all(|index| super::east_asian::is_romanised(folded.word(index)));
    match () {
        () if is_syllables => 1.0,
        () if is_capitals && n_letters <= 4 => -0.8,
        () if word.ends_with('.') => -1.5,
        () if is_abstract(folded.word(part.words.end - 1)) => -2.0,
        () if is_latin(word) => 0.3,
        () => 0.1,
    }
}

fn is_latin(word: &str) -> bool {
    word.starts_with(|letter: char| letter < '\u{250}')
}

/// Endings of words for abstract things in the large languages, folded. Few surnames are that long and end so.
const ABSTRACT: [&str; 60] = [
    "ung",
    "ungen",
    "heit",
    "keit",
    "schaft",
    "schaften",
    "informatik",
    "technik",
    "mathematik",
    "physik",
    "systeme",
    "systemen",
    "methoden",
    "entwicklung",
    "logie",
    "logien",
    "ismus",
    "tion",
    "tions",
    "tionen",
    "zentrum",
    "gebiet",
    "gruppe",
    "bereich",
    "ique",
    "iques",
    "isme",
    "ment",
    "ments",
    "cion",
    "ciones",
    "dad",
    "dades",
    "logia",
    "logias",
    "grafia",
    "zione",
    "zioni",
    "ita",
    "mento",
    "cao",
    "coes",
    "dade",
    "teit",
    "kunde",
    "wetenschappen",
    "vetenskap",
    "ning",
    "het",
    "nosc",
    "stwo",
    "ics",
    "ology",
    "ness",
    "ship",
    "ing",
    "ация",
    "ость",
    "ение",
    "ика",
];

fn is_abstract(word: &str) -> bool {
    word.len() >= 8 && ABSTRACT.iter().any(|end| word.ends_with(end))
}
