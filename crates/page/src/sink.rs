//! Where html5ever's tree construction puts the nodes: our arena.
//!
//! The builder asks for element names and node identity millions of times per page, so a [`Handle`] is
//! `Copy` and carries its name, and none of those questions touches the arena. They are counted:
//! the count is the work that [`gate`](crate::gate) meters.

use crate::decode::Decoded;
use crate::note::Note;
use crate::tree::{
    Attr, Doctype, Link, Name, NameId, Namespace, Node, NodeData, NodeId, Page, Piece, Slice, Span,
    offset,
};
use foldhash::fast::FixedState;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use typed_arena::Arena;

/// Texts up to this length are passed by value, not by reference into the source.
pub(crate) const MAX_BY_VALUE: usize = 8;
/// Work charged for an element, in looks at an open element: its share of memory, mostly.
const ELEMENT_WORK: u64 = 100;
/// Work charged for a byte of an attribute's value.
const VALUE_WORK_PER_BYTE: u64 = 2;
/// Work charged for an attribute of an element.
const ATTRIBUTE_WORK: u64 = 24;

#[derive(Clone, Copy)]
pub(crate) struct Handle<'n> {
    pub(crate) id: NodeId,
    pub(crate) name: &'n QualName,
    integration_point: bool,
}

pub(crate) struct Sink<'n, 's> {
    source: &'s str,
    names: &'n Arena<QualName>,
    no_name: &'n QualName,
    tree: RefCell<Tree<'n>>,
    token: Cell<TokenPlace>,
    work: Cell<u64>,
}

/// Where the token under way stands, so that nodes made for it know their source.
#[derive(Clone, Copy, Default)]
pub(crate) struct TokenPlace {
    /// The start tag, if the token is one.
    pub(crate) tag: Option<Span>,
    /// The text token, or the run of text tokens before the current one: text inside tables is
    /// held back by the builder and arrives with the next tag.
    pub(crate) text: Span,
    /// Whether the text differs from what is written there.
    pub(crate) is_decoded: bool,
    /// The newest element made for the start tag. Elements implied or reopened by a tag are made before
    /// its own, so the last one is the tag's.
    owner: Option<NodeId>,
}

impl TokenPlace {
    pub(crate) fn text(text: Span, is_decoded: bool) -> TokenPlace {
        TokenPlace { tag: None, text, is_decoded, owner: None }
    }

    pub(crate) fn with_tag(self, span: Span) -> TokenPlace {
        TokenPlace { tag: Some(span), ..self }
    }
}

