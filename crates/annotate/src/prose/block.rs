//! The blocks of a page that have text, each by what is counted in it.

use super::crumb::Crumbs;
use crate::sheet::{Sheet, join};
use page::{Leaf, LeafKind, NodeId};
use std::ops::Range;

/// A block of text.
pub(super) struct Text {
    pub(super) element: NodeId,
    /// Some of these may show no text.
    pub(super) leaves: Range<usize>,
    /// Those that do.
    pub(super) n_leaves: usize,
    pub(super) n_words: usize,
    /// Words inside links, in bold, with a capital at their start.
    pub(super) n_linked: usize,
    pub(super) n_bold: usize,
    pub(super) n_upper: usize,
    pub(super) n_chars: usize,
    pub(super) n_digits: usize,
    pub(super) n_marks: usize,
    pub(super) ends_sentence: bool,
    pub(super) names_time: bool,
    pub(super) has_mail: bool,
    pub(super) has_copyright: bool,
}

/// A text of so many words is prose, if few of them are in links.
const PROSE: usize = 10;
/// A text of fewer words may say that comments follow.
const MAX_HEADING: usize = 8;
/// What pages call what readers say.
const COMMENTS: [&str; 11] = [
    "comment",
    "kommentar",
    "comentario",
    "commenti",
    "reacties",
    "комментари",
    "评论",
    "評論",
    "コメント",
    "댓글",
    "talkback",
];
/// A time is at the start or the end of a text, within so many bytes.
const NEAR_END: usize = 120;

/// The texts of all blocks, cut where lines are left blank: many pages have their paragraphs in one element.
pub(super) fn texts(sheet: &Sheet<'_>, crumbs: &Crumbs) -> Vec<Text> {
    let is_cut = cuts(sheet);
    let mut texts = Vec::with_capacity(sheet.blocks.len());
    for block in &sheet.blocks {
        let Range { mut start, end } = block.leaves.clone();
        let cuts = (start + 1..end).filter(|leaf| is_cut[*leaf]).chain([end]);
        for next in cuts {
            texts.extend(text(sheet, crumbs, block.element, &(start..next)));
            start = next;
        }
    }
    texts
}

/// By leaf: whether blank lines, or a rule, stand before it.
fn cuts(sheet: &Sheet<'_>) -> Vec<bool> {
    let (page, leaves) = (sheet.page, &sheet.leaves);
    let mut is_cut = vec![false; leaves.len()];
    let (mut next, mut n_breaks) = (0, 0);
    // Leaves come in the order of their nodes.
    for node in page.descendants(page.document()) {
        match page.tag(node) {
            Some("br") => n_breaks += 1,
            Some("hr") => n_breaks += BLANK,
            _ => {}
        }
        while next < leaves.len() && leaves.get(next).node == node {
            is_cut[next] = n_breaks >= BLANK;
            next += 1;
            n_breaks = 0;
        }
    }
    is_cut
}

/// So many line breaks leave a line blank.
const BLANK: usize = 2;

fn text(
    sheet: &Sheet<'_>,
    crumbs: &Crumbs,
    element: NodeId,
    leaves: &Range<usize>,
) -> Option<Text> {
    let mut text = Text {
        element,
        leaves: leaves.clone(),
        n_leaves: 0,
        n_words: 0,
        n_linked: 0,
        n_bold: 0,
        n_upper: 0,
        n_chars: 0,
        n_digits: 0,
        n_marks: 0,
        ends_sentence: false,
        names_time: false,
        has_mail: false,
        has_copyright: false,
    };
    let shown: Vec<usize> = text.shown(sheet).collect();
    for leaf in shown {
        let leaf = sheet.leaves.get(leaf);
        text.add(&leaf, crumbs.get(leaf.element).is_bold);
    }
    (text.n_leaves > 0).then_some(text)
}

