//! Leaves that are put together from the source, by those who know where they stand without a tree: see
//! [`skim`](crate::skim).

use super::{Entry, LazyType, LeafKind, Leaves, push_pieces, shown_span};
use crate::path::{PathId, Paths};
use crate::text::{self, is_blank};
use crate::token::chars::{References, push_decoded};
use crate::tree::{NodeId, Span, offset};
use std::ops::Range;

/// A leaf, its texts being ranges of what [`Leaves`] hold.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) text: Range<u32>,
    pub(crate) link: Option<Range<u32>>,
    pub(crate) src: Option<Range<u32>>,
    pub(crate) path: PathId,
    pub(crate) span: Span,
    pub(crate) kind: LeafKind,
    pub(crate) attribute: Option<&'static str>,
    pub(crate) is_apart: bool,
}

/// A stretch of a text, with what references made of it where that differs from the source.
#[derive(Clone, Debug)]
pub(crate) struct Piece<T> {
    pub(crate) span: Span,
    pub(crate) decoded: Option<T>,
}

/// Leaves that are kept to be copied.
#[derive(Clone, Debug)]
pub(crate) struct KeptLeaves {
    entries: Vec<Entry>,
    text: Box<str>,
}

impl KeptLeaves {
    /// About how much memory they hold, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>() + self.text.len()
    }
}

/// What stands between one text and the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seam {
    /// Whether something parts the text before from whatever comes next.
    pub(crate) is_apart: bool,
    /// Whether the text at hand ends with a blank.
    pub(crate) is_apart_next: bool,
}

impl Leaves {
    /// Start with the leaves of another page.
    pub(crate) fn start_written(&mut self) {
        self.entries.clear();
        self.text.clear();
    }

    /// How many bytes of text they have.
    pub(crate) fn n_text(&self) -> usize {
        self.text.len()
    }

    /// Those that are there, to be copied by others that have the same paths. Their types are found out for all of them.
    pub(crate) fn kept(&self) -> KeptLeaves {
        for leaf in self.iter() {
            leaf.data_type();
        }
        KeptLeaves { entries: self.entries.clone(), text: self.text.as_str().into() }
    }

    /// Add some that were kept, and their text, on a page where they stand so many bytes later; or earlier, if the number is
    /// near the end of its range.
    pub(crate) fn copy(
        &mut self,
        kept: &KeptLeaves,
        leaves: Range<usize>,
        text: Range<usize>,
        later: u32,
    ) {
        let more = offset(self.text.len()).wrapping_sub(offset(text.start));
        self.text.push_str(&kept.text[text]);
        let moved = |it: &Range<u32>| it.start.wrapping_add(more)..it.end.wrapping_add(more);
        self.entries.extend(kept.entries[leaves].iter().map(|entry| Entry {
            text: moved(&entry.text),
            link: entry.link.as_ref().map(moved),
            src: entry.src.as_ref().map(moved),
            span: entry.span.moved(later),
            ..entry.clone()
        }));
    }

    pub(crate) fn paths_mut(&mut self) -> &mut Paths {
        &mut self.paths
    }

    #[inline]
    pub(crate) fn push_written(&mut self, leaf: Written) {
        let Written { text, link, src, path, span, kind, attribute, is_apart } = leaf;
        // It stands in no tree.
        let (element, node) = (NodeId(0), NodeId(0));
        let lazy_type = LazyType::default();
        let entry = Entry {
            text,
            link,
            src,
            path,
            element,
            node,
            span,
            kind,
            lazy_type,
            attribute,
            is_apart,
        };
        self.entries.push(entry);
    }

    /// Take back the last one.
    pub(crate) fn pop_written(&mut self) {
        self.entries.pop();
    }

    /// The text and the place of what stands in the source as nearly all texts do: in ASCII, with single blanks inside.
    /// None if it is another; and none within if it is blank.
    #[inline]
    pub(crate) fn plain_text(
        &mut self,
        source: &str,
        span: Span,
        seam: &mut Seam,
    ) -> Option<Option<(Range<u32>, Span)>> {
        let written = &source[span.range()];
        let from_start = written.trim_ascii_start();
        let shown = from_start.trim_ascii_end();
        if !text::is_plain(shown) {
            return None;
        }
        let head = written.len() - from_start.len();
        seam.is_apart |= head > 0;
        seam.is_apart_next = head + shown.len() < written.len();
        if shown.is_empty() {
            return Some(None);
        }
        let place = span.start as usize + head;
        let start = self.text.len();
        self.text.push_str(shown);
        let text = offset(start)..offset(self.text.len());
        Some(Some((text, Span::new(place, place + shown.len()))))
    }

    /// The text and the place of any text; none if it is blank.
    pub(crate) fn any_text<T: AsRef<str>>(
        &mut self,
        source: &str,
        pieces: &[Piece<T>],
        seam: &mut Seam,
    ) -> Option<(Range<u32>, Span)> {
        let mut has_blank_end = false;
        let texts = pieces.iter().map(|piece| piece.text(source)).enumerate().map(|(nth, text)| {
            seam.is_apart |= nth == 0 && text.starts_with(is_blank);
            has_blank_end = text.ends_with(is_blank);
            text
        });
        let text = push_pieces(&mut self.text, texts);
        seam.is_apart_next = has_blank_end;
        if text.is_none() {
            seam.is_apart |= has_blank_end;
        }
        let spans = pieces.iter().map(|piece| (piece.span, piece.decoded.is_some()));
        text.map(|text| (text, shown_span(source, spans)))
    }

    /// Keep a text without the blanks at its ends.
    pub(crate) fn keep(&mut self, text: &str) -> Range<u32> {
        let start = self.text.len();
        self.text.push_str(text::trimmed(text));
        offset(start)..offset(self.text.len())
    }

    /// The same of a value of an attribute whose references are yet to be resolved.
    pub(crate) fn keep_decoded(&mut self, written: &str) -> Range<u32> {
        let start = self.text.len();
        push_decoded(&mut self.text, written, References::DecodeInAttribute);
        let (head, tail) = text::blank_ends(&self.text[start..]);
        let end = self.text.len() - tail.min(self.text.len() - start - head);
        offset(start + head)..offset(end)
    }

    /// Keep a text collapsed; none if it is blank.
    pub(crate) fn keep_collapsed(&mut self, text: &str) -> Option<Range<u32>> {
        push_pieces(&mut self.text, std::iter::once(text))
    }
}

impl<T: AsRef<str>> Piece<T> {
    fn text<'a>(&'a self, source: &'a str) -> &'a str {
        match &self.decoded {
            Some(decoded) => decoded.as_ref(),
            None => &source[self.span.range()],
        }
    }
}
