//! Items from the other end: `Person Ann [ worksIn: Physics [title: Professors] ]`.

use super::{relations, resolve};
use crate::error::{Error, Rule};
use crate::facts::{Facts, ObjectId};
use crate::reader::Word;
use crate::schema::{ClassId, PropertyId, Relation, Schema, known};
use crate::statement::{Action, Body, Given, Item, One};

pub(super) fn apply(
    facts: &mut Facts<'_>,
    object: ObjectId,
    roots: &[PropertyId],
    item: &Item,
    action: Action,
) -> Result<(), Error> {
    let Some(relation) =
        roots.first().and_then(|id| facts.schema().relationship(*id)).map(|it| it.relation)
    else {
        return Ok(());
    };
    match &item.body {
        Body::Down(_) => {
            let message =
                format!("{:?} is an inverse, and has no specific relationships", item.name.text);
            Err(Error::check(Rule::Specific, item.name.at, message))
        }
        Body::Whole => remove(facts, object, roots, relation, &item.name),
        Body::Values { all: values, .. } => {
            if action == Action::Update && relation != Relation::Contain {
                clear(facts, object, roots, relation)?;
            }
            let given = values.iter().filter(|one| !matches!(one.value, Given::Elision(_)));
            for one in given {
                let done = each(facts, object, roots, relation, one, &item.name, action);
                done.map_err(|error| error.or_at(one.value.at()))?;
            }
            Ok(())
        }
    }
}

fn each(
    facts: &mut Facts<'_>,
    object: ObjectId,
    roots: &[PropertyId],
    relation: Relation,
    one: &One,
    name: &Word,
    action: Action,
) -> Result<(), Error> {
    let may_make = action == Action::Insert;
    if relation == Relation::Role {
        let role = identified(facts.schema(), roots, one, name)?;
        let unit = other_end(facts, &role, one, name, may_make)?;
        let class = facts.class_of(unit)?;
        let fits =
            |id: &&PropertyId| facts.schema().is_a(class, facts.schema().declaring_class(**id));
        let Some(role) = role.iter().find(fits) else { return Err(no_fit(facts, unit, name)) };
        return relations::play(facts, unit, *role, object, one.context.as_deref(), action);
    }
    if one.context.is_some() {
        let message = format!(
            "{:?} is the inverse of a {} relationship, and only roles have a context",
            name.text,
            relation.word()
        );
        return Err(Error::check(Rule::Context, one.value.at(), message));
    }
    let other = other_end(facts, roots, one, name, may_make)?;
    let class = facts.class_of(other)?;
    let own = facts.class_of(object)?;
    let fits = |id: &&PropertyId| {
        let schema = facts.schema();
        let target = schema.relationship(**id).map(|it| it.target);
        schema.is_a(class, schema.declaring_class(**id))
            && target.is_some_and(|target| schema.is_a(own, target))
    };
    let Some(property) = roots.iter().find(fits).copied() else {
        return Err(no_fit(facts, other, name));
    };
    match (relation, action) {
        (Relation::Contain, Action::Insert) => facts.contain(other, property, object),
        (Relation::Contain, Action::Update) => facts.put(other, property, object),
        (Relation::Contain, Action::Delete) => facts.take_out(object),
        (_, Action::Delete) => {
            let n_gone = facts.delete_edges(other, property, Some(object))?;
            relations::gone(n_gone, property, facts)
        }
        _ => facts.edge(other, property, object),
    }
}

fn no_fit(facts: &mut Facts<'_>, other: ObjectId, name: &Word) -> Error {
    let message = format!("{} has nothing whose inverse is {:?}", facts.told(other), name.text);
    Error::check(Rule::Target, None, message)
}

