//! All objects, and what each of them has.

use super::ExportError;
use crate::error::Error;
use crate::facts::{Facts, ObjectId, ObjectRow};
use crate::schema::{ClassId, PropertyId, Relation};
use crate::store::{Cell, Param};

const CHUNK: i64 = 1000;

/// A role with what is true in its context.
pub(super) struct Role {
    pub(super) id: i64,
    pub(super) other: ObjectRow,
    pub(super) role: PropertyId,
    pub(super) held: Vec<(PropertyId, String)>,
}

impl Facts<'_> {
    /// Look at each object that is rather there than not, in the order in which they came: what is in doubt is for
    /// [`doubts`](Facts::doubts), and not for others to build on.
    pub(super) fn each_object(
        &mut self,
        mut work: impl FnMut(&mut Self, &ObjectRow) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let query = "SELECT id, class, name, nth, container, part, gone FROM net_object WHERE id > ?1 AND gone = 0 AND confidence >= 0.5 ORDER BY id LIMIT ?2";
        let mut last = 0;
        loop {
            let rows = self.db.rows(query, &[Param::Int(last), Param::Int(CHUNK)])?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = end[0].int();
            for row in &rows {
                work(self, &ObjectRow::read(row))?;
            }
        }
    }

    /// The attributes of an object or context.
    pub(super) fn attributes(&mut self, owner: i64) -> Result<Vec<(PropertyId, String)>, Error> {
        let query = "SELECT definition, value FROM net_attribute WHERE owner = ?1 AND gone = 0 ORDER BY definition, id";
        let rows = self.db.rows(query, &[Param::Int(owner)])?;
        Ok(rows.iter().map(|row| (property(&row[0]), row[1].text())).collect())
    }

    /// The normal relationships of an object or context.
    pub(super) fn edges(&mut self, owner: i64) -> Result<Vec<(PropertyId, ObjectRow)>, Error> {
        let query = "SELECT o.id, o.class, o.name, o.nth, o.container, o.part, o.gone, e.relationship
                     FROM net_edge e JOIN net_object o ON o.id = e.target WHERE e.origin = ?1 AND e.gone = 0 ORDER BY e.id";
        let rows = self.db.rows(query, &[Param::Int(owner)])?;
        Ok(rows.iter().map(|row| (property(&row[7]), ObjectRow::read(row))).collect())
    }

    /// The roles that an object plays, with the units; or, from the other end, those that are played in it.
    pub(super) fn played(&mut self, own: End, id: ObjectId) -> Result<Vec<Role>, Error> {
        let (own, other) = match own {
            End::Player => ("player", "unit"),
            End::Unit => ("unit", "player"),
        };
        let query = format!(
            "SELECT o.id, o.class, o.name, o.nth, o.container, o.part, o.gone, r.role, r.id
             FROM net_role r JOIN net_object o ON o.id = r.{other} WHERE r.{own} = ?1 AND r.gone = 0 ORDER BY r.role, r.id"
        );
        let mut roles = Vec::new();
        for row in self.db.rows(&query, &[Param::Int(id.0)])? {
            let held = self.attributes(row[8].int())?;
            roles.push(Role {
                id: row[8].int(),
                other: ObjectRow::read(&row),
                role: property(&row[7]),
                held,
            });
        }
        Ok(roles)
    }

    /// Whether objects of a class play roles and hold none: people rather than units.
    pub(super) fn is_player(&self, class: ClassId) -> bool {
        let plays = self.schema.properties().any(|(id, _)| {
            self.schema.relationship(id).is_some_and(|it| {
                it.relation == Relation::Role && self.schema.is_a(class, it.target)
            })
        });
        plays && !self.schema.is_unit(class)
    }
}

/// An end of a role.
#[derive(Clone, Copy)]
pub(super) enum End {
    Player,
    Unit,
}

fn property(cell: &Cell) -> PropertyId {
    PropertyId(u32::try_from(cell.int()).unwrap_or_default())
}
