//! From kinds of siblings to units: which kinds come together, again and again.

use super::Unit;
use crate::tree::{Break, Outline, TwigId};

/// Units are put together from so many kinds at most.
const MAX_KINDS: usize = 16;

/// The units of each repeat among some siblings.
pub(super) fn assemble(
    outline: &Outline,
    siblings: &[TwigId],
    kinds: Vec<Vec<usize>>,
) -> Vec<Vec<Unit>> {
    let mut left: Vec<Vec<usize>> = kinds.into_iter().filter(|it| it.len() > 1).collect();
    left.sort_by_key(|places| (std::cmp::Reverse(places.len()), places[0]));
    let mut found: Vec<Vec<Unit>> = Vec::new();
    for places in left.drain(MAX_KINDS.min(left.len())..) {
        found.push(single(siblings, &places));
    }
    while !left.is_empty() {
        let (landmark, joined) = best_landmark(outline, siblings, &left);
        let places = left[landmark].clone();
        if joined.is_empty() {
            found.push(single(siblings, &places));
        } else {
            found.push(stretches(outline, siblings, &places, &joined, &left));
        }
        let mut index = 0;
        left.retain(|_| {
            index += 1;
            index - 1 != landmark && !joined.contains(&(index - 1))
        });
    }
    found
}

fn single(siblings: &[TwigId], places: &[usize]) -> Vec<Unit> {
    places.iter().map(|place| vec![siblings[*place]]).collect()
}

/// The kind that units start with, and those that belong to its units.
fn best_landmark(
    outline: &Outline,
    siblings: &[TwigId],
    kinds: &[Vec<usize>],
) -> (usize, Vec<usize>) {
    let mut best = None;
    for (landmark, places) in kinds.iter().enumerate() {
        let joined: Vec<usize> = (0..kinds.len())
            .filter(|other| *other != landmark && belongs(places, &kinds[*other]))
            .collect();
        let covered = places.len() + joined.iter().map(|it| kinds[*it].len()).sum::<usize>();
        // Of those that cover the same but for the ends, the one that starts lines.
        let n_breaks =
            places.iter().filter(|it| outline.twig(siblings[**it]).breaks != Break::None).count();
        let starts_lines = !joined.is_empty() && n_breaks * 10 >= (places.len() - 1) * 8;
        let weight = if starts_lines { covered + 1 + joined.len() } else { covered };
        let rank = (weight, places.len(), std::cmp::Reverse(places[0]));
        if best.as_ref().is_none_or(|(best, _, _)| rank > *best) {
            best = Some((rank, landmark, joined));
        }
    }
    best.map_or((0, Vec::new()), |(_, landmark, joined)| (landmark, joined))
}

/// Whether one kind stands between the occurrences of another, regularly.
fn belongs(landmark: &[usize], other: &[usize]) -> bool {
    let (mut n_inside, mut n_filled, mut last) = (0, 0, usize::MAX);
    for place in other {
        let before = landmark.partition_point(|mark| mark < place);
        if before == 0 {
            continue;
        }
        n_inside += 1;
        n_filled += usize::from(before != last);
        last = before;
    }
    let needed = if other.len() > landmark.len() { 95 } else { 70 };
    n_inside * 100 >= other.len() * needed && n_filled * 2 >= landmark.len()
}

/// From each landmark up to the next, all that belongs to it.
fn stretches(
    outline: &Outline,
    siblings: &[TwigId],
    landmark: &[usize],
    joined: &[usize],
    kinds: &[Vec<usize>],
) -> Vec<Unit> {
    let mut belongs = vec![false; siblings.len()];
    for place in joined.iter().flat_map(|it| &kinds[*it]).chain(landmark) {
        belongs[*place] = true;
    }
    let ends = landmark.iter().skip(1).copied().chain([siblings.len()]);
    let mut units: Vec<Unit> = Vec::new();
    for (start, end) in landmark.iter().zip(ends) {
        let last = (*start..end).rev().find(|place| belongs[*place]).unwrap_or(*start);
        // What only some have is part of them all the same, unless it is a heading of several.
        let inside =
            (*start..=last).filter(|it| belongs[*it] || outline.twig(siblings[*it]).size < 4);
        units.push(inside.map(|it| siblings[it]).collect());
    }
    trim_last(&mut units);
    units
}

/// The last unit has no landmark behind it to end it: it gets no longer than the longest other.
fn trim_last(units: &mut [Unit]) {
    let longest = units.iter().rev().skip(1).map(Vec::len).max();
    if let (Some(longest), Some(last)) = (longest, units.last_mut()) {
        last.truncate(longest);
    }
}
