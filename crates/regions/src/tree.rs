//! A page's tree cut down to what shows something, ready to be compared.
//!
//! In comes a page with its leaves, out comes an [`Outline`]: an arena of twigs, parents before children, each an element with a
//! leaf below it or a leaf. A twig knows its size, its leaves, its path, and its *kind*: a hash of its tags and of all below it, so
//! that equal subtrees are known as such without being compared.

use foldhash::fast::FixedState;
use page::{AttrKeys, LeafKind, Leaves, NodeId, NodeKind, Page};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

/// A twig of one outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TwigId(u32);

impl TwigId {
    /// The twig's number, counted in document order.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn of(index: usize) -> TwigId {
        TwigId(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// An element that has leaves below it, or a leaf.
#[derive(Clone, Debug)]
pub struct Twig {
    /// The element; of a leaf the node that it is made from.
    pub node: NodeId,
    /// The twig that holds it; its own of the root.
    pub parent: TwigId,
    /// Which leaf it is, if it is one.
    pub leaf: Option<u32>,
    /// How many twigs are at or below it.
    pub size: u32,
    /// How many are if of children in a row that are equal one counts.
    pub(crate) folded: u32,
    /// The leaves at or below it.
    pub leaves: Range<u32>,
    /// A hash of its tag; leaves are told apart by what they are made of.
    pub(crate) tag: u32,
    /// A hash of its classes, without numbers and states; 0 if it has none.
    pub(crate) role: u32,
    /// Hashes of its first classes, without numbers and states; 0 for none.
    pub(crate) words: [u32; MAX_KEPT],
    /// A hash of the tags from the root to it.
    pub(crate) path: u32,
    /// A hash of its tag and of the kinds of its children, of which those in a row that are equal count once.
    pub(crate) kind: u64,
    /// The same of all children.
    pub(crate) exact: u64,
    /// Whether its tag says that it is one of several.
    pub(crate) is_item: bool,
    /// Whether it offers a choice, of which the parts are no records.
    pub(crate) is_choice: bool,
    /// Whether it is in a part that all pages of a site have, as its markup says: navigation, header, footer.
    pub(crate) is_frame: bool,
    /// What stands before it and shows nothing itself.
    pub(crate) breaks: Break,
    children: Range<u32>,
}

/// What parts a node from the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Break {
    #[default]
    None,
    /// One `<br>`.
    Line,
    /// An `<hr>`, or several `<br>`.
    Rule,
}

/// What of a page shows something, as a tree.
///
/// ```
/// let page = page::parse(b"<ul><li><b>Dune</b> $9<li><b>Emma</b> $7</ul>");
/// let leaves = page.leaves();
/// let outline = regions::Outline::new(&page, &leaves);
/// let list = outline.twigs().find(|it| page.tag(outline.twig(*it).node) == Some("ul")).unwrap();
/// assert_eq!(outline.children(list).len(), 2);
/// assert_eq!(outline.twig(list).leaves, 0..4);
/// ```
#[derive(Clone, Debug)]
pub struct Outline {
    twigs: Vec<Twig>,
    /// Of all twigs, one after the other.
    children: Vec<TwigId>,
}

impl Outline {
    /// Of a page and its leaves.
    pub fn new(page: &Page, leaves: &Leaves) -> Outline {
        let mut builder = Builder::new(page, leaves.len());
        for leaf in leaves.iter().filter(|leaf| leaf.kind != LeafKind::Meta) {
            let parent = builder.element(leaf.element);
            builder.leaf(parent, leaf.node, leaf.kind, leaf.position);
        }
        builder.finish()
    }

    /// The root of all, which is no element.
    pub fn root(&self) -> TwigId {
        TwigId(0)
    }

    /// All twigs, in document order.
    pub fn twigs(&self) -> impl DoubleEndedIterator<Item = TwigId> + ExactSizeIterator + use<> {
        (0..self.twigs.len()).map(TwigId::of)
    }

    /// One of them.
    pub fn twig(&self, id: TwigId) -> &Twig {
        &self.twigs[id.index()]
    }

    /// What it is made of, in document order.
    pub fn children(&self, id: TwigId) -> &[TwigId] {
        let range = &self.twigs[id.index()].children;
        &self.children[range.start as usize..range.end as usize]
    }

    /// The leaves of some twigs that stand beside each other.
    pub(crate) fn leaves_of(&self, twigs: &[TwigId]) -> Range<usize> {
        let start = twigs.first().map_or(0, |it| self.twig(*it).leaves.start as usize);
        let end = twigs.last().map_or(start, |it| self.twig(*it).leaves.end as usize);
        start..end
    }
}

struct Builder<'p> {
    page: &'p Page,
    twigs: Vec<Twig>,
    /// By the number of a node, the twig that it is; [`NO_TWIG`] if none yet.
    of_node: Vec<u32>,
    /// Elements on the way from one that is known to a new leaf.
    new: Vec<NodeId>,
    keys: AttrKeys<3>,
    /// What values of `class`, `id` and `role` say; records have the same ones again and again.
    said: HashMap<&'p str, Said, FixedState>,
}

