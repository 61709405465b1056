//! Addresses that wait.

use super::{Store, StoreError};
use crate::address;
use crate::simhash::Text;
use rusqlite::{OptionalExtension, Row, params};
use url::Url;

/// An address that may be asked for.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) url: Url,
    pub(crate) priority: f64,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    /// What the plan expects to find.
    pub(crate) kind: Option<String>,
    pub(crate) found_on: Option<i64>,
    /// Why it is not to be asked for.
    pub(crate) refused: Option<String>,
}

/// An address whose turn it may be.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) url: Url,
    pub(crate) host: String,
    pub(crate) priority: f64,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) kind: Option<String>,
    pub(crate) attempts: u32,
    /// The page as it was last time.
    pub(crate) known: Option<Known>,
}

/// A page that is there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// The headers of these names.
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
    /// What was learned from it.
    pub(crate) texts: Vec<Text>,
}

impl Known {
    /// By its headers, a line each, and what was learned from it as it is stored.
    pub(super) fn of(headers: &str, keys: Option<&[u8]>) -> Known {
        Known {
            etag: super::read::header(headers, "etag"),
            modified: super::read::header(headers, "last-modified"),
            texts: keys.map_or(Vec::new(), |keys| super::read::texts(keys).collect()),
        }
    }
}

/// What became of an address that was to be added, with its number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Added {
    New(i64),
    /// It was there, and comes sooner now.
    Raised(i64),
    Known(i64),
}

impl Added {
    pub(crate) fn id(self) -> i64 {
        match self {
            Added::New(id) | Added::Raised(id) | Added::Known(id) => id,
        }
    }
}

/// The host whose gaps an address has to keep: without its port, since that is one machine.
pub(crate) fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or("").to_owned()
}

impl Store {
    /// Add an address, or raise the priority of one that waits.
    pub(crate) fn add(&self, candidate: &Candidate) -> Result<Added, StoreError> {
        let key = address::key(&candidate.url);
        let mut find =
            self.db.prepare_cached("SELECT id, state, priority FROM addresses WHERE key = ?1")?;
        let known = find
            .query_row([&key], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get::<_, f64>(2)?))
            })
            .optional()?;
        if let Some((id, state, priority)) = known {
            let rises = state == 0 && priority < candidate.priority && candidate.refused.is_none();
            if rises {
                self.db
                    .prepare_cached("UPDATE addresses SET priority = ?2, kind = ?3 WHERE id = ?1")?
                    .execute(params![id, candidate.priority, candidate.kind])?;
            }
            return Ok(if rises { Added::Raised(id) } else { Added::Known(id) });
        }
        let state = if candidate.refused.is_some() { 3 } else { 0 };
        self.db
            .prepare_cached(
                "INSERT INTO addresses (key, url, host, state, reason, priority, depth, hops, kind, found_on)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                key,
                candidate.url.as_str(),
                host_of(&candidate.url),
                state,
                candidate.refused,
                candidate.priority,
                candidate.depth,
                candidate.hops,
                candidate.kind,
                candidate.found_on,
            ])?;
        Ok(Added::New(self.db.last_insert_rowid()))
    }

    /// An address as something that is done with at once, whether it waited or not.
    pub(crate) fn take_up(&self, candidate: &Candidate) -> Result<Option<Job>, StoreError> {
        let id = self.add(candidate)?.id();
        let query = "SELECT id, url, host, priority, depth, hops, kind, attempts, NULL, NULL
                     FROM addresses WHERE id = ?1";
        Ok(self.db.prepare_cached(query)?.query_row([id], job)?)
    }

    /// The addresses of a host that wait, the best first.
    pub(crate) fn waiting(&self, host: &str, now: i64, n: usize) -> Result<Vec<Job>, StoreError> {
        let mut statement = self.db.prepare_cached(
            "SELECT id, addresses.url, host, priority, depth, hops, addresses.kind, attempts, headers, keys
             FROM addresses LEFT JOIN pages ON address = id LEFT JOIN texts ON page = id
             WHERE host = ?1 AND state = 0 AND not_before <= ?3 ORDER BY priority DESC, id LIMIT ?2",
        )?;
        let rows =
            statement.query_map(params![host, i64::try_from(n).unwrap_or(i64::MAX), now], job)?;
        // An address that does not parse was never written; a damaged file may have one.
        Ok(rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// When the next address of a host may be tried again, in milliseconds since 1970.
    pub(crate) fn next_try(&self, host: &str, now: i64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT min(not_before) FROM addresses WHERE host = ?1 AND state = 0 AND not_before > ?2";
        Ok(self.db.prepare_cached(query)?.query_row(params![host, now], |row| row.get(0))?)
    }

    /// Have addresses wait again whose servers did not say whether they may be asked for.
    pub(crate) fn wait_again(&self, reason: &str) -> Result<usize, StoreError> {
        let again = "UPDATE addresses SET state = 0, reason = NULL WHERE state = 3 AND reason = ?1";
        Ok(self.db.execute(again, [reason])?)
    }

    /// The hosts that addresses wait for.
    pub(crate) fn hosts(&self) -> Result<Vec<String>, StoreError> {
        let mut statement =
            self.db.prepare("SELECT DISTINCT host FROM addresses WHERE state = 0")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Have all pages that are there asked for again; those that failed, too.
    pub(crate) fn renew(&self) -> Result<usize, StoreError> {
        let renew = "UPDATE addresses SET state = 0, reason = NULL, attempts = 0, not_before = 0 WHERE state IN (1, 2)";
        Ok(self.db.execute(renew, [])?)
    }
}

fn job(row: &Row<'_>) -> rusqlite::Result<Option<Job>> {
    let url: String = row.get(1)?;
    let Ok(url) = Url::parse(&url) else { return Ok(None) };
    let headers: Option<String> = row.get(8)?;
    let keys: Option<Vec<u8>> = row.get(9)?;
    let known = headers.map(|headers| Known::of(&headers, keys.as_deref()));
    Ok(Some(Job {
        id: row.get(0)?,
        url,
        host: row.get(2)?,
        priority: row.get(3)?,
        depth: row.get(4)?,
        hops: row.get(5)?,
        kind: row.get(6)?,
        attempts: row.get(7)?,
        known,
    }))
}
