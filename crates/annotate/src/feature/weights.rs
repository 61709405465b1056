//! What words are worth to each element, and what several of them say together.

use super::word::{Kind, Word, WordHasher};
use std::collections::HashMap;

/// What is asked of the words of a kind.
pub(crate) const STRONGEST: usize = 0;
pub(crate) const FOR: usize = 1;
pub(crate) const AGAINST: usize = 2;
pub(crate) const N_SIDES: usize = 3;

/// What words are worth to each element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    n_elements: usize,
    /// At `word's number * n_elements + element`: how much more likely, as a logarithm of odds.
    numbers: HashMap<Word, u32, WordHasher>,
    values: Vec<f32>,
}

impl Weights {
    pub(crate) fn new(n_elements: usize) -> Weights {
        Weights { n_elements, ..Weights::default() }
    }

    pub(crate) fn insert(&mut self, word: Word, values: &[f32]) {
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        if self.numbers.insert(word, number).is_none() {
            self.values.extend_from_slice(values);
        }
    }

    /// What a word is worth to each element, if anything is known of it.
    pub(crate) fn get(&self, word: Word) -> Option<&[f32]> {
        let start = *self.numbers.get(&word)? as usize * self.n_elements;
        self.values.get(start..start + self.n_elements)
    }

    /// For each element what the strongest of all words says.
    pub(crate) fn best(&self, words: impl Iterator<Item = Word>) -> Vec<f32> {
        let mut best = vec![0.0; self.n_elements];
        for weights in words.filter_map(|word| self.get(word)) {
            for (best, weight) in best.iter_mut().zip(weights) {
                *best = f32::max(*best, *weight);
            }
        }
        best
    }

    /// How many numbers the words of one kind become.
    pub(crate) fn n_said(&self) -> usize {
        N_SIDES * self.n_elements
    }

    /// Add what some words say to what others said, by kind: see [`hear`].
    pub(crate) fn hear(&self, words: &[(Kind, Word)], said: &mut [f32]) {
        for (kind, word) in words {
            let start = *kind as usize * self.n_said();
            if let Some(weights) = self.get(*word) {
                hear(&mut said[start..start + self.n_said()], weights, weights, weights);
            }
        }
    }
}

/// Add what one more says to what was said of each element: what the strongest said, the one that spoke most for it, and the
/// one that spoke most against it, at `side * n_elements + element`. Of equals the first counts.
fn hear(said: &mut [f32], strongest: &[f32], most: &[f32], least: &[f32]) {
    let (said_strongest, sides) = said.split_at_mut(strongest.len());
    let (said_for, said_against) = sides.split_at_mut(most.len());
    // Chosen, not branched on: which one is stronger cannot be foreseen.
    for (said, new) in said_strongest.iter_mut().zip(strongest) {
        *said = if new.abs() > said.abs() { *new } else { *said };
    }
    for (said, new) in said_for.iter_mut().zip(most) {
        *said = if *new > *said { *new } else { *said };
    }
    for (said, new) in said_against.iter_mut().zip(least) {
        *said = if *new < *said { *new } else { *said };
    }
}

/// The same for what several others said.
pub(crate) fn hear_all(said: &mut [f32], others: &[f32]) {
    let n = others.len() / N_SIDES;
    hear(said, &others[..n], &others[n..2 * n], &others[2 * n..]);
}
