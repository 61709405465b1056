//! Tag and attribute names, interned once per page and spelling.

use crate::gate::TagClass;
use crate::limits::Limits;
use foldhash::fast::FixedState;
use html5ever::LocalName;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub(super) struct KnownName {
    pub(super) local: LocalName,
    pub(super) class: TagClass,
}

pub(super) struct Names<'t> {
    /// By the bytes as they stand in the source, in whatever case.
    known: HashMap<&'t [u8], KnownName, FixedState>,
    /// The short names used last, by their bytes in one number: nearly all names of nearly all pages.
    short: Vec<Option<(u64, KnownName)>>,
    n_left: u32,
    max_tag_len: usize,
    n_refused: u32,
}

impl<'t> Names<'t> {
    pub(super) fn new(limits: &Limits) -> Names<'t> {
        Names {
            known: HashMap::default(),
            short: vec![None; N_SHORT],
            n_left: limits.names,
            max_tag_len: limits.tag_name as usize,
            n_refused: 0,
        }
    }

    /// The name of a tag, unless it is longer than any tag's.
    pub(super) fn tag(&mut self, raw: &'t str) -> Option<KnownName> {
        if raw.len() > self.max_tag_len {
            self.n_refused += 1;
            return None;
        }
        self.get(raw)
    }

    pub(super) fn n_refused(&self) -> u32 {
        self.n_refused
    }

    /// The name written as `raw`, unless the page has used up its new names.
    #[inline]
    pub(super) fn get(&mut self, raw: &'t str) -> Option<KnownName> {
        let Some(packed) = pack(raw.as_bytes()) else { return self.get_long(raw) };
        let slot = (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % N_SHORT;
        if let Some((key, name)) = &self.short[slot]
            && *key == packed
        {
            return Some(name.clone());
        }
        let name = self.get_long(raw)?;
        self.short[slot] = Some((packed, name.clone()));
        Some(name)
    }

    fn get_long(&mut self, raw: &'t str) -> Option<KnownName> {
        match self.known.get(raw.as_bytes()) {
            Some(name) => Some(name.clone()),
            None => self.intern(raw),
        }
    }

    #[cold]
    fn intern(&mut self, raw: &'t str) -> Option<KnownName> {
        let spelled = raw.to_ascii_lowercase().replace('\0', "\u{FFFD}");
        // Looking a name up is the only way to ask whether it is one of HTML's own; one that is not
        // and finds no place is dropped again at once.
        let local = LocalName::from(spelled);
        if self.n_left == 0 && !is_static(&local) {
            self.n_refused += 1;
            return None;
        }
        if !is_static(&local) {
            self.n_left -= 1;
        }
        let name = KnownName { class: TagClass::of(&local), local };
        self.known.insert(raw.as_bytes(), name.clone());
        Some(name)
    }
}

const N_SHORT: usize = 256;

/// The bytes of a short name, and how many there are, as one number.
#[inline]
fn pack(raw: &[u8]) -> Option<u64> {
    if raw.len() > 7 {
        return None;
    }
    Some(raw.iter().fold(raw.len() as u64, |packed, byte| packed << 8 | u64::from(*byte)))
}

fn is_static(name: &LocalName) -> bool {
    // Names of HTML's own table, and those of seven bytes or less that need no table.
    name.is_static() || name.len() <= 7
}
