//! Which pages are of one template. Pages that are of another than most (error pages, other templates) are set aside
//! before anything is induced.

use crate::threads::for_each;
use crate::twig::{Bough, hash, similarity};
use page::{Leaves, Page};
use std::borrow::Borrow;
use std::num::NonZeroUsize;

/// The numbers of pages that are the same to the byte.
pub(crate) type Copies = Vec<usize>;

/// Pages of one template share at least this much of their tag paths. Low, because a page with few parts is
/// still a page of its template; pages of other templates share next to nothing.
const SAME_TEMPLATE: f64 = 0.2;

/// A page shares at least this much with some other page of its template, where there are several: 0.57 on every one of 50
/// sites of detail pages, while lists and details of one site share up to 0.32.
const LINKED: f64 = 0.45;

/// A page that shares so much with another need not be compared with.
const SAME: f64 = 0.9;

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

/// Sort pages by template. `page` gives one of `n_pages` by its number; out come their numbers, a list for each
/// template, the longest first. Pages that show nothing are in none. Which pages belong together does not depend on
/// their order.
///
/// ```
/// let book = |n: usize| format!("<h1>Book {n}</h1><p>By <a href=x>someone</a></p><b>$5</b>");
/// let list = |n: usize| format!("<ul><li><a href={n}>Book {n}</a><li><a href=z>Emma</a></ul>");
/// let html = |n: usize| if n % 3 == 0 { list(n) } else { book(n) };
/// let page = |n: usize| page::parse(html(n).as_bytes());
/// let groups = wrapper::templates(6, page, std::num::NonZeroUsize::MIN);
/// assert_eq!(groups, [vec![1, 2, 4, 5], vec![0, 3]]);
/// ```
pub fn templates<P: Borrow<Page>>(
    n_pages: usize,
    page: impl Fn(usize) -> P + Sync,
    n_threads: NonZeroUsize,
) -> Vec<Vec<usize>> {
    let sketch = || |number: usize| Sketch::new(page(number).borrow());
    let sketches = for_each((0..n_pages).collect(), n_threads, sketch);
    let mut numbered: Vec<(usize, Sketch)> = sketches.into_iter().enumerate().collect();
    numbered.sort_by_key(|(_, sketch)| sketch.content);
    let (numbers, sketches): (Vec<usize>, Vec<Sketch>) = numbered.into_iter().unzip();
    let mut groups = linked(&sketches);
    for group in &mut groups {
        group.iter_mut().for_each(|index| *index = numbers[*index]);
        group.sort_unstable();
    }
    groups
}

/// Pages that are alike, and what most of their paths are.
struct Cluster<'p> {
    members: Vec<usize>,
    /// The paths of members that differ from each other.
    shown: Vec<&'p [u32]>,
}

/// Pages by template: each is alike to one of its group at least, as from the smallest page of a template to the largest
/// there are many between. The largest group first; of equally large ones that of the first page.
pub(crate) fn linked(sketches: &[Sketch]) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for (index, sketch) in sketches.iter().enumerate().filter(|(_, it)| !it.paths.is_empty()) {
        let mut found: Option<(usize, f64)> = None;
        let mut at = 0;
        while at < clusters.len() {
            let alike = clusters[at].shown.iter().map(|paths| similarity(paths, &sketch.paths));
            let alike = alike.fold(0.0, f64::max);
            match found {
                _ if alike < LINKED => at += 1,
                None => {
                    found = Some((at, alike));
                    at += 1;
                }
                Some((first, most)) => {
                    let other = clusters.remove(at);
                    clusters[first].members.extend(other.members);
                    clusters[first].shown.extend(other.shown);
                    found = Some((first, most.max(alike)));
                }
            }
        }
        match found {
            Some((at, alike)) => {
                clusters[at].members.push(index);
                if alike < SAME && clusters[at].shown.len() < MAX_COMPARED {
                    clusters[at].shown.push(&sketch.paths);
                }
            }
            None => clusters.push(Cluster { members: vec![index], shown: vec![&sketch.paths] }),
        }
    }
    let mut groups: Vec<Vec<usize>> = clusters.into_iter().map(|it| it.members).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups
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
