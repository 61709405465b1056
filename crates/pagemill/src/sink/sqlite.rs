//! SQLite: a table of pages, and one for each set.
//!
//! `pages` has `id`, `page`, `status`, `problems` (a JSON list) and the columns of the page. A set has a table of its name, one
//! within another the name of both: `books_authors`. Its rows have an `id`, the `id` of what they belong to (`page_id`, or
//! `books_id` for what is in a book), their `position` there, from 1, and the columns of the record. All columns
//! are texts, or null. An index leads from the owner to its records.
//!
//! Names come from pages. They are quoted, so that keywords and punctuation are fine; what is taken (upper and lower case
//! are the same to SQLite) gets a number: `id_2`.
//!
//! The file is nobody's until it is finished, so it is written without journal and without locks. Ids and owners only
//! grow; everything is appended, the indexes too.

use super::layout::{Names, columns, records, sets, text};
use super::whole::Draft;
use super::{Row, SinkError, WriteRows};
use rusqlite::{Connection, OpenFlags};
use std::io;
use std::path::Path;
use wrapper::{Data, Field};

/// What SQLite takes unless it is built otherwise (sqlite.org/limits.html).
const MAX_COLUMNS: usize = 2000;

/// Pages to a transaction. Without a journal it costs next to nothing to end one; a growing one costs memory.
const BATCH: usize = 1000;

/// All tables, by what they hold. The root holds pages.
pub(super) struct Plan {
    pages: Table,
    /// Statements that make the tables.
    create: Vec<String>,
}

struct Table {
    /// What the set is called in the data.
    key: String,
    columns: Vec<String>,
    insert: String,
    /// Which is also the id of the last row.
    n_rows: i64,
    sets: Vec<Table>,
}

impl Plan {
    pub(super) fn new(fields: &[Field], path: &Path) -> Result<Plan, SinkError> {
        let mut planner = Planner { path, names: Names::default(), create: Vec::new() };
        let pages = planner.pages(fields)?;
        Ok(Plan { pages, create: planner.create })
    }
}

struct Planner<'p> {
    path: &'p Path,
    /// Of tables and indexes, which share them.
    names: Names,
    create: Vec<String>,
}

/// What a set belongs to.
struct Owner<'o> {
    table: &'o str,
    /// What its records are called within their table's name: nothing for those of a page.
    prefix: String,
    key: String,
}

impl Planner<'_> {
    fn pages(&mut self, fields: &[Field]) -> Result<Table, SinkError> {
        let table = self.names.unique("pages");
        let first = [
            ("id", "INTEGER PRIMARY KEY"),
            ("page", "TEXT NOT NULL"),
            ("status", "TEXT NOT NULL"),
            ("problems", "TEXT NOT NULL"),
        ];
        let insert = self.table(&table, &first, fields)?;
        let owner = Owner { table: &table, prefix: String::new(), key: "page_id".into() };
        Ok(Table::new("", fields, insert, self.sets(fields, &owner)?))
    }

    fn sets(&mut self, fields: &[Field], owner: &Owner<'_>) -> Result<Vec<Table>, SinkError> {
        sets(fields).map(|set| self.set(&set.name, &set.fields, owner)).collect()
    }

    fn set(&mut self, key: &str, fields: &[Field], owner: &Owner<'_>) -> Result<Table, SinkError> {
        let table = self.names.unique(&allowed(format!("{}{key}", owner.prefix)));
        let reference = format!("INTEGER NOT NULL REFERENCES {}(id)", quoted(owner.table));
        let first = [
            ("id", "INTEGER PRIMARY KEY"),
            (&*owner.key, &*reference),
            ("position", "INTEGER NOT NULL"),
        ];
        let insert = self.table(&table, &first, fields)?;
        let index = self.names.unique(&format!("{table}_by_{}", owner.key));
        let (index, of_table, by) = (quoted(&index), quoted(&table), quoted(&owner.key));
        self.create.push(format!("CREATE INDEX {index} ON {of_table}({by})"));
        let of_records =
            Owner { table: &table, prefix: format!("{table}_"), key: format!("{table}_id") };
        Ok(Table::new(key, fields, insert, self.sets(fields, &of_records)?))
    }

    /// Make a table, and give the statement that adds a row.
    fn table(
        &mut self,
        table: &str,
        first: &[(&str, &str)],
        fields: &[Field],
    ) -> Result<String, SinkError> {
        let mut names = Names::reserving(&first.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        let first = first.iter().map(|(name, kind)| format!("{} {kind}", quoted(name)));
        let texts = columns(fields).map(|name| format!("{} TEXT", quoted(&names.unique(name))));
        let columns: Vec<String> = first.chain(texts).collect();
        let n_columns = columns.len();
        if n_columns > MAX_COLUMNS {
            let (path, table) = (self.path.to_owned(), table.to_owned());
            return Err(SinkError::TooManyColumns { path, table, n_columns, max: MAX_COLUMNS });
        }
        let table = quoted(table);
        self.create.push(format!("CREATE TABLE {table} ({})", columns.join(", ")));
        Ok(format!("INSERT INTO {table} VALUES ({})", vec!["?"; n_columns].join(", ")))
    }
}

