//! Runs of text that only inline markup breaks: read as one value.
//!
//! `Posted by <a>Ada</a> on <b>Monday</b>` is three leaves and one sentence. Where the sentence is built the same
//! everywhere, its leaves stay columns of their own, and the sentence becomes one more. Where it is not, it is prose, in
//! which a link or an emphasis is no column. Blocks, images and line breaks end a run.

use crate::classes::{Classes, NONE};
use crate::induce::{Built, Context, Forest};
use crate::schema::{Hints, Place, Reading, Shape, Slot, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Longer runs are prose with links, and broken at any place; still one value.
const MAX_LEAVES: usize = 200;

/// More runs in a row are lines, each a record rather than a part.
const MAX_RUNS: usize = 12;
/// Ragged if fewer than this share of its pieces' kinds are in each: the paper's threshold for density.
const UNIFORM: f64 = 0.6;

/// One run of one instance.
struct Run {
    instance: usize,
    place: Place,
    /// Where its twigs stand in the instance.
    positions: Range<usize>,
}

/// What tells runs of an instance apart: the class that starts it, if a label made that, else the block before
/// it, and how many came after the same.
type Key = (Option<usize>, Option<usize>, usize);

/// Add a slot for each run that is prose, or broken often enough. What is prose is taken from its classes.
pub(crate) fn add(
    context: &Context<'_>,
    instances: &[Forest],
    classes: &mut Classes,
    built: &mut Built,
) {
    let mut by_key: BTreeMap<Key, Vec<Run>> = BTreeMap::new();
    let mut runs = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        find_runs(context, classes, index, instance, &mut runs);
        for (key, run) in runs.drain(..) {
            by_key.entry(key).or_default().push(run);
        }
    }
    let is_line = |key: &Key| by_key.contains_key(&(key.0, key.1, MAX_RUNS));
    let lines: BTreeSet<Key> = by_key.keys().filter(|key| is_line(key)).copied().collect();
    for (key, runs) in by_key.into_iter().filter(|(key, _)| !lines.contains(key)) {
        let n_broken = runs.iter().filter(|run| run.place.leaves.len() > 1).count();
        let is_prose = n_broken > 0 && is_prose(context, instances, classes, &runs);
        if n_broken * 10 < runs.len() && !is_prose {
            continue;
        }
        context.note(|| {
            let kind = if is_prose { "prose" } else { "a line, beside its parts" };
            format!("- {} runs of text, {n_broken} with markup inside: {kind}", runs.len())
        });
        for out in &mut built.values {
            out.push(Value::Missing);
        }
        for run in runs {
            if is_prose {
                classes.of[run.instance][run.positions].fill(NONE);
            }
            if let Some(last) = built.values[run.instance].last_mut() {
                *last = Value::Basic(run.place);
            }
        }
        let label = key.0.and_then(|class| classes.labels[class].clone());
        let shape = Shape::Text(if is_prose { Reading::Prose } else { Reading::Run });
        built.slots.push(Slot::new(shape, Hints { label, ..Hints::default() }));
    }
}

/// Whether some runs are mostly bare text, and built differently here and there.
fn is_prose(context: &Context<'_>, instances: &[Forest], classes: &Classes, runs: &[Run]) -> bool {
    let mut kinds: BTreeSet<usize> = BTreeSet::new();
    let (mut n_kinds, mut n_repeating) = (0, 0);
    let (mut bare, mut all) = (0, 0);
    for run in runs {
        let instance = &instances[run.instance];
        let bough = &context.boughs[instance.page];
        let of_run = &classes.of[run.instance][run.positions.clone()];
        let own: BTreeSet<usize> = of_run.iter().copied().collect();
        n_kinds += own.len();
        n_repeating += usize::from(own.len() < of_run.len());
        kinds.extend(own);
        for id in &instance.twigs[run.positions.clone()] {
            let twig = bough.twig(*id);
            let len: usize = twig.leaves.clone().map(|leaf| bough.leaf(leaf).text.len()).sum();
            all += len;
            bare += if twig.leaf.is_some() { len } else { 0 };
        }
    }
    let density = n_kinds as f64 / (kinds.len() * runs.len()) as f64;
    let is_ragged = density < UNIFORM || n_repeating > 0 && n_repeating < runs.len();
    is_ragged && bare * 2 > all && all > MIN_PROSE * runs.len()
}

/// Shorter texts are names and labels rather than sentences.
const MIN_PROSE: usize = 30;

/// The runs of one instance, into an empty list.
fn find_runs(
    context: &Context<'_>,
    classes: &Classes,
    index: usize,
    instance: &Forest,
    runs: &mut Vec<(Key, Run)>,
) {
    let bough = &context.boughs[instance.page];
    let mut nth: BTreeMap<(Option<usize>, Option<usize>), usize> = BTreeMap::new();
    let mut block = None;
    let mut is_open = false;
    for (position, id) in instance.twigs.iter().enumerate() {
        let twig = bough.twig(*id);
        let class = classes.of[index][position];
        if !twig.is_inline {
            block = Some(class);
            is_open = false;
            continue;
        }
        if is_open && !twig.is_after_break {
            if let Some((_, run)) = runs.last_mut() {
                run.place.leaves.end = twig.leaves.end;
                run.positions.end = position + 1;
            }
            continue;
        }
        let labelled = classes.labels[class].is_some().then_some(class);
        let nth = nth.entry((labelled, block)).or_default();
        let place = Place { page: instance.page, leaves: twig.leaves.clone() };
        let positions = position..position + 1;
        runs.push(((labelled, block, *nth), Run { instance: index, place, positions }));
        *nth += 1;
        is_open = true;
    }
    runs.retain(|(key, run)| run.place.leaves.len() <= MAX_LEAVES && key.2 <= MAX_RUNS);
}
