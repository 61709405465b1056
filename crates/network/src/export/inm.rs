//! The network as statements: the schema, then each object with what it has, so that running them makes the same network.
//!
//! First all objects with their attributes, containers before what they contain; then what relates them, by names that are there.

use super::ExportError;
use super::walk::End;
use crate::error::Error;
use crate::facts::{Facts, ObjectRow, containers};
use crate::reader::Word;
use crate::schema::{ClassId, Owner, PropertyId};
use crate::statement::{
    Action, Body, Change, Given, Item, ObjectName, ObjectPath, One, Statement, print,
};
use crate::store::Param;
use std::io::Write;

pub(super) fn write(facts: &mut Facts<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    writeln!(out, "{}", facts.schema().print())?;
    // A container may have come after what it contains: those without one start, and parts follow.
    facts.each_object(|facts, row| match row.container {
        None => with_parts(facts, row, out),
        Some(_) => Ok(()),
    })?;
    facts.each_object(|facts, row| {
        let items = relations(facts, row)?;
        match items.is_empty() {
            true => Ok(()),
            false => statement(facts, row, items, out),
        }
    })
}

fn with_parts(
    facts: &mut Facts<'_>,
    row: &ObjectRow,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let mut waiting = vec![row.clone()];
    while let Some(row) = waiting.pop() {
        let held = facts.attributes(row.id.0)?;
        let items = attribute_items(facts, held);
        statement(facts, &row, items, out)?;
        let parts = facts.parts(row.id)?;
        waiting.extend(parts.into_iter().filter(|part| part.gone.is_none()).rev());
    }
    Ok(())
}

fn statement(
    facts: &mut Facts<'_>,
    row: &ObjectRow,
    items: Vec<Item>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let object = path(facts, row)?;
    let change = Statement::Change(Change { action: Action::Insert, object, items });
    writeln!(out, "{}", print(&change, facts.schema()))?;
    Ok(())
}

/// The whole path of an object, with numbers where names are not unique.
fn path(facts: &mut Facts<'_>, row: &ObjectRow) -> Result<ObjectPath, Error> {
    let mut chain = vec![row.clone()];
    chain.extend(containers(facts.db, row.id)?);
    chain.reverse();
    let mut path = ObjectPath { classes: Vec::new(), names: Vec::new() };
    for row in &chain {
        path.classes.push(Word::new(&facts.schema().class(row.class).name));
        path.names.push(ObjectName { name: Word::new(&row.name), nth: number(facts, row)? });
    }
    Ok(path)
}

fn number(facts: &mut Facts<'_>, row: &ObjectRow) -> Result<Option<u32>, Error> {
    let within = row.container.map_or(0, |(id, _)| id.0);
    let query = "SELECT count(*) FROM net_object WHERE name = ?1 AND class = ?2 AND container = ?3";
    let params = [Param::Text(&row.name), Param::Int(row.class.0.into()), Param::Int(within)];
    let n_alike = facts.db.ints(query, &params)?.first().copied().unwrap_or(1);
    Ok((n_alike > 1 || row.nth > 1).then_some(row.nth))
}

fn attribute_items(facts: &Facts<'_>, held: Vec<(PropertyId, String)>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for all in held.chunk_by(|one, other| one.0 == other.0) {
        let property = facts.schema().property(all[0].0);
        let values = all
            .iter()
            .map(|(_, value)| One { value: Given::Name(ObjectName::new(value)), context: None });
        let body = Body::Values { all: values.collect(), is_set: property.is_many };
        items.push(Item { kind: None, name: Word::new(&property.name), body });
    }
    items
}

/// Roles and normal relationships of an object.
fn relations(facts: &mut Facts<'_>, row: &ObjectRow) -> Result<Vec<Item>, Error> {
    let mut items = edge_items(facts, row.id.0)?;
    let roles = facts.played(End::Unit, row.id)?;
    for all in roles.chunk_by(|one, other| one.role == other.role) {
        let mut players = Vec::new();
        for role in all {
            let mut context = attribute_items(facts, role.held.clone());
            context.extend(edge_items(facts, role.id)?);
            let context = Some(context).filter(|items| !items.is_empty());
            players.push(One { value: target(facts, &role.other, all[0].role)?, context });
        }
        items.push(below(facts, all[0].role, Body::Values { all: players, is_set: true }));
    }
    Ok(items)
}

fn edge_items(facts: &mut Facts<'_>, owner: i64) -> Result<Vec<Item>, Error> {
    let mut edges = facts.edges(owner)?;
    edges.sort_by_key(|(by, _)| *by);
    let mut items = Vec::new();
    for all in edges.chunk_by(|one, other| one.0 == other.0) {
        let mut targets = Vec::new();
        for (by, row) in all {
            targets.push(One { value: target(facts, row, *by)?, context: None });
        }
        items.push(below(facts, all[0].0, Body::Values { all: targets, is_set: true }));
    }
    Ok(items)
}

/// A specific relationship is reached by way of its generic ones.
fn below(facts: &Facts<'_>, id: PropertyId, body: Body) -> Item {
    let property = facts.schema().property(id);
    let item = Item { kind: None, name: Word::new(&property.name), body };
    match property.owner {
        Owner::Generic(generic) => below(facts, generic, Body::Down(vec![item])),
        _ => item,
    }
}

/// By name where that is all there is to say, else by the whole path.
fn target(facts: &mut Facts<'_>, row: &ObjectRow, by: PropertyId) -> Result<Given, Error> {
    let expected: Option<ClassId> = facts.schema().relationship(by).map(|it| it.target);
    if row.container.is_none() && expected == Some(row.class) {
        let nth = number(facts, row)?;
        return Ok(Given::Name(ObjectName { name: Word::new(&row.name), nth }));
    }
    Ok(Given::Path(path(facts, row)?))
}