/// What the value of an attribute says of its element.
#[derive(Clone, Copy, Default)]
struct Said {
    role: Role,
    is_frame: bool,
}

const NO_TWIG: u32 = u32::MAX;

/// The leaves of an element before those below it are known.
#[allow(clippy::reversed_empty_ranges, reason = "whatever comes first is smaller than its start")]
const NO_LEAVES: Range<u32> = u32::MAX..0;

impl<'p> Builder<'p> {
    fn new(page: &'p Page, n_leaves: usize) -> Self {
        let mut twigs = Vec::with_capacity(n_leaves * 2);
        twigs.push(Twig {
            node: page.document(),
            parent: TwigId(0),
            leaf: None,
            size: 1,
            folded: 1,
            leaves: 0..0,
            tag: 0,
            role: 0,
            words: [0; MAX_KEPT],
            path: 0,
            kind: 0,
            exact: 0,
            is_item: false,
            is_choice: false,
            is_frame: false,
            breaks: Break::None,
            children: 0..0,
        });
        let mut of_node = vec![NO_TWIG; page.n_nodes()];
        of_node[page.document().index()] = 0;
        let keys = page.attr_keys(["class", "id", "role"]);
        Builder { page, twigs, of_node, new: Vec::new(), keys, said: HashMap::default() }
    }

    /// The twig of an element, made with those above it if it is new. Each element is gone over once.
    fn element(&mut self, element: NodeId) -> TwigId {
        let mut known = element;
        while self.of_node[known.index()] == NO_TWIG {
            self.new.push(known);
            // All but the document have a parent.
            known = self.page.parent(known).unwrap_or(self.page.document());
        }
        let mut parent = TwigId(self.of_node[known.index()]);
        while let Some(element) = self.new.pop() {
            let tag = hash(&self.page.tag(element)) as u32;
            let said = self.said(element);
            parent = self.push(parent, element, tag, said, None);
            self.of_node[element.index()] = parent.0;
        }
        parent
    }

    /// What an element's tag and attributes say of it.
    fn said(&mut self, element: NodeId) -> Said {
        let mut all =
            Said { role: Role::default(), is_frame: is_frame_tag(self.page.tag(element)) };
        for (key, value) in self.page.attrs_by(element, &self.keys) {
            let read = || Said { role: role(value), is_frame: is_frame_value(value) };
            let said = *self.said.entry(value).or_insert_with(read);
            all.is_frame |= said.is_frame;
            // The first key is that of classes.
            if key == 0 {
                all.role = said.role;
            }
        }
        all.is_frame &= !matches!(self.page.tag(element), Some("body" | "html"));
        all
    }

    fn leaf(&mut self, parent: TwigId, node: NodeId, kind: LeafKind, position: usize) {
        let tag = match kind {
            LeafKind::Text => 1,
            LeafKind::Image => 2,
            LeafKind::Field => 3,
            LeafKind::Value | LeafKind::Meta => 4,
        };
        self.push(parent, node, tag, Said::default(), Some(TwigId::of(position).0));
    }

    fn push(
        &mut self,
        parent: TwigId,
        node: NodeId,
        tag: u32,
        said: Said,
        leaf: Option<u32>,
    ) -> TwigId {
        let path = hash(&(self.twigs[parent.index()].path, tag)) as u32;
        let breaks = breaks_before(self.page, node);
        let leaves = leaf.map_or(NO_LEAVES, |it| it..it.saturating_add(1));
        let (kind, exact) = (u64::from(tag), u64::from(tag));
        self.twigs.push(Twig {
            node,
            parent,
            leaf,
            size: 1,
            folded: 1,
            leaves,
            tag,
            role: said.role.0,
            words: said.role.1,
            path,
            kind,
            exact,
            is_item: self.page.tag(node).is_some_and(|tag| matches!(tag, "li" | "article")),
            is_choice: matches!(self.page.tag(node), Some("select" | "optgroup" | "datalist")),
            is_frame: said.is_frame,
            breaks,
            children: 0..0,
        });
        TwigId::of(self.twigs.len() - 1)
    }

    fn finish(self) -> Outline {
        let mut outline = Outline { children: Vec::new(), twigs: self.twigs };
        outline.link_children();
        // Children come after their parents, so going backwards fills in what is below.
        for index in (0..outline.twigs.len()).rev() {
            outline.sum_up(index);
        }
        outline.hand_down_frames();
        outline
    }
}

impl Twig {
    /// Whether two have a class in common.
    pub(crate) fn shares_word(&self, other: &Twig) -> bool {
        self.words.iter().any(|word| *word != 0 && other.words.contains(word))
    }
}

impl Outline {
    /// Put the children of each twig beside each other, in their order: a sort by counting.
    fn link_children(&mut self) {
        for index in 1..self.twigs.len() {
            let parent = self.twigs[index].parent.index();
            self.twigs[parent].children.end += 1;
        }
        let mut end = 0;
        for twig in &mut self.twigs {
            let n_children = twig.children.end;
            twig.children = end..end;
            end += n_children;
        }
        self.children = vec![TwigId(0); end as usize];
        for index in 1..self.twigs.len() {
            let parent = self.twigs[index].parent.index();
            let place = &mut self.twigs[parent].children.end;
            self.children[*place as usize] = TwigId::of(index);
            *place += 1;
        }
    }

