//! Taking facts away, with all that hangs on them.

use super::{ContextId, Facts, Holder, ObjectId, list};
use crate::error::Error;
use crate::schema::PropertyId;
use crate::store::Param;

impl Facts<'_> {
    /// Delete an object: its attributes, relationships and contexts go with it, and so do its parts. Those who play roles stay.
    pub fn delete_object(&mut self, object: ObjectId) -> Result<(), Error> {
        let mut doomed = vec![object];
        let mut next = 0;
        while let Some(object) = doomed.get(next).copied() {
            let parts = "SELECT id FROM net_object WHERE container = ?1";
            doomed.extend(self.db.ints(parts, &[Param::Int(object.0)])?.into_iter().map(ObjectId));
            next += 1;
        }
        for object in doomed {
            self.delete_one(object)?;
        }
        Ok(())
    }

    fn delete_one(&mut self, object: ObjectId) -> Result<(), Error> {
        let id = [Param::Int(object.0)];
        let contexts = "SELECT id FROM net_role WHERE unit = ?1 UNION SELECT id FROM net_role WHERE player = ?1";
        for context in self.db.ints(contexts, &id)? {
            self.delete_context(ContextId(context))?;
        }
        self.delete_held(object.into())?;
        let edges = "SELECT id FROM net_edge WHERE target = ?1";
        for edge in self.db.ints(edges, &id)? {
            self.delete_fact("net_edge", edge)?;
        }
        self.db.execute("DELETE FROM net_alias WHERE object = ?1", &id)?;
        self.db.execute("DELETE FROM doubt WHERE a = ?1 OR b = ?1", &id)?;
        self.delete_fact("net_object", object.0)?;
        self.classes.remove(&object.0);
        Ok(())
    }

    /// End a role that someone plays: with the context goes what was true in it.
    pub fn delete_context(&mut self, context: ContextId) -> Result<(), Error> {
        self.delete_held(context.into())?;
        self.delete_fact("net_role", context.0)
    }

    fn delete_held(&mut self, holder: Holder) -> Result<(), Error> {
        let id = [Param::Int(holder.number())];
        for attribute in self.db.ints("SELECT id FROM net_attribute WHERE owner = ?1", &id)? {
            self.delete_fact("net_attribute", attribute)?;
        }
        for edge in self.db.ints("SELECT id FROM net_edge WHERE origin = ?1", &id)? {
            self.delete_fact("net_edge", edge)?;
        }
        Ok(())
    }

    fn delete_fact(&mut self, table: &str, fact: i64) -> Result<(), Error> {
        self.db.execute("DELETE FROM net_evidence WHERE fact = ?1", &[Param::Int(fact)])?;
        self.db.execute(&format!("DELETE FROM {table} WHERE id = ?1"), &[Param::Int(fact)])?;
        Ok(())
    }

    /// Take away values of an attribute, all of them without a value; says how many there were.
    pub fn delete_attribute(
        &mut self,
        holder: impl Into<Holder>,
        attribute: PropertyId,
        value: Option<&str>,
    ) -> Result<usize, Error> {
        let params = [Param::Int(holder.into().number()), Param::Int(attribute.0.into())];
        let query = "SELECT id, value FROM net_attribute WHERE owner = ?1 AND definition = ?2";
        let rows = self.db.rows(query, &params)?;
        let doomed: Vec<i64> = rows
            .iter()
            .filter(|row| value.is_none_or(|value| row[1].text() == value))
            .map(|row| row[0].int())
            .collect();
        for fact in &doomed {
            self.delete_fact("net_attribute", *fact)?;
        }
        Ok(doomed.len())
    }

    /// Set an attribute to some values: those that are not among them go.
    pub fn set_attribute(
        &mut self,
        holder: impl Into<Holder>,
        attribute: PropertyId,
        values: &[&str],
    ) -> Result<(), Error> {
        let holder = holder.into();
        for known in self.values(holder, attribute)? {
            if !values.contains(&known.as_str()) {
                self.delete_attribute(holder, attribute, Some(&known))?;
            }
        }
        values.iter().try_for_each(|value| self.attribute(holder, attribute, value))
    }

    /// End relationships of an object from its end, or with one other; says how many there were.
    pub fn delete_edges(
        &mut self,
        holder: impl Into<Holder>,
        property: PropertyId,
        target: Option<ObjectId>,
    ) -> Result<usize, Error> {
        let all = list(&self.schema.below(property));
        let query = format!(
            "SELECT id, target FROM net_edge WHERE origin = ?1 AND relationship IN ({all})"
        );
        let rows = self.db.rows(&query, &[Param::Int(holder.into().number())])?;
        let mut n_gone = 0;
        for row in rows.iter().filter(|row| target.is_none_or(|target| row[1].int() == target.0)) {
            self.delete_fact("net_edge", row[0].int())?;
            n_gone += 1;
        }
        Ok(n_gone)
    }

    /// End a role, and the specific ones below it, of all who play it in a unit or of one; says how many there were.
    pub fn delete_roles(
        &mut self,
        unit: ObjectId,
        role: PropertyId,
        player: Option<ObjectId>,
    ) -> Result<usize, Error> {
        let all = list(&self.schema.below(role));
        let query = format!("SELECT id, player FROM net_role WHERE unit = ?1 AND role IN ({all})");
        let rows = self.db.rows(&query, &[Param::Int(unit.0)])?;
        let mut n_gone = 0;
        for row in rows.iter().filter(|row| player.is_none_or(|player| row[1].int() == player.0)) {
            self.delete_context(ContextId(row[0].int()))?;
            n_gone += 1;
        }
        Ok(n_gone)
    }
}

impl Facts<'_> {
    /// End relationships of an object from the other end; says how many there were.
    pub(crate) fn delete_edges_to(
        &mut self,
        target: ObjectId,
        properties: &[PropertyId],
    ) -> Result<usize, Error> {
        let query = format!(
            "SELECT id FROM net_edge WHERE target = ?1 AND relationship IN ({})",
            list(properties)
        );
        let doomed = self.db.ints(&query, &[Param::Int(target.0)])?;
        for edge in &doomed {
            self.delete_fact("net_edge", *edge)?;
        }
        Ok(doomed.len())
    }
}