struct Tree<'n> {
    nodes: Vec<Node>,
    attrs: Vec<Attr>,
    pieces: Vec<Piece>,
    doctypes: Vec<Doctype>,
    templates: Vec<(NodeId, NodeId)>,
    /// Text that differs from the source.
    decoded: String,
    names: Vec<&'n QualName>,
    name_ids: HashMap<&'n QualName, NameId, FixedState>,
    recent_names: [Option<(NameId, &'n QualName)>; N_RECENT_NAMES],
}

impl<'n, 's> Sink<'n, 's> {
    /// `source` must be the very buffer that text tokens are cut from: their addresses tell their place.
    pub(crate) fn new(source: &'s str, names: &'n Arena<QualName>) -> Sink<'n, 's> {
        let no_name = names.alloc(QualName::new(None, ns!(), "".into()));
        let sink = Sink {
            source,
            names,
            no_name,
            tree: RefCell::new(Tree::with_capacity(source.len())),
            token: Cell::default(),
            work: Cell::new(0),
        };
        sink.tree.borrow_mut().push(NodeData::Document);
        sink
    }

    pub(crate) fn place(&self, place: TokenPlace) {
        self.token.set(place);
    }

    /// The work done since this was asked last.
    pub(crate) fn take_work(&self) -> u64 {
        self.work.take()
    }

    #[inline]
    fn count(&self, work: u64) {
        self.work.set(self.work.get() + work);
    }

    fn handle(&self, id: NodeId) -> Handle<'n> {
        Handle { id, name: self.no_name, integration_point: false }
    }

    /// The stored text of a token's part: a slice of the source where its address is inside it.
    fn store(&self, tree: &mut Tree<'n>, text: &str) -> Slice {
        let start = (text.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        if start < self.source.len() && start + text.len() <= self.source.len() {
            return Slice { start: offset(start), len: offset(text.len()) };
        }
        let start = offset(self.source.len() + tree.decoded.len());
        tree.decoded.push_str(text);
        Slice { start, len: offset(text.len()) }
    }

    /// The stored text of a text token's part, with its place. Texts of a few bytes travel by value, so they are
    /// looked for in the token's own stretch of source.
    fn store_text(&self, tree: &mut Tree<'n>, text: &str) -> Piece {
        let TokenPlace { text: place, is_decoded, .. } = self.token.get();
        let found = if is_decoded { None } else { self.find_short(place, text) };
        let slice = match found {
            Some(start) => Slice { start: offset(start), len: offset(text.len()) },
            None => self.store(tree, text),
        };
        let is_in_source = (slice.start as usize) < self.source.len();
        let span = match is_in_source {
            true => Span { start: slice.start, end: slice.start + slice.len },
            false => place,
        };
        Piece { slice, span, next: Link::NONE }
    }

    fn find_short(&self, place: Span, text: &str) -> Option<usize> {
        let written = &self.source[place.range()];
        if text.len() > MAX_BY_VALUE || text.len() > written.len() {
            None
        } else if written.starts_with(text) {
            Some(place.range().start)
        } else if written.ends_with(text) {
            Some(place.range().end - text.len())
        } else {
            None
        }
    }

    #[inline]
    fn name_id(&self, tree: &mut Tree<'n>, name: QualName) -> (NameId, &'n QualName) {
        let slot = recent_slot(&name);
        if let Some((id, known)) = tree.recent_names[slot]
            && *known == name
        {
            return (id, known);
        }
        let found = self.intern(tree, name);
        tree.recent_names[slot] = Some(found);
        found
    }

    #[cold]
    fn intern(&self, tree: &mut Tree<'n>, name: QualName) -> (NameId, &'n QualName) {
        if let Some((known, id)) = tree.name_ids.get_key_value(&name) {
            return (*id, known);
        }
        let name: &'n QualName = self.names.alloc(name);
        let id = NameId(offset(tree.names.len()));
        tree.names.push(name);
        tree.name_ids.insert(name, id);
        (id, name)
    }

    fn store_attrs(&self, tree: &mut Tree<'n>, attrs: Vec<Attribute>) {
        self.count(attrs.len() as u64 * ATTRIBUTE_WORK);
        for attr in attrs {
            // Reopened elements bring their attributes along, and all who look at them read the values again.
            self.count(attr.value.len() as u64 * VALUE_WORK_PER_BYTE);
            let value = self.store(tree, &attr.value);
            let (name, _) = self.name_id(tree, attr.name);
            tree.attrs.push(Attr { name, value });
        }
    }

    fn insert(&self, parent: NodeId, before: Link, child: NodeOrText<Handle<'n>>) {
        let tree = &mut *self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => {
                tree.detach(child.id);
                tree.attach(parent, before, child.id);
            }
            NodeOrText::AppendText(text) => {
                let piece = self.store_text(tree, &text);
                let neighbour = tree.before(parent, before);
                if !neighbour.is_some_and(|node| tree.extend_text(node, piece)) {
                    let text = tree.push_text(piece);
                    tree.attach(parent, before, text);
                }
            }
        }
    }

    /// The finished page.
    pub(crate) fn into_page(self, decoded: Decoded<'_>, notes: Vec<Note>) -> Page {
        let tree = self.tree.into_inner();
        let mut text = decoded.text.into_owned();
        let source_len = text.len();
        text.push_str(&tree.decoded);
        Page {
            text,
            source_len,
            nodes: tree.nodes,
            attrs: tree.attrs,
            pieces: tree.pieces,
            names: tree.names.into_iter().map(plain_name).collect(),
            doctypes: tree.doctypes,
            templates: tree.templates,
            encoding: decoded.encoding,
            bom_len: decoded.bom_len,
            notes,
        }
    }
}

/// A page uses few names again and again: most are found in a small table without hashing.
const N_RECENT_NAMES: usize = 128;

