//! Writing statements, so that they are read as the same statements.

use super::{Body, Change, Given, Item, ObjectName, ObjectPath, One, Statement};
use crate::query;
use crate::reader::{Word, is_simple, write_name};
use crate::schema::{Relation, Schema, print_class};

/// A longer statement is written over several lines.
const MAX_WIDTH: usize = 100;

/// A statement as text, with a semicolon at its end.
pub fn print(statement: &Statement, schema: &Schema) -> String {
    match statement {
        Statement::Class(class) => print_class(class),
        Statement::Change(change) => print_change(change, schema),
        Statement::Query(query) => query::print(query, schema),
    }
}

fn print_change(change: &Change, schema: &Schema) -> String {
    let mut head = format!("{} ", change.action.word());
    write_path(&mut head, &change.object, schema);
    if change.items.is_empty() {
        return head + ";";
    }
    let items: Vec<String> = change.items.iter().map(|it| print_item(it, schema)).collect();
    let line = format!("{head} [ {} ];", items.join(", "));
    if line.chars().count() <= MAX_WIDTH {
        return line;
    }
    format!("{head} [\n  {} ];", items.join(",\n  "))
}

fn write_path(out: &mut String, path: &ObjectPath, schema: &Schema) {
    for (idx, class) in path.classes.iter().enumerate() {
        out.push_str(if idx > 0 { "." } else { "" });
        write_name(out, &class.text, is_simple);
    }
    out.push(' ');
    write_names(out, path, schema);
}

fn write_names(out: &mut String, path: &ObjectPath, schema: &Schema) {
    let is_first_clear = |name: &str| !lengthens_class(path, name, schema);
    for (idx, name) in path.names.iter().enumerate() {
        out.push_str(if idx > 0 { "." } else { "" });
        let is_alone = path.names.len() == 1;
        write_numbered(out, name, |text| {
            is_simple(text)
                && (is_alone || !text.contains('.'))
                && (idx > 0 || is_first_clear(text))
        });
    }
}

/// Whether the last class and the name that follows would be read as a longer name of a class.
fn lengthens_class(path: &ObjectPath, name: &str, schema: &Schema) -> bool {
    let Some(class) = path.classes.last() else { return false };
    let both = format!("{} {name}", class.text);
    schema.classes().any(|(_, other)| {
        other.name.len() > class.text.len() && both.starts_with(other.name.as_str())
    })
}

/// A name as a value or as the target of a relationship.
pub(crate) fn write_object_name(out: &mut String, name: &ObjectName) {
    write_numbered(out, name, is_plain_value);
}

fn write_numbered(out: &mut String, name: &ObjectName, is_plain: impl Fn(&str) -> bool) {
    write_name(out, &name.name.text, is_plain);
    if let Some(nth) = name.nth {
        out.push_str(&format!(" #{nth}"));
    }
}

/// Values may have colons and more: addresses do.
pub(crate) fn is_plain_value(text: &str) -> bool {
    let harmless: String =
        text.chars().filter(|c| !matches!(c, ':' | '(' | ')' | '=' | '@' | '!' | '$')).collect();
    let start = text.chars().next();
    let is_odd = start.is_some_and(|c| matches!(c, '$' | '(' | '!' | '=' | '@' | ':'))
        || text.ends_with(' ')
        || text.starts_with(' ')
        || text.contains(" --")
        || text.contains("  ");
    is_simple(&harmless) && !is_odd
}

fn print_item(item: &Item, schema: &Schema) -> String {
    let mut out = String::new();
    write_item(&mut out, item, schema);
    out
}

fn write_item(out: &mut String, item: &Item, schema: &Schema) {
    if let Some(kind) = item.kind {
        let word = match kind {
            // As the first statement of the language ever printed has it.
            Relation::Contain => "Contain",
            other => other.word(),
        };
        out.push_str(word);
        out.push(' ');
    }
    write_item_name(out, &item.name);
    match &item.body {
        Body::Whole => {}
        Body::Down(items) => {
            out.push_str(" -> ");
            write_set(out, items, |out, it| write_item(out, it, schema));
        }
        Body::Values { all, is_set } => {
            out.push_str(": ");
            match &all[..] {
                [value] if !is_set => write_one(out, value, schema),
                values => write_set(out, values, |out, it| write_one(out, it, schema)),
            }
        }
    }
}

/// A name that begins with a word for a kind is quoted: it is no kind.
fn write_item_name(out: &mut String, name: &Word) {
    let is_kind = |text: &str| Relation::ALL.iter().any(|it| text.eq_ignore_ascii_case(it.word()));
    write_name(out, &name.text, |text| {
        is_simple(text) && !text.split(' ').next().is_some_and(is_kind)
    });
}

fn write_one(out: &mut String, one: &One, schema: &Schema) {
    match &one.value {
        Given::Elision(_) => out.push('…'),
        Given::Name(name) => write_object_name(out, name),
        Given::Path(path) => write_cast(out, path, schema),
    }
    if let Some(context) = &one.context {
        let items: Vec<String> = context.iter().map(|it| print_item(it, schema)).collect();
        out.push_str(&format!(" [{}]", items.join(", ")));
    }
}

fn write_cast(out: &mut String, path: &ObjectPath, schema: &Schema) {
    out.push('<');
    for (idx, class) in path.classes.iter().enumerate() {
        out.push_str(if idx > 0 { "." } else { "" });
        write_name(out, &class.text, is_simple);
    }
    out.push_str("> ");
    write_names(out, path, schema);
}

fn write_set<T>(out: &mut String, all: &[T], mut one: impl FnMut(&mut String, &T)) {
    out.push_str("{ ");
    for (idx, it) in all.iter().enumerate() {
        out.push_str(if idx > 0 { ", " } else { "" });
        one(out, it);
    }
    out.push_str(if all.is_empty() { "}" } else { " }" });
}
