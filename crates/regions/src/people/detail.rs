//! What the leaves of a person say: title, e-mail address, telephone number, homepage, picture, unit.

use super::candidate::Candidate;
use super::heading::{Heading, Headings};
use super::{Field, Person};
use crate::contact;
use crate::dictionary::Dictionary;
use crate::dictionary::fold::{Folded, fold, fold_into};
use crate::place::{Places, probability};
use crate::title::{self, Rank, Said, TitleReading};
use page::{Leaf, LeafKind, Leaves, Page};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

pub(super) struct Scope<'p> {
    pub(super) page: &'p Page,
    pub(super) leaves: &'p Leaves,
    pub(super) places: &'p Places,
    pub(super) dictionary: &'p Dictionary,
    pub(super) headings: &'p Headings,
    /// What leaves say, as far as it was asked for.
    pub(super) said: RefCell<SaidByLeaf>,
}

/// What each leaf says, read once.
#[derive(Default)]
pub(super) struct SaidByLeaf {
    known: Vec<Option<Said>>,
    folded: Folded,
}

/// What somebody is.
#[derive(Clone, Debug)]
pub(super) struct Title {
    field: Field,
    rank: Option<Rank>,
}

/// From so many titles at one place on, others there are titles too.
const MIN_TITLES: usize = 3;
/// A title beside a name is made of words of titles by this share at least.
const TITLE_SHARE: f64 = 0.4;
const MAX_TITLE_BYTES: usize = 160;

