//! Evidence by words: the classes and ids above a spot, what introduces it, what the metadata says the same, its own words.
//!
//! Each word is worth what training saw: how much more often spots with it are of an element than spots at large are. A site's
//! pages count as one, so that a word that one site uses everywhere weighs as much as one that another uses once; and the
//! spots of a site are never weighed by what that site itself taught.

use crate::day::Day;
use crate::sheet::{Origin, Sheet, Spot};
use crate::target::Group;
use crate::text;
use crate::text::Map;
use page::{AttrKeys, NodeId, Page};
use std::ops::Range;

/// Where a word of evidence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// Classes, ids and properties of the nearest elements.
    Near,
    /// The same of those further up.
    Far,
    /// What stands before it.
    Label,
    /// Statements of the metadata that say the same.
    Statement,
    /// Its own words.
    Own,
}

impl Kind {
    pub(crate) const ALL: [Kind; 5] =
        [Kind::Near, Kind::Far, Kind::Label, Kind::Statement, Kind::Own];

    pub(crate) fn group(self) -> Group {
        match self {
            Kind::Near | Kind::Far => Group::Structure,
            Kind::Label => Group::Thesaurus,
            Kind::Statement => Group::Metadata,
            Kind::Own => Group::Types,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Near => "near",
            Kind::Far => "far",
            Kind::Label => "label",
            Kind::Statement => "statement",
            Kind::Own => "own",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A word by its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word(u64);

impl Word {
    pub(crate) fn new(kind: Kind, text: &str) -> Word {
        // FNV-1a: model files name words by text, but trained ones are compared across runs.
        let start = 0xcbf2_9ce4_8422_2325 ^ (kind as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Word(
            text.bytes()
                .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
        )
    }
}

/// So many elements from a spot upwards are near.
const N_NEAR: usize = 4;
/// A text of more bytes introduces nothing, and is not looked up among statements.
const MAX_LABEL: usize = 40;
const MAX_STATEMENT: usize = 400;
/// A text of fewer bytes starts many a title by chance.
const MIN_TITLE: usize = 12;
/// Texts of more bytes have no words of their own that matter.
const MAX_OWN: usize = 120;

/// All evidence on a page: the words of each spot.
pub(crate) struct Evidence<'s, 'p> {
    sheet: &'s Sheet<'p>,
    keys: AttrKeys<4>,
    /// Words of elements, and which are whose, as near or as far ones.
    words: Vec<Word>,
    by_node: Map<(NodeId, Kind), Range<usize>>,
    /// Statements by the key of what they say.
    statements: Map<String, Vec<u32>>,
    /// Statements by the day they name.
    by_day: Map<Day, Vec<u32>>,
    /// Statements that are titles, with the keys of what they say.
    titles: Vec<(u32, String)>,
    /// Told of each word that is met, for those who want to name it.
    names: Option<Map<Word, (Kind, String)>>,
}

impl<'s, 'p> Evidence<'s, 'p> {
    pub(crate) fn new(sheet: &'s Sheet<'p>, is_named: bool) -> Evidence<'s, 'p> {
        let mut statements: Map<String, Vec<u32>> = Map::default();
        let mut titles = Vec::new();
        for (nth, item) in sheet.items.iter().enumerate() {
            let nth = u32::try_from(nth).unwrap_or(u32::MAX);
            let key = text::key(&item.text);
            if item.key.contains("title") || item.key.ends_with("headline") {
                titles.push((nth, key.clone()));
            }
            statements.entry(key).or_default().push(nth);
        }
        let mut by_day: Map<Day, Vec<u32>> = Map::default();
        for spot in &sheet.spots {
            if let (Some(day), Origin::Statement(nth)) = (spot.day, spot.origin) {
                by_day.entry(day).or_default().push(nth);
            }
        }
        Evidence {
            sheet,
            keys: sheet.page.attr_keys(["class", "id", "itemprop", "rel"]),
            words: Vec::new(),
            by_node: Map::default(),
            statements,
            by_day,
            titles,
            names: is_named.then(Map::default),
        }
    }

    /// The words that the spots would have which say what a statement says.
    pub(crate) fn stated(&self) -> Vec<Word> {
        self.sheet
            .items
            .iter()
            .map(|it| Word::new(Kind::Statement, &format!("={}", it.key)))
            .collect()
    }

    pub(crate) fn into_names(self) -> Map<Word, (Kind, String)> {
        self.names.unwrap_or_default()
    }

    fn word(&mut self, kind: Kind, text: &str) -> Word {
        let word = Word::new(kind, text);
        if let Some(names) = &mut self.names {
            names.entry(word).or_insert_with(|| (kind, text.to_owned()));
        }
        word
    }

    /// The words of a spot, by kind.
    pub(crate) fn of(&mut self, spot: &Spot) -> Vec<(Kind, Word)> {
        let mut found = Vec::new();
        self.elements(spot, &mut found);
        self.labels(spot, &mut found);
        self.statements(spot, &mut found);
        self.own(spot, &mut found);
        found
    }

    fn elements(&mut self, spot: &Spot, found: &mut Vec<(Kind, Word)>) {
        let sheet = self.sheet;
        if spot.leaves.is_empty() {
            return;
        }
        let element = match spot.origin {
            Origin::Block => sheet.blocks[sheet.block_of[spot.leaves.start]].element,
            _ => sheet.leaves.get(spot.leaves.start).element,
        };
        let page = sheet.page;
        let all = std::iter::once(element).chain(page.ancestors(element));
        for (distance, node) in all.enumerate() {
            // The words of the whole page tell nothing of its parts.
            if matches!(page.tag(node), Some("body" | "html") | None) {
                break;
            }
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
        for text in element_words(self.sheet.page, node, &self.keys) {
            let word = self.word(kind, &text);
            self.words.push(word);
        }
        self.by_node.insert((node, kind), start..self.words.len());
        start..self.words.len()
    }

    fn labels(&mut self, spot: &Spot, found: &mut Vec<(Kind, Word)>) {
        let sheet = self.sheet;
        let intro = sheet.intro(spot);
        let label = if !intro.is_empty() {
            text::phrase(intro)
        } else if spot.origin == Origin::Piece || spot.leaves.is_empty() || spot.leaves.start == 0 {
            return;
        } else {
            let before = sheet.leaves.get(spot.leaves.start - 1);
            if before.text.is_empty() || before.text.len() > MAX_LABEL {
                return;
            }
            text::phrase(before.text)
        };
        let whole = self.word(Kind::Label, &format!("={label}"));
        found.push((Kind::Label, whole));
        for part in label.split(' ').filter(|part| part.len() > 1) {
            let word = self.word(Kind::Label, part);
            found.push((Kind::Label, word));
        }
    }

    fn statements(&mut self, spot: &Spot, found: &mut Vec<(Kind, Word)>) {
        let sheet = self.sheet;
        if let Origin::Statement(nth) = spot.origin {
            let word = self.word(Kind::Statement, &format!("is {}", sheet.items[nth as usize].key));
            found.push((Kind::Statement, word));
            return;
        }
        let text = sheet.text(spot);
        if text.len() > MAX_STATEMENT {
            return;
        }
        let key = text::key(text);
        let mut alike = self.statements.get(&key).cloned().unwrap_or_default();
        if let Some(same) = spot.day.and_then(|day| self.by_day.get(&day)) {
            alike.extend(same);
        }
        for nth in alike {
            let word = self.word(Kind::Statement, &format!("={}", sheet.items[nth as usize].key));
            found.push((Kind::Statement, word));
        }
        // A title is often part of what the metadata says.
        if key.len() < MIN_TITLE {
            return;
        }
        for title in 0..self.titles.len() {
            let (nth, whole) = &self.titles[title];
            if whole.len() > key.len() && whole.starts_with(&key) {
                let text = format!("<{}", sheet.items[*nth as usize].key);
                let word = self.word(Kind::Statement, &text);
                found.push((Kind::Statement, word));
            }
        }
    }

    fn own(&mut self, spot: &Spot, found: &mut Vec<(Kind, Word)>) {
        let text = self.sheet.text(spot);
        if text.len() > MAX_OWN {
            return;
        }
        let phrase = text::phrase(text);
        let whole = self.word(Kind::Own, &format!("={phrase}"));
        found.push((Kind::Own, whole));
        let parts: Vec<&str> = phrase.split(' ').collect();
        if let [first, .., last] = parts.as_slice() {
            let (first, last) = (format!("{first} "), format!(" {last}"));
            let words = [self.word(Kind::Own, &first), self.word(Kind::Own, &last)];
            found.extend(words.map(|word| (Kind::Own, word)));
        }
    }
}

/// The words of an element's class, id and properties, without numbers: they name one of many.
fn element_words(page: &Page, node: NodeId, keys: &AttrKeys<4>) -> Vec<String> {
    const MANY: usize = 24;
    let mut words = Vec::new();
    for (attribute, value) in page.attrs_by(node, keys) {
        let mark = ["", "", "itemprop ", "rel "][attribute];
        for part in value.split(|c: char| !c.is_alphabetic()) {
            split_case(part, |word| {
                if word.len() > 1 && words.len() < MANY {
                    words.push(format!("{mark}{}", word.to_lowercase()));
                }
            });
        }
    }
    words
}

/// The parts of `camelCase`.
fn split_case(text: &str, mut each: impl FnMut(&str)) {
    let mut start = 0;
    let mut was_lower = false;
    for (place, c) in text.char_indices() {
        if c.is_uppercase() && was_lower {
            each(&text[start..place]);
            start = place;
        }
        was_lower = c.is_lowercase();
    }
    each(&text[start..]);
}

/// What is asked of the words of a kind.
pub(crate) const STRONGEST: usize = 0;
pub(crate) const FOR: usize = 1;
pub(crate) const AGAINST: usize = 2;
pub(crate) const N_SIDES: usize = 3;

/// What words are worth to each element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    n_elements: usize,
    /// At `word's number * n_elements + element`: how much more likely, as a logarithm of odds.
    numbers: Map<Word, u32>,
    values: Vec<f32>,
}

impl Weights {
    pub(crate) fn new(n_elements: usize) -> Weights {
        Weights { n_elements, ..Weights::default() }
    }

    pub(crate) fn insert(&mut self, word: Word, values: &[f32]) {
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        if self.numbers.insert(word, number).is_none() {
            self.values.extend_from_slice(values);
        }
    }

    fn get(&self, word: Word) -> Option<&[f32]> {
        let start = *self.numbers.get(&word)? as usize * self.n_elements;
        self.values.get(start..start + self.n_elements)
    }

    /// For each element what the strongest of all words says.
    pub(crate) fn best(&self, words: impl Iterator<Item = Word>) -> Vec<f32> {
        let mut best = vec![0.0; self.n_elements];
        for weights in words.filter_map(|word| self.get(word)) {
            for (best, weight) in best.iter_mut().zip(weights) {
                *best = f32::max(*best, *weight);
            }
        }
        best
    }

    /// For each kind and element what the strongest word says, the one that speaks most for it, and the one that speaks most
    /// against it: `(kind * 3 + side) * n_elements + element`.
    pub(crate) fn strongest(&self, words: &[(Kind, Word)], values: &mut Vec<f32>) {
        let start = values.len();
        values.resize(start + Kind::ALL.len() * N_SIDES * self.n_elements, 0.0);
        for (kind, word) in words {
            let Some(weights) = self.get(*word) else { continue };
            let place = start + *kind as usize * N_SIDES * self.n_elements;
            for (element, weight) in weights.iter().enumerate() {
                let side = |side: usize| place + side * self.n_elements + element;
                if weight.abs() > values[side(STRONGEST)].abs() {
                    values[side(STRONGEST)] = *weight;
                }
                values[side(FOR)] = values[side(FOR)].max(*weight);
                values[side(AGAINST)] = values[side(AGAINST)].min(*weight);
            }
        }
    }
}
