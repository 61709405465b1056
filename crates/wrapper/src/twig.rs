//! A page's tree cut down to what holds leaves.
//!
//! In comes a page with its leaves, out comes an arena of twigs: every element with a leaf below it, and every
//! leaf. Names are numbers that all pages of one induction share.

mod role;
mod symbol;

pub(crate) use role::{ROLE_ATTRIBUTES, RoleKeys, Roles};
pub(crate) use symbol::{Symbol, Symbols};

use crate::headers::Headers;
use foldhash::fast::FixedState;
use page::{AttrKeys, Leaf, Leaves, NodeId, NodeKind, Page};
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

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
    /// Whether it is part of a line, with all below it.
    pub(crate) is_inline: bool,
    /// Where its profile stands among those of the page.
    profile: Range<u32>,
}

/// A page ready for induction.
pub(crate) struct Bough {
    pub(crate) leaves: Leaves,
    pub(crate) twigs: Vec<Twig>,
    /// Hashes of the tag paths from the root to the leaves, sorted, each once.
    pub(crate) paths: Vec<u32>,
    /// The profiles of all twigs, one after the other.
    profiles: Vec<u32>,
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
        let (twigs, profiles) = builder.finish();
        let paths = paths(&twigs);
        Bough { leaves, twigs, paths, profiles }
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

    /// Hashes of the tag paths from a twig to its leaves, the smallest ones, sorted.
    pub(crate) fn profile(&self, twig: &Twig) -> &[u32] {
        &self.profiles[twig.profile.start as usize..twig.profile.end as usize]
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
    keys: AttrKeys<6>,
    /// By symbol, whether it is a tag of what is part of a line.
    inline: Vec<Option<bool>>,
    profiles: Vec<u32>,
    /// The profile of a leaf, by its tag: there are few, and each is the same everywhere.
    leaf_profiles: Vec<(Symbol, Range<u32>)>,
}

/// The attributes that say something of an element: those of its role, its id, and its name for those who cannot see.
const TELLING: [&str; 6] = {
    let [itemprop, property, name, class] = ROLE_ATTRIBUTES;
    [itemprop, property, name, class, "id", "aria-label"]
};

impl<'a> Builder<'a> {
    fn new(page: &'a Page, symbols: &'a mut Symbols) -> Self {
        let root = Twig::new(Symbol::EMPTY, page.document(), 0..0);
        Builder {
            page,
            symbols,
            twigs: vec![root],
            open: vec![TwigId(0)],
            ancestors: Vec::new(),
            headers: Headers::default(),
            roles: Roles::default(),
            keys: page.attr_keys(TELLING),
            inline: Vec::new(),
            profiles: Vec::new(),
            leaf_profiles: Vec::new(),
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
        let tag = self.symbols.intern(tag);
        let twig = Twig {
            leaf: Some(leaf.position),
            is_after_break: is_after_break(self.page, leaf.node),
            ..Twig::new(tag, leaf.element, leaf.position..leaf.position + 1)
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
        let mut said = [None; TELLING.len()];
        for (place, value) in page.attrs_by(element, &self.keys) {
            said[place] = Some(value);
        }
        let [role @ .., id, aria] = said;
        let tag = self.symbols.intern(page.tag(element).unwrap_or_default());
        let class = self.symbols.intern(self.roles.made_of(&role));
        let id = self.symbols.intern(self.roles.without_numbers(id.unwrap_or_default()));
        let header = self.symbols.intern(self.headers.of(page, element).unwrap_or_default());
        let aria = self.symbols.intern(aria.unwrap_or_default());
        let is_after_break = is_after_break(page, element);
        let twig = Twig::new(tag, element, NOT_YET);
        Twig { class, id, header, aria, is_after_break, ..twig }
    }

    fn push(&mut self, twig: Twig) -> TwigId {
        let id = TwigId(count(self.twigs.len()));
        let parent = self.open[self.open.len() - 1];
        self.twigs[parent.index()].children.push(id);
        self.twigs.push(twig);
        id
    }

    /// Children come after their parents, so going backwards fills in what is below.
    fn finish(mut self) -> (Vec<Twig>, Vec<u32>) {
        let mut profile = Vec::new();
        for index in (0..self.twigs.len()).rev() {
            let tag = self.twigs[index].tag;
            let mut leaves = self.twigs[index].leaves.clone();
            let mut is_inline = self.is_inline(tag);
            profile.clear();
            for child in &self.twigs[index].children {
                let child = &self.twigs[child.index()];
                leaves.start = leaves.start.min(child.leaves.start);
                leaves.end = leaves.end.max(child.leaves.end);
                is_inline &= child.is_inline;
                let below = child.profile.start as usize..child.profile.end as usize;
                profile.extend(self.profiles[below].iter().map(|path| step_hash(tag, *path)));
            }
            let profile = match self.twigs[index].leaf {
                Some(_) => self.leaf_profile(tag),
                None => self.add_profile(&mut profile),
            };
            let twig = &mut self.twigs[index];
            (twig.leaves, twig.is_inline, twig.profile) = (leaves, is_inline, profile);
        }
        (self.twigs, self.profiles)
    }

    fn leaf_profile(&mut self, tag: Symbol) -> Range<u32> {
        if let Some((_, known)) = self.leaf_profiles.iter().find(|(known, _)| *known == tag) {
            return known.clone();
        }
        let profile = self.add_profile(&mut vec![step_hash(tag, 0)]);
        self.leaf_profiles.push((tag, profile.clone()));
        profile
    }

    fn add_profile(&mut self, profile: &mut Vec<u32>) -> Range<u32> {
        profile.sort_unstable();
        profile.dedup();
        profile.truncate(MAX_PROFILE);
        let start = count(self.profiles.len());
        self.profiles.extend_from_slice(profile);
        start..count(self.profiles.len())
    }

    fn is_inline(&mut self, tag: Symbol) -> bool {
        let index = tag.index();
        if self.inline.len() <= index {
            self.inline.resize(index + 1, None);
        }
        let name = self.symbols.name(tag);
        *self.inline[index].get_or_insert_with(|| INLINE.binary_search(&name).is_ok())
    }
}

impl Twig {
    /// How many different paths to its leaves are known.
    pub(crate) fn n_paths(&self) -> usize {
        self.profile.len()
    }

    /// One of which nothing else is known.
    fn new(tag: Symbol, element: NodeId, leaves: Range<usize>) -> Twig {
        Twig {
            tag,
            class: Symbol::EMPTY,
            id: Symbol::EMPTY,
            header: Symbol::EMPTY,
            aria: Symbol::EMPTY,
            is_after_break: false,
            leaf: None,
            element,
            leaves,
            children: Vec::new(),
            is_inline: false,
            profile: 0..0,
        }
    }
}

/// Tags of what is part of a line, in order.
const INLINE: [&str; 32] = [
    "#text",
    "@datetime",
    "a",
    "abbr",
    "acronym",
    "b",
    "bdi",
    "big",
    "cite",
    "code",
    "data",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "ins",
    "kbd",
    "label",
    "mark",
    "nobr",
    "q",
    "s",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "time",
    "tt",
    "u",
];

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