impl Scope<'_> {
    pub(super) fn person(
        &self,
        candidate: &Candidate,
        extent: Range<usize>,
        title: Option<Title>,
    ) -> Person {
        let leaf = self.leaves.get(candidate.leaf);
        let mut person = Person {
            name: candidate.name.clone(),
            rank: title.as_ref().and_then(|title| title.rank),
            title: title.map(|title| title.field),
            email: None,
            phone: None,
            homepage: homepage(leaf),
            photo: None,
            unit: None,
            heading: self.headings.above(candidate.leaf).next().map(|it| self.field(it.leaf)),
            leaf: candidate.leaf,
            node: leaf.node,
            span: leaf.span,
            score: probability(candidate.odds),
            group: candidate.group,
        };
        for position in extent {
            let leaf = self.leaves.get(position);
            person.email = person.email.or_else(|| self.email(leaf));
            person.phone = person.phone.or_else(|| phone(leaf));
            person.photo = person.photo.or_else(|| photo(leaf));
            if !(candidate.leaf..=candidate.last_leaf).contains(&position) {
                person.homepage = person.homepage.or_else(|| said_homepage(leaf));
                person.unit = person.unit.or_else(|| self.unit(leaf));
            }
        }
        person
    }

    /// The titles of all: what is said with the name, beside it, or above it.
    pub(super) fn titles(
        &self,
        people: &[Candidate],
        extents: &[Range<usize>],
    ) -> Vec<Option<Title>> {
        let all = || people.iter().zip(extents);
        let mut titles: Vec<Option<Title>> = all()
            .map(|(person, extent)| {
                self.own_title(person).or_else(|| self.near_title(person, extent.clone()))
            })
            .collect();
        let columns = self.columns(people, &titles);
        for ((person, extent), title) in all().zip(&mut titles) {
            let heading = || self.heading_title(person.leaf);
            if title.is_none() {
                let column = columns.get(&person.group);
                let rank = heading().and_then(|heading| heading.rank);
                *title = column
                    .and_then(|column| self.title_at(person, extent.clone(), *column, rank))
                    .or_else(heading);
            }
        }
        titles
    }

    /// For each group of people, the place where their titles stand, if most have it at one.
    fn columns(&self, people: &[Candidate], titles: &[Option<Title>]) -> Map<usize, u64> {
        let mut counts: Map<(usize, u64), usize> = Map::default();
        let mut sizes: Map<usize, usize> = Map::default();
        for (person, title) in people.iter().zip(titles) {
            *sizes.entry(person.group).or_default() += 1;
            let leaf =
                title.as_ref().map(|title| title.field.leaf).filter(|leaf| *leaf != person.leaf);
            if let Some(place) = leaf.and_then(|leaf| self.places.get(leaf)) {
                *counts.entry((person.group, place.finest())).or_default() += 1;
            }
        }
        let is_column = |((group, _), count): &(&(usize, u64), &usize)| {
            **count >= MIN_TITLES && 2 * **count > sizes[group]
        };
        counts.iter().filter(is_column).map(|((group, place), _)| (*group, *place)).collect()
    }

    /// What stands where the others have their titles, whatever it says.
    fn title_at(
        &self,
        person: &Candidate,
        extent: Range<usize>,
        column: u64,
        rank: Option<Rank>,
    ) -> Option<Title> {
        let is_there =
            |leaf: &usize| self.places.get(*leaf).is_some_and(|place| place.finest() == column);
        let leaf = extent.filter(|leaf| *leaf != person.leaf).find(is_there)?;
        let text = tidy(self.leaves.get(leaf).text);
        let is_title = !text.is_empty() && text.len() <= MAX_TITLE_BYTES && !text.contains('@');
        is_title.then(|| Title { field: Field { text: text.to_owned(), leaf }, rank })
    }

    fn near_title(&self, person: &Candidate, extent: Range<usize>) -> Option<Title> {
        let is_other = |leaf: &usize| !(person.leaf..=person.last_leaf).contains(leaf);
        extent.filter(is_other).find_map(|leaf| self.title(self.leaves.get(leaf)))
    }

    fn field(&self, leaf: usize) -> Field {
        Field { text: self.leaves.get(leaf).text.to_owned(), leaf }
    }

    /// What the leaf of the name says after it or before it.
    fn own_title(&self, candidate: &Candidate) -> Option<Title> {
        if candidate.leaf != candidate.last_leaf {
            return None;
        }
        let text = self.leaves.get(candidate.leaf).text;
        let rest = text.get(candidate.rest..).unwrap_or_default();
        let before = || text.get(candidate.title.clone()?);
        let piece = |text: &str| {
            let text = self.title_piece(tidy(text))?;
            let rank = title::read(&fold(text), self.dictionary)?.rank;
            let field = Field { text: tidy(text).to_owned(), leaf: candidate.leaf };
            Some(Title { field, rank: Some(rank) })
        };
        piece(rest).or_else(|| piece(before()?))
    }

    /// The part of `Professor, room 12, eva@example.org` that is a title.
    fn title_piece<'t>(&self, text: &'t str) -> Option<&'t str> {
        if text.len() > 2 * MAX_TITLE_BYTES {
            return None;
        }
        let is_title = |text: &&str| self.is_title(text);
        if text.len() <= MAX_TITLE_BYTES && !text.contains('@') && is_title(&text) {
            return Some(text);
        }
        text.split([',', ';', '(', ')', '|']).find(is_title)
    }

    /// Whether a text is a title.
    fn is_title(&self, text: &str) -> bool {
        title::read(&fold(text), self.dictionary).is_some_and(is_title)
    }

    /// What a leaf says.
    fn said(&self, leaf: Leaf<'_>) -> Said {
        if leaf.kind != LeafKind::Text || leaf.text.len() > MAX_TITLE_BYTES {
            return Said::default();
        }
        let mut by_leaf = self.said.borrow_mut();
        let SaidByLeaf { known, folded } = &mut *by_leaf;
        known.resize(self.leaves.len(), None);
        *known[leaf.position].get_or_insert_with(|| {
            fold_into(leaf.text, folded);
            title::said(folded, self.dictionary)
        })
    }

    fn title(&self, leaf: Leaf<'_>) -> Option<Title> {
        let reading = self.said(leaf).title.filter(|it| is_title(*it))?;
        let text = tidy(leaf.text);
        let field = Field { text: text.to_owned(), leaf: leaf.position };
        (!text.contains('@')).then_some(Title { field, rank: Some(reading.rank) })
    }

    /// The title that a heading gives to all below it: `Professors`. One that only says that they belong here gives none.
    fn heading_title(&self, leaf: usize) -> Option<Title> {
        let says = |it: &&Heading| it.title.is_some_and(|title| title.rank != Rank::Member);
        let heading = self.headings.above(leaf).find(says)?;
        Some(Title { field: self.field(heading.leaf), rank: heading.title.map(|it| it.rank) })
    }

    fn email(&self, leaf: Leaf<'_>) -> Option<Field> {
        let by_link = leaf.link.filter(|link| is_scheme(link, "mailto:")).and_then(contact::email);
        let by_attribute = || {
            let attrs = self.page.attrs(leaf.element).filter(|(name, _)| name.starts_with("data-"));
            attrs
                .filter(|(_, value)| value.contains('@') || value.contains("[at]"))
                .find_map(|(_, value)| contact::email(value))
        };
        let text = by_link.or_else(|| contact::email(leaf.text)).or_else(by_attribute)?;
        Some(Field { text, leaf: leaf.position })
    }

    /// A text that names a department or the like and nothing else.
    fn unit(&self, leaf: Leaf<'_>) -> Option<Field> {
        self.said(leaf).is_unit.then(|| self.field(leaf.position))
    }
}

