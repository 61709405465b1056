//! Relationships and roles of one object: targets are found or made, and related.

use super::{Subject, items, resolve};
use crate::error::{Error, Rule};
use crate::facts::{ContextId, Facts, ObjectId};
use crate::schema::{PropertyId, Relation, Schema};
use crate::statement::{Action, Body, Given, Item, One};

pub(super) fn relationship(
    facts: &mut Facts<'_>,
    subject: Subject,
    property: PropertyId,
    values: &[One],
    action: Action,
) -> Result<(), Error> {
    let schema = facts.schema();
    let Some(it) = schema.relationship(property) else { return Ok(()) };
    let values: Vec<&One> =
        values.iter().filter(|one| !matches!(one.value, Given::Elision(_))).collect();
    let with_context =
        values.iter().find(|one| one.context.is_some() && it.relation != Relation::Role);
    if let Some(one) = with_context {
        let message = format!(
            "{:?} is a {} relationship, and only roles have a context",
            schema.path(property),
            it.relation.word()
        );
        return Err(Error::check(Rule::Context, one.value.at(), message));
    }
    if values.len() > 1 && !schema.property(property).is_many && action != Action::Delete {
        let message = format!(
            "{:?} leads to one {}, not {}",
            schema.path(property),
            schema.class(it.target).name,
            values.len()
        );
        return Err(Error::check(Rule::Cardinality, None, message));
    }
    match (it.relation, subject) {
        (Relation::Normal, _) => edges(facts, subject, property, &values, action),
        (Relation::Contain, Subject::Object(container, _)) => {
            parts(facts, container, property, &values, action)
        }
        (Relation::Role, Subject::Object(unit, _)) => roles(facts, unit, property, &values, action),
        _ => Ok(()),
    }
}

fn edges(
    facts: &mut Facts<'_>,
    subject: Subject,
    property: PropertyId,
    values: &[&One],
    action: Action,
) -> Result<(), Error> {
    let Some(it) = facts.schema().relationship(property) else { return Ok(()) };
    let mut targets = Vec::new();
    for one in values {
        let target = resolve::target(facts, &one.value, it.target, action != Action::Delete)?;
        targets.push((target, one.value.at()));
    }
    if action == Action::Update {
        facts.delete_edges(subject.holder(), property, None)?;
    }
    for (target, at) in targets {
        let done = match action {
            Action::Delete => facts
                .delete_edges(subject.holder(), property, Some(target))
                .and_then(|n| gone(n, property, facts)),
            _ => facts.edge(subject.holder(), property, target),
        };
        done.map_err(|error| error.or_at(at))?;
    }
    Ok(())
}

pub(super) fn gone(n_gone: usize, property: PropertyId, facts: &Facts<'_>) -> Result<(), Error> {
    match n_gone {
        0 => Err(Error::object(
            None,
            format!("there is no such {:?} to delete", facts.schema().path(property)),
        )),
        _ => Ok(()),
    }
}

/// Parts are put into their container; an update moves them from where they are, and takes nothing out.
fn parts(
    facts: &mut Facts<'_>,
    container: ObjectId,
    property: PropertyId,
    values: &[&One],
    action: Action,
) -> Result<(), Error> {
    let Some(it) = facts.schema().relationship(property) else { return Ok(()) };
    for one in values {
        let part = resolve::part(
            facts,
            &one.value,
            container,
            property,
            it.target,
            action != Action::Delete,
        )?;
        let done = match action {
            Action::Insert => facts.contain(container, property, part),
            Action::Update => facts.put(container, property, part),
            Action::Delete => facts.delete_object(part),
        };
        done.map_err(|error| error.or_at(one.value.at()))?;
    }
    Ok(())
}

fn roles(
    facts: &mut Facts<'_>,
    unit: ObjectId,
    role: PropertyId,
    values: &[&One],
    action: Action,
) -> Result<(), Error> {
    let Some(it) = facts.schema().relationship(role) else { return Ok(()) };
    let mut players = Vec::new();
    for one in values {
        players.push(resolve::target(facts, &one.value, it.target, action != Action::Delete)?);
    }
    if action == Action::Update {
        let below = facts.schema().below(role);
        for (context, player, played) in facts.players_of(unit)? {
            let stays = played == role && players.contains(&player);
            if below.contains(&played) && !stays {
                facts.delete_context(context)?;
            }
        }
    }
    for (one, player) in values.iter().zip(players) {
        play(facts, unit, role, player, one.context.as_deref(), action)
            .map_err(|error| error.or_at(one.value.at()))?;
    }
    Ok(())
}

/// One role of one player, with its context. To delete with a context is to delete of the context.
pub(super) fn play(
    facts: &mut Facts<'_>,
    unit: ObjectId,
    role: PropertyId,
    player: ObjectId,
    context: Option<&[Item]>,
    action: Action,
) -> Result<(), Error> {
    if action == Action::Delete && context.is_none() {
        let n_gone = facts.delete_roles(unit, role, Some(player))?;
        return gone(n_gone, role, facts);
    }
    let context_id: ContextId = match action {
        Action::Delete => {
            let played = facts.roles_of(player)?;
            let found = played.iter().find(|(_, at, played)| *at == unit && *played == role);
            let Some((id, _, _)) = found else { return gone(0, role, facts) };
            *id
        }
        _ => facts.role(unit, role, player)?,
    };
    let identification = facts.schema().identification(role).map(str::to_owned);
    for item in context.unwrap_or_default() {
        if Some(&item.name.text) == identification.as_ref() {
            check_identification(facts.schema(), role, item)?;
            continue;
        }
        items::apply(facts, Subject::Context(context_id, role), item, action)?;
    }
    Ok(())
}

/// A context may say which role it is, as it is shown; it must be this one.
fn check_identification(schema: &Schema, role: PropertyId, item: &Item) -> Result<(), Error> {
    let said = match &item.body {
        Body::Values { all: values, .. } => match &values[..] {
            [One { value: Given::Name(name), .. }] => name.as_value(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    if schema.property(role).name == said {
        return Ok(());
    }
    let message = format!(
        "the identification is {:?}, which follows from the role, not {said:?}",
        schema.property(role).name
    );
    Err(Error::check(Rule::Identification, item.name.at, message))
}
