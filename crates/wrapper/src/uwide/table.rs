//! From sequences to slots: aligned, refined, and what repeats within them made a table of its own.

use super::align::{self, Column, Scores};
use super::encode::Codes;
use super::outline::{Entry, Item, Outline};
use super::refine::{self, Stripped};
use crate::induce::{Built, Context};
use crate::name;
use crate::schema::{Hints, Place, Reading, Shape, Slot, Value};

/// All that making tables needs.
pub(super) struct Pages<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) scores: Scores,
    pub(super) codes: Codes,
    pub(super) outlines: Vec<Outline<'a>>,
}

/// A page or a record.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) page: usize,
    pub(super) entries: Vec<Entry>,
}

/// Rules may uncover one another: `b` in `i`. More than this are not.
const MAX_PASSES: usize = 2;

pub(super) fn build(pages: &Pages<'_>, rows: Vec<Row>, depth: usize) -> Built {
    let columns = aligned(pages, rows.clone(), depth);
    let groups = refine::groups(&pages.codes, &columns, rows.len());
    let mut built = Built { slots: Vec::new(), values: vec![Vec::new(); rows.len()] };
    let mut label = None;
    for group in groups {
        let columns = &columns[group];
        if columns.len() > 1 {
            note_joined(pages, columns, depth);
            let hints = Hints { label: label.clone(), ..hints(pages, &rows, columns) };
            add_leaves(&rows, columns, &mut built);
            // Where every part is thin, only the whole is read.
            let is_prose = columns.iter().all(|column| refine::is_thin(column, rows.len()));
            let reading = if is_prose { Reading::Prose } else { Reading::Run };
            built.slots.push(Slot::new(Shape::Text(reading), hints));
            if is_prose {
                continue;
            }
        }
        for column in columns {
            let one = std::slice::from_ref(column);
            let own = label_of(pages, &rows, column);
            // A label is called by itself, which makes it template even where not all rows have it.
            let called = own.clone().or(label.take());
            let hints = Hints { label: called, ..hints(pages, &rows, one) };
            let shape = if column.is_set() {
                set(pages, &rows, column, depth, &mut built)
            } else {
                add_leaves(&rows, one, &mut built);
                Shape::Text(Reading::Leaf)
            };
            built.slots.push(Slot::new(shape, hints));
            label = own;
        }
    }
    built
}

fn aligned(pages: &Pages<'_>, mut rows: Vec<Row>, depth: usize) -> Vec<Column> {
    let align = |rows: &[Row]| {
        let sequences: Vec<&[Entry]> = rows.iter().map(|row| &*row.entries).collect();
        align::align(&pages.scores, &sequences)
    };
    let mut columns = align(&rows);
    for _ in 0..MAX_PASSES {
        let stripped = refine::decorations(pages.context, &pages.codes, &columns, rows.len());
        if stripped.is_empty() {
            break;
        }
        note_stripped(pages, &stripped, depth);
        for entry in rows.iter_mut().flat_map(|row| &mut row.entries) {
            entry.mark.path = *stripped.get(&entry.mark.path).unwrap_or(&entry.mark.path);
        }
        columns = align(&rows);
    }
    columns
}

fn note_stripped(pages: &Pages<'_>, stripped: &Stripped, depth: usize) {
    for (from, to) in stripped {
        let display = |path| pages.codes.display(pages.context, path);
        pages
            .context
            .journal
            .note(depth, || format!("decoration: {} is read as {}", display(*from), display(*to)));
    }
}

