//! Algorithm 1 of the paper: from each sibling on, the next that is like it ends a unit.
//!
//! What is lost of the algorithm's text is read so: `r1` runs from a sibling up to the next that is like it, `r2` from there up to
//! the next, or for `r1`'s length where there is none; while stretches hung under a parent of their own are like `r1`, they are
//! repetitions. The search goes on behind them.

use super::{Search, Unit};
use crate::tree::TwigId;

/// How far the next sibling of one kind is looked for. Units of more siblings are no records, and without a bound a parent
/// with a hundred thousand different children would take all day.
const MAX_UNIT: usize = 20;

/// The units of each repeat among the children of a parent.
pub(super) fn units(search: &mut Search<'_>, parent: TwigId) -> Vec<Vec<Unit>> {
    let siblings = search.outline.children(parent);
    let mut found = Vec::new();
    let mut start = 0;
    while start + 1 < siblings.len() {
        let units = from(search, siblings, start);
        start += match units.len() {
            0 | 1 => 1,
            _ => units.iter().map(Vec::len).sum(),
        };
        if units.len() > 1 {
            found.push(units);
        }
    }
    found
}

/// The repetitions that start at one sibling; one unit at most if there are none.
fn from(search: &mut Search<'_>, siblings: &[TwigId], start: usize) -> Vec<Unit> {
    let Some(mut next) = next_alike(search, siblings, start, start) else { return Vec::new() };
    let first = &siblings[start..next];
    let mut units = vec![first.to_vec()];
    while next < siblings.len() {
        let end = next_alike(search, siblings, start, next);
        let end = end.unwrap_or(siblings.len().min(next + first.len()));
        let unit = &siblings[next..end];
        if search.matcher.alike_units(first, unit) <= search.config.similarity {
            break;
        }
        units.push(unit.to_vec());
        next = end;
    }
    units
}

/// The next sibling behind `after` that is like the one at `like`.
fn next_alike(
    search: &mut Search<'_>,
    siblings: &[TwigId],
    like: usize,
    after: usize,
) -> Option<usize> {
    let end = siblings.len().min(after + 1 + MAX_UNIT);
    (after + 1..end).find(|it| search.are_one_kind(siblings[like], siblings[*it]))
}
