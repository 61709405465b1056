//! Structure as the paper measures it: how much of one path from the root is in another, in order.
//!
//! Twice the length of the longest common subsequence, over both lengths. A row of the table that finds it is the bits of one
//! number (Hyyrö 2004), so that one more step of a path costs a few instructions; and paths of a page start alike, so each is
//! the row of its parent and one step more.

use crate::text::Map;
use page::{PathId, Paths};
use std::ops::Range;

/// Of a known path so many tags count: those nearest to the leaf.
const MAX_STEPS: usize = 64;

/// The paths known of each element, to be compared with all paths of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atlas {
    /// By element: which paths are its.
    elements: Vec<Range<usize>>,
    /// How many tags count of each.
    lens: Vec<f32>,
    /// By tag: for each path the bits of the steps that are this tag. The last step is the highest bit, so that what is added
    /// beyond it overflows.
    steps: Map<String, Vec<u64>>,
}

impl Atlas {
    /// Of the paths of each element, as tags from the root.
    pub(crate) fn new(elements: &[Vec<Vec<String>>]) -> Atlas {
        let n_paths = elements.iter().map(Vec::len).sum();
        let mut atlas = Atlas::default();
        for paths in elements {
            let start = atlas.lens.len();
            for tags in paths {
                let tags = &tags[tags.len().saturating_sub(MAX_STEPS)..];
                let number = atlas.lens.len();
                for (nth, tag) in tags.iter().rev().enumerate() {
                    let steps = atlas.steps.entry(tag.clone()).or_insert_with(|| vec![0; n_paths]);
                    steps[number] |= 1 << (MAX_STEPS - 1 - nth);
                }
                atlas.lens.push(tags.len() as f32);
            }
            atlas.elements.push(start..atlas.lens.len());
        }
        atlas
    }

    /// How alike each path of a page is to those known of each element, at `path * n_elements + element`; by those that may be
    /// compared.
    pub(crate) fn similarities(&self, paths: &Paths, may_be: impl Fn(usize) -> bool) -> Vec<f32> {
        // What may not be compared is like nothing: as if it had no end.
        let lens = self.lens.iter().enumerate();
        let lens = lens.map(|(nth, len)| if may_be(nth) { *len } else { f32::INFINITY });
        let lens: Vec<f32> = lens.collect();
        let mut all = vec![0.0; paths.len() * self.elements.len()];
        let mut rows = vec![Row::start(self.lens.len())];
        for path in in_depth(paths) {
            let depth = paths.depth(path);
            rows.truncate(depth);
            let row = rows[depth - 1].next(self.steps.get(paths.tag(path)));
            let len = depth.min(MAX_STEPS) as f32;
            let own = &mut all[path.index() * self.elements.len()..][..self.elements.len()];
            for (best, known) in own.iter_mut().zip(&self.elements) {
                let like = |nth: usize| 2.0 * row.common[nth] / (lens[nth] + len);
                *best = known.clone().map(like).fold(0.0, f32::max);
            }
            rows.push(row);
        }
        all
    }
}

/// What a path of a page has in common with each known path.
struct Row {
    bits: Vec<u64>,
    /// Steps in common.
    common: Vec<f32>,
}

impl Row {
    fn start(n_paths: usize) -> Row {
        Row { bits: vec![u64::MAX; n_paths], common: vec![0.0; n_paths] }
    }

    /// That of the path with one step more.
    fn next(&self, steps: Option<&Vec<u64>>) -> Row {
        let mut row = Row { bits: self.bits.clone(), common: self.common.clone() };
        for ((bits, common), step) in
            row.bits.iter_mut().zip(&mut row.common).zip(steps.into_iter().flatten())
        {
            let (sum, has_more) = bits.overflowing_add(*bits & step);
            *bits = sum | (*bits & !step);
            *common += f32::from(u8::from(has_more));
        }
        row
    }
}

/// All paths but the empty one, each right after its parent or what is below an earlier child of it.
fn in_depth(paths: &Paths) -> Vec<PathId> {
    let mut children: Vec<Vec<PathId>> = vec![Vec::new(); paths.len()];
    for path in paths.iter().skip(1) {
        children[paths.parent(path).index()].push(path);
    }
    let mut open = std::mem::take(&mut children[PathId::ROOT.index()]);
    let mut order = Vec::with_capacity(paths.len());
    while let Some(path) = open.pop() {
        order.push(path);
        open.append(&mut children[path.index()]);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    /// How alike a path is to those of two elements.
    fn similarities(known: [&[&str]; 2], path: &str) -> [f32; 2] {
        let atlas = Atlas::new(&known.map(|it| it.iter().map(|it| tags(it)).collect()));
        let mut paths = Paths::default();
        paths.child(PathId::ROOT, "other");
        let path = path.split('/').fold(PathId::ROOT, |path, tag| paths.child(path, tag));
        let all = atlas.similarities(&paths, |_| true);
        [all[path.index() * 2], all[path.index() * 2 + 1]]
    }

    fn similarity(left: &str, right: &str) -> f32 {
        let [found, nothing] = similarities([&[left], &[]], right);
        assert_eq!(nothing, 0.0);
        found
    }

    #[test]
    fn common_tags_in_order_count() {
        assert_eq!(similarity("html/body/div/p", "html/body/div/p"), 1.0);
        assert_eq!(similarity("html/body/p", "html/body/div/div/div/p"), 2.0 * 3.0 / 9.0);
        assert_eq!(similarity("a/b/c", "c/b/a"), 2.0 / 6.0);
        assert_eq!(similarity("a/b", "c/d"), 0.0);
        assert_eq!(similarity(&["div"; 100].join("/"), &["div"; 100].join("/")), 1.0);
    }

    #[test]
    fn the_most_alike_counts() {
        let known: [&[&str]; 2] = [&["x/y", "html/body/p", "p"], &["html/div"]];
        assert_eq!(similarities(known, "html/body/p"), [1.0, 2.0 / 5.0]);
    }
}
