//! From classes of children to columns: which repeat as records, which by position.

use crate::classes::{At, Classes, common_profile, counts, most, profile_at, twig_at};
use crate::induce::{Column, ColumnKind, Context, Forest};
use crate::twig::{TwigId, similarity};
use page::DataType;
use std::collections::BTreeMap;

pub(crate) fn columns(
    context: &Context<'_>,
    instances: &[Forest],
    classes: Classes,
) -> Vec<Column> {
    let mut found: Vec<(usize, Column)> = Vec::new();
    let mut sets: Vec<(Vec<At>, Option<String>)> = Vec::new();
    for (class, places) in classes.places().into_iter().enumerate() {
        if places.is_empty() {
            continue;
        }
        let label = classes.labels[class].clone();
        let kind = kind(context, instances, &places);
        note_kind(context, instances, &places, kind);
        match kind {
            Repeats::Not => found.push(single(instances, &places, label)),
            Repeats::ByPosition => {
                for part in by_position(&places) {
                    found.push(single(instances, &part, label.clone()));
                }
            }
            Repeats::ByFeature => {
                for part in by_feature(context, instances, &places) {
                    found.push(single(instances, &part, label.clone()));
                }
            }
            Repeats::AsRecords => sets.push((places, label)),
        }
    }
    for assembled in assemble(sets) {
        found.push(records(instances, assembled));
    }
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, column)| column).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeats {
    Not,
    /// The first is one thing, the second another, on every instance.
    ByPosition,
    /// Some of several things, told apart by what they look like.
    ByFeature,
    AsRecords,
}

fn note_kind(context: &Context<'_>, instances: &[Forest], places: &[At], kind: Repeats) {
    let how = match kind {
        Repeats::Not => return,
        Repeats::ByPosition => "told apart by position",
        Repeats::ByFeature => "told apart by type and size",
        Repeats::AsRecords => "records, or parts of them",
    };
    context.note(|| {
        let name = context.called(twig_at(context, instances, places[0]));
        let counts = counts(places);
        let n_most = most(&counts);
        let (n_with, n_all) = (counts.len(), instances.len());
        format!("- {name}, up to {n_most} in {n_with} of {n_all}: {how}")
    });
}

fn kind(context: &Context<'_>, instances: &[Forest], places: &[At]) -> Repeats {
    let counts = counts(places);
    let max = most(&counts);
    if max < 2 {
        return Repeats::Not;
    }
    let tag = context.symbols.name(twig_at(context, instances, places[0]).tag);
    let is_cell = matches!(tag, "td" | "th");
    let is_row = max <= MAX_CELLS && counts.len() > 1;
    if is_cell && is_row && !is_grid(context, instances, places) {
        return Repeats::ByPosition;
    }
    if tag == "#text" && are_of_one_line(context, instances, places) {
        return Repeats::ByPosition;
    }
    let is_constant = counts.iter().all(|(_, count)| *count == max);
    if is_constant
        && counts.len() > 1
        && max <= MAX_POSITIONS
        && positions_differ(context, instances, places)
    {
        return Repeats::ByPosition;
    }
    if max <= 3
        && counts.len() > 2
        && by_feature(context, instances, places).iter().all(|part| most(&self::counts(part)) == 1)
    {
        return Repeats::ByFeature;
    }
    Repeats::AsRecords
}

/// Whether some bare texts are pieces of a sentence, parted by what stands in it, rather than lines of their own.
fn are_of_one_line(context: &Context<'_>, instances: &[Forest], places: &[At]) -> bool {
    let later = places.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
    let (mut n_later, mut n_own_line) = (0, 0);
    for at in later {
        n_later += 1;
        n_own_line += usize::from(twig_at(context, instances, at).is_after_break);
    }
    n_own_line * 2 < n_later && n_later <= MAX_POSITIONS * instances.len()
}

/// A row of more cells than this is a list.
const MAX_CELLS: usize = 200;
/// More siblings of one kind than this are records, however constant their number.
const MAX_POSITIONS: usize = 12;

/// Cells that each hold as much as a record, and the same.
fn is_grid(context: &Context<'_>, instances: &[Forest], places: &[At]) -> bool {
    let first = profile_at(context, instances, places[0]);
    let n_rich =
        places.iter().filter(|at| twig_at(context, instances, **at).leaves.len() > 1).count();
    let n_alike = places
        .iter()
        .filter(|at| similarity(first, profile_at(context, instances, **at)) > 0.7)
        .count();
    n_rich * 10 >= places.len() * 8 && n_alike * 10 >= places.len() * 8
}

fn by_position(places: &[At]) -> Vec<Vec<At>> {
    let mut parts: Vec<Vec<At>> = Vec::new();
    let (mut last, mut nth) = (usize::MAX, 0);
    for at in places {
        nth = if at.0 == last { nth + 1 } else { 0 };
        last = at.0;
        if parts.len() <= nth {
            parts.push(Vec::new());
        }
        parts[nth].push(*at);
    }
    parts
}

