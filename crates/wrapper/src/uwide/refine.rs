//! Looking at what alignment made, and making it anew where it is thin.
//!
//! A set whose table has too many holes is no set. Between two columns of the template, too many columns with holes mean that
//! decoration broke texts, or that people wrote what stands there.
//!
//! The paper joins all columns of such a stretch. Here only neighbours are joined that stand in one block and on one line, and
//! those of them that most rows have stay columns of their own beside the whole: joining all loses fields that are merely rare.

use super::align::{self, Column, Scores};
use super::encode::{Codes, Kind, Mark, PathCode, is_decorative};
use super::outline::{Entry, Outline};
use super::proposal::Proposal;
use crate::induce::Context;
use crate::twig::TwigId;
use std::collections::BTreeMap;
use std::ops::Range;

/// What fewer have is thin: the paper's threshold for columns and for sets.
const DENSE: f64 = 0.6;
/// Share of thin columns from which on a stretch is made anew.
const THIN: f64 = 0.3;
/// Records that are aligned to see how dense they are.
const MAX_ALIGNED: usize = 60;

/// Whether the table of a set's records is dense enough; if not, says why not. What only decoration breaks counts as one text:
/// else no set with free texts in it would be one.
pub(super) fn check_density(
    scores: &Scores,
    codes: &Codes,
    outlines: &[Outline<'_>],
    proposal: &Proposal,
) -> Result<(), String> {
    let records: Vec<Vec<Entry>> = proposal
        .stands
        .iter()
        .flat_map(|stand| stand.records.iter().map(|record| (stand.page, record)))
        .map(|(page, record)| in_blocks(codes, &outlines[page], record))
        .collect();
    let step = records.len().div_ceil(MAX_ALIGNED).max(1);
    let sampled: Vec<&[Entry]> = records.iter().step_by(step).map(Vec::as_slice).collect();
    let columns = align::align(scores, &sampled);
    let sizes: Vec<usize> = columns.iter().map(|column| column.cells.len()).collect();
    let density = density(&sizes, sampled.len());
    if density < DENSE {
        return Err(format!("aligned, its density is {density:.2}, below {DENSE}"));
    }
    Ok(())
}

/// A record's entries, each text with what only decoration parts from it one.
pub(super) fn in_blocks(codes: &Codes, outline: &Outline<'_>, record: &[TwigId]) -> Vec<Entry> {
    let mut blocks: Vec<Entry> = Vec::new();
    for entry in record.iter().flat_map(|twig| outline.below(*twig)) {
        let path = codes.block(entry.mark.path);
        let is_leaf = entry.mark.kind != Kind::Set;
        let goes_on = blocks.last().is_some_and(|last| last.mark.path == path);
        let goes_on = goes_on && is_leaf && !entry.starts_line;
        if !goes_on {
            let path = if is_leaf { path } else { entry.mark.path };
            blocks.push(Entry { mark: Mark { path, ..entry.mark }, ..*entry });
        }
    }
    blocks
}

/// Share of the rows that must have a column for it to count. What hardly any has says nothing of the others.
const RARE: f64 = 0.1;

/// The non-null share of a table, given how many rows have each column.
pub(super) fn density(sizes: &[usize], n_rows: usize) -> f64 {
    let counted = sizes.iter().filter(|size| **size as f64 >= RARE * n_rows as f64);
    let (n_columns, n_cells) = counted.fold((0, 0), |(n, sum), size| (n + 1, sum + size));
    n_cells as f64 / (n_columns * n_rows).max(1) as f64
}

/// Paths that are read as others, because a decorative tag is all that they have more.
pub(super) type Stripped = BTreeMap<PathCode, PathCode>;

fn starts_line(column: &Column) -> bool {
    2 * column.cells.iter().filter(|(_, entry)| entry.starts_line).count() > column.cells.len()
}

pub(super) fn is_thin(column: &Column, n_rows: usize) -> bool {
    (column.cells.len() as f64) < DENSE * n_rows as f64
}

/// Stretches between template columns, with too many thin columns in them.
fn thin_stretches(columns: &[Column], n_rows: usize) -> Vec<Range<usize>> {
    let is_template = |column: &Column| column.is_constant() && column.cells.len() == n_rows;
    let is_thin = |column: &&Column| is_thin(column, n_rows);
    let mut stretches = Vec::new();
    let mut start = 0;
    for end in 0..=columns.len() {
        if columns.get(end).is_some_and(|column| !is_template(column)) {
            continue;
        }
        let n_thin = columns[start..end].iter().filter(is_thin).count();
        if n_thin as f64 > THIN * (end - start) as f64 {
            stretches.push(start..end);
        }
        start = end + 1;
    }
    stretches
}

/// Paths in thin stretches that are one decorative tag longer than that of a text beside them.
pub(super) fn decorations(
    context: &Context<'_>,
    codes: &Codes,
    columns: &[Column],
    n_rows: usize,
) -> Stripped {
    let mut stripped = Stripped::new();
    for stretch in thin_stretches(columns, n_rows) {
        let columns = &columns[stretch];
        for (at, column) in columns.iter().enumerate().filter(|(_, column)| !column.is_set()) {
            let (text, leaf_tag) = codes.last_step(column.profile.path);
            let (around, tag) = codes.last_step(text);
            if !is_decorative(context.symbols.name(tag)) {
                continue;
            }
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            let plain = beside.filter_map(|at| columns.get(at)).find(|column| {
                !column.is_set() && codes.last_step(column.profile.path) == (around, leaf_tag)
            });
            if let Some(plain) = plain {
                stripped.insert(column.profile.path, plain.profile.path);
            }
        }
    }
    stripped
}

/// Which columns to read together: texts of thin stretches that only decoration tells apart.
pub(super) fn groups(codes: &Codes, columns: &[Column], n_rows: usize) -> Vec<Range<usize>> {
    let block = |at: usize| {
        let column = &columns[at];
        (!column.is_set()).then(|| codes.block(column.profile.path))
    };
    let goes_on = |at: usize| block(at) == block(at + 1) && !starts_line(&columns[at + 1]);
    let mut is_end = vec![true; columns.len()];
    for stretch in thin_stretches(columns, n_rows) {
        // The last has nothing of its stretch after it.
        for at in stretch.clone().take(stretch.len() - 1) {
            is_end[at] = block(at).is_none() || !goes_on(at);
        }
    }
    let mut start = 0;
    let mut groups = Vec::new();
    for end in (1..=columns.len()).filter(|end| is_end[end - 1]) {
        groups.push(start..end);
        start = end;
    }
    groups
}
