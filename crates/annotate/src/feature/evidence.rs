//! Evidence by words: the classes and ids above a spot, what introduces it, what the metadata says the same, its own words.
//!
//! Each word is worth what training saw: how much more often spots with it are of an element than spots at large are. A site's
//! pages count as one, so that a word that one site uses everywhere weighs as much as one that another uses once; and the
//! spots of a site are never weighed by what that site itself taught.

pub(crate) use super::weights::{AGAINST, FOR, N_SIDES, STRONGEST, Weights};
pub(crate) use super::word::{Kind, Word};

use super::statements::{Alike, Statements};
use crate::sheet::{Origin, Sheet, Spot};
use crate::target::Pattern;
use crate::text::{self, Map};
use page::{AttrKeys, NodeId, Page};
use std::ops::Range;

/// The attributes that say what elements are called.
pub(super) const CALLS: [&str; 4] = ["class", "id", "itemprop", "rel"];
/// What stands before their words.
const MARKS: [&str; CALLS.len()] = ["", "", "itemprop ", "rel "];
/// So many elements from a spot upwards are near.
pub(super) const N_NEAR: usize = 4;
/// A text of more bytes introduces nothing.
const MAX_LABEL: usize = 40;
/// What stands before the name of a type that a text is of.
pub(crate) const TYPE: &str = "type ";
/// Texts of more bytes have no words of their own that matter.
const MAX_OWN: usize = 120;

/// All evidence on a page: the words of each spot.
pub(crate) struct Evidence<'s, 'p> {
    sheet: &'s Sheet<'p>,
    /// Types of the schema's own.
    patterns: &'s [Pattern],
    keys: AttrKeys<{ CALLS.len() }>,
    /// Words of elements, and which are whose, as near or as far ones.
    words: Vec<Word>,
    by_node: Map<(NodeId, Kind), Range<usize>>,
    statements: Statements,
    alike: Vec<Alike>,
    /// The text at hand, as it is looked up.
    phrase: String,
    /// Told of each word that is met, for those who want to name it.
    names: Option<Map<Word, (Kind, String)>>,
}

impl<'s, 'p> Evidence<'s, 'p> {
    pub(crate) fn new(
        sheet: &'s Sheet<'p>,
        patterns: &'s [Pattern],
        is_named: bool,
    ) -> Evidence<'s, 'p> {
        Evidence {
            sheet,
            patterns,
            keys: sheet.page.attr_keys(CALLS),
            words: Vec::new(),
            by_node: Map::default(),
            statements: Statements::of(sheet),
            alike: Vec::new(),
            phrase: String::new(),
            names: is_named.then(Map::default),
        }
    }

    /// The words that the spots would have which say what a statement says.
    pub(crate) fn stated(&self) -> Vec<Word> {
        self.sheet.items.iter().map(|it| Word::new(Kind::Statement, "=").and(&it.key)).collect()
    }

    /// The word of a statement itself.
    pub(crate) fn statement(&mut self, nth: u32) -> Word {
        let sheet = self.sheet;
        self.word(Kind::Statement, "is ", &sheet.items[nth as usize].key)
    }

    pub(crate) fn into_names(self) -> Map<Word, (Kind, String)> {
        self.names.unwrap_or_default()
    }

    /// The word of two texts, one after the other.
    fn word(&mut self, kind: Kind, start: &str, end: &str) -> Word {
        let word = Word::new(kind, start).and(end);
        if let Some(names) = &mut self.names {
            names.entry(word).or_insert_with(|| (kind, format!("{start}{end}")));
        }
        word
    }

    /// The words of a spot, by kind.
    pub(crate) fn of(&mut self, spot: &Spot) -> Vec<(Kind, Word)> {
        let mut found = Vec::new();
        self.elements(spot, &mut found);
        self.texts(spot, &mut found);
        found
    }

