//! Asking the database, and what comes back.

use super::block::{Binding, Block, Owned, name_of, two_kinds, unbound};
use super::compile::Compiler;
use super::print::construct;
use super::{Construct, Function, Query};
use crate::error::{Error, Rule};
use crate::facts::ObjectId;
use crate::schema::{Schema, ValueType};
use crate::store::{Cell, Database, Dialect, Param};
use std::collections::BTreeMap;

/// What a query found.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Whether there is a match.
    Truth(bool),
    /// What was constructed.
    Table(Table),
}

/// Rows, each different.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What is constructed, without the dollar of variables.
    pub columns: Vec<String>,
    /// In the order that was asked for, or else by their columns from the left.
    pub rows: Vec<Vec<AnswerValue>>,
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerValue {
    /// An object.
    Object {
        /// Its number.
        id: ObjectId,
        /// Its class.
        class: String,
        /// Its name.
        name: String,
    },
    /// A text; also the name of a class or relationship.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number.
    Number(f64),
    /// The least of none.
    Nothing,
}

impl AnswerValue {
    /// As it is shown.
    pub fn text(&self) -> String {
        match self {
            AnswerValue::Object { name, .. } => name.clone(),
            AnswerValue::Text(text) => text.clone(),
            AnswerValue::Int(int) => int.to_string(),
            AnswerValue::Number(number) => number.to_string(),
            AnswerValue::Nothing => String::new(),
        }
    }
}

/// The columns that a variable takes in SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Number, class and name.
    Object,
    /// Text and number.
    Value(ValueType),
    /// A name.
    Name,
}

struct Compiled {
    sql: String,
    params: Vec<Owned>,
    columns: Vec<(Construct, Shape)>,
}

pub(crate) fn answer(
    db: &mut dyn Database,
    schema: &Schema,
    query: &Query,
) -> Result<Answer, Error> {
    let compiled = compile(schema, query)?;
    let rows = db.rows(&compiled.sql, &params(&compiled.params))?;
    if query.construct.is_empty() {
        return Ok(Answer::Truth(!rows.is_empty()));
    }
    let columns = query.construct.iter().map(|it| construct(it).replace('$', "")).collect();
    let rows = rows.iter().map(|row| read(schema, row, &compiled.columns)).collect();
    Ok(Answer::Table(Table { columns, rows }))
}

/// The SQL of a query, and the plan of the database for it.
pub(crate) fn explain(
    db: &mut dyn Database,
    schema: &Schema,
    query: &Query,
) -> Result<String, Error> {
    let compiled = compile(schema, query)?;
    let (word, column) = match db.dialect() {
        Dialect::Sqlite => ("EXPLAIN QUERY PLAN ", 3),
        Dialect::Postgres => ("EXPLAIN ", 0),
    };
    let rows = db.rows(&format!("{word}{}", compiled.sql), &params(&compiled.params))?;
    let plan: Vec<String> = rows.iter().map(|row| row[column].text()).collect();
    let given: Vec<String> =
        (1..).zip(&compiled.params).map(|(idx, it)| format!("?{idx} = {}", shown(it))).collect();
    Ok(format!("{}\n{}\n\n{}\n", compiled.sql, given.join(", "), plan.join("\n")))
}

fn shown(param: &Owned) -> String {
    match param {
        Owned::Int(int) => int.to_string(),
        Owned::Real(real) => real.to_string(),
        Owned::Text(text) => format!("{text:?}"),
    }
}

fn params(all: &[Owned]) -> Vec<Param<'_>> {
    all.iter().map(Owned::as_param).collect()
}

impl Owned {
    fn as_param(&self) -> Param<'_> {
        match self {
            Owned::Int(int) => Param::Int(*int),
            Owned::Real(real) => Param::Real(*real),
            Owned::Text(text) => Param::Text(text),
        }
    }
}

fn compile(schema: &Schema, query: &Query) -> Result<Compiled, Error> {
    let mut compiler = Compiler::new(schema);
    let mut blocks = compiler.blocks(&query.entries, &BTreeMap::new())?;
    if query.construct.is_empty() {
        let all: Vec<String> =
            blocks.iter().map(|block| format!("SELECT 1 AS one{}", block.tail())).collect();
        let sql = format!("SELECT 1 FROM ({}) t LIMIT 1", all.join(" UNION ALL "));
        return Ok(Compiled { sql, params: compiler.params, columns: Vec::new() });
    }
    let mut shapes: BTreeMap<String, Shape> = BTreeMap::new();
    let mut selects = Vec::new();
    for block in &mut blocks {
        selects.push(select(&mut compiler, block, &query.construct, &mut shapes)?);
    }
    let columns: Vec<(Construct, Shape)> = query
        .construct
        .iter()
        .filter_map(|it| Some((it.clone(), *shapes.get(&it.variable.text)?)))
        .collect();
    let sql = outer(query, &columns, &selects.join(" UNION "))?;
    Ok(Compiled { sql, params: compiler.params, columns })
}