fn set(pages: &Pages<'_>, rows: &[Row], column: &Column, depth: usize, built: &mut Built) -> Shape {
    let mut cells: Vec<Option<Entry>> = vec![None; rows.len()];
    for (row, entry) in &column.cells {
        cells[*row] = Some(*entry);
    }
    let mut records = Vec::new();
    let mut counts = Vec::new();
    for (row, cell) in rows.iter().zip(cells) {
        let number = match cell.map(|entry| entry.item) {
            Some(Item::Set(number)) => number,
            _ => {
                counts.push(0);
                continue;
            }
        };
        let found = &pages.outlines[row.page].regions[number].records;
        counts.push(found.len());
        records.extend(found.iter().map(|it| Row { page: row.page, entries: it.clone() }));
    }
    let inner = build(pages, records, depth + 1);
    let mut values = inner.values.into_iter();
    for (count, out) in counts.into_iter().zip(&mut built.values) {
        out.push(match count {
            0 => Value::Missing,
            _ => Value::Set(values.by_ref().take(count).collect()),
        });
    }
    Shape::Set(inner.slots)
}

/// Add for each row the stretch of leaves that it has in some columns.
fn add_leaves(rows: &[Row], columns: &[Column], built: &mut Built) {
    for out in &mut built.values {
        out.push(Value::Missing);
    }
    for (at, entry) in columns.iter().flat_map(|column| &column.cells) {
        let leaf = entry.start..entry.start + 1;
        match built.values[*at].last_mut() {
            Some(Value::Basic(place)) => {
                place.leaves.start = place.leaves.start.min(leaf.start);
                place.leaves.end = place.leaves.end.max(leaf.end);
            }
            Some(last) => *last = Value::Basic(Place { page: rows[*at].page, leaves: leaf }),
            None => {}
        }
    }
}

fn note_joined(pages: &Pages<'_>, columns: &[Column], depth: usize) {
    pages.context.journal.note(depth, || {
        let path = columns.first().map(|column| pages.codes.block(column.profile.path));
        let path = path.map(|path| pages.codes.display(pages.context, path)).unwrap_or_default();
        format!("free text: {} columns at {path} are read as one", columns.len())
    });
}

/// Elements above a leaf that may say what it is called.
const MAX_CLIMB: usize = 4;

/// What the markup says of the first cell. For a leaf, the nearest element that gives a name, and the nearest tag, which a
/// heading around it outdoes.
fn hints(pages: &Pages<'_>, rows: &[Row], columns: &[Column]) -> Hints {
    let first = columns.iter().flat_map(|column| &column.cells).min_by_key(|(row, _)| *row);
    let Some((row, entry)) = first else { return Hints::default() };
    let sheet = &pages.outlines[rows[*row].page].sheet;
    let symbols = pages.context.symbols;
    let mut hints = Hints::default();
    let mut twig = entry.twig;
    for _ in 0..MAX_CLIMB {
        let at = sheet.bough.twig(twig);
        let tag = symbols.name(at.tag);
        if matches!(tag, "html" | "head" | "body" | "") {
            break;
        }
        if matches!(&*hints.tag, "" | "#text") || name::is_heading(tag) {
            hints.tag = tag.to_owned();
        }
        let said = Hints {
            class: symbols.name(at.class).to_owned(),
            id: symbols.name(at.id).to_owned(),
            ..Hints::default()
        };
        let has_name = name::from_hints(&hints).is_some();
        if !has_name && name::from_hints(&said).is_some() {
            hints = Hints { tag: hints.tag, ..said };
        }
        if name::is_heading(tag) || matches!(entry.item, Item::Set(_)) {
            break;
        }
        twig = sheet.parents[twig.index()];
    }
    hints
}

/// Longer texts are no labels.
const MAX_LABEL: usize = 40;

/// What a column that says the same everywhere calls the next one.
fn label_of(pages: &Pages<'_>, rows: &[Row], column: &Column) -> Option<String> {
    if column.is_set() || !column.is_constant() {
        return None;
    }
    let (row, entry) = column.cells.first()?;
    let text = pages.outlines[rows[*row].page].sheet.bough.leaf(entry.start).text;
    let is_label = text.ends_with([':', '：']) && text.chars().count() <= MAX_LABEL;
    is_label.then(|| text.to_owned())
}
