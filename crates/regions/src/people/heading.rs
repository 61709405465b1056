//! What each leaf stands under.

use super::candidate::Candidate;
use crate::dictionary::Dictionary;
use crate::dictionary::fold::fold;
use crate::place::block;
use crate::title::{self, TitleReading};
use page::{Leaf, LeafKind, Leaves, NodeId, Page};

/// A heading and what title it gives to those below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub(super) leaf: usize,
    /// From 1; what is no `<h1>` to `<h6>` is below all of them.
    level: u8,
    pub(super) title: Option<TitleReading>,
}

/// For each leaf the headings above it, outermost first.
#[derive(Debug)]
pub(super) struct Headings {
    all: Vec<Heading>,
    /// For each heading, the one that it stands under.
    above: Vec<Option<usize>>,
    /// For each leaf, the heading it stands under.
    of_leaf: Vec<Option<u32>>,
}

/// The level of what only looks like a heading.
const LOWEST: u8 = 7;
const MAX_BYTES: usize = 120;

impl Headings {
    /// Those that a leaf stands under, nearest first.
    pub(super) fn above(&self, leaf: usize) -> impl Iterator<Item = &Heading> {
        let first = self.of_leaf.get(leaf).copied().flatten().map(|index| index as usize);
        std::iter::successors(first, |index| self.above[*index]).map(|index| &self.all[index])
    }
}

pub(super) fn find(
    page: &Page,
    leaves: &Leaves,
    people: &[Candidate],
    dictionary: &Dictionary,
) -> Headings {
    let mut is_name = vec![false; leaves.len()];
    for person in people {
        is_name[person.leaf..=person.last_leaf].fill(true);
    }
    let mut found = Headings { all: Vec::new(), above: Vec::new(), of_leaf: Vec::new() };
    let mut open: Vec<usize> = Vec::new();
    for leaf in leaves.iter() {
        let heading = (leaf.kind == LeafKind::Text && !is_name[leaf.position])
            .then(|| heading(page, leaf, dictionary))
            .flatten();
        if let Some(heading) = heading {
            while open.last().is_some_and(|last| found.all[*last].level >= heading.level) {
                open.pop();
            }
            found.above.push(open.last().copied());
            open.push(found.all.len());
            found.all.push(heading);
        }
        found.of_leaf.push(open.last().and_then(|index| u32::try_from(*index).ok()));
    }
    found
}

fn heading(page: &Page, leaf: Leaf<'_>, dictionary: &Dictionary) -> Option<Heading> {
    if leaf.text.len() > MAX_BYTES {
        return None;
    }
    let tags = std::iter::once(leaf.element).chain(page.ancestors(leaf.element)).take(3);
    let level = tags.filter_map(|node| level(page.tag(node)?)).min();
    let title = || title::read(&fold(leaf.text), dictionary).filter(|it| it.share >= 0.5);
    match level {
        Some(level) => Some(Heading { leaf: leaf.position, level, title: title() }),
        None if is_alone(page, leaf) => {
            title().map(|title| Heading { leaf: leaf.position, level: LOWEST, title: Some(title) })
        }
        None => None,
    }
}

fn level(tag: &str) -> Option<u8> {
    match tag.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        b"caption" | b"legend" | b"summary" => Some(LOWEST - 1),
        _ => None,
    }
}

/// Whether a text stands out and is all that its block has: a bold line, a header that spans a table.
fn is_alone(page: &Page, leaf: Leaf<'_>) -> bool {
    let Some(block) = block(page, leaf.element) else { return false };
    let spans = page.attr(block, "colspan").is_some()
        || page.tag(block) == Some("th")
        || page.tag(block) == Some("dt");
    let is_bold =
        |node: NodeId| matches!(page.tag(node), Some("b" | "strong" | "u" | "em" | "font"));
    let stands_out = is_bold(leaf.element) || page.parent(leaf.element).is_some_and(is_bold);
    spans || stands_out && leaf.link.is_none()
}
