//! People on a page: names by what they are and where they stand, and what is said beside them.
//!
//! `candidate` reads every leaf as a name, `group` judges leaves by those at the same place of other records, `extent` tells which leaves are
//! about which person, `detail` reads them, `heading` knows what each leaf stands under.

mod candidate;
mod detail;
mod extent;
mod group;
mod heading;

use crate::config::Config;
use crate::dictionary::fold::Folded;
use crate::name;
use crate::place::Places;
use crate::title::Rank;
use page::{Leaves, NodeId, Page, Span};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A text and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it says.
    pub text: String,
    /// The leaf that says it.
    pub leaf: usize,
}

/// One person of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// The name as the page has it, without titles and degrees.
    pub name: String,
    /// What the person is: `Associate Professor`.
    pub title: Option<Field>,
    /// The rank that the title tells.
    pub rank: Option<Rank>,
    /// Also where the page hides it from machines.
    pub email: Option<Field>,
    /// As written.
    pub phone: Option<Field>,
    /// Where the name leads, or a link that says so; as written.
    pub homepage: Option<Field>,
    /// A picture; as written.
    pub photo: Option<Field>,
    /// The department or the like that is said beside the name.
    pub unit: Option<Field>,
    /// What the person stands under.
    pub heading: Option<Field>,
    /// The leaf of the name.
    pub leaf: usize,
    /// The text node of the name.
    pub node: NodeId,
    /// Where the leaf of the name stands in the source.
    pub span: Span,
    /// How sure it is that this is a person of the page, from 0 to 1.
    pub score: f64,
    /// Which of the page's groups: people at the same place of their records have the same number.
    pub group: usize,
}

/// The people of a page, in its order, each once.
pub fn people(page: &Page, config: &Config) -> Vec<Person> {
    people_in(page, &page.leaves(), config)
}

/// The same, of leaves that are at hand.
pub fn people_in(page: &Page, leaves: &Leaves, config: &Config) -> Vec<Person> {
    let mut candidates = candidate::find(page, leaves, &config.dictionary);
    if candidates.is_empty() {
        return Vec::new();
    }
    let places = Places::of(page, leaves);
    group::judge(leaves, &places, &mut candidates, config);
    candidates.retain(|candidate| candidate.is_person);
    let headings = heading::find(page, leaves, &candidates, &config.dictionary);
    let extents = extent::find(page, leaves, &candidates, &headings);
    let scope = detail::Scope {
        page,
        leaves,
        places: &places,
        dictionary: &config.dictionary,
        headings: &headings,
        said: Default::default(),
    };
    let titles = scope.titles(&candidates, &extents);
    let all = candidates.iter().zip(extents).zip(titles);
    once_each(all.map(|((candidate, extent), title)| scope.person(candidate, extent, title)))
}

/// One of each name; what is missing of the first is taken from the others.
fn once_each(people: impl Iterator<Item = Person>) -> Vec<Person> {
    let mut known: HashMap<u64, usize, foldhash::fast::FixedState> = HashMap::default();
    let mut folded = Folded::default();
    let mut once: Vec<Person> = Vec::new();
    for person in people {
        match known.entry(name::key(&person.name, &mut folded)) {
            Entry::Occupied(index) => once[*index.get()].complete(person),
            Entry::Vacant(place) => {
                place.insert(once.len());
                once.push(person);
            }
        }
    }
    once
}

impl Person {
    fn complete(&mut self, other: Person) {
        if self.title.is_none() {
            (self.title, self.rank) = (other.title, other.rank);
        }
        self.email = self.email.take().or(other.email);
        self.phone = self.phone.take().or(other.phone);
        self.homepage = self.homepage.take().or(other.homepage);
        self.photo = self.photo.take().or(other.photo);
        self.unit = self.unit.take().or(other.unit);
        self.score = self.score.max(other.score);
    }
}

#[cfg(test)]
mod tests;
