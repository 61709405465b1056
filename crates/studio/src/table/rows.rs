//! Rows: a page each, or a record each.

use crate::wire::{CellView, HeaderView, RowView};
use pagemill::Schema;
use pagemill::pipeline::Extracted;
use pagemill::wrapper::{Data, Field, Value};

/// Longer texts are cut; where they stand is shown whole.
const MAX_TEXT: usize = 300;

pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The columns of a page or of the records of a set, and all rows.
pub(super) fn rows(
    schema: &Schema,
    set: &str,
    pages: &[usize],
    extracted: &[Extracted],
) -> (Vec<HeaderView>, Vec<RowView>) {
    let fields = match schema.field(set) {
        Some(Field::Set(set)) => &set.fields,
        _ => &schema.fields,
    };
    let fields: Vec<&Field> = fields.iter().filter(|field| field.is_data()).collect();
    let within = if set.is_empty() { String::new() } else { format!("{set}.") };
    let header = fields.iter().map(|field| HeaderView {
        name: field.name().to_owned(),
        path: format!("{within}{}", field.name()),
        is_set: matches!(field, Field::Set(_)),
    });
    let steps: Vec<&str> = set.split('.').filter(|it| !it.is_empty()).collect();
    let mut all = Vec::new();
    for (page, found) in pages.iter().zip(extracted) {
        let status = found.status.name();
        let mut push = |at: String, data: &Data| {
            let cells = fields.iter().map(|field| cell(data.get(field.name()))).collect();
            all.push(RowView { page: *page, status, at, cells });
        };
        match &found.data {
            Some(data) => records(data, &steps, String::new(), &mut push),
            None => push(String::new(), &Data::new()),
        }
    }
    (header.collect(), all)
}

/// The records at the end of a path. Recursion is bounded by its length.
fn records(data: &Data, steps: &[&str], at: String, push: &mut dyn FnMut(String, &Data)) {
    let Some((name, rest)) = steps.split_first() else { return push(at, data) };
    let Some(Value::Records(all)) = data.get(name) else { return };
    for (nth, record) in all.iter().enumerate() {
        let point = if at.is_empty() { "" } else { "." };
        records(record, rest, format!("{at}{point}{name}[{nth}]"), push);
    }
}

fn cell(value: Option<&Value>) -> CellView {
    match value {
        Some(Value::Text(text)) => CellView { text: Some(clipped(text)), n_records: None },
        Some(Value::Records(records)) => CellView { text: None, n_records: Some(records.len()) },
        None => CellView { text: None, n_records: None },
    }
}
