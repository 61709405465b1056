//! Sequences to columns: progressive multiple alignment.
//!
//! In come the sequences of pages or records, out come columns in order, each with at most one mark of each sequence. The
//! longest sequence makes the first columns; each further one is aligned with the columns so far and may add new ones.
//!
//! What is unique in every sequence, says the same in all and comes in the same order is no question: it cuts all
//! sequences into stretches that are aligned on their own. Stretches that are still long are aligned near the diagonal only.

use super::encode::{Content, Kind, Mark, PathCode};
use super::outline::Entry;
use crate::twig::hash;
use foldhash::fast::FixedState;
use page::DataType;
use std::collections::HashMap;

/// What a match is worth, in thousandths: the paper's section 3.4.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scores {
    pub(super) path_equal: i32,
    pub(super) type_equal: i32,
    /// One type is the parent of the other.
    pub(super) type_related: i32,
    /// The content is what most of a column of several say.
    pub(super) content_full: i32,
    /// The same where the column holds only one.
    pub(super) content_partial: i32,
    /// The content is another than what more than two say.
    pub(super) content_mismatch: i32,
    /// Less than this is no match at all. The paper names no such bound; without one, any two strings match.
    pub(super) least: i32,
}

impl Default for Scores {
    fn default() -> Self {
        Scores {
            path_equal: 500,
            type_equal: 250,
            type_related: 125,
            content_full: 1250,
            content_partial: 250,
            content_mismatch: -100,
            least: 500,
        }
    }
}

/// Marks of different sequences that belong together.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) profile: Profile,
    contents: HashMap<Content, u32, FixedState>,
    /// By sequence that has one, in the order of alignment.
    pub(super) cells: Vec<(usize, Entry)>,
}

/// What a column looks like to the next sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    pub(super) path: PathCode,
    pub(super) kind: Kind,
    /// What most of it say, and how many do.
    pub(super) mode: (Content, u32),
    pub(super) n: u32,
}

impl Column {
    fn new(sequence: usize, entry: Entry) -> Column {
        let Mark { path, kind, content, .. } = entry.mark;
        Column {
            profile: Profile { path, kind, mode: (content, 1), n: 1 },
            contents: HashMap::from_iter([(content, 1)]),
            cells: vec![(sequence, entry)],
        }
    }

    fn add(&mut self, sequence: usize, entry: Entry) {
        let count = self.contents.entry(entry.mark.content).or_default();
        *count += 1;
        if *count > self.profile.mode.1 {
            self.profile.mode = (entry.mark.content, *count);
        }
        self.profile.n += 1;
        self.cells.push((sequence, entry));
    }

    pub(super) fn is_set(&self) -> bool {
        self.profile.kind == Kind::Set
    }

    /// Whether all say the same, of at least two.
    pub(super) fn is_constant(&self) -> bool {
        self.profile.n > 1 && self.profile.mode.1 == self.profile.n
    }
}

/// Cells of one alignment of two. More are cut down to a band around the diagonal.
const MAX_CELLS: usize = 400_000;

pub(super) fn align(scores: &Scores, sequences: &[&[Entry]]) -> Vec<Column> {
    let anchors = anchors(sequences);
    let mut starts = vec![0; sequences.len()];
    let mut columns = Vec::new();
    for index in 0..=anchors.len() {
        let anchor = anchors.get(index);
        let stretches: Vec<&[Entry]> = sequences
            .iter()
            .enumerate()
            .map(|(at, sequence)| {
                let end = anchor.map_or(sequence.len(), |anchor| anchor[at]);
                &sequence[starts[at]..end]
            })
            .collect();
        columns.extend(progressive(scores, &stretches));
        let Some(anchor) = anchor else { break };
        let mut column = Column::new(0, sequences[0][anchor[0]]);
        for at in 1..sequences.len() {
            column.add(at, sequences[at][anchor[at]]);
        }
        columns.push(column);
        starts = anchor.iter().map(|position| position + 1).collect();
    }
    columns
}

/// By anchor, in order, its position in each sequence.
fn anchors(sequences: &[&[Entry]]) -> Vec<Vec<usize>> {
    // Of two, what both say may be chance.
    if sequences.len() < 3 {
        return Vec::new();
    }
    let unique: Vec<HashMap<u64, usize, FixedState>> =
        sequences.iter().map(|sequence| unique(sequence)).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for entry in sequences[0] {
        let key = key(entry);
        let positions: Option<Vec<usize>> =
            unique.iter().map(|unique| unique.get(&key).copied()).collect();
        found.extend(positions);
    }
    for at in 1..sequences.len() {
        found = longest_rising(found, at);
    }
    found
}

fn key(entry: &Entry) -> u64 {
    hash(&(entry.mark.path, entry.mark.content, entry.mark.kind))
}

fn unique(sequence: &[Entry]) -> HashMap<u64, usize, FixedState> {
    let mut places: HashMap<u64, Option<usize>, FixedState> = HashMap::default();
    for (position, entry) in sequence.iter().enumerate() {
        places.entry(key(entry)).and_modify(|place| *place = None).or_insert(Some(position));
    }
    places.into_iter().filter_map(|(key, place)| place.map(|place| (key, place))).collect()
}

