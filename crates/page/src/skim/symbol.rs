//! Tags as numbers: tags that mean the same have the same number, whatever else they say.

use super::Eye;
use crate::build::Replica;
use crate::leaf::role::{self, Role};
use crate::names::{Key, N_RECENT, TagName};
use crate::tag::Tag;
use crate::token::chars::{self, References};
use crate::token::tag::{Part, next_part};
use crate::tree::{Name, Namespace, offset};
use foldhash::fast::FixedState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

pub(super) type SymbolId = u32;

/// What a start tag means, to tree construction, to the leaf view and to whoever asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol {
    pub(super) name: TagName,
    /// What an [`Eye`] sees in it.
    pub(super) meaning: u32,
    /// Whether nothing in it is shown.
    pub(super) hides: bool,
    /// The same, unless it is the page.
    pub(super) hides_by_style: bool,
    pub(super) has_href: bool,
    pub(super) is_hidden_input: bool,
    /// Whether it has attributes that change what is known of the root or the body, if these are there already.
    pub(super) is_late: bool,
}

/// Attributes that are looked at, by their places in [`Slots`].
const ATTRIBUTES: [&str; 23] = [
    "hidden",
    "popover",
    "style",
    "id",
    "open",
    "type",
    "width",
    "height",
    "href",
    "itemprop",
    "property",
    "name",
    "alt",
    "datetime",
    "value",
    "content",
    "src",
    "srcset",
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-srcset",
];
const HIDDEN: usize = 0;
const POPOVER: usize = 1;
const STYLE: usize = 2;
const ID: usize = 3;
const OPEN: usize = 4;
const TYPE: usize = 5;
pub(super) const HREF: usize = 8;
/// Those that say nothing of the page itself, as bits: scripts that hide the page until it is ready hide all of it.
const SILENT: u32 = 1 << STYLE | 1 << HREF;

/// Names that an [`Eye`] may ask for.
const MAX_SLOTS: usize = 32;
/// Tags with more attributes than this are left to others.
const MAX_ATTRIBUTES: usize = 1000;
/// Names longer than this are left to others.
const MAX_NAME: usize = 128;
/// More ways to write tags than this are those of pages that are all different, and not worth keeping.
const MAX_KEYS: usize = 20_000;
/// In bytes.
const MAX_KEY: usize = 400;
/// Different names of attributes that are long enough to be counted by [`Limits`](crate::Limits), of all pages together.
const MAX_LONG_NAMES: usize = 3_000;
const LONG_NAME: usize = 8;

/// The value of an attribute, in the source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) is_special: bool,
}

/// The attributes of one start tag, as far as they are looked at.
#[derive(Clone, Debug)]
pub(super) struct Attributes {
    values: [Value; MAX_SLOTS],
    /// Which of them are there, as bits.
    there: u32,
    /// How many there are, those not looked at included.
    pub(super) n: usize,
}

impl Default for Attributes {
    fn default() -> Attributes {
        Attributes { values: [Value::default(); MAX_SLOTS], there: 0, n: 0 }
    }
}

impl Attributes {
    pub(super) fn get(&self, slot: usize) -> Option<Value> {
        (self.there & 1 << slot != 0).then(|| self.values[slot])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Value)> + '_ {
        let mut there = self.there;
        std::iter::from_fn(move || {
            let slot = there.trailing_zeros() as usize;
            there &= there.wrapping_sub(1);
            self.values.get(slot).map(|value| (slot, *value))
        })
    }
}

/// Finds the places of names.
#[derive(Debug)]
struct Slots {
    names: Vec<&'static str>,
    /// Names that were met lately, and their places.
    recent: Vec<(Key, Option<usize>)>,
}

