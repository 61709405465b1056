//! Sets on a page: many things of the same make.
//!
//! What stands on the same path is of the same make. A set is told by what its members are like: texts with certain words, prices,
//! dates. People and units are found by [`regions`].

use crate::plan::words;
use page::{DataType, Leaf, NodeId, Page, PathId};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What the members of a set are like.
#[derive(Debug, Clone, Default)]
pub(crate) struct Likeness {
    pub(crate) is_person: bool,
    pub(crate) is_unit: bool,
    pub(crate) is_price: bool,
    pub(crate) is_date: bool,
    pub(crate) words: Vec<Vec<String>>,
}

/// A set that was found.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    /// How many leaves are like it.
    pub(crate) n: usize,
    /// The links or elements of the first and the last of them, between which all stand.
    pub(crate) first: NodeId,
    pub(crate) last: NodeId,
}

/// So much of what is on one path must be alike.
const SHARE: f64 = 0.4;

/// The largest set on a page whose members are like this.
pub(crate) fn find(page: &Page, likeness: &Likeness) -> Option<Set> {
    let leaves = page.leaves();
    if likeness.is_person {
        let people = regions::people_in(page, &leaves, config());
        return listed(page, people.iter().map(|person| (person.group, person.node)));
    }
    if likeness.is_unit {
        let units = regions::units_in(page, &leaves, config());
        return listed(page, units.iter().map(|unit| (unit.group, unit.node)));
    }
    let mut by_path: BTreeMap<PathId, (usize, Option<Set>)> = BTreeMap::new();
    for leaf in leaves.iter() {
        let (n_all, set) = by_path.entry(leaf.path).or_default();
        *n_all += 1;
        if !likeness.holds(&leaf) {
            continue;
        }
        let node = link_around(page, leaf.element);
        match set {
            Some(set) => {
                set.n += 1;
                set.last = node;
            }
            None => *set = Some(Set { n: 1, first: node, last: node }),
        }
    }
    let found = by_path
        .into_values()
        .filter_map(|(n_all, set)| set.filter(|set| set.n as f64 >= SHARE * n_all as f64));
    let found = found.max_by_key(|set| set.n)?;
    // A price stands at the end of what it is the price of, and the link at its start.
    let is_part = likeness.is_price || likeness.is_date;
    Some(if is_part { with_records(page, found) } else { found })
}

/// A set from the start of the record that its first member is in to the end of that of its last: of the children of what all
/// members are in.
fn with_records(page: &Page, set: Set) -> Set {
    let above = |node: NodeId| std::iter::once(node).chain(page.ancestors(node));
    let around_last: Vec<NodeId> = above(set.last).collect();
    let mut first = set.first;
    for around in above(set.first) {
        let Some(at) = around_last.iter().position(|it| *it == around) else {
            first = around;
            continue;
        };
        let last = at.checked_sub(1).map_or(set.last, |below| around_last[below]);
        let last = page.descendants(last).last().unwrap_or(last);
        return Set { first, last, ..set };
    }
    set
}

/// What people and units are told by.
fn config() -> &'static regions::Config {
    static CONFIG: OnceLock<regions::Config> = OnceLock::new();
    CONFIG.get_or_init(regions::Config::default)
}

/// All groups of a page that are more than a mention, as one set.
fn listed(page: &Page, members: impl Iterator<Item = (usize, NodeId)>) -> Option<Set> {
    let mut groups: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for (group, node) in members {
        groups.entry(group).or_default().push(link_around(page, node));
    }
    let nodes = groups.into_values().filter(|group| group.len() >= FEW).flatten();
    let nodes: Vec<NodeId> = nodes.collect();
    let by_index = |node: &&NodeId| node.index();
    let (first, last) = (nodes.iter().min_by_key(by_index)?, nodes.iter().max_by_key(by_index)?);
    Some(Set { n: nodes.len(), first: *first, last: *last })
}

/// So many make a group.
const FEW: usize = 3;

