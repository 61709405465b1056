//! The leaves of a page: what a reader sees, in order.
//!
//! Leaves are texts, images, the values of form fields, and the values that markup gives to machines in place of
//! a text (`<time datetime>`, `<data value>`, `<meta itemprop content>`). What is not shown is no leaf:
//! scripts, styles, templates, comments, `hidden` and `display: none`, `<noscript>`.

pub(crate) mod role;
mod written;

pub(crate) use role::{ATTRIBUTES, is_inline};
pub(crate) use written::{KeptLeaves, Piece, Seam, Written};

use crate::datatype::DataType;
use crate::path::{PathId, Paths, TagId};
use crate::text::{self, blank_ends, blank_written_ends, push_collapsed};
use crate::token::attribute_value;
use crate::tree::{self, Attr, Name, NameId, NodeData, NodeId, Page, Span, offset};
use role::{AttrNames, Role};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

/// What a leaf is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeafKind {
    /// A text node.
    Text,
    /// An image; its text is the alternative text, its [`src`](Leaf::src) the picture.
    Image,
    /// The value of a form field or the label of a button.
    Field,
    /// A value for machines beside the text for people: `datetime` of `<time>`, `value` of `<data>`.
    Value,
    /// A `<meta>` with content that belongs to the page's subject.
    Meta,
}

impl LeafKind {
    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            LeafKind::Text => "text",
            LeafKind::Image => "image",
            LeafKind::Field => "field",
            LeafKind::Value => "value",
            LeafKind::Meta => "meta",
        }
    }
}

/// One leaf of a page.
///
/// ```
/// use page::{DataType, LeafKind};
///
/// let page = page::parse(b"<a href=/dune>Dune, <time datetime=2024-03-15>Friday</time></a>");
/// let leaves = page.leaves();
/// let (date, friday) = (leaves.get(1), leaves.get(2));
/// assert_eq!((date.text, date.kind, date.data_type()), ("2024-03-15", LeafKind::Value, DataType::Date));
/// assert_eq!((date.attribute, date.link), (Some("datetime"), Some("/dune")));
/// assert_eq!(&page.source()[friday.span.range()], "Friday");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf<'a> {
    /// What it shows, white space collapsed. An image may have none.
    pub text: &'a str,
    /// The tags from the root to it; see [`Leaves::paths`].
    pub path: PathId,
    /// What it is made of.
    pub kind: LeafKind,
    /// Where the link leads that it is inside of, as written.
    pub link: Option<&'a str>,
    /// Where the picture is, as written; lazy loading seen through.
    pub src: Option<&'a str>,
    /// The element it sits in or is the attribute of.
    pub element: NodeId,
    /// The text node, or the element.
    pub node: NodeId,
    /// The attribute that holds its value, if it is not a text.
    pub attribute: Option<&'static str>,
    /// Where it stands in the page's [source](Page::source), blanks at its ends left out. Empty where it cannot be
    /// told, as for attributes of tags that were implied.
    pub span: Span,
    /// Whether white space, a line break or the edge of a block stands between it and the text before it.
    pub is_apart: bool,
    /// Its number in the page.
    pub position: usize,
    lazy_type: &'a LazyType,
}

impl Leaf<'_> {
    /// What its text is, an image being a URL.
    pub fn data_type(&self) -> DataType {
        self.lazy_type.get_or(|| match self.src {
            Some(_) => DataType::Url,
            None => DataType::classify(self.text),
        })
    }

    /// Take over the type that another leaf of the same text was found to have, so that nobody has to find out again.
    pub fn take_type(&self, data_type: DataType) {
        self.lazy_type.get_or(|| data_type);
    }
}

/// A type that is found out when it is first asked for: most leaves are never asked.
#[derive(Debug, Default)]
struct LazyType(AtomicU8);

