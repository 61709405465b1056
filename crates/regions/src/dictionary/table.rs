//! A table from words to what is known of them, cheap to fill: the words stay where they are.

use super::{Flags, Map};
use std::hash::{BuildHasher, Hasher};

/// Words of the built-in files by hash, open addressed; words that were added later in a map of their own.
#[derive(Clone, Debug)]
pub(super) struct WordTable {
    slots: Vec<Option<(&'static str, Flags)>>,
    added: Map<Box<str>, Flags>,
}

impl WordTable {
    pub(super) fn with_capacity(n_words: usize) -> WordTable {
        let n_slots = (n_words * 3 / 2).next_power_of_two().max(16);
        WordTable { slots: vec![None; n_slots], added: Map::default() }
    }

    /// Where a word is or would be. There is always a free slot, because there are half as many more than words.
    fn slot(&self, word: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = usize::try_from(hash(word) & mask as u64).unwrap_or(0);
        while self.slots[slot].is_some_and(|(known, _)| known != word) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// One of the words that the table was made for.
    pub(super) fn add_static(&mut self, word: &'static str, flags: Flags) {
        let slot = self.slot(word);
        let known = self.slots[slot].map_or(Flags::default(), |(_, known)| known);
        self.slots[slot] = Some((word, known.and(flags)));
    }

    /// Any other.
    pub(super) fn add(&mut self, word: &str, flags: Flags) {
        let slot = self.slot(word);
        match &mut self.slots[slot] {
            Some((_, known)) => *known = known.and(flags),
            None => {
                let known = self.added.entry(word.into()).or_default();
                *known = known.and(flags);
            }
        }
    }

    pub(super) fn get(&self, word: &str) -> Flags {
        match self.slots[self.slot(word)] {
            Some((_, flags)) => flags,
            None => self.added.get(word).copied().unwrap_or_default(),
        }
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(word.as_bytes());
    hasher.finish()
}
