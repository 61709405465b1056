//! Sets on a page: many things of the same make.
//!
//! What stands on the same path is of the same make. A set is told by what its members are like: texts with certain words, prices,
//! dates. People and units are found by [`regions`].

use crate::plan::words;
use page::{DataType, Leaf, Leaves, NodeId, Page, PathId};
use std::cell::OnceCell;
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

/// The sets of one page, each found when it is first asked for: a page is tested for several kinds.
pub(crate) struct Sets<'p> {
    page: &'p Page,
    leaves: &'p Leaves,
    people: OnceCell<Option<Set>>,
    units: OnceCell<Option<Set>>,
}

impl<'p> Sets<'p> {
    pub(crate) fn of(page: &'p Page, leaves: &'p Leaves) -> Sets<'p> {
        Sets { page, leaves, people: OnceCell::new(), units: OnceCell::new() }
    }

    /// The largest set whose members are like this.
    pub(crate) fn find(&self, likeness: &Likeness) -> Option<Set> {
        if likeness.is_person {
            return self.people.get_or_init(|| self.people()).clone();
        }
        if likeness.is_unit {
            return self.units.get_or_init(|| self.units()).clone();
        }
        of_one_path(self.page, self.leaves, likeness)
    }

    fn people(&self) -> Option<Set> {
        let people = regions::people_in(self.page, self.leaves, config());
        listed(self.page, people.iter().map(|person| (person.group, person.node)))
    }

    fn units(&self) -> Option<Set> {
        let units = regions::units_in(self.page, self.leaves, config());
        listed(self.page, units.iter().map(|unit| (unit.group, unit.node)))
    }
}

/// The largest set on one path whose members are like this.
fn of_one_path(page: &Page, leaves: &Leaves, likeness: &Likeness) -> Option<Set> {
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

/// Whether a link's text is a person's name, as far as the text alone tells.
pub(crate) fn is_name(text: &str) -> bool {
    regions::is_name(text, &config().dictionary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_told_from_headings() {
        for name in
            ["Edsger W. Dijkstra", "Dijkstra, Edsger", "Prof. Ada Lovelace", "Ludwig van Beethoven"]
        {
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
