//! From names to objects.

use crate::error::{Error, Rule};
use crate::facts::{Facts, ObjectId, ObjectRow};
use crate::reader::{Position, Word};
use crate::schema::{ClassId, PropertyId, Relation};
use crate::statement::{Given, ObjectName, ObjectPath};

/// The object at the end of a path. Where `may_make` says so, objects on the way that are not there are made.
pub(super) fn path(
    facts: &mut Facts<'_>,
    path: &ObjectPath,
    may_make: bool,
) -> Result<ObjectId, Error> {
    let mut inside: Option<(ObjectId, ClassId)> = None;
    for (class, name) in path.classes.iter().zip(&path.names) {
        let class_id = facts.schema().expect_class(class)?;
        let found = candidates(facts, class_id, name, inside.map(|(id, _)| id))?;
        let object = match &found[..] {
            [] if may_make => make(facts, class_id, name, inside)?,
            [] => return Err(none(class, name, inside.is_some())),
            [one] => one.id,
            several => return Err(many(facts, class, name, several)),
        };
        if may_make && !found.is_empty() {
            facts.see(object)?;
        }
        inside = Some((object, facts.class_of(object)?));
    }
    let at = path.at();
    inside.map(|(id, _)| id).ok_or_else(|| Error::object(at, "a path names no object".to_owned()))
}

/// The objects that a name may mean, within a container if one is known.
fn candidates(
    facts: &mut Facts<'_>,
    class: ClassId,
    name: &ObjectName,
    inside: Option<ObjectId>,
) -> Result<Vec<ObjectRow>, Error> {
    let found = facts.find(class, &name.name.text)?;
    let is_meant = |row: &ObjectRow| {
        let is_inside =
            inside.is_none_or(|inside| row.container.is_some_and(|(id, _)| id == inside));
        is_inside && name.nth.is_none_or(|nth| nth == row.nth)
    };
    let found: Vec<ObjectRow> = found.into_iter().filter(is_meant).collect();
    // A name alone is a whole path: it means the one that is in nothing, if there is one.
    let free: Vec<ObjectRow> =
        found.iter().filter(|row| row.container.is_none()).cloned().collect();
    Ok(if inside.is_none() && free.len() == 1 { free } else { found })
}

fn make(
    facts: &mut Facts<'_>,
    class: ClassId,
    name: &ObjectName,
    inside: Option<(ObjectId, ClassId)>,
) -> Result<ObjectId, Error> {
    let container = match inside {
        None => None,
        Some((container, of)) => Some((container, part_of(facts, of, class, &name.name)?)),
    };
    let made = match name.nth {
        Some(nth) => facts.add_nth_object(class, &name.name.text, nth.into(), container),
        None => facts.add_object(class, &name.name.text, container),
    };
    made.map_err(|error| error.or_at(name.name.at))
}

/// The relationship by which one class contains another: the first that does.
fn part_of(
    facts: &Facts<'_>,
    container: ClassId,
    class: ClassId,
    name: &Word,
) -> Result<PropertyId, Error> {
    let schema = facts.schema();
    let contains = |id: &PropertyId| {
        let it = schema.relationship(*id);
        it.is_some_and(|it| it.relation == Relation::Contain && schema.is_a(class, it.target))
    };
    schema.properties_of(container).find(contains).ok_or_else(|| {
        let (container, class) = (&schema.class(container).name, &schema.class(class).name);
        let message =
            format!("a {container} contains no {class}, so {:?} cannot be in it", name.text);
        Error::check(Rule::Target, name.at, message)
    })
}

fn none(class: &Word, name: &ObjectName, is_inside: bool) -> Error {
    let there = if is_inside { " there" } else { "" };
    let message = format!("there is no {} called {:?}{there}", class.text, name.as_value());
    Error::object(name.name.at, message)
}

fn many(facts: &mut Facts<'_>, class: &Word, name: &ObjectName, several: &[ObjectRow]) -> Error {
    const MAX_SHOWN: usize = 5;
    let mut ways: Vec<String> = Vec::new();
    for row in several.iter().take(MAX_SHOWN) {
        let inside = row.container.map(|(id, _)| facts.told(id));
        let inside = inside.map_or(String::new(), |container| format!(" in {container}"));
        let nth = if several.iter().filter(|other| other.container == row.container).count() > 1 {
            format!(" #{}", row.nth)
        } else {
            String::new()
        };
        ways.push(format!("{}{nth}{inside}", row.name));
    }
    let n = several.len();
    let message = format!(
        "there are {n} of {} {:?}: {}; say which by a path or a number",
        class.text,
        name.name.text,
        ways.join("; ")
    );
    Error::object(name.name.at, message)
}

/// The object that a value names: by a path, or by name among all of a class. An insert makes one that is not there.
pub(super) fn target(
    facts: &mut Facts<'_>,
    given: &Given,
    class: ClassId,
    may_make: bool,
) -> Result<ObjectId, Error> {
    match given {
        Given::Path(given) => path(facts, given, may_make),
        Given::Name(name) => {
            let word = Word { text: facts.schema().class(class).name.clone(), ..name.name.clone() };
            path(facts, &ObjectPath { classes: vec![word], names: vec![name.clone()] }, may_make)
        }
        Given::Elision(word) => Err(elision(word.at)),
    }
}

fn elision(at: Position) -> Error {
    Error::object(at, "… names no object".to_owned())
}

/// The part that a value names: within its container; or one of the name that is in none, which is put there.
pub(super) fn part(
    facts: &mut Facts<'_>,
    given: &Given,
    container: ObjectId,
    property: PropertyId,
    class: ClassId,
    may_make: bool,
) -> Result<ObjectId, Error> {
    let Given::Name(name) = given else { return target(facts, given, class, may_make) };
    let inside = candidates(facts, class, name, Some(container))?;
    let word = Word { text: facts.schema().class(class).name.clone(), ..name.name.clone() };
    match &inside[..] {
        [one] => return Ok(one.id),
        [] => {}
        several => return Err(many(facts, &word, name, several)),
    }
    if !may_make {
        return Err(none(&word, name, true));
    }
    let free: Vec<ObjectRow> = candidates(facts, class, name, None)?
        .into_iter()
        .filter(|row| row.container.is_none() && row.id != container)
        .collect();
    match &free[..] {
        [one] => Ok(one.id),
        _ => {
            let container = Some((container, property));
            let made = match name.nth {
                Some(nth) => facts.add_nth_object(class, &name.name.text, nth.into(), container),
                None => facts.add_object(class, &name.name.text, container),
            };
            made.map_err(|error| error.or_at(name.name.at))
        }
    }
}