impl LazyType {
    fn get_or(&self, find: impl FnOnce() -> DataType) -> DataType {
        // Threads that ask at the same time find out the same.
        let known = self.0.load(Ordering::Relaxed);
        if let Some(data_type) = DataType::ALL.get(usize::from(known).wrapping_sub(1)) {
            return *data_type;
        }
        let data_type = find();
        let number = DataType::ALL.iter().position(|it| *it == data_type);
        let number = number.and_then(|number| u8::try_from(number + 1).ok());
        self.0.store(number.unwrap_or_default(), Ordering::Relaxed);
        data_type
    }
}

impl Clone for LazyType {
    fn clone(&self) -> LazyType {
        LazyType(AtomicU8::new(self.0.load(Ordering::Relaxed)))
    }
}

/// What is known already makes no difference.
impl PartialEq for LazyType {
    fn eq(&self, _: &LazyType) -> bool {
        true
    }
}

impl Eq for LazyType {}

/// The leaves of one page, with the paths they sit at. Holds its own text, so it may outlive the page.
///
/// ```
/// let page = page::parse(b"<p>One <b>2</b></p><img src=3.png alt=three>");
/// let leaves = page.leaves();
/// let texts: Vec<_> = leaves.iter().map(|leaf| leaf.text).collect();
/// assert_eq!(texts, ["One", "2", "three"]);
/// assert_eq!(leaves.paths().display(leaves.get(1).path).to_string(), "html/body/p/b");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    entries: Vec<Entry>,
    text: String,
    paths: Paths,
}

#[derive(Clone, Debug)]
struct Entry {
    text: Range<u32>,
    link: Option<Range<u32>>,
    src: Option<Range<u32>>,
    path: PathId,
    element: NodeId,
    node: NodeId,
    span: Span,
    kind: LeafKind,
    lazy_type: LazyType,
    attribute: Option<&'static str>,
    is_apart: bool,
}

impl Leaves {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// About how much memory they hold, in bytes: that of the largest page they were ever those of.
    pub fn n_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.text.capacity()
    }

    /// Whether the page shows nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// One leaf by its number. Panics if there are not that many.
    #[inline]
    pub fn get(&self, position: usize) -> Leaf<'_> {
        let entry = &self.entries[position];
        let text = |range: &Range<u32>| &self.text[range.start as usize..range.end as usize];
        Leaf {
            text: text(&entry.text),
            path: entry.path,
            kind: entry.kind,
            link: entry.link.as_ref().map(text),
            src: entry.src.as_ref().map(text),
            element: entry.element,
            node: entry.node,
            attribute: entry.attribute,
            span: entry.span,
            is_apart: entry.is_apart,
            position,
            lazy_type: &entry.lazy_type,
        }
    }

    /// The element that a leaf sits in or is the attribute of, without looking at the rest of it.
    pub fn element(&self, position: usize) -> NodeId {
        self.entries[position].element
    }

    /// The text of a leaf, without looking at the rest of it.
    #[inline]
    pub fn text(&self, position: usize) -> &str {
        let Range { start, end } = self.entries[position].text;
        &self.text[start as usize..end as usize]
    }

    /// Where the link leads that a leaf is inside of, without looking at the rest of it.
    #[inline]
    pub fn link(&self, position: usize) -> Option<&str> {
        let range = self.entries[position].link.as_ref()?;
        Some(&self.text[range.start as usize..range.end as usize])
    }

    /// What a leaf is made of, without looking at the rest of it.
    #[inline]
    pub fn kind(&self, position: usize) -> LeafKind {
        self.entries[position].kind
    }

    /// The attribute that holds the value of a leaf, without looking at the rest of it.
    #[inline]
    pub fn attribute(&self, position: usize) -> Option<&'static str> {
        self.entries[position].attribute
    }

    /// All of them, in document order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Leaf<'_>> + DoubleEndedIterator + '_ {
        (0..self.len()).map(|position| self.get(position))
    }

    /// The paths that leaves sit at.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }
}

impl Page {
    /// What a reader sees of the page, in order.
    pub fn leaves(&self) -> Leaves {
        self.leaves_in(Leaves::default())
    }

    /// The same in the memory of leaves that are no longer needed, which spares making it for each of many pages. The
    /// paths of those stay known.
    pub fn leaves_in(&self, old: Leaves) -> Leaves {
        Collector::new(self, old).collect()
    }

