//! The schema in the languages of others: DTD and JSON Schema. What is template is left out, as in the data; the DTD
//! also leaves out whole texts beside their values.

use super::{Field, Schema};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

impl Schema {
    /// A document type definition with `page` for its root. A set is an element that repeats.
    pub fn to_dtd(&self) -> String {
        let mut elements = BTreeMap::new();
        let content = declare(&self.fields, &self.either, "", &mut elements);
        let mut dtd = format!("<!ELEMENT page {content}>\n");
        for (name, content) in elements {
            let _ = writeln!(dtd, "<!ELEMENT {name} {content}>");
        }
        dtd
    }

    /// A JSON Schema of the data of one page.
    pub fn to_json_schema(&self) -> Json {
        let mut schema = object(&self.fields);
        schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        schema
    }
}

/// The content model of some fields; what they consist of is added to `elements`.
fn declare(
    fields: &[Field],
    either: &[Vec<Vec<String>>],
    within: &str,
    elements: &mut BTreeMap<String, String>,
) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut told: Vec<&Vec<Vec<String>>> = Vec::new();
    for field in fields.iter().filter(|field| field.is_data()) {
        let particle = particle(field, within, elements);
        let branches =
            either.iter().find(|branches| branches.iter().flatten().any(|it| it == field.name()));
        match branches {
            None => parts.push(particle),
            // Alternatives stand where the first of them does.
            Some(branches) if !told.contains(&branches) => {
                told.push(branches);
                parts.push(choice(branches, fields, within));
            }
            Some(_) => {}
        }
    }
    if parts.is_empty() { "EMPTY".into() } else { format!("({})", parts.join(", ")) }
}

/// One field in a content model, declared in `elements`.
fn particle(field: &Field, within: &str, elements: &mut BTreeMap<String, String>) -> String {
    let name = element_name(field, within);
    match field {
        Field::Column(_) => {
            elements.entry(name.clone()).or_insert_with(|| "(#PCDATA)".into());
        }
        Field::Set(set) => {
            let content = declare(&set.fields, &set.either, &format!("{name}."), elements);
            elements.insert(name.clone(), content);
        }
    }
    let mark = match (field, field.density() < 1000) {
        (Field::Column(_), true) => "?",
        (Field::Column(_), false) => "",
        (Field::Set(_), true) => "*",
        (Field::Set(_), false) => "+",
    };
    format!("{name}{mark}")
}

/// `((price, old_price) | notify)`
fn choice(branches: &[Vec<String>], fields: &[Field], within: &str) -> String {
    let member = |name: &String| {
        let field = fields.iter().find(|field| field.name() == name)?;
        let mark = if matches!(field, Field::Set(_)) { "+" } else { "" };
        Some(format!("{}{mark}", element_name(field, within)))
    };
    let branch = |names: &Vec<String>| {
        let members: Vec<String> = names.iter().filter_map(member).collect();
        if members.len() == 1 { members.concat() } else { format!("({})", members.join(", ")) }
    };
    format!("({})", branches.iter().map(branch).collect::<Vec<_>>().join(" | "))
}

/// Sets of one name may stand in several others.
fn element_name(field: &Field, within: &str) -> String {
    match field {
        Field::Column(column) => xml_name(&column.name),
        Field::Set(set) => xml_name(&format!("{within}{}", set.name)),
    }
}

/// A name that XML takes: digits may not come first.
fn xml_name(name: &str) -> String {
    if name.starts_with(char::is_numeric) { format!("_{name}") } else { name.to_owned() }
}

fn object(fields: &[Field]) -> Json {
    let mut properties = serde_json::Map::new();
    let mut required = Vec::new();
    for field in fields.iter().filter(|field| !field.is_template()) {
        let (name, density, property) = match field {
            Field::Column(column) => {
                let mut property = json!({ "type": "string", "x-type": column.data_type.name() });
                if let Some(label) = &column.label {
                    property["title"] = json!(label);
                }
                (&column.name, column.density, property)
            }
            Field::Set(set) => {
                (&set.name, set.density, json!({ "type": "array", "items": object(&set.fields) }))
            }
        };
        if density == 1000 {
            required.push(name.clone());
        }
        properties.insert(name.clone(), property);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}
