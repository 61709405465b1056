//! Creating and inserting nodes (13.2.6.1).

use super::formatting::Entry;
use super::stack::Open;
use super::{Builder, ContentModel, Mode, RawKind, StartTag};
use crate::arena::{AttrRange, Place, Text};
use crate::names::TagName;
use crate::tag::{Tag, Traits};
use crate::tree::{Link, NodeId, Span};

/// Work charged for an element, in looks at an open element: its share of memory, mostly.
const ELEMENT_WORK: usize = 100;
/// Work charged for an attribute of an element.
const ATTRIBUTE_WORK: usize = 24;
/// Work charged for a byte of its tag: reopened elements share their attributes, and all who look at them read the
/// values again.
const TAG_WORK_PER_BYTE: usize = 2;

impl Builder<'_> {
    /// Where the next node goes.
    #[inline]
    pub(super) fn place(&mut self) -> Place {
        self.place_in(self.stack.current())
    }

    /// Where a node goes that is meant for an element.
    #[inline]
    pub(super) fn place_in(&mut self, target: Open) -> Place {
        if !target.is(Traits::FOSTERS.and(Traits::TEMPLATE)) {
            return Place::last_in(target.node);
        }
        if target.is(Traits::TEMPLATE) {
            return Place::last_in(self.arena.contents(target.node));
        }
        if self.fosters { self.foster_place() } else { Place::last_in(target.node) }
    }

    /// Before the innermost table, or in the innermost template.
    fn foster_place(&mut self) -> Place {
        for index in (0..self.stack.len()).rev() {
            let Some(open) = self.stack.get(index) else { break };
            self.work.add(1);
            if open.is(Traits::TEMPLATE) {
                return Place::last_in(self.arena.contents(open.node));
            }
            if open.tag == Tag::Table {
                return self.place_before_table(open.node, index);
            }
        }
        Place::last_in(self.stack.root())
    }

    /// Right before a table, if it has a parent; else at the end of what is open above it.
    fn place_before_table(&self, table: NodeId, index: usize) -> Place {
        if let Some(parent) = self.arena.parent(table) {
            return Place { parent, before: Link::to(table) };
        }
        let above = index.checked_sub(1).and_then(|above| self.stack.get(above));
        Place::last_in(above.map_or(table, |above| above.node))
    }

    #[inline]
    pub(super) fn insert_text(&mut self, text: Text) {
        let place = self.place();
        self.arena.insert_text(place, text);
    }

    /// Open an element for a start tag.
    #[inline]
    pub(super) fn insert(&mut self, token: &StartTag) -> NodeId {
        let node = self.insert_closed(token);
        self.stack.push(Open::html(node, token.name));
        node
    }

    /// Put an element in the tree that has no content.
    #[inline]
    pub(super) fn insert_closed(&mut self, token: &StartTag) -> NodeId {
        let node = self.create(token.name, token.attrs, token.span);
        let place = self.place();
        self.arena.attach(place, node);
        node
    }

    /// Open an element that nobody wrote.
    pub(super) fn insert_implied(&mut self, tag: Tag) -> NodeId {
        let name = self.arena.names.implied(tag);
        self.insert(&StartTag {
            name,
            attrs: AttrRange::default(),
            is_self_closing: false,
            span: Span::default(),
        })
    }

    /// Open a formatting element anew.
    pub(super) fn insert_again(&mut self, entry: &Entry) -> NodeId {
        let node = self.create_again(entry);
        let place = self.place();
        self.arena.attach(place, node);
        self.stack.push(Open::html(node, entry.name));
        node
    }

    /// Another element of the same tag, without a place.
    pub(super) fn create_again(&mut self, entry: &Entry) -> NodeId {
        self.work.add(TAG_WORK_PER_BYTE * entry.tag_len as usize);
        self.create(entry.name, entry.attrs, Span::default())
    }

    #[inline]
    fn create(&mut self, name: TagName, attrs: AttrRange, span: Span) -> NodeId {
        self.work.add(ELEMENT_WORK + ATTRIBUTE_WORK * attrs.len as usize);
        let node = self.arena.push_element(name.id, attrs, span);
        if name.tag == Tag::Template {
            self.arena.push_contents(node);
        }
        node
    }

    /// Give an element the attributes that it lacks.
    pub(super) fn add_attrs(&mut self, node: NodeId, attrs: AttrRange) {
        let n_attrs = self.arena.attrs_of(node).len + attrs.len;
        self.work.add(ATTRIBUTE_WORK * n_attrs as usize);
        self.arena.add_attrs(node, attrs);
    }

    /// Open an element whose content is text up to its end tag.
    pub(super) fn insert_raw(&mut self, token: &StartTag, kind: RawKind) {
        self.insert(token);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        self.content = ContentModel::Raw(kind, Some(token.name.tag));
    }

    pub(super) fn leave_raw_text(&mut self) {
        self.stack.pop();
        self.mode = self.original_mode;
    }

    /// The value of an attribute of a tag.
    pub(super) fn attr(&self, attrs: AttrRange, name: &str) -> Option<&str> {
        let attrs = &self.arena.attrs[attrs.range()];
        let found = attrs.iter().find(|attr| self.arena.names.local(attr.name) == name);
        found.map(|attr| self.arena.text(attr.value))
    }
}