/// Which roles the identification in a context names; without one, the only role there is.
fn identified(
    schema: &Schema,
    roots: &[PropertyId],
    one: &One,
    name: &Word,
) -> Result<Vec<PropertyId>, Error> {
    let is_identification = |item: &&Item| {
        roots.iter().any(|root| schema.identification(*root) == Some(item.name.text.as_str()))
    };
    let said = one.context.iter().flatten().find(is_identification);
    let Some(said) = said else {
        if roots.len() == 1 {
            return Ok(roots.to_vec());
        }
        let paths: Vec<String> = roots.iter().map(|id| schema.path(*id)).collect();
        let key = roots.iter().find_map(|id| schema.identification(*id)).unwrap_or("id");
        let message = format!(
            "{:?} is the inverse of {}; say which role is meant: [{key}: …]",
            name.text,
            paths.join(" and ")
        );
        return Err(Error::check(Rule::Identification, one.value.at(), message));
    };
    let text = match &said.body {
        Body::Values { all: values, .. } => match &values[..] {
            [One { value: Given::Name(name), .. }] => name.as_value(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    let all: Vec<PropertyId> = roots.iter().flat_map(|root| schema.below(*root)).collect();
    let found: Vec<PropertyId> =
        all.iter().copied().filter(|id| schema.property(*id).name == text).collect();
    if found.is_empty() {
        let names: Vec<&str> = all.iter().map(|id| schema.property(*id).name.as_str()).collect();
        let message = format!("no role behind {:?} is called {text:?}{}", name.text, known(&names));
        return Err(Error::check(Rule::Identification, said.name.at, message));
    }
    Ok(found)
}

/// The object at the other end, of one of the classes that declare the relationship.
fn other_end(
    facts: &mut Facts<'_>,
    roots: &[PropertyId],
    one: &One,
    name: &Word,
    may_make: bool,
) -> Result<ObjectId, Error> {
    let schema = facts.schema();
    let mut classes: Vec<ClassId> = roots.iter().map(|id| schema.declaring_class(*id)).collect();
    classes.dedup();
    let Given::Name(given) = &one.value else {
        let class = classes.first().copied().unwrap_or(ClassId(0));
        return resolve::target(facts, &one.value, class, may_make);
    };
    let mut found = Vec::new();
    for class in &classes {
        for row in facts.find(*class, &given.name.text)? {
            if given.nth.is_none_or(|nth| nth == row.nth) && !found.contains(&row.id) {
                found.push(row.id);
            }
        }
    }
    match (&found[..], &classes[..]) {
        ([one], _) => Ok(*one),
        ([], [class]) => resolve::target(facts, &one.value, *class, may_make),
        ([], _) => {
            let names: Vec<&str> =
                classes.iter().map(|id| schema.class(*id).name.as_str()).collect();
            let message = format!(
                "{:?} leads to no {} called {:?}; to make one, say its class: <{}> {}",
                name.text,
                names.join(" or "),
                given.as_value(),
                names.first().unwrap_or(&"Class"),
                given.as_value()
            );
            Err(Error::object(given.name.at, message))
        }
        (several, _) => {
            let n = several.len();
            let message = format!(
                "there are {n} called {:?}; say which by its path: <Class.Class> Name.Name",
                given.as_value()
            );
            Err(Error::object(given.name.at, message))
        }
    }
}

fn remove(
    facts: &mut Facts<'_>,
    object: ObjectId,
    roots: &[PropertyId],
    relation: Relation,
    name: &Word,
) -> Result<(), Error> {
    match clear(facts, object, roots, relation)? {
        0 => Err(Error::object(name.at, format!("there is no {:?} to delete", name.text))),
        _ => Ok(()),
    }
}

/// End all relationships behind an inverse.
fn clear(
    facts: &mut Facts<'_>,
    object: ObjectId,
    roots: &[PropertyId],
    relation: Relation,
) -> Result<usize, Error> {
    let all: Vec<PropertyId> = roots.iter().flat_map(|root| facts.schema().below(*root)).collect();
    match relation {
        Relation::Contain => {
            let was_in = facts.object(object)?.and_then(|row| row.container).is_some();
            facts.take_out(object)?;
            Ok(usize::from(was_in))
        }
        Relation::Role => {
            let played = facts.roles_of(object)?;
            let doomed: Vec<_> = played.iter().filter(|(_, _, role)| all.contains(role)).collect();
            doomed.iter().try_for_each(|(context, _, _)| facts.delete_context(*context))?;
            Ok(doomed.len())
        }
        Relation::Normal => facts.delete_edges_to(object, &all),
    }
}