/// What a child looks like from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Feature {
    data_type: DataType,
    is_link: bool,
    /// How many texts of three letters fit in, logarithmically and coarsely.
    size: u32,
}

fn feature(context: &Context<'_>, instances: &[Forest], at: At) -> Feature {
    let twig = twig_at(context, instances, at);
    let bough = &context.boughs[instances[at.0].page];
    let first = bough.leaf(twig.leaves.start);
    let len: usize = twig.leaves.clone().map(|leaf| bough.leaf(leaf).text.chars().count()).sum();
    Feature {
        data_type: first.data_type(),
        is_link: first.link.is_some(),
        size: (len as u32 / 40).checked_ilog2().map_or(0, |it| it + 1) / 2,
    }
}

fn by_feature(context: &Context<'_>, instances: &[Forest], places: &[At]) -> Vec<Vec<At>> {
    let mut parts: BTreeMap<Feature, Vec<At>> = BTreeMap::new();
    for at in places {
        parts.entry(feature(context, instances, *at)).or_default().push(*at);
    }
    parts.into_values().collect()
}

/// Whether the n-th ones of all instances are more like each other than like their neighbours.
fn positions_differ(context: &Context<'_>, instances: &[Forest], places: &[At]) -> bool {
    let parts = by_position(places);
    let described: Vec<(Option<Feature>, Option<String>, Vec<u32>)> =
        parts.iter().map(|part| describe(context, instances, part)).collect();
    let n_constant = described.iter().filter(|(_, text, _)| text.is_some()).count();
    let mut texts: Vec<&String> =
        described.iter().filter_map(|(_, text, _)| text.as_ref()).collect();
    texts.sort_unstable();
    texts.dedup();
    if n_constant * 2 >= parts.len() && texts.len() == n_constant && n_constant > 0 {
        return true;
    }
    // Of a few instances, all may look alike by chance.
    let is_few = counts(places).len() < 5;
    described.windows(2).any(|pair| {
        let (left, right) = (&pair[0], &pair[1]);
        let differs = matches!((left.0, right.0), (Some(left), Some(right)) if left != right);
        let alike = similarity(&left.2, &right.2);
        if is_few { alike < 0.3 } else { differs || alike < 0.6 }
    })
}

/// What most of some children have in common: their look, their first text, their paths.
fn describe(
    context: &Context<'_>,
    instances: &[Forest],
    places: &[At],
) -> (Option<Feature>, Option<String>, Vec<u32>) {
    let mut features: BTreeMap<Feature, usize> = BTreeMap::new();
    let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
    for at in places {
        *features.entry(feature(context, instances, *at)).or_default() += 1;
        let twig = twig_at(context, instances, *at);
        let leaf = context.boughs[instances[at.0].page].leaf(twig.leaves.start);
        if leaf.data_type() == DataType::String {
            *texts.entry(leaf.text).or_default() += 1;
        }
    }
    let is_most = |n: usize| n * 10 >= places.len() * 8;
    (
        features.into_iter().find(|(_, n)| is_most(*n)).map(|(feature, _)| feature),
        texts.into_iter().find(|(_, n)| is_most(*n)).map(|(text, _)| text.to_owned()),
        common_profile(context, instances, places),
    )
}

/// Where a column stands among the others, in thousandths of its instance.
fn order(instances: &[Forest], places: &[At]) -> usize {
    let mut sum = 0;
    let mut seen = 0;
    let mut last = usize::MAX;
    for (instance, position) in places {
        if *instance != last {
            sum += position * 1000 / instances[*instance].twigs.len().max(1);
            seen += 1;
            last = *instance;
        }
    }
    sum / seen.max(1)
}

fn single(instances: &[Forest], places: &[At], label: Option<String>) -> (usize, Column) {
    let mut members = vec![None; instances.len()];
    for (instance, position) in places {
        members[*instance].get_or_insert(instances[*instance].twigs[*position]);
    }
    (order(instances, places), Column { members, label, kind: ColumnKind::Single })
}

/// Records of one set, by instance, as places.
struct Assembled {
    records: BTreeMap<usize, Vec<Vec<At>>>,
    label: Option<String>,
}

fn records(instances: &[Forest], assembled: Assembled) -> (usize, Column) {
    let mut members = vec![None; instances.len()];
    let mut records: Vec<Vec<Vec<TwigId>>> = vec![Vec::new(); instances.len()];
    let mut places = Vec::new();
    for (instance, found) in &assembled.records {
        for record in found {
            let twigs: Vec<TwigId> =
                record.iter().map(|(_, position)| instances[*instance].twigs[*position]).collect();
            places.push(record[0]);
            members[*instance].get_or_insert(twigs[0]);
            records[*instance].push(twigs);
        }
    }
    let order = order(instances, &places);
    (order, Column { members, label: assembled.label, kind: ColumnKind::Records(records) })
}

