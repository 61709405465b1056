//! The list of active formatting elements (13.2.4.3): what is reopened after each block until it is closed.

use super::{Builder, Work};
use crate::arena::{Arena, AttrRange};
use crate::names::TagName;
use crate::tag::Tag;
use crate::tree::{Attr, NodeId};

/// A formatting element, with what is needed to make it again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) node: NodeId,
    pub(crate) name: TagName,
    pub(crate) attrs: AttrRange,
    /// How long its tag was written.
    pub(crate) tag_len: u32,
}

/// Elements since the last marker are reopened; those before it when the element that set the marker is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listed {
    Marker,
    Element(Entry),
}

#[derive(Default)]
pub(crate) struct Formatting {
    list: Vec<Listed>,
    n_elements: usize,
}

/// How many elements may be listed that are alike in name and attributes: the "Noah's Ark clause".
const N_ALIKE: usize = 3;

impl Formatting {
    /// A list as it was.
    pub(super) fn of(list: Vec<Listed>) -> Formatting {
        let n_elements = list.iter().filter(|it| matches!(it, Listed::Element(_))).count();
        Formatting { list, n_elements }
    }

    pub(super) fn listed(&self) -> &[Listed] {
        &self.list
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many elements are listed, markers not counted.
    #[inline]
    pub(crate) fn n_elements(&self) -> usize {
        self.n_elements
    }

    pub(crate) fn mark(&mut self) {
        self.list.push(Listed::Marker);
    }

    pub(crate) fn clear_to_marker(&mut self) {
        while let Some(Listed::Element(_)) = self.list.pop() {
            self.n_elements -= 1;
        }
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.insert(self.list.len(), entry);
    }

    pub(crate) fn insert(&mut self, index: usize, entry: Entry) {
        self.list.insert(index, Listed::Element(entry));
        self.n_elements += 1;
    }

    pub(crate) fn replace(&mut self, index: usize, entry: Entry) {
        self.list[index] = Listed::Element(entry);
    }

    pub(crate) fn remove(&mut self, index: usize) {
        if let Listed::Element(_) = self.list.remove(index) {
            self.n_elements -= 1;
        }
    }

    pub(crate) fn remove_node(&mut self, node: NodeId, work: &mut Work) {
        if let Some((index, _)) = self.find_node(node, work) {
            self.remove(index);
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Entry> {
        match self.list.get(index)? {
            Listed::Element(entry) => Some(*entry),
            Listed::Marker => None,
        }
    }

    /// The elements after the last marker, the newest first, each with its index.
    fn since_marker(&self) -> impl Iterator<Item = (usize, Entry)> {
        self.list.iter().enumerate().rev().map_while(|(index, listed)| match listed {
            Listed::Element(entry) => Some((index, *entry)),
            Listed::Marker => None,
        })
    }

    /// The newest element of that name after the last marker.
    pub(crate) fn find(&self, tag: Tag, work: &mut Work) -> Option<(usize, Entry)> {
        let mut looked_at = self.since_marker().inspect(|_| work.add(1));
        looked_at.find(|(_, entry)| entry.name.tag == tag)
    }

    pub(crate) fn find_node(&self, node: NodeId, work: &mut Work) -> Option<(usize, Entry)> {
        let is_node = |listed: &Listed| matches!(listed, Listed::Element(it) if it.node == node);
        let found = self.list.iter().rposition(is_node);
        work.add(self.list.len() - found.unwrap_or(0));
        found.and_then(|index| Some((index, self.get(index)?)))
    }

    /// Before one more element is listed, take the earliest of those like it off the list if there are three.
    fn make_room(&mut self, arena: &Arena<'_>, new: &Entry, work: &mut Work) {
        /// An attribute is looked for among the others, and its value compared.
        const ATTRIBUTE_WORK: usize = 16;
        let may_be_alike = |it: &Entry| it.name.id == new.name.id && it.attrs.len == new.attrs.len;
        let mut n_candidates = 0;
        for (_, entry) in self.since_marker() {
            work.add(1);
            n_candidates += usize::from(may_be_alike(&entry));
        }
        if n_candidates < N_ALIKE {
            return;
        }
        work.add(n_candidates * ATTRIBUTE_WORK * new.attrs.len as usize);
        let is_alike = |it: &Entry| may_be_alike(it) && same_attrs(arena, it.attrs, new.attrs);
        let mut alike = self.since_marker().filter(|(_, entry)| is_alike(entry));
        let earliest = alike.nth(N_ALIKE - 1).map(|third| alike.last().unwrap_or(third));
        if let Some((index, _)) = earliest {
            self.remove(index);
        }
    }
}

/// Whether two tags have the same attributes, in any order.
fn same_attrs(arena: &Arena<'_>, left: AttrRange, right: AttrRange) -> bool {
    let [left, right] = [left, right].map(|range| &arena.attrs[range.range()]);
    let is_in_right = |attr: &Attr| {
        let same_name = right.iter().find(|other| other.name == attr.name);
        same_name.is_some_and(|other| arena.text(other.value) == arena.text(attr.value))
    };
    left.iter().all(is_in_right)
}

impl Builder<'_> {
    /// List an element that was just opened.
    pub(super) fn list_formatting(&mut self, entry: Entry) {
        self.formatting.make_room(&self.arena, &entry, &mut self.work);
        self.formatting.push(entry);
    }

    /// Reopen what was closed by a block but not by its own end tag.
    #[inline]
    pub(super) fn reopen_formatting(&mut self) {
        if !self.formatting.is_empty() {
            self.reopen_closed();
        }
    }

    fn reopen_closed(&mut self) {
        let end = self.formatting.list.len();
        for index in end - self.n_closed_formatting()..end {
            let Some(entry) = self.formatting.get(index) else { continue };
            let node = self.insert_again(&entry);
            self.formatting.replace(index, Entry { node, ..entry });
        }
    }

    /// How many elements at the end of the list are not open.
    pub(crate) fn n_closed_formatting(&mut self) -> usize {
        let (stack, work) = (&self.stack, &mut self.work);
        let is_closed = |entry: &Entry| stack.position(entry.node, work).is_none();
        self.formatting.since_marker().map(|(_, entry)| entry).take_while(is_closed).count()
    }
}
