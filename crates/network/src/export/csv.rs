//! The lines of `jsonl` as one table, with a column for each name that the schema has.

use super::ExportError;
use super::jsonl::lines;
use crate::facts::Facts;
use crate::schema::{Kind, Owner, Property, Relation};
use serde_json::Value;
use std::io::Write;

/// Those that come first.
const FIRST: [&str; 5] = ["class", "name", "title", "role", "in"];
/// Between the values of one cell.
const BETWEEN: &str = "; ";

pub(super) fn write(facts: &mut Facts<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut columns: Vec<String> = FIRST.iter().map(|name| (*name).to_owned()).collect();
    for (_, property) in facts.schema().properties() {
        if !columns.contains(&property.name) && is_column(property) {
            columns.push(property.name.clone());
        }
    }
    row(out, &columns)?;
    facts.each_object(|facts, object| {
        for line in lines(facts, object)? {
            let cells: Vec<String> = columns.iter().map(|name| cell(line.get(name))).collect();
            row(out, &cells)?;
        }
        Ok(())
    })
}

/// Attributes and normal relationships; roles and parts are rows.
fn is_column(property: &Property) -> bool {
    let is_specific = matches!(property.owner, Owner::Generic(_));
    match &property.kind {
        Kind::Attribute { .. } => true,
        Kind::Relationship(it) => it.relation == Relation::Normal && !is_specific,
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(all)) => {
            all.iter().map(|it| cell(Some(it))).collect::<Vec<String>>().join(BETWEEN)
        }
        _ => String::new(),
    }
}

/// As RFC 4180 has it.
fn row(out: &mut dyn Write, cells: &[String]) -> std::io::Result<()> {
    let quoted: Vec<String> = cells
        .iter()
        .map(|cell| match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        })
        .collect();
    write!(out, "{}\r\n", quoted.join(","))
}
