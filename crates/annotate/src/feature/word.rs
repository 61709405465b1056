//! Words of evidence: where they come from, and what stands for them.

use crate::target::Group;

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
}

impl Kind {
    pub(crate) const ALL: [Kind; 5] =
        [Kind::Near, Kind::Far, Kind::Label, Kind::Statement, Kind::Own];

    pub(crate) fn group(self) -> Group {
        match self {
            Kind::Near | Kind::Far => Group::Structure,
            Kind::Label => Group::Thesaurus,
            Kind::Statement => Group::Metadata,
            Kind::Own => Group::Types,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Near => "near",
            Kind::Far => "far",
            Kind::Label => "label",
            Kind::Statement => "statement",
            Kind::Own => "own",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A word by its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Word(u64);

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
