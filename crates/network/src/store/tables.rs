//! The tables, and the schema in them.

use super::{Database, Dialect, Param};
use crate::error::Error;
use crate::schema::{Kind, Owner, Schema, definitions};

/// The version of the tables. Networks of others are refused.
const VERSION: &str = "1";
const TABLES: &str = include_str!("tables.sql");

/// Make the tables where there are none, and see that they are ours. `may_make` is for those who write.
pub(crate) fn make_tables(db: &mut dyn Database, store: &str, may_make: bool) -> Result<(), Error> {
    if !has_tables(db)? {
        if !may_make {
            let reason = "there is no network in it; make one with a schema: pagemill network STORE run FILE.inm";
            return Err(Error::Foreign { store: store.to_owned(), reason: reason.to_owned() });
        }
        make(db)?;
    }
    let found = db.first("SELECT value FROM net_meta WHERE key = 'version'", &[])?;
    match found.map(|row| row[0].text()) {
        Some(version) if version == VERSION => Ok(()),
        other => Err(Error::Foreign {
            store: store.to_owned(),
            reason: format!("its version is {:?}, not {VERSION:?}", other.unwrap_or_default()),
        }),
    }
}

fn has_tables(db: &mut dyn Database) -> Result<bool, Error> {
    let query = match db.dialect() {
        Dialect::Sqlite => "SELECT count(*) FROM sqlite_schema WHERE name = 'net_meta'",
        Dialect::Postgres => {
            "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass('net_meta')"
        }
    };
    Ok(db.ints(query, &[])? != [0])
}

/// Two who come at the same time make it once: the first holds the other off, who then finds it made.
fn make(db: &mut dyn Database) -> Result<(), Error> {
    let begin = match db.dialect() {
        Dialect::Sqlite => "BEGIN IMMEDIATE",
        // The number is any that nobody else locks.
        Dialect::Postgres => "BEGIN; SELECT pg_advisory_xact_lock(4711008)",
    };
    db.batch(begin)?;
    let made = has_tables(db).and_then(|is_made| match is_made {
        true => Ok(()),
        false => db.batch(&tables(db.dialect())),
    });
    match made {
        Ok(()) => db.batch("COMMIT"),
        Err(error) => {
            let _ = db.batch("ROLLBACK");
            Err(error)
        }
    }
}

fn tables(dialect: Dialect) -> String {
    let (id, text) = match dialect {
        Dialect::Sqlite => ("INTEGER PRIMARY KEY", "text"),
        // Texts are in the order of their bytes in both.
        Dialect::Postgres => ("bigint PRIMARY KEY", "text COLLATE \"C\""),
    };
    let tables = TABLES.replace("{id}", id).replace("{text}", text);
    format!("{tables} INSERT INTO net_meta VALUES ('version', '{VERSION}'), ('next', '1')")
}

/// The schema of a network.
pub(crate) fn read_schema(db: &mut dyn Database) -> Result<Schema, Error> {
    let mut schema = Schema::default();
    for row in db.rows("SELECT definitions FROM net_schema ORDER BY nth", &[])? {
        let read = definitions(&row[0].text()).and_then(|classes| schema.extend(&classes));
        read.map_err(|error| Error::Database(format!("the schema in it is damaged: {error}")))?;
    }
    Ok(schema)
}

/// Keep a text that made the schema what it is now, and say what there is in tables.
pub(crate) fn write_definitions(
    db: &mut dyn Database,
    schema: &Schema,
    text: &str,
) -> Result<(), Error> {
    let add = "INSERT INTO net_schema (nth, definitions) SELECT coalesce(max(nth), 0) + 1, ?1 FROM net_schema";
    db.execute(add, &[Param::Text(text)])?;
    db.execute("DELETE FROM net_class", &[])?;
    db.execute("DELETE FROM net_definition", &[])?;
    for (id, class) in schema.classes() {
        let parent = class.parent.map_or(Param::Null, |parent| Param::Int(parent.0.into()));
        let row = [Param::Int(id.0.into()), Param::Text(&class.name), parent];
        db.execute("INSERT INTO net_class VALUES (?1, ?2, ?3)", &row)?;
    }
    for (id, _) in schema.properties() {
        write_property(db, schema, id)?;
    }
    Ok(())
}

fn write_property(
    db: &mut dyn Database,
    schema: &Schema,
    id: crate::schema::PropertyId,
) -> Result<(), Error> {
    let property = schema.property(id);
    let path = schema.path(id);
    let (generic, role) = match property.owner {
        Owner::Class(_) => (Param::Null, Param::Null),
        Owner::Generic(above) => (Param::Int(above.0.into()), Param::Null),
        Owner::Context(role) => (Param::Null, Param::Int(role.0.into())),
    };
    let text = |text: &'_ Option<String>| text.clone();
    let (kind, of, inverse, identification) = match &property.kind {
        Kind::Attribute { value, .. } => ("attribute", value.name(), None, None),
        Kind::Relationship(it) => {
            let target = schema.class(it.target).name.as_str();
            (it.relation.word(), target, text(&it.inverse), text(&it.identification))
        }
    };
    let optional = |text: &'_ Option<String>| text.is_some();
    debug_assert!(kind != "attribute" || !optional(&inverse));
    db.execute(
        "INSERT INTO net_definition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        &[
            Param::Int(id.0.into()),
            Param::Int(schema.declaring_class(id).0.into()),
            Param::Text(kind),
            Param::Text(&property.name),
            Param::Text(&path),
            generic,
            role,
            Param::Text(of),
            Param::Int(property.is_many.into()),
            inverse.as_deref().map_or(Param::Null, Param::Text),
            identification.as_deref().map_or(Param::Null, Param::Text),
        ],
    )?;
    Ok(())
}
