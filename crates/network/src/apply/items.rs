//! The items of a statement: attributes, relationships and roles of one object.

use super::{Subject, inverse, relations};
use crate::error::{Error, Rule};
use crate::facts::{Facts, ObjectId};
use crate::reader::Word;
use crate::schema::{ClassId, NAME, PropertyId, Relation, Schema, known};
use crate::statement::{Action, Body, Given, Item, One};

/// What a name of an item means.
enum Named {
    /// The name of the object.
    Name,
    /// A property of its class, or of the context.
    Property(PropertyId),
    /// The other end of some relationships, all of one kind.
    Inverse(Vec<PropertyId>),
}

pub(super) fn apply(
    facts: &mut Facts<'_>,
    subject: Subject,
    item: &Item,
    action: Action,
) -> Result<(), Error> {
    let at = item.name.at;
    let done = match named(facts.schema(), subject, &item.name)? {
        Named::Name => rename(facts, subject, item, action),
        Named::Property(property) => {
            check_kind(facts.schema(), property, item)?;
            apply_property(facts, subject, property, item, action)
        }
        Named::Inverse(roots) => {
            check_inverse_kind(facts.schema(), &roots, item)?;
            let Subject::Object(object, _) = subject else { return Ok(()) };
            inverse::apply(facts, object, &roots, item, action)
        }
    };
    done.map_err(|error| error.or_at(at))
}

fn named(schema: &Schema, subject: Subject, name: &Word) -> Result<Named, Error> {
    match subject {
        Subject::Context(_, role) => {
            let found = schema.context_named(role, &name.text);
            found.map(Named::Property).ok_or_else(|| no_context(schema, role, name))
        }
        Subject::Object(_, class) => {
            if let Some(property) = schema.property_named(class, &name.text) {
                return Ok(Named::Property(property));
            }
            let inverses = schema.inverses_named(class, &name.text);
            match (inverses.is_empty(), name.text == NAME) {
                (false, _) => Ok(Named::Inverse(inverses)),
                (_, true) => Ok(Named::Name),
                _ => Err(no_property(schema, class, name)),
            }
        }
    }
}

fn no_context(schema: &Schema, role: PropertyId, name: &Word) -> Error {
    let context = schema.context_of(role);
    let names: Vec<&str> = context.iter().map(|id| schema.property(*id).name.as_str()).collect();
    let message =
        format!("the context of {:?} has no {:?}{}", schema.path(role), name.text, known(&names));
    Error::check(Rule::Declared, name.at, message)
}

pub(crate) fn no_property(schema: &Schema, class: ClassId, name: &Word) -> Error {
    let of_role = schema.properties().find(|(id, property)| {
        let is_context = matches!(property.owner, crate::schema::Owner::Context(_));
        is_context && schema.property(*id).name == name.text
    });
    let hint = match of_role {
        Some((id, _)) => format!("; {:?} is seen in its context only", schema.path(id)),
        None => known(&schema.names_of(class)),
    };
    let message = format!("a {} has no {:?}{hint}", schema.class(class).name, name.text);
    Error::check(Rule::Declared, name.at, message)
}

fn check_kind(schema: &Schema, property: PropertyId, item: &Item) -> Result<(), Error> {
    let Some(said) = item.kind else { return Ok(()) };
    let declared = schema.relationship(property).map(|it| it.relation);
    if declared == Some(said) {
        return Ok(());
    }
    let declared = declared.map_or("an attribute", Relation::word);
    let message =
        format!("{:?} is declared as {declared}, not {}", schema.path(property), said.word());
    Err(Error::check(Rule::Kind, item.name.at, message))
}

fn check_inverse_kind(schema: &Schema, roots: &[PropertyId], item: &Item) -> Result<(), Error> {
    match roots.first() {
        Some(first) => check_kind(schema, *first, item),
        None => Ok(()),
    }
}

fn rename(
    facts: &mut Facts<'_>,
    subject: Subject,
    item: &Item,
    action: Action,
) -> Result<(), Error> {
    let value = match &item.body {
        Body::Values { all: values, .. } => match &values[..] {
            [One { value: Given::Name(name), context: None }] => Some(name.as_value()),
            _ => None,
        },
        _ => None,
    };
    match (subject, value, action) {
        (Subject::Object(object, _), Some(name), Action::Update) => facts.rename(object, &name),
        _ => {
            let message =
                "an object has one name, which is changed with Update … [ name: … ]".to_owned();
            Err(Error::check(Rule::Cardinality, item.name.at, message))
        }
    }
}

