//! A page's tree cut down to what holds leaves.
//!
//! In comes a page with its leaves, out comes an arena of twigs: every element with a leaf below it, and every
//! leaf. Names are numbers that all pages of one induction share.

use crate::headers::Headers;
use foldhash::fast::FixedState;
use page::{AttrKeys, Leaf, Leaves, NodeId, NodeKind, Page};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

/// A string shared by all pages of one induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u32);

/// The strings of one induction.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    names: Vec<Box<str>>,
    ids: HashMap<Box<str>, Symbol, FixedState>,
}

impl Symbols {
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.ids.get(name) {
            return *symbol;
        }
        let symbol = Symbol(count(self.names.len()));
        self.names.push(name.into());
        self.ids.insert(name.into(), symbol);
        symbol
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }
}

/// A twig of one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TwigId(pub(crate) u32);

impl TwigId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Twig {
    /// The element's tag; for leaves `#text` or `@src` and the like.
    pub(crate) tag: Symbol,
    /// What the markup says of its role: classes and the names of microdata and form fields, without numbers.
    pub(crate) class: Symbol,
    /// Its `id`, without numbers.
    pub(crate) id: Symbol,
    /// The header of the table column it is a cell of.
    pub(crate) header: Symbol,
    /// What it is called for those who cannot see it.
    pub(crate) aria: Symbol,
    /// Whether a line break stands right before it.
    pub(crate) is_after_break: bool,
    /// The leaf it is, if it is one.
    pub(crate) leaf: Option<usize>,
    /// The element, or that of the leaf.
    pub(crate) element: NodeId,
    /// The leaves at or below it.
    pub(crate) leaves: Range<usize>,
    pub(crate) children: Vec<TwigId>,
    /// Hashes of the tag paths from it to its leaves, the smallest ones, sorted.
    pub(crate) profile: Vec<u32>,
}

/// A page ready for induction.
pub(crate) struct Bough {
    pub(crate) leaves: Leaves,
    pub(crate) twigs: Vec<Twig>,
    /// Hashes of the tag paths from the root to the leaves, sorted, each once.
    pub(crate) paths: Vec<u32>,
}

/// The leaves of an element before those below it are known.
#[allow(clippy::reversed_empty_ranges, reason = "whatever comes first is smaller than its start")]
const NOT_YET: Range<usize> = usize::MAX..0;
/// More paths than this are sampled: the smallest hashes of any set are as good as any.
const MAX_PROFILE: usize = 48;

impl Bough {
    pub(crate) fn new(page: &Page, symbols: &mut Symbols) -> Bough {
        let leaves = page.leaves();
        let all = 0..leaves.len();
        Bough::of_some(page, leaves, std::iter::once(all), symbols)
    }

    /// Of some of the leaves of a page, in order: the rest of it is as if it were not there.
    pub(crate) fn of_some(
        page: &Page,
        leaves: Leaves,
        some: impl Iterator<Item = Range<usize>>,
        symbols: &mut Symbols,
    ) -> Bough {
        let mut builder = Builder::new(page, symbols);
        for position in some.flatten() {
            builder.leaf(&leaves.get(position));
        }
        let twigs = builder.finish();
        let paths = paths(&twigs);
        Bough { leaves, twigs, paths }
    }

    /// The root of all, which is no element.
    pub(crate) fn root(&self) -> TwigId {
        TwigId(0)
    }

    pub(crate) fn twig(&self, id: TwigId) -> &Twig {
        &self.twigs[id.index()]
    }

    pub(crate) fn leaf(&self, position: usize) -> Leaf<'_> {
        self.leaves.get(position)
    }
}

struct Builder<'a> {
    page: &'a Page,
    symbols: &'a mut Symbols,
    twigs: Vec<Twig>,
    /// From the root to the newest element.
    open: Vec<TwigId>,
    ancestors: Vec<NodeId>,
    headers: Headers,
    roles: Roles,
}

impl<'a> Builder<'a> {
    fn new(page: &'a Page, symbols: &'a mut Symbols) -> Self {
        let none = symbols.intern("");
        let root = Twig {
            tag: none,
            class: none,
            id: none,
            header: none,
            aria: none,
            is_after_break: false,
            leaf: None,
            element: page.document(),
            leaves: 0..0,
            children: Vec::new(),
            profile: Vec::new(),
        };
        Builder {
            page,
            symbols,
            twigs: vec![root],
            open: vec![TwigId(0)],
            ancestors: Vec::new(),
            headers: Headers::default(),
            roles: Roles::default(),
        }
    }