/// SQLite keeps names that start so to itself.
fn allowed(name: String) -> String {
    if name.to_ascii_lowercase().starts_with("sqlite_") { format!("set_{name}") } else { name }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Table {
    fn new(key: &str, fields: &[Field], insert: String, sets: Vec<Table>) -> Table {
        let columns = columns(fields).map(str::to_owned).collect();
        Table { key: key.to_owned(), columns, insert, n_rows: 0, sets }
    }

    fn n_tables(&self) -> usize {
        1 + self.sets.iter().map(Table::n_tables).sum::<usize>()
    }

    fn add_page(&mut self, database: &Connection, row: &Row<'_>) -> rusqlite::Result<()> {
        self.n_rows += 1;
        let mut statement = database.prepare_cached(&self.insert)?;
        let problems = serde_json::Value::from(row.problems).to_string();
        statement.raw_bind_parameter(1, self.n_rows)?;
        statement.raw_bind_parameter(2, row.page)?;
        statement.raw_bind_parameter(3, row.status.name())?;
        statement.raw_bind_parameter(4, problems)?;
        for (index, column) in self.columns.iter().enumerate() {
            statement.raw_bind_parameter(index + 5, text(row.data, column))?;
        }
        statement.raw_execute()?;
        self.sets.iter_mut().try_for_each(|set| set.add_records(database, self.n_rows, row.data))
    }

    /// Add the records of one owner, and what is within them.
    fn add_records(
        &mut self,
        database: &Connection,
        owner: i64,
        data: Option<&Data>,
    ) -> rusqlite::Result<()> {
        let Some(records) = records(data, &self.key) else { return Ok(()) };
        for (position, record) in (1_i64..).zip(records) {
            self.n_rows += 1;
            let mut statement = database.prepare_cached(&self.insert)?;
            statement.raw_bind_parameter(1, self.n_rows)?;
            statement.raw_bind_parameter(2, owner)?;
            statement.raw_bind_parameter(3, position)?;
            for (index, column) in self.columns.iter().enumerate() {
                statement.raw_bind_parameter(index + 4, text(record, column))?;
            }
            statement.raw_execute()?;
            drop(statement);
            let id = self.n_rows;
            self.sets.iter_mut().try_for_each(|set| set.add_records(database, id, record))?;
        }
        Ok(())
    }
}

pub(super) struct Sqlite {
    /// Stands before the draft, so that the file is closed before it is removed.
    database: Connection,
    pages: Table,
    n_in_batch: usize,
    draft: Draft,
}

impl Sqlite {
    pub(super) fn create(draft: Draft, plan: Plan) -> io::Result<Sqlite> {
        let database = open(draft.path(), &plan).map_err(io::Error::other)?;
        Ok(Sqlite { database, pages: plan.pages, n_in_batch: 0, draft })
    }

    fn write_page(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        self.pages.add_page(&self.database, row)?;
        self.n_in_batch += 1;
        if self.n_in_batch == BATCH {
            self.n_in_batch = 0;
            self.database.execute_batch("COMMIT; BEGIN")?;
        }
        Ok(())
    }

    fn close(self) -> rusqlite::Result<Draft> {
        self.database.execute_batch("COMMIT")?;
        self.database.close().map_err(|(_, error)| error)?;
        Ok(self.draft)
    }
}

impl WriteRows for Sqlite {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.write_page(row).map_err(io::Error::other)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.close().map_err(io::Error::other)?.place()
    }
}

/// Open the empty file and make the tables.
fn open(path: &Path, plan: &Plan) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // On some network file systems SQLite's own locks would meet the one that the draft is held by.
    let database = match cfg!(unix) {
        true => Connection::open_with_flags_and_vfs(path, flags, "unix-none")?,
        false => Connection::open_with_flags(path, flags)?,
    };
    database.set_prepared_statement_cache_capacity(plan.pages.n_tables());
    database.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN",
    )?;
    for statement in &plan.create {
        database.execute_batch(statement)?;
    }
    Ok(database)
}
