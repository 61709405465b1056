//! Pages from outside: what repeats on them, and who is listed.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

/// Small pages, each with one point.
mod snippets;

/// Pages of the corpus, by their gold.
mod corpus;

/// The university of the corpus: all its people and units, by its gold.
mod university;

/// Pages that are large or made to hurt: record sets.
mod hostile;

/// The same: people and units.
mod hostile_people;

use page::Page;
use regions::{RecordSet, SetConfig, record_sets};
use wrapper::{Data, Value};

fn sets(html: &str) -> Vec<RecordSet> {
    sets_of(&page::parse(html.as_bytes()))
}

fn sets_of(page: &Page) -> Vec<RecordSet> {
    record_sets(page, &page.leaves(), None, &SetConfig::default())
}

/// The texts of each record of the main set, one record a line.
fn main_set(html: &str) -> String {
    let sets = sets(html);
    let records = sets.first().map_or(&[][..], |set| &set.records);
    records.iter().map(|record| texts(record).join(" | ") + "\n").collect()
}

/// All texts of a record, those of records in it too.
fn texts(record: &Data) -> Vec<String> {
    let texts = |value: &Value| match value {
        Value::Text(text) => vec![text.to_string()],
        Value::Records(records) => records.iter().flat_map(texts).collect(),
    };
    record.iter().flat_map(|(_, value)| texts(value)).collect()
}
