//! Places of a page as an editor shows them: lines, columns, bytes, and what is written there.

use page::{Page, RawMap, Span};
use std::ops::Range;

/// Finds places of one page.
///
/// ```
/// use pagemill::place::Places;
///
/// let bytes = b"<h1>Dune</h1>\n<b>$9</b>";
/// let page = pagemill::parse(bytes);
/// let places = Places::new(&page, bytes);
/// let price = page.leaves().get(1).span;
/// let place = places.of(price).unwrap();
/// assert_eq!((place.line, place.column, place.bytes), (2, 4, 17..19));
/// assert_eq!(places.snippet(price).unwrap().inside, "$9");
/// ```
pub struct Places<'p> {
    page: &'p Page,
    raw: RawMap,
    /// Where lines start in the source.
    lines: Vec<usize>,
}

/// Where something is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Counted from one.
    pub line: usize,
    /// Counted from one, in characters.
    pub column: usize,
    /// In the page as it came.
    pub bytes: Range<usize>,
}

/// What is written somewhere, with some of what is around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The characters before it.
    pub before: String,
    /// What is written there; of a long text the start.
    pub inside: String,
    /// The characters after it.
    pub after: String,
}

/// So many characters are shown around a value, and of the value itself.
const AROUND: usize = 40;
const INSIDE: usize = 200;

impl<'p> Places<'p> {
    /// Of a page, and the bytes that it was parsed from.
    pub fn new(page: &'p Page, bytes: &[u8]) -> Places<'p> {
        let breaks = page.source().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(index, _)| index + 1)).collect();
        Places { page, raw: page.raw_map(bytes), lines }
    }

    /// Where a span is; none if nothing is written there.
    pub fn of(&self, span: Span) -> Option<Place> {
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
    pub fn snippet(&self, span: Span) -> Option<Snippet> {
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
