//! Tree construction without a page: what one token does, wherever it comes.
//!
//! What a token does depends on little: the insertion mode, the elements that are open, the formatting elements that are to
//! be reopened, and a few flags. This is a [`Config`]. A [`Replica`] is a [`Builder`] that is put into a configuration, given
//! one token, and asked for what came of it. So who remembers configurations and tokens need not ask again, and nothing of
//! the standard is written twice.
//!
//! Only pages that grow at their end are understood: each node comes after all others in the order of the page. What
//! puts nodes elsewhere (formatting that is not nested, text between the cells of a table), and what is rare on pages that
//! are read by the thousand (frames, templates, SVG), has no [`Outcome`].

use super::formatting::{Entry, Formatting, Listed};
use super::stack::{Open, Stack};
use super::{Builder, ContentModel, DoctypeToken, Mode, StartTag, Work};
use crate::arena::{Arena, AttrRange, DOCUMENT, Place, Text};
use crate::limits::Limits;
use crate::names::TagName;
use crate::tag::{Tag, Traits};
use crate::tree::{Attr, NameId, NodeData, NodeId, Span, offset};

/// What tree construction knows between two tokens, but for the elements that are on the path: those from the root to where
/// the next node goes. Elements are known by their depth on it, the root's being 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Config {
    mode: Mode,
    /// Where raw text goes back to.
    original_mode: Mode,
    /// The open elements. All on the path are, but for a form whose end tag came too early.
    open: Box<[u16]>,
    formatting: Box<[Known]>,
    head: Pointer,
    form: Pointer,
    has_quirks: bool,
    skips_newline: bool,
    content: ContentModel,
}

/// What the list of formatting elements has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Known {
    Marker,
    Element {
        name: TagName,
        symbol: u32,
        /// Where on the path it is open, if it is.
        at: Option<u16>,
    },
}

/// An element that tree construction keeps in mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pointer {
    None,
    At(u16),
    /// It is closed.
    Gone,
}

/// A token, with no more than tree construction looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Start {
        name: TagName,
        /// What the caller knows the tag by.
        symbol: u32,
        is_hidden_input: bool,
        /// Whether it has attributes that count though its element is there already.
        is_late: bool,
    },
    End(TagName),
    Comment,
    Doctype {
        is_quirky: bool,
    },
    /// Text of nothing but ASCII white space.
    Space,
    /// Any other text.
    Ink,
}

/// What a token did.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) config: Config,
    /// The elements that were made, in order.
    pub(crate) made: Vec<Made>,
    /// How many elements are on the path afterwards.
    pub(crate) depth: u16,
    /// Whether text that comes next is no part of the text before, and text that came is not.
    pub(crate) ends_text: bool,
    /// What it cost, but for attributes.
    pub(crate) work: u64,
}

/// An element that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) name: TagName,
    /// How deep the element is that it was put in; all that was deeper is left.
    pub(crate) under: u16,
    pub(crate) by: Maker,
}

/// Why an element was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// For the tag itself.
    Tag,
    /// The formatting element of that symbol was reopened.
    Again(u32),
    /// Nobody wrote it.
    Implied,
}

/// So many elements may be open or waiting to be reopened: below all that [`gate`](crate::gate) cares for.
const MAX_OPEN: usize = 250;
/// As many formatting elements of one name as may be listed before their attributes count.
const MAX_ALIKE: usize = 3;

pub(crate) struct Replica {
    builder: Builder<'static>,
    /// The nodes of the path, the document first.
    path: Vec<NodeId>,
    /// A head that is closed.
    gone_head: Option<NodeId>,
    /// The text before the token.
    text: Option<NodeId>,
    n_nodes: usize,
}

impl Config {
    /// Before the first token of a page.
    pub(crate) fn start() -> Config {
        Config {
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            open: Box::default(),
            formatting: Box::default(),
            head: Pointer::None,
            form: Pointer::None,
            has_quirks: false,
            skips_newline: false,
            content: ContentModel::Markup,
        }
    }

    pub(crate) fn content(&self) -> ContentModel {
        self.content
    }

    pub(crate) fn skips_newline(&self) -> bool {
        self.skips_newline
    }

