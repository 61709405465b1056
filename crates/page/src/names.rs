//! Tag and attribute names as numbers, of one page.
//!
//! Pages use few names again and again: nearly all are found in a small table by their bytes, loaded as two numbers.

use crate::limits::Limits;
use crate::tag::Tag;
use crate::tree::{Name, NameId, Namespace, offset};
use foldhash::fast::FixedState;
use std::borrow::Cow;
use std::collections::HashMap;

/// The name of a tag as HTML has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TagName {
    pub(crate) id: NameId,
    pub(crate) tag: Tag,
}

pub(crate) struct Names<'t> {
    all: Vec<Name>,
    tags: Spellings<'t>,
    attributes: Spellings<'t>,
    /// Names that SVG and MathML have instead of HTML's.
    foreign: HashMap<(NameId, Namespace), NameId, FixedState>,
    n_left: u32,
    max_tag_len: usize,
    n_refused: u32,
}

impl<'t> Names<'t> {
    pub(crate) fn new(limits: &Limits) -> Names<'t> {
        Names {
            all: Vec::with_capacity(2 * N_USUAL),
            tags: Spellings::new(Namespace::Html),
            attributes: Spellings::new(Namespace::None),
            foreign: HashMap::default(),
            n_left: limits.names,
            max_tag_len: limits.tag_name as usize,
            n_refused: 0,
        }
    }

    /// The tag name written between two places, unless it is longer than any tag's or the page has used up its new
    /// names.
    #[inline]
    pub(crate) fn tag(&mut self, source: &'t str, start: usize, end: usize) -> Option<TagName> {
        if end - start > self.max_tag_len {
            self.n_refused += 1;
            return None;
        }
        match self.tags.recent(source.as_bytes(), start, end) {
            Ok(name) => Some(name),
            Err(slot) => self.find_tag(&source[start..end], slot),
        }
    }

    /// The same for the name of an attribute.
    #[inline]
    pub(crate) fn attribute(
        &mut self,
        source: &'t str,
        start: usize,
        end: usize,
    ) -> Option<NameId> {
        match self.attributes.recent(source.as_bytes(), start, end) {
            Ok(name) => Some(name.id),
            Err(slot) => self.find_attribute(&source[start..end], slot),
        }
    }

    /// The name of an element that nobody wrote.
    pub(crate) fn implied(&mut self, tag: Tag) -> TagName {
        let name = self.tags.get(tag.name());
        name.unwrap_or_else(|| self.tags.add(&mut self.all, Cow::Borrowed(tag.name())))
    }

    /// A name that is not in the source.
    pub(crate) fn written(&mut self, tag: &str) -> TagName {
        let known = self.tags.get(tag);
        known.unwrap_or_else(|| self.tags.add(&mut self.all, Cow::Owned(tag.to_owned())))
    }

    /// A name from elsewhere, which must be new.
    #[cfg(feature = "reference")]
    pub(crate) fn add(&mut self, name: Name) -> NameId {
        push(&mut self.all, name)
    }

    /// What a name of HTML is called inside SVG or MathML: `rename` tells, unless it keeps its name.
    pub(crate) fn foreign(
        &mut self,
        name: NameId,
        inside: Namespace,
        rename: impl FnOnce(&str) -> Option<Name>,
    ) -> NameId {
        if let Some(known) = self.foreign.get(&(name, inside)) {
            return *known;
        }
        let renamed = rename(self.local(name));
        let renamed = renamed.map_or(name, |renamed| push(&mut self.all, renamed));
        self.foreign.insert((name, inside), renamed);
        renamed
    }

    pub(crate) fn local(&self, name: NameId) -> &str {
        &self.all[name.index()].local
    }

    /// Tags and attributes that found no place.
    pub(crate) fn n_refused(&self) -> u32 {
        self.n_refused
    }

    pub(crate) fn into_all(self) -> Vec<Name> {
        self.all
    }

    #[cold]
    fn find_tag(&mut self, raw: &'t str, slot: Option<Slot>) -> Option<TagName> {
        let found = match self.tags.get(raw) {
            Some(name) => name,
            None => {
                self.admit(raw)?;
                self.tags.add(&mut self.all, Cow::Borrowed(raw))
            }
        };
        self.tags.remember(slot, found);
        Some(found)
    }

    #[cold]
    fn find_attribute(&mut self, raw: &'t str, slot: Option<Slot>) -> Option<NameId> {
        let found = match self.attributes.get(raw) {
            Some(name) => name,
            None => {
                self.admit(raw)?;
                self.attributes.add(&mut self.all, Cow::Borrowed(raw))
            }
        };
        self.attributes.remember(slot, found);
        Some(found.id)
    }

    /// Whether one more name may come. Short ones always may, and those that HTML's own rules name.
    fn admit(&mut self, raw: &str) -> Option<()> {
        if raw.len() < 8 || Tag::of(&raw.to_ascii_lowercase()) != Tag::Other {
            return Some(());
        }
        if self.n_left == 0 {
            self.n_refused += 1;
            return None;
        }
        self.n_left -= 1;
        Some(())
    }
}

fn push(all: &mut Vec<Name>, name: Name) -> NameId {
    all.push(name);
    NameId(offset(all.len() - 1))
}