/// The most anchors whose positions in one sequence rise.
fn longest_rising(anchors: Vec<Vec<usize>>, at: usize) -> Vec<Vec<usize>> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(anchors.len());
    for (index, anchor) in anchors.iter().enumerate() {
        let len = tails.partition_point(|tail| anchors[*tail][at] < anchor[at]);
        before.push(len.checked_sub(1).map(|len| tails[len]));
        match tails.get_mut(len) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let mut keeps = vec![false; anchors.len()];
    let mut next = tails.last().copied();
    while let Some(index) = next {
        keeps[index] = true;
        next = before[index];
    }
    let kept = anchors.into_iter().zip(keeps);
    kept.filter_map(|(anchor, keeps)| keeps.then_some(anchor)).collect()
}

fn progressive(scores: &Scores, sequences: &[&[Entry]]) -> Vec<Column> {
    let mut order: Vec<usize> =
        (0..sequences.len()).filter(|at| !sequences[*at].is_empty()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(sequences[*at].len()), *at));
    let mut columns: Vec<Column> = Vec::new();
    for at in order {
        columns = join(scores, columns, at, sequences[at]);
    }
    columns
}

/// Align one more sequence with the columns so far.
fn join(scores: &Scores, columns: Vec<Column>, sequence: usize, entries: &[Entry]) -> Vec<Column> {
    let profiles: Vec<Profile> = columns.iter().map(|column| column.profile).collect();
    let matched = pairs(scores, &profiles, entries);
    let mut joined = Vec::with_capacity(columns.len().max(entries.len()));
    let mut matched = matched.into_iter().peekable();
    let mut next = 0;
    for (index, mut column) in columns.into_iter().enumerate() {
        if let Some((_, position)) = matched.next_if(|(column, _)| *column == index) {
            joined.extend(entries[next..position].iter().map(|it| Column::new(sequence, *it)));
            column.add(sequence, entries[position]);
            next = position + 1;
        }
        joined.push(column);
    }
    joined.extend(entries[next..].iter().map(|it| Column::new(sequence, *it)));
    joined
}

/// Which columns go with which entries, both in order, for the greatest sum of scores.
fn pairs(scores: &Scores, columns: &[Profile], entries: &[Entry]) -> Vec<(usize, usize)> {
    if columns.is_empty() || entries.is_empty() {
        return Vec::new();
    }
    let band = Band::of(columns.len(), entries.len());
    let mut steps = vec![Step::Column; columns.len() * band.width];
    // By entry, the best sum of the columns and entries before.
    let mut above = vec![0; entries.len() + 1];
    let mut row = vec![0; entries.len() + 1];
    for (index, column) in columns.iter().enumerate() {
        let range = band.range(index);
        row[..=range.start].copy_from_slice(&above[..=range.start]);
        for position in range.clone() {
            let score = score(scores, column, &entries[position].mark);
            let (mut best, mut step) = (above[position + 1], Step::Column);
            if row[position] > best {
                (best, step) = (row[position], Step::Entry);
            }
            // Of equal sums, the one that matches early: a text that is broken later goes with its beginning.
            if score >= scores.least && above[position] + score > best {
                (best, step) = (above[position] + score, Step::Match);
            }
            row[position + 1] = best;
            steps[index * band.width + position - range.start] = step;
        }
        let last = row[range.end];
        for position in range.end..entries.len() {
            row[position + 1] = last.max(above[position + 1]);
        }
        std::mem::swap(&mut above, &mut row);
    }
    trace(&band, &steps, columns.len(), entries.len())
}

fn trace(band: &Band, steps: &[Step], n_columns: usize, n_entries: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut column, mut entry) = (n_columns, n_entries);
    while column > 0 && entry > 0 {
        let range = band.range(column - 1);
        // Outside of the band nothing matches.
        let step = match entry - 1 {
            position if position >= range.end => Step::Entry,
            position if position < range.start => Step::Column,
            position => steps[(column - 1) * band.width + position - range.start],
        };
        match step {
            Step::Column => column -= 1,
            Step::Entry => entry -= 1,
            Step::Match => {
                column -= 1;
                entry -= 1;
                pairs.push((column, entry));
            }
        }
    }
    pairs.reverse();
    pairs
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Pass a column.
    Column,
    /// Pass an entry.
    Entry,
    Match,
}

/// The entries that each column is compared with.
struct Band {
    n_columns: usize,
    n_entries: usize,
    width: usize,
}

impl Band {
    fn of(n_columns: usize, n_entries: usize) -> Band {
        let width = (MAX_CELLS / n_columns).clamp(16, n_entries.max(16)).min(n_entries);
        Band { n_columns, n_entries, width }
    }

    fn range(&self, column: usize) -> std::ops::Range<usize> {
        let middle = column * self.n_entries / self.n_columns;
        let start = middle.saturating_sub(self.width / 2).min(self.n_entries - self.width);
        start..start + self.width
    }
}

fn score(scores: &Scores, column: &Profile, mark: &Mark) -> i32 {
    let type_score = match (column.kind, mark.kind) {
        (Kind::Set, Kind::Set) => scores.type_equal,
        (Kind::Leaf(left), Kind::Leaf(right)) => score_types(scores, left, right),
        _ => return 0,
    };
    let path_score = if column.path == mark.path { scores.path_equal } else { 0 };
    let (mode, count) = column.mode;
    let content_score = if mode == mark.content {
        if column.n > 1 { scores.content_full } else { scores.content_partial }
    } else if count <= 2 {
        0
    } else {
        scores.content_mismatch
    };
    path_score + type_score + content_score
}

fn score_types(scores: &Scores, left: DataType, right: DataType) -> i32 {
    if left == right {
        scores.type_equal
    } else if left.parent() == Some(right) || right.parent() == Some(left) {
        scores.type_related
    } else {
        0
    }
}