    /// How many elements it knows, as a measure of what it costs to keep.
    pub(crate) fn len(&self) -> usize {
        self.open.len() + self.formatting.len()
    }

    fn n_alike(&self, name: NameId) -> usize {
        let since_marker = self.formatting.iter().rev().take_while(|it| **it != Known::Marker);
        let is_alike =
            |it: &&Known| matches!(it, Known::Element { name: other, .. } if other.id == name);
        since_marker.filter(is_alike).count()
    }
}

impl Token {
    /// Whether what it does can be told without the page.
    fn is_plain(self, config: &Config) -> bool {
        match self {
            Token::Start { name, is_late, .. } => match name.tag {
                Tag::Template
                | Tag::Svg
                | Tag::Math
                | Tag::Frameset
                | Tag::Frame
                | Tag::Plaintext => false,
                // Their attributes are added to those of the element that is there.
                Tag::Html => !is_late || config.open.is_empty(),
                Tag::Body => !is_late || config.open.len() < 2,
                tag if tag.is(Traits::FORMATTING) => config.n_alike(name.id) < MAX_ALIKE,
                _ => true,
            },
            Token::End(name) => name.tag != Tag::Template,
            Token::Ink => config.mode != Mode::InColumnGroup,
            Token::Comment | Token::Doctype { .. } | Token::Space => true,
        }
    }
}

impl Replica {
    pub(crate) fn new() -> Replica {
        let builder = Builder::new(Arena::new("", &Limits::default()), crate::parse::RUNS_SCRIPTS);
        Replica { builder, path: Vec::new(), gone_head: None, text: None, n_nodes: 0 }
    }

    /// A name in lower case as the replica knows it.
    pub(crate) fn name(&mut self, lower: &str) -> TagName {
        self.builder.arena.names.written(lower)
    }

    /// How a name is written.
    pub(crate) fn local(&self, name: TagName) -> &str {
        self.builder.arena.names.local(name.id)
    }

    /// What a token does in a configuration, if that can be told. The path is that of the elements on it, the root first.
    pub(crate) fn step(
        &mut self,
        config: &Config,
        path: &[TagName],
        token: Token,
    ) -> Option<Outcome> {
        if !token.is_plain(config) {
            return None;
        }
        self.load(config, path);
        self.feed(token);
        self.outcome(token)
    }