/// The names of one namespace, by the ways they are written.
struct Spellings<'t> {
    namespace: Namespace,
    recent: Vec<(Key, TagName)>,
    known: HashMap<Cow<'t, str>, TagName, FixedState>,
}

/// A name of up to sixteen bytes: the first and the last eight of them, and how many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key {
    head: u64,
    tail: u64,
    len: u32,
}

/// Where among the recent names a name has its place.
type Slot = (usize, Key);

pub(crate) const N_RECENT: usize = 128;

/// How many names a page uses.
const N_USUAL: usize = 48;

impl<'t> Spellings<'t> {
    fn new(namespace: Namespace) -> Spellings<'t> {
        let nothing = TagName { id: NameId(0), tag: Tag::Other };
        let recent = vec![(Key::default(), nothing); N_RECENT];
        let known = HashMap::with_capacity_and_hasher(N_USUAL, FixedState::default());
        Spellings { namespace, recent, known }
    }

    /// A name used lately, or the place to keep it in.
    #[inline]
    fn recent(&self, bytes: &[u8], start: usize, end: usize) -> Result<TagName, Option<Slot>> {
        let Some(key) = Key::of(bytes, start, end) else { return Err(None) };
        let slot = key.slot();
        let (known, name) = self.recent[slot];
        if known == key { Ok(name) } else { Err(Some((slot, key))) }
    }

    fn remember(&mut self, slot: Option<Slot>, name: TagName) {
        if let Some((slot, key)) = slot {
            self.recent[slot] = (key, name);
        }
    }

    fn get(&self, raw: &str) -> Option<TagName> {
        self.known.get(raw).copied()
    }

    /// A name in a spelling that was not met before.
    fn add(&mut self, all: &mut Vec<Name>, raw: Cow<'t, str>) -> TagName {
        let is_plain = !raw.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0);
        if is_plain {
            return self.add_plain(all, raw);
        }
        let plain = raw.to_ascii_lowercase().replace('\0', "\u{FFFD}");
        let name = self.get(&plain).unwrap_or_else(|| self.add_plain(all, Cow::Owned(plain)));
        self.known.insert(raw, name);
        name
    }

    fn add_plain(&mut self, all: &mut Vec<Name>, local: Cow<'t, str>) -> TagName {
        let tag = if self.namespace == Namespace::Html { Tag::of(&local) } else { Tag::Other };
        let known = Some(tag).filter(|tag| *tag != Tag::Other);
        let spelled = known.map_or_else(|| local.to_string().into(), |tag| tag.name().into());
        let id = push(all, Name { namespace: self.namespace, local: spelled });
        let name = TagName { id, tag };
        self.known.insert(local, name);
        name
    }
}

impl Key {
    #[inline]
    pub(crate) fn of(bytes: &[u8], start: usize, end: usize) -> Option<Key> {
        let len = end - start;
        let (head, tail) = match len {
            0..8 => (short(bytes, start, len), 0),
            8..=16 => (load(bytes, start)?, load(bytes, end - 8)?),
            _ => return None,
        };
        Some(Key { head, tail, len: offset(len) })
    }

    /// A number below [`N_RECENT`] that most others do not have.
    #[inline]
    pub(crate) fn slot(self) -> usize {
        let mixed = (self.head ^ self.tail.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize % N_RECENT
    }
}

/// The eight bytes from a place on.
#[inline]
fn load(bytes: &[u8], start: usize) -> Option<u64> {
    bytes.get(start..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Less than eight bytes: those after them are loaded too, where there are any, and masked.
#[inline]
fn short(bytes: &[u8], start: usize, len: usize) -> u64 {
    match load(bytes, start) {
        Some(word) => word & ((1 << (8 * len)) - 1),
        None => bytes[start..start + len]
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_one_number_however_it_is_written() {
        let source = "div DIV Div blockquote BlockQuote a-name-of-more-than-sixteen-bytes x\0 p";
        let mut names = Names::new(&Limits::default());
        let ids: Vec<_> = source
            .split(' ')
            .map(|word| {
                let start = word.as_ptr() as usize - source.as_ptr() as usize;
                names.tag(source, start, start + word.len()).unwrap()
            })
            .collect();
        assert_eq!((ids[0], ids[1], ids[3]), (ids[1], ids[2], ids[4]));
        assert_eq!((ids[0].tag, ids[3].tag, ids[7].tag), (Tag::Div, Tag::Blockquote, Tag::P));
        assert_eq!(names.local(ids[6].id), "x\u{FFFD}");
        assert_eq!(names.implied(Tag::P), ids[7]);
        assert_eq!(names.all.len(), 5);
    }

    #[test]
    fn new_names_run_out_but_those_of_html_do_not() {
        let source = "unheard-of-1 unheard-of-2 blockquote";
        let mut names = Names::new(&Limits { names: 1, ..Limits::default() });
        assert!(names.attribute(source, 0, 12).is_some());
        assert!(names.attribute(source, 13, 25).is_none());
        assert!(names.attribute(source, 0, 12).is_some());
        assert!(names.tag(source, 26, 36).is_some());
        assert_eq!(names.n_refused(), 1);
    }
}
