//! How alike two trees are: simple tree matching, normalised by their sizes.
//!
//! Two trees match in as many twigs as can be paired from the roots down, tags being equal and order kept (Yang 1991); alike is
//! twice that by the number of twigs of both. Equal kinds are equal without a look, pairs of kinds are compared once, and
//! large trees are compared by their paths. What a page may
//! cost in all is told by its size: past that, only equal trees are alike.

use crate::tree::{Outline, Twig, TwigId};
use foldhash::fast::FixedState;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Compares the trees of one page.
pub struct Matcher<'o> {
    outline: &'o Outline,
    /// Whether siblings in a row that are equal count once: a record with three tags is like one with five.
    folds_runs: bool,
    /// Pairs of twigs that may still be looked at.
    budget: usize,
    known: HashMap<(u64, u64), f32, FixedState>,
}

/// Pairs of twigs that are looked at for each twig of the page, at most. Real pages take two to ten.
const WORK_PER_TWIG: usize = 24;
/// Trees with more pairs of twigs than this are not compared twig by twig.
const MAX_PAIRS: usize = 1 << 16;
/// What a comparison costs by itself, in pairs of twigs.
const COMPARISON: usize = 16;
/// Rows of fewer siblings than this are short.
const SHORT: usize = 17;
/// What small pages may use all the same.
const LEAST_BUDGET: usize = 1 << 14;

