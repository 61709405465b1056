//! Which leaves are below an element, and sums over them.
//!
//! Leaves come in the order of the page, so those below an element are a stretch of them. What an element has of something is
//! then the difference of two sums, and nobody has to walk from each leaf to the root.

use page::{Leaves, NodeId, Page};
use std::ops::{Range, Sub};

/// By node: the first leaf at it or below it, and one past the last.
pub(crate) struct Extents(Vec<(u32, u32)>);

impl Extents {
    pub(super) fn of(page: &Page, leaves: &Leaves) -> Extents {
        const NONE: u32 = u32::MAX;
        let mut extents = vec![(NONE, 0); page.n_nodes()];
        let position = |nth: usize| u32::try_from(nth).unwrap_or(NONE);
        // Whoever is known has parents that are known, so that each element is looked at twice in all.
        for nth in 0..leaves.len() {
            let mut next = Some(leaves.element(nth));
            while let Some(node) = next.filter(|it| extents[it.index()].0 == NONE) {
                extents[node.index()].0 = position(nth);
                next = page.parent(node);
            }
        }
        for nth in (0..leaves.len()).rev() {
            let mut next = Some(leaves.element(nth));
            while let Some(node) = next.filter(|it| extents[it.index()].1 == 0) {
                extents[node.index()].1 = position(nth + 1);
                next = page.parent(node);
            }
        }
        Extents(extents)
    }

    /// The leaves at a node or below it; an empty stretch if there are none.
    pub(crate) fn below(&self, node: NodeId) -> Range<usize> {
        let (start, end) = self.0[node.index()];
        if end == 0 { 0..0 } else { start as usize..end as usize }
    }
}

/// What all leaves before each have of something.
#[derive(Default)]
pub(crate) struct Sums<T>(Vec<T>);

impl<T: Copy + Default + Sub<Output = T> + std::ops::Add<Output = T>> Sums<T> {
    /// Of what each leaf has.
    pub(crate) fn of(leaves: impl Iterator<Item = T>) -> Sums<T> {
        let mut sum = T::default();
        let mut sums = vec![sum];
        sums.extend(leaves.map(|leaf| {
            sum = sum + leaf;
            sum
        }));
        Sums(sums)
    }

    /// What a stretch of leaves has.
    pub(crate) fn over(&self, leaves: Range<usize>) -> T {
        self.0[leaves.end] - self.0[leaves.start]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_hold_a_stretch_of_leaves() {
        let page = page::parse(b"<p>a<b>bc</b></p><i></i><ul><li>d<li>e</ul>");
        let leaves = page.leaves();
        let extents = Extents::of(&page, &leaves);
        let lens = Sums::of(leaves.iter().map(|leaf| leaf.text.len()));
        let below = |tag: &str| {
            let node = page.find(page.document(), tag).unwrap();
            (extents.below(node), lens.over(extents.below(node)))
        };
        assert_eq!(below("body"), (0..4, 5));
        assert_eq!(below("p"), (0..2, 3));
        assert_eq!(below("b"), (1..2, 2));
        assert_eq!(below("i"), (0..0, 0));
        assert_eq!(below("ul"), (2..4, 2));
    }
}