    fn leaf(&mut self, leaf: &Leaf<'_>) {
        self.enter(leaf.element);
        let tag = match leaf.attribute {
            None => "#text",
            Some("datetime") => "@datetime",
            Some("value") => "@value",
            Some("content") => "@content",
            Some(_) => "@src",
        };
        let none = self.symbols.intern("");
        let tag = self.symbols.intern(tag);
        let twig = Twig {
            tag,
            class: none,
            id: none,
            header: none,
            aria: none,
            is_after_break: is_after_break(self.page, leaf.node),
            leaf: Some(leaf.position),
            element: leaf.element,
            leaves: leaf.position..leaf.position + 1,
            children: Vec::new(),
            profile: Vec::new(),
        };
        self.push(twig);
    }

    /// Open and close elements until the newest is this one.
    fn enter(&mut self, element: NodeId) {
        self.ancestors.clear();
        self.ancestors.push(element);
        self.ancestors.extend(self.page.ancestors(element));
        // The document, which is the root's element.
        self.ancestors.pop();
        self.ancestors.reverse();
        let n_common = self
            .ancestors
            .iter()
            .zip(&self.open[1..])
            .take_while(|(element, open)| self.twigs[open.index()].element == **element)
            .count();
        self.open.truncate(n_common + 1);
        for index in n_common..self.ancestors.len() {
            let twig = self.element(self.ancestors[index]);
            let id = self.push(twig);
            self.open.push(id);
        }
    }

    fn element(&mut self, element: NodeId) -> Twig {
        let page = self.page;
        let tag = self.symbols.intern(page.tag(element).unwrap_or_default());
        let class = self.symbols.intern(self.roles.of(page, element));
        let id =
            self.symbols.intern(&without_numbers(page.attr(element, "id").unwrap_or_default()));
        let header = self.symbols.intern(self.headers.of(page, element).unwrap_or_default());
        let aria = self.symbols.intern(page.attr(element, "aria-label").unwrap_or_default());
        Twig {
            tag,
            class,
            id,
            header,
            aria,
            is_after_break: is_after_break(page, element),
            leaf: None,
            element,
            leaves: NOT_YET,
            children: Vec::new(),
            profile: Vec::new(),
        }
    }

    fn push(&mut self, twig: Twig) -> TwigId {
        let id = TwigId(count(self.twigs.len()));
        let parent = self.open[self.open.len() - 1];
        self.twigs[parent.index()].children.push(id);
        self.twigs.push(twig);
        id
    }

    /// Children come after their parents, so going backwards fills in what is below.
    fn finish(mut self) -> Vec<Twig> {
        for index in (0..self.twigs.len()).rev() {
            let mut leaves = self.twigs[index].leaves.clone();
            let mut profile = Vec::new();
            let tag = self.twigs[index].tag;
            for child in &self.twigs[index].children {
                let child = &self.twigs[child.index()];
                leaves.start = leaves.start.min(child.leaves.start);
                leaves.end = leaves.end.max(child.leaves.end);
                profile.extend(child.profile.iter().map(|path| step_hash(tag, *path)));
            }
            if self.twigs[index].leaf.is_some() {
                profile.push(step_hash(tag, 0));
            }
            profile.sort_unstable();
            profile.dedup();
            profile.truncate(MAX_PROFILE);
            self.twigs[index].leaves = leaves;
            self.twigs[index].profile = profile;
        }
        self.twigs
    }
}