impl Text {
    /// Its leaves that show text.
    pub(super) fn shown<'s>(&self, sheet: &'s Sheet<'_>) -> impl Iterator<Item = usize> + 's {
        let is_shown = |leaf: &Leaf<'_>| {
            leaf.kind == LeafKind::Text
                && !leaf.text.is_empty()
                && sheet.page.tag(leaf.element) != Some("title")
        };
        self.leaves.clone().filter(move |leaf| is_shown(&sheet.leaves.get(*leaf)))
    }

    fn add(&mut self, leaf: &Leaf<'_>, is_bold: bool) {
        let text = leaf.text;
        let n_words = n_words(text);
        self.n_leaves += 1;
        self.n_words += n_words;
        self.n_linked += if leaf.link.is_some() { n_words } else { 0 };
        self.n_bold += if is_bold { n_words } else { 0 };
        let words = text.split_whitespace();
        self.n_upper += words.filter(|word| word.starts_with(char::is_uppercase)).count();
        for c in text.chars() {
            self.n_chars += 1;
            self.n_digits += usize::from(c.is_ascii_digit());
            let is_mark =
                matches!(c, ',' | '.' | ';' | '!' | '?' | '，' | '。' | '、' | '！' | '？');
            self.n_marks += usize::from(is_mark);
            self.has_mail |= c == '@';
            self.has_copyright |= c == '©';
        }
        self.ends_sentence = ends_sentence(text);
        self.names_time |= names_time(text);
    }

    /// Words of prose: those beside links, if there are enough.
    pub(super) fn prose(&self) -> usize {
        let is_prose = self.n_words >= PROSE && self.n_linked * 3 < self.n_words;
        if is_prose { self.n_words - self.n_linked } else { 0 }
    }

    /// Whether it is like the first paragraph of an article.
    pub(super) fn is_paragraph(&self) -> bool {
        self.n_words >= 2 * PROSE && self.n_linked * 4 < self.n_words
    }

    pub(super) fn links(&self) -> f32 {
        self.n_linked as f32 / self.n_words as f32
    }

    /// Whether it, or how it begins, announces comments of readers.
    pub(super) fn announces_comments(&self, sheet: &Sheet<'_>) -> bool {
        let is_short = self.n_words <= MAX_HEADING && self.n_linked * 2 < self.n_words;
        let announces = |text: &str| {
            let text = text.to_lowercase();
            COMMENTS.iter().any(|word| text.contains(word))
        };
        let first = self.shown(sheet).next().map(|leaf| sheet.leaves.get(leaf));
        let is_heading = |leaf: &Leaf<'_>| leaf.link.is_none() && n_words(leaf.text) <= MAX_HEADING;
        is_short && announces(&join(&sheet.leaves, self.leaves.clone()))
            || first.is_some_and(|leaf| is_heading(&leaf) && announces(leaf.text))
    }
}

/// Words; where they are not parted, two characters are one.
fn n_words(text: &str) -> usize {
    let n_parted = text.split_whitespace().count();
    let n_ideographs = text.chars().filter(|c| *c >= '\u{2e80}').count();
    n_parted.max(n_ideographs / 2).max(1)
}

fn ends_sentence(text: &str) -> bool {
    let is_closing =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '”' | '’' | ')' | '»' | '」');
    let text = text.trim_end_matches(is_closing);
    text.ends_with(['.', '!', '?', '。', '！', '？', '…'])
}

/// Whether a time of day is at its start or its end: `3:05`.
fn names_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let end = bytes.len().saturating_sub(NEAR_END);
    let is_time = |it: &[u8]| {
        it[0].is_ascii_digit() && it[1] == b':' && it[2].is_ascii_digit() && it[3].is_ascii_digit()
    };
    let start = &bytes[..bytes.len().min(NEAR_END)];
    start.windows(4).any(is_time) || bytes[end..].windows(4).any(is_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_texts() {
        let html = "<div>One <b>two</b><br>three<br> <br>four<hr>five</div><p>six<br></p><br>seven";
        let page = page::parse(html.as_bytes());
        let sheet = Sheet::new(&page, &crate::text::Introductions::default());
        let texts = texts(&sheet, &Crumbs::of(&page));
        let shown = texts.iter().map(|it| join(&sheet.leaves, it.leaves.clone()));
        assert_eq!(shown.collect::<Vec<_>>(), ["One two three", "four", "five", "six", "seven"]);
    }

    #[test]
    fn texts_are_counted() {
        assert_eq!(n_words("Three short words"), 3);
        assert_eq!(n_words("新闻报道说天气"), 3);
        assert!(ends_sentence("He said \"yes.\"") && !ends_sentence("Read more"));
        assert!(names_time("Posted by Ann, 3:05 PM") && !names_time("Ratio 3:5"));
    }
}
