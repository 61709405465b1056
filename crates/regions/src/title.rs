//! Titles of people and their ranks.
//!
//! A text goes in; out comes whether it says what somebody is at a university (`Associate Professor and Chair`), and the rank that this
//! is. What the words of titles are is data: `dictionaries/titles.txt`.

use crate::dictionary::fold::Folded;
use crate::dictionary::{Dictionary, Flags};

/// What somebody is at a university, in the order in which one is said before another where both are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Retired with honour.
    Emeritus,
    /// Here for a time.
    Visiting,
    /// By courtesy, in part, or honorary.
    Adjunct,
    /// Studying here; also those who have.
    Student,
    /// A researcher soon after the doctorate.
    Postdoc,
    /// Between full and assistant professor, whatever the country calls it.
    Associate,
    /// At the start of a professor's way.
    Assistant,
    /// A full professor, or one of whom nothing else is said.
    Professor,
    /// Teaching.
    Lecturer,
    /// Research, without the above.
    Researcher,
    /// At the head of something.
    Head,
    /// Office, workshop, library.
    Staff,
    /// Belongs here; more is not said.
    Member,
    /// A form of address: `Dr.`
    Honorific,
}

const NAMES: [(Rank, &str); 14] = [
    (Rank::Emeritus, "emeritus"),
    (Rank::Visiting, "visiting"),
    (Rank::Adjunct, "adjunct"),
    (Rank::Student, "student"),
    (Rank::Postdoc, "postdoc"),
    (Rank::Associate, "associate"),
    (Rank::Assistant, "assistant"),
    (Rank::Professor, "professor"),
    (Rank::Lecturer, "lecturer"),
    (Rank::Researcher, "researcher"),
    (Rank::Head, "head"),
    (Rank::Staff, "staff"),
    (Rank::Member, "member"),
    (Rank::Honorific, "honorific"),
];

impl Rank {
    /// The rank in one word.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(rank, _)| *rank == self).map_or("", |(_, name)| name)
    }

    /// The rank of that name.
    pub fn from_name(name: &str) -> Option<Rank> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(rank, _)| *rank)
    }
}

/// A text that is a title.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TitleReading {
    pub(crate) rank: Rank,
    /// The share of its words that are words of titles, of units or of fields of study.
    pub(crate) share: f64,
    /// How many words stand before the first that is of a title.
    pub(crate) n_before: usize,
}

/// Longer texts say more than a title.
const MAX_WORDS: usize = 24;
/// What a text says of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Said {
    /// The title that it is.
    pub(crate) title: Option<TitleReading>,
    /// Whether it is the name of a unit: all its words are of fields of study or of units.
    pub(crate) is_unit: bool,
}

/// The rank that a text tells, if it is a title.
pub fn rank(text: &str, dictionary: &Dictionary) -> Option<Rank> {
    let reading = read(&crate::dictionary::fold::fold(text), dictionary)?;
    (reading.share >= 0.5).then_some(reading.rank)
}

/// Read a text as a title. An honorific alone is none.
pub(crate) fn read(text: &Folded, dictionary: &Dictionary) -> Option<TitleReading> {
    said(text, dictionary).title
}

/// Read a text as a title and as the name of a unit, in one go.
pub(crate) fn said(text: &Folded, dictionary: &Dictionary) -> Said {
    if text.len() == 0 || text.len() > MAX_WORDS {
        return Said::default();
    }
    let mut rank: Option<Rank> = None;
    let (mut n_covered, mut n_counted, mut n_before) = (0, 0, None);
    let (mut has_field, mut has_other) = (false, false);
    let mut place = 0;
    while place < text.len() {
        let flags = dictionary.word(text.word(place));
        let found = dictionary
            .phrase_by(flags, text, place)
            .or_else(|| joined_script(text, place, dictionary));
        let Some((n_words, meaning)) = found else {
            let is_joining = flags.has(Flags::JOINING);
            has_other |= !is_joining;
            n_counted += usize::from(!is_joining);
            place += 1;
            continue;
        };
        if let Some(found) = meaning.rank.filter(|rank| *rank != Rank::Honorific) {
            rank = Some(rank.map_or(found, |rank| rank.min(found)));
            n_before = n_before.or(Some(place));
        }
        has_field |= meaning.is_discipline;
        has_other |= !meaning.is_discipline && meaning.unit.is_none();
        n_covered += n_words;
        n_counted += n_words;
        place += n_words;
    }
    let share = n_covered as f64 / n_counted.max(1) as f64;
    let title = rank.map(|rank| TitleReading { rank, share, n_before: n_before.unwrap_or(0) });
    Said { title, is_unit: has_field && !has_other }
}

/// Scripts without blanks: a title at the end of the word.
fn joined_script(
    text: &Folded,
    place: usize,
    dictionary: &Dictionary,
) -> Option<(usize, crate::dictionary::Meaning)> {
    let word = text.word(place);
    if word.is_ascii() || !word.chars().any(crate::name::is_east_asian) {
        return None;
    }
    let ends = word.char_indices().rev().take(4).map(|(start, _)| &word[start..]);
    let longest_first: Vec<&str> = ends.collect();
    longest_first.iter().rev().find_map(|end| dictionary.exact(end)).map(|meaning| (1, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictionary::fold::fold;

    #[test]
    fn ranks_are_told() {
        let known = Dictionary::built_in();
        let check = |text: &str, expected: Option<Rank>| {
            assert_eq!(read(&fold(text), &known).map(|it| it.rank), expected, "{text}");
        };
        check("Professor", Some(Rank::Professor));
        check("Associate Professor and Chair", Some(Rank::Associate));
        check("Assistant Professors", Some(Rank::Assistant));
        check("Distinguished Professor Emeritus", Some(Rank::Emeritus));
        check("Wissenschaftliche Mitarbeiterin", Some(Rank::Researcher));
        check("Maître de conférences", Some(Rank::Associate));
        check("Doç. Dr.", Some(Rank::Associate));
        check("Senior Lecturer in Chemistry", Some(Rank::Associate));
        check("Department Administrator", Some(Rank::Staff));
        check("доцент", Some(Rank::Associate));
        check("副教授", Some(Rank::Associate));
        check("计算机系教授", Some(Rank::Professor));
        check("Dr.", None);
        check("Computer Science", None);
        check("", None);
    }

    #[test]
    fn every_rank_has_a_name() {
        for (rank, name) in NAMES {
            assert_eq!((rank.name(), Rank::from_name(name)), (name, Some(rank)));
        }
        assert_eq!(Rank::from_name("king"), None);
    }
}
