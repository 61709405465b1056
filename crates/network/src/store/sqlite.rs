//! Networks in SQLite files, those of crawls among them.

use super::{Access, Cell, Database, Dialect, PATIENCE, Param};
use crate::error::Error;
use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) struct Sqlite {
    db: Connection,
    path: PathBuf,
}

impl Sqlite {
    pub(super) fn open(path: &Path, access: Access) -> Result<Sqlite, Error> {
        let made = if access == Access::Write {
            OpenFlags::SQLITE_OPEN_CREATE
        } else {
            OpenFlags::empty()
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | made;
        let opened = Connection::open_with_flags(path, flags);
        let db = opened.map_err(|error| failed(path, &error))?;
        let sqlite = Sqlite { db, path: path.to_owned() };
        sqlite.prepare(access).map_err(|error| failed(path, &error))?;
        Ok(sqlite)
    }

    fn prepare(&self, access: Access) -> rusqlite::Result<()> {
        self.db.busy_timeout(PATIENCE)?;
        // As crawls have it: readers and one writer at a time do not wait for each other. It stays with the file, so that one
        // which may be somebody else's is left as it is.
        if access == Access::Write {
            self.db.pragma_update(None, "journal_mode", "WAL")?;
        }
        self.db.pragma_update(None, "synchronous", "NORMAL")?;
        self.db.pragma_update(None, "cache_size", -65_536)?;
        self.db.set_prepared_statement_cache_capacity(256);
        Ok(())
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        failed(&self.path, error)
    }
}

impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        let run = || {
            let mut statement = self.db.prepare_cached(sql)?;
            statement.execute(rusqlite::params_from_iter(params))
        };
        let n_rows = run().map_err(|error| self.failed(&error))?;
        Ok(u64::try_from(n_rows).unwrap_or(u64::MAX))
    }

    fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        row: &mut dyn FnMut(&[Cell]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let told = |error| self.failed(&error);
        let mut statement = self.db.prepare_cached(sql).map_err(told)?;
        let n_columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params)).map_err(told)?;
        let mut cells = Vec::with_capacity(n_columns);
        while let Some(next) = rows.next().map_err(told)? {
            cells.clear();
            for idx in 0..n_columns {
                cells.push(cell(next, idx).map_err(told)?);
            }
            row(&cells)?;
        }
        Ok(())
    }

    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.db.execute_batch(sql).map_err(|error| self.failed(&error))
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.batch("BEGIN IMMEDIATE")
    }

    fn set_patience(&mut self, patience: Duration) -> Result<(), Error> {
        self.db.busy_timeout(patience).map_err(|error| self.failed(&error))
    }
}

fn cell(row: &Row<'_>, idx: usize) -> rusqlite::Result<Cell> {
    Ok(match row.get_ref(idx)? {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(int) => Cell::Int(int),
        ValueRef::Real(real) => Cell::Real(real),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Cell::Text(String::from_utf8_lossy(text).into_owned())
        }
    })
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Param::Null => ToSqlOutput::Owned(Value::Null),
            Param::Int(int) => ToSqlOutput::Owned(Value::Integer(*int)),
            Param::Real(real) => ToSqlOutput::Owned(Value::Real(*real)),
            Param::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

fn failed(path: &Path, error: &rusqlite::Error) -> Error {
    let store = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy { store },
        Some(ErrorCode::NotADatabase) => {
            Error::Foreign { store, reason: "it is no database".to_owned() }
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            Error::Foreign { store, reason: "the file is damaged, or not whole".to_owned() }
        }
        Some(ErrorCode::CannotOpen) => Error::Foreign {
            store,
            reason: if path.exists() { "it cannot be opened" } else { "there is no such file" }
                .to_owned(),
        },
        _ => Error::Database(format!("{store}: {error}")),
    }
}
