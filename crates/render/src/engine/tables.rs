//! What the engine does not know of tables, told in ways that it does.
//!
//! It leaves captions out, and takes shares of widths in tables of fixed layout alone, where pages of the years when tables were
//! for layout have them in all.

use page::{NodeId, Page};

/// The style of the row that a caption is put into. That row is then the first, so widths of the cells below are not asked
/// for; it is seldom that a table has both.
pub(super) const CAPTION_ROW: &str = "display: table-row !important";

/// Wider tables are none that a caption has to stand across.
const MAX_COLUMNS: usize = 100;

/// How many columns a caption stands across: those of the first row of its table.
pub(super) fn n_columns(page: &Page, caption: NodeId) -> usize {
    let span = |cell: NodeId| page.attr(cell, "colspan").and_then(|it| it.trim().parse().ok());
    let table = page.parent(caption);
    let cells = table.map(|table| first_row(page, table)).unwrap_or_default();
    let spans = cells.into_iter().map(|cell| span(cell).unwrap_or(1_usize).min(MAX_COLUMNS));
    spans.sum::<usize>().clamp(1, MAX_COLUMNS)
}

/// Whether a table is as wide as it says, and all cells of its first row have shares of that: then nothing is left for
/// what is inside them to say.
pub(super) fn is_shared_out(page: &Page, table: NodeId) -> bool {
    let is_share = |cell: &NodeId| {
        page.attr(*cell, "width").is_some_and(|width| width.trim_end().ends_with('%'))
    };
    let cells = first_row(page, table);
    page.attr(table, "width").is_some() && cells.len() > 1 && cells.iter().all(is_share)
}

fn first_row(page: &Page, table: NodeId) -> Vec<NodeId> {
    let is = |node: NodeId, tags: &[&str]| page.tag(node).is_some_and(|tag| tags.contains(&tag));
    // A page may have captions without end, and each looks here.
    let few = |node: NodeId| page.children(node).take(2 * MAX_COLUMNS);
    let group = few(table).find(|it| is(*it, &["thead", "tbody", "tr"]));
    let row = match group {
        Some(group) if !is(group, &["tr"]) => few(group).find(|it| is(*it, &["tr"])),
        row => row,
    };
    let cells = |row: NodeId| few(row).filter(|it| is(*it, &["td", "th"])).collect();
    row.map(cells).unwrap_or_default()
}
