//! Making objects, and putting them into each other.

use super::write::Table;
use super::{Facts, ObjectId, list};
use crate::error::{Error, Rule};
use crate::schema::{ClassId, PropertyId, Relation};
use crate::store::Param;

impl Facts<'_> {
    /// Make an object, also where there is one of its name. In a container, or in none.
    pub fn add_object(
        &mut self,
        class: ClassId,
        name: &str,
        container: Option<(ObjectId, PropertyId)>,
    ) -> Result<ObjectId, Error> {
        let within = container.map_or(0, |(container, _)| container.0);
        let key = [Param::Text(name), Param::Int(class.0.into()), Param::Int(within)];
        let query = "SELECT coalesce(max(nth), 0) + 1 FROM net_object WHERE name = ?1 AND class = ?2 AND container = ?3";
        let nth = self.db.ints(query, &key)?.first().copied().unwrap_or(1);
        self.add_nth_object(class, name, nth, container)
    }

    pub(crate) fn add_nth_object(
        &mut self,
        class: ClassId,
        name: &str,
        nth: i64,
        container: Option<(ObjectId, PropertyId)>,
    ) -> Result<ObjectId, Error> {
        if name.trim().is_empty() {
            return Err(Error::object(
                None,
                format!("a {} needs a name", self.schema.class(class).name),
            ));
        }
        if let Some((container, part)) = container {
            self.check_part(container, part, class, None)?;
        }
        let id = self.number();
        let (within, part) =
            container.map_or((0, 0), |(container, part)| (container.0, part.0.into()));
        let source = self.source.clone();
        self.db.execute(
            "INSERT INTO net_object VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, 0)",
            &[
                Param::Int(id),
                Param::Int(class.0.into()),
                Param::Text(name),
                Param::Int(nth),
                Param::Int(within),
                Param::Int(part),
                Param::Int(self.source_id),
                Param::Text(&source.place),
                Param::Real(source.confidence),
                Param::Int(source.time),
            ],
        )?;
        self.remember(id, class);
        self.note_new(id);
        Ok(ObjectId(id))
    }

    /// Note that an object was seen by the source at hand.
    pub fn see(&mut self, object: ObjectId) -> Result<(), Error> {
        self.seen_again(Table::Object, object.0)
    }

    /// Another name that an object is found by.
    pub fn add_alias(&mut self, object: ObjectId, name: &str) -> Result<(), Error> {
        self.db.execute(
            "INSERT INTO net_alias VALUES (?1, ?2) ON CONFLICT (name, object) DO NOTHING",
            &[Param::Text(name), Param::Int(object.0)],
        )?;
        Ok(())
    }

    /// Put an object into another. One that is contained elsewhere is refused.
    pub fn contain(
        &mut self,
        container: ObjectId,
        property: PropertyId,
        part: ObjectId,
    ) -> Result<(), Error> {
        let known = self.object(part)?.and_then(|row| row.container);
        match known {
            Some((there, _)) if there == container => self.seen_again(Table::Object, part.0),
            Some((there, _)) => {
                let (told, there) = (self.told(part), self.told(there));
                let message = format!(
                    "{told} is in {there} already, and an object has one container; move it with Update"
                );
                Err(Error::check(Rule::Container, None, message))
            }
            None => self.put(container, property, part),
        }
    }

    /// Put an object into another, wherever it was.
    pub fn put(
        &mut self,
        container: ObjectId,
        property: PropertyId,
        part: ObjectId,
    ) -> Result<(), Error> {
        let class = self.class_of(part)?;
        self.check_part(container, property, class, Some(part))?;
        self.check_cycle(container, part)?;
        let Some(row) = self.object(part)? else { return Ok(()) };
        let params = [
            Param::Text(&row.name),
            Param::Int(class.0.into()),
            Param::Int(container.0),
            Param::Int(part.0),
        ];
        let query = "SELECT id FROM net_object WHERE name = ?1 AND class = ?2 AND container = ?3 AND id <> ?4";
        if !self.db.ints(query, &params)?.is_empty() {
            let (container, told) = (self.told(container), self.told(part));
            let message = format!(
                "{container} has another {told} already; join the two, or rename one with Update"
            );
            return Err(Error::check(Rule::Key, None, message));
        }
        self.check_keys_in(part, container)?;
        self.db.execute(
            "UPDATE net_object SET container = ?2, part = ?3, nth = 1, gone = 0 WHERE id = ?1",
            &[Param::Int(part.0), Param::Int(container.0), Param::Int(property.0.into())],
        )?;
        self.n_new += 1;
        Ok(())
    }

    /// Take an object out of what contains it.
    pub fn take_out(&mut self, part: ObjectId) -> Result<(), Error> {
        let Some(row) = self.object(part)? else { return Ok(()) };
        let key = [Param::Text(&row.name), Param::Int(row.class.0.into())];
        let query = "SELECT coalesce(max(nth), 0) + 1 FROM net_object WHERE name = ?1 AND class = ?2 AND container = 0";
        let nth = self.db.ints(query, &key)?.first().copied().unwrap_or(1);
        let params = [Param::Int(part.0), Param::Int(nth)];
        self.db.execute(
            "UPDATE net_object SET container = 0, part = 0, nth = ?2 WHERE id = ?1",
            &params,
        )?;
        Ok(())
    }

    /// Call an object otherwise; it is found by its old name too.
    pub fn rename(&mut self, object: ObjectId, name: &str) -> Result<(), Error> {
        let Some(row) = self.object(object)? else { return Ok(()) };
        if row.name == name {
            return Ok(());
        }
        let within = row.container.map_or(0, |(container, _)| container.0);
        let key = [Param::Text(name), Param::Int(row.class.0.into()), Param::Int(within)];
        let query = "SELECT coalesce(max(nth), 0) + 1 FROM net_object WHERE name = ?1 AND class = ?2 AND container = ?3";
        let nth = self.db.ints(query, &key)?.first().copied().unwrap_or(1);
        let params = [Param::Int(object.0), Param::Text(name), Param::Int(nth)];
        self.db.execute("UPDATE net_object SET name = ?2, nth = ?3 WHERE id = ?1", &params)?;
        self.add_alias(object, &row.name)
    }

    fn check_part(
        &mut self,
        container: ObjectId,
        property: PropertyId,
        class: ClassId,
        part: Option<ObjectId>,
    ) -> Result<(), Error> {
        let target = self.of_kind(property, Relation::Contain)?.target;
        self.check_class(container, self.schema.declaring_class(property), property)?;
        if !self.schema.is_a(class, target) {
            let (name, wanted) = (&self.schema.class(class).name, &self.schema.class(target).name);
            let message =
                format!("a {name} is no {wanted}, which {:?} contains", self.schema.path(property));
            return Err(Error::check(Rule::Target, None, message));
        }
        if self.schema.property(property).is_many {
            return Ok(());
        }
        let properties = list(&self.schema.below(self.schema.root(property)));
        let query = format!(
            "SELECT id FROM net_object WHERE container = ?1 AND part IN ({properties}) AND id <> ?2 AND gone = 0"
        );
        let params = [Param::Int(container.0), Param::Int(part.map_or(0, |part| part.0))];
        match self.db.ints(&query, &params)?.first() {
            Some(other) => Err(self.only_one(container, property, ObjectId(*other))),
            None => Ok(()),
        }
    }

    fn check_cycle(&mut self, container: ObjectId, part: ObjectId) -> Result<(), Error> {
        let above = super::find::containers(self.db, container)?;
        if container != part && above.iter().all(|row| row.id != part) {
            return Ok(());
        }
        let (told, container) = (self.told(part), self.told(container));
        let message = format!("{told} cannot be in {container}, which it contains or is");
        Err(Error::check(Rule::Cycle, None, message))
    }
}
