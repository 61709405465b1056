//! Leaves as numbers: the codes in which pages are compared.
//!
//! In come the boughs of all pages; out comes a sheet for each: by leaf its path, type and content, by twig its parent,
//! depth and path. Numbers are shared by all sheets, given in the order of first use, and thus the same for the same pages.

use crate::induce::Context;
use crate::twig::{Bough, Symbol, TwigId, hash};
use foldhash::fast::FixedState;
use page::{DataType, Leaf};
use std::collections::HashMap;

/// The tags from the root to a twig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PathCode(u32);

/// What leaves of one path and type have in common: one symbol of a page's sequence. A set has a code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Code(u32);

/// What a leaf says, as a hash; equal for equal contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Content(pub(super) u64);

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Leaf(DataType),
    Set,
}

/// One symbol of a page's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) path: PathCode,
    pub(super) kind: Kind,
    pub(super) content: Content,
    pub(super) code: Code,
}

/// One page in codes.
pub(super) struct Sheet<'a> {
    pub(super) bough: &'a Bough,
    /// By leaf.
    pub(super) marks: Vec<Mark>,
    /// By leaf.
    pub(super) twig_of: Vec<TwigId>,
    /// By twig; the root is its own.
    pub(super) parents: Vec<TwigId>,
    /// By twig; the root has none.
    pub(super) depths: Vec<u32>,
    /// By twig.
    pub(super) paths: Vec<PathCode>,
}

impl Sheet<'_> {
    pub(super) fn depth(&self, twig: TwigId) -> u32 {
        self.depths[twig.index()]
    }

    /// The ancestor that stands so deep, or the twig itself; none if the twig does not stand that deep.
    pub(super) fn ancestor(&self, twig: TwigId, depth: u32) -> Option<TwigId> {
        let mut twig = twig;
        while self.depth(twig) > depth {
            twig = self.parents[twig.index()];
        }
        (self.depth(twig) == depth).then_some(twig)
    }

    /// How deep the youngest common ancestor of two twigs stands.
    pub(super) fn common_depth(&self, left: TwigId, right: TwigId) -> u32 {
        let (mut left, mut right) = (left, right);
        while left != right {
            if self.depth(left) >= self.depth(right) {
                left = self.parents[left.index()];
            } else {
                right = self.parents[right.index()];
            }
        }
        self.depth(left)
    }
}

/// The numbers of one induction.
#[derive(Debug, Default)]
pub(super) struct Codes {
    /// By path, the one above it and the last tag.
    steps: Vec<(PathCode, Symbol)>,
    /// By path, the one of what it stands in, decoration left out.
    blocks: Vec<PathCode>,
    paths: HashMap<(PathCode, Symbol), PathCode, FixedState>,
    codes: HashMap<(PathCode, Kind), Code, FixedState>,
}

/// Of the root, which is its own parent.
const ROOT: PathCode = PathCode(0);

impl Codes {
    fn path(&mut self, context: &Context<'_>, parent: PathCode, tag: Symbol) -> PathCode {
        let next = PathCode(number(self.steps.len()));
        let path = *self.paths.entry((parent, tag)).or_insert(next);
        if path == next {
            self.steps.push((parent, tag));
            let name = context.symbols.name(tag);
            let is_block = !(is_decorative(name) || name.starts_with('#'));
            let around = self.blocks.get(parent.0 as usize);
            self.blocks.push(around.copied().filter(|_| !is_block).unwrap_or(path));
        }
        path
    }

    /// The path of what a text stands in, decoration left out; of what is no text, its own.
    pub(super) fn block(&self, path: PathCode) -> PathCode {
        self.blocks[path.0 as usize]
    }

    /// The code of leaves of one type, or of sets, at one path.
    pub(super) fn code(&mut self, path: PathCode, kind: Kind) -> Code {
        let next = Code(number(self.codes.len()));
        *self.codes.entry((path, kind)).or_insert(next)
    }

    /// The path without its last tag, and that tag.
    pub(super) fn last_step(&self, path: PathCode) -> (PathCode, Symbol) {
        self.steps[path.0 as usize]
    }

    /// The path as people write it.
    pub(super) fn display(&self, context: &Context<'_>, path: PathCode) -> String {
        let mut tags = Vec::new();
        let mut path = path;
        while path != ROOT {
            let (parent, tag) = self.last_step(path);
            tags.push(context.symbols.name(tag));
            path = parent;
        }
        tags.reverse();
        tags.join("/")
    }
}

/// All pages in codes.
pub(super) fn encode<'a>(context: &Context<'a>) -> (Codes, Vec<Sheet<'a>>) {
    let mut codes = Codes::default();
    let sheets = context.boughs.iter().map(|bough| sheet(context, &mut codes, bough)).collect();
    (codes, sheets)
}

fn sheet<'a>(context: &Context<'a>, codes: &mut Codes, bough: &'a Bough) -> Sheet<'a> {
    let n_twigs = bough.twigs.len();
    let root = codes.path(context, ROOT, bough.twig(bough.root()).tag);
    let mut sheet = Sheet {
        bough,
        marks: Vec::with_capacity(bough.leaves.len()),
        twig_of: Vec::with_capacity(bough.leaves.len()),
        parents: vec![bough.root(); n_twigs],
        depths: vec![0; n_twigs],
        paths: vec![root; n_twigs],
    };
    // Parents come before their children, and leaves in their order.
    for (index, twig) in bough.twigs.iter().enumerate() {
        for child in &twig.children {
            sheet.parents[child.index()] = TwigId(number(index));
            sheet.depths[child.index()] = sheet.depths[index] + 1;
            sheet.paths[child.index()] =
                codes.path(context, sheet.paths[index], bough.twig(*child).tag);
        }
        if let Some(position) = twig.leaf {
            let mark = mark(codes, sheet.paths[index], &bough.leaf(position));
            sheet.marks.push(mark);
            sheet.twig_of.push(TwigId(number(index)));
        }
    }
    sheet
}

fn mark(codes: &mut Codes, path: PathCode, leaf: &Leaf<'_>) -> Mark {
    let code = codes.code(path, Kind::Leaf(coarse(leaf.data_type())));
    let content = Content(hash(&(leaf.text, leaf.src)));
    Mark { path, kind: Kind::Leaf(leaf.data_type()), content, code }
}

/// The type by which codes tell leaves apart: number, date, time, URL, e-mail, else string, as in the paper's section 3.2.
fn coarse(data_type: DataType) -> DataType {
    let coarse = [DataType::Number, DataType::Date, DataType::Time, DataType::Url, DataType::Email];
    coarse.into_iter().find(|wider| data_type.is_a(*wider)).unwrap_or(DataType::String)
}

/// Tags that only change how a text looks, or make it a link.
pub(super) fn is_decorative(tag: &str) -> bool {
    const TAGS: [&str; 20] = [
        "a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "ins", "mark", "nobr", "q",
        "s", "small", "span", "strong", "sub", "sup", "u",
    ];
    TAGS.binary_search(&tag).is_ok()
}

pub(super) fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
