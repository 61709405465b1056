//! Places of a page as an editor shows them.

use pagemill::page::{Page, RawMap, Span};
use std::ops::Range;

/// Finds places of one page.
pub(super) struct Places<'p> {
    page: &'p Page,
    raw: RawMap,
    /// Where lines start in the source.
    lines: Vec<usize>,
}

/// Where something is written.
pub(super) struct Place {
    /// Both counted from one; columns in characters.
    pub(super) line: usize,
    pub(super) column: usize,
    /// In the page as it came.
    pub(super) bytes: Range<usize>,
}

/// What is written somewhere, with some of what is around it.
pub(super) struct Snippet {
    pub(super) before: String,
    pub(super) inside: String,
    pub(super) after: String,
}

/// So many characters are shown around a value, and of the value itself.
const AROUND: usize = 40;
const INSIDE: usize = 200;

impl<'p> Places<'p> {
    pub(super) fn new(page: &'p Page, bytes: &[u8]) -> Places<'p> {
        let breaks = page.source().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(index, _)| index + 1)).collect();
        Places { page, raw: page.raw_map(bytes), lines }
    }

    /// Where a span is; none if nothing is written there.
    pub(super) fn of(&self, span: Span) -> Option<Place> {
        if span.is_empty() {
            return None;
        }
        let start = span.range().start;
        let line = self.lines.partition_point(|it| *it <= start);
        let line_start = self.lines[line - 1];
        let column = self.page.source()[line_start..start].chars().count() + 1;
        Some(Place { line, column, bytes: self.raw.range(span) })
    }

    /// What is written in and around a span, white space collapsed.
    pub(super) fn snippet(&self, span: Span) -> Option<Snippet> {
        if span.is_empty() {
            return None;
        }
        let source = self.page.source();
        let Range { start, end } = span.range();
        let before: Vec<char> = source[..start].chars().rev().take(AROUND).collect();
        let before: String = before.into_iter().rev().collect();
        let after: String = source[end..].chars().take(AROUND).collect();
        let inside = &source[start..end];
        let inside = match inside.char_indices().nth(INSIDE) {
            Some((cut, _)) => format!("{}…", &inside[..cut]),
            None => inside.to_owned(),
        };
        Some(Snippet {
            before: one_line(&before),
            inside: one_line(&inside),
            after: one_line(&after),
        })
    }
}

fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_ascii_whitespace() {
            true if line.ends_with(' ') => {}
            true => line.push(' '),
            false => line.push(character),
        }
    }
    line
}