    /// The words of a spot that are no names of elements.
    pub(crate) fn texts(&mut self, spot: &Spot, found: &mut Vec<(Kind, Word)>) {
        let mut phrase = std::mem::take(&mut self.phrase);
        self.labels(spot, &mut phrase, found);
        self.statements(spot, &mut phrase, found);
        self.own(spot, &mut phrase, found);
        self.phrase = phrase;
    }

    fn elements(&mut self, spot: &Spot, found: &mut Vec<(Kind, Word)>) {
        let page = self.sheet.page;
        let Some(element) = home(self.sheet, spot) else { return };
        let all = std::iter::once(element).chain(page.ancestors(element));
        for (distance, node) in all.take_while(|it| !is_whole_page(page, *it)).enumerate() {
            let kind = if distance < N_NEAR { Kind::Near } else { Kind::Far };
            let words = self.node_words(node, kind);
            found.extend(self.words[words].iter().map(|word| (kind, *word)));
        }
    }

    /// Where the words of an element are kept. Most spots share most of the elements above them, so each is read once.
    fn node_words(&mut self, node: NodeId, kind: Kind) -> Range<usize> {
        if let Some(known) = self.by_node.get(&(node, kind)) {
            return known.clone();
        }
        let start = self.words.len();
        let (page, keys) = (self.sheet.page, self.keys);
        called(page, node, &keys, &mut String::new(), |mark, text| {
            let word = self.word(kind, mark, text);
            self.words.push(word);
        });
        self.by_node.insert((node, kind), start..self.words.len());
        start..self.words.len()
    }

    fn labels(&mut self, spot: &Spot, label: &mut String, found: &mut Vec<(Kind, Word)>) {
        let sheet = self.sheet;
        let intro = sheet.intro(spot);
        if !intro.is_empty() {
            text::write_phrase(intro, label);
        } else if spot.origin == Origin::Piece || spot.leaves.is_empty() || spot.leaves.start == 0 {
            return;
        } else {
            let before = sheet.leaves.get(spot.leaves.start - 1);
            if before.text.is_empty() || before.text.len() > MAX_LABEL {
                return;
            }
            text::write_phrase(before.text, label);
        }
        self.label(label, found);
    }

    /// The words of a label, which is a phrase.
    pub(crate) fn label(&mut self, label: &str, found: &mut Vec<(Kind, Word)>) {
        found.push((Kind::Label, self.word(Kind::Label, "=", label)));
        for part in label.split(' ').filter(|part| part.len() > 1) {
            found.push((Kind::Label, self.word(Kind::Label, "", part)));
        }
    }

    fn statements(&mut self, spot: &Spot, key: &mut String, found: &mut Vec<(Kind, Word)>) {
        if let Origin::Statement(nth) = spot.origin {
            found.push((Kind::Statement, self.statement(nth)));
            return;
        }
        let sheet = self.sheet;
        let mut alike = std::mem::take(&mut self.alike);
        self.statements.find(sheet.text(spot), spot.day, key, &mut alike);
        for it in alike.drain(..) {
            let (mark, nth) = match it {
                Alike::Same(nth) => ("=", nth),
                Alike::Start(nth) => ("<", nth),
            };
            let word = self.word(Kind::Statement, mark, &sheet.items[nth as usize].key);
            found.push((Kind::Statement, word));
        }
        self.alike = alike;
    }

    fn own(&mut self, spot: &Spot, phrase: &mut String, found: &mut Vec<(Kind, Word)>) {
        let text = self.sheet.text(spot);
        if text.len() > MAX_OWN {
            return;
        }
        for pattern in self.patterns.iter().filter(|it| it.regex.is_match(text.trim())) {
            found.push((Kind::Own, self.word(Kind::Own, TYPE, &pattern.name)));
        }
        text::write_phrase(text, phrase);
        found.push((Kind::Own, self.word(Kind::Own, "=", phrase)));
        if let (Some((first, _)), Some((_, last))) =
            (phrase.split_once(' '), phrase.rsplit_once(' '))
        {
            found.push((Kind::Own, self.word(Kind::Own, first, " ")));
            found.push((Kind::Own, self.word(Kind::Own, " ", last)));
        }
    }

