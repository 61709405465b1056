//! What stands between blocks of a text: a table, a list of short lines.
//!
//! Nothing in such a block is like prose, and one by one they are told from menus by little. Together they are told by where they stand:
//! the text goes on after them in the same element. What is put into texts from elsewhere has links, or is called what it is.
//!
//! In articles of WCXB about three in four of what stands in such gaps are of the text.

use super::Reading;
use page::NodeId;
use std::ops::Range;

/// The odds of what is taken because of where it stands: as many are right.
const FILLED: f32 = 1.2;
/// No more of the words are in links.
const MAX_LINKS: f32 = 0.25;
/// The blocks before and after stand no deeper than this below the element that holds both.
const N_LEVELS: usize = 2;

impl Reading<'_, '_> {
    /// Take what stands between blocks that are likelier than not, where it belongs to them.
    pub(crate) fn fill_gaps(&mut self) {
        let likely = |nth: &usize| self.blocks[*nth].odds > 0.0;
        let likely: Vec<usize> = (0..self.blocks.len()).filter(likely).collect();
        for pair in likely.windows(2) {
            let gap = pair[0] + 1..pair[1];
            let is_taken = !gap.is_empty()
                && self.common(pair[0], pair[1]).is_some_and(|it| self.belongs(gap.clone(), it));
            if is_taken {
                self.blocks[gap].iter_mut().for_each(|block| block.odds = FILLED);
            }
        }
    }

    /// The lowest element that holds both blocks, if neither is deep below it.
    fn common(&self, before: usize, after: usize) -> Option<NodeId> {
        let texts = &self.portraits.texts;
        let sheet = self.portraits.sheet;
        let holds = |node: &NodeId| sheet.is_below(texts[after].leaves.start, *node);
        let common = self.above(before).find(holds)?;
        self.above(after).any(|node| node == common).then_some(common)
    }

    /// The element of a block and those not far above.
    fn above(&self, nth: usize) -> impl Iterator<Item = NodeId> {
        let element = self.portraits.texts[nth].element;
        let above = self.portraits.sheet.page.ancestors(element);
        std::iter::once(element).chain(above).take(N_LEVELS + 1)
    }

    /// Whether blocks in an element that has text before and after them are of that text.
    fn belongs(&self, gap: Range<usize>, common: NodeId) -> bool {
        let Self { portraits, is_announced, .. } = self;
        let around = portraits.crumbs.get(common);
        let (mut n_words, mut n_linked) = (0, 0);
        for nth in gap {
            let text = &portraits.texts[nth];
            let crumb = portraits.crumbs.get(text.element);
            let is_other = crumb.is_furniture && !around.is_furniture
                || crumb.is_comment
                || is_announced[nth]
                || text.names_time;
            if is_other {
                return false;
            }
            n_words += text.n_words;
            n_linked += text.n_linked;
        }
        (n_linked as f32) < MAX_LINKS * n_words as f32
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Judged, Portraits};
    use super::*;
    use crate::sheet::{Sheet, join};
    use crate::text::Introductions;

    /// What is taken where texts with a full stop are likely.
    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        let page = page::parse(html.as_bytes());
        let sheet = Sheet::new(&page, &Introductions::default());
        let portraits = Portraits::of(&sheet);
        let is_announced = vec![false; portraits.texts.len()];
        let judged = portraits.texts.iter().map(|text| Judged {
            leaves: text.leaves.clone(),
            odds: if text.ends_sentence { 3.0 } else { -3.0 },
        });
        let mut reading = Reading { blocks: judged.collect(), is_announced, portraits };
        reading.fill_gaps();
        let filled = reading.blocks.iter().filter(|it| it.odds == FILLED);
        let filled = filled.map(|it| join(&sheet.leaves, it.leaves.clone()));
        assert_eq!(filled.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tables_and_lines_in_a_text_are_of_it() {
        check(
            "<ul><li>Home</ul><div><p>One.<table><tr><td>Roads<td>12</table><p>Two.<p>Three<p>Four.</div><p>Five",
            &["Roads", "12", "Three"],
        );
        check("<div>One.<br><br>Two<br><br>Three.</div>", &["Two"]);
    }

    #[test]
    fn what_is_put_into_a_text_is_not() {
        check("<p>One.<ul><li><a href=/a>Elsewhere</a><li>More</ul><p>Two.", &[]);
        check("<div><p>One.<div class=related><p>Elsewhere</div><p>Two.</div>", &[]);
        check("<div><p>One.<p>Ann, 3:05<p>Two.</div>", &[]);
        check("<div class=comments><p>One.<p>Ann<p>Two.</div>", &[]);
    }

    #[test]
    fn texts_in_other_elements_are_apart() {
        check("<div><div><div><p>One.</div></div></div><p>Elsewhere<p>Two.", &[]);
        check("<div><p>One.</div><p>Between<div><p>Two.</div>", &["Between"]);
    }
}