impl<'o> Matcher<'o> {
    /// Over the trees of an outline; `folds_runs` has siblings in a row that are equal count once.
    pub fn new(outline: &'o Outline, folds_runs: bool) -> Matcher<'o> {
        let budget = (outline.twigs().len() * WORK_PER_TWIG).max(LEAST_BUDGET);
        Matcher { outline, folds_runs, budget, known: HashMap::default() }
    }

    /// The same with another bound on the pairs of twigs that it looks at, in place of the one that the page's size gives.
    pub fn with_budget(self, budget: usize) -> Self {
        Matcher { budget, ..self }
    }

    /// How alike the trees at two twigs are, from 0 to 1.
    ///
    /// ```
    /// use regions::{Matcher, Outline};
    ///
    /// let page = page::parse(b"<p><b>Dune</b><i>$9</i></p><p><b>Emma</b></p>");
    /// let outline = Outline::new(&page, &page.leaves());
    /// let is_paragraph = |it: &_| page.tag(outline.twig(*it).node) == Some("p");
    /// let paragraphs: Vec<_> = outline.twigs().filter(is_paragraph).collect();
    /// let alike = Matcher::new(&outline, true).alike(paragraphs[0], paragraphs[1]);
    /// assert_eq!(alike, 2.0 * 3.0 / (5.0 + 3.0));
    /// ```
    pub fn alike(&mut self, left: TwigId, right: TwigId) -> f64 {
        let (a, b) = (self.outline.twig(left), self.outline.twig(right));
        if a.tag != b.tag {
            return 0.0;
        }
        if self.kind(a) == self.kind(b) {
            return 1.0;
        }
        self.compared(left, right)
    }

    /// The most that [`alike`](Self::alike) can say, told from the sizes alone.
    fn bound(&self, left: &Twig, right: &Twig) -> f64 {
        let (a, b) = (self.size(left) as f64, self.size(right) as f64);
        2.0 * a.min(b) / (a + b)
    }

    fn size(&self, twig: &Twig) -> usize {
        if self.folds_runs { twig.folded as usize } else { twig.size as usize }
    }

    /// Whether two trees are alike enough, which is often told without comparing them.
    pub fn are_alike(&mut self, left: TwigId, right: TwigId, threshold: f64) -> bool {
        let (a, b) = (self.outline.twig(left), self.outline.twig(right));
        a.tag == b.tag && self.bound(a, b) > threshold && self.alike(left, right) > threshold
    }

    /// How alike two stretches of siblings are, each hung under a parent of its own.
    pub fn alike_units(&mut self, left: &[TwigId], right: &[TwigId]) -> f64 {
        if let ([left], [right]) = (left, right) {
            return self.alike(*left, *right);
        }
        let sizes = self.size_of(left) + self.size_of(right) + 2;
        let matched = 1 + self.pair_children(left, right);
        2.0 * matched as f64 / sizes as f64
    }

    fn kind(&self, twig: &Twig) -> u64 {
        if self.folds_runs { twig.kind } else { twig.exact }
    }

    fn compared(&mut self, left: TwigId, right: TwigId) -> f64 {
        let (a, b) = (self.outline.twig(left), self.outline.twig(right));
        let key = (self.kind(a).min(self.kind(b)), self.kind(a).max(self.kind(b)));
        if let Some(alike) = self.known.get(&key) {
            return f64::from(*alike);
        }
        self.budget = self.budget.saturating_sub(COMPARISON);
        // Nothing is kept of what was not looked at: there may be any number of such pairs.
        if self.budget == 0 {
            return 0.0;
        }
        let alike = if is_large(a, b) {
            self.alike_at_a_glance(left, right)
        } else {
            let sizes = self.size(a) + self.size(b);
            2.0 * self.matched(left, right) as f64 / sizes as f64
        };
        self.known.insert(key, alike as f32);
        alike
    }

    /// How many twigs of two trees pair up.
    fn matched(&mut self, left: TwigId, right: TwigId) -> usize {
        let outline = self.outline;
        let (a, b) = (outline.twig(left), outline.twig(right));
        if a.tag != b.tag {
            return 0;
        }
        if self.kind(a) == self.kind(b) {
            return self.size(a).min(self.size(b));
        }
        // Also keeps the recursion shallow: it goes no deeper than the smaller tree.
        if is_large(a, b) {
            let sizes = self.size(a) + self.size(b);
            return (self.alike_at_a_glance(left, right) * sizes as f64 / 2.0) as usize;
        }
        1 + self.pair_children(outline.children(left), outline.children(right))
    }

    /// The most twigs that pair up in two rows of siblings, order kept.
    fn pair_children(&mut self, left: &[TwigId], right: &[TwigId]) -> usize {
        let (left, right) = (self.folded(left), self.folded(right));
        let n = right.len() + 1;
        // Most rows are short, and memory for each would cost more than the comparison.
        let mut short = [0_usize; 2 * SHORT];
        let mut long = Vec::new();
        let rows = if n <= SHORT {
            &mut short[..2 * n]
        } else {
            long.resize(2 * n, 0);
            &mut long[..]
        };
        let (mut before, mut now) = rows.split_at_mut(n);
        for a in left.iter() {
            for (j, b) in right.iter().enumerate() {
                self.budget = self.budget.saturating_sub(1);
                let skipped = before[j + 1].max(now[j]);
                let is_pair = self.budget > 0;
                now[j + 1] =
                    if is_pair { skipped.max(before[j] + self.matched(*a, *b)) } else { skipped };
            }
            std::mem::swap(&mut before, &mut now);
        }
        before[right.len()]
    }

    /// Siblings, of those in a row that are equal only the first.
    fn folded<'t>(&self, twigs: &'t [TwigId]) -> Cow<'t, [TwigId]> {
        let kind = |it: &TwigId| self.outline.twig(*it).kind;
        if !self.folds_runs || twigs.windows(2).all(|pair| kind(&pair[0]) != kind(&pair[1])) {
            return Cow::Borrowed(twigs);
        }
        let mut folded = twigs.to_vec();
        folded.dedup_by_key(|it| kind(it));
        Cow::Owned(folded)
    }

    pub(crate) fn size_of(&self, twigs: &[TwigId]) -> usize {
        self.folded(twigs).iter().map(|it| self.size(self.outline.twig(*it))).sum()
    }

    /// By how many twigs have the same paths, without regard to what is beside what. Linear in both.
    fn alike_at_a_glance(&mut self, left: TwigId, right: TwigId) -> f64 {
        let paths = |id: TwigId| {
            let root = self.outline.twig(id);
            let size = (root.size as usize).min(MAX_GLANCE);
            let all = self.outline.twigs().skip(id.index()).take(size);
            // Paths are from the root of the page: those of siblings differ where the siblings do.
            let mut paths: Vec<u32> = all.map(|it| self.outline.twig(it).path).collect();
            paths.sort_unstable();
            if self.folds_runs {
                paths.dedup();
            }
            paths
        };
        let (left, right) = (paths(left), paths(right));
        let (mut i, mut j, mut n_common) = (0, 0, 0);
        while i < left.len() && j < right.len() {
            match left[i].cmp(&right[j]) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => (i, j, n_common) = (i + 1, j + 1, n_common + 1),
            }
        }
        self.budget = self.budget.saturating_sub(left.len() + right.len());
        2.0 * f64::from(n_common) / (left.len() + right.len()) as f64
    }
}

fn is_large(left: &Twig, right: &Twig) -> bool {
    (left.size as usize).saturating_mul(right.size as usize) > MAX_PAIRS
}

/// Twigs that a glance takes in.
const MAX_GLANCE: usize = 4096;
