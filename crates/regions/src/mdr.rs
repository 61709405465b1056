//! MDR, the baseline that the paper compares with (Liu, Grossman and Zhai, KDD 2003).
//!
//! Of the children of each node, stretches of one to ten siblings are compared with the stretch behind them; those in a row that are
//! alike are a region, and each stretch of it is a record. Regions inside of records are not looked for. Trees are compared
//! as elsewhere in this room, so that what differs is the method. No part of the product: only the evaluation is built with it.

use crate::config::Config;
use crate::matching::Matcher;
use crate::name::NameReader;
use crate::repeat::Unit;
use crate::tree::{Outline, TwigId};
use page::Leaves;

/// Siblings that a record has at most.
const MAX_UNIT: usize = 10;
/// Less is not looked into: the children of what is shallower are leaves.
const MIN_SIZE: u32 = 4;
/// Stretches more alike than this repeat.
const SIMILARITY: f64 = 0.8;
/// The share of records with a name that makes a region one of people.
const NAMES: f64 = 0.75;

/// The regions of a page, each its records.
pub fn regions(outline: &Outline) -> Vec<Vec<Vec<TwigId>>> {
    let mut matcher = Matcher::new(outline, false).without_budget();
    let mut found = Vec::new();
    let mut open = vec![outline.root()];
    while let Some(parent) = open.pop() {
        let siblings = outline.children(parent);
        let mut start = 0;
        let mut is_inside = vec![false; siblings.len()];
        while let Some((from, unit, n_units)) = next_region(&mut matcher, siblings, start) {
            start = from + unit * n_units;
            is_inside[from..start].fill(true);
            found.push(records(outline, &mut matcher, &siblings[from..start], unit));
        }
        let outside = siblings.iter().zip(is_inside).filter(|(_, is_inside)| !is_inside);
        open.extend(outside.map(|(it, _)| *it).filter(|it| outline.twig(*it).size >= MIN_SIZE));
    }
    found
}

/// The region that covers most from a sibling on: its start, the length of its records and their number.
fn next_region(
    matcher: &mut Matcher<'_>,
    siblings: &[TwigId],
    start: usize,
) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for unit in 1..=MAX_UNIT {
        for first in start..(start + unit).min(siblings.len()) {
            let Some((from, n_units)) = run(matcher, siblings, first, unit) else { continue };
            let is_better = best.is_none_or(|(old_from, old_unit, old_n)| {
                unit * n_units > old_unit * old_n && from <= old_from
            });
            if is_better {
                best = Some((from, unit, n_units));
            }
        }
    }
    best
}

/// The first stretches in a row that are alike, in steps of their length.
fn run(
    matcher: &mut Matcher<'_>,
    siblings: &[TwigId],
    first: usize,
    unit: usize,
) -> Option<(usize, usize)> {
    let mut from = first;
    while from + 2 * unit <= siblings.len() {
        let mut n_units = 1;
        let mut at = from;
        while at + 2 * unit <= siblings.len() {
            let (left, right) = (&siblings[at..at + unit], &siblings[at + unit..at + 2 * unit]);
            if matcher.alike_units(left, right) <= SIMILARITY {
                break;
            }
            n_units += 1;
            at += unit;
        }
        if n_units > 1 {
            return Some((from, n_units));
        }
        from += unit;
    }
    None
}

/// The records of a region: its stretches, or where each is one element whose children are alike, these.
fn records(
    outline: &Outline,
    matcher: &mut Matcher<'_>,
    siblings: &[TwigId],
    unit: usize,
) -> Vec<Unit> {
    let are_rows = unit == 1 && siblings.iter().all(|it| is_row(outline, matcher, *it));
    if are_rows {
        return siblings.iter().flat_map(|it| outline.children(*it)).map(|it| vec![*it]).collect();
    }
    siblings.chunks(unit).map(<[TwigId]>::to_vec).collect()
}

/// Whether an element is a row of records: several children, alike and each more than a text.
fn is_row(outline: &Outline, matcher: &mut Matcher<'_>, twig: TwigId) -> bool {
    let children = outline.children(twig);
    let are_alike = |pair: &[TwigId]| matcher.are_alike(pair[0], pair[1], SIMILARITY);
    children.len() > 1
        && children.iter().all(|it| outline.twig(*it).size >= MIN_SIZE)
        && children.windows(2).all(are_alike)
}

/// The records of the region with most text.
pub fn main_records(outline: &Outline, leaves: &Leaves) -> Vec<Vec<TwigId>> {
    let letters = |records: &Vec<Unit>| -> usize {
        let ranges = records.iter().map(|unit| outline.leaves_of(unit));
        ranges.flatten().map(|leaf| leaves.get(leaf).text.len()).sum()
    };
    regions(outline).into_iter().max_by_key(letters).unwrap_or_default()
}

/// The names of people by regions and the dictionary: of regions most of whose records have a name, the first name of each.
pub fn people(outline: &Outline, leaves: &Leaves, config: &Config) -> Vec<String> {
    let mut reader = NameReader::new(&config.dictionary);
    let mut name = |unit: &Unit| {
        outline.leaves_of(unit).find_map(|leaf| {
            let text = leaves.get(leaf).text;
            let found = reader.read(text).filter(|it| it.odds > 0.0)?;
            Some(text.get(found.place)?.to_owned())
        })
    };
    let mut people = Vec::new();
    for records in regions(outline) {
        let names: Vec<String> = records.iter().filter_map(&mut name).collect();
        if names.len() as f64 > records.len() as f64 * NAMES {
            people.extend(names);
        }
    }
    people
}