    /// What is in a frame is part of it. What holds most of the page is none, whatever it is called.
    fn hand_down_frames(&mut self) {
        let n_leaves = self.twigs[0].leaves.end;
        for index in 1..self.twigs.len() {
            let is_inside = self.twigs[self.twigs[index].parent.index()].is_frame;
            let twig = &mut self.twigs[index];
            let is_most = twig.leaves.len() * 5 > n_leaves as usize * 2;
            twig.is_frame = is_inside || twig.is_frame && !is_most;
        }
    }

    fn sum_up(&mut self, index: usize) {
        let twig = &self.twigs[index];
        if twig.leaf.is_some() {
            return;
        }
        let (mut size, mut folded, mut leaves) = (1, 1, NO_LEAVES);
        let (mut kind, mut exact) = (u64::from(twig.tag), u64::from(twig.tag));
        let mut last = 0;
        for child in self.children(TwigId::of(index)) {
            let child = self.twig(*child);
            size += child.size;
            leaves = leaves.start.min(child.leaves.start)..leaves.end.max(child.leaves.end);
            exact = mix(exact, child.exact);
            if child.kind != last {
                kind = mix(kind, child.kind);
                folded += child.folded;
            }
            last = child.kind;
        }
        if leaves.start == u32::MAX {
            leaves = 0..0;
        }
        let twig = &mut self.twigs[index];
        (twig.size, twig.folded, twig.leaves) = (size, folded, leaves);
        (twig.kind, twig.exact) = (kind, exact);
    }
}

/// What stands between a node and the one before it that shows something.
fn breaks_before(page: &Page, node: NodeId) -> Break {
    let mut breaks = Break::None;
    let mut previous = page.previous_sibling(node);
    // What shows nothing is rarely long; where it is, it parts all the same.
    for _ in 0..MAX_BLANK {
        let Some(node) = previous else { break };
        match page.kind(node) {
            NodeKind::Element => match (page.tag(node), breaks) {
                (Some("hr"), _) | (Some("br"), Break::Line) => return Break::Rule,
                (Some("br"), _) => breaks = Break::Line,
                _ => return breaks,
            },
            NodeKind::Text if page.text_pieces(node).any(|(text, _)| !text.trim().is_empty()) => {
                return breaks;
            }
            _ => {}
        }
        previous = page.previous_sibling(node);
    }
    breaks
}

/// Whether a tag says that its element holds what belongs to the site, not to the page.
fn is_frame_tag(tag: Option<&str>) -> bool {
    matches!(tag, Some("nav" | "footer" | "header" | "aside"))
}

/// Whether a class, an id or a role says so.
fn is_frame_value(value: &str) -> bool {
    const WORDS: [&str; 10] = [
        "nav",
        "menu",
        "footer",
        "header",
        "sidebar",
        "breadcrumb",
        "toolbar",
        "dropdown",
        "aside",
        "masthead",
    ];
    value
        .split(|it: char| !it.is_ascii_alphabetic())
        .any(|word| WORDS.iter().any(|it| word.len() < it.len() + 6 && contains(word, it)))
}

/// Whether a word begins or ends with another, in any case.
fn contains(word: &str, part: &str) -> bool {
    let (word, part) = (word.as_bytes(), part.as_bytes());
    word.len() >= part.len()
        && (word[..part.len()].eq_ignore_ascii_case(part)
            || word[word.len() - part.len()..].eq_ignore_ascii_case(part))
}

/// How many nodes without text are looked at for breaks.
const MAX_BLANK: usize = 8;

/// What the classes of an element say: a hash of all words in any order, and those of the first.
type Role = (u32, [u32; MAX_KEPT]);

/// Classes that are kept one by one.
const MAX_KEPT: usize = 4;

/// What the classes of an element say of its role, states and numbers left out.
fn role(class: &str) -> Role {
    let words = class.split_ascii_whitespace().take(MAX_WORDS).filter(|it| !is_state(it));
    let mut role = Role::default();
    for (index, word) in words.map(word_hash).enumerate() {
        role.0 ^= word;
        if let Some(kept) = role.1.get_mut(index) {
            *kept = word;
        }
    }
    role
}

/// More classes than this say nothing more.
const MAX_WORDS: usize = 30;

/// Classes that tell which of its kind an element is, not what it is.
fn is_state(word: &str) -> bool {
    const STATES: [&str; 14] = [
        "active", "alt", "current", "even", "first", "hidden", "hover", "last", "odd", "open",
        "selected", "visible", "clearfix", "expanded",
    ];
    STATES.iter().any(|state| word.eq_ignore_ascii_case(state))
}

fn word_hash(word: &str) -> u32 {
    let letters = word.bytes().filter(|byte| !byte.is_ascii_digit());
    // FNV-1a: words are short, and a hasher of its own for each would cost more than the word.
    letters.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(crate) fn mix(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(5) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// A hash that is the same in every run.
pub(crate) fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    FixedState::default().hash_one(value)
}
