//! The parsed page: an arena of nodes over one buffer of text.
//!
//! Nodes are indices, names are interned, texts and attribute values are slices of the decoded source
//! (or of what follows it in the same buffer, where character references made them differ from it).
//! Nothing here recurses, so depth costs no stack.

use crate::decode::RawMap;
use crate::leaf::is_inline;
use crate::note::Note;
use encoding_rs::Encoding;
use std::borrow::Cow;
use std::fmt;

/// One node of one page. Valid only for the page that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node's number in the page, counted from zero in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Names of attributes on one page; [`Page::attr_keys`] makes them.
#[derive(Clone, Copy, Debug)]
pub struct AttrKeys<const N: usize>([Option<NameId>; N]);

/// A range of bytes in [`Page::source`].
///
/// ```
/// let page = page::parse(b"<p>One <b>two</b> three");
/// let spans: Vec<_> = page.leaves().iter().map(|leaf| leaf.span).collect();
/// assert_eq!(&page.source()[spans[1].range()], "two");
/// assert_eq!(&page.source()[spans[0].hull(spans[2]).range()], "One <b>two</b> three");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: offset(start), end: offset(end) }
    }

    /// The smallest span that holds both.
    pub fn hull(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same so many bytes later, modulo what 32 bits hold; that of what was not written stays.
    pub(crate) fn moved(self, later: u32) -> Span {
        let Span { start, end } = self;
        if self == Span::default() {
            return self;
        }
        Span { start: start.wrapping_add(later), end: end.wrapping_add(later) }
    }

    /// Whether the span holds no byte: the node was implied by the markup, not written in it.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The span as a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Text positions fit in 32 bits: [`Limits::bytes`](crate::Limits::bytes) is at most a quarter of what they hold.
pub(crate) fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// The namespace of a tag or attribute name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Namespace {
    /// No namespace: nearly every attribute.
    None,
    /// HTML elements.
    Html,
    /// SVG elements.
    Svg,
    /// MathML elements.
    MathMl,
    /// `xlink:` attributes of foreign elements.
    XLink,
    /// `xml:` attributes of foreign elements.
    Xml,
    /// `xmlns` attributes of foreign elements.
    XmlNs,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) namespace: Namespace,
    pub(crate) local: Cow<'static, str>,
}

/// A name within one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameId(pub(crate) u32);

impl NameId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A slice of [`Page::text`]: of the source if it ends before `source_len`, else of what was decoded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr {
    pub(crate) name: NameId,
    pub(crate) value: Slice,
}

/// A stretch of a text node. Text that was written in one go is one piece; markup that made no node
/// of its own (a stray end tag, say) leaves the text in several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) slice: Slice,
    pub(crate) span: Span,
    pub(crate) next: Link,
}

/// An index, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    pub(crate) const NONE: Link = Link(u32::MAX);

    pub(crate) fn to(id: NodeId) -> Link {
        Link(id.0)
    }

    pub(crate) fn at(index: usize) -> Link {
        Link(offset(index))
    }

    pub(crate) fn node(self) -> Option<NodeId> {
        (self != Link::NONE).then_some(NodeId(self.0))
    }

    pub(crate) fn index(self) -> Option<usize> {
        (self != Link::NONE).then_some(self.0 as usize)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node().fmt(f)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Link,
    pub(crate) previous: Link,
    pub(crate) next: Link,
    pub(crate) first: Link,
    pub(crate) last: Link,
    pub(crate) data: NodeData,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeData {
    Document,
    /// The contents of a `<template>`: not a child of it, and never seen by leaves.
    Fragment,
    /// `doctypes[index]`
    Doctype(u32),
    Element {
        name: NameId,
        attrs: u32,
        n_attrs: u32,
        tag: Span,
    },
    Text {
        first: Link,
        last: Link,
    },
    Comment(Slice),
}

#[derive(Clone, Debug)]
pub(crate) struct Doctype {
    pub(crate) name: String,
    pub(crate) public: String,
    pub(crate) system: String,
}

/// What kind of node a [`NodeId`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The root of all.
    Document,
    /// The root of a `<template>`'s contents.
    Fragment,
    /// `<!DOCTYPE …>`
    Doctype,
    /// An element.
    Element,
    /// Text.
    Text,
    /// A comment.
    Comment,
}

