//! A text cut into words and marks, with what is known of each word.

use crate::dictionary::fold::{Folded, is_joint, is_letter};
use crate::dictionary::{Dictionary, Flags, Meaning};
use std::ops::Range;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Word,
    Comma,
    /// A quotation mark or bracket that opens or closes.
    Bracket,
    /// Between two things: a dash with blanks, a colon, a bar.
    Break,
    /// Digits, addresses, and all else that no name has.
    Foreign,
}

/// A word or a mark.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) mark: Mark,
    pub(super) place: Range<usize>,
    /// Which words of the folded text it is.
    pub(super) words: Range<usize>,
    pub(super) kind: Kind,
    pub(super) flags: Flags,
    /// A phrase that starts here: how many folded words it has.
    pub(super) phrase: Option<(usize, Meaning)>,
}

/// What a word may be in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No word.
    None,
    /// `J.` or `J`
    Initial,
    /// `van`, `de la`
    Particle,
    /// `Jr.`, `III`
    Suffix,
    /// `Ph.D.`
    Degree,
    /// Any other word with a capital.
    Name,
    /// A word in lower case.
    Lower,
}

impl Part {
    pub(super) fn is_word(&self) -> bool {
        self.mark == Mark::Word
    }

    pub(super) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.place.clone()]
    }
}

/// Cut a text.
pub(super) fn scan(text: &str, parts: &mut Vec<Part>) {
    parts.clear();
    let mut start = 0;
    while let Some(letter) = text[start..].chars().next() {
        let (mark, end) = match letter {
            _ if is_letter(letter) || starts_elided(&text[start..]) => word_end(text, start),
            _ => (mark_of(letter, &text[start..]), start + letter.len_utf8()),
        };
        if !letter.is_whitespace() {
            let (kind, flags) = (Kind::None, Flags::default());
            parts.push(Part { mark, place: start..end, words: 0..0, kind, flags, phrase: None });
        }
        start = end;
    }
}

/// Where a word ends, and whether it is one: addresses and numbers of rooms start with letters too.
fn word_end(text: &str, start: usize) -> (Mark, usize) {
    let mut mark = Mark::Word;
    let n_plain = text.as_bytes()[start..].iter().take_while(|it| it.is_ascii_alphabetic()).count();
    let start = start + n_plain;
    for (offset, letter) in text[start..].char_indices() {
        let place = start + offset;
        if letter == ' ' {
            return (mark, place);
        }
        let is_hyphen = matches!(letter, '-' | '‐' | '‑');
        let after = || text[place + letter.len_utf8()..].chars().next();
        match letter {
            _ if is_letter(letter) || is_joint(text, place, letter) => {}
            // What is left of letters that were decoded wrongly: `BÃ¶ckle`.
            '\u{a1}'..='\u{bf}' if !matches!(letter, '«' | '»' | '·' | '\u{ad}') => {}
            _ if is_hyphen && after().is_some_and(is_letter) => {}
            // An abbreviation keeps its full stop.
            '.' => return (mark, place + 1),
            '@' | '_' => mark = Mark::Foreign,
            _ if letter.is_numeric() => mark = Mark::Foreign,
            _ => return (mark, place),
        }
    }
    (mark, text.len())
}

/// `'t Hooft`
fn starts_elided(text: &str) -> bool {
    let mut letters = text.chars();
    matches!(letters.next(), Some('\'' | '’' | '‘'))
        && matches!(letters.next(), Some('t' | 's' | 'T' | 'S'))
        && letters.next().is_some_and(char::is_whitespace)
}

fn is_upper(letter: char) -> bool {
    letter.is_uppercase()
}

fn mark_of(letter: char, rest: &str) -> Mark {
    match letter {
        ',' | '，' | '、' => Mark::Comma,
        '(' | ')' | '[' | ']' | '"' | '“' | '”' | '„' | '«' | '»' | '（' | '）' | '‘' | '’'
        | '\'' => Mark::Bracket,
        '-' | '–' | '—' | '‐' | ':' | ';' | '|' | '/' | '•' | '·' | '*' | '†' | '‡' | '→'
        | '：' | '；' | '&' | '+' | '>' | '<' => Mark::Break,
        '.' if rest.len() == 1 => Mark::Break,
        _ => Mark::Foreign,
    }
}

