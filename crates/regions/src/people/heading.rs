//! What each leaf stands under.

use super::candidate::Candidate;
use crate::dictionary::Dictionary;
use crate::dictionary::fold::fold;
use crate::place::block;
use crate::title::{self, TitleReading};
use page::{Leaf, LeafKind, Leaves, NodeId, Page, PathId, Paths};

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
    let mut looks = Looks::default();
    let mut named: Option<NodeId> = None;
    for leaf in leaves.iter() {
        if is_name[leaf.position] {
            named = block(page, leaf.element);
        }
        let heading = (leaf.kind == LeafKind::Text && !is_name[leaf.position])
            .then(|| heading(page, leaf, looks.of(leaves.paths(), leaf.path), dictionary))
            .flatten();
        let is_remark = || named.is_some_and(|named| is_beside(page, leaf, named));
        if let Some(heading) = heading.filter(|it| it.level < LOWEST || !is_remark()) {
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

/// What the leaves of a path may be.
#[derive(Clone, Copy)]
enum Look {
    /// A heading of a level.
    Level(u8),
    /// A heading if it is all that its block has.
    StandsOut,
    Plain,
}

/// By path, as all leaves of one look the same.
#[derive(Default)]
struct Looks(Vec<Option<Look>>);

impl Looks {
    fn of(&mut self, paths: &Paths, path: PathId) -> Look {
        if self.0.len() <= path.index() {
            self.0.resize(path.index() + 1, None);
        }
        *self.0[path.index()].get_or_insert_with(|| look(paths, path))
    }
}

fn look(paths: &Paths, path: PathId) -> Look {
    let near = [path, paths.parent(path), paths.parent(paths.parent(path))];
    let tags = near.map(|path| paths.tag(path));
    if let Some(level) = tags.iter().filter_map(|tag| level(tag)).min() {
        return Look::Level(level);
    }
    let stands_out =
        |tag: &&str| matches!(*tag, "b" | "strong" | "u" | "em" | "font" | "th" | "td" | "dt");
    if tags.iter().any(stands_out) { Look::StandsOut } else { Look::Plain }
}

fn heading(page: &Page, leaf: Leaf<'_>, look: Look, dictionary: &Dictionary) -> Option<Heading> {
    let title = || title::read(&fold(leaf.text), dictionary).filter(|it| it.share >= 0.5);
    match look {
        _ if leaf.text.len() > MAX_BYTES => None,
        Look::Level(level) => Some(Heading { leaf: leaf.position, level, title: title() }),
        // What someone is somewhere else is said of that one.
        Look::StandsOut if is_alone(page, leaf) && !names_a_unit(leaf.text, dictionary) => {
            title().map(|title| Heading { leaf: leaf.position, level: LOWEST, title: Some(title) })
        }
        Look::StandsOut | Look::Plain => None,
    }
}

/// Whether a title says where it is held: `Associate Professor, History`.
fn names_a_unit(text: &str, dictionary: &Dictionary) -> bool {
    text.split_once(", ").is_some_and(|(_, unit)| crate::is_unit(unit, dictionary))
}

fn level(tag: &str) -> Option<u8> {
    match tag.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        b"caption" | b"legend" | b"summary" => Some(LOWEST - 1),
        _ => None,
    }
}

/// Whether a text stands in a block, on the line that the block has before it: what is said there is said of the name.
fn is_beside(page: &Page, leaf: Leaf<'_>, block: NodeId) -> bool {
    if crate::place::block(page, leaf.element) != Some(block) {
        return false;
    }
    let inside = std::iter::once(leaf.node).chain(page.ancestors(leaf.node));
    let mut before = inside.take_while(|node| *node != block).filter_map(|node| {
        let siblings =
            std::iter::successors(page.previous_sibling(node), |it| page.previous_sibling(*it));
        let is_blank =
            |it: &NodeId| page.tag(*it).is_none() && page.text_content(*it).trim().is_empty();
        siblings.into_iter().find(|it| !is_blank(it))
    });
    before.next().is_some_and(|node| page.tag(node) != Some("br"))
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