/// One parsed page. Made by [`parse`](crate::parse()), which never fails.
///
/// ```
/// let page = page::parse(b"<p class=price>From <b>&euro;12</b>");
/// let p = page.find(page.document(), "p").unwrap();
/// assert_eq!(page.attr(p, "class"), Some("price"));
/// assert_eq!(page.text_content(p), "From €12");
/// ```
#[derive(Clone)]
pub struct Page {
    pub(crate) text: String,
    pub(crate) source_len: usize,
    pub(crate) nodes: Vec<Node>,
    pub(crate) attrs: Vec<Attr>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) names: Vec<Name>,
    pub(crate) doctypes: Vec<Doctype>,
    /// Templates and the fragments that hold their contents, in the order of the templates.
    pub(crate) templates: Vec<(NodeId, NodeId)>,
    pub(crate) encoding: &'static Encoding,
    pub(crate) bom_len: usize,
    pub(crate) notes: Vec<Note>,
}

impl Page {
    /// The page's text as decoded: what all spans point into.
    pub fn source(&self) -> &str {
        &self.text[..self.source_len]
    }

    /// The name of the encoding that the bytes were read in, as the Encoding Standard spells it.
    pub fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// The way from places in the source back to places in `bytes`, which must be those the page was parsed from.
    pub fn raw_map(&self, bytes: &[u8]) -> RawMap {
        RawMap::new(self.encoding, self.bom_len, self.source_len, bytes)
    }

    /// What was changed, cut or unreadable.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The root of the tree.
    pub fn document(&self) -> NodeId {
        NodeId(0)
    }

