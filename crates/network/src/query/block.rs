//! Tables and conditions, and what the variables of a query stand for in them.

use super::Comparison;
use crate::error::{Error, Rule};
use crate::reader::Word;
use crate::schema::{ClassId, PropertyId, ValueType};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter of the statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owned {
    Int(i64),
    Real(f64),
    Text(String),
}

/// What a variable stands for, as SQL.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Object {
        id: String,
        classes: BTreeSet<ClassId>,
        /// Its row, if that is among the tables.
        alias: Option<String>,
    },
    Value {
        text: String,
        number: Option<String>,
        of: ValueType,
    },
    Class(String),
    Relationship {
        id: String,
        name: String,
    },
}

impl Binding {
    pub(super) fn what(&self) -> &'static str {
        match self {
            Binding::Object { .. } => "an object",
            Binding::Value { .. } => "a value",
            Binding::Class(_) => "a class",
            Binding::Relationship { .. } => "a relationship",
        }
    }
}

/// Tables and conditions, with the variables that they bind.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) bindings: BTreeMap<String, Binding>,
    pub(super) from: Vec<String>,
    pub(super) wheres: Vec<String>,
}

/// What a pattern is about: a bound variable, and the context in which it is seen.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) key: String,
    pub(super) context: Option<Context>,
}

/// A role that is played.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) id: String,
    pub(super) role: String,
    pub(super) roles: Vec<PropertyId>,
}

impl Block {
    /// From where, under which conditions.
    pub(super) fn tail(&self) -> String {
        let from = if self.from.is_empty() {
            String::new()
        } else {
            format!(" FROM {}", self.from.join(", "))
        };
        let wheres = if self.wheres.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.wheres.join(" AND "))
        };
        from + &wheres
    }
}

/// What a class or relationship is called.
pub(super) fn name_of(binding: &Binding) -> String {
    match binding {
        Binding::Class(id) => format!("(SELECT k.name FROM net_class k WHERE k.id = {id})"),
        Binding::Relationship { name, .. } => name.clone(),
        Binding::Value { text, .. } => text.clone(),
        Binding::Object { id, .. } => id.clone(),
    }
}

pub(super) fn compared(one: &Binding, other: &Binding, comparison: Comparison) -> Option<String> {
    let sql = comparison.sql();
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
    match (one, other) {
        (Binding::Value { number: Some(one), .. }, Binding::Value { number: Some(other), .. }) => {
            Some(format!("{one} {sql} {other}"))
        }
        (Binding::Value { text: one, .. }, Binding::Value { text: other, .. }) => {
            Some(format!("{one} {sql} {other}"))
        }
        (Binding::Object { id: one, .. }, Binding::Object { id: other, .. })
        | (Binding::Class(one), Binding::Class(other))
        | (Binding::Relationship { id: one, .. }, Binding::Relationship { id: other, .. })
            if is_equality =>
        {
            Some(format!("{one} {sql} {other}"))
        }
        _ => None,
    }
}

pub(super) fn unbound(word: &Word) -> Error {
    let message = format!(
        "${} is not bound: name it in a pattern first, outside of not, exists and forall",
        word.text
    );
    Error::check(Rule::Declared, word.at, message)
}

pub(super) fn two_kinds(word: &Word, known: &Binding, wanted: &str) -> Error {
    let message = format!("${} is {} and cannot be {wanted} too", word.text, known.what());
    Error::check(Rule::Kind, word.at, message)
}
