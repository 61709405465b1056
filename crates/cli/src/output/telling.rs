//! Which fields of records tell most, for tables that have no room for all.
//!
//! A page has far more columns than what people come for: baskets, buttons, ratings of other things. Three things speak for a
//! column: what it says differs from row to row, it has a type or a label, and other columns say it again. What a page
//! repeats most (in its title, its heading, the words of its picture) is what the page is about, and stands first.

use pagemill::DataType;
use pagemill::wrapper::{Data, Field, Reads, Value};
use std::collections::HashSet;

/// Rows that are looked at.
const N_ROWS: usize = 100;
/// Longer texts are prose and not for a table.
const MAX_TOLD: usize = 100;
/// Nothing is shown that fewer records have, in thousandths, if there is enough else.
const MIN_DENSITY: u32 = 500;
/// What names things says something else in so many rows.
const MIN_SPREAD: f64 = 0.9;
/// Shorter texts are in others by chance.
const MIN_ECHOED: usize = 4;

/// Fields by what they tell, the most telling first; one of each that say the same, and no prose. All, if nothing is left.
pub(super) fn telling<'f>(fields: &'f [Field], rows: &[&Data]) -> Vec<&'f Field> {
    let rows = &rows[..rows.len().min(N_ROWS)];
    let data: Vec<&Field> = fields.iter().filter(|field| field.is_data()).collect();
    let usual = data.iter().copied().filter(|field| is_usual(field) && !is_unfit(field, rows));
    let mut shown = distinct(usual.collect(), rows);
    if shown.is_empty() {
        shown = data;
    }
    let subject = subject(&shown, fields, rows);
    shown.retain(|field| subject.is_none_or(|subject| !echoes_of(field, subject, rows)));
    let worth = |field: &Field| match subject {
        Some(subject) if subject.name() == field.name() => f64::INFINITY,
        _ => worth(field, rows),
    };
    // A stable sort: what tells as much keeps its place on the page.
    shown.sort_by(|left, right| worth(right).total_cmp(&worth(left)));
    shown
}

/// The field that says what a row is about: the one that others repeat most, else the first that is different in each.
fn subject<'f>(shown: &[&'f Field], fields: &[Field], rows: &[&Data]) -> Option<&'f Field> {
    let names = shown.iter().rev().copied().filter(|field| spread(field, rows) >= MIN_SPREAD);
    // A whole text repeats what was cut out of it, which says nothing.
    let others = || fields.iter().filter(|other| other.is_data());
    let n_echoes = |field: &Field| others().filter(|it| echoes_of(it, field, rows)).count();
    // Of equals, `max_by_key` gives the last.
    names.max_by_key(|field| n_echoes(field))
}

/// Most rows have it, and it is no address.
fn is_usual(field: &Field) -> bool {
    let is_address = matches!(field, Field::Column(it) if it.data_type == DataType::Url || it.reads == Reads::Link);
    field.density() >= MIN_DENSITY && !is_address
}

/// Prose, and where pictures are.
fn is_unfit(field: &Field, rows: &[&Data]) -> bool {
    let is_path = |text: &str| text.contains('/') && text.contains('.') && !text.contains(' ');
    let is_unfit = |text: &&str| text.len() > MAX_TOLD || is_path(text);
    texts(field, rows).filter(is_unfit).count() * 2 > rows.len()
}

fn texts<'d>(field: &Field, rows: &[&'d Data]) -> impl Iterator<Item = &'d str> {
    rows.iter().filter_map(|row| row.get(field.name())?.as_str())
}

/// What things are called that pages are about.
const SUBJECTS: [&str; 3] = ["title", "name", "headline"];

/// Fields without those that say what another says; of these the one with the plainest name.
fn distinct<'f>(fields: Vec<&'f Field>, rows: &[&Data]) -> Vec<&'f Field> {
    let is_same = |one: &Field, other: &Field| {
        is_other_form(one, other)
            || rows.iter().all(|row| row.get(one.name()) == row.get(other.name()))
    };
    let mut chosen: Vec<&Field> = Vec::new();
    for field in fields {
        match chosen.iter_mut().find(|it| rows.len() > 1 && is_same(it, field)) {
            Some(same) if plainness(field) < plainness(same) => *same = field,
            Some(_) => {}
            None => chosen.push(field),
        }
    }
    chosen
}

/// Lower is plainer.
fn plainness(field: &Field) -> (bool, usize) {
    (!SUBJECTS.contains(&field.name()), field.name().len())
}

/// Whether two columns of one name are days: one for machines, one for people.
fn is_other_form(one: &Field, other: &Field) -> bool {
    let stem = |field: &Field| {
        field.name().trim_end_matches(|it: char| it.is_ascii_digit() || it == '_').to_owned()
    };
    let is_day = |field: &Field| matches!(field, Field::Column(it) if matches!(it.data_type, DataType::Date | DataType::DateTime));
    is_day(one) && is_day(other) && stem(one) == stem(other)
}

/// Whether a field repeats another, with some words more: a title with the name of the shop, a picture's text.
fn echoes_of(field: &Field, of: &Field, rows: &[&Data]) -> bool {
    if field.name() == of.name() {
        return false;
    }
    let is_echo = |row: &&&Data| {
        let said = |field: &Field| row.get(field.name())?.as_str();
        let (Some(text), Some(of)) = (said(field), said(of)) else { return false };
        of.len() >= MIN_ECHOED && text.contains(of)
    };
    rows.iter().filter(is_echo).count() * 10 > rows.len() * 8
}

/// How many different things a field says, by how often it says something.
fn spread(field: &Field, rows: &[&Data]) -> f64 {
    let (mut n, mut seen) = (0, HashSet::new());
    for text in texts(field, rows) {
        n += 1;
        seen.insert(text);
    }
    if n == 0 { 0.0 } else { seen.len() as f64 / f64::from(n) }
}

fn worth(field: &Field, rows: &[&Data]) -> f64 {
    let column = match field {
        Field::Column(column) => column,
        Field::Set(_) => return worth_of_set(field, rows),
    };
    let by_type = match column.data_type {
        DataType::Money => 1.5,
        DataType::String | DataType::Url => 1.0,
        DataType::Number => 0.9,
        _ => 1.2,
    };
    let by_label = if column.label.is_some() { 1.2 } else { 1.0 };
    // A price may be the same in many rows; a button says the same in nearly all.
    spread(field, rows).sqrt() * by_type * by_label * f64::from(column.density) / 1000.0
}

/// Records in a cell are short where they are a list of names, and long where they are a table of their own.
fn worth_of_set(field: &Field, rows: &[&Data]) -> f64 {
    let records = rows.iter().filter_map(|row| row.get(field.name())?.as_records());
    let n_records: usize = records.clone().map(<[Data]>::len).sum();
    let n_cells: usize = records
        .flatten()
        .map(|record| record.iter().filter(|(_, value)| matches!(value, Value::Text(_))).count())
        .sum();
    if n_records == 0 {
        return 0.0;
    }
    let n_rows = rows.len().max(1) as f64;
    f64::from(field.density()) / 1000.0 / (n_records as f64 / n_rows).max(1.0).sqrt()
        * (2.0 / (n_cells as f64 / n_records as f64).max(2.0))
}