/// A title is one by most of its words, or by those that it begins with.
fn is_title(it: TitleReading) -> bool {
    it.share >= TITLE_SHARE && it.n_before <= 6 || it.n_before == 0 && it.share >= TITLE_SHARE / 2.0
}

/// Without what parts it from the name.
fn tidy(text: &str) -> &str {
    text.trim_matches([' ', ',', ';', '-', '–', '—', '|', ':', '•', '·', '/'])
        .trim_matches([' ', '\u{a0}'])
}

fn is_scheme(link: &str, scheme: &str) -> bool {
    link.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
}

fn phone(leaf: Leaf<'_>) -> Option<Field> {
    let by_link = leaf.link.filter(|link| is_scheme(link, "tel:"));
    let text = if leaf.kind == LeafKind::Text && leaf.text.len() < 200 { leaf.text } else { "" };
    let number = contact::phone(text).or_else(|| by_link.and_then(contact::phone))?;
    Some(Field { text: number.to_owned(), leaf: leaf.position })
}

/// Where the name leads to.
fn homepage(leaf: Leaf<'_>) -> Option<Field> {
    let link = leaf.link.filter(|link| is_page(link))?;
    Some(Field { text: link.to_owned(), leaf: leaf.position })
}

fn is_page(link: &str) -> bool {
    !link.starts_with('#')
        && !["mailto:", "tel:", "javascript:", "data:"].iter().any(|scheme| is_scheme(link, scheme))
}

/// A link that says that it leads to a homepage.
fn said_homepage(leaf: Leaf<'_>) -> Option<Field> {
    const SIGNS: [&str; 8] =
        ["home", "web", "www", "profile", "profil", "personal", "主页", "个人"];
    let field = homepage(leaf)?;
    let text = leaf.text.to_lowercase();
    SIGNS.iter().any(|sign| text.contains(sign)).then_some(field)
}

fn photo(leaf: Leaf<'_>) -> Option<Field> {
    const ICONS: [&str; 6] = ["icon", "logo", "arrow", "bullet", "spacer", "button"];
    let src = leaf.src.filter(|src| leaf.kind == LeafKind::Image && !src.starts_with("data:"))?;
    let lower = src.to_ascii_lowercase();
    let is_icon = ICONS.iter().any(|sign| lower.contains(sign));
    (!is_icon).then(|| Field { text: src.to_owned(), leaf: leaf.position })
}
