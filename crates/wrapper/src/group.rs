//! Pages that do not belong: error pages, other templates. They are set aside before anything is induced.

use crate::twig::{Bough, similarity};

/// The numbers of pages that are the same to the byte.
pub(crate) type Copies = Vec<usize>;

/// Pages of one template share at least this much of their tag paths. Low, because a page with few parts is
/// still a page of its template; pages of other templates share next to nothing.
const SAME_TEMPLATE: f64 = 0.2;

/// A page is compared with one page of each of so many groups. Input with more templates has none that leads.
const MAX_COMPARED: usize = 500;

/// The largest group of pages that are alike, with their numbers. Pages that show nothing are in none.
pub(crate) fn largest(pages: Vec<(Copies, Bough)>) -> (Vec<Copies>, Vec<Bough>) {
    let mut groups: Vec<Vec<(Copies, Bough)>> = Vec::new();
    for (copies, bough) in pages {
        if bough.leaves.is_empty() {
            continue;
        }
        let found = groups
            .iter()
            .take(MAX_COMPARED)
            .position(|group| similarity(&group[0].1.paths, &bough.paths) >= SAME_TEMPLATE);
        match found {
            Some(group) => groups[group].push((copies, bough)),
            None => groups.push(vec![(copies, bough)]),
        }
    }
    // Of equally large groups the first, which the order of the pages' contents decides.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.into_iter().next().unwrap_or_default().into_iter().unzip()
}
