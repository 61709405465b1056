//! The information network of a store: what there is, what is beside what, and queries.

use crate::error::Refusal;
use crate::state::Studio;
use crate::wire::{
    AnswerCell, AnswerView, ClassView, FactView, NetworkView, ObjectLink, ObjectView, RoleView,
};
use pagemill::network::{
    Answer, AnswerValue, ContextId, Error, Facts, Network, ObjectId, ObjectRow, PropertyId, Seen,
};
use std::collections::BTreeMap;

/// So many objects are found, and so many rows of an answer shown.
const MAX_FOUND: usize = 60;
const MAX_ROWS: usize = 1000;
/// So many of what an object contains, or who plays a role in it.
const MAX_NEIGHBOURS: usize = 400;

impl Studio {
    /// Opened anew each time, so that what is gathered meanwhile is seen.
    fn ask<T>(&self, work: impl FnOnce(&mut Network) -> Result<T, Error>) -> Result<T, Refusal> {
        let store = self.config.store.as_deref();
        let store = store.ok_or_else(|| {
            Refusal::missing("no store is open: start it with pagemill studio u.db")
        })?;
        let asked = Network::open_existing(store).and_then(|mut network| work(&mut network));
        asked.map_err(|error| Refusal::bad(error.to_string()))
    }

    pub(crate) fn has_network(&self) -> bool {
        self.config.store.is_some()
            && self
                .ask(|network| network.look(|facts| all(facts).map(|it| !it.is_empty())))
                .unwrap_or(false)
    }

    pub(crate) fn network(&self) -> Result<NetworkView, Refusal> {
        self.ask(|network| {
            let store = network.store().to_owned();
            let doubts = network.doubts()?.iter().filter(|doubt| doubt.state == "open").count();
            network.look(|facts| {
                let objects = all(facts)?;
                let names: Vec<(pagemill::network::ClassId, String)> =
                    facts.schema().classes().map(|(id, class)| (id, class.name.clone())).collect();
                let classes = names.iter().map(|(id, name)| ClassView {
                    name: name.clone(),
                    n: objects.iter().filter(|row| row.class == *id).count(),
                });
                let classes = classes.filter(|class| class.n > 0).collect();
                let tops = tops(&objects).into_iter().map(|row| link(facts, row)).collect();
                Ok(NetworkView { store, classes, tops, doubts })
            })
        })
    }

    /// Objects whose name has all words of a text, those that begin with it first.
    pub(crate) fn search(&self, text: &str) -> Result<Vec<ObjectLink>, Refusal> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        self.ask(|network| {
            network.look(|facts| {
                let mut found: Vec<(bool, ObjectRow)> = Vec::new();
                for row in all(facts)? {
                    let name = row.name.to_lowercase();
                    if words.iter().all(|word| name.contains(word.as_str())) {
                        let begins =
                            words.first().is_some_and(|word| name.starts_with(word.as_str()));
                        found.push((!begins, row));
                    }
                }
                found.sort_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
                Ok(found.iter().take(MAX_FOUND).map(|(_, row)| link(facts, row)).collect())
            })
        })
    }

    pub(crate) fn object(&self, id: i64) -> Result<ObjectView, Refusal> {
        let found = self.ask(|network| {
            network.look(|facts| {
                let row = facts.object(ObjectId(id))?;
                row.map(|row| view(facts, &row)).transpose()
            })
        })?;
        found.ok_or_else(|| Refusal::missing(format!("there is no object {id}")))
    }

    pub(crate) fn query(&self, text: &str) -> Result<AnswerView, Refusal> {
        self.ask(|network| network.query(text)).map(|answer| match answer {
            Answer::Truth(truth) => {
                AnswerView { truth: Some(truth), columns: Vec::new(), rows: Vec::new(), n_rows: 0 }
            }
            Answer::Table(table) => AnswerView {
                truth: None,
                n_rows: table.rows.len(),
                rows: table
                    .rows
                    .iter()
                    .take(MAX_ROWS)
                    .map(|row| row.iter().map(cell).collect())
                    .collect(),
                columns: table.columns,
            },
        })
    }
}

