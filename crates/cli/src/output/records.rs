//! Records as a table for people: what tells most, fitted to the terminal.

use super::safe::safe;
use super::table::{GAP, Style, cut_end, width};
use pagemill::pipeline::Extracted;
use pagemill::sink::main_set;
use pagemill::wrapper::{Data, Field, Value};
use pagemill::{DataType, Schema, Status};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// No column is wider, so that others have a place too.
const MAX_CELL: usize = 26;
/// Longer texts are prose and not for a table.
const MAX_TOLD: usize = 100;
/// Nothing is shown that fewer records have, in thousandths, if there is enough else.
const MIN_DENSITY: u32 = 500;

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
        let fields = distinct(telling(fields), &rows);
        let shown: Vec<Vec<String>> = rows
            .iter()
            .take(self.n_rows)
            .map(|row| fields.iter().map(|field| cell(row, field)).collect())
            .collect();
        let names: Vec<String> = fields.iter().map(|field| cut(field.name())).collect();
        let widths = fit(self.width, &names, &shown);
        writeln!(out, "{dim}{}{plain}", line(&names, &widths))?;
        for row in &shown {
            writeln!(out, "{}", line(row, &widths))?;
        }
        let n_rows = rows.len() - shown.len();
        let n_fields = fields.len() - widths.len();
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

/// The fields that are worth a column: most rows have them, and they are not addresses. All, if there are none such.
fn telling(fields: &[Field]) -> Vec<&Field> {
    let is_url =
        |field: &Field| matches!(field, Field::Column(it) if it.data_type == DataType::Url);
    let data: Vec<&Field> = fields.iter().filter(|field| field.is_data()).collect();
    let chosen: Vec<&Field> = data
        .iter()
        .copied()
        .filter(|field| field.density() >= MIN_DENSITY && !is_url(field))
        .collect();
    if chosen.is_empty() { data } else { chosen }
}

/// The fields without prose, and without those that say what another says; of these the one with the shortest name.
/// All, if nothing else is left.
fn distinct<'f>(fields: Vec<&'f Field>, rows: &[&Data]) -> Vec<&'f Field> {
    let is_prose = |field: &Field| {
        let texts = rows.iter().filter_map(|row| row.get(field.name())?.as_str());
        texts.filter(|text| text.len() > MAX_TOLD).count() * 2 > rows.len()
    };
    let is_same = |one: &Field, other: &Field| {
        rows.iter().all(|row| row.get(one.name()) == row.get(other.name()))
    };
    let mut chosen: Vec<&Field> = Vec::new();
    for field in fields.iter().copied().filter(|field| !is_prose(field)) {
        match chosen.iter_mut().find(|it| rows.len() > 1 && is_same(it, field)) {
            Some(same) if field.name().len() < same.name().len() => *same = field,
            Some(_) => {}
            None => chosen.push(field),
        }
    }
    if chosen.is_empty() { fields } else { chosen }
}

/// What a row has of a field; of records their first texts.
fn cell(row: &Data, field: &Field) -> String {
    match (row.get(field.name()), field) {
        (Some(Value::Text(text)), _) => cut(text),
        (Some(Value::Records(records)), Field::Set(set)) => {
            let fields = telling(&set.fields);
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

/// The widths of the columns, as many as fit; the first always does.
fn fit(width: usize, names: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let mut widths = Vec::new();
    let mut n_left = width;
    for (index, name) in names.iter().enumerate() {
        let cells = rows.iter().map(|row| row[index].width());
        let wanted = cells.fold(name.width(), usize::max);
        if index > 0 && wanted > n_left {
            break;
        }
        n_left = n_left.saturating_sub(wanted + GAP.len());
        widths.push(wanted);
    }
    widths
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let padded = |(cell, width): (&String, &usize)| {
        format!("{cell}{:n$}", "", n = width.saturating_sub(cell.width()))
    };
    let cells: Vec<String> = cells.iter().zip(widths).map(padded).collect();
    cells.join(GAP).trim_end().to_owned()
}
