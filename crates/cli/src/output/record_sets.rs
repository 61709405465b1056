//! Record sets of a page, as rows of a table.

use super::safe::safe;
use pagemill::regions::RecordSet;
use pagemill::wrapper::{Data, Value};
use pagemill::{DataType, wrapper::Field};

/// Columns that a table has at most.
const MAX_COLUMNS: usize = 5;
/// Letters of a cell that are looked at.
const MAX_CELL: usize = 60;
/// Nothing is shown that fewer records have, in thousandths.
const MIN_DENSITY: u32 = 500;

/// The records of a set as rows: what most of them have and says more than an address.
pub(crate) fn rows(set: &RecordSet) -> Vec<Vec<String>> {
    let is_url =
        |field: &Field| matches!(field, Field::Column(it) if it.data_type == DataType::Url);
    let data: Vec<&Field> = set.fields.iter().filter(|it| it.is_data()).collect();
    let is_telling = |it: &&&Field| it.density() >= MIN_DENSITY && !is_url(it);
    let mut fields: Vec<&Field> = data.iter().filter(is_telling).copied().collect();
    if fields.is_empty() {
        fields = data;
    }
    let row = |record: &Data| fields.iter().take(MAX_COLUMNS).map(|it| cell(record, it)).collect();
    set.records.iter().map(row).collect()
}

fn cell(record: &Data, field: &Field) -> String {
    let text = match record.get(field.name()) {
        Some(Value::Text(text)) => text.to_string(),
        Some(Value::Records(records)) => {
            let first =
                |record: &Data| record.iter().find_map(|(_, it)| it.as_str().map(str::to_owned));
            records.iter().take(MAX_CELL).filter_map(first).collect::<Vec<_>>().join(", ")
        }
        None => String::new(),
    };
    let head: String = text.chars().take(MAX_CELL).collect();
    safe(&head).into_owned()
}
