//! The tree while it grows: what a [`Page`] is made of, and how nodes are put in it.

use crate::decode::Decoded;
use crate::limits::Limits;
use crate::names::Names;
use crate::note::Note;
use crate::tree::{
    Attr, Doctype, Link, Name, NameId, Node, NodeData, NodeId, Page, Piece, Slice, Span, offset,
};
use std::borrow::Cow;

pub(crate) struct Arena<'t> {
    pub(crate) source: &'t str,
    /// Text that differs from the source.
    pub(crate) decoded: String,
    pub(crate) names: Names<'t>,
    /// Of elements, and of the tag under way at the end.
    pub(crate) attrs: Vec<Attr>,
    nodes: Vec<Node>,
    pieces: Vec<Piece>,
    doctypes: Vec<Doctype>,
    templates: Vec<(NodeId, NodeId)>,
}

/// Attributes that stand side by side in an [`Arena`]. Elements that one tag made share them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttrRange {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl AttrRange {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// A stretch of text on its way into the tree, with the place it was written at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    pub(crate) slice: Slice,
    pub(crate) span: Span,
}

impl Text {
    /// Text that stands in the source as it is.
    #[inline]
    pub(crate) fn written(start: usize, end: usize) -> Text {
        let span = Span::new(start, end);
        Text { slice: Slice { start: span.start, len: span.end - span.start }, span }
    }

    /// The first so many bytes, and the rest. Of text that differs from the source, both were written in the same place.
    pub(crate) fn split_at(self, len: usize) -> (Text, Text) {
        let Text { slice, span } = self;
        let len = offset(len);
        let is_written = slice.start == span.start;
        let cut = span.start + len;
        let (head_span, tail_span) = match is_written {
            true => (Span { end: cut, ..span }, Span { start: cut, ..span }),
            false => (span, span),
        };
        let head = Slice { len, ..slice };
        let tail = Slice { start: slice.start + len, len: slice.len - len };
        (Text { slice: head, span: head_span }, Text { slice: tail, span: tail_span })
    }
}

/// Where a node goes: below a parent, before one of its children or at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) parent: NodeId,
    pub(crate) before: Link,
}

impl Place {
    #[inline]
    pub(crate) fn last_in(parent: NodeId) -> Place {
        Place { parent, before: Link::NONE }
    }
}

pub(crate) const DOCUMENT: NodeId = NodeId(0);

