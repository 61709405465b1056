//! Siblings sorted into kinds.

use super::Search;
use crate::tree::TwigId;
use foldhash::fast::FixedState;
use page::DataType;
use std::collections::HashMap;

/// Siblings are of no more kinds than this; what is left over is of none.
const MAX_KINDS: usize = 24;
/// Siblings of which each is built differently are not worth more comparisons.
const MAX_BUILDS: usize = 400;

/// The places of siblings of each kind, in order.
pub(super) fn of_siblings(search: &mut Search<'_>, siblings: &[TwigId]) -> Vec<Vec<usize>> {
    let mut kinds: Vec<(TwigId, Vec<usize>)> = Vec::new();
    for places in by_build(search, siblings) {
        let one = siblings[places[0]];
        let mut best = (0.0, 0);
        for (index, (leader, _)) in kinds.iter().enumerate() {
            let kinship = search.kinship(*leader, one);
            if kinship > best.0 {
                best = (kinship, index);
            }
        }
        match best {
            (kinship, index) if kinship > 0.0 => kinds[index].1.extend(places),
            _ if kinds.len() < MAX_KINDS => kinds.push((one, places)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for (_, mut places) in kinds {
        places.sort_unstable();
        found.extend(by_turns(search, siblings, places));
    }
    found
}

/// The places of siblings that are built alike, those of which there are most first: the rest is measured by them.
fn by_build(search: &Search<'_>, siblings: &[TwigId]) -> Vec<Vec<usize>> {
    let mut builds: Vec<((u64, u32), Vec<usize>)> = Vec::new();
    // Where there are many, which they are is looked up.
    let mut numbers: HashMap<(u64, u32), usize, FixedState> = HashMap::default();
    for (place, sibling) in siblings.iter().enumerate() {
        let twig = search.outline.twig(*sibling);
        let build = (twig.kind, twig.role);
        let few = &builds[..builds.len().min(FEW_BUILDS)];
        let known = few.iter().position(|(known, _)| *known == build);
        let next = builds.len();
        match known.or_else(|| numbers.get(&build).copied()) {
            Some(number) => builds[number].1.push(place),
            None => {
                if next >= FEW_BUILDS {
                    numbers.insert(build, next);
                }
                builds.push((build, vec![place]));
            }
        }
    }
    let size = |places: &[usize]| search.outline.twig(siblings[places[0]]).folded;
    builds.sort_by_key(|(_, places)| {
        (std::cmp::Reverse(places.len() * size(places).min(8) as usize), places[0])
    });
    builds.truncate(MAX_BUILDS);
    builds.into_iter().map(|(_, places)| places).collect()
}

/// So many are compared one by one, which is what most parents have at most.
const FEW_BUILDS: usize = 8;

/// Records are made of no more siblings of one kind than this.
const MAX_TURNS: usize = 4;
/// Longer lists are told by their start.
const MAX_LOOKED_AT: usize = 400;

/// Siblings of one kind that take turns, parted: a row with the title, a row with the rest, and so on.
fn by_turns(search: &Search<'_>, siblings: &[TwigId], places: Vec<usize>) -> Vec<Vec<usize>> {
    if places.len() < 4 {
        return vec![places];
    }
    let looks: Vec<_> =
        places.iter().take(MAX_LOOKED_AT).map(|it| look(search, siblings[*it])).collect();
    let n_equal = |step: usize| looks.iter().zip(&looks[step..]).filter(|(a, b)| a == b).count();
    if n_equal(1) * 10 > (looks.len() - 1) * 3 {
        return vec![places];
    }
    let takes_turns = |step: &usize| n_equal(*step) * 10 >= (looks.len() - step) * 8;
    let n_turns = (2..=MAX_TURNS).filter(|step| looks.len() >= 3 * step).find(takes_turns);
    let Some(n_turns) = n_turns else { return vec![places] };
    let mut parts = vec![Vec::new(); n_turns];
    for (index, place) in places.into_iter().enumerate() {
        parts[index % n_turns].push(place);
    }
    parts
}

/// What tells turns apart.
fn look(search: &Search<'_>, twig: TwigId) -> (u64, u32, DataType, bool) {
    let twig = search.outline.twig(twig);
    let leaf = search.leaves.get(twig.leaves.start as usize);
    (twig.kind, twig.role, leaf.data_type(), leaf.link.is_some())
}
