//! Adding facts.

use super::{ContextId, Facts, Holder, ObjectId, list};
use crate::error::{Error, Rule};
use crate::schema::{Kind, Owner, PropertyId, Relation};
use crate::store::Param;

/// A table of facts.
#[derive(Clone, Copy)]
pub(super) enum Table {
    Object,
    Attribute,
    Edge,
    Role,
}

impl Table {
    fn seen_again(self) -> &'static str {
        match self {
            Table::Object => {
                "UPDATE net_object SET last_seen = CASE WHEN last_seen < ?2 THEN ?2 ELSE last_seen END,
                 confidence = CASE WHEN confidence < ?3 THEN ?3 ELSE confidence END, gone = 0 WHERE id = ?1"
            }
            Table::Attribute => {
                "UPDATE net_attribute SET last_seen = CASE WHEN last_seen < ?2 THEN ?2 ELSE last_seen END,
                 confidence = CASE WHEN confidence < ?3 THEN ?3 ELSE confidence END, gone = 0 WHERE id = ?1"
            }
            Table::Edge => {
                "UPDATE net_edge SET last_seen = CASE WHEN last_seen < ?2 THEN ?2 ELSE last_seen END,
                 confidence = CASE WHEN confidence < ?3 THEN ?3 ELSE confidence END, gone = 0 WHERE id = ?1"
            }
            Table::Role => {
                "UPDATE net_role SET last_seen = CASE WHEN last_seen < ?2 THEN ?2 ELSE last_seen END,
                 confidence = CASE WHEN confidence < ?3 THEN ?3 ELSE confidence END, gone = 0 WHERE id = ?1"
            }
        }
    }
}

