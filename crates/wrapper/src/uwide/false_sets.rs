//! What looks like a set and is none.
//!
//! In come the stands of a proposal; out comes why it is no set, if it is none. The paper finds false sets by their
//! density alone; rows of attributes, cells of a table row, and words marked in a text are as dense as any set.

use super::encode::{Content, Kind, is_decorative};
use super::outline::Outline;
use super::records::Stand;
use crate::induce::Context;
use crate::twig::TwigId;
use std::collections::{BTreeMap, BTreeSet};

/// Why some stands are no set, if they are none. Stands that labels tell apart are taken out.
pub(super) fn doubt(
    context: &Context<'_>,
    outlines: &[Outline<'_>],
    stands: &mut Vec<Stand>,
) -> Option<&'static str> {
    drop_labelled(outlines, stands);
    if stands.is_empty() {
        Some("labels tell its records apart")
    } else if stands.iter().all(|stand| stand.fdas.len() < 2) {
        Some("nothing repeats but what labels tell apart")
    } else if is_tuple(outlines, stands) {
        Some("the same few stand everywhere: a tuple")
    } else if is_prose(context, outlines, stands) {
        Some("pieces of one text")
    } else {
        None
    }
}

/// Fewer pages or places than this prove little: a label must be on all of them, and no number is constant.
const FEW: usize = 5;
/// Share of the records of a stand that a label must pick out for it to be no set.
const LABELLED: f64 = 0.6;

/// Rows that labels tell apart are no records: `Publisher` and `Pages` of every page are two columns. The paper knows them for a
/// weakness; here, what is unique in its place and comes on at least half of the pages is a label.
fn drop_labelled(outlines: &[Outline<'_>], stands: &mut Vec<Stand>) {
    let contents: Vec<Vec<BTreeSet<Content>>> =
        stands.iter().map(|stand| contents(&outlines[stand.page], stand)).collect();
    let mut pages: BTreeMap<Content, BTreeSet<usize>> = BTreeMap::new();
    for (stand, records) in stands.iter().zip(&contents) {
        for content in records.iter().flatten() {
            pages.entry(*content).or_default().insert(stand.page);
        }
    }
    let all: BTreeSet<usize> = stands.iter().map(|stand| stand.page).collect();
    if all.len() < 2 {
        return;
    }
    let needed = if all.len() < FEW { all.len() } else { all.len().div_ceil(2) };
    let is_labelled = |records: &Vec<BTreeSet<Content>>| {
        let mut counts: BTreeMap<Content, usize> = BTreeMap::new();
        for content in records.iter().flatten() {
            *counts.entry(*content).or_default() += 1;
        }
        let is_label = |it: &Content| counts[it] == 1 && pages[it].len() >= needed;
        let n = records.iter().filter(|record| record.iter().any(is_label)).count();
        n as f64 >= LABELLED * records.len() as f64
    };
    let mut is_labelled = contents.iter().map(is_labelled).collect::<Vec<_>>().into_iter();
    stands.retain(|stand| {
        !is_labelled.next().unwrap_or_default() || has_sets(&outlines[stand.page], stand)
    });
}

/// Leaves of a section beside its sets.
const MAX_HEADING: usize = 4;

/// Whether most records hold little but sets themselves: then they are sections, and what tells them apart are their headings.
fn has_sets(outline: &Outline<'_>, stand: &Stand) -> bool {
    let is_section = |record: &&Vec<TwigId>| {
        let entries = record.iter().flat_map(|twig| outline.below(*twig));
        let n_entries = entries.clone().count();
        let n_sets = entries.filter(|it| it.mark.kind == Kind::Set).count();
        n_sets > 0 && n_entries - n_sets <= MAX_HEADING
    };
    2 * stand.records.iter().filter(is_section).count() > stand.records.len()
}

/// What the leaves of each record say.
fn contents(outline: &Outline<'_>, stand: &Stand) -> Vec<BTreeSet<Content>> {
    let of_record = |record: &Vec<TwigId>| {
        let entries = record.iter().flat_map(|twig| outline.below(*twig));
        entries
            .filter(|entry| entry.mark.kind != Kind::Set)
            .map(|entry| entry.mark.content)
            .collect()
    };
    stand.records.iter().map(of_record).collect()
}

/// Places a page from which on they are parts of something that repeats itself.
const INNER: usize = 3;
/// More than this are no positions, unless their number hardly ever varies.
const MAX_POSITIONS: usize = 12;
/// Up to this many are positions anywhere.
const FEW_POSITIONS: usize = 3;
/// Share of positions that must be filled.
const FILLED: f64 = 0.6;
/// Share of places that must have the same number for it to be one that hardly ever varies.
const CONSTANT: f64 = 0.8;

/// Small things that come in nearly the same number in each of many places are positions of a tuple, such as the cells of a
/// row. The paper leaves this open.
fn is_tuple(outlines: &[Outline<'_>], stands: &[Stand]) -> bool {
    let pages: BTreeSet<usize> = stands.iter().map(|stand| stand.page).collect();
    let n_records: usize = stands.iter().map(|stand| stand.records.len()).sum();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for stand in stands {
        *counts.entry(stand.records.len()).or_default() += 1;
    }
    let max = counts.keys().copied().max().unwrap_or_default();
    let mode = counts.values().copied().max().unwrap_or_default();
    let is_filled = n_records as f64 >= FILLED * (max * stands.len()) as f64;
    let n_entries: usize = stands.iter().map(|stand| n_entries(&outlines[stand.page], stand)).sum();
    let is_constant = mode as f64 >= CONSTANT * stands.len() as f64;
    let is_small = n_entries < 2 * n_records;
    if max <= FEW_POSITIONS && stands.len() >= FEW && is_filled && (is_constant || is_small) {
        return true;
    }
    stands.len() >= INNER * pages.len()
        && is_small
        && (is_constant || max <= MAX_POSITIONS && is_filled)
}

/// Pieces of one text that decoration breaks, such as the words of a query marked in what was found, are no records. Lines are,
/// and so may be links.
fn is_prose(context: &Context<'_>, outlines: &[Outline<'_>], stands: &[Stand]) -> bool {
    let (mut n_pieces, mut n_records) = (0, 0);
    for stand in stands {
        let bough = outlines[stand.page].sheet.bough;
        let tag = |twig: &TwigId| context.symbols.name(bough.twig(*twig).tag);
        let has_text = bough.twig(stand.parent).children.iter().any(|it| tag(it) == "#text");
        let is_piece = |fda: &&TwigId| {
            let is_inline = tag(fda) == "#text" || tag(fda) != "a" && is_decorative(tag(fda));
            has_text && is_inline && !bough.twig(**fda).is_after_break
        };
        // The first has no break before it, lines or not.
        n_pieces += stand.fdas.iter().skip(1).filter(is_piece).count();
        n_records += stand.fdas.len() - 1;
    }
    2 * n_pieces > n_records
}

fn n_entries(outline: &Outline<'_>, stand: &Stand) -> usize {
    stand.records.iter().flatten().map(|twig| outline.below(*twig).len()).sum()
}