/// The link that a leaf is in, or the leaf's element.
fn link_around(page: &Page, element: NodeId) -> NodeId {
    let mut near = std::iter::once(element).chain(page.ancestors(element)).take(4);
    near.find(|node| page.tag(*node) == Some("a")).unwrap_or(element)
}

impl Likeness {
    fn holds(&self, leaf: &Leaf<'_>) -> bool {
        self.is_price && leaf.data_type() == DataType::Money
            || self.is_date && matches!(leaf.data_type(), DataType::Date)
            || !self.words.is_empty() && self.has_word(leaf.text)
    }

    fn has_word(&self, text: &str) -> bool {
        if text.len() > 120 {
            return false;
        }
        let text = words(text);
        self.words.iter().any(|phrase| contains(&text, phrase))
    }
}

/// Whether words stand in a text, next to each other.
pub(crate) fn contains(text: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty() && text.windows(phrase.len()).any(|it| it == phrase)
}

/// Words that are no part of a person's name, though written like one where headings and links are.
const NOT_NAMES: &str = "about academic academics activities admission admissions affairs all alumni american and annual apply archive arts \
    art biology board book books building business calendar campus career careers catalog center centers chemistry class classes college \
    colleges community computer computing contact course courses current data degree degrees department departments design development \
    directory division download economics education email emeriti emeritus engineering english events faculty faq finance first for forms \
    frequently fall full general giving government graduate graduates group groups guide health help history home how human humanities \
    industry information initiative institute international jobs journal lab laboratory language last learning library life links list \
    login map maps mathematics media medicine member members menu minor more music network new news next office online open our page \
    people personal philosophy physics policy previous privacy professor program programs project projects public publications read recent \
    registration related report reports research resources room school schools science sciences search see seminar seminars service \
    services site social society software special spring staff student students studies study summer support system systems teaching \
    technical technology the top undergraduate university upcoming us view visit visitors web welcome with work world year";

/// Whether a text is written as names of people are: two to five words, of which the first and last start with capitals.
pub(crate) fn is_name(text: &str) -> bool {
    let text = text.trim().trim_end_matches([',', ';', ':']);
    if text.len() < 5
        || text.len() > 60
        || text.chars().any(|c| c.is_ascii_digit() || "@/&|#?!%$".contains(c))
    {
        return false;
    }
    let bare = text.split('(').next().unwrap_or(text);
    let parts: Vec<&str> = bare.split([' ', ',', '\u{a0}']).filter(|it| !it.is_empty()).collect();
    let is_title = |it: &&str| {
        matches!(
            it.trim_end_matches('.').to_lowercase().as_str(),
            "dr" | "prof" | "mr" | "mrs" | "ms" | "jr" | "sr" | "phd" | "ii" | "iii"
        )
    };
    let parts: Vec<&str> = parts.into_iter().filter(|it| !is_title(it)).collect();
    if !(2..=5).contains(&parts.len()) {
        return false;
    }
    let is_capital = |it: &&str| it.chars().next().is_some_and(char::is_uppercase);
    let is_small = |it: &&str| {
        matches!(
            *it,
            "de" | "da"
                | "del"
                | "der"
                | "den"
                | "di"
                | "du"
                | "la"
                | "le"
                | "van"
                | "von"
                | "ten"
                | "ter"
                | "y"
                | "e"
                | "bin"
                | "al"
                | "el"
        )
    };
    let is_whole = |it: &&str| it.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let is_other = |it: &&str| {
        let word = it.to_lowercase();
        NOT_NAMES.split_whitespace().any(|other| other == word)
    };
    parts.iter().all(|it| is_capital(it) || is_small(it))
        && is_capital(&parts[parts.len() - 1])
        && parts.iter().filter(|it| is_whole(it)).count() >= 2
        && !parts.iter().any(is_other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_told_from_headings() {
        for name in [
            "Edsger W. Dijkstra",
            "Dijkstra, Edsger",
            "Prof. Ada Lovelace",
            "Ludwig van Beethoven",
            "Jean-Luc O'Neal (emeritus)",
        ] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "Research Groups",
            "Contact",
            "The Tower of London",
            "Call 555-1234",
            "a small house",
            "General Information",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }
}
