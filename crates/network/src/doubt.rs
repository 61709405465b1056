//! What may be wrong, and what people decide about it: which objects are one, and which are two.
//!
//! A join keeps what it changed, row by row, so that it can be undone.

mod undo;

use crate::error::Error;
use crate::facts::{Facts, ObjectId};
use crate::network::Network;
use crate::store::{Param, Source};

/// Something that a person should look at.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubtRow {
    /// Its number.
    pub id: i64,
    /// What kind of doubt: `maybe the same`, `maybe two` and the like.
    pub kind: String,
    /// The object.
    pub a: ObjectId,
    /// The other, where there are two.
    pub b: Option<ObjectId>,
    /// Why.
    pub reason: String,
    /// How likely it is what was taken for it, from 0 to 1.
    pub confidence: f64,
    /// `open`, `joined` or `split`.
    pub state: String,
}

const COLUMNS: &str = "id, kind, a, b, reason, confidence, state";
/// The kind of what nobody doubted before someone decided it.
const BY_HAND: &str = "by hand";

impl Facts<'_> {
    /// Note a doubt. One that is known, and perhaps decided, stays as it is.
    pub fn add_doubt(
        &mut self,
        kind: &str,
        a: ObjectId,
        b: Option<ObjectId>,
        reason: &str,
        confidence: f64,
    ) -> Result<i64, Error> {
        let b = b.map_or(0, |b| b.0);
        let key = [Param::Int(a.0), Param::Int(b), Param::Text(kind)];
        let query = "SELECT id FROM doubt WHERE a = ?1 AND b = ?2 AND kind = ?3";
        if let Some(known) = self.db.ints(query, &key)?.first() {
            return Ok(*known);
        }
        let id = self.number();
        self.db.execute(
            "INSERT INTO doubt VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open')",
            &[Param::Int(id), key[2], key[0], key[1], Param::Text(reason), Param::Real(confidence)],
        )?;
        Ok(id)
    }

    /// All doubts, in the order in which they came.
    pub fn doubts(&mut self) -> Result<Vec<DoubtRow>, Error> {
        let rows = self.db.rows(&format!("SELECT {COLUMNS} FROM doubt ORDER BY id"), &[])?;
        Ok(rows
            .iter()
            .map(|row| DoubtRow {
                id: row[0].int(),
                kind: row[1].text(),
                a: ObjectId(row[2].int()),
                b: Some(ObjectId(row[3].int())).filter(|b| b.0 != 0),
                reason: row[4].text(),
                confidence: row[5].real(),
                state: row[6].text(),
            })
            .collect())
    }

    /// Whether two objects were told to be two.
    pub fn is_split(&mut self, a: ObjectId, b: ObjectId) -> Result<bool, Error> {
        let query = "SELECT id FROM doubt WHERE state = 'split' AND ((a = ?1 AND b = ?2) OR (a = ?2 AND b = ?1))";
        Ok(!self.db.ints(query, &[Param::Int(a.0), Param::Int(b.0)])?.is_empty())
    }

    /// Make one object of two: the first gets all that the second has, and its name as another name.
    pub fn join(&mut self, a: ObjectId, b: ObjectId) -> Result<i64, Error> {
        self.check_join(a, b)?;
        let query =
            "SELECT id FROM doubt WHERE (a = ?1 AND b = ?2) OR (a = ?2 AND b = ?1) ORDER BY id";
        let known = self.db.ints(query, &[Param::Int(a.0), Param::Int(b.0)])?;
        let doubt = match known.first() {
            Some(known) => *known,
            None => self.add_doubt(BY_HAND, a, Some(b), "joined by hand", 1.0)?,
        };
        let undo = self.take_over(a, b)?;
        self.db.execute("DELETE FROM net_join WHERE doubt = ?1", &[Param::Int(doubt)])?;
        self.db.execute(
            "INSERT INTO net_join VALUES (?1, ?2)",
            &[Param::Int(doubt), Param::Text(&undo)],
        )?;
        self.decide(doubt, "joined")?;
        Ok(doubt)
    }

    fn check_join(&mut self, a: ObjectId, b: ObjectId) -> Result<(), Error> {
        let (one, other) = (self.class_of(a)?, self.class_of(b)?);
        let is_same_kind = self.schema.is_a(one, other) || self.schema.is_a(other, one);
        let (told_a, told_b) = (self.told(a), self.told(b));
        if a == b {
            return Err(Error::object(None, format!("{told_a} is one object already")));
        }
        if !is_same_kind {
            let message =
                format!("{told_a} and {told_b} cannot be one: nothing is of both classes");
            return Err(Error::check(crate::error::Rule::Target, None, message));
        }
        let contains =
            |rows: Vec<crate::facts::ObjectRow>, id: ObjectId| rows.iter().any(|row| row.id == id);
        let above_a = crate::facts::containers(self.db, a)?;
        let above_b = crate::facts::containers(self.db, b)?;
        if contains(above_a, b) || contains(above_b, a) {
            let message = format!("{told_a} and {told_b} cannot be one: one is in the other");
            return Err(Error::check(crate::error::Rule::Cycle, None, message));
        }
        Ok(())
    }

    fn decide(&mut self, doubt: i64, state: &str) -> Result<(), Error> {
        self.db.execute(
            "UPDATE doubt SET state = ?2 WHERE id = ?1",
            &[Param::Int(doubt), Param::Text(state)],
        )?;
        Ok(())
    }

    /// Undo a join, or say of two objects that they are two.
    pub fn split(&mut self, doubt: i64) -> Result<(), Error> {
        let known = self.doubts()?.into_iter().find(|row| row.id == doubt);
        let Some(known) = known else {
            return Err(Error::object(None, format!("there is no doubt {doubt}")));
        };
        if known.state == "joined" {
            let row = self
                .db
                .first("SELECT undo FROM net_join WHERE doubt = ?1", &[Param::Int(doubt)])?;
            let undo = row.map(|row| row[0].text()).unwrap_or_default();
            self.give_back(&undo)?;
            self.db.execute("DELETE FROM net_join WHERE doubt = ?1", &[Param::Int(doubt)])?;
        } else if known.b.is_none() {
            let message =
                "it is about one object; split it by a page that speaks of the other".to_owned();
            return Err(Error::object(None, message));
        }
        self.decide(doubt, "split")
    }

    /// Make two objects of one: what only a page says becomes a new object of the same name.
    pub fn split_off(&mut self, object: ObjectId, page: &str) -> Result<ObjectId, Error> {
        let Some(row) = self.object(object)? else {
            return Err(Error::object(None, format!("there is no object {}", object.0)));
        };
        let moved = self.only_on(object, page)?;
        if moved.is_empty() {
            let message =
                format!("there is nothing of {} that only {page:?} says", self.told(object));
            return Err(Error::object(None, message));
        }
        let other = self.add_object(row.class, &row.name, row.container)?;
        for (table, column, fact) in moved {
            let sql = format!("UPDATE {table} SET {column} = ?2 WHERE id = ?1");
            self.db.execute(&sql, &[Param::Int(fact), Param::Int(other.0)])?;
        }
        let doubt = self.add_doubt(
            BY_HAND,
            object,
            Some(other),
            &format!("{page} speaks of another"),
            1.0,
        )?;
        self.decide(doubt, "split")?;
        Ok(other)
    }

    /// The facts of an object that one page says and no other.
    fn only_on(
        &mut self,
        object: ObjectId,
        page: &str,
    ) -> Result<Vec<(&'static str, &'static str, i64)>, Error> {
        let places = [
            ("net_role", "player"),
            ("net_role", "unit"),
            ("net_edge", "origin"),
            ("net_edge", "target"),
            ("net_attribute", "owner"),
        ];
        let mut found = Vec::new();
        for (table, column) in places {
            let query = format!(
                "SELECT f.id FROM {table} f JOIN net_source s ON s.id = f.source WHERE f.{column} = ?1 AND s.page = ?2
                 AND NOT EXISTS (SELECT 1 FROM net_evidence e WHERE e.fact = f.id)"
            );
            let facts = self.db.ints(&query, &[Param::Int(object.0), Param::Text(page)])?;
            found.extend(facts.into_iter().map(|fact| (table, column, fact)));
        }
        Ok(found)
    }
}

impl Network {
    /// All doubts, in the order in which they came.
    pub fn doubts(&mut self) -> Result<Vec<DoubtRow>, Error> {
        self.look(|facts| facts.doubts())
    }

    /// Make one object of two.
    pub fn join(&mut self, a: ObjectId, b: ObjectId) -> Result<i64, Error> {
        self.change(&Source::by_hand(), |facts| facts.join(a, b))
    }

    /// Undo a join, or say of two objects that they are two.
    pub fn split(&mut self, doubt: i64) -> Result<(), Error> {
        self.change(&Source::by_hand(), |facts| facts.split(doubt))
    }

    /// Make two objects of one: what only a page says becomes a new one.
    pub fn split_off(&mut self, object: ObjectId, page: &str) -> Result<ObjectId, Error> {
        self.change(&Source::by_hand(), |facts| facts.split_off(object, page))
    }
}
