//! Networks in PostgreSQL, or in whatever speaks its protocol.

use super::{Cell, Database, Dialect, PATIENCE, Param, shown};
use crate::error::Error;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{IsNull, ToSql, Type, private::BytesMut};
use postgres::{Client, NoTls, Row, Statement};
use std::collections::HashMap;
use std::error::Error as StdError;
use std::time::Duration;

/// Statements that are kept prepared; more are forgotten at once.
const MAX_PREPARED: usize = 512;

pub(super) struct Postgres {
    client: Client,
    store: String,
    prepared: HashMap<String, Statement>,
    patience: Duration,
}

impl Postgres {
    pub(super) fn connect(address: &str) -> Result<Postgres, Error> {
        let store = shown(address);
        let client = Client::connect(address, NoTls).map_err(|error| failed(&store, &error))?;
        let mut postgres = Postgres { client, store, prepared: HashMap::new(), patience: PATIENCE };
        // What is there already needs no word.
        postgres.batch("SET client_min_messages = warning")?;
        Ok(postgres)
    }

    /// Statements are prepared once each.
    fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.client.prepare(&sql.replace('?', "$"));
        let statement = prepared.map_err(|error| failed(&self.store, &error))?;
        if self.prepared.len() == MAX_PREPARED {
            self.prepared.clear();
        }
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, Error> {
        let statement = self.statement(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| param as _).collect();
        self.client.execute(&statement, &params).map_err(|error| failed(&self.store, &error))
    }

    fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        row: &mut dyn FnMut(&[Cell]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let statement = self.statement(sql)?;
        let store = self.store.clone();
        let told = |error| failed(&store, &error);
        let mut rows = self.client.query_raw(&statement, params.iter()).map_err(told)?;
        while let Some(next) = rows.next().map_err(told)? {
            let cells: Result<Vec<Cell>, postgres::Error> =
                (0..next.len()).map(|idx| cell(&next, idx)).collect();
            row(&cells.map_err(told)?)?;
        }
        Ok(())
    }

    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| failed(&self.store, &error))
    }

    fn begin(&mut self) -> Result<(), Error> {
        let wait = self.patience.as_millis().max(1);
        self.batch("BEGIN")?;
        let lock =
            format!("SET LOCAL lock_timeout = '{wait}ms'; LOCK TABLE net_meta IN EXCLUSIVE MODE");
        self.batch(&lock).inspect_err(|_| {
            let _ = self.client.batch_execute("ROLLBACK");
        })
    }

    fn set_patience(&mut self, patience: Duration) -> Result<(), Error> {
        self.patience = patience;
        Ok(())
    }
}

fn cell(row: &Row, idx: usize) -> Result<Cell, postgres::Error> {
    let column = row.columns()[idx].type_();
    let cell = if *column == Type::INT8 {
        row.try_get::<_, Option<i64>>(idx)?.map(Cell::Int)
    } else if *column == Type::INT4 {
        row.try_get::<_, Option<i32>>(idx)?.map(|int| Cell::Int(int.into()))
    } else if *column == Type::FLOAT8 {
        row.try_get::<_, Option<f64>>(idx)?.map(Cell::Real)
    } else if *column == Type::BOOL {
        row.try_get::<_, Option<bool>>(idx)?.map(|bool| Cell::Int(bool.into()))
    } else {
        row.try_get::<_, Option<String>>(idx)?.map(Cell::Text)
    };
    Ok(cell.unwrap_or(Cell::Null))
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        column: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Int(int) if *column == Type::FLOAT8 => (*int as f64).to_sql(column, out),
            Param::Int(int) if *column == Type::INT4 => i32::try_from(*int)?.to_sql(column, out),
            Param::Int(int) if *column == Type::INT8 => int.to_sql(column, out),
            Param::Int(int) => int.to_string().to_sql(column, out),
            Param::Real(real) if *column == Type::FLOAT8 => real.to_sql(column, out),
            Param::Real(real) => real.to_string().to_sql(column, out),
            // No text of PostgreSQL has a zero byte.
            Param::Text(text) => text.replace('\0', "\u{FFFD}").to_sql(column, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    postgres::types::to_sql_checked!();
}

fn failed(store: &str, error: &postgres::Error) -> Error {
    use postgres::error::SqlState;
    let store = store.to_owned();
    match error.as_db_error() {
        Some(told) if *told.code() == SqlState::LOCK_NOT_AVAILABLE => Error::Busy { store },
        Some(told) => Error::Database(format!("{store}: {}", told.message())),
        None => {
            let cause = error.source().map_or(String::new(), |cause| format!(": {cause}"));
            Error::Database(format!("{store}: {error}{cause}"))
        }
    }
}
