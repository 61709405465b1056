//! Every leaf that may be a name, by its text alone.

use crate::dictionary::Dictionary;
use crate::name::{Form, HALF_BYTES, LEAST_ODDS, NameReader, NameReading, is_east_asian};
use crate::place::block;
use crate::tree::hash;
use page::{Leaf, LeafKind, Leaves, NodeId, Page};
use std::ops::Range;

/// A leaf with a name in it, or two leaves with a half each.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) leaf: usize,
    /// The last leaf that it takes; the same one if its name is not in pieces.
    pub(super) last_leaf: usize,
    pub(super) name: String,
    /// By the text alone; log-odds.
    pub(super) text_odds: f64,
    /// With what stands at the same place of other records.
    pub(super) odds: f64,
    pub(super) is_person: bool,
    pub(super) group: usize,
    /// In the text of the leaf: a title before the name.
    pub(super) title: Option<Range<usize>>,
    /// In the text of the leaf: where it goes on after the name.
    pub(super) rest: usize,
}

pub(super) fn find(page: &Page, leaves: &Leaves, dictionary: &Dictionary) -> Vec<Candidate> {
    let mut reader = NameReader::new(dictionary);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut no_names = NoNames::default();
    let mut taken = 0;
    for leaf in leaves.iter().filter(|leaf| leaf.kind == LeafKind::Text) {
        if leaf.position < taken {
            continue;
        }
        // A single word is at most half of a name, and most single words have no other half.
        if is_single(leaf.text) && !has_next(page, leaves, leaf) {
            continue;
        }
        let text = hash(leaf.text.as_bytes());
        if no_names.has(text) {
            continue;
        }
        let Some(reading) = reader.read(leaf.text) else {
            no_names.add(text);
            continue;
        };
        if may_be_half(leaf.text, &reading)
            && let Some((last_leaf, reading)) = joined(page, leaves, leaf, &mut reader)
        {
            taken = last_leaf + 1;
            candidates.push(Candidate::new(leaf.position, last_leaf, reading));
        } else if reading.odds > LEAST_ODDS && reading.n_words > 1 {
            candidates.push(Candidate::new(leaf.position, leaf.position, reading));
        }
    }
    candidates
}

/// Texts that were read and are no names, by their hashes: `Professor` comes again with every other name. Those that share a place in it
/// drive each other out.
struct NoNames(Vec<u64>);

impl Default for NoNames {
    fn default() -> NoNames {
        NoNames(vec![0; NoNames::SIZE])
    }
}

impl NoNames {
    const SIZE: usize = 256;

    fn has(&self, text: u64) -> bool {
        self.0[text as usize % NoNames::SIZE] == text
    }

    fn add(&mut self, text: u64) {
        self.0[text as usize % NoNames::SIZE] = text;
    }
}

impl Candidate {
    fn new(leaf: usize, last_leaf: usize, reading: NameReading) -> Candidate {
        Candidate {
            leaf,
            last_leaf,
            name: reading.name,
            text_odds: reading.odds,
            odds: reading.odds,
            is_person: false,
            group: 0,
            title: reading.title.filter(|_| leaf == last_leaf),
            rest: reading.rest,
        }
    }
}

/// Whether a text is one word of a script that has blanks between words.
fn is_single(text: &str) -> bool {
    !text.contains(' ')
        && !text.contains(|letter: char| letter.is_whitespace() || is_east_asian(letter))
}

/// Whether the leaf after this one may go on with what it starts.
fn has_next(page: &Page, leaves: &Leaves, leaf: Leaf<'_>) -> bool {
    let next = leaf.position + 1;
    next < leaves.len() && are_joined(page, leaf, leaves.get(next))
}

/// Whether the rest of a name may stand in the next leaf: `Eva`, `Eva K.`, `Eva van`.
fn may_be_half(text: &str, reading: &NameReading) -> bool {
    let ends_short = text.ends_with('.') && reading.name.split(' ').count() == 2;
    text.len() <= HALF_BYTES && (matches!(reading.form, Form::Half | Form::Prose) || ends_short)
}

/// From which odds on two halves are a name.
const JOINED_ODDS: f64 = 0.5;

/// A name in two or three pieces: `<b>Berg</b>, Eva`, or a column for each.
fn joined(
    page: &Page,
    leaves: &Leaves,
    first: Leaf<'_>,
    reader: &mut NameReader<'_>,
) -> Option<(usize, NameReading)> {
    let mut text = first.text.to_owned();
    for position in first.position + 1..(first.position + 3).min(leaves.len()) {
        let next = leaves.get(position);
        if next.kind != LeafKind::Text || next.text.len() > 40 || !are_joined(page, first, next) {
            return None;
        }
        if next.is_apart && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(next.text);
        if let Some(reading) = reader.read(&text)
            && reading.form == Form::Whole
            && reading.odds > JOINED_ODDS
            && reading.place.end + 8 > text.len()
        {
            return Some((position, reading));
        }
    }
    None
}

/// Whether two leaves are parts of one line, or in neighbouring cells of a row.
fn are_joined(page: &Page, one: Leaf<'_>, other: Leaf<'_>) -> bool {
    let (one_block, other_block) = (block(page, one.element), block(page, other.element));
    if one_block == other_block {
        return one_block.is_some() && !has_break_between(page, one.node, other.node);
    }
    let is_cell = |node: Option<NodeId>| node.and_then(|node| page.tag(node)) == Some("td");
    is_cell(one_block) && is_cell(other_block) && {
        let row = |node: Option<NodeId>| node.and_then(|node| page.parent(node));
        row(one_block) == row(other_block)
    }
}

/// Whether a `<br>` stands right after one node, before the other.
fn has_break_between(page: &Page, one: NodeId, other: NodeId) -> bool {
    const MAX_STEPS: usize = 8;
    let mut node = one;
    for _ in 0..MAX_STEPS {
        node = match page.next_sibling(node) {
            Some(next) if next == other => return false,
            Some(next) if page.tag(next) == Some("br") => return true,
            Some(next) if page.first_child(next).is_some() => return false,
            Some(next) => next,
            None => match page.parent(node) {
                Some(parent) => parent,
                None => return false,
            },
        };
    }
    false
}
