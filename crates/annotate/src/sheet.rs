//! A page laid out for annotation: its blocks, and the spots that may be values.
//!
//! A *block* is a stretch of leaves in one block-level element, which a reader sees as one text. A *spot* is what is mapped to
//! an element of the schema: mostly a leaf; a whole block, where inline markup parts what is one value; a piece of a leaf,
//! where one text holds several; or a statement of the page's metadata.

mod extent;

pub(crate) use extent::{Extents, Sums};

use crate::day::{self, Day, Order};
use crate::metadata::{self, Item};
use crate::text::{self, Introductions};
use page::{Leaf, LeafKind, Leaves, NodeId, Page};
use std::ops::Range;

/// Where a spot's text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Origin {
    /// A leaf as it is.
    Leaf,
    /// All leaves of a block.
    Block,
    /// Part of a leaf.
    Piece,
    /// A statement of the metadata, by its number.
    Statement(u32),
}

/// What may be a value.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) origin: Origin,
    /// Its leaves; of a statement none.
    pub(crate) leaves: Range<usize>,
    /// Its text in the sheet's own.
    text: Range<usize>,
    /// The words that introduce it within its leaf, in the sheet's own text.
    intro: Range<usize>,
    /// The first day it names.
    pub(crate) day: Option<Day>,
}

/// A place of a page that is known.
pub(crate) struct Stretch<'t> {
    pub(crate) leaves: Range<usize>,
    /// The words that introduce it within its leaf.
    pub(crate) intro: &'t str,
    pub(crate) text: &'t str,
}

/// A stretch of leaves in one block-level element.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) element: NodeId,
    pub(crate) leaves: Range<usize>,
    /// Bytes of text, and of those inside links.
    pub(crate) len: usize,
    pub(crate) link_len: usize,
}

/// Bytes of text below an element, and of those inside links.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mass {
    pub(crate) len: usize,
    pub(crate) link_len: usize,
}

/// A page laid out.
pub(crate) struct Sheet<'p> {
    pub(crate) page: &'p Page,
    pub(crate) leaves: Leaves,
    pub(crate) blocks: Vec<Block>,
    /// By leaf.
    pub(crate) block_of: Vec<usize>,
    pub(crate) extents: Extents,
    /// Bytes of text, and of those inside links.
    lens: Sums<usize>,
    link_lens: Sums<usize>,
    pub(crate) items: Vec<Item>,
    /// Those that stand on the page, then one for each item.
    pub(crate) spots: Vec<Spot>,
    text: String,
}

/// A block of more leaves, or of more bytes, is no single value.
const MAX_BLOCK_LEAVES: usize = 12;
const MAX_BLOCK_LEN: usize = 400;
/// A leaf of more bytes is prose, and has no pieces.
const MAX_PIECED: usize = 240;

