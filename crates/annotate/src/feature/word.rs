//! Words of evidence: where they come from, and what stands for them.

use crate::target::Group;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Where a word of evidence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// Classes, ids and properties of the nearest elements.
    Near,
    /// The same of those further up.
    Far,
    /// What stands before it.
    Label,
    /// Statements of the metadata that say the same.
    Statement,
    /// Its own words.
    Own,
    /// What its characters are like: `d2-d2`, `A a`. Asked of columns only.
    Shape,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] =
        [Kind::Near, Kind::Far, Kind::Label, Kind::Statement, Kind::Own, Kind::Shape];
    /// Those that spots have, in the same order.
    pub(crate) const OF_SPOTS: [Kind; 5] =
        [Kind::Near, Kind::Far, Kind::Label, Kind::Statement, Kind::Own];

    pub(crate) fn group(self) -> Group {
        match self {
            Kind::Near | Kind::Far => Group::Structure,
            Kind::Label => Group::Thesaurus,
            Kind::Statement => Group::Metadata,
            Kind::Own | Kind::Shape => Group::Types,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Near => "near",
            Kind::Far => "far",
            Kind::Label => "label",
            Kind::Statement => "statement",
            Kind::Own => "own",
            Kind::Shape => "shape",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A word by its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Word(u64);

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0);
    }
}

/// For tables of words alone.
pub(super) type WordHasher = BuildHasherDefault<Passing>;

/// Passes on what is a hash already.
#[derive(Default)]
pub(super) struct Passing(u64);

impl Hasher for Passing {
    fn finish(&self) -> u64 {
        // Tables look at the lowest bits and the highest; the latter are the last that a short word reaches.
        self.0 ^ self.0 << 25
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }
}

impl Word {
    pub(crate) fn new(kind: Kind, text: &str) -> Word {
        // FNV-1a: model files name words by text, but trained ones are compared across runs.
        let start = 0xcbf2_9ce4_8422_2325 ^ (kind as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Word(start).and(text)
    }

    /// The word with more text at its end.
    pub(crate) fn and(self, text: &str) -> Word {
        let next = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Word(text.bytes().fold(self.0, next))
    }
}