impl Facts<'_> {
    pub(super) fn only_one(
        &mut self,
        object: ObjectId,
        property: PropertyId,
        other: ObjectId,
    ) -> Error {
        let (told, other) = (self.told(object), self.told(other));
        let name = &self.schema.property(property).name;
        let message = format!("{told} has one {name:?} and it is {other}; change it with Update");
        Error::check(Rule::Cardinality, None, message)
    }

    /// Give an object or context a value.
    pub fn attribute(
        &mut self,
        holder: impl Into<Holder>,
        attribute: PropertyId,
        value: &str,
    ) -> Result<(), Error> {
        let holder = holder.into();
        self.check_value(attribute, value)?;
        self.check_holder(holder, attribute)?;
        let owner = Param::Int(holder.number());
        let definition = Param::Int(attribute.0.into());
        let query =
            "SELECT id, value, gone FROM net_attribute WHERE owner = ?1 AND definition = ?2";
        let is_many = self.schema.property(attribute).is_many;
        let known = match is_many {
            true => self.db.rows(
                "SELECT id, value, gone FROM net_attribute WHERE owner = ?1 AND definition = ?2 AND value = ?3",
                &[owner, definition, Param::Text(value)],
            )?,
            false => self.db.rows(query, &[owner, definition])?,
        };
        if let Some(row) = known.iter().find(|row| row[1].text() == value) {
            return self.seen_again(Table::Attribute, row[0].int());
        }
        if let Some(other) = known.iter().find(|row| !is_many && row[2].int() == 0) {
            let (path, other) = (self.schema.path(attribute), other[1].text());
            let message = format!(
                "{path:?} has one value and it is {other:?}, not {value:?}; change it with Update"
            );
            return Err(Error::check(Rule::Cardinality, None, message));
        }
        if let Holder::Object(object) = holder
            && self.is_key(attribute)
        {
            self.check_key(object, attribute, value, None)?;
        }
        self.insert_attribute(holder, attribute, value)
    }

    fn insert_attribute(
        &mut self,
        holder: Holder,
        attribute: PropertyId,
        value: &str,
    ) -> Result<(), Error> {
        let Kind::Attribute { value: of, .. } = &self.schema.property(attribute).kind else {
            return Ok(());
        };
        let number = value.parse().ok().filter(|_| of.is_number());
        let (id, source) = (self.number(), self.source.clone());
        self.db.execute(
            "INSERT INTO net_attribute VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, 0)",
            &[
                Param::Int(id),
                Param::Int(holder.number()),
                Param::Int(attribute.0.into()),
                Param::Text(value),
                number.map_or(Param::Null, Param::Real),
                Param::Int(self.source_id),
                Param::Text(&source.place),
                Param::Real(source.confidence),
                Param::Int(source.time),
            ],
        )?;
        self.note_new(id);
        Ok(())
    }

    /// A fact was written that was not there.
    pub(super) fn note_new(&mut self, fact: i64) {
        self.n_new += 1;
        self.said.insert(fact);
    }

    /// Give an object or context a value that a page says now. Where there may be only one, another that pages said before is gone
    /// from then on, and stays to be told of.
    pub fn say(
        &mut self,
        holder: impl Into<Holder>,
        attribute: PropertyId,
        value: &str,
    ) -> Result<(), Error> {
        let holder = holder.into();
        if !self.schema.property(attribute).is_many {
            let others = "UPDATE net_attribute SET gone = ?4 WHERE owner = ?1 AND definition = ?2 AND value <> ?3 AND gone = 0";
            let params = [
                Param::Int(holder.number()),
                Param::Int(attribute.0.into()),
                Param::Text(value),
                Param::Int(self.source.time.max(1)),
            ];
            self.db.execute(others, &params)?;
        }
        self.attribute(holder, attribute, value)
    }

    fn check_value(&self, attribute: PropertyId, value: &str) -> Result<(), Error> {
        let Kind::Attribute { value: of, .. } = &self.schema.property(attribute).kind else {
            let message =
                format!("{:?} is a relationship, not an attribute", self.schema.path(attribute));
            return Err(Error::check(Rule::Kind, None, message));
        };
        if of.accepts(value) {
            return Ok(());
        }
        let message = format!(
            "{:?} is {}, and {value:?} is none",
            self.schema.path(attribute),
            of.expected()
        );
        Err(Error::check(Rule::Type, None, message))
    }

    /// Whether an object is of the class that declares a property, or a context of the role that does.
    fn check_holder(&mut self, holder: Holder, property: PropertyId) -> Result<(), Error> {
        let owner = self.schema.property(property).owner;
        let is_fit = match (holder, owner) {
            (Holder::Object(object), Owner::Class(class)) => {
                let found = self.class_of(object)?;
                self.schema.is_a(found, class)
            }
            (Holder::Object(object), Owner::Generic(_)) => {
                let found = self.class_of(object)?;
                self.schema.is_a(found, self.schema.declaring_class(property))
            }
            (Holder::Context(context), Owner::Context(role)) => {
                let query = "SELECT role FROM net_role WHERE id = ?1";
                let found = self.db.ints(query, &[Param::Int(context.0)])?;
                let found = found.first().and_then(|id| u32::try_from(*id).ok()).map(PropertyId);
                found.is_some_and(|found| self.schema.generics(found).any(|id| id == role))
            }
            _ => false,
        };
        if is_fit {
            return Ok(());
        }
        let what = match holder {
            Holder::Object(object) => self.told(object),
            Holder::Context(_) => "this context".to_owned(),
        };
        let message = format!("{what} has no {:?}", self.schema.path(property));
        Err(Error::check(Rule::Declared, None, message))
    }

    fn check_key(
        &mut self,
        object: ObjectId,
        attribute: PropertyId,
        value: &str,
        container: Option<ObjectId>,
    ) -> Result<(), Error> {
        let within = match container {
            Some(container) => container.0,
            None => self.object(object)?.and_then(|row| row.container).map_or(0, |(id, _)| id.0),
        };
        let query = "SELECT o.id FROM net_attribute a JOIN net_object o ON o.id = a.owner
                     WHERE a.value = ?1 AND a.definition = ?2 AND o.container = ?3 AND o.id <> ?4 AND a.gone = 0";
        let params = [
            Param::Text(value),
            Param::Int(attribute.0.into()),
            Param::Int(within),
            Param::Int(object.0),
        ];
        let Some(other) = self.db.ints(query, &params)?.first().copied() else { return Ok(()) };
        let (told, path) = (self.told(ObjectId(other)), self.schema.path(attribute));
        let message = format!("{path:?} is a key, and {told} has {value:?} already");
        Err(Error::check(Rule::Key, None, message))
    }

    pub(super) fn check_keys_in(
        &mut self,
        object: ObjectId,
        container: ObjectId,
    ) -> Result<(), Error> {
        let class = self.class_of(object)?;
        let keys: Vec<PropertyId> =
            self.schema.properties_of(class).filter(|id| self.is_key(*id)).collect();
        for key in keys {
            for value in self.values(object, key)? {
                self.check_key(object, key, &value, Some(container))?;
            }
        }
        Ok(())
    }

    /// Relate an object, or a player in a context, to another object.
    pub fn edge(
        &mut self,
        holder: impl Into<Holder>,
        property: PropertyId,
        target: ObjectId,
    ) -> Result<(), Error> {
        let holder = holder.into();
        let class = self.of_kind(property, Relation::Normal)?.target;
        self.check_holder(holder, property)?;
        self.check_class(target, class, property)?;
        let params =
            [Param::Int(holder.number()), Param::Int(property.0.into()), Param::Int(target.0)];
        let query =
            "SELECT id FROM net_edge WHERE origin = ?1 AND relationship = ?2 AND target = ?3";
        if let Some(known) = self.db.ints(query, &params)?.first() {
            return self.seen_again(Table::Edge, *known);
        }
        if !self.schema.property(property).is_many {
            let all = list(&self.schema.below(self.schema.root(property)));
            let query = format!(
                "SELECT target FROM net_edge WHERE origin = ?1 AND relationship IN ({all}) AND gone = 0"
            );
            if let Some(other) = self.db.ints(&query, &params[..1])?.first() {
                return Err(self.one_target(holder, property, ObjectId(*other)));
            }
        }
        self.insert_link(
            "INSERT INTO net_edge VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 0)",
            params,
        )?;
        Ok(())
    }

    fn one_target(&mut self, holder: Holder, property: PropertyId, other: ObjectId) -> Error {
        match holder {
            Holder::Object(object) => self.only_one(object, property, other),
            Holder::Context(_) => {
                let (path, other) = (self.schema.path(property), self.told(other));
                let message = format!("{path:?} is one and it is {other}; change it with Update");
                Error::check(Rule::Cardinality, None, message)
            }
        }
    }

    /// Let someone play a role in a unit. The generic roles above it, the inverse and the context follow from it.
    pub fn role(
        &mut self,
        unit: ObjectId,
        role: PropertyId,
        player: ObjectId,
    ) -> Result<ContextId, Error> {
        let target = self.of_kind(role, Relation::Role)?.target;
        self.check_class(unit, self.schema.declaring_class(role), role)?;
        self.check_class(player, target, role)?;
        let params = [Param::Int(unit.0), Param::Int(role.0.into()), Param::Int(player.0)];
        let query = "SELECT id FROM net_role WHERE unit = ?1 AND role = ?2 AND player = ?3";
        if let Some(known) = self.db.ints(query, &params)?.first().copied() {
            self.seen_again(Table::Role, known)?;
            return Ok(ContextId(known));
        }
        if !self.schema.property(role).is_many {
            let all = list(&self.schema.below(self.schema.root(role)));
            let query = format!(
                "SELECT player FROM net_role WHERE unit = ?1 AND role IN ({all}) AND player <> ?2 AND gone = 0"
            );
            if let Some(other) = self.db.ints(&query, &[params[0], params[2]])?.first() {
                return Err(self.only_one(unit, role, ObjectId(*other)));
            }
        }
        let id = self.insert_link(
            "INSERT INTO net_role VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 0)",
            params,
        )?;
        Ok(ContextId(id))
    }

    /// A row of two objects and what relates them.
    fn insert_link(&mut self, sql: &str, [one, by, other]: [Param<'_>; 3]) -> Result<i64, Error> {
        let (id, source) = (self.number(), self.source.clone());
        let row = [
            Param::Int(id),
            one,
            by,
            other,
            Param::Int(self.source_id),
            Param::Text(&source.place),
            Param::Real(source.confidence),
            Param::Int(source.time),
        ];
        self.db.execute(sql, &row)?;
        self.note_new(id);
        Ok(id)
    }

    /// A fact is said once more: by the page that said it first, or by another, which is evidence beside it then.
    pub(super) fn seen_again(&mut self, table: Table, fact: i64) -> Result<(), Error> {
        let source = self.source.clone();
        let seen = [Param::Int(fact), Param::Int(source.time), Param::Real(source.confidence)];
        self.db.execute(table.seen_again(), &seen)?;
        self.said.insert(fact);
        let query = match table {
            Table::Object => "SELECT source FROM net_object WHERE id = ?1",
            Table::Attribute => "SELECT source FROM net_attribute WHERE id = ?1",
            Table::Edge => "SELECT source FROM net_edge WHERE id = ?1",
            Table::Role => "SELECT source FROM net_role WHERE id = ?1",
        };
        if self.db.ints(query, &seen[..1])? == [self.source_id] {
            return Ok(());
        }
        self.db.execute(
            "INSERT INTO net_evidence VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (fact, source) DO UPDATE SET place = excluded.place, confidence = excluded.confidence, seen = excluded.seen",
            &[
                seen[0],
                Param::Int(self.source_id),
                Param::Text(&source.place),
                seen[2],
                seen[1],
            ],
        )?;
        Ok(())
    }
}