    /// Where an attribute's value stands in the source, if its tag was written and has it.
    pub fn attr_span(&self, element: NodeId, name: &str) -> Option<Span> {
        let tag = self.tag_span(element);
        if tag.is_empty() {
            return None;
        }
        attribute_value(self.source(), tag, name)
    }
}

/// More paths than this are those of pages that are all different, and not worth keeping.
const MAX_PATHS: usize = 10_000;

/// An element on the way down to the current node.
#[derive(Clone)]
struct Level {
    path: PathId,
    link: Option<Range<u32>>,
}

/// What is known of the elements of one name.
struct Kind {
    role: Role,
    is_inline: bool,
    tag: Option<TagId>,
}

struct Collector<'p> {
    page: &'p Page,
    /// By name.
    kinds: Vec<Kind>,
    attr_names: AttrNames,
    levels: Vec<Level>,
    leaves: Leaves,
    /// Whether something parts the text before from whatever comes next.
    is_apart: bool,
    /// Whether the text at hand ends with a blank.
    is_apart_next: bool,
}

/// The text of a leaf and its place; none if it is blank.
type Shown = Option<(Range<u32>, Span)>;

impl Kind {
    fn of(name: &Name) -> Kind {
        Kind { role: Role::of(name), is_inline: role::is_inline(name), tag: None }
    }
}

impl<'p> Collector<'p> {
    fn new(page: &'p Page, mut leaves: Leaves) -> Self {
        leaves.entries.clear();
        leaves.entries.reserve(page.pieces.len() / 2);
        leaves.text.clear();
        leaves.text.reserve(page.source_len / 4);
        if leaves.paths.len() > MAX_PATHS {
            leaves.paths = Paths::default();
        }
        Collector {
            page,
            kinds: page.names.iter().map(Kind::of).collect(),
            attr_names: AttrNames::of(page),
            levels: vec![Level { path: PathId::ROOT, link: None }],
            leaves,
            is_apart: true,
            is_apart_next: false,
        }
    }

    fn collect(mut self) -> Leaves {
        let document = self.page.document();
        let mut next = self.page.first_child(document);
        while let Some(node) = next {
            let inside = if self.enter(node) { self.page.first_child(node) } else { None };
            next = match inside {
                Some(child) => Some(child),
                None => self.leave(node),
            };
        }
        self.leaves
    }

    /// Take in a node; says whether to look inside it. If so, a level was added.
    fn enter(&mut self, node: NodeId) -> bool {
        match self.page.node(node).data {
            NodeData::Text { .. } => self.text(node),
            NodeData::Element { name, .. } => {
                return self.element(node, name);
            }
            _ => {}
        }
        false
    }

    /// The next node after one that has nothing (more) inside.
    fn leave(&mut self, node: NodeId) -> Option<NodeId> {
        let mut node = node;
        loop {
            if let Some(next) = self.page.next_sibling(node) {
                return Some(next);
            }
            node = self.page.parent(node)?;
            if let NodeData::Element { name, .. } = self.page.node(node).data {
                self.is_apart |= !self.kinds[name.0 as usize].is_inline;
            }
            self.levels.pop();
        }
    }

    fn element(&mut self, node: NodeId, name: NameId) -> bool {
        let kind = &mut self.kinds[name.0 as usize];
        let role = kind.role;
        if role == Role::Skip {
            return false;
        }
        self.is_apart |= !kind.is_inline;
        let page = self.page;
        let is_empty = page.first_child(node).is_none();
        if is_empty && matches!(role, Role::Plain | Role::Link | Role::Dialog) {
            return false;
        }
        let paths = &mut self.leaves.paths;
        let tag = *kind.tag.get_or_insert_with(|| paths.tag_id(page.tag(node).unwrap_or_default()));
        if self.is_hidden(node, role) {
            return false;
        }
        let mut level = self.level().clone();
        level.path = self.leaves.paths.child_by_id(level.path, tag);
        if role == Role::Link
            && let Some(href) = self.href(node).or_else(|| self.page.attr(node, "href"))
        {
            level.link = Some(self.push_text(href));
        }
        self.levels.push(level);
        self.values(node, role);
        // A gauge shows its value; what is written inside is for those who cannot draw it.
        let has_inside = role != Role::Gauge && !is_empty;
        if !has_inside {
            self.levels.pop();
        }
        has_inside
    }

