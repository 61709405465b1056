//! A table from words to what is known of them, cheap to fill and to ask: two megabytes of numbers.

use super::{Flags, Map};
use std::hash::{BuildHasher, Hasher};

/// Words of the built-in files by hash, open addressed; words that were added later in a map of their own.
///
/// Of a word only 48 bits of its hash are kept, beside where they stand. That two words of a page and of the dictionaries have the same is
/// less likely than that the machine fails.
#[derive(Clone, Debug)]
pub(super) struct WordTable {
    /// The hash in the upper bits, the flags in the lower 16; zero where nothing is.
    slots: Vec<u64>,
    added: Map<Box<str>, Flags>,
}

const FLAGS: u64 = 0xffff;

impl WordTable {
    pub(super) fn with_capacity(n_words: usize) -> WordTable {
        let n_slots = (n_words * 5 / 4).next_power_of_two().max(16);
        WordTable { slots: vec![0; n_slots], added: Map::default() }
    }

    /// Where a word is or would be, and what marks it. There is always a free slot, because there are a quarter more than words.
    fn slot(&self, word: &str) -> (usize, u64) {
        let hash = hash(word);
        let mask = self.slots.len() - 1;
        let mark = hash & !FLAGS;
        // The lower bits are where flags are kept, and tell the slot.
        let mut slot = usize::try_from(hash.rotate_left(32) & mask as u64).unwrap_or(0);
        while self.slots[slot] != 0 && self.slots[slot] & !FLAGS != mark {
            slot = (slot + 1) & mask;
        }
        (slot, mark)
    }

    /// One of the words that the table was made for.
    pub(super) fn add_static(&mut self, word: &'static str, flags: Flags) {
        let (slot, mark) = self.slot(word);
        self.slots[slot] |= mark | u64::from(flags.0);
    }

    /// Change what is known of a word, also of one that the table was not made for.
    pub(super) fn change(&mut self, word: &str, change: impl Fn(Flags) -> Flags) {
        let (slot, mark) = self.slot(word);
        if self.slots[slot] != 0 {
            self.slots[slot] = mark | u64::from(change(self.get(word)).0);
        } else {
            let known = self.added.entry(word.into()).or_default();
            *known = change(*known);
        }
    }

    pub(super) fn get(&self, word: &str) -> Flags {
        match self.slots[self.slot(word).0] {
            0 => self.added.get(word).copied().unwrap_or_default(),
            found => Flags(u16::try_from(found & FLAGS).unwrap_or_default()),
        }
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(word.as_bytes());
    hasher.finish()
}
