//! Finding objects.

use super::{Facts, ObjectId, class_list};
use crate::error::Error;
use crate::schema::{ClassId, PropertyId};
use crate::store::{Cell, Database, Param};

/// What is known of an object without its attributes and relationships.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRow {
    /// Its number.
    pub id: ObjectId,
    /// Its class.
    pub class: ClassId,
    /// Its name.
    pub name: String,
    /// Which one of this name it is, from 1, in its class and container.
    pub nth: u32,
    /// What contains it, and by which relationship.
    pub container: Option<(ObjectId, PropertyId)>,
    /// When it was found to be gone, in milliseconds since 1970.
    pub gone: Option<i64>,
}

const COLUMNS: &str = "id, class, name, nth, container, part, gone";

impl ObjectRow {
    pub(crate) fn read(row: &[Cell]) -> ObjectRow {
        let small = |cell: &Cell| u32::try_from(cell.int()).unwrap_or_default();
        let container = row[4].int();
        ObjectRow {
            id: ObjectId(row[0].int()),
            class: ClassId(small(&row[1])),
            name: row[2].text(),
            nth: small(&row[3]),
            container: (container != 0).then(|| (ObjectId(container), PropertyId(small(&row[5])))),
            gone: Some(row[6].int()).filter(|gone| *gone != 0),
        }
    }
}

/// An object by its number.
pub(crate) fn object(db: &mut dyn Database, id: ObjectId) -> Result<Option<ObjectRow>, Error> {
    let query = format!("SELECT {COLUMNS} FROM net_object WHERE id = ?1");
    Ok(db.first(&query, &[Param::Int(id.0)])?.map(|row| ObjectRow::read(&row)))
}

/// Objects by their class, or a kind of it, and name; by another name only if none has it as its own.
///
/// The plus keeps SQLite from looking through all objects of a class, which come in the order of their numbers.
pub(crate) fn by_name(
    db: &mut dyn Database,
    classes: &str,
    name: &str,
) -> Result<Vec<ObjectRow>, Error> {
    let query = format!(
        "SELECT {COLUMNS} FROM net_object WHERE name = ?1 AND +class IN ({classes}) ORDER BY id"
    );
    let found = db.rows(&query, &[Param::Text(name)])?;
    if !found.is_empty() {
        return Ok(found.iter().map(|row| ObjectRow::read(row)).collect());
    }
    let query = format!(
        "SELECT {COLUMNS} FROM net_object WHERE +class IN ({classes})
         AND id IN (SELECT object FROM net_alias WHERE name = ?1) ORDER BY id"
    );
    Ok(db.rows(&query, &[Param::Text(name)])?.iter().map(|row| ObjectRow::read(row)).collect())
}

/// What contains what contains … an object, the innermost first.
pub(crate) fn containers(db: &mut dyn Database, id: ObjectId) -> Result<Vec<ObjectRow>, Error> {
    let mut all: Vec<ObjectRow> = Vec::new();
    let mut next = object(db, id)?.and_then(|row| row.container);
    while let Some((container, _)) = next {
        // Nothing contains itself; a damaged file might.
        if all.iter().any(|known| known.id == container) {
            break;
        }
        let Some(row) = object(db, container)? else { break };
        next = row.container;
        all.push(row);
    }
    Ok(all)
}

impl Facts<'_> {
    /// An object by its number.
    pub fn object(&mut self, id: ObjectId) -> Result<Option<ObjectRow>, Error> {
        object(self.db, id)
    }

    /// Objects of a class, or a kind of it, by name or else by another name that they have.
    pub fn find(&mut self, class: ClassId, name: &str) -> Result<Vec<ObjectRow>, Error> {
        let classes = class_list(self.schema.kinds_of(class));
        by_name(self.db, &classes, name)
    }

    /// Objects of a class, or a kind of it, by a value of an attribute that they have or had.
    pub fn find_by_value(
        &mut self,
        class: ClassId,
        attribute: PropertyId,
        value: &str,
    ) -> Result<Vec<ObjectRow>, Error> {
        let classes = class_list(self.schema.kinds_of(class));
        let query = format!(
            "SELECT {COLUMNS} FROM net_object WHERE +class IN ({classes})
             AND id IN (SELECT owner FROM net_attribute WHERE value = ?1 AND definition = ?2) ORDER BY id"
        );
        let params = [Param::Text(value), Param::Int(attribute.0.into())];
        Ok(self.db.rows(&query, &params)?.iter().map(|row| ObjectRow::read(row)).collect())
    }

    /// All objects of a class and of the kinds of it, in the order in which they came.
    pub fn all(&mut self, class: ClassId) -> Result<Vec<ObjectRow>, Error> {
        let classes = class_list(self.schema.kinds_of(class));
        let query =
            format!("SELECT {COLUMNS} FROM net_object WHERE class IN ({classes}) ORDER BY id");
        Ok(self.db.rows(&query, &[])?.iter().map(|row| ObjectRow::read(row)).collect())
    }

    /// What an object contains.
    pub fn parts(&mut self, container: ObjectId) -> Result<Vec<ObjectRow>, Error> {
        let query = format!("SELECT {COLUMNS} FROM net_object WHERE container = ?1 ORDER BY id");
        let rows = self.db.rows(&query, &[Param::Int(container.0)])?;
        Ok(rows.iter().map(|row| ObjectRow::read(row)).collect())
    }

    /// The values of an attribute.
    pub fn values(
        &mut self,
        holder: impl Into<super::Holder>,
        attribute: PropertyId,
    ) -> Result<Vec<String>, Error> {
        let query = "SELECT value FROM net_attribute WHERE owner = ?1 AND definition = ?2 AND gone = 0 ORDER BY id";
        let params = [Param::Int(holder.into().number()), Param::Int(attribute.0.into())];
        Ok(self.db.rows(query, &params)?.iter().map(|row| row[0].text()).collect())
    }

    /// The roles that someone plays: contexts, units and roles, in the order in which they came.
    pub fn roles_of(
        &mut self,
        player: ObjectId,
    ) -> Result<Vec<(super::ContextId, ObjectId, PropertyId)>, Error> {
        let query =
            "SELECT id, unit, role FROM net_role WHERE player = ?1 AND gone = 0 ORDER BY id";
        self.roles(query, player)
    }

    /// Those who play a role in a unit: contexts, players and roles, in the order in which they came.
    pub fn players_of(
        &mut self,
        unit: ObjectId,
    ) -> Result<Vec<(super::ContextId, ObjectId, PropertyId)>, Error> {
        let query =
            "SELECT id, player, role FROM net_role WHERE unit = ?1 AND gone = 0 ORDER BY id";
        self.roles(query, unit)
    }

    fn roles(
        &mut self,
        query: &str,
        end: ObjectId,
    ) -> Result<Vec<(super::ContextId, ObjectId, PropertyId)>, Error> {
        let rows = self.db.rows(query, &[Param::Int(end.0)])?;
        let role = |cell: &Cell| PropertyId(u32::try_from(cell.int()).unwrap_or_default());
        Ok(rows
            .iter()
            .map(|row| (super::ContextId(row[0].int()), ObjectId(row[1].int()), role(&row[2])))
            .collect())
    }
}
