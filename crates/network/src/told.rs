//! What is told of objects to programs: all there is of one as JSON, and which one a user means.

use crate::error::Error;
use crate::facts::ObjectId;
use crate::network::Network;
use crate::profile::{Profile, ProfileContext, ProfileFact, Seen};
use crate::store::Source;
use serde_json::{Value, json};

impl Profile {
    /// All of it, for programs.
    pub fn to_json(&self) -> Value {
        object(self)
    }
}

impl Network {
    /// The one object of a name, or of a number such as `#17`.
    pub fn object(&mut self, name: &str) -> Result<ObjectId, Error> {
        self.look(|facts| {
            let found = match name.strip_prefix('#').and_then(|number| number.parse().ok()) {
                Some(number) => facts.object(ObjectId(number))?.into_iter().collect(),
                None => facts.called(name)?,
            };
            match &found[..] {
                [one] => Ok(one.id),
                [] => {
                    Err(Error::Object { at: None, message: format!("nothing is called {name:?}") })
                }
                several => {
                    let numbers: Vec<String> =
                        several.iter().map(|row| format!("#{}", row.id.0)).collect();
                    let message = format!(
                        "{} objects are called {name:?}; say which: {}",
                        several.len(),
                        numbers.join(", ")
                    );
                    Err(Error::Object { at: None, message })
                }
            }
        })
    }
}

fn object(profile: &Profile) -> Value {
    let pair = |(class, name): &(String, String)| json!({ "class": class, "name": name });
    json!({
        "id": profile.id.0,
        "class": profile.class,
        "name": profile.name,
        "aliases": profile.aliases,
        "in": profile.containers.iter().map(pair).collect::<Vec<Value>>(),
        "facts": facts_json(&profile.facts),
        "parts": profile.parts.iter().map(|(by, class, name)| json!({ "by": by, "class": class, "name": name })).collect::<Vec<Value>>(),
        "roles": contexts_json(&profile.contexts),
        "players": contexts_json(&profile.players),
        "seen": seen_json(&profile.seen),
    })
}

fn facts_json(all: &[ProfileFact]) -> Vec<Value> {
    all.iter()
        .map(|it| json!({ "name": it.name, "value": it.value, "seen": seen_json(&it.seen) }))
        .collect()
}

fn contexts_json(all: &[ProfileContext]) -> Vec<Value> {
    let one = |it: &ProfileContext| json!({ "role": it.role, "with": it.other, "facts": facts_json(&it.facts), "seen": seen_json(&it.seen) });
    all.iter().map(one).collect()
}

fn seen_json(seen: &Seen) -> Value {
    let source = |it: &Source| {
        json!({
            "page": it.page, "place": it.place, "wrapper": it.wrapper, "confidence": it.confidence, "time": it.time,
        })
    };
    let sources: Vec<Value> = seen.sources.iter().map(source).collect();
    json!({ "sources": sources, "first": seen.first, "last": seen.last, "gone": seen.gone })
}
