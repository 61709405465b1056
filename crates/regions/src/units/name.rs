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
    says_unit: bool,
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
    let says = |is_so: bool, odds: f64| if is_so { odds } else { 0.0 };
    // `General Information` is of menus only, and `School of Engineering` is not.
    let is_menu = !(tally.says_more || tally.says_field && tally.says_unit);
    // `Faculty` alone is the word for units, and the name of none.
    let is_bare = !tally.says_field && tally.n_others == 0;
    let odds = says(is_bare, -6.0) + says(is_menu, -2.0) + says(tally.says_rank, -3.0) - 3.0
        + 4.0 * share
        + says(tally.says_field, 0.8)
        + says(tally.says_unit, 0.6)
        - 0.8 * tally.n_menu as f64
        - says(!name.starts_with(char::is_uppercase), 2.0)
        - says(name.ends_with(['.', '!', '?']), 2.0)
        - says(has_degree(text), 2.5)
        - says(n_words > 8, 1.5)
        - says(points_elsewhere(text, name), 6.0);
    let says_both = tally.says_field && tally.says_unit;
    Some(UnitReading { n_bytes: name.len(), odds, is_covered, says_both })
}

/// The text without what follows a name in lists: brackets with links, footnote marks.
fn name_in(text: &str) -> Option<&str> {
    if text.len() > MAX_BYTES || !text.starts_with(|letter: char| letter.is_alphabetic()) {
        return None;
    }
    let end = text.find(['[', '|', ':', ';', '*', '‡', '†', '»', '→']).unwrap_or(text.len());
    let name = text[..end].trim_end_matches([' ', ',', '-', '–', '—', '(', '>', '\u{a0}']);
    (!name.is_empty()).then_some(name)
}

/// How many bytes of a text are the name of a unit, if it is one.
pub(super) fn n_bytes(text: &str) -> usize {
    name_in(text).map_or(text.len(), str::len)
}

/// `Biophysics: See`
fn points_elsewhere(text: &str, name: &str) -> bool {
    let after = fold(&text[name.len()..]);
    let last = fold(name).words().last().is_some_and(|word| SEE.contains(&word));
    last || after.words().next().is_some_and(|word| SEE.contains(&word))
}

/// `(B.S.)`: a degree that one can take, and no unit.
fn has_degree(text: &str) -> bool {
    ["(B.", "(M.", "(Ph", "B.A", "B.S", "M.A", "M.S", "Ph.D", "BSc", "MSc", "PhD"]
        .iter()
        .any(|sign| text.contains(sign))
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
                tally.says_unit |= meaning.unit.is_some();
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

/// What a unit is, by the first word of its name that says so.
pub(super) fn kind(name: &str, dictionary: &Dictionary) -> Option<UnitKind> {
    let name = fold(name);
    (0..name.len()).find_map(|word| dictionary.phrase(&name, word)?.1.unit)
}