fn paths(twigs: &[Twig]) -> Vec<u32> {
    let mut from_root = vec![0; twigs.len()];
    let mut paths = Vec::new();
    // Parents come before their children.
    for (index, twig) in twigs.iter().enumerate() {
        let path = step_hash(twig.tag, from_root[index]);
        for child in &twig.children {
            from_root[child.index()] = path;
        }
        if twig.leaf.is_some() {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Whether `<br>` is the nearest thing before a node that shows.
fn is_after_break(page: &Page, node: NodeId) -> bool {
    let mut previous = page.previous_sibling(node);
    while let Some(node) = previous {
        match page.kind(node) {
            NodeKind::Element => return page.tag(node) == Some("br"),
            NodeKind::Text if page.text_pieces(node).any(|(text, _)| !text.trim().is_empty()) => {
                return false;
            }
            _ => previous = page.previous_sibling(node),
        }
    }
    false
}

fn step_hash(tag: Symbol, below: u32) -> u32 {
    hash(&(tag, below)) as u32
}

/// A hash that is the same in every run.
pub(crate) fn hash<T: Hash>(value: &T) -> u64 {
    FixedState::default().hash_one(value)
}

/// More classes than this say nothing more.
const MAX_WORDS: usize = 30;

/// The attributes that roles are made from: names of microdata and form fields, and at last the classes.
pub(crate) const ROLE_ATTRIBUTES: [&str; 4] = ["itemprop", "property", "name", "class"];

/// The same as a page knows them.
pub(crate) type RoleKeys = AttrKeys<4>;

/// Reads what the markup says of elements' roles.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    role: String,
}

impl Roles {
    /// The role of an element: names of microdata and form fields, then classes, each word once.
    pub(crate) fn of(&mut self, page: &Page, element: NodeId) -> &str {
        let mut values = [None; ROLE_ATTRIBUTES.len()];
        for (name, value) in page.attrs(element) {
            if let Some(place) = ROLE_ATTRIBUTES.iter().position(|it| *it == name) {
                values[place] = Some(value);
            }
        }
        self.made_of(&values)
    }

    /// The role that some [attributes](ROLE_ATTRIBUTES) make.
    pub(crate) fn made_of(&mut self, values: &[Option<&str>]) -> &str {
        self.role.clear();
        let Some((class, names)) = values.split_last() else { return &self.role };
        for name in names.iter().flatten() {
            self.role.push_str(name);
            self.role.push(' ');
        }
        if let Some(class) = class {
            self.push_classes(class);
        }
        &self.role
    }

    pub(crate) fn keys(page: &Page) -> RoleKeys {
        page.attr_keys(ROLE_ATTRIBUTES)
    }

    /// Add all that an element's tag and role are made from, as it is written.
    pub(crate) fn push_markup(page: &Page, keys: &RoleKeys, element: NodeId, out: &mut Vec<u8>) {
        out.extend_from_slice(page.tag(element).unwrap_or_default().as_bytes());
        for (place, value) in page.attrs_by(element, keys) {
            // No text of a page has these bytes.
            out.extend_from_slice(&[0xff, place as u8]);
            out.extend_from_slice(value.as_bytes());
        }
    }

    fn push_classes(&mut self, class: &str) {
        let mut words = class.split_ascii_whitespace().take(MAX_WORDS).filter(|it| !is_state(it));
        let (Some(first), second) = (words.next(), words.next()) else { return };
        let Some(second) = second else {
            push_without_numbers(&mut self.role, first);
            return;
        };
        let mut words: Vec<String> =
            [first, second].into_iter().chain(words).map(without_numbers).collect();
        words.sort_unstable();
        words.dedup();
        self.role.push_str(&words.join(" "));
    }
}

/// Classes that tell which of its kind an element is, not what it is.
fn is_state(word: &str) -> bool {
    const STATES: [&str; 14] = [
        "active", "alt", "current", "even", "first", "hidden", "hover", "last", "odd", "open",
        "selected", "visible", "clearfix", "expanded",
    ];
    STATES.iter().any(|state| word.eq_ignore_ascii_case(state))
}

/// Runs of digits made one mark: `post-123` and `post-7` are the same.
fn without_numbers(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    push_without_numbers(&mut out, name);
    out
}

fn push_without_numbers(out: &mut String, name: &str) {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        out.push_str(name);
        return;
    }
    let mut was_digit = false;
    for character in name.chars() {
        let is_digit = character.is_ascii_digit();
        if !is_digit || !was_digit {
            out.push(if is_digit { '#' } else { character });
        }
        was_digit = is_digit;
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// How alike two sorted sets of hashes are: the share of what either has that both have.
pub(crate) fn similarity(left: &[u32], right: &[u32]) -> f64 {
    if left.is_empty() && right.is_empty() {
        return 1.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(&right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common as f64 / (left.len() + right.len() - common) as f64
}