    /// What an element shows by its attributes.
    fn values(&mut self, node: NodeId, role: Role) {
        match role {
            Role::Image => self.image(node),
            Role::Input => self.input(node),
            Role::Time => self.attribute(node, LeafKind::Value, "datetime"),
            Role::Data | Role::Gauge => self.attribute(node, LeafKind::Value, "value"),
            Role::Meta if role::is_subject_meta(|name| self.page.attr(node, name)) => {
                self.attribute(node, LeafKind::Meta, "content");
            }
            _ => {}
        }
    }

    fn href(&self, node: NodeId) -> Option<&'p str> {
        let page = self.page;
        let is_href = |attr: &&Attr| Some(attr.name) == self.attr_names.href;
        page.attr_slice(node).iter().find(is_href).map(|attr| page.slice(attr.value))
    }

    fn level(&self) -> &Level {
        // The document's level is never left.
        &self.levels[self.levels.len() - 1]
    }

    fn is_hidden(&self, node: NodeId, role: Role) -> bool {
        // Scripts that hide the page until it is ready hide all of it.
        let is_page = self.levels.len() <= 2;
        let names = &self.attr_names;
        let hides = |attr: &Attr| {
            let name = Some(attr.name);
            name == names.hidden && !role::is_streamed(self.page.attr(node, "id"))
                || name == names.popover
                || name == names.style && !is_page && role::hides(self.page.slice(attr.value))
        };
        self.page.attr_slice(node).iter().any(hides)
            || role == Role::Dialog && self.page.attr(node, "open").is_none()
    }

    fn push_text(&mut self, text: &str) -> Range<u32> {
        let start = self.leaves.text.len();
        self.leaves.text.push_str(text.trim_matches(text::is_blank));
        offset(start)..offset(self.leaves.text.len())
    }

    /// Append a collapsed text; none if it is blank.
    fn push_collapsed(&mut self, text: &str) -> Option<Range<u32>> {
        push_pieces(&mut self.leaves.text, std::iter::once(text))
    }

    fn text(&mut self, node: NodeId) {
        let Some((text, span)) = self.plain_text(node).unwrap_or_else(|| self.any_text(node))
        else {
            return;
        };
        let is_apart = std::mem::replace(&mut self.is_apart, self.is_apart_next);
        let Some(element) = self.page.parent(node) else { return };
        let Level { path, link } = self.level().clone();
        self.leaves.entries.push(Entry {
            text,
            link,
            src: None,
            path,
            element,
            node,
            span,
            kind: LeafKind::Text,
            lazy_type: LazyType::default(),
            attribute: None,
            is_apart,
        });
    }

    /// The text and the place of a text node as nearly all are: one piece of source, in ASCII, with single blanks or line
    /// ends inside. None if it is another; and none within if it is blank.
    fn plain_text(&mut self, node: NodeId) -> Option<Shown> {
        let page = self.page;
        let NodeData::Text { first, last } = page.node(node).data else { return None };
        let piece = page.pieces[first.index().filter(|_| first == last)?];
        let written = page.slice(piece.slice);
        let from_start = written.trim_ascii_start();
        let shown = from_start.trim_ascii_end();
        if piece.slice.start != piece.span.start || !text::is_plain(shown) {
            return None;
        }
        let head = written.len() - from_start.len();
        self.is_apart |= head > 0;
        self.is_apart_next = head + shown.len() < written.len();
        if shown.is_empty() {
            return Some(None);
        }
        let start = self.leaves.text.len();
        self.leaves.text.push_str(shown);
        let place = piece.span.start as usize + head;
        let text = offset(start)..offset(self.leaves.text.len());
        Some(Some((text, Span::new(place, place + shown.len()))))
    }

    /// The text and the place of any text node; none if it is blank.
    fn any_text(&mut self, node: NodeId) -> Shown {
        let page = self.page;
        let mut has_blank_end = false;
        let pieces = page.text_pieces(node).map(|(text, _)| text).enumerate().map(|(nth, text)| {
            self.is_apart |= nth == 0 && text.starts_with(text::is_blank);
            has_blank_end = text.ends_with(text::is_blank);
            text
        });
        let text = push_pieces(&mut self.leaves.text, pieces);
        self.is_apart_next = has_blank_end;
        if text.is_none() {
            self.is_apart |= has_blank_end;
        }
        text.map(|text| (text, text_span(page, node)))
    }

    fn image(&mut self, node: NodeId) {
        let page = self.page;
        if role::is_spacer(|name| page.attr(node, name)) {
            return;
        }
        let Some((attribute, src)) = role::picture(|name| page.attr(node, name)) else {
            return self.attribute(node, LeafKind::Image, "alt");
        };
        let src = self.push_text(src);
        let alt = self.page.attr(node, "alt").unwrap_or_default();
        let text = self.push_collapsed(alt).unwrap_or(src.end..src.end);
        self.push_value(node, LeafKind::Image, attribute, text, Some(src));
    }

    fn input(&mut self, node: NodeId) {
        match role::input_kind(self.page.attr(node, "type")) {
            role::InputKind::Shown => self.attribute(node, LeafKind::Field, "value"),
            role::InputKind::Image => self.image(node),
            role::InputKind::Silent => {}
        }
    }

    /// A leaf for an attribute's value, if it has one.
    fn attribute(&mut self, node: NodeId, kind: LeafKind, name: &'static str) {
        let Some(value) = self.page.attr(node, name) else { return };
        let Some(text) = self.push_collapsed(value) else { return };
        self.push_value(node, kind, name, text, None);
    }

    fn push_value(
        &mut self,
        node: NodeId,
        kind: LeafKind,
        attribute: &'static str,
        text: Range<u32>,
        src: Option<Range<u32>>,
    ) {
        let Level { path, link } = self.level().clone();
        let path = self.leaves.paths.child(path, role::attribute_step(attribute));
        let span = self.page.attr_span(node, attribute).unwrap_or_default();
        let attribute = Some(attribute);
        self.leaves.entries.push(Entry {
            text,
            link,
            src,
            path,
            element: node,
            node,
            span,
            kind,
            lazy_type: LazyType::default(),
            attribute,
            is_apart: self.is_apart,
        });
    }
}

