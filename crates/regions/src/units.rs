//! Teaching units on a page: colleges and departments, by what they are called and by how regularly they stand.
//!
//! A set of units is more than a few leaves at one place of a page, most of whose names are made of words of fields of study and of units.

use crate::config::Config;
use crate::dictionary::fold::{Folded, fold};
use crate::dictionary::{Dictionary, UnitKind};
use page::{Leaf, LeafKind, Leaves, NodeId, Page, PathId, Span};
use std::collections::HashMap;

/// A unit that a page lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// As the page has it.
    pub name: String,
    /// Its link, or the nearest one; as written.
    pub url: Option<String>,
    /// What it is, if its name says so.
    pub kind: Option<UnitKind>,
    /// The leaf of the name.
    pub leaf: usize,
    /// The text node of the name.
    pub node: NodeId,
    /// Where the leaf stands in the source.
    pub span: Span,
    /// The share of its set that the dictionary covers.
    pub score: f64,
    /// Which of the page's sets of units.
    pub group: usize,
}

/// The units that a page lists, in its order.
pub fn units(page: &Page, config: &Config) -> Vec<Unit> {
    units_in(page, &page.leaves(), config)
}

/// The same, of leaves that are at hand.
pub fn units_in(page: &Page, leaves: &Leaves, config: &Config) -> Vec<Unit> {
    let mut sets: HashMap<PathId, Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
    for leaf in leaves.iter().filter(|leaf| leaf.kind == LeafKind::Text) {
        sets.entry(leaf.path).or_default().push(leaf.position);
    }
    let mut sets: Vec<Vec<usize>> =
        sets.into_values().filter(|set| set.len() > config.thresholds.min_units).collect();
    sets.sort_unstable();
    let mut found = Vec::new();
    for set in sets {
        let covered: Vec<bool> = set
            .iter()
            .map(|leaf| is_unit_name(leaves.get(*leaf).text, &config.dictionary))
            .collect();
        let share = covered.iter().filter(|is| **is).count() as f64 / set.len() as f64;
        if share > config.thresholds.units {
            let group = found.last().map_or(0, |unit: &Unit| unit.group + 1);
            found.extend(
                set.iter()
                    .map(|leaf| unit(page, leaves.get(*leaf), share, group, &config.dictionary)),
            );
        }
    }
    found.sort_by_key(|unit| unit.leaf);
    found
}

fn unit(page: &Page, leaf: Leaf<'_>, score: f64, group: usize, dictionary: &Dictionary) -> Unit {
    Unit {
        name: leaf.text.to_owned(),
        url: leaf.link.or_else(|| near_link(page, leaf.element)).map(str::to_owned),
        kind: kind(&fold(leaf.text), dictionary),
        leaf: leaf.position,
        node: leaf.node,
        span: leaf.span,
        score,
        group,
    }
}

/// The first link within the element or the one above it.
fn near_link(page: &Page, element: NodeId) -> Option<&str> {
    const MAX_NODES: usize = 40;
    let above = std::iter::once(element).chain(page.ancestors(element)).take(2);
    above.into_iter().find_map(|node| {
        page.descendants(node)
            .take(MAX_NODES)
            .filter(|it| page.tag(*it) == Some("a"))
            .find_map(|it| page.attr(it, "href"))
    })
}

fn kind(name: &Folded, dictionary: &Dictionary) -> Option<UnitKind> {
    (0..name.len()).find_map(|word| dictionary.phrase(name, word)?.1.unit)
}

const MAX_WORDS: usize = 14;
const JOINING: [&str; 30] = [
    "of", "and", "the", "in", "for", "at", "a", "an", "und", "fur", "der", "des", "die", "et",
    "de", "la", "du", "y", "del", "e", "di", "della", "delle", "do", "da", "och", "og", "van", "i",
    "with",
];

/// Whether all words that say something are words of units or fields of study, and at least one field or a unit with a field.
pub(crate) fn is_unit_name(text: &str, dictionary: &Dictionary) -> bool {
    if text.len() > 160 || !text.starts_with(|letter: char| letter.is_alphabetic()) {
        return false;
    }
    let name = fold(text);
    if name.len() == 0 || name.len() > MAX_WORDS {
        return false;
    }
    let mut says_field = false;
    let mut place = 0;
    while place < name.len() {
        match dictionary.phrase(&name, place) {
            Some((n_words, meaning)) if meaning.is_discipline || meaning.unit.is_some() => {
                says_field |= meaning.is_discipline;
                place += n_words;
            }
            _ if JOINING.contains(&name.word(place))
                || name.slice(place, place + 1).chars().all(char::is_numeric) =>
            {
                place += 1
            }
            _ => return false,
        }
    }
    says_field
}

#[cfg(test)]
mod tests;