impl Slots {
    fn new(more: &[&'static str]) -> Slots {
        let mut names: Vec<&'static str> = ATTRIBUTES.to_vec();
        for name in more {
            if !names.contains(name) && names.len() < MAX_SLOTS {
                names.push(name);
            }
        }
        Slots { names, recent: vec![(Key::default(), None); N_RECENT] }
    }

    fn of(&self, name: &[u8]) -> Option<usize> {
        self.names.iter().position(|it| it.as_bytes().eq_ignore_ascii_case(name))
    }
}

/// All tags that were met.
pub(super) struct Symbols {
    slots: Slots,
    /// The slots of what the eye looks at.
    eye: Vec<usize>,
    /// The slots whose values are part of what a tag means, wherever it stands, as bits.
    telling: u32,
    all: Vec<Symbol>,
    ids: HashMap<Symbol, SymbolId, FixedState>,
    by_key: HashMap<Box<[u8]>, SymbolId, FixedState>,
    by_name: HashMap<Box<[u8]>, TagName, FixedState>,
    long_names: HashSet<u64, FixedState>,
    key: Vec<u8>,
}

impl Symbols {
    pub(super) fn new(eye: &dyn Eye) -> Symbols {
        let slots = Slots::new(eye.attributes());
        let eye: Vec<usize> =
            eye.attributes().iter().flat_map(|it| slots.of(it.as_bytes())).collect();
        let own = [HIDDEN, POPOVER, STYLE, HREF];
        let telling = eye.iter().chain(&own).fold(0, |bits, slot| bits | 1 << slot);
        Symbols {
            slots,
            eye,
            telling,
            all: Vec::new(),
            ids: HashMap::default(),
            by_key: HashMap::default(),
            by_name: HashMap::default(),
            long_names: HashSet::default(),
            key: Vec::new(),
        }
    }

    pub(super) fn get(&self, symbol: SymbolId) -> Symbol {
        self.all[symbol as usize]
    }

    /// How many there are, as a measure of what it costs to keep them.
    pub(super) fn len(&self) -> usize {
        self.all.len() + self.by_name.len()
    }

