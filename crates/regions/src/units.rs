//! Teaching units on a page: colleges and departments, by what they are called and by how regularly they stand.
//!
//! `name` reads a text as the name of a unit: the words of fields of study and of units that it is made of, longest phrase first. What
//! stands at the same place of the page is added, and what the heading above says. With [`Rule::Paper`] a set counts as a whole
//! instead, by the share of its members that the dictionary covers.

mod name;
mod set;

#[cfg(test)]
use name::is_unit_name;
pub use name::is_unit_name as is_unit;

use crate::config::{Config, Rule};
use crate::dictionary::UnitKind;
use crate::dictionary::fold::Folded;
use page::{Leaves, NodeId, Page, Span};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A unit that a page lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// As the page has it.
    pub name: String,
    /// Its link, or the nearest one; as written.
    pub url: Option<String>,
    /// Where its people are listed, if a link beside the name says so; as written.
    pub people_url: Option<String>,
    /// What it is, if its name says so.
    pub kind: Option<UnitKind>,
    /// The leaf of the name.
    pub leaf: usize,
    /// The text node of the name.
    pub node: NodeId,
    /// Where the leaf stands in the source.
    pub span: Span,
    /// How sure it is that this is a unit, from 0 to 1; by the paper's rule, the share of its set that the dictionary covers.
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
    let found = match config.thresholds.rule {
        Rule::Graded => set::graded(page, leaves, config),
        Rule::Paper => set::by_share(page, leaves, config),
    };
    let ends = found.iter().skip(1).map(|next| next.leaf()).chain([leaves.len()]);
    let all = found.iter().zip(ends);
    once_each(all.map(|(found, end)| set::unit(page, leaves, found, end, &config.dictionary)))
}

/// One of each name: lists that refer to themselves have some twice, once with a link to another line.
fn once_each(units: impl Iterator<Item = Unit>) -> Vec<Unit> {
    let mut known: HashMap<u64, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut folded = Folded::default();
    let mut once: Vec<Unit> = Vec::new();
    for unit in units {
        match known.entry(crate::name::key(&unit.name, &mut folded)) {
            Entry::Occupied(index) => {
                let other = &mut once[*index.get()];
                if unit.says_more_than(other) {
                    *other = unit;
                }
            }
            Entry::Vacant(place) => {
                place.insert(once.len());
                once.push(unit);
            }
        }
    }
    once.sort_by_key(|unit| unit.leaf);
    once
}

impl Unit {
    fn says_more_than(&self, other: &Unit) -> bool {
        let leads_away = |unit: &Unit| unit.url.as_ref().is_some_and(|url| !url.starts_with('#'));
        (self.people_url.is_some(), leads_away(self))
            > (other.people_url.is_some(), leads_away(other))
    }
}

#[cfg(test)]
mod tests;
