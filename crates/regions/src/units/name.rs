//! Names of units in texts.

use crate::dictionary::fold::{Folded, fold, fold_into};
use crate::dictionary::{Dictionary, Flags, UnitKind};

/// A text read as the name of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UnitReading {
    /// How many bytes of the text are the name.
    pub(super) n_bytes: usize,
    /// How much speaks for a unit: log-odds, without what stands around.
    pub(super) odds: f64,
    /// Whether all words that say something are of fields or of units.
    pub(super) is_covered: bool,
    /// Whether it says what kind of unit it is, and of what: `Department of Physics`.
    pub(super) says_both: bool,
    /// What it is, by the first word that says so.
    pub(super) kind: Option<UnitKind>,
}

const MAX_WORDS: usize = 14;
const MAX_BYTES: usize = 160;
/// What a list says that only points to another place of the list.
const SEE: [&str; 8] = ["see", "siehe", "voir", "ver", "véase", "vedi", "zie", "se"];

/// What the words of a name are.
#[derive(Default)]
struct Tally {
    n_covered: usize,
    n_others: usize,
    n_menu: usize,
    says_field: bool,
    kind: Option<UnitKind>,
    /// A title, which is somebody's.
    says_rank: bool,
    /// A word that is not of menus.
    says_more: bool,
}

/// Whether all words that say something are words of units or fields of study, and at least one is of a field.
pub fn is_unit_name(text: &str, dictionary: &Dictionary) -> bool {
    read(text, &mut Folded::default(), dictionary).is_some_and(|it| it.is_covered)
}

/// Read a text. The memory of the folded text is the caller's.
pub(super) fn read(
    text: &str,
    folded: &mut Folded,
    dictionary: &Dictionary,
) -> Option<UnitReading> {
    let name = name_in(text)?;
    fold_into(name, folded);
    if folded.len() == 0 || folded.len() > MAX_WORDS {
        return None;
    }
    let tally = tally(folded, dictionary);
    let n_words = tally.n_covered + tally.n_others;
    let share = tally.n_covered as f64 / n_words.max(1) as f64;
    let is_covered = tally.n_others == 0 && tally.says_field;
    let says_unit = tally.kind.is_some();
    let says = |is_so: bool, odds: f64| if is_so { odds } else { 0.0 };
    // `General Information` is of menus only, and `School of Engineering` is not.
    let is_menu = !(tally.says_more || tally.says_field && says_unit);
    // `Faculty` alone is the word for units, and the name of none.
    let is_bare = !tally.says_field && tally.n_others == 0;
    let odds = says(is_bare, -6.0) + says(is_menu, -2.0) + says(tally.says_rank, -3.0) - 3.0
        + 4.0 * share
        + says(tally.says_field, 0.8)
        + says(says_unit, 0.6)
        - 0.8 * tally.n_menu as f64
        - says(!name.starts_with(char::is_uppercase), 2.0)
        - says(name.ends_with(['.', '!', '?']), 2.0)
        - says(has_degree(text), 2.5)
        - says(n_words > 8, 1.5)
        - says(points_elsewhere(&text[name.len()..], folded), 6.0);
    let says_both = tally.says_field && says_unit;
    Some(UnitReading { n_bytes: name.len(), odds, is_covered, says_both, kind: tally.kind })
}

/// The text without what follows a name in lists: brackets with links, footnote marks.
fn name_in(text: &str) -> Option<&str> {
    if text.len() > MAX_BYTES || !text.starts_with(|letter: char| letter.is_alphabetic()) {
        return None;
    }
    // The first bytes of `»`, `‡`, `†` and `→`: most texts have none, and need no closer look.
    let is_end = |it: &u8| matches!(it, b'[' | b'|' | b':' | b';' | b'*' | 0xc2 | 0xe2);
    let end = match text.bytes().position(|it| is_end(&it)) {
        Some(first) if text.as_bytes()[first].is_ascii() => first,
        Some(_) => text.find(['[', '|', ':', ';', '*', '‡', '†', '»', '→']).unwrap_or(text.len()),
        None => text.len(),
    };
    let name = text[..end].trim_end_matches([' ', ',', '-', '–', '—', '(', '>', '\u{a0}']);
    (!name.is_empty()).then_some(name)
}

/// How many bytes of a text are the name of a unit, if it is one.
pub(super) fn n_bytes(text: &str) -> usize {
    name_in(text).map_or(text.len(), str::len)
}

/// `Biophysics: See`. What stands behind the name, and the name.
fn points_elsewhere(after: &str, name: &Folded) -> bool {
    let ends_so = name.words().last().is_some_and(|word| SEE.contains(&word));
    ends_so || !after.is_empty() && fold(after).words().next().is_some_and(|it| SEE.contains(&it))
}

/// `(B.S.)`: a degree that one can take, and no unit.
fn has_degree(text: &str) -> bool {
    const SIGNS: [&str; 11] =
        ["(B.", "(M.", "(Ph", "B.A", "B.S", "M.A", "M.S", "Ph.D", "BSc", "MSc", "PhD"];
    let is_start = |byte: u8| matches!(byte, b'(' | b'B' | b'M' | b'P');
    let starts = text.bytes().enumerate().filter(|(_, byte)| is_start(*byte));
    let rest = |place: usize| &text.as_bytes()[place..];
    starts
        .into_iter()
        .any(|(place, _)| SIGNS.iter().any(|it| rest(place).starts_with(it.as_bytes())))
}

fn tally(name: &Folded, dictionary: &Dictionary) -> Tally {
    let mut tally = Tally::default();
    let mut place = 0;
    while place < name.len() {
        let word = name.word(place);
        let flags = dictionary.word(word);
        tally.says_more |= !flags.has(Flags::MENU.and(Flags::JOINING));
        let phrase = dictionary.phrase_by(flags, name, place);
        tally.says_rank |= phrase
            .is_some_and(|(_, it)| it.rank.is_some() && it.unit.is_none() && !it.is_discipline);
        match phrase {
            Some((n_words, meaning)) if meaning.is_discipline || meaning.unit.is_some() => {
                tally.says_field |= meaning.is_discipline;
                tally.kind = tally.kind.or(meaning.unit);
                tally.n_covered += n_words;
                place += n_words;
                continue;
            }
            _ if flags.has(Flags::JOINING) || word.chars().all(char::is_numeric) => {}
            _ => {
                tally.n_others += 1;
                tally.n_menu += usize::from(flags.has(Flags::MENU));
            }
        }
        place += 1;
    }
    tally
}
