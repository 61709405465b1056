//! Things that records and pages of their own speak of, written into a network.

use super::{containment, source};
use crate::gather::recipe::Recipe;
use network::merge::{Place, Same, Thing};
use network::{ClassId, Error, Facts, ObjectId};

/// The attribute that has the pages of a thing.
const URL: &str = "url";

/// Write all things; those that are in nothing are in the root, where that may contain them.
pub(super) fn write(
    facts: &mut Facts<'_>,
    things: &[Thing],
    recipe: &Recipe,
    root: Option<ObjectId>,
) -> Result<(), Error> {
    let mut ids: Vec<ObjectId> = Vec::with_capacity(things.len());
    for thing in things {
        let container = thing.container.map(|number| ids[number]).or(root);
        // What the schema has no such class for was refused before.
        let Some(class) = facts.schema().class_named(&thing.class) else { continue };
        ids.push(write_one(facts, thing, class, container, recipe)?);
    }
    for (thing, id) in things.iter().zip(&ids) {
        write_relations(facts, thing, *id, recipe, &ids)?;
    }
    Ok(())
}

fn write_one(
    facts: &mut Facts<'_>,
    thing: &Thing,
    class: ClassId,
    container: Option<ObjectId>,
    recipe: &Recipe,
) -> Result<ObjectId, Error> {
    let nowhere = Place::default();
    facts.set_source(&source(thing.places.first().unwrap_or(&nowhere), thing.confidence))?;
    let within = match container {
        Some(container) => {
            let outer = facts.class_of(container)?;
            containment(facts.schema(), outer, class).map(|property| (container, property))
        }
        None => None,
    };
    let is_by_name = recipe.object(&thing.class).is_some_and(|it| it.same == Same::Name);
    let container = within.map(|(container, _)| container);
    let id = match known(facts, class, thing, container, is_by_name)? {
        Some(id) => {
            facts.rename(id, &thing.name)?;
            let row = facts.object(id)?;
            let is_there = row.is_some_and(|row| row.container == within);
            // Two of one name in one place are told apart by number; such a one is not moved.
            let twins = facts.find(class, &thing.name)?;
            let has_twin = twins.iter().any(|it| it.id != id && it.container == within);
            if let Some((container, property)) = within.filter(|_| !is_there && !has_twin) {
                facts.put(container, property, id)?;
            }
            id
        }
        None => facts.add_object(class, &thing.name, within)?,
    };
    for place in &thing.places {
        facts.set_source(&source(place, thing.confidence))?;
        facts.see(id)?;
    }
    for alias in &thing.aliases {
        facts.add_alias(id, alias)?;
    }
    write_values(facts, thing, id, class)?;
    Ok(id)
}

/// The object that is there already: by its page, else by its name where it should be.
fn known(
    facts: &mut Facts<'_>,
    class: ClassId,
    thing: &Thing,
    container: Option<ObjectId>,
    is_by_name: bool,
) -> Result<Option<ObjectId>, Error> {
    if let Some(property) = facts.schema().property_named(class, URL) {
        for (url, _) in &thing.urls {
            if let Some(row) = facts.find_by_value(class, property, url)?.first() {
                return Ok(Some(row.id));
            }
        }
    }
    let found = facts.find(class, &thing.name)?;
    let is_here = |it: Option<ObjectId>| is_by_name || it == container;
    for row in found.iter().filter(|row| is_here(row.container.map(|(it, _)| it))) {
        // One with other pages is another.
        let has_pages = match facts.schema().property_named(class, URL) {
            Some(property) => !facts.values(row.id, property)?.is_empty(),
            None => false,
        };
        if is_by_name || thing.urls.is_empty() || !has_pages {
            return Ok(Some(row.id));
        }
    }
    Ok(None)
}

fn write_values(
    facts: &mut Facts<'_>,
    thing: &Thing,
    id: ObjectId,
    class: ClassId,
) -> Result<(), Error> {
    if let Some(property) = facts.schema().property_named(class, URL) {
        for (url, places) in &thing.urls {
            for place in places {
                facts.set_source(&source(place, thing.confidence))?;
                facts.say(id, property, url)?;
            }
        }
    }
    for (name, value, places) in &thing.values {
        let Some(property) = facts.schema().property_named(class, name) else { continue };
        for place in places {
            facts.set_source(&source(place, thing.confidence))?;
            facts.say(id, property, value)?;
        }
    }
    Ok(())
}

fn write_relations(
    facts: &mut Facts<'_>,
    thing: &Thing,
    id: ObjectId,
    recipe: &Recipe,
    ids: &[ObjectId],
) -> Result<(), Error> {
    let class = facts.class_of(id)?;
    let elsewhere = recipe.elsewhere(&thing.class);
    let lists =
        thing.elsewhere.iter().filter_map(|(list, places)| Some((elsewhere?, *list, places)));
    let said =
        thing.relations.iter().map(|(name, target, places)| (name.as_str(), *target, places));
    for (name, target, places) in said.chain(lists) {
        let Some(property) = facts.schema().property_named(class, name) else { continue };
        for place in places {
            facts.set_source(&source(place, thing.confidence))?;
            facts.edge(id, property, ids[target])?;
        }
    }
    Ok(())
}
