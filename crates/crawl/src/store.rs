//! The crawl as a file: one SQLite database, written by one process at a time.
//!
//! One transaction holds all that came of a page: the page, its links, what was read out of it, and that its address is done.
//! Whenever the process ends, each page is there with all of this or waits to be asked for again.

mod frontier;
mod lock;
mod pages;
mod read;
mod shared;
mod write;

pub use pages::{Pages, pages};
pub use read::{Counts, PageRow};
pub(crate) use read::{Robots, header};
pub use shared::SharedStore;
pub(crate) use write::{Changes, Found, Outcome, Stored, Visit};

pub(crate) use frontier::{Candidate, Job, Known};
use lock::Lock;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version of the tables. Files of others are refused.
const VERSION: &str = "2";
/// One that can be made into this one: it lacks what the near copies of pages are told by, and is read as if nothing were known.
const OLD_VERSION: &str = "1";

/// Why a store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another process writes it.
    #[error("{path} is in use by another crawl{}", pid.map_or(String::new(), |pid| format!(" (process {pid})")))]
    Busy {
        /// The store.
        path: PathBuf,
        /// The other process.
        pid: Option<u32>,
    },
    /// It is a database of something else, or of another version.
    #[error("{path} is no store of a crawl that this version of Pagemill can read: {reason}")]
    Foreign {
        /// The store.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It was made by another command.
    #[error(
        "{path} holds a crawl with another {what}; name another store, or start over with --fresh"
    )]
    Other {
        /// The store.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// What the database says.
    #[error("cannot use the store: {0}")]
    Database(#[from] rusqlite::Error),
    /// What the server of a shared store says.
    #[error("cannot use the shared store: {}", of_server(.0))]
    Shared(#[from] postgres::Error),
    /// What the file system says.
    #[error("cannot use the store: {0}")]
    File(#[from] std::io::Error),
    /// A packed page cannot be unpacked.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

/// A crawl's file, open.
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// Held as long as the store is open for writing.
    _lock: Option<Lock>,
}

impl Store {
    /// Open a store for writing, and make it where there is none. `is_fresh` throws away what is there.
    pub fn open(path: &Path, is_fresh: bool) -> Result<Store, StoreError> {
        let lock = Lock::take(path)?;
        if is_fresh {
            remove(path)?;
        }
        let is_new = !path.exists();
        let db = Connection::open(path)?;
        // WAL survives the death of the process at any time; a loss of power may cost the last pages, never the file.
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        db.set_prepared_statement_cache_capacity(64);
        let store = Store { db, path: path.to_owned(), _lock: Some(lock) };
        if is_new || store.is_empty()? {
            let make = format!(
                "BEGIN; {}; {}; INSERT INTO meta VALUES ('version', '{VERSION}'); COMMIT",
                include_str!("store/schema.sql"),
                include_str!("store/since_2.sql"),
            );
            store.db.execute_batch(&make)?;
        }
        store.check_version()?;
        store.renovate()?;
        Ok(store)
    }

    /// Make a store of an older version one of this.
    fn renovate(&self) -> Result<(), StoreError> {
        if self.meta("version")?.as_deref() == Some(OLD_VERSION) {
            let new = include_str!("store/since_2.sql");
            let make = format!(
                "BEGIN; {new}; UPDATE meta SET value = '{VERSION}' WHERE key = 'version'; COMMIT"
            );
            self.db.execute_batch(&make)?;
        }
        Ok(())
    }

    /// Open a store to look into, while another process may write it.
    pub fn read(path: &Path) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags)?;
        let store = Store { db, path: path.to_owned(), _lock: None };
        store.check_version()?;
        Ok(store)
    }

    /// The process that writes the store at the moment, if one does: its number, where that is known.
    pub fn writer(&self) -> Option<Option<u32>> {
        lock::owner(&self.path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What SQLite finds wrong with the file, and what does not fit together in it; nothing if all is well.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let mut found: Vec<String> = Vec::new();
        let mut statement = self.db.prepare("PRAGMA integrity_check")?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
        for line in lines {
            found.extend(Some(line?).filter(|line| line != "ok"));
        }
        let rules = [
            (
                // What is not there any more when it is asked for again stays as it was.
                "pages whose address was never asked for",
                "SELECT count(*) FROM pages JOIN addresses ON id = address WHERE state NOT IN (0, 1, 2)",
            ),
            (
                "done addresses without a page",
                "SELECT count(*) FROM addresses WHERE state = 1 AND reason IS NULL AND id NOT IN (SELECT address FROM pages)",
            ),
            (
                "links from pages that are not there",
                "SELECT count(*) FROM links WHERE page NOT IN (SELECT address FROM pages)",
            ),
            (
                "texts of pages that are not there",
                "SELECT count(*) FROM texts WHERE page NOT IN (SELECT address FROM pages)",
            ),
            (
                "links to addresses that are not there",
                "SELECT count(*) FROM links WHERE target NOT IN (SELECT id FROM addresses)",
            ),
        ];
        let is_old = self.meta("version")?.as_deref() == Some(OLD_VERSION);
        for (what, query) in rules.into_iter().filter(|it| !is_old || !it.1.contains("FROM texts"))
        {
            let n: i64 = self.db.query_row(query, [], |row| row.get(0))?;
            if n > 0 {
                found.push(format!("{n} {what}"));
            }
        }
        Ok(found)
    }

    /// Remember something under a name, or see that it is what was remembered.
    pub fn settle(&self, what: &'static str, value: &str) -> Result<(), StoreError> {
        match self.meta(what)? {
            None => {
                self.db.execute("INSERT INTO meta VALUES (?1, ?2)", params![what, value])?;
                Ok(())
            }
            Some(known) if known == value => Ok(()),
            Some(_) => Err(StoreError::Other { path: self.path.clone(), what }),
        }
    }

    /// What was remembered under a name.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        let query = "SELECT value FROM meta WHERE key = ?1";
        Ok(self.db.query_row(query, [key], |row| row.get(0)).optional()?)
    }

    fn is_empty(&self) -> Result<bool, StoreError> {
        let n: i64 =
            self.db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(n == 0)
    }

    fn check_version(&self) -> Result<(), StoreError> {
        let foreign = |reason: String| StoreError::Foreign { path: self.path.clone(), reason };
        let found = self.meta("version").map_err(|error| foreign(error.to_string()))?;
        match found.as_deref() {
            Some(VERSION | OLD_VERSION) => Ok(()),
            Some(other) => Err(foreign(format!("its version is {other}, not {VERSION}"))),
            None => Err(foreign("it has no version".to_owned())),
        }
    }
}

/// What a server of databases says, with the reason that it gives.
fn of_server(error: &postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// Remove a store, if it is one: a mistyped name must not cost someone another file.
fn remove(path: &Path) -> Result<(), StoreError> {
    if !path.exists() {
        return Ok(());
    }
    drop(Store::read(path)?);
    for end in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        match std::fs::remove_file(PathBuf::from(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}
