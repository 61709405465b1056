//! Leaves as a table for people: one per page, each line fitted to the terminal.

use super::safe::safe;
use super::{Selection, Show};
use pagemill::{Leaf, LeafKind, Leaves};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Where nothing tells the width.
const DEFAULT_WIDTH: usize = 100;
/// Narrower than this nothing can be read.
const MIN_WIDTH: usize = 40;
pub(super) const GAP: &str = "  ";
const ELLIPSIS: char = '…';

/// Shows leaves in columns.
pub(crate) struct LeafTable {
    width: usize,
    style: Style,
    is_first: bool,
}

/// How to set off what is read second.
pub(super) struct Style {
    pub(super) bold: &'static str,
    pub(super) dim: &'static str,
    pub(super) plain: &'static str,
}

/// Columns from left to right; the text gets what is left.
struct Columns {
    n: usize,
    kind: usize,
    path: usize,
    text: usize,
}

impl LeafTable {
    /// A table for the terminal at hand.
    pub(crate) fn new() -> LeafTable {
        LeafTable { width: width(), style: Style::new(), is_first: true }
    }

    fn header(&mut self, selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            writeln!(out)?;
        }
        let Style { bold, plain, .. } = self.style;
        let id = safe(&selection.input.id);
        let encoding = selection.page.encoding();
        writeln!(out, "{bold}{id}{plain}{GAP}{encoding}{GAP}{}", count(selection))
    }

    fn row(
        &self,
        leaf: &Leaf<'_>,
        path: &str,
        columns: &Columns,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Style { dim, plain, .. } = self.style;
        let (n_width, kind_width) = (columns.n, columns.kind);
        let (n, kind) = (leaf.position, kind(leaf));
        let path = cut_start(path, columns.path);
        let path_gap = columns.path.saturating_sub(path.width());
        let text = text(leaf, columns.text);
        writeln!(
            out,
            "{dim}{n:>n_width$}{plain}{GAP}{kind:<kind_width$}{GAP}{dim}{path}{plain}{:path_gap$}{GAP}{text}",
            ""
        )
    }
}

impl Show for LeafTable {
    fn show(&mut self, selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.header(selection, out)?;
        let paths: Vec<String> =
            selection.chosen.iter().map(|leaf| path(selection.leaves, leaf)).collect();
        let columns = Columns::fit(self.width, &selection.chosen, &paths);
        for (leaf, path) in selection.chosen.iter().zip(&paths) {
            self.row(leaf, path, &columns, out)?;
        }
        Ok(())
    }
}

impl Columns {
    fn fit(width: usize, leaves: &[Leaf<'_>], paths: &[String]) -> Columns {
        let n = leaves.last().map_or(1, |leaf| leaf.position.to_string().len());
        let kind = leaves.iter().map(|leaf| self::kind(leaf).len()).max().unwrap_or_default();
        let path = paths.iter().map(|path| path.width()).max().unwrap_or_default().min(width / 3);
        let text = width.saturating_sub(n + kind + path + 3 * GAP.len()).max(MIN_WIDTH / 4);
        Columns { n, kind, path, text }
    }
}

impl Style {
    pub(super) fn new() -> Style {
        let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        if is_wanted && io::stdout().is_terminal() {
            Style { bold: "\x1B[1m", dim: "\x1B[2m", plain: "\x1B[0m" }
        } else {
            Style { bold: "", dim: "", plain: "" }
        }
    }
}

pub(super) fn width() -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let real = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    real.or(set).unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH)
}

fn count(selection: &Selection<'_>) -> String {
    match (selection.chosen.len(), selection.leaves.len()) {
        (_, 0) => "no leaves".into(),
        (1, 1) => "1 leaf".into(),
        (n_chosen, n_leaves) if n_chosen == n_leaves => format!("{n_leaves} leaves"),
        (n_chosen, n_leaves) => format!("{n_chosen} of {n_leaves} leaves"),
    }
}

/// What is worth telling of kind and type: the rest can be seen.
fn kind(leaf: &Leaf<'_>) -> Cow<'static, str> {
    let (kind, data_type) = (leaf.kind.name(), leaf.data_type().name());
    match leaf.kind {
        LeafKind::Text => data_type.into(),
        LeafKind::Image => kind.into(),
        _ if data_type == "string" => kind.into(),
        _ => format!("{kind} {data_type}").into(),
    }
}

/// Without the steps that nearly all leaves share.
fn path(leaves: &Leaves, leaf: &Leaf<'_>) -> String {
    let path = leaves.paths().display(leaf.path).to_string();
    let path = path.strip_prefix("html/").unwrap_or(&path);
    let path = path.strip_prefix("body/").unwrap_or(path);
    safe(path).into_owned()
}

/// The text, then where picture and link lead.
fn text(leaf: &Leaf<'_>, width: usize) -> String {
    // No more than fits has to be looked at; one character more tells that something is missing.
    let head: String = leaf.text.chars().take(width + 1).collect();
    let mut text = safe(&head).into_owned();
    for target in leaf.src.into_iter().chain(leaf.link) {
        let arrow = if text.is_empty() { "→ " } else { " → " };
        text.push_str(arrow);
        text.push_str(&safe(&target.chars().take(width + 1).collect::<String>()));
    }
    cut_end(text, width)
}

pub(super) fn cut_end(text: String, width: usize) -> String {
    if text.width() <= width {
        return text;
    }
    let mut n_columns = 0;
    let fits = |character: &char| {
        n_columns += character.width().unwrap_or_default();
        n_columns < width
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.push(ELLIPSIS);
    cut
}

/// A path cut to its last steps.
fn cut_start(path: &str, width: usize) -> Cow<'_, str> {
    if path.width() <= width {
        return path.into();
    }
    let mut n_columns = 0;
    let fits = |character: &char| {
        n_columns += character.width().unwrap_or_default();
        n_columns < width
    };
    let n_bytes: usize = path.chars().rev().take_while(fits).map(char::len_utf8).sum();
    let tail = &path[path.len() - n_bytes..];
    // Whole steps, if there is one.
    let tail = tail.find('/').map_or(tail, |slash| &tail[slash..]);
    format!("{ELLIPSIS}{tail}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_columns_not_characters() {
        assert_eq!(cut_end("abcdef".into(), 6), "abcdef");
        assert_eq!(cut_end("abcdefg".into(), 6), "abcde…");
        assert_eq!(cut_end("日本語".into(), 6), "日本語");
        assert_eq!(cut_end("日本語語".into(), 6), "日本…");
    }

    #[test]
    fn paths_keep_their_last_steps() {
        assert_eq!(cut_start("div/ul/li", 9), "div/ul/li");
        assert_eq!(cut_start("div/ul/li", 8), "…/ul/li");
        assert_eq!(cut_start("div/ul/li", 5), "…/li");
        assert_eq!(cut_start("averylongname", 5), "…name");
    }
}