    fn load(&mut self, config: &Config, path: &[TagName]) {
        let builder = &mut self.builder;
        builder.arena.clear();
        self.path.clear();
        self.path.push(DOCUMENT);
        self.gone_head = None;
        let push = |builder: &mut Builder<'_>, name: NameId| {
            builder.arena.push_element(name, AttrRange::default(), Span::default())
        };
        for (above, name) in path.iter().enumerate() {
            if above == 1 && config.head == Pointer::Gone {
                self.gone_head = Some(gone_head(builder, self.path[1]));
            }
            let node = push(builder, name.id);
            builder.arena.attach(Place::last_in(self.path[above]), node);
            self.path.push(node);
        }
        if path.len() == 1 && config.head == Pointer::Gone {
            self.gone_head = Some(gone_head(builder, self.path[1]));
        }
        let open = |at: u16| Open::html(self.path[usize::from(at)], path[usize::from(at) - 1]);
        builder.stack = Stack::of(config.open.iter().map(|at| open(*at)));
        let listed = config.formatting.iter().map(|known| match *known {
            Known::Marker => Listed::Marker,
            Known::Element { name, symbol, at } => {
                let node = match at {
                    Some(at) => self.path[usize::from(at)],
                    None => push(builder, name.id),
                };
                let attrs = AttrRange { start: symbol + 1, len: 0 };
                Listed::Element(Entry { node, name, attrs, tag_len: 0 })
            }
        });
        let listed: Vec<Listed> = listed.collect();
        builder.formatting = Formatting::of(listed);
        let mut pointed = |pointer: Pointer, gone: Option<NodeId>| match pointer {
            Pointer::None => None,
            Pointer::At(at) => Some(self.path[usize::from(at)]),
            Pointer::Gone => gone.or_else(|| Some(push(builder, NameId(0)))),
        };
        let head = pointed(config.head, self.gone_head);
        let form = pointed(config.form, None);
        (builder.head, builder.form) = (head, form);
        builder.mode = config.mode;
        builder.original_mode = config.original_mode;
        builder.has_quirks = config.has_quirks;
        builder.skips_newline = config.skips_newline;
        builder.content = config.content;
        builder.may_have_frames = false;
        builder.fosters = false;
        builder.table_text.clear();
        builder.template_modes.clear();
        builder.work = Work::default();
        self.text = (!path.is_empty()).then(|| {
            let tail = self.path[path.len()];
            let slice = builder.arena.store("x");
            builder.arena.insert_text(Place::last_in(tail), Text { slice, span: Span::new(0, 1) });
            NodeId(offset(builder.arena.n_nodes() - 1))
        });
        self.n_nodes = builder.arena.n_nodes();
    }

    fn feed(&mut self, token: Token) {
        /// That of a tag that was written: other elements have none.
        const WRITTEN: Span = Span { start: 2, end: 3 };
        let builder = &mut self.builder;
        match token {
            Token::Start { name, symbol, is_hidden_input, .. } => {
                let attrs = match name.tag {
                    Tag::Input => type_of(builder, is_hidden_input),
                    tag if tag.is(Traits::FORMATTING) => AttrRange { start: symbol + 1, len: 0 },
                    _ => AttrRange::default(),
                };
                builder.start_tag(&StartTag { name, attrs, is_self_closing: false, span: WRITTEN });
            }
            Token::End(name) => {
                builder.content = ContentModel::Markup;
                builder.end_tag(name);
            }
            Token::Comment => {
                let text = builder.arena.store("");
                builder.comment(text);
            }
            Token::Doctype { is_quirky } => builder.doctype(DoctypeToken {
                name: Some("html".to_owned()),
                force_quirks: is_quirky,
                ..DoctypeToken::default()
            }),
            Token::Space | Token::Ink => {
                let slice = builder.arena.store(if token == Token::Ink { "y" } else { " " });
                builder.text(Text { slice, span: WRITTEN });
            }
        }
    }

    /// What came of it, if all is where the order of the page has it.
    fn outcome(&mut self, token: Token) -> Option<Outcome> {
        let is_text = matches!(token, Token::Space | Token::Ink);
        if self.has_moved() || self.builder.mode == Mode::InTableText && token == Token::Ink {
            return None;
        }
        // White space between the parts of a table shows nothing, and nothing shows whether it was there.
        self.builder.place_table_text();
        let (made, has_new_text) = self.made()?;
        let open = self.open()?;
        let depth = open.last().copied().unwrap_or(0);
        let builder = &mut self.builder;
        let position = |node: NodeId| {
            let at = self.path.iter().skip(1).position(|it| *it == node)?;
            let at = u16::try_from(at + 1).ok()?;
            open.binary_search(&at).ok().map(|_| at)
        };
        let pointer = |node: Option<NodeId>| match node {
            None => Pointer::None,
            Some(node) => position(node).map_or(Pointer::Gone, Pointer::At),
        };
        let known = |listed: &Listed| match listed {
            Listed::Marker => Known::Marker,
            Listed::Element(Entry { node, name, attrs, .. }) => Known::Element {
                name: *name,
                symbol: attrs.start.saturating_sub(1),
                at: position(*node),
            },
        };
        let is_raw = builder.mode == Mode::Text;
        let config = Config {
            mode: builder.mode,
            original_mode: if is_raw { builder.original_mode } else { Mode::Initial },
            formatting: builder.formatting.listed().iter().map(known).collect(),
            head: pointer(builder.head),
            form: pointer(builder.form),
            has_quirks: builder.has_quirks,
            skips_newline: builder.skips_newline,
            content: if is_raw { builder.content } else { ContentModel::Markup },
            open: open.into(),
        };
        let current = builder.stack.current().node;
        let last = builder.arena.node(current).last.node();
        let ends_text = if is_text { has_new_text } else { last != self.text };
        let work = builder.take_work();
        (config.len() < MAX_OPEN).then_some(Outcome { config, made, depth, ends_text, work })
    }

    /// Whether a node that was there is somewhere else now.
    fn has_moved(&self) -> bool {
        let arena = &self.builder.arena;
        let is_child = |pair: &[NodeId]| arena.parent(pair[1]) == Some(pair[0]);
        let text_moved =
            self.text.is_some_and(|text| arena.parent(text) != self.path.last().copied());
        !self.path.windows(2).all(is_child) || text_moved
    }

    /// The elements that were made, and whether a text was; none if one of them is not the last of its page. The path
    /// leads to the last one then.
    fn made(&mut self) -> Option<(Vec<Made>, bool)> {
        let (mut made, mut has_new_text) = (Vec::new(), false);
        for index in self.n_nodes..self.builder.arena.n_nodes() {
            let node = NodeId(offset(index));
            let data = *self.builder.arena.node(node);
            let (name, by) = match data.data {
                NodeData::Text { .. } => {
                    has_new_text = true;
                    let is_last = data.parent.node() == self.path.last().copied();
                    if !is_last && !self.is_above(data.parent.node()?) {
                        return None;
                    }
                    if data.next.node().is_some() {
                        return None;
                    }
                    continue;
                }
                NodeData::Element { name, attrs, tag, .. } => match (tag.is_empty(), attrs) {
                    (false, _) => (name, Maker::Tag),
                    (true, 0) => (name, Maker::Implied),
                    (true, symbol) => (name, Maker::Again(symbol - 1)),
                },
                _ => continue,
            };
            let tag = Tag::of(self.builder.arena.names.local(name));
            let name = TagName { id: name, tag };
            let parent = data.parent.node()?;
            let is_last = data.next.node().is_none_or(|next| next > node);
            let under = match self.path.iter().position(|it| *it == parent) {
                Some(under) if is_last => under,
                // What came after the head goes there all the same; that shows nothing.
                None if self.gone_head == Some(parent) && is_silent(tag) => 1,
                // Before a table, nobody sees a line break.
                Some(_) if is_break(tag) => continue,
                _ => return None,
            };
            self.path.truncate(under + 1);
            self.path.push(node);
            made.push(Made { name, under: u16::try_from(under).ok()?, by });
        }
        Some((made, has_new_text))
    }

    /// Whether an element is on the path.
    fn is_above(&self, node: NodeId) -> bool {
        self.path.contains(&node)
    }

    /// How deep the open elements are; none if they are not on the path.
    fn open(&self) -> Option<Vec<u16>> {
        let mut depths: Vec<u16> = Vec::with_capacity(self.builder.stack.len());
        // Each is below those before it, and the document is none of them.
        let mut below = 1;
        for index in 0..self.builder.stack.len() {
            let node = self.builder.stack.get(index)?.node;
            let depth = below + self.path.get(below..)?.iter().position(|it| *it == node)?;
            depths.push(u16::try_from(depth).ok()?);
            below = depth + 1;
        }
        Some(depths)
    }
}

/// A head that is closed, below the root.
fn gone_head(builder: &mut Builder<'_>, root: NodeId) -> NodeId {
    let name = builder.arena.names.implied(Tag::Head);
    let head = builder.arena.push_element(name.id, AttrRange::default(), Span::default());
    builder.arena.attach(Place::last_in(root), head);
    head
}

/// The attributes of an `<input>`.
fn type_of(builder: &mut Builder<'_>, is_hidden: bool) -> AttrRange {
    if !is_hidden {
        return AttrRange::default();
    }
    let name = builder.arena.names.written("type").id;
    let value = builder.arena.store("hidden");
    builder.arena.attrs.push(Attr { name, value });
    AttrRange { start: offset(builder.arena.attrs.len() - 1), len: 1 }
}

/// Whether an element has no content and shows nothing but that lines end.
fn is_break(tag: Tag) -> bool {
    matches!(tag, Tag::Br | Tag::Hr | Tag::Wbr)
}

/// Whether an element of the head shows nothing, wherever it is.
fn is_silent(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Script
            | Tag::Style
            | Tag::Noscript
            | Tag::Noframes
            | Tag::Link
            | Tag::Base
            | Tag::Basefont
            | Tag::Bgsound
    )
}