impl<'p> Sheet<'p> {
    pub(crate) fn new(page: &'p Page, introductions: &Introductions) -> Sheet<'p> {
        Sheet::of(page, page.leaves(), introductions)
    }

    /// The same of a page whose leaves are at hand.
    pub(crate) fn of(page: &'p Page, leaves: Leaves, introductions: &Introductions) -> Sheet<'p> {
        let mut sheet = Sheet::bare(page, leaves);
        sheet.find_spots(introductions);
        sheet
    }

    /// A page with some places of it, and what it says of itself, as the only spots.
    pub(crate) fn with<'t>(page: &'p Page, places: impl Iterator<Item = Stretch<'t>>) -> Sheet<'p> {
        let mut sheet = Sheet::bare(page, page.leaves());
        let order = sheet.order();
        for Stretch { leaves, intro, text } in places {
            let origin = match leaves.len() {
                1 if sheet.leaves.get(leaves.start).text == text => Origin::Leaf,
                1 => Origin::Piece,
                _ => Origin::Block,
            };
            sheet.push_spot(origin, leaves, intro, text, day::first(text, order));
        }
        sheet.statement_spots(order);
        sheet
    }

    /// Without spots.
    fn bare(page: &'p Page, leaves: Leaves) -> Sheet<'p> {
        let (blocks, block_of) = blocks(page, &leaves);
        let extents = Extents::of(page, &leaves);
        let len = |leaf: Leaf<'_>| if leaf.kind == LeafKind::Text { leaf.text.len() } else { 0 };
        let link_len = |leaf: Leaf<'_>| if leaf.link.is_some() { len(leaf) } else { 0 };
        let lens = Sums::of(leaves.iter().map(len));
        let (n_leaves, n_bytes) = (leaves.len(), lens.over(0..leaves.len()));
        Sheet {
            page,
            extents,
            lens,
            link_lens: Sums::of(leaves.iter().map(link_len)),
            leaves,
            blocks,
            block_of,
            items: metadata::items(page),
            spots: Vec::with_capacity(2 * n_leaves),
            text: String::with_capacity(2 * n_bytes),
        }
    }

    /// How many spots stand on the page. They come first; the others are its statements.
    pub(crate) fn n_standing(&self) -> usize {
        self.spots.len() - self.items.len()
    }

    pub(crate) fn text(&self, spot: &Spot) -> &str {
        &self.text[spot.text.clone()]
    }

    /// The words before it within its leaf.
    pub(crate) fn intro(&self, spot: &Spot) -> &str {
        &self.text[spot.intro.clone()]
    }

    /// The tags from the root to a spot.
    pub(crate) fn tags(&self, spot: &Spot) -> Option<Vec<String>> {
        let position = Some(spot.leaves.start).filter(|_| !spot.leaves.is_empty())?;
        let steps = self.leaves.paths().steps(self.leaves.get(position).path);
        Some(steps.into_iter().map(str::to_owned).collect())
    }

    /// Whether a leaf is in an element, or in one inside it.
    pub(crate) fn is_below(&self, leaf: usize, node: NodeId) -> bool {
        self.extents.below(node).contains(&leaf)
    }

    /// What is below an element.
    pub(crate) fn mass(&self, node: NodeId) -> Mass {
        let below = self.extents.below(node);
        Mass { len: self.lens.over(below.clone()), link_len: self.link_lens.over(below) }
    }

    /// How dates of numbers are written on this page.
    fn order(&self) -> Order {
        let root = self.page.find(self.page.document(), "html");
        let language = root.and_then(|root| {
            self.page.attr(root, "lang").or_else(|| self.page.attr(root, "xml:lang"))
        });
        language.map_or(Order::MonthFirst, Order::of_language)
    }

    fn find_spots(&mut self, introductions: &Introductions) {
        let order = self.order();
        let leaves = std::mem::take(&mut self.leaves);
        for leaf in leaves.iter() {
            // What machines are told is among the statements.
            let is_told =
                leaf.kind == LeafKind::Meta || self.page.tag(leaf.element) == Some("title");
            if !leaf.text.is_empty() && !is_told {
                self.leaf_spots(&leaf, introductions, order);
            }
        }
        for nth in 0..self.blocks.len() {
            self.block_spot(nth, &leaves, order);
        }
        self.leaves = leaves;
        self.statement_spots(order);
    }

    fn statement_spots(&mut self, order: Order) {
        for nth in 0..self.items.len() {
            let text = std::mem::take(&mut self.items[nth].text);
            let number = u32::try_from(nth).unwrap_or(u32::MAX);
            let day = day::first(&text, order);
            self.push_spot(Origin::Statement(number), 0..0, "", &text, day);
            self.items[nth].text = text;
        }
    }

    fn leaf_spots(&mut self, leaf: &Leaf<'_>, introductions: &Introductions, order: Order) {
        let place = leaf.position..leaf.position + 1;
        let days = day::days(leaf.text, order);
        let first = days.first().map(|(_, day)| *day);
        self.push_spot(Origin::Leaf, place.clone(), "", leaf.text, first);
        if leaf.text.len() > MAX_PIECED || leaf.kind == LeafKind::Image {
            return;
        }
        text::pieces(leaf.text, &days, introductions, |intro, piece| {
            let is_whole = |it: &&(Range<usize>, Day)| leaf.text[it.0.clone()] == *piece;
            let known = days.iter().find(is_whole).map(|(_, day)| *day);
            let day = known.or_else(|| day::first(piece, order));
            self.push_spot(Origin::Piece, place.clone(), intro, piece, day);
        });
    }

    fn block_spot(&mut self, nth: usize, leaves: &Leaves, order: Order) {
        let block = &self.blocks[nth];
        let place = block.leaves.clone();
        if !(2..=MAX_BLOCK_LEAVES).contains(&place.len()) || block.len > MAX_BLOCK_LEN {
            return;
        }
        let text = join(leaves, place.clone());
        self.push_spot(Origin::Block, place, "", &text, day::first(&text, order));
    }

    fn push_spot(
        &mut self,
        origin: Origin,
        leaves: Range<usize>,
        intro: &str,
        text: &str,
        day: Option<Day>,
    ) {
        let start = self.text.len();
        self.text.push_str(intro);
        let middle = self.text.len();
        self.text.push_str(text);
        self.spots.push(Spot {
            origin,
            leaves,
            text: middle..self.text.len(),
            intro: start..middle,
            day,
        });
    }
}

/// The texts of some leaves as one, with blanks where the page has them.
pub(crate) fn join(leaves: &Leaves, place: Range<usize>) -> String {
    let mut text = String::new();
    for leaf in place.map(|position| leaves.get(position)) {
        if leaf.kind != LeafKind::Text || leaf.text.is_empty() {
            continue;
        }
        if leaf.is_apart && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(leaf.text);
    }
    text
}

fn blocks(page: &Page, leaves: &Leaves) -> (Vec<Block>, Vec<usize>) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut block_of = Vec::with_capacity(leaves.len());
    for leaf in leaves.iter() {
        let element = block_element(page, leaf.element);
        let is_new = blocks.last().is_none_or(|block| block.element != element);
        if is_new {
            let start = leaf.position;
            blocks.push(Block { element, leaves: start..start, len: 0, link_len: 0 });
        }
        let number = blocks.len() - 1;
        let block = &mut blocks[number];
        block.leaves.end = leaf.position + 1;
        if leaf.kind == LeafKind::Text {
            block.len += leaf.text.len();
            block.link_len += if leaf.link.is_some() { leaf.text.len() } else { 0 };
        }
        block_of.push(number);
    }
    (blocks, block_of)
}

/// The nearest element that is no part of a line.
fn block_element(page: &Page, element: NodeId) -> NodeId {
    let mut element = element;
    while page.is_inline(element)
        && let Some(parent) = page.parent(element)
    {
        element = parent;
    }
    element
}
