//! CSV: one row per record of the main set, or one per page.
//!
//! The columns are `page`, `status`, the columns of the page and, with records as rows, those of the record. Where a record has
//! a column of a name that is taken, the set's name comes in front: `books_title`. A page without records (because it
//! failed, or has none) has one row, with the record's cells empty. The other sets of a page are left out of records' rows,
//! where each would be repeated with every record.
//!
//! A set within a row is one cell: the texts joined by [`SEPARATOR`] if its records have one column, else JSON.
//!
//! Two things are changed on the way, because cells come from strangers and CSV has no way to escape. Control
//! characters other than tabs and ends of lines become U+FFFD. And a cell that a spreadsheet would take for a formula
//! gets an apostrophe in front, unless [`SinkConfig::with_formulas`](super::SinkConfig::with_formulas) says otherwise.

use super::layout::{Names, columns, records, sets, text};
use super::main_set::{heaviest_set, main_set};
use super::output::Output;
use super::{CsvRows, Row, SinkConfig, SinkError, WriteRows};
use std::borrow::Cow;
use std::io;
use wrapper::{Data, Field, Schema, Set};

/// Between the texts of a set in one cell.
pub(super) const SEPARATOR: &str = " | ";

/// Which columns there are, and where their cells come from.
pub(super) struct Plan {
    header: Vec<String>,
    page_cells: Vec<Cell>,
    /// Where records are rows: their set, and their cells.
    records: Option<(String, Vec<Cell>)>,
    keeps_formulas: bool,
}

/// Where the text of a cell comes from: a field, by its key.
enum Cell {
    Text(String),
    /// A set of records with this one column.
    Joined {
        set: String,
        column: String,
    },
    Json(String),
}

impl Plan {
    /// `fields` are those of the schema that are written.
    pub(super) fn new(
        schema: &Schema,
        fields: &[Field],
        config: &SinkConfig,
    ) -> Result<Plan, SinkError> {
        let mut header = Header::default();
        let mut page_cells = Vec::new();
        let rows_of = rows_of(schema, fields, &config.rows)?;
        let is_in_page = |field: &&Field| rows_of.is_none() || matches!(field, Field::Column(_));
        for field in fields.iter().filter(is_in_page) {
            header.add(field.name());
            page_cells.push(Cell::of(field));
        }
        for field in rows_of.iter().flat_map(|set| &set.fields) {
            header.add_of_record(rows_of.map_or("", |set| &set.name), field.name());
        }
        let record_cells =
            |set: &Set| (set.name.clone(), set.fields.iter().map(Cell::of).collect());
        Ok(Plan {
            header: header.names,
            page_cells,
            records: rows_of.map(record_cells),
            keeps_formulas: config.keeps_formulas,
        })
    }

    /// What stands in a cell, with what is harmful in it disarmed.
    fn tame<'t>(&self, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let text = without_controls(text.into());
        match !self.keeps_formulas && is_formula(&text) {
            true => Cow::Owned(format!("'{text}")),
            false => text,
        }
    }
}

pub(super) fn rows_of<'f>(
    schema: &Schema,
    fields: &'f [Field],
    rows: &CsvRows,
) -> Result<Option<&'f Set>, SinkError> {
    let named = |wanted: &str| sets(fields).find(|set| set.name == wanted);
    match rows {
        CsvRows::Pages => Ok(None),
        CsvRows::Auto => Ok(main_set(schema).and_then(named)),
        CsvRows::Records => heaviest_set(fields).map(Some).ok_or(SinkError::NoSets),
        CsvRows::RecordsOf(wanted) => {
            let known = || sets(fields).map(|set| set.name.clone()).collect();
            let unknown = || SinkError::UnknownSet { set: wanted.clone(), known: known() };
            named(wanted).map(Some).ok_or_else(unknown)
        }
    }
}

/// The names of columns, each once.
struct Header {
    names: Vec<String>,
    given: Names,
}

impl Default for Header {
    fn default() -> Header {
        let first = ["page", "status"];
        Header { names: first.map(str::to_owned).into(), given: Names::reserving(&first) }
    }
}

impl Header {
    fn add(&mut self, name: &str) {
        self.names.push(self.given.unique(name));
    }

    fn add_of_record(&mut self, set: &str, name: &str) {
        match self.given.has(name) {
            true => self.add(&format!("{set}_{name}")),
            false => self.add(name),
        }
    }
}

