//! GraphML: objects are nodes, what relates them are edges, a role with its context among them.

use super::ExportError;
use super::walk::End;
use crate::facts::{Facts, ObjectId};
use crate::schema::{PropertyId, Schema};
use std::io::{self, Write};

pub(super) fn write(facts: &mut Facts<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    head(facts.schema(), out)?;
    facts.each_object(|facts, row| {
        writeln!(out, "    <node id=\"n{}\">", row.id.0)?;
        data(out, "class", &facts.schema().class(row.class).name)?;
        data(out, "name", &row.name)?;
        attributes(out, facts.attributes(row.id.0)?)?;
        writeln!(out, "    </node>")?;
        Ok(())
    })?;
    facts.each_object(|facts, row| {
        if let Some((container, by)) = row.container {
            edge(facts, out, container, row.id, by, "contain", Vec::new())?;
        }
        for (by, target) in facts.edges(row.id.0)? {
            edge(facts, out, row.id, target.id, by, "normal", Vec::new())?;
        }
        for role in facts.played(End::Unit, row.id)? {
            edge(facts, out, row.id, role.other.id, role.role, "role", role.held)?;
        }
        Ok(())
    })?;
    writeln!(out, "  </graph>\n</graphml>")?;
    Ok(())
}

fn head(schema: &Schema, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    for (id, what) in
        [("class", "node"), ("name", "node"), ("relationship", "edge"), ("kind", "edge")]
    {
        writeln!(
            out,
            "  <key id=\"{id}\" for=\"{what}\" attr.name=\"{id}\" attr.type=\"string\"/>"
        )?;
    }
    for (id, property) in schema.properties().filter(|(id, _)| schema.is_attribute(*id)) {
        let name = escaped(&property.name);
        writeln!(
            out,
            "  <key id=\"a{}\" for=\"all\" attr.name=\"{name}\" attr.type=\"string\"/>",
            id.0
        )?;
    }
    writeln!(out, "  <graph edgedefault=\"directed\">")
}

fn edge(
    facts: &Facts<'_>,
    out: &mut dyn Write,
    from: ObjectId,
    to: ObjectId,
    by: PropertyId,
    kind: &str,
    held: Vec<(PropertyId, String)>,
) -> io::Result<()> {
    writeln!(out, "    <edge source=\"n{}\" target=\"n{}\">", from.0, to.0)?;
    data(out, "relationship", &facts.schema().property(by).name)?;
    data(out, "kind", kind)?;
    attributes(out, held)?;
    writeln!(out, "    </edge>")
}

/// A key comes once an element, so that several values are one text.
fn attributes(out: &mut dyn Write, mut held: Vec<(PropertyId, String)>) -> io::Result<()> {
    held.sort_by_key(|(id, _)| *id);
    for all in held.chunk_by(|one, other| one.0 == other.0) {
        let values: Vec<&str> = all.iter().map(|(_, value)| value.as_str()).collect();
        data(out, &format!("a{}", all[0].0.0), &values.join("; "))?;
    }
    Ok(())
}

fn data(out: &mut dyn Write, key: &str, value: &str) -> io::Result<()> {
    writeln!(out, "      <data key=\"{key}\">{}</data>", escaped(value))
}

/// Without what XML has no way to write.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for next in text.chars() {
        match next {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | ' '.. => match next {
                '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
                other => out.push(other),
            },
            _ => out.push('\u{FFFD}'),
        }
    }
    out
}