#[inline]
fn recent_slot(name: &QualName) -> usize {
    let mixed = (name.local.get_hash() ^ name.ns.get_hash()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as usize % N_RECENT_NAMES
}

fn plain_name(name: &QualName) -> Name {
    let namespace = match name.ns {
        ns!(html) => Namespace::Html,
        ns!(svg) => Namespace::Svg,
        ns!(mathml) => Namespace::MathMl,
        ns!(xlink) => Namespace::XLink,
        ns!(xml) => Namespace::Xml,
        ns!(xmlns) => Namespace::XmlNs,
        _ => Namespace::None,
    };
    Name { namespace, local: Box::from(&*name.local) }
}

impl<'n> Tree<'n> {
    /// Room for a page of that many bytes; real pages have a node for every 25 to 50 bytes.
    fn with_capacity(n_bytes: usize) -> Tree<'n> {
        Tree {
            nodes: Vec::with_capacity(16 + n_bytes / 32),
            attrs: Vec::with_capacity(n_bytes / 48),
            pieces: Vec::with_capacity(n_bytes / 64),
            doctypes: Vec::new(),
            templates: Vec::new(),
            decoded: String::new(),
            names: Vec::new(),
            name_ids: HashMap::default(),
            recent_names: [None; N_RECENT_NAMES],
        }
    }

    fn push(&mut self, data: NodeData) -> NodeId {
        let id = NodeId(offset(self.nodes.len()));
        let [parent, previous, next, first, last] = [Link::NONE; 5];
        self.nodes.push(Node { parent, previous, next, first, last, data });
        id
    }

    fn node(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    fn push_text(&mut self, piece: Piece) -> NodeId {
        let index = Link::at(self.pieces.len());
        self.pieces.push(piece);
        self.push(NodeData::Text { first: index, last: index })
    }

    /// Add to a text node; says whether it was one. Text that goes on where the last piece ended,
    /// in the source and in the buffer, becomes part of that piece.
    fn extend_text(&mut self, node: NodeId, piece: Piece) -> bool {
        let NodeData::Text { first, last } = self.nodes[node.index()].data else { return false };
        let Some(last_index) = last.index() else { return false };
        let index = Link::at(self.pieces.len());
        let tail = &mut self.pieces[last_index];
        let goes_on = tail.span.end == piece.span.start
            && tail.slice.start + tail.slice.len == piece.slice.start;
        if goes_on {
            tail.span.end = piece.span.end;
            tail.slice.len += piece.slice.len;
            return true;
        }
        tail.next = index;
        self.pieces.push(piece);
        self.node(node).data = NodeData::Text { first, last: index };
        true
    }

    /// The child of `parent` that stands before `before`, or the last one.
    fn before(&self, parent: NodeId, before: Link) -> Option<NodeId> {
        match before.node() {
            Some(sibling) => self.nodes[sibling.index()].previous.node(),
            None => self.nodes[parent.index()].last.node(),
        }
    }

    fn attach(&mut self, parent: NodeId, before: Link, child: NodeId) {
        let previous = self.before(parent, before);
        match previous {
            Some(previous) => self.node(previous).next = Link::to(child),
            None => self.node(parent).first = Link::to(child),
        }
        match before.node() {
            Some(before) => self.node(before).previous = Link::to(child),
            None => self.node(parent).last = Link::to(child),
        }
        let node = self.node(child);
        node.parent = Link::to(parent);
        node.previous = previous.map_or(Link::NONE, Link::to);
        node.next = before;
    }

    fn detach(&mut self, child: NodeId) {
        let Node { parent, previous, next, .. } = self.nodes[child.index()];
        let Some(parent) = parent.node() else { return };
        match previous.node() {
            Some(previous) => self.node(previous).next = next,
            None => self.node(parent).first = next,
        }
        match next.node() {
            Some(next) => self.node(next).previous = previous,
            None => self.node(parent).last = previous,
        }
        let node = self.node(child);
        [node.parent, node.previous, node.next] = [Link::NONE; 3];
    }

    fn set_tag(&mut self, id: NodeId, span: Span) {
        if let NodeData::Element { tag, .. } = &mut self.node(id).data {
            *tag = span;
        }
    }

    fn has_attr(&self, attrs: std::ops::Range<usize>, name: &QualName) -> bool {
        self.attrs[attrs].iter().any(|attr| self.names[attr.name.0 as usize] == name)
    }
}

impl<'n, 's> TreeSink for Sink<'n, 's> {
    type Handle = Handle<'n>;
    type Output = Self;
    type ElemName<'a>
        = &'n QualName
    where
        Self: 'a;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle<'n> {
        self.handle(NodeId(0))
    }

    #[inline]
    fn elem_name<'a>(&'a self, target: &'a Handle<'n>) -> &'n QualName {
        self.count(1);
        target.name
    }

    #[inline]
    fn same_node(&self, x: &Handle<'n>, y: &Handle<'n>) -> bool {
        self.count(1);
        x.id == y.id
    }

    fn create_element(
        &self,
        name: QualName,
        attrs: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle<'n> {
        self.count(ELEMENT_WORK);
        let tree = &mut *self.tree.borrow_mut();
        let (name_id, name) = self.name_id(tree, name);
        let first_attr = offset(tree.attrs.len());
        let n_attrs = offset(attrs.len());
        self.store_attrs(tree, attrs);
        let mut place = self.token.get();
        let tag = place.tag.unwrap_or_default();
        let id = tree.push(NodeData::Element { name: name_id, attrs: first_attr, n_attrs, tag });
        if let Some(implied) = place.owner.replace(id) {
            tree.set_tag(implied, Span::default());
        }
        self.token.set(place);
        if flags.template {
            let contents = tree.push(NodeData::Fragment);
            tree.templates.push((id, contents));
        }
        Handle { id, name, integration_point: flags.mathml_annotation_xml_integration_point }
    }

    fn create_comment(&self, text: StrTendril) -> Handle<'n> {
        let tree = &mut *self.tree.borrow_mut();
        let slice = self.store(tree, &text);
        self.handle(tree.push(NodeData::Comment(slice)))
    }

    fn create_pi(&self, target: StrTendril, _data: StrTendril) -> Handle<'n> {
        self.create_comment(target)
    }

    fn append(&self, parent: &Handle<'n>, child: NodeOrText<Handle<'n>>) {
        self.insert(parent.id, Link::NONE, child);
    }

    fn append_before_sibling(&self, sibling: &Handle<'n>, child: NodeOrText<Handle<'n>>) {
        let parent = self.tree.borrow().nodes[sibling.id.index()].parent.node();
        if let Some(parent) = parent {
            self.insert(parent, Link::to(sibling.id), child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle<'n>,
        previous: &Handle<'n>,
        child: NodeOrText<Handle<'n>>,
    ) {
        let has_parent = self.tree.borrow().nodes[element.id.index()].parent != Link::NONE;
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        let tree = &mut *self.tree.borrow_mut();
        let index = offset(tree.doctypes.len());
        tree.doctypes.push(Doctype {
            name: name.to_string(),
            public: public_id.to_string(),
            system: system_id.to_string(),
        });
        let node = tree.push(NodeData::Doctype(index));
        tree.attach(NodeId(0), Link::NONE, node);
    }

    fn get_template_contents(&self, target: &Handle<'n>) -> Handle<'n> {
        let templates = &self.tree.borrow().templates;
        let found = templates.binary_search_by_key(&target.id, |(template, _)| *template);
        self.handle(found.map_or(target.id, |index| templates[index].1))
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &Handle<'n>, attrs: Vec<Attribute>) {
        let tree = &mut *self.tree.borrow_mut();
        let NodeData::Element { name, attrs: start, n_attrs, tag } = tree.node(target.id).data
        else {
            return;
        };
        let old = start as usize..start as usize + n_attrs as usize;
        let mut missing = attrs;
        missing.retain(|attr| !tree.has_attr(old.clone(), &attr.name));
        if missing.is_empty() {
            return;
        }
        self.count(u64::from(n_attrs) * ATTRIBUTE_WORK);
        let start = offset(tree.attrs.len());
        tree.attrs.extend_from_within(old);
        self.store_attrs(tree, missing);
        let n_attrs = offset(tree.attrs.len()) - start;
        tree.node(target.id).data = NodeData::Element { name, attrs: start, n_attrs, tag };
    }

    fn remove_from_parent(&self, target: &Handle<'n>) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle<'n>, new_parent: &Handle<'n>) {
        let tree = &mut *self.tree.borrow_mut();
        while let Some(child) = tree.nodes[node.id.index()].first.node() {
            self.count(1);
            tree.detach(child);
            tree.attach(new_parent.id, Link::NONE, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle<'n>) -> bool {
        handle.integration_point
    }
}
