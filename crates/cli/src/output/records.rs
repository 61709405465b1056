//! Records as a table for people: what tells most, fitted to the terminal.

use super::safe::safe;
use super::table::{GAP, Style, cut_end, width};
use super::telling::telling;
use pagemill::pipeline::Extracted;
use pagemill::sink::main_set;
use pagemill::wrapper::{Data, Field, Value};
use pagemill::{Schema, Status};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// No column is wider, so that others have a place too.
const MAX_CELL: usize = 26;

/// Shows records in columns.
pub(crate) struct RecordTable {
    width: usize,
    style: Style,
    n_rows: usize,
}

impl RecordTable {
    /// A table for the terminal at hand, with so many rows.
    pub(crate) fn new(n_rows: usize) -> RecordTable {
        RecordTable { width: width(), style: Style::new(), n_rows }
    }

    /// What some pages of one schema have: the records they are about, or a row a page.
    pub(crate) fn show(
        &self,
        title: &str,
        schema: &Schema,
        pages: &[Extracted],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (fields, rows) = rows(schema, pages);
        let Style { bold, dim, plain } = self.style;
        let of = main_set(schema).map_or(String::new(), |set| format!(", {} {set}", rows.len()));
        writeln!(out, "{bold}{title}{plain}{GAP}{}{}", count(pages), safe(&of))?;
        let shown = &rows[..rows.len().min(self.n_rows)];
        let columns: Vec<Vec<String>> =
            telling(fields, &rows).iter().map(|it| column(it, shown)).collect();
        let n_columns = columns.len();
        let columns = fit(self.width, columns);
        let n_fields = n_columns - columns.len();
        for at in 0..=shown.len() {
            let line = line(&columns, at);
            match at {
                0 => writeln!(out, "{dim}{line}{plain}")?,
                _ => writeln!(out, "{line}")?,
            }
        }
        let n_rows = rows.len() - shown.len();
        let more = [more(n_rows, "row"), more(n_fields, "column")];
        let more: Vec<String> = more.into_iter().flatten().collect();
        match more.is_empty() {
            true => Ok(()),
            false => writeln!(out, "{dim}… {}{plain}", more.join(", ")),
        }
    }
}

fn more(n: usize, what: &str) -> Option<String> {
    match n {
        0 => None,
        1 => Some(format!("1 more {what}")),
        n => Some(format!("{n} more {what}s")),
    }
}

fn count(pages: &[Extracted]) -> String {
    let n = |status: Status| pages.iter().filter(|page| page.status == status).count();
    let mut text = match pages.len() {
        1 => "1 page".to_owned(),
        n => format!("{n} pages"),
    };
    for (status, n) in [Status::Partial, Status::Failed].map(|status| (status, n(status))) {
        if n > 0 {
            text.push_str(&format!(", {n} {}", status.name()));
        }
    }
    text
}

/// The rows of a table, and what they have.
fn rows<'d>(schema: &'d Schema, pages: &'d [Extracted]) -> (&'d [Field], Vec<&'d Data>) {
    let pages = pages.iter().filter_map(|page| page.data.as_ref());
    let name = main_set(schema);
    let set = schema.fields.iter().find_map(|field| match field {
        Field::Set(set) if Some(set.name.as_str()) == name => Some(set),
        _ => None,
    });
    match set {
        None => (&schema.fields, pages.collect()),
        Some(set) => {
            let records = pages.filter_map(|data| data.get(&set.name)?.as_records());
            (&set.fields, records.flatten().collect())
        }
    }
}

/// The name of a field, and what rows have of it.
fn column(field: &Field, rows: &[&Data]) -> Vec<String> {
    let cells = rows.iter().map(|row| cell(row, field));
    std::iter::once(cut(field.name())).chain(cells).collect()
}

/// What a row has of a field; of records their first texts.
fn cell(row: &Data, field: &Field) -> String {
    match (row.get(field.name()), field) {
        (Some(Value::Text(text)), _) => cut(text),
        (Some(Value::Records(records)), Field::Set(set)) => {
            let inner: Vec<&Data> = records.iter().collect();
            let fields = telling(&set.fields, &inner);
            let texts = records.iter().take(MAX_CELL).filter_map(|record| {
                let field = fields.iter().find(|field| record.contains_key(field.name()))?;
                Some(cell(record, field))
            });
            cut(&texts.collect::<Vec<String>>().join(", "))
        }
        _ => String::new(),
    }
}

fn cut(text: &str) -> String {
    // No more than fits has to be looked at; one character more tells that something is missing.
    let head: String = text.chars().take(MAX_CELL + 1).collect();
    cut_end(safe(&head).into_owned(), MAX_CELL)
}

/// A column that is shown, with its name on top.
struct Shown {
    cells: Vec<String>,
    width: usize,
}

impl Shown {
    fn padded(&self, at: usize) -> String {
        let cell = &self.cells[at];
        format!("{cell}{:n$}", "", n = self.width.saturating_sub(cell.width()))
    }
}

/// As many columns as fit, the first of them always. What is too wide makes room for what comes after it.
fn fit(width: usize, columns: Vec<Vec<String>>) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut n_left = width;
    for cells in columns {
        let width = cells.iter().map(|cell| cell.width()).fold(0, usize::max);
        if shown.is_empty() || width <= n_left {
            n_left = n_left.saturating_sub(width + GAP.len());
            shown.push(Shown { cells, width });
        }
    }
    shown
}

fn line(columns: &[Shown], at: usize) -> String {
    let cells: Vec<String> = columns.iter().map(|column| column.padded(at)).collect();
    cells.join(GAP).trim_end().to_owned()
}
