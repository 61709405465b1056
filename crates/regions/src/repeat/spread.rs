//! Units under several parents: the rows of a grid, lists that headings part, records outside of all others.
//!
//! What has one path from the root and is of one kind is one repeat, wherever it stands. This is the paper's second pass, and more: it also
//! finds records of which no two are siblings.

use super::{Repeat, Search, Unit};
use crate::tree::TwigId;
use std::collections::BTreeMap;

/// Kinds of units that are told apart at one path; what comes behind is left where it is.
const MAX_KINDS: usize = 12;

/// The repeats that have units under several parents.
pub(super) fn join(search: &mut Search<'_>, found: &[Repeat]) -> Vec<Repeat> {
    let mut by_path: BTreeMap<u32, Vec<&Repeat>> = BTreeMap::new();
    for repeat in found {
        by_path.entry(path(search, repeat)).or_default().push(repeat);
    }
    let lone = lone(search, found);
    let mut joined = Vec::new();
    for (path, repeats) in by_path {
        for group in by_kind(search, &repeats) {
            let others = lone.get(&path).map_or(&[][..], Vec::as_slice);
            joined.extend(put_together(search, &group, others));
        }
    }
    joined.sort_by_key(|repeat| (repeat.units[0][0], repeat.units.len()));
    joined
}

/// The path of what a repeat's units start with.
fn path(search: &Search<'_>, repeat: &Repeat) -> u32 {
    search.outline.twig(repeat.units[0][0]).path
}

/// Twigs that are in no repeat of their parent, at paths where there are repeats or many of them.
fn lone(search: &Search<'_>, found: &[Repeat]) -> BTreeMap<u32, Vec<TwigId>> {
    let mut is_taken = vec![false; search.outline.twigs().len()];
    let mut lone: BTreeMap<u32, Vec<TwigId>> = BTreeMap::new();
    for repeat in found {
        lone.entry(path(search, repeat)).or_default();
        for twig in repeat.units.iter().flatten() {
            is_taken[twig.index()] = true;
        }
    }
    for twig in search.outline.twigs().skip(1).filter(|it| !is_taken[it.index()]) {
        if let Some(others) = lone.get_mut(&search.outline.twig(twig).path) {
            others.push(twig);
        }
    }
    lone
}

/// Repeats whose units are of one kind.
fn by_kind<'r>(search: &mut Search<'_>, repeats: &[&'r Repeat]) -> Vec<Vec<&'r Repeat>> {
    let mut groups: Vec<Vec<&Repeat>> = Vec::new();
    for repeat in repeats {
        let known =
            groups.iter_mut().take(MAX_KINDS).find(|group| are_one(search, group[0], repeat));
        match known {
            Some(group) => group.push(repeat),
            None => groups.push(vec![repeat]),
        }
    }
    groups
}

fn are_one(search: &mut Search<'_>, left: &Repeat, right: &Repeat) -> bool {
    let (left, right) = (&left.units[0], &right.units[0]);
    search.are_one_kind(left[0], right[0])
        && (left.len() == 1) == (right.len() == 1)
        && search.matcher.alike_units(left, right) > search.config.similarity_of_role
}

/// The units of some repeats, and what stands alone elsewhere and is like them; none if all have one parent.
fn put_together(search: &mut Search<'_>, repeats: &[&Repeat], lone: &[TwigId]) -> Option<Repeat> {
    let first = &repeats[0].units[0];
    let alike: Vec<TwigId> = match first[..] {
        [only] => lone.iter().filter(|it| search.are_one_kind(only, **it)).copied().collect(),
        _ => Vec::new(),
    };
    let parent = |twig: TwigId| search.outline.twig(twig).parent;
    let parents = repeats.iter().flat_map(|it| &it.units).map(|unit| unit[0]).chain(alike.clone());
    let first_parent = parent(first[0]);
    if parents.into_iter().all(|it| parent(it) == first_parent) {
        return None;
    }
    let mut units: Vec<Unit> = repeats.iter().flat_map(|repeat| repeat.units.clone()).collect();
    units.extend(alike.into_iter().map(|it| vec![it]));
    units.sort_unstable();
    let parent = common(search, &units);
    Some(Repeat { parent, units, is_spread: true })
}

/// The deepest twig that holds all units.
fn common(search: &Search<'_>, units: &[Unit]) -> TwigId {
    let outline = search.outline;
    let (start, end) = (units[0][0], units[units.len() - 1][0]);
    let end = outline.twig(end).leaves.start;
    let mut parent = outline.twig(start).parent;
    while parent != outline.root() && outline.twig(parent).leaves.end <= end {
        parent = outline.twig(parent).parent;
    }
    parent
}