/// Join classes that repeat together: `dt dd dd dt dd` is two records.
fn assemble(sets: Vec<(Vec<At>, Option<String>)>) -> Vec<Assembled> {
    let mut remaining = sets;
    let mut done = Vec::new();
    // What is left of a place with more kinds than records are made of is not looked at together.
    remaining.sort_by_key(|(places, _)| std::cmp::Reverse(places.len()));
    for (places, label) in remaining.drain(MAX_ASSEMBLED.min(remaining.len())..) {
        done.push(Assembled { records: by_instance(&places), label });
    }
    while !remaining.is_empty() {
        let (landmark, joined) = best_landmark(&remaining);
        let mut taken: Vec<usize> = joined.clone();
        taken.push(landmark);
        let others: Vec<&[At]> = joined.iter().map(|index| &*remaining[*index].0).collect();
        let (records, left_over) = cut(&remaining[landmark].0, &others);
        done.push(Assembled { records, label: remaining[landmark].1.clone() });
        if !left_over.is_empty() {
            let records = by_instance(&left_over);
            done.push(Assembled { records, label: None });
        }
        taken.sort_unstable();
        for index in taken.into_iter().rev() {
            remaining.remove(index);
        }
    }
    done
}

/// Records are put together from so many kinds of siblings at most.
const MAX_ASSEMBLED: usize = 24;

fn by_instance(places: &[At]) -> BTreeMap<usize, Vec<Vec<At>>> {
    let mut records: BTreeMap<usize, Vec<Vec<At>>> = BTreeMap::new();
    for at in places {
        records.entry(at.0).or_default().push(vec![*at]);
    }
    records
}

/// The class that records start with, and those that belong to its records.
fn best_landmark(sets: &[(Vec<At>, Option<String>)]) -> (usize, Vec<usize>) {
    let mut best: Option<(usize, usize, usize, Vec<usize>)> = None;
    for (landmark, (places, _)) in sets.iter().enumerate() {
        let joined: Vec<usize> = (0..sets.len())
            .filter(|other| *other != landmark && belongs(places, &sets[*other].0))
            .collect();
        let covered = places.len() + joined.iter().map(|other| sets[*other].0.len()).sum::<usize>();
        let is_better = best.as_ref().is_none_or(|(best_covered, best_len, _, _)| {
            (covered, places.len()) > (*best_covered, *best_len)
        });
        if is_better {
            best = Some((covered, places.len(), landmark, joined));
        }
    }
    best.map_or((0, Vec::new()), |(_, _, landmark, joined)| (landmark, joined))
}

/// Whether one class stands between the occurrences of another, regularly.
fn belongs(landmark: &[At], other: &[At]) -> bool {
    let mut inside = 0;
    let mut filled: Vec<bool> = vec![false; landmark.len()];
    for at in other {
        // The landmark before it, in the same instance.
        let index = landmark.partition_point(|mark| mark <= at);
        if index > 0 && landmark[index - 1].0 == at.0 {
            inside += 1;
            filled[index - 1] = true;
        }
    }
    let n_filled = filled.iter().filter(|it| **it).count();
    let inside_share = inside as f64 / other.len() as f64;
    let needed = if other.len() > landmark.len() { 0.95 } else { 0.7 };
    inside_share >= needed && n_filled * 2 >= landmark.len()
}

/// Records from each landmark to the next, and what belongs to none.
fn cut(landmark: &[At], others: &[&[At]]) -> (BTreeMap<usize, Vec<Vec<At>>>, Vec<At>) {
    let mut all: Vec<(At, bool)> = landmark.iter().map(|at| (*at, true)).collect();
    for other in others {
        all.extend(other.iter().map(|at| (*at, false)));
    }
    all.sort_unstable();
    let mut records: BTreeMap<usize, Vec<Vec<At>>> = BTreeMap::new();
    let mut left_over = Vec::new();
    for (at, is_landmark) in all {
        let of_instance = records.entry(at.0).or_default();
        if is_landmark {
            of_instance.push(vec![at]);
        } else if let Some(record) = of_instance.last_mut() {
            record.push(at);
        } else {
            left_over.push(at);
        }
    }
    trim_last(&mut records, &mut left_over);
    (records, left_over)
}

/// The last record of an instance has no landmark behind it to end it: it gets no longer than the longest other.
fn trim_last(records: &mut BTreeMap<usize, Vec<Vec<At>>>, left_over: &mut Vec<At>) {
    for of_instance in records.values_mut() {
        let longest = of_instance.iter().rev().skip(1).map(Vec::len).max().unwrap_or(usize::MAX);
        if let Some(last) = of_instance.last_mut()
            && last.len() > longest
        {
            left_over.extend(last.drain(longest..));
        }
    }
    left_over.sort_unstable();
}
