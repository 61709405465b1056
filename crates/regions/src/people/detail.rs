//! What the leaves of a person say: title, e-mail address, telephone number, homepage, picture, unit.

use super::candidate::Candidate;
use super::heading::Headings;
use super::{Field, Person};
use crate::contact;
use crate::dictionary::Dictionary;
use crate::dictionary::fold::fold;
use crate::place::probability;
use crate::title::{self, Rank};
use page::{Leaf, LeafKind, Leaves, Page};
use std::ops::Range;

pub(super) struct Scope<'p> {
    pub(super) page: &'p Page,
    pub(super) leaves: &'p Leaves,
    pub(super) dictionary: &'p Dictionary,
    pub(super) headings: &'p Headings,
}

/// A title beside a name is made of words of titles by this share at least.
const TITLE_SHARE: f64 = 0.4;
const MAX_TITLE_BYTES: usize = 160;

impl Scope<'_> {
    pub(super) fn person(&self, candidate: &Candidate, extent: Range<usize>) -> Person {
        let leaf = self.leaves.get(candidate.leaf);
        let others = || {
            extent
                .clone()
                .filter(|it| !(candidate.leaf..=candidate.last_leaf).contains(it))
                .map(|it| self.leaves.get(it))
        };
        let all = || extent.clone().map(|it| self.leaves.get(it));
        let title = self
            .own_title(candidate, leaf)
            .or_else(|| others().find_map(|other| self.title(other)))
            .or_else(|| self.heading_title(candidate.leaf));
        Person {
            name: candidate.name.clone(),
            rank: title.as_ref().map(|(_, rank)| *rank),
            title: title.map(|(title, _)| title),
            email: all().find_map(|it| self.email(it)),
            phone: all().find_map(phone),
            homepage: homepage(leaf).or_else(|| others().find_map(said_homepage)),
            photo: all().find_map(photo),
            unit: others().find_map(|other| self.unit(other)),
            heading: self.headings.above(candidate.leaf).next().map(|it| self.field(it.leaf)),
            leaf: candidate.leaf,
            node: leaf.node,
            span: leaf.span,
            score: probability(candidate.odds),
            group: candidate.group,
        }
    }

    fn field(&self, leaf: usize) -> Field {
        Field { text: self.leaves.get(leaf).text.to_owned(), leaf }
    }

    /// What the leaf of the name says after it or before it.
    fn own_title(&self, candidate: &Candidate, leaf: Leaf<'_>) -> Option<(Field, Rank)> {
        if candidate.leaf != candidate.last_leaf {
            return None;
        }
        let rest = leaf.text.get(candidate.rest..).unwrap_or_default();
        let rest = rest.trim_matches([' ', ',', ';', '(', ')', '-', '–', '|', ':']);
        let before = || leaf.text.get(candidate.title.clone()?);
        let piece = |text: &str| -> Option<(Field, Rank)> {
            let text = self.title_piece(text)?;
            let reading = title::read(&fold(text), self.dictionary)?;
            let text = text.trim().to_owned();
            Some((Field { text, leaf: candidate.leaf }, reading.rank))
        };
        piece(rest).or_else(|| piece(before()?))
    }

    /// The part of `Professor, room 12, eva@example.org` that is a title.
    fn title_piece<'t>(&self, text: &'t str) -> Option<&'t str> {
        if text.len() > 2 * MAX_TITLE_BYTES {
            return None;
        }
        let is_title = |piece: &str| {
            title::read(&fold(piece), self.dictionary)
                .is_some_and(|it| it.share >= TITLE_SHARE && it.n_before <= 5)
        };
        if is_title(text) && text.len() <= MAX_TITLE_BYTES && !text.contains('@') {
            return Some(text);
        }
        text.split([',', ';', '(', ')', '|']).find(|piece| is_title(piece))
    }

    fn title(&self, leaf: Leaf<'_>) -> Option<(Field, Rank)> {
        if leaf.kind != LeafKind::Text || leaf.text.len() > MAX_TITLE_BYTES {
            return None;
        }
        let reading = title::read(&fold(leaf.text), self.dictionary)?;
        let is_title =
            reading.share >= TITLE_SHARE && reading.n_before <= 6 && !leaf.text.contains('@');
        is_title.then(|| (self.field(leaf.position), reading.rank))
    }

    /// The title that a heading gives to all below it: `Professors`.
    fn heading_title(&self, leaf: usize) -> Option<(Field, Rank)> {
        let heading = self.headings.above(leaf).find(|it| it.title.is_some())?;
        Some((self.field(heading.leaf), heading.title?.rank))
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
        if leaf.kind != LeafKind::Text || leaf.text.len() > MAX_TITLE_BYTES {
            return None;
        }
        crate::units::is_unit_name(leaf.text, self.dictionary).then(|| self.field(leaf.position))
    }
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
    let text = leaf.text.to_lowercase();
    let says = ["home", "web", "www", "profile", "profil", "personal", "主页", "个人"]
        .iter()
        .any(|word| text.contains(word));
    says.then(|| homepage(leaf)).flatten()
}

fn photo(leaf: Leaf<'_>) -> Option<Field> {
    let src = leaf.src.filter(|src| leaf.kind == LeafKind::Image && !src.starts_with("data:"))?;
    let is_icon = ["icon", "logo", "arrow", "bullet", "spacer", "button"]
        .iter()
        .any(|word| src.to_ascii_lowercase().contains(word));
    (!is_icon).then(|| Field { text: src.to_owned(), leaf: leaf.position })
}