    /// The name of the attribute that has a slot.
    pub(super) fn attribute(&self, slot: usize) -> &'static str {
        self.slots.names[slot]
    }

    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.slots.of(name.as_bytes())
    }

    /// Read the attributes that follow a tag's name, and give the end of the tag; none if the page ends before it. `Err` if
    /// it has too many of them, or too many different ones.
    pub(super) fn scan(
        &mut self,
        bytes: &[u8],
        name_end: usize,
        found: &mut Attributes,
    ) -> Result<Option<usize>, ()> {
        found.there = 0;
        found.n = 0;
        let mut position = name_end;
        loop {
            let attribute = match next_part(bytes, position) {
                None => return Ok(None),
                Some(Part::End(end)) => return Ok(Some(end.position)),
                Some(Part::Attribute(attribute)) => attribute,
            };
            position = attribute.next;
            found.n += 1;
            if let Some(slot) = self.attribute_slot(bytes, attribute.name)?
                && found.there & 1 << slot == 0
            {
                let (start, end) = attribute.value;
                let [start, end] = [start, end].map(offset);
                found.there |= 1 << slot;
                found.values[slot] = Value { start, end, is_special: attribute.is_special };
            }
            if found.n > MAX_ATTRIBUTES {
                return Err(());
            }
        }
    }

    /// The slot of the name of an attribute, if it has one. `Err` if there is no room for another name.
    #[inline]
    fn attribute_slot(
        &mut self,
        bytes: &[u8],
        (start, end): (usize, usize),
    ) -> Result<Option<usize>, ()> {
        let key = Key::of(bytes, start, end);
        if let Some(key) = key {
            let (known, slot) = self.slots.recent[key.slot()];
            if known == key {
                return Ok(slot);
            }
        }
        let name = &bytes[start..end];
        if name.len() >= LONG_NAME && !self.is_known_name(name) {
            return Err(());
        }
        let slot = self.slots.of(name);
        if let Some(key) = key {
            self.slots.recent[key.slot()] = (key, slot);
        }
        Ok(slot)
    }

    /// Count a long name; says whether there is room for it.
    fn is_known_name(&mut self, name: &[u8]) -> bool {
        let hash = FixedState::default().hash_one(name);
        if self.long_names.contains(&hash) {
            return true;
        }
        let has_room = self.long_names.len() < MAX_LONG_NAMES;
        if has_room {
            self.long_names.insert(hash);
        }
        has_room
    }

    /// What the start tag says that was read last.
    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    /// Read what a start tag says: its name, and the attributes that count.
    #[inline]
    pub(super) fn read(&mut self, bytes: &[u8], name: (usize, usize), found: &Attributes) {
        let written = &bytes[name.0..name.1];
        self.key.clear();
        self.key.extend_from_slice(written);
        let mut telling = found.there & self.telling;
        if found.there & 1 << HIDDEN != 0 {
            telling |= found.there & 1 << ID;
        }
        match written.len() {
            5 => telling |= found.there & 1 << TYPE,
            6 => telling |= found.there & 1 << OPEN,
            _ => {}
        }
        while telling != 0 {
            let slot = telling.trailing_zeros() as usize;
            telling &= telling - 1;
            // No text of a page has this byte.
            self.key.extend_from_slice(&[0xff, slot as u8]);
            if slot != HREF {
                let value = found.values[slot];
                self.key.extend_from_slice(&bytes[value.start as usize..value.end as usize]);
            }
        }
    }

    /// The number of the start tag that was read last. `Err` if it has no name that could be kept.
    pub(super) fn start(
        &mut self,
        source: &str,
        name: (usize, usize),
        found: &Attributes,
        eye: &mut dyn Eye,
        replica: &mut Replica,
    ) -> Result<SymbolId, ()> {
        match self.by_key.get(&*self.key) {
            Some(symbol) => Ok(*symbol),
            None => self.add(source, name, found, eye, replica),
        }
    }

    #[cold]
    fn add(
        &mut self,
        source: &str,
        name: (usize, usize),
        found: &Attributes,
        eye: &mut dyn Eye,
        replica: &mut Replica,
    ) -> Result<SymbolId, ()> {
        let name = self.name(&source[name.0..name.1], replica)?;
        let value = |slot: usize| found.get(slot).map(|value| decoded(source, value));
        let values: Vec<Option<String>> = self.eye.iter().map(|slot| value(*slot)).collect();
        let values: Vec<Option<&str>> = values.iter().map(Option::as_deref).collect();
        let is_closed_dialog = || {
            let local = replica.local(name).to_owned().into();
            let role = Role::of(&Name { namespace: Namespace::Html, local });
            role == Role::Dialog && found.get(OPEN).is_none()
        };
        let symbol = Symbol {
            name,
            meaning: eye.meaning(&values),
            hides: found.get(HIDDEN).is_some() && !role::is_streamed(value(ID).as_deref())
                || found.get(POPOVER).is_some()
                || is_closed_dialog(),
            hides_by_style: value(STYLE).is_some_and(|style| role::hides(&style)),
            has_href: found.get(HREF).is_some(),
            is_hidden_input: name.tag == Tag::Input
                && value(TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
            is_late: matches!(name.tag, Tag::Html | Tag::Body)
                && found.there & self.telling & !SILENT != 0,
        };
        let next = SymbolId::try_from(self.all.len()).map_err(drop)?;
        let id = *self.ids.entry(symbol).or_insert(next);
        if id == next {
            self.all.push(symbol);
        }
        if self.by_key.len() > MAX_KEYS {
            self.by_key.clear();
        }
        // Long ones, such as pictures within styles, would fill the memory, and seldom come again.
        if self.key.len() <= MAX_KEY {
            self.by_key.insert(self.key.as_slice().into(), id);
        }
        Ok(id)
    }

    /// The number of an element that nobody wrote.
    pub(super) fn implied(&mut self, name: TagName, eye: &mut dyn Eye) -> Symbol {
        let values = vec![None; self.eye.len()];
        Symbol {
            name,
            meaning: eye.meaning(&values),
            hides: false,
            hides_by_style: false,
            has_href: false,
            is_hidden_input: false,
            is_late: false,
        }
    }

    /// The name of an end tag.
    pub(super) fn end(&mut self, written: &str, replica: &mut Replica) -> Result<TagName, ()> {
        match self.by_name.get(written.as_bytes()) {
            Some(name) => Ok(*name),
            None => {
                let name = self.name(written, replica)?;
                self.by_name.insert(written.as_bytes().into(), name);
                Ok(name)
            }
        }
    }

    fn name(&mut self, written: &str, replica: &mut Replica) -> Result<TagName, ()> {
        let has_room = written.len() < LONG_NAME || self.is_known_name(written.as_bytes());
        if written.len() > MAX_NAME || written.contains('\0') || !has_room {
            return Err(());
        }
        Ok(replica.name(&written.to_ascii_lowercase()))
    }
}

/// The value of an attribute as it is meant.
pub(super) fn decoded(source: &str, value: Value) -> String {
    let written = &source[value.start as usize..value.end as usize];
    let mut text = String::with_capacity(written.len());
    match value.is_special {
        true => chars::push_decoded(&mut text, written, References::DecodeInAttribute),
        false => text.push_str(written),
    }
    text
}
