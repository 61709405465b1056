//! Joining, and undoing it: rows as they were before.

use crate::error::Error;
use crate::facts::{Facts, ObjectId};
use crate::store::{Cell, Param};
use serde_json::{Value, json};

/// What may belong to an object: tables and columns, each with what makes a row the same as another, apart from that column.
const HELD: [(&str, &str, &[&str]); 5] = [
    ("net_role", "unit", &["role", "player"]),
    ("net_role", "player", &["unit", "role"]),
    ("net_edge", "origin", &["relationship", "target"]),
    ("net_edge", "target", &["origin", "relationship"]),
    ("net_attribute", "owner", &["definition", "value"]),
];
/// Tables, and by which column they belong to a fact.
const TABLES: [&str; 4] = ["net_object", "net_role", "net_edge", "net_attribute"];

impl Facts<'_> {
    /// Give all of one object to another. Says how to undo it: the rows that change or go, as they were.
    pub(super) fn take_over(&mut self, to: ObjectId, from: ObjectId) -> Result<String, Error> {
        let mut kept: Vec<Value> = Vec::new();
        self.keep(&mut kept, "net_object", "id", from.0)?;
        self.keep(&mut kept, "net_object", "container", from.0)?;
        self.keep(&mut kept, "net_alias", "object", from.0)?;
        for (table, column, same) in HELD {
            self.keep(&mut kept, table, column, from.0)?;
            self.hand_over(&mut kept, table, column, same, to, from)?;
        }
        self.take_parts(to, from)?;
        let name = self.object(from)?.map(|row| row.name).unwrap_or_default();
        let known = self.object(to)?.map(|row| row.name).unwrap_or_default();
        let both = [Param::Int(to.0), Param::Int(from.0)];
        self.db.execute(
            "INSERT INTO net_alias SELECT name, ?1 FROM net_alias WHERE object = ?2 ON CONFLICT (name, object) DO NOTHING",
            &both,
        )?;
        self.db.execute("DELETE FROM net_alias WHERE object = ?1", &both[1..])?;
        self.db.execute("DELETE FROM net_object WHERE id = ?1", &both[1..])?;
        self.forget(from);
        if name != known {
            self.add_alias(to, &name)?;
        }
        Ok(json!({ "to": to.0, "rows": kept }).to_string())
    }

    fn keep(
        &mut self,
        kept: &mut Vec<Value>,
        table: &str,
        column: &str,
        id: i64,
    ) -> Result<(), Error> {
        let rows = self
            .db
            .rows(&format!("SELECT * FROM {table} WHERE {column} = ?1"), &[Param::Int(id)])?;
        for row in &rows {
            let cells: Vec<Value> = row.iter().map(as_json).collect();
            kept.push(json!([table, cells]));
            if table != "net_alias" {
                self.keep_evidence(kept, row[0].int())?;
            }
        }
        Ok(())
    }

    fn keep_evidence(&mut self, kept: &mut Vec<Value>, fact: i64) -> Result<(), Error> {
        let rows =
            self.db.rows("SELECT * FROM net_evidence WHERE fact = ?1", &[Param::Int(fact)])?;
        kept.extend(
            rows.iter().map(|row| {
                json!(["net_evidence", row.iter().map(as_json).collect::<Vec<Value>>()])
            }),
        );
        Ok(())
    }

    /// What the other has already goes; of what there may be one only, the other's stays.
    fn hand_over(
        &mut self,
        kept: &mut Vec<Value>,
        table: &str,
        column: &str,
        same: &[&str],
        to: ObjectId,
        from: ObjectId,
    ) -> Result<(), Error> {
        let both = [Param::Int(to.0), Param::Int(from.0)];
        let alike: Vec<String> = same.iter().map(|it| format!("k.{it} = {table}.{it}")).collect();
        let doomed = format!(
            "SELECT id FROM {table} WHERE {column} = ?2 AND EXISTS (SELECT 1 FROM {table} k WHERE k.{column} = ?1 AND ({}{}))",
            alike.join(" AND "),
            self.single_values(table)
        );
        for fact in self.db.ints(&doomed, &both)? {
            for (held, owner) in [("net_attribute", "owner"), ("net_edge", "origin")] {
                if table == "net_role" {
                    self.keep(kept, held, owner, fact)?;
                    self.db.execute(
                        &format!("DELETE FROM {held} WHERE {owner} = ?1"),
                        &[Param::Int(fact)],
                    )?;
                }
            }
            self.db.execute(&format!("DELETE FROM {table} WHERE id = ?1"), &[Param::Int(fact)])?;
        }
        let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {column} = ?2");
        self.db.execute(&sql, &both)?;
        Ok(())
    }

    fn single_values(&self, table: &str) -> String {
        if table != "net_attribute" {
            return String::new();
        }
        let single: Vec<String> = self
            .schema
            .properties()
            .filter(|(id, property)| self.schema.is_attribute(*id) && !property.is_many)
            .map(|(id, _)| id.0.to_string())
            .collect();
        match single.is_empty() {
            true => String::new(),
            false => format!(
                " OR (k.definition = net_attribute.definition AND k.definition IN ({}))",
                single.join(", ")
            ),
        }
    }

    /// Parts come along; those whose names are taken are numbered on.
    fn take_parts(&mut self, to: ObjectId, from: ObjectId) -> Result<(), Error> {
        for part in self.parts(from)? {
            let key = [Param::Text(&part.name), Param::Int(part.class.0.into()), Param::Int(to.0)];
            let query = "SELECT coalesce(max(nth), 0) + 1 FROM net_object WHERE name = ?1 AND class = ?2 AND container = ?3";
            let nth = self.db.ints(query, &key)?.first().copied().unwrap_or(1);
            let row = [Param::Int(part.id.0), Param::Int(to.0), Param::Int(nth)];
            self.db
                .execute("UPDATE net_object SET container = ?2, nth = ?3 WHERE id = ?1", &row)?;
        }
        Ok(())
    }

    /// Put rows back as they were.
    pub(super) fn give_back(&mut self, undo: &str) -> Result<(), Error> {
        let damaged = || Error::Database("what a join changed was not kept whole".to_owned());
        let undo: Value = serde_json::from_str(undo).map_err(|_| damaged())?;
        let rows = undo["rows"].as_array().ok_or_else(damaged)?;
        for row in rows {
            let (Some(table), Some(cells)) = (row[0].as_str(), row[1].as_array()) else {
                return Err(damaged());
            };
            let first = cells.first().and_then(Value::as_i64);
            if let Some(id) = first.filter(|_| TABLES.contains(&table)) {
                self.db
                    .execute(&format!("DELETE FROM {table} WHERE id = ?1"), &[Param::Int(id)])?;
            }
            self.put_back(table, cells)?;
        }
        let to = undo["to"].as_i64().ok_or_else(damaged)?;
        self.take_aliases_back(to, rows)
    }

    fn put_back(&mut self, table: &str, cells: &[Value]) -> Result<(), Error> {
        let is_ours = TABLES.contains(&table) || ["net_alias", "net_evidence"].contains(&table);
        if !is_ours {
            return Err(Error::Database("what a join changed was not kept whole".to_owned()));
        }
        let places: Vec<String> = (1..=cells.len()).map(|idx| format!("?{idx}")).collect();
        let params: Vec<Param<'_>> = cells.iter().map(as_param).collect();
        let sql =
            format!("INSERT INTO {table} VALUES ({}) ON CONFLICT DO NOTHING", places.join(", "));
        self.db.execute(&sql, &params)?;
        Ok(())
    }

    /// The names of the one that is back are no names of the other any more.
    fn take_aliases_back(&mut self, to: i64, rows: &[Value]) -> Result<(), Error> {
        let names = rows.iter().filter_map(|row| match row[0].as_str()? {
            "net_object" => row[1][2].as_str(),
            "net_alias" => row[1][0].as_str(),
            _ => None,
        });
        for name in names {
            let params = [Param::Text(name), Param::Int(to)];
            self.db.execute("DELETE FROM net_alias WHERE name = ?1 AND object = ?2", &params)?;
        }
        Ok(())
    }
}

fn as_json(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Int(int) => json!(int),
        Cell::Real(real) => json!(real),
        Cell::Text(text) => json!(text),
    }
}

fn as_param(value: &Value) -> Param<'_> {
    match value {
        Value::String(text) => Param::Text(text),
        Value::Number(number) => match number.as_i64() {
            Some(int) => Param::Int(int),
            None => Param::Real(number.as_f64().unwrap_or_default()),
        },
        _ => Param::Null,
    }
}
