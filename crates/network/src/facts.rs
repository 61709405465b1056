//! Writing facts, one by one, within a transaction: what statements do, and what programs do that have no need of a text.
//!
//! Whatever is written is checked against the schema and the rules of the model. A fact that is there already is seen again: its time
//! moves on, and another page that says it becomes evidence beside the first.

mod delete;
mod find;
mod gone;
mod object;
mod write;

pub use find::ObjectRow;
pub(crate) use find::{by_name, containers};

use crate::error::{Error, Rule};
use crate::schema::{ClassId, Kind, PropertyId, Relation, Relationship, Schema};
use crate::store::{Database, Param, Source};
use std::collections::{HashMap, HashSet};

/// An object, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub i64);

/// A role that someone plays, by its number: the context in which more is true of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub i64);

/// What has attributes and normal relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// An object.
    Object(ObjectId),
    /// A role that someone plays.
    Context(ContextId),
}

impl Holder {
    pub(crate) fn number(self) -> i64 {
        match self {
            Holder::Object(ObjectId(id)) | Holder::Context(ContextId(id)) => id,
        }
    }
}

impl From<ObjectId> for Holder {
    fn from(object: ObjectId) -> Holder {
        Holder::Object(object)
    }
}

impl From<ContextId> for Holder {
    fn from(context: ContextId) -> Holder {
        Holder::Context(context)
    }
}

/// Classes of objects that are remembered; more are forgotten at once.
const MAX_REMEMBERED: usize = 1 << 20;

/// A transaction that writes facts.
pub struct Facts<'n> {
    pub(crate) db: &'n mut dyn Database,
    pub(crate) schema: &'n Schema,
    /// The number of the next fact.
    next: i64,
    source: Source,
    source_id: i64,
    source_ids: HashMap<(String, String), i64>,
    classes: HashMap<i64, ClassId>,
    /// How many facts were written that were not there.
    n_new: u64,
    /// Facts that were said in this transaction, new or again.
    said: HashSet<i64>,
}

impl<'n> Facts<'n> {
    pub(crate) fn begin(
        db: &'n mut dyn Database,
        schema: &'n Schema,
        source: &Source,
    ) -> Result<Facts<'n>, Error> {
        let row = db.first("SELECT value FROM net_meta WHERE key = 'next'", &[])?;
        let next = row.map_or(1, |row| row[0].int());
        let mut facts = Facts { next, ..Facts::reading(db, schema) };
        facts.set_source(source)?;
        Ok(facts)
    }

    /// To look only, outside of a transaction.
    pub(crate) fn reading(db: &'n mut dyn Database, schema: &'n Schema) -> Facts<'n> {
        Facts {
            db,
            schema,
            next: 1,
            source: Source::page("", 0),
            source_id: 0,
            source_ids: HashMap::new(),
            classes: HashMap::new(),
            n_new: 0,
            said: HashSet::new(),
        }
    }

    pub(crate) fn end(&mut self) -> Result<(), Error> {
        let next = self.next.to_string();
        self.db
            .execute("UPDATE net_meta SET value = ?1 WHERE key = 'next'", &[Param::Text(&next)])?;
        Ok(())
    }

    /// What says all that is written from now on.
    pub fn set_source(&mut self, source: &Source) -> Result<(), Error> {
        let key = (source.page.clone(), source.wrapper.clone());
        self.source = source.clone();
        if let Some(id) = self.source_ids.get(&key) {
            self.source_id = *id;
            return Ok(());
        }
        let both = [Param::Text(&key.0), Param::Text(&key.1)];
        let found =
            self.db.ints("SELECT id FROM net_source WHERE page = ?1 AND wrapper = ?2", &both)?;
        self.source_id = match found.first() {
            Some(id) => *id,
            None => {
                let id = self.number();
                let row = [Param::Int(id), both[0], both[1]];
                self.db.execute("INSERT INTO net_source VALUES (?1, ?2, ?3)", &row)?;
                id
            }
        };
        self.source_ids.insert(key, self.source_id);
        Ok(())
    }

    /// The schema that facts are written by.
    pub fn schema(&self) -> &'n Schema {
        self.schema
    }

    /// How many facts were written that were not there before.
    pub fn n_new(&self) -> u64 {
        self.n_new
    }

    pub(crate) fn number(&mut self) -> i64 {
        let number = self.next;
        self.next += 1;
        number
    }

    fn remember(&mut self, object: i64, class: ClassId) {
        if self.classes.len() == MAX_REMEMBERED {
            self.classes.clear();
        }
        self.classes.insert(object, class);
    }

    pub(crate) fn forget(&mut self, object: ObjectId) {
        self.classes.remove(&object.0);
    }

    /// The class of an object.
    pub fn class_of(&mut self, object: ObjectId) -> Result<ClassId, Error> {
        if let Some(class) = self.classes.get(&object.0) {
            return Ok(*class);
        }
        let found =
            self.db.ints("SELECT class FROM net_object WHERE id = ?1", &[Param::Int(object.0)])?;
        let class = found.first().and_then(|class| u32::try_from(*class).ok()).map(ClassId);
        let class =
            class.ok_or_else(|| Error::object(None, format!("there is no object {}", object.0)))?;
        self.remember(object.0, class);
        Ok(class)
    }

    /// An object as it is told: `College "Mellon College of Science"`.
    pub(crate) fn told(&mut self, object: ObjectId) -> String {
        let row = self.object(object).ok().flatten();
        row.map_or_else(
            || format!("object {}", object.0),
            |row| format!("{} {:?}", self.schema.class(row.class).name, row.name),
        )
    }

    fn relationship(&self, id: PropertyId) -> Result<&'n Relationship, Error> {
        self.schema.relationship(id).ok_or_else(|| {
            let message = format!("{:?} is an attribute, not a relationship", self.schema.path(id));
            Error::check(Rule::Kind, None, message)
        })
    }

    fn of_kind(&self, id: PropertyId, relation: Relation) -> Result<&'n Relationship, Error> {
        let it = self.relationship(id)?;
        if it.relation == relation {
            return Ok(it);
        }
        let message = format!(
            "{:?} is a {} relationship, not {}",
            self.schema.path(id),
            it.relation.word(),
            relation.word()
        );
        Err(Error::check(Rule::Kind, None, message))
    }

    /// Whether an object is of a class, as one end of a relationship has to be.
    fn check_class(
        &mut self,
        object: ObjectId,
        class: ClassId,
        property: PropertyId,
    ) -> Result<(), Error> {
        let found = self.class_of(object)?;
        if self.schema.is_a(found, class) {
            return Ok(());
        }
        let (told, wanted) = (self.told(object), &self.schema.class(class).name);
        let message =
            format!("{told} is no {wanted}, which {:?} asks for", self.schema.path(property));
        Err(Error::check(Rule::Target, None, message))
    }

    fn is_key(&self, property: PropertyId) -> bool {
        matches!(self.schema.property(property).kind, Kind::Attribute { is_key: true, .. })
    }
}

/// Numbers of properties, as SQL lists them.
pub(crate) fn list(properties: &[PropertyId]) -> String {
    let numbers: Vec<String> = properties.iter().map(|id| id.0.to_string()).collect();
    if numbers.is_empty() { "-1".to_owned() } else { numbers.join(", ") }
}

/// Numbers of classes, as SQL lists them.
pub(crate) fn class_list(classes: impl IntoIterator<Item = ClassId>) -> String {
    let numbers: Vec<String> = classes.into_iter().map(|id| id.0.to_string()).collect();
    if numbers.is_empty() { "-1".to_owned() } else { numbers.join(", ") }
}
