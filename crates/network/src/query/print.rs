//! Writing queries, so that they are read as the same queries.

use super::{
    ClassTerm, Comparison, Constant, Construct, Entry, Pattern, Prop, PropBody, PropName, Query,
    Term,
};
use crate::reader::{Word, is_simple, write_name};
use crate::schema::Schema;
use crate::statement::{ObjectName, is_plain_value};

/// A query as text, with a semicolon at its end.
pub fn print(query: &Query, schema: &Schema) -> String {
    let mut out = format!("query {}", entries(&query.entries, schema));
    if !query.construct.is_empty() {
        let all: Vec<String> = query.construct.iter().map(construct).collect();
        out.push_str(&format!(" construct {}", all.join(", ")));
    }
    if !query.order.is_empty() {
        let all: Vec<String> = query
            .order
            .iter()
            .map(|order| construct(&order.by) + if order.is_descending { " desc" } else { "" })
            .collect();
        out.push_str(&format!(" order by {}", all.join(", ")));
    }
    if let Some(limit) = query.limit {
        out.push_str(&format!(" limit {limit}"));
    }
    out.push(';');
    out
}

pub(super) fn construct(construct: &Construct) -> String {
    match construct.function {
        Some(function) => format!("{}(${})", function.name(), construct.variable.text),
        None => format!("${}", construct.variable.text),
    }
}

fn entries(all: &[Entry], schema: &Schema) -> String {
    let all: Vec<String> = all.iter().map(|it| entry(it, schema)).collect();
    all.join(", ")
}

fn entry(entry: &Entry, schema: &Schema) -> String {
    match entry {
        Entry::Match(it) => pattern(it, schema),
        Entry::Not(all) => format!("not {}", group(all, schema)),
        Entry::Exists(all) => format!("exists {}", group(all, schema)),
        Entry::Forall(all, others) => {
            format!("forall ({}) ({})", entries(all, schema), entries(others, schema))
        }
        Entry::Compare(left, comparison, right) => {
            let right = match right {
                Constant::Variable(word) => format!("${}", word.text),
                Constant::Value(word) => value(word),
            };
            format!("${} {} {right}", left.text, comparison.mark())
        }
    }
}

fn group(all: &[Entry], schema: &Schema) -> String {
    match all {
        [Entry::Match(it)] => pattern(it, schema),
        _ => format!("({})", entries(all, schema)),
    }
}

fn pattern(pattern: &Pattern, schema: &Schema) -> String {
    let class = match &pattern.class {
        ClassTerm::Known => String::new(),
        ClassTerm::Variable(word) => format!("${} ", word.text),
        ClassTerm::Path(path) => {
            let path: Vec<String> =
                path.iter().map(|word| quoted_unless(&word.text, is_simple)).collect();
            path.join(".") + " "
        }
    };
    let term = match &pattern.term {
        Term::Named(path) => {
            let path: Vec<String> = path
                .iter()
                .enumerate()
                .map(|(idx, name)| numbered(name, idx == 0, &pattern.class, schema))
                .collect();
            path.join(".")
        }
        other => self::term(other),
    };
    format!("{class}{term}{}", props(&pattern.props))
}

fn props(all: &[Prop]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let all: Vec<String> = all.iter().map(prop).collect();
    format!("[{}]", all.join(", "))
}

fn prop(prop: &Prop) -> String {
    let name = match &prop.name {
        PropName::Variable(word) => format!("${}", word.text),
        PropName::Named(word) => quoted_unless(&word.text, |text| {
            let first = text.split(' ').next().unwrap_or_default();
            is_simple(text)
                && !["normal", "contain", "role"]
                    .iter()
                    .any(|kind| first.eq_ignore_ascii_case(kind))
        }),
    };
    match &prop.body {
        PropBody::Term(it, below) => format!("{name}: {}{}", term(it), props(below)),
        PropBody::Down(below) => {
            let below: Vec<String> = below.iter().map(self::prop).collect();
            format!("{name} -> {{ {} }}", below.join(", "))
        }
    }
}

fn term(term: &Term) -> String {
    match term {
        Term::Variable(word) => format!("${}", word.text),
        Term::Compared(comparison, word) => compared(*comparison, word),
        Term::Named(path) => path.iter().map(plain_numbered).collect::<Vec<String>>().join("."),
    }
}

fn compared(comparison: Comparison, word: &Word) -> String {
    format!("{} {}", comparison.mark(), value(word))
}

fn value(word: &Word) -> String {
    quoted_unless(&word.text, is_plain)
}

fn plain_numbered(name: &ObjectName) -> String {
    let nth = name.nth.map_or(String::new(), |nth| format!(" #{nth}"));
    quoted_unless(&name.name.text, is_plain) + &nth
}

/// In a path dots part names; and a name must not look like the end of a class.
fn numbered(name: &ObjectName, is_first: bool, class: &ClassTerm, schema: &Schema) -> String {
    let nth = name.nth.map_or(String::new(), |nth| format!(" #{nth}"));
    let last = match class {
        ClassTerm::Path(path) => path.last().map(|word| word.text.as_str()),
        _ => None,
    };
    let both = format!("{} {}", last.unwrap_or_default(), name.name.text);
    let names = schema.classes().map(|(_, class)| class.name.as_str());
    let mut names = names.chain(schema.properties().map(|(_, property)| property.name.as_str()));
    let is_clear = !is_first
        || !names.any(|other| {
            last.is_some_and(|last| other.len() > last.len()) && both.starts_with(other)
        });
    quoted_unless(&name.name.text, |text| is_plain(text) && !text.contains('.') && is_clear) + &nth
}

/// Words that end a name are quoted within one.
fn is_plain(text: &str) -> bool {
    let is_word = |word: &str| {
        ["construct", "order", "limit", "not", "exists", "forall"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    let split = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    is_plain_value(text) && is_simple(&text.replace(':', "")) && !split.into_iter().any(is_word)
}

fn quoted_unless(text: &str, is_plain: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    write_name(&mut out, text, is_plain);
    out
}
