//! From repeated patterns to candidates for sets: landmarks and the level at which records stand.
//!
//! In come the outlines of all pages; the longest and the shortest are searched for patterns. Each leaf of a pattern is a
//! landmark. Climbing from all its occurrences at once, two neighbours meet first at some depth: records stand one level
//! below. Out come landmarks, each with such a depth.

use super::encode::{Code, Content};
use super::outline::Outline;
use super::patterns::{self, Pattern};
use crate::induce::Context;
use crate::twig::TwigId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What marks a record, and where its records hang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Landmark {
    pub(super) code: Code,
    /// What it says, if only those that say the same are meant.
    pub(super) content: Option<Content>,
    /// How deep the parent of the records stands.
    pub(super) depth: u32,
}

/// Leaves of a pattern that are tried as landmarks.
const MAX_OFFSETS: usize = 16;
/// Contents of a page that are tried as landmarks, the most frequent ones first.
const MAX_CONTENTS: usize = 200;
/// Pairs of neighbours of a page that are climbed from.
const MAX_PAIRS: usize = 200_000;
/// Patterns that are noted one by one.
const MAX_NOTED: usize = 12;

pub(super) fn find(context: &Context<'_>, outlines: &[Outline<'_>], round: usize) -> Vec<Landmark> {
    let longest = (0..outlines.len()).max_by_key(|at| (outlines[*at].entries.len(), *at));
    let shortest = (0..outlines.len()).min_by_key(|at| (outlines[*at].entries.len(), *at));
    let searched: BTreeSet<usize> = longest.into_iter().chain(shortest).collect();
    let mut found = BTreeSet::new();
    for page in searched {
        let outline = &outlines[page];
        let patterns = patterns::mine(&outline.codes());
        note(context, page, outline, &patterns, round);
        let mut left = MAX_PAIRS;
        for pattern in &patterns {
            of_pattern(outline, pattern, &mut left, &mut found);
        }
        of_contents(outline, &mut found);
    }
    // Codes before contents: they mark more records.
    let mut found: Vec<Landmark> = found.into_iter().collect();
    found.sort_by_key(|landmark| landmark.content.is_some());
    found
}

fn note(
    context: &Context<'_>,
    page: usize,
    outline: &Outline<'_>,
    patterns: &[Pattern],
    round: usize,
) {
    let (n, len) = (patterns.len(), outline.entries.len());
    context
        .journal
        .note(0, || format!("round {round}: {n} patterns in the {len} symbols of page {page}"));
    for pattern in patterns.iter().take(MAX_NOTED) {
        let Pattern { len, frequency, .. } = pattern;
        context.journal.note(1, || format!("pattern of length {len}, frequency {frequency}"));
    }
}

fn of_pattern(
    outline: &Outline<'_>,
    pattern: &Pattern,
    left: &mut usize,
    found: &mut BTreeSet<Landmark>,
) {
    let step = pattern.len.div_ceil(MAX_OFFSETS);
    for offset in (0..pattern.len).step_by(step) {
        if *left < pattern.starts.len() {
            return;
        }
        *left -= pattern.starts.len();
        let entry = |start: &usize| outline.entries[start + offset];
        let twigs: Vec<TwigId> = pattern.starts.iter().map(|start| entry(start).twig).collect();
        let Some(code) = pattern.starts.first().map(|start| entry(start).mark.code) else {
            continue;
        };
        if let Some(depth) = meeting_depth(outline, &twigs) {
            found.insert(Landmark { code, content: None, depth });
        }
    }
}

/// What says the same again and again, such as `Price:`, is a pattern by itself.
fn of_contents(outline: &Outline<'_>, found: &mut BTreeSet<Landmark>) {
    let mut places: BTreeMap<(Code, Content), Vec<TwigId>> = BTreeMap::new();
    for entry in &outline.entries {
        places.entry((entry.mark.code, entry.mark.content)).or_default().push(entry.twig);
    }
    let mut places: Vec<((Code, Content), Vec<TwigId>)> =
        places.into_iter().filter(|(_, twigs)| twigs.len() > 1).collect();
    places.sort_by_key(|(_, twigs)| Reverse(twigs.len()));
    for ((code, content), twigs) in places.into_iter().take(MAX_CONTENTS) {
        if let Some(depth) = meeting_depth(outline, &twigs) {
            found.insert(Landmark { code, content: Some(content), depth });
        }
    }
}

/// How deep two neighbours first meet.
fn meeting_depth(outline: &Outline<'_>, twigs: &[TwigId]) -> Option<u32> {
    let neighbours = twigs.windows(2).filter(|pair| pair[0] != pair[1]);
    neighbours.map(|pair| outline.sheet.common_depth(pair[0], pair[1])).max()
}
