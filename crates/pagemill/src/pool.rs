//! Pages to learn from, held as they came: all, or of more than memory is for, a sample.
//!
//! The sample is that of the pages whose bytes have the lowest hashes, as many as may be held. So it depends neither on the
//! order of the pages nor on chance, and favours no part of a site.

use crate::input::InputPage;
use foldhash::fast::FixedState;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

/// Pages with more bytes than this are sampled.
const MAX_BYTES: usize = 256 << 20;

/// Pages at hand.
///
/// ```
/// use pagemill::{InputPage, pool::Pool};
///
/// let mut pool = Pool::default();
/// pool.add(InputPage { id: "a.html".into(), bytes: b"<h1>Dune".into(), ..InputPage::default() });
/// assert!(pool.is_whole());
/// assert_eq!(pool.into_pages()[0].id, "a.html");
/// ```
#[derive(Debug)]
pub struct Pool {
    /// By hash and by when they came.
    pages: BTreeMap<(u64, usize), InputPage>,
    /// What has this hash or more is left out.
    end: Option<u64>,
    n_added: usize,
    n_bytes: usize,
    max_bytes: usize,
}

impl Default for Pool {
    fn default() -> Self {
        Pool { pages: BTreeMap::new(), end: None, n_added: 0, n_bytes: 0, max_bytes: MAX_BYTES }
    }
}

impl Pool {
    /// Hold so many bytes; the default is 256 MiB.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Add a page. It or another may be left out for it.
    pub fn add(&mut self, page: InputPage) {
        let hash = FixedState::default().hash_one(&page.bytes);
        self.n_added += 1;
        if self.end.is_some_and(|end| hash >= end) {
            return;
        }
        self.n_bytes += page.bytes.len();
        self.pages.insert((hash, self.n_added), page);
        while self.n_bytes > self.max_bytes && self.pages.len() > 1 {
            let Some(((hash, _), page)) = self.pages.pop_last() else { break };
            self.n_bytes -= page.bytes.len();
            self.end = Some(hash);
        }
    }

    /// How many pages were added.
    pub fn n_added(&self) -> usize {
        self.n_added
    }

    /// Whether all pages that were added are here.
    pub fn is_whole(&self) -> bool {
        self.pages.len() == self.n_added
    }

    /// The pages, in the order in which they were added.
    pub fn into_pages(self) -> Vec<InputPage> {
        let mut pages: Vec<_> = self.pages.into_iter().collect();
        pages.sort_unstable_by_key(|((_, when), _)| *when);
        pages.into_iter().map(|(_, page)| page).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Vec<InputPage> {
        let page = |n: usize| {
            let bytes = format!("<h1>Book {}</h1>{}", n / 2, "x".repeat(n * 7 % 50)).into_bytes();
            InputPage { id: format!("{n:03}"), bytes, ..InputPage::default() }
        };
        (0..200).map(page).collect()
    }

    fn ids(pages: Vec<InputPage>, max_bytes: usize) -> Vec<String> {
        let mut pool = Pool::default().with_max_bytes(max_bytes);
        pages.into_iter().for_each(|page| pool.add(page));
        assert_eq!(pool.n_added(), 200);
        assert_eq!(pool.is_whole(), max_bytes > 10_000);
        pool.into_pages().into_iter().map(|page| page.id).collect()
    }

    #[test]
    fn few_pages_are_all_there_in_their_order() {
        let expected: Vec<String> = pages().into_iter().map(|page| page.id).collect();
        assert_eq!(ids(pages(), 1 << 20), expected);
    }

    #[test]
    fn the_sample_of_many_does_not_depend_on_their_order() {
        for max_bytes in [1, 500, 3_000] {
            let sample = ids(pages(), max_bytes);
            assert!(!sample.is_empty() && sample.len() < 200);
            for turn in [1, 60, 137] {
                let mut turned = pages();
                turned.rotate_left(turn);
                let mut again = ids(turned, max_bytes);
                again.sort();
                assert_eq!(again, sample);
            }
        }
    }
}
