//! A page as a sequence of leaves and sets, which shrinks as sets are found.
//!
//! In comes a sheet, out comes its outline: at first all leaves. Folding a set puts its records aside and leaves one symbol
//! where the first of them stood.

use super::encode::{Code, Codes, Content, Kind, Mark, PathCode, Sheet};
use crate::twig::{TwigId, hash};
use std::ops::Range;

/// A leaf of a page, or a set of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// By position.
    Leaf(usize),
    /// By its number in the outline.
    Set(usize),
}

/// One place of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) item: Item,
    pub(super) mark: Mark,
    /// The leaf, or the first leaf of the set.
    pub(super) start: usize,
    /// The leaf, or the first sibling of the first record.
    pub(super) twig: TwigId,
    /// Whether a line break stands right before it.
    pub(super) starts_line: bool,
}

/// Records of one set that hang under one parent.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) parent: TwigId,
    pub(super) first: TwigId,
    pub(super) records: Vec<Vec<Entry>>,
}

pub(super) struct Outline<'a> {
    pub(super) sheet: Sheet<'a>,
    /// In the order of the page.
    pub(super) entries: Vec<Entry>,
    pub(super) regions: Vec<Region>,
    /// By twig, whether records hang under it.
    pub(super) is_region: Vec<bool>,
}

impl<'a> Outline<'a> {
    pub(super) fn new(sheet: Sheet<'a>) -> Outline<'a> {
        let entry = |(leaf, (mark, twig)): (usize, (&Mark, &TwigId))| Entry {
            item: Item::Leaf(leaf),
            mark: *mark,
            start: leaf,
            twig: *twig,
            starts_line: starts_line(&sheet, leaf),
        };
        let entries = sheet.marks.iter().zip(&sheet.twig_of).enumerate().map(entry).collect();
        let is_region = vec![false; sheet.parents.len()];
        Outline { sheet, entries, regions: Vec::new(), is_region }
    }

    pub(super) fn codes(&self) -> Vec<Code> {
        self.entries.iter().map(|entry| entry.mark.code).collect()
    }

    /// The entries at or below a twig.
    pub(super) fn below(&self, twig: TwigId) -> &[Entry] {
        let leaves = &self.sheet.bough.twig(twig).leaves;
        &self.entries[self.position(leaves.start)..self.position(leaves.end)]
    }

    fn position(&self, leaf: usize) -> usize {
        self.entries.partition_point(|entry| entry.start < leaf)
    }

    /// Put records aside, each of some siblings. No two folds may share a twig.
    pub(super) fn fold(&mut self, codes: &mut Codes, folds: &[Fold]) {
        let mut is_inside = vec![false; self.entries.len()];
        let mut symbols = Vec::new();
        for fold in folds {
            let Some(first) = fold.records.first().and_then(|record| record.first()) else {
                continue;
            };
            let mut records = Vec::new();
            for record in &fold.records {
                let mut entries = Vec::new();
                for range in record.iter().map(|twig| self.range(*twig)) {
                    is_inside[range.clone()].fill(true);
                    entries.extend_from_slice(&self.entries[range]);
                }
                records.push(entries);
            }
            let path = self.sheet.paths[first.index()];
            let region = Region { parent: fold.parent, first: *first, records };
            symbols.push(self.symbol(codes, path, &region, self.regions.len()));
            self.is_region[fold.parent.index()] = true;
            self.regions.push(region);
        }
        let mut is_inside = is_inside.into_iter();
        self.entries.retain(|_| !is_inside.next().unwrap_or_default());
        self.entries.extend(symbols);
        self.entries.sort_by_key(|entry| entry.start);
    }

    fn range(&self, twig: TwigId) -> Range<usize> {
        let leaves = &self.sheet.bough.twig(twig).leaves;
        self.position(leaves.start)..self.position(leaves.end)
    }

    /// What stands for a set. Sets of one path are told apart by what the markup says of what they stand in.
    fn symbol(&self, codes: &mut Codes, path: PathCode, region: &Region, number: usize) -> Entry {
        let parent = self.sheet.bough.twig(region.parent);
        let mark = Mark {
            path,
            kind: Kind::Set,
            content: Content(hash(&(parent.class, parent.id))),
            code: codes.code(path, Kind::Set),
        };
        let start = self.sheet.bough.twig(region.first).leaves.start;
        Entry { item: Item::Set(number), mark, start, twig: region.first, starts_line: true }
    }
}

/// Whether a line break stands right before a leaf or before what starts with it.
fn starts_line(sheet: &Sheet<'_>, leaf: usize) -> bool {
    let mut twig = sheet.twig_of[leaf];
    while !sheet.bough.twig(twig).is_after_break {
        let parent = sheet.parents[twig.index()];
        if parent == twig || sheet.bough.twig(parent).leaves.start != leaf {
            return false;
        }
        twig = parent;
    }
    true
}

/// What to put aside of one page: records under one parent, each of some siblings.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub(super) parent: TwigId,
    pub(super) records: Vec<Vec<TwigId>>,
}
