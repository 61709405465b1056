//! Runs of text that only inline markup breaks: read as one value.
//!
//! `Posted by <a>Ada</a> on <b>Monday</b>` is three leaves and one sentence. The leaves stay columns of their own; the
//! sentence becomes one more. Blocks, images and line breaks end a run.

use crate::classes::Classes;
use crate::induce::{Built, Context, Forest};
use crate::schema::{Hints, Place, Shape, Slot, Value};
use crate::twig::{Bough, TwigId};
use std::collections::BTreeMap;

/// Longer runs are prose with links, and broken at any place; still one value.
const MAX_LEAVES: usize = 200;

/// One run of one instance.
struct Run {
    instance: usize,
    place: Place,
}

/// What tells runs of an instance apart: the class that starts it, if a label made that, else the block before
/// it, and how many came after the same.
type Key = (Option<usize>, Option<usize>, usize);

/// Add a slot for each run that is broken at least now and then.
pub(crate) fn add(
    context: &Context<'_>,
    instances: &[Forest],
    classes: &Classes,
    built: &mut Built,
) {
    let mut by_key: BTreeMap<Key, Vec<Run>> = BTreeMap::new();
    for (index, instance) in instances.iter().enumerate() {
        for (key, run) in runs_of(context, classes, index, instance) {
            by_key.entry(key).or_default().push(run);
        }
    }
    for (key, runs) in by_key {
        let n_broken = runs.iter().filter(|run| run.place.leaves.len() > 1).count();
        if n_broken * 10 < runs.len() {
            continue;
        }
        for out in &mut built.values {
            out.push(Value::Missing);
        }
        for run in runs {
            if let Some(last) = built.values[run.instance].last_mut() {
                *last = Value::Basic(run.place);
            }
        }
        let label = key.0.and_then(|class| classes.labels[class].clone());
        built.slots.push(Slot { shape: Shape::Joined, hints: Hints { label, ..Hints::default() } });
    }
}

fn runs_of(
    context: &Context<'_>,
    classes: &Classes,
    index: usize,
    instance: &Forest,
) -> Vec<(Key, Run)> {
    let bough = &context.boughs[instance.page];
    let mut runs: Vec<(Key, Run)> = Vec::new();
    let mut nth: BTreeMap<(Option<usize>, Option<usize>), usize> = BTreeMap::new();
    let mut block = None;
    let mut is_open = false;
    for (position, id) in instance.twigs.iter().enumerate() {
        let twig = bough.twig(*id);
        let class = classes.of[index][position];
        if !is_inline(context, bough, *id) {
            block = Some(class);
            is_open = false;
            continue;
        }
        if is_open && !twig.is_after_break {
            if let Some((_, run)) = runs.last_mut() {
                run.place.leaves.end = twig.leaves.end;
            }
            continue;
        }
        let labelled = classes.labels[class].is_some().then_some(class);
        let nth = nth.entry((labelled, block)).or_default();
        let place = Place { page: instance.page, leaves: twig.leaves.clone() };
        runs.push(((labelled, block, *nth), Run { instance: index, place }));
        *nth += 1;
        is_open = true;
    }
    runs.retain(|(_, run)| run.place.leaves.len() <= MAX_LEAVES);
    runs
}

/// Whether a twig, with all below it, is part of a line.
fn is_inline(context: &Context<'_>, bough: &Bough, id: TwigId) -> bool {
    const INLINE: [&str; 32] = [
        "#text",
        "@datetime",
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "s",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
    ];
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let twig = bough.twig(id);
        if INLINE.binary_search(&context.symbols.name(twig.tag)).is_err() {
            return false;
        }
        open.extend(&twig.children);
    }
    true
}