/// One block as a select of all that is constructed.
fn select(
    compiler: &mut Compiler<'_>,
    block: &mut Block,
    all: &[Construct],
    shapes: &mut BTreeMap<String, Shape>,
) -> Result<String, Error> {
    let mut columns: Vec<String> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for it in all {
        let word = &it.variable;
        if done.contains(&word.text.as_str()) {
            continue;
        }
        done.push(&word.text);
        let bound = block.bindings.get(&word.text).cloned().ok_or_else(|| unbound(word))?;
        let (shape, found) = match &bound {
            Binding::Object { .. } => {
                let row = compiler.row(block, &word.text, word)?;
                (
                    Shape::Object,
                    vec![format!("{row}.id"), format!("{row}.class"), format!("{row}.name")],
                )
            }
            Binding::Value { text, number, of } => {
                let number =
                    number.clone().unwrap_or_else(|| "CAST(NULL AS double precision)".to_owned());
                (Shape::Value(*of), vec![text.clone(), number])
            }
            other => (Shape::Name, vec![name_of(other)]),
        };
        match shapes.insert(word.text.clone(), shape) {
            Some(known) if std::mem::discriminant(&known) != std::mem::discriminant(&shape) => {
                return Err(two_kinds(
                    word,
                    &bound,
                    "something else, by another reading of the query",
                ));
            }
            _ => {}
        }
        for (idx, sql) in found.iter().enumerate() {
            columns.push(format!("{sql} AS {}", column(&word.text, idx)));
        }
    }
    Ok(format!("SELECT DISTINCT {}{}", columns.join(", "), block.tail()))
}

/// Variables may be called anything, so that columns are not called by them alone.
fn column(variable: &str, idx: usize) -> String {
    format!("\"{variable}.{idx}\"")
}

fn outer(query: &Query, columns: &[(Construct, Shape)], inner: &str) -> Result<String, Error> {
    let mut selected: Vec<String> = Vec::new();
    let mut grouped: Vec<String> = Vec::new();
    for (it, shape) in columns {
        match it.function {
            None => {
                let all = (0..n_columns(*shape)).map(|idx| column(&it.variable.text, idx));
                grouped.extend(all.clone());
                selected.extend(all);
            }
            Some(_) => selected.push(aggregate(it, *shape)),
        }
    }
    let is_aggregated = columns.iter().any(|(it, _)| it.function.is_some());
    let group = match is_aggregated && !grouped.is_empty() {
        true => format!(" GROUP BY {}", grouped.join(", ")),
        false => String::new(),
    };
    let order = orders(query, columns)?;
    let limit = query.limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"));
    Ok(format!(
        "SELECT {} FROM ({inner}) t{group} ORDER BY {}{limit}",
        selected.join(", "),
        order.join(", ")
    ))
}

fn n_columns(shape: Shape) -> usize {
    match shape {
        Shape::Object => 3,
        Shape::Value(_) => 2,
        Shape::Name => 1,
    }
}

fn aggregate(it: &Construct, shape: Shape) -> String {
    let name = &it.variable.text;
    let compared = match shape {
        Shape::Object => column(name, 2),
        Shape::Value(of) if of.is_number() => column(name, 1),
        _ => column(name, 0),
    };
    match it.function {
        Some(Function::Min) => format!("min({compared})"),
        Some(Function::Max) => format!("max({compared})"),
        _ => format!("count(DISTINCT {})", column(name, 0)),
    }
}

/// What was asked for first, then all columns, so that the order is always the same.
fn orders(query: &Query, columns: &[(Construct, Shape)]) -> Result<Vec<String>, Error> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |it: &Construct, shape: Shape, end: &str| {
        let name = &it.variable.text;
        let keys = match (it.function, shape) {
            (Some(_), _) => vec![aggregate(it, shape)],
            (None, Shape::Object) => vec![column(name, 2), column(name, 0)],
            (None, Shape::Value(_)) => vec![column(name, 1), column(name, 0)],
            (None, Shape::Name) => vec![column(name, 0)],
        };
        all.extend(keys.into_iter().map(|key| key + end));
    };
    for order in &query.order {
        let Some((it, shape)) = columns.iter().find(|(it, _)| *it == order.by) else {
            let message = format!("order by {}: it is not constructed", construct(&order.by));
            return Err(Error::check(Rule::Declared, order.by.variable.at, message));
        };
        add(it, *shape, if order.is_descending { " DESC" } else { "" });
    }
    for (it, shape) in columns {
        add(it, *shape, "");
    }
    Ok(all)
}

fn read(schema: &Schema, row: &[Cell], columns: &[(Construct, Shape)]) -> Vec<AnswerValue> {
    let mut cells = row.iter();
    let mut next = || cells.next().cloned().unwrap_or(Cell::Null);
    columns
        .iter()
        .map(|(it, shape)| match (it.function, shape) {
            (Some(Function::Count), _) => AnswerValue::Int(next().int()),
            (Some(_), Shape::Value(of)) => number_or_text(&next(), *of),
            (Some(_), _) => number_or_text(&next(), ValueType::String),
            (None, Shape::Object) => {
                let (id, class) = (ObjectId(next().int()), next().int());
                let class = usize::try_from(class).ok().and_then(|idx| schema.classes().nth(idx));
                let class = class.map_or(String::new(), |(_, class)| class.name.clone());
                AnswerValue::Object { id, class, name: next().text() }
            }
            (None, Shape::Value(of)) => {
                let value = number_or_text(&next(), *of);
                next();
                value
            }
            (None, Shape::Name) => AnswerValue::Text(next().text()),
        })
        .collect()
}

fn number_or_text(cell: &Cell, of: ValueType) -> AnswerValue {
    let text = cell.text();
    match (cell, of) {
        (Cell::Null, _) => AnswerValue::Nothing,
        (Cell::Real(real), ValueType::Int) => AnswerValue::Int(*real as i64),
        (_, ValueType::Int) => text.parse().map_or(AnswerValue::Text(text), AnswerValue::Int),
        (_, ValueType::Number) => text.parse().map_or(AnswerValue::Text(text), AnswerValue::Number),
        _ => AnswerValue::Text(text),
    }
}