impl<'t> Arena<'t> {
    /// With room for a page; real ones have a node for every 25 to 50 bytes.
    pub(crate) fn new(source: &'t str, limits: &Limits) -> Arena<'t> {
        let n_bytes = source.len();
        let mut arena = Arena {
            source,
            decoded: String::new(),
            names: Names::new(limits),
            attrs: Vec::with_capacity(n_bytes / 48),
            nodes: Vec::with_capacity(16 + n_bytes / 32),
            pieces: Vec::with_capacity(n_bytes / 64),
            doctypes: Vec::new(),
            templates: Vec::new(),
        };
        arena.push(NodeData::Document);
        arena
    }

    /// Start over with an empty tree, the names being kept.
    pub(crate) fn clear(&mut self) {
        self.decoded.clear();
        self.attrs.clear();
        self.nodes.clear();
        self.pieces.clear();
        self.doctypes.clear();
        self.templates.clear();
        self.push(NodeData::Document);
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn text(&self, slice: Slice) -> &str {
        let start = slice.start as usize;
        let (buffer, start) = match start.checked_sub(self.source.len()) {
            Some(start) => (&*self.decoded, start),
            None => (self.source, start),
        };
        &buffer[start..start + slice.len as usize]
    }

    /// Keep text that is not in the source.
    pub(crate) fn store(&mut self, text: &str) -> Slice {
        let start = self.end_of_decoded();
        self.decoded.push_str(text);
        Slice { start, len: offset(text.len()) }
    }

    /// Where the next decoded text will stand.
    pub(crate) fn end_of_decoded(&self) -> u32 {
        offset(self.source.len() + self.decoded.len())
    }

    /// What was decoded since [`end_of_decoded`](Arena::end_of_decoded) was asked.
    pub(crate) fn decoded_since(&self, start: u32) -> Slice {
        Slice { start, len: self.end_of_decoded() - start }
    }

    #[inline]
    fn push(&mut self, data: NodeData) -> NodeId {
        let id = NodeId(offset(self.nodes.len()));
        let [parent, previous, next, first, last] = [Link::NONE; 5];
        self.nodes.push(Node { parent, previous, next, first, last, data });
        id
    }

    #[inline]
    pub(crate) fn push_element(&mut self, name: NameId, attrs: AttrRange, tag: Span) -> NodeId {
        self.push(NodeData::Element { name, attrs: attrs.start, n_attrs: attrs.len, tag })
    }

    /// The contents of a template that was just made.
    pub(crate) fn push_contents(&mut self, template: NodeId) {
        let contents = self.push(NodeData::Fragment);
        self.templates.push((template, contents));
    }

    pub(crate) fn push_comment(&mut self, text: Slice) -> NodeId {
        self.push(NodeData::Comment(text))
    }

    pub(crate) fn push_doctype(&mut self, doctype: Doctype) {
        let index = offset(self.doctypes.len());
        self.doctypes.push(doctype);
        let node = self.push(NodeData::Doctype(index));
        self.attach(Place::last_in(DOCUMENT), node);
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).parent.node()
    }

    pub(crate) fn contents(&self, template: NodeId) -> NodeId {
        let found = self.templates.binary_search_by_key(&template, |(template, _)| *template);
        found.map_or(template, |index| self.templates[index].1)
    }

    pub(crate) fn attrs_of(&self, node: NodeId) -> AttrRange {
        match self.node(node).data {
            NodeData::Element { attrs, n_attrs, .. } => AttrRange { start: attrs, len: n_attrs },
            _ => AttrRange::default(),
        }
    }

    /// Give an element those of some attributes that it lacks.
    pub(crate) fn add_attrs(&mut self, node: NodeId, more: AttrRange) {
        let old = self.attrs_of(node);
        let has = |arena: &Self, name| arena.attrs[old.range()].iter().any(|it| it.name == name);
        let mut missing = self.attrs[more.range()].to_vec();
        missing.retain(|attr| !has(self, attr.name));
        if missing.is_empty() {
            return;
        }
        let start = offset(self.attrs.len());
        self.attrs.extend_from_within(old.range());
        self.attrs.append(&mut missing);
        let len = offset(self.attrs.len()) - start;
        if let NodeData::Element { attrs, n_attrs, .. } = &mut self.node_mut(node).data {
            (*attrs, *n_attrs) = (start, len);
        }
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    #[inline]
    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Put text in its place: into the text node before it, if there is one.
    #[inline]
    pub(crate) fn insert_text(&mut self, place: Place, text: Text) {
        let neighbour = self.before(place);
        if !neighbour.is_some_and(|node| self.extend_text(node, text)) {
            let piece = self.push_piece(text);
            let node = self.push(NodeData::Text { first: piece, last: piece });
            self.attach(place, node);
        }
    }

    fn push_piece(&mut self, text: Text) -> Link {
        let index = Link::at(self.pieces.len());
        self.pieces.push(Piece { slice: text.slice, span: text.span, next: Link::NONE });
        index
    }

    /// Add to a text node; says whether it was one. Text that goes on where the last piece ended,
    /// in the source and in the buffer, becomes part of that piece.
    fn extend_text(&mut self, node: NodeId, text: Text) -> bool {
        let NodeData::Text { first, last } = self.node(node).data else { return false };
        let Some(last_index) = last.index() else { return false };
        let tail = &mut self.pieces[last_index];
        let goes_on = tail.span.end == text.span.start
            && tail.slice.start + tail.slice.len == text.slice.start;
        if goes_on {
            tail.span.end = text.span.end;
            tail.slice.len += text.slice.len;
            return true;
        }
        let piece = self.push_piece(text);
        self.pieces[last_index].next = piece;
        self.node_mut(node).data = NodeData::Text { first, last: piece };
        true
    }

    /// The child that a node at this place would follow.
    #[inline]
    fn before(&self, place: Place) -> Option<NodeId> {
        match place.before.node() {
            Some(sibling) => self.node(sibling).previous.node(),
            None => self.node(place.parent).last.node(),
        }
    }

    /// Put a node that has no parent in its place.
    #[inline]
    pub(crate) fn attach(&mut self, place: Place, child: NodeId) {
        let link = Link::to(child);
        let Place { parent, before } = place;
        let previous = match before.node() {
            Some(before) => std::mem::replace(&mut self.node_mut(before).previous, link),
            None => std::mem::replace(&mut self.node_mut(parent).last, link),
        };
        match previous.node() {
            Some(previous) => self.node_mut(previous).next = link,
            None => self.node_mut(parent).first = link,
        }
        let node = self.node_mut(child);
        node.parent = Link::to(parent);
        node.previous = previous;
        node.next = before;
    }

    pub(crate) fn detach(&mut self, child: NodeId) {
        let Node { parent, previous, next, .. } = *self.node(child);
        let Some(parent) = parent.node() else { return };
        match previous.node() {
            Some(previous) => self.node_mut(previous).next = next,
            None => self.node_mut(parent).first = next,
        }
        match next.node() {
            Some(next) => self.node_mut(next).previous = previous,
            None => self.node_mut(parent).last = previous,
        }
        let node = self.node_mut(child);
        [node.parent, node.previous, node.next] = [Link::NONE; 3];
    }

    /// Move all children of a node below another; says how many.
    pub(crate) fn move_children(&mut self, from: NodeId, to: NodeId) -> u32 {
        let mut n_moved = 0;
        while let Some(child) = self.node(from).first.node() {
            self.detach(child);
            self.attach(Place::last_in(to), child);
            n_moved += 1;
        }
        n_moved
    }

    /// The tree as it is now, and how many tags and attributes found no name.
    pub(crate) fn finish(mut self) -> Grown {
        // Pages are held by the thousand; to give back what was guessed too high copies nothing.
        self.attrs.shrink_to_fit();
        self.nodes.shrink_to_fit();
        self.pieces.shrink_to_fit();
        Grown {
            decoded: self.decoded,
            n_names_refused: self.names.n_refused(),
            names: self.names.into_all(),
            attrs: self.attrs,
            nodes: self.nodes,
            pieces: self.pieces,
            doctypes: self.doctypes,
            templates: self.templates,
        }
    }
}

/// A tree that grows no more and has let go of its source.
pub(crate) struct Grown {
    decoded: String,
    pub(crate) n_names_refused: u32,
    names: Vec<Name>,
    attrs: Vec<Attr>,
    nodes: Vec<Node>,
    pieces: Vec<Piece>,
    doctypes: Vec<Doctype>,
    templates: Vec<(NodeId, NodeId)>,
}

impl Grown {
    /// The finished page: the tree with its source.
    pub(crate) fn into_page(self, source: Decoded<'_>, notes: Vec<Note>) -> Page {
        let source_len = source.text.len();
        let mut text = match source.text {
            Cow::Owned(text) => text,
            Cow::Borrowed(source) => {
                let mut text = String::with_capacity(source_len + self.decoded.len());
                text.push_str(source);
                text
            }
        };
        text.push_str(&self.decoded);
        Page {
            text,
            source_len,
            nodes: self.nodes,
            attrs: self.attrs,
            pieces: self.pieces,
            names: self.names,
            doctypes: self.doctypes,
            templates: self.templates,
            encoding: source.encoding,
            bom_len: source.bom_len,
            notes,
        }
    }
}
