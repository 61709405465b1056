//! What each leaf stands under.

use super::candidate::Candidate;
use crate::dictionary::Dictionary;
use crate::dictionary::fold::fold;
use crate::place::block;
use crate::title::{self, TitleReading};
use page::{Leaf, LeafKind, Leaves, NodeId, Page, PathId, Paths};
use std::collections::HashMap;

/// A heading and what title it gives to those below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub(super) leaf: usize,
    /// From 1; what is no `<h1>` to `<h6>` is below all of them.
    level: u8,
    pub(super) title: Option<TitleReading>,
}

/// The headings of a page, in its order.
#[derive(Debug, Default)]
pub(super) struct Headings {
    all: Vec<Heading>,
    /// For each heading, the one that it stands under.
    above: Vec<Option<usize>>,
    /// The leaves of headings that are lines between names of one block.
    lines: Vec<usize>,
}

/// The level of what only looks like a heading.
const LOWEST: u8 = 7;
const MAX_BYTES: usize = 120;

impl Headings {
    /// Those that a leaf stands under, nearest first.
    pub(super) fn above(&self, leaf: usize) -> impl Iterator<Item = &Heading> {
        let first = self.all.partition_point(|heading| heading.leaf <= leaf).checked_sub(1);
        std::iter::successors(first, |index| self.above[*index]).map(|index| &self.all[index])
    }

    /// Where what is said of a name ends at the latest: at the next heading among the lines of its block.
    pub(super) fn end_of(&self, leaf: usize) -> usize {
        let next = self.lines.partition_point(|line| *line <= leaf);
        self.lines.get(next).copied().unwrap_or(usize::MAX)
    }

    fn add(&mut self, open: &mut Vec<usize>, heading: Heading) {
        while open.last().is_some_and(|last| self.all[*last].level >= heading.level) {
            open.pop();
        }
        self.above.push(open.last().copied());
        open.push(self.all.len());
        self.all.push(heading);
    }
}

pub(super) fn find(
    page: &Page,
    leaves: &Leaves,
    people: &[Candidate],
    dictionary: &Dictionary,
) -> Headings {
    let mut blocks = Blocks::of(page, leaves, people);
    let mut looks = Looks::default();
    let mut names = people.iter().peekable();
    let mut named: Option<NodeId> = None;
    let mut candidates: Vec<(Heading, Option<NodeId>)> = Vec::new();
    for leaf in leaves.iter() {
        while names.next_if(|name| name.last_leaf < leaf.position).is_some() {}
        if names.peek().is_some_and(|name| name.leaf <= leaf.position) {
            named = block(page, leaf.element);
            continue;
        }
        if leaf.kind != LeafKind::Text {
            continue;
        }
        let look = looks.of(leaves.paths(), leaf.path);
        let Some(heading) = heading(page, leaf, look, dictionary) else { continue };
        if heading.level < LOWEST {
            candidates.push((heading, None));
        } else if !named.is_some_and(|named| is_beside(page, leaf, named)) {
            candidates.push((heading, blocks.add_line(block(page, leaf.element), leaf.position)));
        }
    }
    let mut found = Headings::default();
    let mut open: Vec<usize> = Vec::new();
    for (heading, block) in candidates {
        let is_line = block.is_some_and(|block| blocks.are_parted(block));
        if is_line {
            found.lines.push(heading.leaf);
        }
        if is_line || block.is_none() {
            found.add(&mut open, heading);
        }
    }
    found
}

/// Blocks with names in them, and what stands out between these on lines of its own.
struct Blocks(HashMap<NodeId, Block, foldhash::fast::FixedState>);

struct Block {
    n_names: usize,
    first_name: usize,
    n_lines: usize,
    first_line: usize,
}

impl Blocks {
    fn of(page: &Page, leaves: &Leaves, people: &[Candidate]) -> Blocks {
        let mut blocks = Blocks(HashMap::default());
        for person in people {
            if let Some(node) = block(page, leaves.element(person.leaf)) {
                let first_name = person.leaf;
                let new = Block { n_names: 0, first_name, n_lines: 0, first_line: usize::MAX };
                blocks.0.entry(node).or_insert(new).n_names += 1;
            }
        }
        blocks
    }

    /// Note a line; of the block that it is in, if that has names.
    fn add_line(&mut self, block: Option<NodeId>, leaf: usize) -> Option<NodeId> {
        let node = block?;
        let block = self.0.get_mut(&node)?;
        block.n_lines += 1;
        block.first_line = block.first_line.min(leaf);
        Some(node)
    }

    /// Whether the lines of a block part its names, and are not said of one name each: they begin before the names do, or are few.
    fn are_parted(&self, block: NodeId) -> bool {
        self.0
            .get(&block)
            .is_some_and(|it| it.first_line < it.first_name || it.n_lines * 2 <= it.n_names)
    }
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
