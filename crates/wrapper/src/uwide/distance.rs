//! How alike two strings of codes are, in bounded time.

use super::encode::Code;
use crate::twig::hash;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Longer strings are compared by their beginnings.
const MAX_LEN: usize = 64;

fn bounded(codes: &[Code]) -> &[Code] {
    &codes[..codes.len().min(MAX_LEN)]
}

/// A longest common subsequence.
pub(super) fn lcs(left: &[Code], right: &[Code]) -> Vec<Code> {
    let (left, right) = (bounded(left), bounded(right));
    let width = right.len() + 1;
    // By how much of either is still ahead.
    let mut lens = vec![0u16; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            lens[i * width + j] = if left[i] == right[j] {
                lens[(i + 1) * width + j + 1] + 1
            } else {
                lens[(i + 1) * width + j].max(lens[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut common = Vec::new();
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            common.push(left[i]);
            i += 1;
            j += 1;
        } else if lens[(i + 1) * width + j] >= lens[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

/// Similarities already known, and how many more may be asked for.
pub(super) struct Likeness {
    known: HashMap<(u64, u64), f64, FixedState>,
    left: usize,
}

/// Comparisons of one round. Real pages need a few thousand.
const MAX_COMPARISONS: usize = 100_000;

impl Likeness {
    pub(super) fn new() -> Likeness {
        Likeness { known: HashMap::default(), left: MAX_COMPARISONS }
    }

    /// How alike two strings are; not at all, when too much was asked.
    pub(super) fn of(&mut self, left: &[Code], right: &[Code]) -> f64 {
        let key = (hash(&left), hash(&right));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.left == 0 {
            return 0.0;
        }
        self.left -= 1;
        let likeness = similarity(left, right);
        self.known.insert(key, likeness);
        likeness
    }
}

/// One less the edit distance as a share of the longer string.
fn similarity(left: &[Code], right: &[Code]) -> f64 {
    let (left, right) = (bounded(left), bounded(right));
    let longer = left.len().max(right.len());
    if longer == 0 {
        return 1.0;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, code) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in right.iter().enumerate() {
            let change = diagonal + usize::from(code != other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    1.0 - row[right.len()] as f64 / longer as f64
}