    /// How many nodes the page has, those of templates included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn slice(&self, slice: Slice) -> &str {
        &self.text[slice.start as usize..slice.start as usize + slice.len as usize]
    }

    /// What kind of node this is.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        match self.node(id).data {
            NodeData::Document => NodeKind::Document,
            NodeData::Fragment => NodeKind::Fragment,
            NodeData::Doctype(_) => NodeKind::Doctype,
            NodeData::Element { .. } => NodeKind::Element,
            NodeData::Text { .. } => NodeKind::Text,
            NodeData::Comment(_) => NodeKind::Comment,
        }
    }

    /// The node that holds this one.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent.node()
    }

    /// The first child.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first.node()
    }

    /// The next node under the same parent.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next.node()
    }

    /// The node before this one under the same parent.
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).previous.node()
    }

    /// The children, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The node's parent, its parent, and so on up to the document.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |node| self.parent(*node))
    }

    /// Everything below the node, in document order, without the contents of templates.
    pub fn descendants(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), move |node| {
            self.first_child(*node).or_else(|| self.next_outside(*node, id))
        })
    }

    /// The next node in document order that is not below this one, but still below `top`.
    pub(crate) fn next_outside(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut node = id;
        while node != top {
            if let Some(next) = self.next_sibling(node) {
                return Some(next);
            }
            node = self.parent(node)?;
        }
        None
    }

    /// The first element of that name below the node.
    pub fn find(&self, id: NodeId, tag: &str) -> Option<NodeId> {
        self.descendants(id).find(|node| self.tag(*node) == Some(tag))
    }

    pub(crate) fn name(&self, id: NodeId) -> Option<&Name> {
        self.name_id(id).map(|name| &self.names[name.0 as usize])
    }

    pub(crate) fn name_id(&self, id: NodeId) -> Option<NameId> {
        match self.node(id).data {
            NodeData::Element { name, .. } => Some(name),
            _ => None,
        }
    }

    /// An element's tag name; HTML's are in lower case.
    pub fn tag(&self, id: NodeId) -> Option<&str> {
        self.name(id).map(|name| &*name.local)
    }

    /// Whether an element is part of a line of text rather than a block of its own.
    pub fn is_inline(&self, id: NodeId) -> bool {
        self.name(id).is_some_and(is_inline)
    }

    /// An element's namespace.
    pub fn namespace(&self, id: NodeId) -> Option<Namespace> {
        self.name(id).map(|name| name.namespace)
    }

    pub(crate) fn attr_slice(&self, id: NodeId) -> &[Attr] {
        match self.node(id).data {
            NodeData::Element { attrs, n_attrs, .. } => {
                &self.attrs[attrs as usize..attrs as usize + n_attrs as usize]
            }
            _ => &[],
        }
    }

    /// An element's attributes, in the order of the source.
    pub fn attrs(&self, id: NodeId) -> impl Iterator<Item = (&str, &str)> + '_ {
        self.attr_slice(id)
            .iter()
            .map(|attr| (&*self.names[attr.name.0 as usize].local, self.slice(attr.value)))
    }

    /// Names of attributes as this page knows them, to ask for at many elements.
    ///
    /// ```
    /// let page = page::parse(b"<p id=a class=b><p class=c>");
    /// let keys = page.attr_keys(["class", "title"]);
    /// let all = page.descendants(page.document());
    /// let found: Vec<_> = all.flat_map(|it| page.attrs_by(it, &keys)).collect();
    /// assert_eq!(found, [(0, "b"), (0, "c")]);
    /// ```
    pub fn attr_keys<const N: usize>(&self, names: [&str; N]) -> AttrKeys<N> {
        let is_plain = |name: &&Name| name.namespace == Namespace::None;
        AttrKeys(names.map(|wanted| {
            let found = self.names.iter().position(|it| is_plain(&it) && &*it.local == wanted);
            found.map(|index| NameId(offset(index)))
        }))
    }

    /// Those of some attributes that an element has, each by the place of its name among these, in the order of the source.
    pub fn attrs_by<const N: usize>(
        &self,
        id: NodeId,
        keys: &AttrKeys<N>,
    ) -> impl Iterator<Item = (usize, &str)> {
        self.attr_slice(id).iter().filter_map(|attr| {
            let place = keys.0.iter().position(|key| *key == Some(attr.name))?;
            Some((place, self.slice(attr.value)))
        })
    }

    /// The value of one attribute.
    pub fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attrs(id).find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Where an element's start tag stands in the source; empty where the tag was implied.
    pub fn tag_span(&self, id: NodeId) -> Span {
        match self.node(id).data {
            NodeData::Element { tag, .. } => tag,
            _ => Span::default(),
        }
    }

    pub(crate) fn pieces(&self, id: NodeId) -> impl Iterator<Item = &Piece> + Clone + '_ {
        let first = match self.node(id).data {
            NodeData::Text { first, .. } => first.index(),
            _ => None,
        };
        std::iter::successors(first, |index| self.pieces[*index].next.index())
            .map(|index| &self.pieces[index])
    }

    /// The stretches of one text node, each with its place in the source. Empty for other nodes.
    pub fn text_pieces(&self, id: NodeId) -> impl Iterator<Item = (&str, Span)> + '_ {
        self.pieces(id).map(|piece| (self.slice(piece.slice), piece.span))
    }

    /// All text at or below the node, as it stands in the tree.
    pub fn text_content(&self, id: NodeId) -> String {
        let mut text = String::new();
        for node in std::iter::once(id).chain(self.descendants(id)) {
            text.extend(self.text_pieces(node).map(|(piece, _)| piece));
        }
        text
    }

    /// The fragment that holds a `<template>`'s contents.
    pub fn template_contents(&self, id: NodeId) -> Option<NodeId> {
        let found = self.templates.binary_search_by_key(&id, |(template, _)| *template);
        found.ok().map(|index| self.templates[index].1)
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("encoding", &self.encoding())
            .field("bytes", &self.source_len)
            .field("nodes", &self.nodes.len())
            .field("notes", &self.notes)
            .finish()
    }
}
