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

const PARTICLES: [&str; 56] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dal", "dalla", "dos", "das",
    "do", "du", "des", "la", "le", "el", "al", "bin", "ibn", "ben", "bint", "ter", "ten", "te",
    "zu", "zum", "zur", "af", "av", "y", "e", "i", "und", "of", "san", "santa", "st", "abu", "abd",
    "ud", "din", "ul", "ur", "vom", "op", "het", "t", "s", "lo", "los", "las", "ni", "ap",
];
const SUFFIXES: [&str; 10] = ["jr", "jnr", "sr", "snr", "ii", "iii", "iv", "v", "junior", "senior"];
/// Without full stops, in lower case.
const DEGREES: [&str; 98] = [
    "phd", "dphil", "md", "mdphd", "msc", "ms", "ma", "mba", "mph", "mpa", "mpp", "mfa", "med",
    "meng", "mphil", "mres", "mlis", "mls", "msw", "mem", "mcs", "mca", "mtech", "btech", "bsc",
    "bs", "ba", "bfa", "beng", "bed", "ab", "sb", "sm", "scd", "sc", "dsc", "drsc", "edd", "jd",
    "llm", "llb", "lld", "dds", "dmd", "dvm", "do", "od", "rn", "np", "pa", "pac", "aprn", "dnp",
    "msn", "bsn", "cnm", "cpa", "cfa", "pe", "peng", "esq", "frs", "freng", "fba", "frse", "frsc",
    "fieee", "fimeche", "fiet", "ceng", "citp", "fbcs", "mbcs", "faia", "aia", "obe", "cbe", "mbe",
    "kbe", "rd", "rdn", "ldn", "lcsw", "cissp", "pmp", "phr", "sphr", "atc", "cscs", "pharmd",
    "psyd", "dba", "dma", "dmus", "habil", "dring", "dipl", "mat",
];

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
    for (offset, letter) in text[start..].char_indices() {
        let place = start + offset;
        let is_hyphen = matches!(letter, '-' | '‐' | '‑');
        let after = text[place + letter.len_utf8()..].chars().next();
        match letter {
            _ if is_letter(letter) || is_joint(text, place, letter) => {}
            // What is left of letters that were decoded wrongly: `BÃ¶ckle`.
            '\u{a1}'..='\u{bf}' if !matches!(letter, '«' | '»' | '·' | '\u{ad}') => {}
            _ if is_hyphen && after.is_some_and(is_letter) => {}
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
    for part in parts {
        let first = word;
        while word < folded.len() && folded.place(word).start < part.place.end {
            word += 1;
        }
        part.words = first..word;
        if part.is_word() && first < word {
            part.flags = flags(folded, part.words.clone(), dictionary);
            part.kind = kind(part.text(text), folded, part.words.clone());
            part.phrase = dictionary.phrase(folded, first);
        }
    }
}

fn kind(word: &str, folded: &Folded, words: Range<usize>) -> Kind {
    let is_capital = word.starts_with(char::is_uppercase) || !word.starts_with(char::is_lowercase);
    let plain = folded.word(words.start);
    let is_one = words.len() == 1;
    let is_particle = is_one && PARTICLES.contains(&plain);
    match () {
        () if is_degree(word) => Kind::Degree,
        () if is_one && is_capital && is_suffix(word, plain) => Kind::Suffix,
        () if is_particle && (plain.len() > 1 || !is_capital || is_elided(word)) => Kind::Particle,
        () if is_initial(word) && is_capital => Kind::Initial,
        () if is_initial(word) => Kind::Lower,
        () if is_capital || has_capital_inside(word) => Kind::Name,
        () => Kind::Lower,
    }
}

/// `Jr.` and `III`, but not `J.R.`; and a lone `V` is an initial.
fn is_suffix(word: &str, plain: &str) -> bool {
    plain.len() > 1 && SUFFIXES.contains(&plain) && word.matches('.').count() <= 1
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
fn flags(folded: &Folded, words: Range<usize>, dictionary: &Dictionary) -> Flags {
    let mut all = words.map(|word| dictionary.word(folded.word(word)));
    let first = all.next().unwrap_or_default();
    all.fold(first, |sum, next| {
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

pub(super) fn is_degree(word: &str) -> bool {
    if word.len() > 12 || !word.is_ascii() {
        return false;
    }
    let n_capitals = word.bytes().filter(u8::is_ascii_uppercase).count();
    let mut plain = [0_u8; 12];
    let mut n_letters = 0;
    for letter in word.bytes().filter(u8::is_ascii_alphabetic) {
        plain[n_letters] = letter.to_ascii_lowercase();
        n_letters += 1;
    }
    let plain = std::str::from_utf8(&plain[..n_letters]).unwrap_or_default();
    // `Ma`, `Do` and `Pa` are names; degrees are written in capitals or with full stops.
    let is_written_so =
        word.contains('.') || n_capitals >= 2 || plain.len() >= 4 && n_capitals >= 1;
    n_capitals >= 1 && is_written_so && DEGREES.contains(&plain)
}
