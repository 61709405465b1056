//! What the header of a table column says, for each of its cells.

use page::{NodeId, Page};
use std::collections::BTreeMap;

/// The headers of a page's tables, found as cells ask for them in document order.
#[derive(Default)]
pub(crate) struct Headers {
    by_table: BTreeMap<NodeId, Vec<String>>,
    /// The row asked for last, and its cells with the columns they start at.
    row: Option<(NodeId, BTreeMap<NodeId, usize>)>,
}

/// A table wider than this is no table.
const MAX_COLUMNS: usize = 200;
/// Longer texts are no headers.
const MAX_HEADER: usize = 60;

impl Headers {
    /// The header above a cell; none for other elements, and where there is none.
    pub(crate) fn of(&mut self, page: &Page, cell: NodeId) -> Option<&str> {
        if page.tag(cell) != Some("td") {
            return None;
        }
        let row = page.parent(cell)?;
        let table = page.ancestors(row).find(|node| page.tag(*node) == Some("table"))?;
        let column = self.column(page, row, cell)?;
        let headers = self.by_table.entry(table).or_insert_with(|| headers(page, table));
        headers.get(column).map(String::as_str).filter(|header| !header.is_empty())
    }

    fn column(&mut self, page: &Page, row: NodeId, cell: NodeId) -> Option<usize> {
        if self.row.as_ref().is_none_or(|(last, _)| *last != row) {
            let columns = cells(page, row).map(|(cell, columns)| (cell, columns.start)).collect();
            self.row = Some((row, columns));
        }
        self.row.as_ref().and_then(|(_, columns)| columns.get(&cell).copied())
    }
}

/// By column, what the first row of a table says, if that is a row of headers.
fn headers(page: &Page, table: NodeId) -> Vec<String> {
    let mut rows = page.descendants(table).filter(|node| page.tag(*node) == Some("tr"));
    let Some(row) = rows.next() else { return Vec::new() };
    let is_header = cells(page, row).all(|(cell, _)| page.tag(cell) == Some("th"))
        || page.parent(row).and_then(|parent| page.tag(parent)) == Some("thead");
    // One cell over a whole table is its title.
    if !is_header || rows.next().is_none() || cells(page, row).nth(1).is_none() {
        return Vec::new();
    }
    let mut headers = Vec::new();
    for (cell, columns) in cells(page, row) {
        let text = page.text_content(cell).split_whitespace().collect::<Vec<_>>().join(" ");
        let text = if text.len() > MAX_HEADER { String::new() } else { text };
        headers.resize(columns.end, text);
    }
    headers
}

/// The cells of a row with the columns they cover.
fn cells<'p>(
    page: &'p Page,
    row: NodeId,
) -> impl Iterator<Item = (NodeId, std::ops::Range<usize>)> + 'p {
    let mut next = 0;
    page.children(row)
        .filter(|node| matches!(page.tag(*node), Some("td" | "th")))
        .map(move |cell| {
            let span = page.attr(cell, "colspan").and_then(|span| span.trim().parse().ok());
            let start = next;
            next += span.unwrap_or(1).clamp(1, MAX_COLUMNS);
            (cell, start..next)
        })
        .take_while(|(_, columns)| columns.end <= MAX_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_of(html: &str) -> Vec<Option<String>> {
        let page = page::parse(html.as_bytes());
        let mut headers = Headers::default();
        let cells = page.descendants(page.document()).filter(|it| page.tag(*it) == Some("td"));
        cells.map(|cell| headers.of(&page, cell).map(str::to_owned)).collect()
    }

    #[test]
    fn cells_stand_below_their_headers() {
        let table = "<table><tr><th>Name<th colspan=2>Born in<tr><td>Ada<td>1815<td>London</table>";
        let expected = ["Name", "Born in", "Born in"].map(|it| Some(it.to_owned()));
        assert_eq!(headers_of(table), expected);
    }

    #[test]
    fn a_table_without_headers_has_none() {
        assert_eq!(headers_of("<table><tr><td>a<td>b<tr><td>c<td>d</table>"), vec![None; 4]);
        assert_eq!(
            headers_of("<table><tr><th>Pages<td>144<tr><th>Size<td>L</table>"),
            vec![None; 2]
        );
        assert_eq!(headers_of("<table><tr><th>a<th>b</table>"), Vec::<Option<String>>::new());
    }
}
