//! One object whole: what it is, what it has, and what it is in each context, with the pages that say so.

use crate::error::Error;
use crate::facts::{ContextId, Facts, ObjectId, ObjectRow, containers};
use crate::network::Network;
use crate::schema::PropertyId;
use crate::store::{Cell, Param, Source};

/// One object whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Its number.
    pub id: ObjectId,
    /// Its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// What contains it: classes and names, the innermost first.
    pub containers: Vec<(String, String)>,
    /// Its attributes and normal relationships.
    pub facts: Vec<ProfileFact>,
    /// What it contains: relationship, class and name.
    pub parts: Vec<(String, String, String)>,
    /// The roles it plays: what it is in the context of others.
    pub contexts: Vec<ProfileContext>,
    /// The roles that others play in it.
    pub players: Vec<ProfileContext>,
    /// Who says that it is there.
    pub seen: Seen,
}

/// A value or relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileFact {
    /// Which.
    pub name: String,
    /// What.
    pub value: String,
    /// Who says so.
    pub seen: Seen,
}

/// A role.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileContext {
    /// The most specific role.
    pub role: String,
    /// The name of the other end.
    pub other: String,
    /// What is true in this context.
    pub facts: Vec<ProfileFact>,
    /// Who says so.
    pub seen: Seen,
}

/// Who says something, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The first, then others.
    pub sources: Vec<Source>,
    /// In milliseconds since 1970.
    pub first: i64,
    /// In milliseconds since 1970.
    pub last: i64,
    /// When it was found to be gone.
    pub gone: Option<i64>,
}

const SEEN: &str = "f.id, f.source, f.place, f.confidence, f.first_seen, f.last_seen, f.gone";

impl Network {
    /// All objects of a name, or else of a name that is the same but for case.
    pub fn profiles(&mut self, name: &str) -> Result<Vec<Profile>, Error> {
        self.look(|facts| {
            let rows = facts.called(name)?;
            rows.iter().map(|row| facts.profile(row)).collect()
        })
    }
}

impl Facts<'_> {
    /// Objects of any class by their name or another name; where none has it, by names that differ in case only.
    pub fn called(&mut self, name: &str) -> Result<Vec<ObjectRow>, Error> {
        let classes = crate::facts::class_list(self.schema.classes().map(|(id, _)| id));
        let exact = crate::facts::by_name(self.db, &classes, name)?;
        if !exact.is_empty() {
            return Ok(exact);
        }
        let query = "SELECT id FROM net_object WHERE lower(name) = lower(?1) ORDER BY id";
        let ids = self.db.ints(query, &[Param::Text(name)])?;
        let mut rows = Vec::new();
        for id in ids {
            rows.extend(self.object(ObjectId(id))?);
        }
        Ok(rows)
    }

    /// One object whole.
    pub fn profile(&mut self, row: &ObjectRow) -> Result<Profile, Error> {
        let id = row.id;
        let aliases = self.db.rows(
            "SELECT name FROM net_alias WHERE object = ?1 ORDER BY name",
            &[Param::Int(id.0)],
        )?;
        let containers = containers(self.db, id)?;
        let told = |row: &ObjectRow| (self.schema.class(row.class).name.clone(), row.name.clone());
        let containers = containers.iter().map(told).collect();
        let parts = self.parts(id)?;
        let part = |row: &ObjectRow| {
            let by = row
                .container
                .map(|(_, by)| self.schema.property(by).name.clone())
                .unwrap_or_default();
            (by, self.schema.class(row.class).name.clone(), row.name.clone())
        };
        let parts = parts.iter().map(part).collect();
        Ok(Profile {
            id,
            class: self.schema.class(row.class).name.clone(),
            name: row.name.clone(),
            aliases: aliases.iter().map(|row| row[0].text()).collect(),
            containers,
            facts: self.held(id.0)?,
            parts,
            contexts: self.contexts("player", "unit", id)?,
            players: self.contexts("unit", "player", id)?,
            seen: self.seen("net_object", id.0)?,
        })
    }

    fn name_of(&self, cell: &Cell) -> String {
        let id = PropertyId(u32::try_from(cell.int()).unwrap_or_default());
        self.schema.property(id).name.clone()
    }

    fn held(&mut self, owner: i64) -> Result<Vec<ProfileFact>, Error> {
        let attributes = format!(
            "SELECT {SEEN}, f.definition, f.value FROM net_attribute f WHERE f.owner = ?1 ORDER BY f.id"
        );
        let edges = format!(
            "SELECT {SEEN}, f.relationship, o.name FROM net_edge f JOIN net_object o ON o.id = f.target
             WHERE f.origin = ?1 ORDER BY f.id"
        );
        let mut rows = self.db.rows(&attributes, &[Param::Int(owner)])?;
        rows.extend(self.db.rows(&edges, &[Param::Int(owner)])?);
        let mut found = Vec::new();
        for row in rows {
            found.push(ProfileFact {
                name: self.name_of(&row[7]),
                value: row[8].text(),
                seen: self.read_seen(&row)?,
            });
        }
        Ok(found)
    }

    fn contexts(
        &mut self,
        own: &str,
        other: &str,
        id: ObjectId,
    ) -> Result<Vec<ProfileContext>, Error> {
        let query = format!(
            "SELECT {SEEN}, f.role, o.name FROM net_role f JOIN net_object o ON o.id = f.{other}
             WHERE f.{own} = ?1 ORDER BY f.role, f.id"
        );
        let mut found = Vec::new();
        for row in self.db.rows(&query, &[Param::Int(id.0)])? {
            found.push(ProfileContext {
                role: self.name_of(&row[7]),
                other: row[8].text(),
                facts: self.held(ContextId(row[0].int()).0)?,
                seen: self.read_seen(&row)?,
            });
        }
        Ok(found)
    }

    fn seen(&mut self, table: &str, id: i64) -> Result<Seen, Error> {
        let row = self
            .db
            .first(&format!("SELECT {SEEN} FROM {table} f WHERE f.id = ?1"), &[Param::Int(id)])?;
        match row {
            Some(row) => self.read_seen(&row),
            None => Ok(Seen::default()),
        }
    }

    fn read_seen(&mut self, row: &[Cell]) -> Result<Seen, Error> {
        let query = "SELECT page, wrapper FROM net_source WHERE id = ?1";
        let first = self.db.first(query, &[Param::Int(row[1].int())])?;
        let source = |page: &[Cell], place: &Cell, confidence: &Cell, time: &Cell| Source {
            page: page[0].text(),
            wrapper: page[1].text(),
            place: place.text(),
            confidence: confidence.real(),
            time: time.int(),
        };
        let mut sources: Vec<Source> =
            first.iter().map(|page| source(page, &row[2], &row[3], &row[4])).collect();
        let query = "SELECT s.page, s.wrapper, e.place, e.confidence, e.seen FROM net_evidence e
                     JOIN net_source s ON s.id = e.source WHERE e.fact = ?1 ORDER BY s.id";
        let others = self.db.rows(query, &[Param::Int(row[0].int())])?;
        sources.extend(others.iter().map(|it| source(it, &it[2], &it[3], &it[4])));
        let gone = Some(row[6].int()).filter(|gone| *gone != 0);
        Ok(Seen { sources, first: row[4].int(), last: row[5].int(), gone })
    }
}
