//! The schema in the languages of others: DTD and JSON Schema. What is template is left out, as in the data.

use super::{Field, Schema};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

impl Schema {
    /// A document type definition with `page` for its root. A set is an element that repeats.
    pub fn to_dtd(&self) -> String {
        let mut elements = BTreeMap::new();
        let content = declare(&self.fields, "", &mut elements);
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
fn declare(fields: &[Field], within: &str, elements: &mut BTreeMap<String, String>) -> String {
    let mut parts = Vec::new();
    for field in fields.iter().filter(|field| !field.is_template()) {
        match field {
            Field::Column(column) => {
                let name = xml_name(&column.name);
                elements.entry(name.clone()).or_insert_with(|| "(#PCDATA)".into());
                parts.push(if column.density < 1000 { format!("{name}?") } else { name });
            }
            Field::Set(set) => {
                // Sets of one name may stand in several others.
                let name = xml_name(&format!("{within}{}", set.name));
                let content = declare(&set.fields, &format!("{name}."), elements);
                parts.push(format!("{name}{}", if set.density < 1000 { "*" } else { "+" }));
                elements.insert(name, content);
            }
        }
    }
    if parts.is_empty() { "EMPTY".into() } else { format!("({})", parts.join(", ")) }
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
