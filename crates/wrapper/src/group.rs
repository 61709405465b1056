//! Which pages are of one template. Pages that are of another than most (error pages, other templates) are set aside
//! before anything is induced.

use crate::twig::{Bough, hash, similarity};
use page::{Leaves, Page};

/// The numbers of pages that are the same to the byte.
pub(crate) type Copies = Vec<usize>;

/// Pages of one template share at least this much of their tag paths. Low, because a page with few parts is
/// still a page of its template; pages of other templates share next to nothing.
const SAME_TEMPLATE: f64 = 0.2;

/// A page is compared with one page of each of so many groups. Input with more templates has none that leads.
const MAX_COMPARED: usize = 500;

/// What is kept of a page to tell which pages are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sketch {
    /// Tells pages apart by their content, so that the order they come in leaves no trace.
    pub(crate) content: (u64, usize),
    pub(crate) n_leaves: usize,
    /// Hashes of the tag paths of leaves, sorted, each once.
    paths: Vec<u32>,
}

impl Sketch {
    pub(crate) fn new(page: &Page) -> Sketch {
        let leaves = page.leaves();
        Sketch { content: content(page), n_leaves: leaves.len(), paths: paths(&leaves) }
    }
}

/// What pages are sorted by.
pub(crate) fn content(page: &Page) -> (u64, usize) {
    (hash(&page.source()), page.source().len())
}

fn paths(leaves: &Leaves) -> Vec<u32> {
    let mut ids: Vec<_> = leaves.iter().map(|leaf| leaf.path).collect();
    ids.sort_unstable();
    ids.dedup();
    let of = |id| hash(&leaves.paths().steps(id)) as u32;
    let mut paths: Vec<u32> = ids.into_iter().map(of).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Pages that are alike, by their numbers, the largest group first; of equally large ones that of the first page.
/// Pages that show nothing are in none.
pub(crate) fn alike(sketches: &[Sketch]) -> Vec<Vec<usize>> {
    sort_out(sketches.iter().map(|sketch| sketch.paths.as_slice()))
}

fn sort_out<'p>(paths: impl Iterator<Item = &'p [u32]>) -> Vec<Vec<usize>> {
    let mut groups: Vec<(&[u32], Vec<usize>)> = Vec::new();
    for (index, paths) in paths.enumerate().filter(|(_, paths)| !paths.is_empty()) {
        let found = groups
            .iter()
            .take(MAX_COMPARED)
            .position(|(first, _)| similarity(first, paths) >= SAME_TEMPLATE);
        match found {
            Some(group) => groups[group].1.push(index),
            None => groups.push((paths, vec![index])),
        }
    }
    groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The largest group of pages that are alike, with their numbers. Pages that show nothing are in none.
pub(crate) fn largest(pages: Vec<(Copies, Bough)>) -> (Vec<Copies>, Vec<Bough>) {
    let groups = sort_out(pages.iter().map(|(_, bough)| bough.paths.as_slice()));
    let mut is_in = vec![false; pages.len()];
    for index in groups.into_iter().next().unwrap_or_default() {
        is_in[index] = true;
    }
    let kept = pages.into_iter().zip(is_in).filter(|(_, is_in)| *is_in);
    kept.map(|(page, _)| page).unzip()
}