    /// What the characters of a text are like: of all of it, of its first word and of its last.
    pub(crate) fn shapes(&mut self, text: &str, found: &mut Vec<(Kind, Word)>) {
        let kind = Kind::Shape;
        found.push((kind, self.word(kind, "=", &shape(text))));
        let mut parts = text.split_whitespace();
        if let (Some(first), Some(last)) = (parts.next(), parts.next_back()) {
            found.push((kind, self.word(kind, &shape(first), " ")));
            found.push((kind, self.word(kind, " ", &shape(last))));
        }
    }
}

/// A letter for each run of letters, of digits with how many there are, and marks as they are.
fn shape(text: &str) -> String {
    const MANY: usize = 24;
    let mut shape = String::new();
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next().filter(|_| shape.len() < MANY) {
        if c.is_numeric() {
            let mut n = 1;
            while chars.next_if(|c| c.is_numeric()).is_some() {
                n += 1;
            }
            shape.push_str(&format!("d{n}"));
        } else if c.is_alphabetic() {
            let mut has_lower = c.is_lowercase();
            while let Some(next) = chars.next_if(|c| c.is_alphabetic()) {
                has_lower |= next.is_lowercase();
            }
            shape.push(match (c.is_lowercase(), has_lower) {
                (true, _) => 'a',
                (false, true) => 'A',
                (false, false) => 'X',
            });
        } else if c.is_whitespace() {
            while chars.next_if(|c| c.is_whitespace()).is_some() {}
            shape.push(' ');
        } else {
            shape.push(c);
        }
    }
    shape
}

/// The element that a spot is in, whose names are its first. A statement is in none.
pub(super) fn home(sheet: &Sheet<'_>, spot: &Spot) -> Option<NodeId> {
    let start = Some(spot.leaves.start).filter(|_| !spot.leaves.is_empty())?;
    Some(match spot.origin {
        Origin::Block => sheet.blocks[sheet.block_of[start]].element,
        _ => sheet.leaves.element(start),
    })
}

/// Whether a node is the whole page, whose words tell nothing of its parts.
pub(super) fn is_whole_page(page: &Page, node: NodeId) -> bool {
    matches!(page.tag(node), Some("body" | "html") | None)
}

/// The words of what an element is called, without numbers: they name one of many. `each` gets what stands before a word, and
/// the word in small letters, which are written into `buffer`.
pub(super) fn called(
    page: &Page,
    node: NodeId,
    keys: &AttrKeys<{ CALLS.len() }>,
    buffer: &mut String,
    mut each: impl FnMut(&str, &str),
) {
    const MANY: usize = 24;
    let mut n_words = 0;
    for (attribute, value) in page.attrs_by(node, keys) {
        split_call(value, |word| {
            if word.len() > 1 && n_words < MANY {
                n_words += 1;
                text::write_lower(word, buffer);
                each(MARKS[attribute], buffer);
            }
        });
    }
}

/// The words of a call: stretches of letters, and the parts of `camelCase`.
fn split_call(call: &str, mut each: impl FnMut(&str)) {
    let mut start = 0;
    let mut was_lower = false;
    for (place, c) in call.char_indices() {
        if !c.is_alphabetic() {
            each(&call[start..place]);
            start = place + c.len_utf8();
        } else if c.is_uppercase() && was_lower {
            each(&call[start..place]);
            start = place;
        }
        was_lower = c.is_lowercase();
    }
    each(&call[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_tell_what_characters_are_like() {
        assert_eq!(shape("205 lbs."), "d3 a.");
        assert_eq!(shape(" $9,970"), "$d1,d3");
        assert_eq!(shape("NBA  Ray O'Neal"), "X A X'A");
    }

    #[test]
    fn calls_are_made_of_words() {
        let mut words = Vec::new();
        split_call("post-Title2 byLine__x  ÜberÄrger", |word| words.push(word.to_owned()));
        words.retain(|it| !it.is_empty());
        assert_eq!(words, ["post", "Title", "by", "Line", "x", "Über", "Ärger"]);
    }
}