fn cell(value: &AnswerValue) -> AnswerCell {
    let id = match value {
        AnswerValue::Object { id, .. } => Some(id.0),
        _ => None,
    };
    AnswerCell { text: value.text(), id }
}

/// All objects that are still there.
fn all(facts: &mut Facts<'_>) -> Result<Vec<ObjectRow>, Error> {
    let classes: Vec<_> = facts.schema().classes().map(|(id, _)| id).collect();
    let mut objects = Vec::new();
    for class in classes {
        // A class gives the kinds of it too, which have a turn of their own.
        objects.extend(
            facts.all(class)?.into_iter().filter(|row| row.class == class && row.gone.is_none()),
        );
    }
    Ok(objects)
}

/// Where to begin: what contains others, the outermost and largest first; where nothing does, anything.
fn tops(objects: &[ObjectRow]) -> Vec<&ObjectRow> {
    let mut n_parts: BTreeMap<i64, usize> = BTreeMap::new();
    for (container, _) in objects.iter().filter_map(|row| row.container) {
        *n_parts.entry(container.0).or_default() += 1;
    }
    let has_parts = |row: &&ObjectRow| n_parts.is_empty() || n_parts.contains_key(&row.id.0);
    let mut tops: Vec<&ObjectRow> = objects.iter().filter(has_parts).collect();
    let n = |row: &ObjectRow| n_parts.get(&row.id.0).copied();
    tops.sort_by_key(|row| (row.container.is_some(), std::cmp::Reverse(n(row))));
    tops.truncate(MAX_FOUND);
    tops
}

fn link(facts: &Facts<'_>, row: &ObjectRow) -> ObjectLink {
    let class = facts.schema().class(row.class).name.clone();
    ObjectLink { id: row.id.0, class, name: row.name.clone() }
}

fn view(facts: &mut Facts<'_>, row: &ObjectRow) -> Result<ObjectView, Error> {
    let profile = facts.profile(row)?;
    let mut containers = Vec::new();
    let mut next = row.container;
    while let Some((id, _)) =
        next.filter(|(id, _)| containers.iter().all(|it: &ObjectLink| it.id != id.0))
    {
        let Some(container) = facts.object(id)? else { break };
        next = container.container;
        containers.push(link(facts, &container));
    }
    let parts = facts.parts(row.id)?;
    let parts: Vec<ObjectLink> = parts
        .iter()
        .filter(|it| it.gone.is_none())
        .take(MAX_NEIGHBOURS)
        .map(|it| link(facts, it))
        .collect();
    let (plays, played) = (facts.roles_of(row.id)?, facts.players_of(row.id)?);
    Ok(ObjectView {
        id: row.id.0,
        class: profile.class.clone(),
        name: profile.name.clone(),
        aliases: profile.aliases.clone(),
        containers,
        parts,
        facts: profile
            .facts
            .iter()
            .map(|it| FactView {
                name: it.name.clone(),
                value: it.value.clone(),
                pages: pages(&it.seen),
            })
            .collect(),
        roles: roles(facts, &plays)?,
        players: roles(facts, &played)?,
        pages: pages(&profile.seen),
    })
}

fn roles(
    facts: &mut Facts<'_>,
    all: &[(ContextId, ObjectId, PropertyId)],
) -> Result<Vec<RoleView>, Error> {
    let mut views = Vec::new();
    for (_, other, role) in all.iter().take(MAX_NEIGHBOURS) {
        if let Some(row) = facts.object(*other)? {
            let role = facts.schema().property(*role).name.clone();
            views.push(RoleView { role, with: link(facts, &row) });
        }
    }
    Ok(views)
}

fn pages(seen: &Seen) -> Vec<String> {
    let mut pages: Vec<String> =
        seen.sources.iter().map(|it| it.page.clone()).filter(|it| !it.is_empty()).collect();
    pages.dedup();
    pages
}