/// Say of each word what it may be.
pub(super) fn know(text: &str, parts: &mut [Part], folded: &Folded, dictionary: &Dictionary) {
    let mut word = 0;
    for part in parts.iter_mut() {
        let first = word;
        while word < folded.len() && folded.place(word).start < part.place.end {
            word += 1;
        }
        part.words = first..word;
        if part.is_word() && first < word {
            let of_first = dictionary.word(folded.word(first));
            part.flags = flags(of_first, folded, first + 1..word, dictionary);
            part.kind = kind(part.text(text), folded, part);
            part.phrase = dictionary.phrase_by(of_first, folded, first);
        }
    }
    name_turned_particles(text, parts);
}

/// `Ben` is a particle in `Ben Ami, David`, and a given name in `Foley, Ben`.
fn name_turned_particles(text: &str, parts: &mut [Part]) {
    let mut is_behind_comma = false;
    for part in parts {
        let is_given = is_behind_comma
            && part.kind == Kind::Particle
            && part.flags.has(Flags::COMMON_GIVEN)
            && part.text(text).starts_with(char::is_uppercase);
        if is_given {
            part.kind = Kind::Name;
        }
        is_behind_comma = part.mark == Mark::Comma;
    }
}

fn kind(word: &str, folded: &Folded, part: &Part) -> Kind {
    let is_capital = word.starts_with(char::is_uppercase) || !word.starts_with(char::is_lowercase);
    let n_letters = folded.word(part.words.start).len();
    let is_one = part.words.len() == 1;
    let is_particle = is_one && part.flags.has(Flags::PARTICLE);
    // `J.R.` is folded as `Jr.` is.
    let is_suffix = is_one && part.flags.has(Flags::SUFFIX) && word.matches('.').count() <= 1;
    match () {
        () if part.flags.has(Flags::DEGREE) && is_written_as_degree(word, part.flags) => {
            Kind::Degree
        }
        () if is_suffix && is_capital => Kind::Suffix,
        () if is_particle && (n_letters > 1 || !is_capital || is_elided(word)) => Kind::Particle,
        () if is_initial(word) && is_capital => Kind::Initial,
        () if is_initial(word) => Kind::Lower,
        () if is_capital || has_capital_inside(word) => Kind::Name,
        () => Kind::Lower,
    }
}

/// `'t`
fn is_elided(word: &str) -> bool {
    word.starts_with(['\'', '’', '‘'])
}

/// `d'Aubrac`
fn has_capital_inside(word: &str) -> bool {
    word.chars().skip(1).take(3).any(char::is_uppercase)
}

/// What is known of a word; of one with hyphens, what is best known of its parts, but a word of the language only if all are.
fn flags(first: Flags, folded: &Folded, others: Range<usize>, dictionary: &Dictionary) -> Flags {
    let others = others.map(|word| dictionary.word(folded.word(word)));
    others.fold(first, |sum, next| {
        let names = (sum.0 | next.0) & 15;
        let words = (sum.0 & next.0) & !15;
        Flags(names | words)
    })
}

/// `J`, `J.`, `Yu.`; and several in one: `J.-P.`
fn is_initial(word: &str) -> bool {
    let mut letters = word.chars().filter(|letter| *letter != '.' && *letter != '-');
    let (first, second, third) = (letters.next(), letters.next(), letters.next());
    let is_short = second.is_none();
    let is_abbreviated = word.ends_with('.') && third.is_none();
    first.is_some_and(is_upper)
        && (is_short
            || is_abbreviated
                && second.is_some_and(|it| {
                    it.is_lowercase() || word.contains("-") || word.matches('.').count() > 1
                }))
        || first.is_some() && is_short
}

/// `Ma`, `Do` and `Peng` are names; degrees are written in capitals or with full stops.
fn is_written_as_degree(word: &str, flags: Flags) -> bool {
    let n_capitals = word.chars().filter(|letter| letter.is_uppercase()).count();
    let is_long = word.len() >= 4 && !flags.is_name();
    n_capitals >= 1 && (word.contains('.') || n_capitals >= 2 || is_long)
}