fn apply_property(
    facts: &mut Facts<'_>,
    subject: Subject,
    property: PropertyId,
    item: &Item,
    action: Action,
) -> Result<(), Error> {
    match &item.body {
        Body::Down(items) => down(facts, subject, property, items, action),
        Body::Whole => whole(facts, subject, property, item),
        Body::Values { all: values, .. } if facts.schema().is_attribute(property) => {
            attribute(facts, subject, property, values, action)
        }
        Body::Values { all: values, .. } => {
            relations::relationship(facts, subject, property, values, action)
        }
    }
}

fn down(
    facts: &mut Facts<'_>,
    subject: Subject,
    generic: PropertyId,
    items: &[Item],
    action: Action,
) -> Result<(), Error> {
    for item in items {
        let schema = facts.schema();
        let below = schema.below(generic);
        let found =
            below[1..].iter().copied().find(|id| schema.property(*id).name == item.name.text);
        let Some(specific) = found else {
            let names: Vec<&str> =
                below[1..].iter().map(|id| schema.property(*id).name.as_str()).collect();
            let message = format!(
                "{:?} has no specific relationship {:?}{}",
                schema.path(generic),
                item.name.text,
                known(&names)
            );
            return Err(Error::check(Rule::Specific, item.name.at, message));
        };
        check_kind(schema, specific, item)?;
        apply_property(facts, subject, specific, item, action)
            .map_err(|error| error.or_at(item.name.at))?;
    }
    Ok(())
}

/// `Delete … [ property ]`: all of it.
fn whole(
    facts: &mut Facts<'_>,
    subject: Subject,
    property: PropertyId,
    item: &Item,
) -> Result<(), Error> {
    let relation = facts.schema().relationship(property).map(|it| it.relation);
    let n_gone = match (relation, subject) {
        (None, _) => facts.delete_attribute(subject.holder(), property, None)?,
        (Some(Relation::Normal), _) => facts.delete_edges(subject.holder(), property, None)?,
        (Some(Relation::Role), Subject::Object(unit, _)) => {
            facts.delete_roles(unit, property, None)?
        }
        (Some(Relation::Contain), Subject::Object(container, _)) => {
            let below = facts.schema().below(property);
            let parts = facts.parts(container)?;
            let doomed: Vec<ObjectId> = parts
                .iter()
                .filter(|row| row.container.is_some_and(|(_, by)| below.contains(&by)))
                .map(|row| row.id)
                .collect();
            doomed.iter().try_for_each(|part| facts.delete_object(*part))?;
            doomed.len()
        }
        _ => 0,
    };
    nothing_gone(facts, n_gone, property, item)
}

fn nothing_gone(
    facts: &Facts<'_>,
    n_gone: usize,
    property: PropertyId,
    item: &Item,
) -> Result<(), Error> {
    match n_gone {
        0 => {
            let message = format!("there is no {:?} to delete", facts.schema().path(property));
            Err(Error::object(item.name.at, message))
        }
        _ => Ok(()),
    }
}

fn attribute(
    facts: &mut Facts<'_>,
    subject: Subject,
    property: PropertyId,
    values: &[One],
    action: Action,
) -> Result<(), Error> {
    let mut texts: Vec<String> = Vec::new();
    for one in values.iter().filter(|one| !matches!(one.value, Given::Elision(_))) {
        let path = facts.schema().path(property);
        match (&one.value, &one.context) {
            (_, Some(_)) => {
                let message = format!("{path:?} is an attribute, and only roles have a context");
                return Err(Error::check(Rule::Context, one.value.at(), message));
            }
            (Given::Name(name), None) => texts.push(name.as_value()),
            _ => {
                let message = format!("{path:?} is an attribute, and an object is no value");
                return Err(Error::check(Rule::Type, one.value.at(), message));
            }
        }
    }
    let is_many = facts.schema().property(property).is_many;
    if texts.len() > 1 && !is_many && action != Action::Delete {
        let message =
            format!("{:?} has one value, not {}", facts.schema().path(property), texts.len());
        return Err(Error::check(Rule::Cardinality, None, message));
    }
    let holder = subject.holder();
    match action {
        Action::Insert => texts.iter().try_for_each(|text| facts.attribute(holder, property, text)),
        Action::Update => {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            facts.set_attribute(holder, property, &texts)
        }
        Action::Delete => {
            for (text, one) in texts.iter().zip(values) {
                if facts.delete_attribute(holder, property, Some(text))? == 0 {
                    let message = format!(
                        "{:?} has no value {text:?} to delete",
                        facts.schema().path(property)
                    );
                    return Err(Error::object(one.value.at(), message));
                }
            }
            Ok(())
        }
    }
}