impl Cell {
    fn of(field: &Field) -> Cell {
        match field {
            Field::Column(column) => Cell::Text(column.name.clone()),
            Field::Set(set) => match (&set.fields[..], columns(&set.fields).next()) {
                ([_], Some(column)) => {
                    Cell::Joined { set: set.name.clone(), column: column.to_owned() }
                }
                _ => Cell::Json(set.name.clone()),
            },
        }
    }

    fn read<'d>(&self, data: Option<&'d Data>) -> Cow<'d, str> {
        match self {
            Cell::Text(key) => text(data, key).unwrap_or_default(),
            Cell::Joined { set, column } => {
                let records = records(data, set).into_iter().flatten();
                let texts: Vec<_> = records.filter_map(|record| text(record, column)).collect();
                texts.join(SEPARATOR).into()
            }
            Cell::Json(set) => text(data, set).unwrap_or_default(),
        }
    }
}

pub(super) struct Csv {
    writer: csv::Writer<Output>,
    plan: Plan,
}

impl Csv {
    pub(super) fn create(out: Output, plan: Plan) -> io::Result<Csv> {
        let mut writer = csv::Writer::from_writer(out);
        let header = plan.header.iter().map(|name| plan.tame(&**name).into_owned());
        writer.write_record(header.collect::<Vec<_>>()).map_err(io_error)?;
        Ok(Csv { writer, plan })
    }

    /// A row with the cells of the page, which are the same for all its records, and those of one record.
    fn write_row(&mut self, of_page: &[Cow<'_, str>], record: Option<&Data>) -> csv::Result<()> {
        for cell in of_page {
            self.writer.write_field(cell.as_bytes())?;
        }
        for cell in self.plan.records.iter().flat_map(|(_, cells)| cells) {
            self.writer.write_field(self.plan.tame(cell.read(record)).as_bytes())?;
        }
        self.writer.write_record(None::<&[u8]>)
    }

    fn write_page(&mut self, row: &Row<'_>) -> csv::Result<()> {
        let mut of_page = vec![self.plan.tame(row.page), row.status.name().into()];
        of_page.extend(self.plan.page_cells.iter().map(|cell| self.plan.tame(cell.read(row.data))));
        let set = self.plan.records.as_ref().map(|(set, _)| set);
        let records: Vec<_> =
            set.and_then(|set| records(row.data, set)).into_iter().flatten().collect();
        if records.is_empty() {
            return self.write_row(&of_page, None);
        }
        records.into_iter().try_for_each(|record| self.write_row(&of_page, record))
    }
}

impl WriteRows for Csv {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.write_page(row).map_err(io_error)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let out = self.writer.into_inner().map_err(|error| error.into_error())?;
        out.finish()
    }
}

/// Control characters cannot be escaped in CSV; some readers stop at them, and terminals obey them.
fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_harmful = |it: char| it.is_control() && !matches!(it, '\t' | '\n' | '\r');
    match text.contains(is_harmful) {
        true => Cow::Owned(text.replace(is_harmful, "\u{FFFD}")),
        false => text,
    }
}

/// Whether a spreadsheet may run what is in a cell.
///
/// Spreadsheets go by the first character (OWASP, CSV injection; East Asian ones know its wide forms too). Texts such as
/// `-5`, `+3.5 %`, `-1 234,50 €`, `+49 (0)30 123-45` and a lone `-` start with a sign too, and are left alone: without
/// a letter, nothing can name a function, a cell or a program.
fn is_formula(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        Some('=' | '@' | '\t' | '\r' | '\n' | '＝' | '＠') => true,
        Some('+' | '-' | '＋' | '－') => !characters.all(is_of_numbers),
        _ => false,
    }
}

fn is_of_numbers(character: char) -> bool {
    const SIGNS: &str = ".,'’%‰()/-–€$£¥₹";
    character.is_ascii_digit() || matches!(character, ' ' | '\u{A0}') || SIGNS.contains(character)
}

/// The crate's own conversion would hide that a pipe was closed.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => cause,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_phones_are_no_formulas() {
        for text in ["-5", "+3.5 %", "-1 234,50 €", "+49 (0)30 123-45", "-", "--", "a=b", "", "'="]
        {
            assert!(!is_formula(text), "{text:?}");
        }
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_a_formula() {
        for text in ["=1+1", "+A1", "-2+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "＝1", "-x"]
        {
            assert!(is_formula(text), "{text:?}");
        }
    }
}
