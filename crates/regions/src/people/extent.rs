//! Which leaves are about which person.
//!
//! Each name owns the largest element that has no other name in it, and what follows that up to the next person's: pages without an element
//! for each record have the details after the name. A heading among the lines of a block ends what is said of the name above it.

use super::candidate::Candidate;
use super::heading::Headings;
use page::{Leaves, NodeId, Page};
use std::ops::Range;

/// More leaves than this are no longer about one person.
const MAX_LEAVES: usize = 60;

/// The leaves of each person, as ranges of their numbers.
pub(super) fn find(
    page: &Page,
    leaves: &Leaves,
    people: &[Candidate],
    headings: &Headings,
) -> Vec<Range<usize>> {
    let below = LeavesBelow::of(page, leaves);
    let n_names = names_below(page, leaves, people);
    let owned: Vec<Owned> =
        people.iter().map(|person| owned(page, leaves, person, &below, &n_names)).collect();
    let extent = |index: usize| {
        let (person, own) = (&people[index], &owned[index]);
        let end = match owned.get(index + 1) {
            Some(next) => own.leaves.end.max(next.leaves.start.min(own.around_end)),
            None => own.leaves.end.max(own.around_end.min(last_end(&owned, person))),
        };
        let before = index.checked_sub(1).map_or(0, |index| people[index].last_leaf + 1);
        let start = own.leaves.start.max(before).max(person.leaf.saturating_sub(MAX_LEAVES / 2));
        start..end.min(person.leaf + MAX_LEAVES).min(headings.end_of(person.last_leaf))
    };
    (0..people.len()).map(extent).collect()
}

/// What follows the last name goes no further than it does for the one before.
fn last_end(owned: &[Owned], last: &Candidate) -> usize {
    match owned {
        [.., before, own] => last.last_leaf + 1 + own.leaves.start.saturating_sub(before.name_end),
        _ => last.last_leaf + 1,
    }
}

struct Owned {
    leaves: Range<usize>,
    /// Where the element ends that other names are in too.
    around_end: usize,
    name_end: usize,
}

fn owned(
    page: &Page,
    leaves: &Leaves,
    person: &Candidate,
    below: &LeavesBelow,
    n_names: &[u32],
) -> Owned {
    let element = leaves.element(person.leaf);
    let mut own = person.leaf..person.last_leaf + 1;
    let mut around_end = own.end;
    for node in std::iter::once(element).chain(page.ancestors(element)) {
        let range = below.range(node);
        around_end = range.end.max(own.end);
        // A lone name on a page owns not the whole page.
        if n_names[node.index()] > 1 || range.len() > MAX_LEAVES {
            break;
        }
        own = range.start.min(own.start)..range.end.max(own.end);
    }
    Owned { leaves: own, around_end, name_end: person.last_leaf + 1 }
}

/// How many names are below each node. A name that is said twice in a row counts once.
fn names_below(page: &Page, leaves: &Leaves, people: &[Candidate]) -> Vec<u32> {
    let mut n_names = vec![0_u32; page.n_nodes()];
    let mut last: Option<&str> = None;
    for person in people {
        if last == Some(&person.name) {
            continue;
        }
        last = Some(&person.name);
        let element = leaves.element(person.leaf);
        for node in std::iter::once(element).chain(page.ancestors(element)) {
            n_names[node.index()] += 1;
        }
    }
    n_names
}

/// The first and the last leaf below each node.
struct LeavesBelow {
    first: Vec<u32>,
    last: Vec<u32>,
}

impl LeavesBelow {
    fn of(page: &Page, leaves: &Leaves) -> LeavesBelow {
        const NONE: u32 = u32::MAX;
        let mut below =
            LeavesBelow { first: vec![NONE; page.n_nodes()], last: vec![NONE; page.n_nodes()] };
        let number = |position: usize| u32::try_from(position).unwrap_or(NONE - 1);
        let climb = |marks: &mut [u32], position: usize| {
            let element = leaves.element(position);
            for node in std::iter::once(element).chain(page.ancestors(element)) {
                if marks[node.index()] != NONE {
                    break;
                }
                marks[node.index()] = number(position);
            }
        };
        for position in 0..leaves.len() {
            climb(&mut below.first, position);
        }
        for position in (0..leaves.len()).rev() {
            climb(&mut below.last, position);
        }
        below
    }

    fn range(&self, node: NodeId) -> Range<usize> {
        let (first, last) = (self.first[node.index()], self.last[node.index()]);
        if first > last { 0..0 } else { first as usize..last as usize + 1 }
    }
}
