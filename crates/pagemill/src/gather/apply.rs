//! What pages were found to say, written into a network.

mod things;

use super::GatherError;
use super::recipe::{Recipe, RecipeError};
use network::merge::{Merged, PartObject, Place, RoleFact, Thing};
use network::schema::Relation;
use network::{ClassId, Error, Facts, Network, ObjectId, PropertyId, Schema, Source};
use std::collections::BTreeMap;

/// What is new in a network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Objects that contain each other.
    pub parts: usize,
    /// Those who have roles.
    pub players: usize,
    /// Their roles.
    pub roles: usize,
    /// Objects that were read off records, or off pages of their own.
    pub things: usize,
    /// What may be wrong.
    pub doubts: usize,
    /// Facts that were not there before.
    pub new_facts: u64,
    /// Facts that no page says any more.
    pub gone_facts: u64,
}

/// Which class may contain which, by a schema.
pub(super) fn nesting(schema: &Schema) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (outer, class) in schema.classes() {
        for (inner, part) in schema.classes() {
            if containment(schema, outer, inner).is_some() {
                pairs.push((class.name.clone(), part.name.clone()));
            }
        }
    }
    pairs
}

/// The relationship by which one class contains another.
fn containment(schema: &Schema, outer: ClassId, inner: ClassId) -> Option<PropertyId> {
    schema.properties_of(outer).find(|it| {
        let relationship = schema.relationship(*it);
        relationship
            .is_some_and(|it| it.relation == Relation::Contain && schema.is_a(inner, it.target))
    })
}

/// Write all in one transaction. `pages` are those that were read, each with when it was fetched: what they said before and do not
/// say now is marked as gone. If it is not to be `is_final` after all, nothing is written.
pub(super) fn write(
    network: &mut Network,
    recipe: &Recipe,
    merged: &Merged,
    things: &[Thing],
    pages: &[(&str, i64)],
    is_final: impl FnOnce() -> bool,
) -> Result<Gathered, GatherError> {
    let classes = classes(network.schema(), merged)?;
    let first = pages.iter().map(|(_, at)| *at).min().unwrap_or(0);
    let mut is_stopped = false;
    let written = network.change(&Source::page("", first), |facts| {
        let parts = write_parts(facts, merged, &classes)?;
        let players = write_players(facts, merged, &classes, &parts)?;
        things::write(facts, things, recipe, parts.first().copied())?;
        write_doubts(facts, merged, &parts, &players)?;
        let gone_facts = facts.mark_gone(pages)?;
        is_stopped = !is_final();
        if is_stopped {
            return Err(Error::Object { at: None, message: "stopped".into() });
        }
        Ok(Gathered {
            parts: merged.parts.len(),
            players: merged.players.len(),
            roles: merged.roles.len(),
            things: things.len(),
            doubts: merged.doubts.len(),
            new_facts: facts.n_new(),
            gone_facts,
        })
    });
    if is_stopped { Err(GatherError::Stopped) } else { Ok(written?) }
}

/// The classes of all that is to be written, by name.
type Classes<'m> = BTreeMap<&'m str, ClassId>;

fn classes<'m>(schema: &Schema, merged: &'m Merged) -> Result<Classes<'m>, GatherError> {
    let parts = merged.parts.iter().map(|part| part.class.as_str());
    let names = parts.chain(merged.players.iter().map(|player| player.class.as_str()));
    let number = |name: &'m str| match schema.class_named(name) {
        Some(id) => Ok((name, id)),
        None => Err(RecipeError::Class(name.to_owned()).into()),
    };
    names.map(number).collect()
}

fn source(place: &Place, confidence: f64) -> Source {
    let at = format!("{}-{}", place.span.start, place.span.end);
    Source::page(place.url.clone(), place.at).at(at).with_confidence(confidence)
}

fn write_parts(
    facts: &mut Facts<'_>,
    merged: &Merged,
    classes: &Classes<'_>,
) -> Result<Vec<ObjectId>, Error> {
    let mut ids: Vec<ObjectId> = Vec::with_capacity(merged.parts.len());
    for part in &merged.parts {
        let container = part.container.map(|number| ids[number]);
        ids.push(write_part(facts, part, classes[part.class.as_str()], container)?);
    }
    Ok(ids)
}