/// Append the collapsed text of some pieces; none if it is blank.
fn push_pieces<'a>(text: &mut String, pieces: impl Iterator<Item = &'a str>) -> Option<Range<u32>> {
    let start = text.len();
    for piece in pieces {
        push_collapsed(text, start, piece);
    }
    if text.len() > start && text.ends_with(' ') {
        text.pop();
    }
    (text.len() > start).then(|| offset(start)..offset(text.len()))
}

/// From the first to the last byte that shows something.
fn text_span(page: &Page, node: NodeId) -> Span {
    let is_decoded = |piece: &tree::Piece| piece.slice.start as usize >= page.source_len;
    shown_span(page.source(), page.pieces(node).map(|piece| (piece.span, is_decoded(piece))))
}

/// The same of some pieces, each with whether it differs from the source.
fn shown_span(source: &str, pieces: impl Iterator<Item = (Span, bool)> + Clone) -> Span {
    let mut hull: Option<Span> = None;
    for (span, is_decoded) in pieces.clone() {
        let written = &source[span.range()];
        let (head, tail) =
            if is_decoded { blank_written_ends(written) } else { blank_ends(written) };
        if head < written.len() {
            let range = span.range();
            let shown = Span::new(range.start + head, range.end - tail);
            hull = Some(hull.map_or(shown, |hull| hull.hull(shown)));
        }
    }
    // Blanks written in a way that is not known here leave nothing to trim by.
    let mut pieces = pieces;
    hull.unwrap_or_else(|| pieces.next().map(|(span, _)| span).unwrap_or_default())
}
