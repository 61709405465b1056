//! Where networks are kept: SQLite or PostgreSQL, behind one small trait.
//!
//! SQL is written once, with `?1` for parameters; what differs is in [`Dialect`]. Both clients are plain blocking calls: statements
//! run one after the other, so there is nothing to be gained by waiting for several at once.

mod postgres;
mod source;
mod sqlite;
mod tables;
mod views;

pub use source::Source;
pub(crate) use tables::{make_tables, read_schema, write_definitions};
pub(crate) use views::make_views;

use crate::error::Error;
use std::path::Path;
use std::time::Duration;

/// How long a writer waits for another.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Where the two databases differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// What goes into a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Param<'p> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'p str),
}

/// What comes out of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

/// A database with a network in it.
pub(crate) trait Database: Send {
    fn dialect(&self) -> Dialect;

    /// Run a statement; says how many rows it changed.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error>;

    /// Run a query and look at each row.
    fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        row: &mut dyn FnMut(&[Cell]) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Run several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), Error>;

    /// Begin to write; no other process does until the end. Waits for those who do.
    fn begin(&mut self) -> Result<(), Error>;

    /// How long to wait for other writers.
    fn set_patience(&mut self, patience: Duration) -> Result<(), Error>;
}

impl Cell {
    pub(crate) fn int(&self) -> i64 {
        match self {
            Cell::Int(int) => *int,
            Cell::Real(real) => *real as i64,
            Cell::Text(text) => text.parse().unwrap_or_default(),
            Cell::Null => 0,
        }
    }

    pub(crate) fn real(&self) -> f64 {
        match self {
            Cell::Int(int) => *int as f64,
            Cell::Real(real) => *real,
            Cell::Text(text) => text.parse().unwrap_or_default(),
            Cell::Null => 0.0,
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Cell::Int(int) => int.to_string(),
            Cell::Real(real) => real.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::Null => String::new(),
        }
    }
}

impl dyn Database + '_ {
    /// All rows of a query.
    pub(crate) fn rows(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Vec<Vec<Cell>>, Error> {
        let mut rows = Vec::new();
        self.each(sql, params, &mut |row| {
            rows.push(row.to_vec());
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of a query.
    pub(crate) fn first(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Option<Vec<Cell>>, Error> {
        Ok(self.rows(sql, params)?.into_iter().next())
    }

    /// The first column of a query, as numbers.
    pub(crate) fn ints(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<i64>, Error> {
        Ok(self.rows(sql, params)?.iter().filter_map(|row| row.first()).map(Cell::int).collect())
    }
}

/// How a network is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// A file that is not there is made.
    Write,
    /// It has to be there.
    Read,
}

/// Connect to what a text names: an address of PostgreSQL, or a file.
pub(crate) fn connect(store: &str, access: Access) -> Result<Box<dyn Database>, Error> {
    let is_address = store.starts_with("postgres://") || store.starts_with("postgresql://");
    match is_address {
        true => Ok(Box::new(postgres::Postgres::connect(store)?)),
        false => Ok(Box::new(sqlite::Sqlite::open(Path::new(store), access)?)),
    }
}

/// A store as it is told: addresses without what must not be seen.
pub(crate) fn shown(store: &str) -> String {
    let Some((scheme, rest)) = store.split_once("://") else { return store.to_owned() };
    match rest.rsplit_once('@') {
        Some((who, host)) => {
            let user = who.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => store.to_owned(),
    }
}
