//! Turtle: objects, their attributes and relationships as triples; a role also as a node of its own, with its context.
//!
//! Specific roles are properties below generic ones, so that a reasoner finds what queries find.

use super::ExportError;
use super::walk::End;
use crate::facts::{Facts, ObjectId};
use crate::schema::{Kind, Owner, PropertyId, Schema, ValueType};
use std::io::{self, Write};

const PREFIXES: &str = "@prefix net: <urn:pagemill:network:> .
@prefix class: <urn:pagemill:class:> .
@prefix has: <urn:pagemill:has:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
";

pub(super) fn write(facts: &mut Facts<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    out.write_all(PREFIXES.as_bytes())?;
    schema(facts.schema(), out)?;
    facts.each_object(|facts, row| {
        let subject = object(row.id);
        writeln!(
            out,
            "\n{subject} a {} ;\n    rdfs:label {} .",
            class(&facts.schema().class(row.class).name),
            literal(&row.name)
        )?;
        if let Some(page) = facts.page_of(row.id)? {
            writeln!(out, "{subject} prov:wasDerivedFrom {} .", address(&page))?;
        }
        if let Some((container, by)) = row.container {
            writeln!(out, "{} {} {subject} .", object(container), property(facts.schema(), by))?;
        }
        held(facts, out, &subject, row.id.0)?;
        for role in facts.played(End::Unit, row.id)? {
            let (by, player) = (property(facts.schema(), role.role), object(role.other.id));
            writeln!(out, "{subject} {by} {player} .")?;
            let context = format!("net:context-{}", role.id);
            writeln!(
                out,
                "{context} a net:Role ; net:unit {subject} ; net:role {by} ; net:player {player} ."
            )?;
            held(facts, out, &context, role.id)?;
        }
        Ok(())
    })
}

impl Facts<'_> {
    fn page_of(&mut self, object: ObjectId) -> Result<Option<String>, crate::error::Error> {
        let query =
            "SELECT s.page FROM net_object o JOIN net_source s ON s.id = o.source WHERE o.id = ?1";
        let row = self.db.first(query, &[crate::store::Param::Int(object.0)])?;
        Ok(row.map(|row| row[0].text()).filter(|page| ValueType::Url.accepts(page)))
    }
}

fn schema(schema: &Schema, out: &mut dyn Write) -> io::Result<()> {
    for (_, it) in schema.classes() {
        writeln!(out, "{} a rdfs:Class ; rdfs:label {} .", class(&it.name), literal(&it.name))?;
        if let Some(parent) = it.parent {
            writeln!(
                out,
                "{} rdfs:subClassOf {} .",
                class(&it.name),
                class(&schema.class(parent).name)
            )?;
        }
    }
    for (id, it) in schema.properties() {
        writeln!(out, "{} rdfs:label {} .", property(schema, id), literal(&it.name))?;
        if let Owner::Generic(generic) = it.owner {
            writeln!(
                out,
                "{} rdfs:subPropertyOf {} .",
                property(schema, id),
                property(schema, generic)
            )?;
        }
    }
    Ok(())
}

/// The attributes and normal relationships of an object or context.
fn held(
    facts: &mut Facts<'_>,
    out: &mut dyn Write,
    subject: &str,
    owner: i64,
) -> Result<(), ExportError> {
    for (id, value) in facts.attributes(owner)? {
        writeln!(
            out,
            "{subject} {} {} .",
            property(facts.schema(), id),
            typed(facts.schema(), id, &value)
        )?;
    }
    for (id, target) in facts.edges(owner)? {
        writeln!(out, "{subject} {} {} .", property(facts.schema(), id), object(target.id))?;
    }
    Ok(())
}

fn object(id: ObjectId) -> String {
    format!("net:object-{}", id.0)
}

fn class(name: &str) -> String {
    format!("<urn:pagemill:class:{}>", encoded(name))
}

fn property(schema: &Schema, id: PropertyId) -> String {
    format!("<urn:pagemill:has:{}>", encoded(&schema.path(id)))
}

fn typed(schema: &Schema, id: PropertyId, value: &str) -> String {
    let Kind::Attribute { value: of, .. } = &schema.property(id).kind else {
        return literal(value);
    };
    match of {
        ValueType::Url => address(value),
        ValueType::Int => format!("\"{value}\"^^xsd:integer"),
        ValueType::Number => format!("\"{value}\"^^xsd:double"),
        ValueType::Bool => format!("\"{value}\"^^xsd:boolean"),
        _ => literal(value),
    }
}

fn address(url: &str) -> String {
    let is_fit = |c: char| !c.is_control() && !c.is_whitespace() && !"<>\"{}|^`\\".contains(c);
    let fit: String = url
        .chars()
        .map(|c| if is_fit(c) { c.to_string() } else { encoded(&c.to_string()) })
        .collect();
    format!("<{fit}>")
}

fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for next in text.chars() {
        match next {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            control if control.is_control() => {
                out.push_str(&format!("\\u{:04X}", u32::from(control)))
            }
            other => out.push(other),
        }
    }
    out + "\""
}

/// A name as part of an address.
fn encoded(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                out.push(char::from(byte))
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
