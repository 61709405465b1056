//! JSON lines: `{"class": "Department", "name", "url", "in"}` and, one for each role, `{"class": "Person", "name", "title",
//! "role", "in", "email", "url"}`.

use super::ExportError;
use super::walk::{End, Role};
use crate::error::Error;
use crate::facts::{Facts, ObjectRow};
use crate::schema::PropertyId;
use serde_json::{Map, Value, json};
use std::io::Write;

pub(super) fn write(facts: &mut Facts<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    facts.each_object(|facts, row| {
        for line in lines(facts, row)? {
            writeln!(out, "{}", harmless(&Value::Object(line).to_string()))?;
        }
        Ok(())
    })
}

/// What is said of an object, a map for each line.
pub(super) fn lines(
    facts: &mut Facts<'_>,
    row: &ObjectRow,
) -> Result<Vec<Map<String, Value>>, Error> {
    let mut own = Map::new();
    own.insert("class".to_owned(), json!(facts.schema().class(row.class).name));
    own.insert("name".to_owned(), json!(row.name));
    let attributes = facts.attributes(row.id.0)?;
    let edges = facts.edges(row.id.0)?;
    if !facts.is_player(row.class) {
        add(facts, &mut own, attributes);
        for (property, target) in edges {
            put(&mut own, &facts.schema().property(property).name, &target.name);
        }
        if let Some((container, _)) = row.container {
            let inside = facts.object(container)?.map(|row| row.name);
            own.insert("in".to_owned(), json!(inside));
        }
        return Ok(vec![own]);
    }
    let roles = facts.played(End::Player, row.id)?;
    let mut lines: Vec<Map<String, Value>> = Vec::new();
    for role in &roles {
        lines.push(in_role(facts, own.clone(), role, attributes.clone()));
    }
    if lines.is_empty() {
        add(facts, &mut own, attributes);
        lines.push(own);
    }
    Ok(lines)
}

/// A player in a role: what the context says comes on top of what is said of the player.
fn in_role(
    facts: &Facts<'_>,
    mut line: Map<String, Value>,
    role: &Role,
    own: Vec<(PropertyId, String)>,
) -> Map<String, Value> {
    let name = facts.schema().property(role.role).name.clone();
    add(facts, &mut line, role.held.clone());
    line.insert("role".to_owned(), json!(name));
    line.insert("in".to_owned(), json!(role.other.name));
    let said: Vec<String> = line.keys().cloned().collect();
    let rest = own
        .into_iter()
        .filter(|(id, _)| !said.contains(&facts.schema().property(*id).name))
        .collect();
    add(facts, &mut line, rest);
    line
}

fn add(facts: &Facts<'_>, line: &mut Map<String, Value>, attributes: Vec<(PropertyId, String)>) {
    for (property, value) in attributes {
        put(line, &facts.schema().property(property).name, &value);
    }
}

/// One value as it is, several as a list.
fn put(line: &mut Map<String, Value>, name: &str, value: &str) {
    match line.get_mut(name) {
        None => {
            line.insert(name.to_owned(), json!(value));
        }
        Some(Value::Array(all)) => all.push(json!(value)),
        Some(one) => *one = json!([one.clone(), value]),
    }
}

/// JSON with what a terminal obeys written as escapes: outside of strings there is none of it.
fn harmless(json: &str) -> String {
    let obeyed = |c: char| matches!(c, '\u{7F}'..='\u{9F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    if !json.contains(obeyed) {
        return json.to_owned();
    }
    json.chars()
        .map(|c| if obeyed(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() })
        .collect()
}
