//! Learning in the background: after each change a model of all labels, and what it makes of all pages.

use super::{Desk, Marked, Thoughts};
use crate::pages::Parsed;
use crate::state::Studio;
use crate::wire::MarkView;
use pagemill::annotate::{Annotation, Example, Model, Place, Target, TrainConfig, train};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

/// What is less likely is no label of its own accord.
const LIKELY: f32 = 0.5;
/// As unsure as the model is of a page that lacks what it should have.
const LACKING: f32 = 1.0;

/// What was labelled at a moment.
struct Lesson {
    target: Arc<Target>,
    version: u64,
    /// Pages with their labels, those that are not done with what the model thinks of the rest.
    marked: Vec<(usize, Marked)>,
    current: usize,
}

/// Wait for labels and learn from them, for ever.
pub(crate) fn learn_forever(studio: &Studio) {
    loop {
        let lesson = wait(studio);
        let version = lesson.version;
        let learnt = catch_unwind(AssertUnwindSafe(|| learn(studio, &lesson)));
        let mut desk = studio.desk();
        if !is_of(&desk, &lesson) {
            continue;
        }
        if learnt.is_err() {
            desk.trouble =
                Some("learning failed on these labels: a bug of pagemill, worth a report".into());
        }
        desk.learnt = desk.learnt.max(version);
    }
}

fn wait(studio: &Studio) -> Lesson {
    let mut desk = studio.desk();
    loop {
        if let Some(target) = desk.target.clone().filter(|_| desk.learnt < desk.version) {
            let marked = desk.labelled().into_iter().map(|page| (page, with_thoughts(&desk, page)));
            return Lesson {
                target,
                version: desk.version,
                marked: marked.collect(),
                current: desk.current,
            };
        }
        desk = studio.labelled.wait(desk).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The labels of a page; of one that is not done also what is likely of the fields that have none.
fn with_thoughts(desk: &Desk, page: usize) -> Marked {
    let mut marked = desk.marked[page].clone();
    if !marked.is_done {
        let known = marked.clone();
        let likely =
            desk.open_thoughts(page).filter(|it| it.probability.is_some_and(|it| it > LIKELY));
        likely.filter(|it| !known.has(it.field)).for_each(|it| marked.take(it));
    }
    marked
}

fn learn(studio: &Studio, lesson: &Lesson) {
    let n_pages = studio.pages.len();
    let mut thoughts = vec![Thoughts::default(); n_pages];
    if lesson.marked.is_empty() {
        publish(studio, lesson, |desk| desk.thoughts = thoughts);
        return;
    }
    let parsed = lesson
        .marked
        .iter()
        .filter_map(|(page, marked)| Some((*page, marked, studio.pages.parsed(*page).ok()?)));
    let parsed: Vec<(usize, &Marked, Arc<Parsed>)> = parsed.collect();
    let examples: Vec<Example<'_>> = parsed
        .iter()
        .map(|(page, marked, parsed)| Example {
            page: &parsed.page,
            site: studio.pages.site(*page),
            labels: marked.labels(),
        })
        .collect();
    let model = train(&lesson.target, &examples, &TrainConfig::default());
    // The page that is looked at comes first; the others are looked at while there is nothing newer.
    let others = (0..n_pages).filter(|page| *page != lesson.current);
    for page in std::iter::once(lesson.current).chain(others) {
        let Ok(parsed) = studio.pages.parsed(page) else { continue };
        thoughts[page] = think(&model, &lesson.target, lesson, &parsed);
        let own = thoughts[page].clone();
        let is_first = page == lesson.current;
        let is_fresh = publish(studio, lesson, |desk| {
            if is_first {
                desk.thoughts[page] = own;
            }
        });
        if !is_fresh {
            return;
        }
    }
    publish(studio, lesson, |desk| desk.thoughts = thoughts);
}

/// Tell what was learnt, unless it is of another schema; says whether it is still of all labels.
fn publish(studio: &Studio, lesson: &Lesson, tell: impl FnOnce(&mut Desk)) -> bool {
    let mut desk = studio.desk();
    if is_of(&desk, lesson) {
        tell(&mut desk);
    }
    desk.version == lesson.version
}

fn is_of(desk: &Desk, lesson: &Lesson) -> bool {
    desk.target.as_ref().is_some_and(|target| Arc::ptr_eq(target, &lesson.target))
}

fn think(model: &Model, target: &Target, lesson: &Lesson, parsed: &Parsed) -> Thoughts {
    let found = model.annotate(&parsed.page);
    let is_taught = |field: usize| lesson.marked.iter().any(|(_, marked)| marked.has(field));
    let doubts = (0..target.elements().len()).filter(|field| is_taught(*field)).map(|field| {
        let own = found.values.iter().filter(|value| value.element == field);
        let best = own
            .map(|value| value.probability)
            .fold(None, |best: Option<f32>, it| Some(best.map_or(it, |best| best.max(it))));
        match best {
            Some(best) => 1.0 - best,
            None if target.elements()[field].cardinality.is_required() => LACKING,
            None => 0.0,
        }
    });
    let doubt = doubts.fold(0.0, f32::max);
    Thoughts { values: marks(&found, parsed, &is_taught), doubt: Some(doubt.clamp(0.0, 1.0)) }
}

/// What was found, as marks: by leaves where a value is what these say, else by its text.
fn marks(found: &Annotation, parsed: &Parsed, is_taught: &dyn Fn(usize) -> bool) -> Vec<MarkView> {
    let key = |text: &str| {
        text.chars()
            .filter(|it| it.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let mark = |value: &pagemill::annotate::Value| {
        let leaves: Vec<usize> = match &value.place {
            Place::Leaves(leaves) => leaves.clone().collect(),
            Place::Statement(_) => Vec::new(),
        };
        let said: String = leaves.iter().map(|leaf| parsed.leaves.get(*leaf).text).collect();
        // A part of a leaf is not the leaf; a day is, however it is written.
        let is_whole = key(&said) == key(&value.text) || is_day(&value.text);
        MarkView {
            field: value.element,
            near: leaves.clone(),
            leaves: if is_whole { leaves } else { Vec::new() },
            text: value.text.clone(),
            probability: Some(value.probability),
        }
    };
    found.values.iter().filter(|value| is_taught(value.element)).map(mark).collect()
}

/// `2024-03-15`
fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(nth, byte)| {
            if nth == 4 || nth == 7 { byte == b'-' } else { byte.is_ascii_digit() }
        })
}