fn write_part(
    facts: &mut Facts<'_>,
    part: &PartObject,
    class: ClassId,
    container: Option<ObjectId>,
) -> Result<ObjectId, Error> {
    let mut places = part.places.iter();
    facts.set_source(&source(places.next().unwrap_or(&Place::default()), part.confidence))?;
    let within = match container {
        Some(container) => {
            let outer = facts.class_of(container)?;
            containment(facts.schema(), outer, class).map(|property| (container, property))
        }
        None => None,
    };
    let id = match known_part(facts, class, part, container)? {
        Some(id) => {
            facts.see(id)?;
            if let Some((container, property)) = within {
                facts.put(container, property, id)?;
            }
            id
        }
        None => facts.add_object(class, &part.name, within)?,
    };
    for place in places {
        facts.set_source(&source(place, part.confidence))?;
        facts.see(id)?;
    }
    for alias in &part.aliases {
        facts.add_alias(id, alias)?;
    }
    if let (Some(url), Some(property)) = (&part.url, facts.schema().property_named(class, "url")) {
        facts.say(id, property, url)?;
    }
    Ok(id)
}

/// The object that is there already: by name in its container, else by its address.
fn known_part(
    facts: &mut Facts<'_>,
    class: ClassId,
    part: &PartObject,
    container: Option<ObjectId>,
) -> Result<Option<ObjectId>, Error> {
    let names = std::iter::once(&part.name).chain(&part.aliases);
    for name in names {
        let found = facts.find(class, name)?;
        let here = found.iter().find(|row| row.container.map(|(it, _)| it) == container);
        if let Some(row) = here {
            return Ok(Some(row.id));
        }
    }
    Ok(None)
}

fn write_players(
    facts: &mut Facts<'_>,
    merged: &Merged,
    classes: &Classes<'_>,
    parts: &[ObjectId],
) -> Result<Vec<ObjectId>, Error> {
    let mut roles: BTreeMap<usize, Vec<&RoleFact>> = BTreeMap::new();
    for role in &merged.roles {
        roles.entry(role.player).or_default().push(role);
    }
    let mut ids = Vec::with_capacity(merged.players.len());
    for (number, player) in merged.players.iter().enumerate() {
        let own = roles.get(&number).map_or(&[][..], Vec::as_slice);
        let class = classes[player.class.as_str()];
        if let Some(place) = own.first().and_then(|role| role.places.first()) {
            facts.set_source(&source(place, own[0].confidence))?;
        }
        let id = match facts.find(class, &player.name)?.first() {
            Some(row) => row.id,
            None => facts.add_object(class, &player.name, None)?,
        };
        facts.see(id)?;
        for alias in &player.aliases {
            facts.add_alias(id, alias)?;
        }
        for role in own {
            write_role(facts, role, parts[role.part], id)?;
        }
        ids.push(id);
    }
    Ok(ids)
}

fn write_role(
    facts: &mut Facts<'_>,
    role: &RoleFact,
    unit: ObjectId,
    player: ObjectId,
) -> Result<(), Error> {
    let schema = facts.schema();
    let class = facts.class_of(unit)?;
    // What the schema has no such role for is not said of it.
    let Some(generic) = schema.property_named(class, &role.role) else { return Ok(()) };
    let below = schema.below(generic);
    let named = |name: &String| below.iter().copied().find(|it| schema.property(*it).name == *name);
    let property = role.specific.as_ref().and_then(named).unwrap_or(generic);
    for place in &role.places {
        facts.set_source(&source(place, role.confidence))?;
        let context = facts.role(unit, property, player)?;
        for (name, value) in &role.context {
            if let Some(attribute) = schema.context_named(property, name) {
                facts.say(context, attribute, value)?;
            }
        }
    }
    Ok(())
}

fn write_doubts(
    facts: &mut Facts<'_>,
    merged: &Merged,
    parts: &[ObjectId],
    players: &[ObjectId],
) -> Result<(), Error> {
    let mut by_name: BTreeMap<&str, ObjectId> = BTreeMap::new();
    by_name.extend(merged.parts.iter().map(|it| it.name.as_str()).zip(parts.iter().copied()));
    by_name.extend(merged.players.iter().map(|it| it.name.as_str()).zip(players.iter().copied()));
    for doubt in &merged.doubts {
        let Some(one) = by_name.get(doubt.one.as_str()) else { continue };
        let other = doubt.other.as_deref().and_then(|it| by_name.get(it)).copied();
        facts.add_doubt(doubt.kind.name(), *one, other, &doubt.reason, doubt.confidence)?;
    }
    Ok(())
}
