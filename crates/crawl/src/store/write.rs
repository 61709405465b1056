//! What came of asking for an address.

use super::frontier::{Added, host_of};
use super::{Candidate, Job, Store, StoreError};
use crate::simhash::Text;
use rusqlite::{Connection, params};

/// What came of one address.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) job: Job,
    /// When it was asked for, in milliseconds since 1970; and for how long. None if it was not asked for at all.
    pub(crate) asked: Option<(i64, u32)>,
    pub(crate) status: Option<u16>,
    /// As they came over the network.
    pub(crate) n_bytes: usize,
    pub(crate) outcome: Outcome,
}

/// How it ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A page.
    Page(Box<Stored>),
    /// The page is as it was.
    Unchanged,
    /// It is elsewhere.
    Moved(Box<Found>),
    /// It is a list of others.
    Listed(Vec<Candidate>),
    /// There is no page to be had.
    Failed(String),
    /// It was not asked for, because that is not allowed.
    Refused(String),
    /// It is to be tried again, not before a time in milliseconds since 1970.
    Later(String, i64),
}

/// A page as it is kept.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) headers: String,
    /// Packed by zlib.
    pub(crate) body: Vec<u8>,
    pub(crate) n_bytes: usize,
    /// None if it says nothing that other pages of its host do not.
    pub(crate) hash: Option<u64>,
    /// What was learned from it of what pages of its host usually say.
    pub(crate) texts: Vec<Text>,
    /// Its words, where they are counted.
    pub(crate) words: Vec<String>,
    pub(crate) like: Option<i64>,
    pub(crate) kind: Option<String>,
    pub(crate) title: Option<String>,
    /// The shapes of its address.
    pub(crate) patterns: Vec<String>,
    pub(crate) links: Vec<Found>,
    /// What was read out of it: kinds, and JSON.
    pub(crate) findings: Vec<(String, String)>,
}

/// A link.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) to: Candidate,
    pub(crate) text: String,
}

/// What changed in the frontier.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Addresses that came in.
    pub(crate) new: Vec<Job>,
    /// Hosts, each with the priority of an address that rose.
    pub(crate) risen: Vec<(String, f64)>,
    /// Patterns of addresses that gave a page, and whether there was something new on it.
    pub(crate) yields: Vec<(String, bool)>,
}

impl Store {
    /// Keep what came of some addresses: all of it or, if the process ends meanwhile, nothing.
    pub(crate) fn keep(&mut self, visits: &[Visit]) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        self.in_transaction(|store| {
            for visit in visits {
                store.keep_one(visit, &mut changes)?;
            }
            Ok(())
        })?;
        Ok(changes)
    }

    /// Add seeds, or addresses of sitemaps.
    pub(crate) fn add_all(&mut self, candidates: &[Candidate]) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        self.in_transaction(|store| {
            for candidate in candidates {
                store.add_noting(candidate, &mut changes)?;
            }
            Ok(())
        })?;
        Ok(changes)
    }

    /// Keep what a server says in its robots.txt, that it was asked, and the sitemaps that it names.
    pub(crate) fn keep_robots(
        &mut self,
        origin: &str,
        asked: (i64, u32),
        status: Option<u16>,
        robots: &[u8],
        maps: &[Candidate],
    ) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        self.in_transaction(|store| {
            store
                .db
                .prepare_cached("INSERT OR REPLACE INTO origins VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![origin, asked.0, status, robots])?;
            let url = format!("{origin}/robots.txt");
            store.note_fetch(None, &url, asked, status, robots.len(), None)?;
            for map in maps {
                store.add_noting(map, &mut changes)?;
            }
            Ok(())
        })?;
        Ok(changes)
    }

    /// Note that something beside pages was asked for.
    fn note_fetch(
        &self,
        address: Option<i64>,
        url: &str,
        (at, ms): (i64, u32),
        status: Option<u16>,
        n_bytes: usize,
        reason: Option<&str>,
    ) -> Result<(), StoreError> {
        self.db
            .prepare_cached(
                "INSERT INTO fetches (address, url, at, ms, status, n_bytes, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![address, url, at, ms, status, number(n_bytes), reason])?;
        Ok(())
    }

    fn in_transaction(
        &mut self,
        work: impl FnOnce(&Store) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.db.execute_batch("BEGIN IMMEDIATE")?;
        match work(self) {
            Ok(()) => Ok(self.db.execute_batch("COMMIT")?),
            Err(error) => {
                let _ = self.db.execute_batch("ROLLBACK");
                Err(error)
            }
        }
    }

    fn add_noting(&self, candidate: &Candidate, changes: &mut Changes) -> Result<i64, StoreError> {
        let added = self.add(candidate)?;
        match added {
            Added::New(id) if candidate.refused.is_none() => changes.new.push(candidate.job(id)),
            Added::Raised(_) => changes.risen.push((host_of(&candidate.url), candidate.priority)),
            _ => {}
        }
        Ok(added.id())
    }

    fn keep_one(&self, visit: &Visit, changes: &mut Changes) -> Result<(), StoreError> {
        let id = visit.job.id;
        let reason = visit.outcome.reason();
        if let Some(asked) = visit.asked {
            let url = visit.job.url.as_str();
            self.note_fetch(Some(id), url, asked, visit.status, visit.n_bytes, reason.as_deref())?;
        }
        match &visit.outcome {
            Outcome::Page(page) => self.keep_page(id, visit, page, changes)?,
            Outcome::Moved(found) => {
                self.add_noting(&found.to, changes)?;
            }
            Outcome::Listed(all) => {
                for candidate in all {
                    self.add_noting(candidate, changes)?;
                }
            }
            _ => {}
        }
        let (state, not_before) = visit.outcome.state();
        let attempts = visit.job.attempts + u32::from(visit.asked.is_some());
        self.db
            .prepare_cached(
                "UPDATE addresses SET state = ?2, reason = ?3, attempts = ?4, not_before = ?5 WHERE id = ?1",
            )?
            .execute(params![id, state, reason, attempts, not_before])?;
        Ok(())
    }

    /// Count the words of one page.
    fn count_words(&self, words: &[String]) -> Result<(), StoreError> {
        if words.is_empty() {
            return Ok(());
        }
        let mut count = self.db.prepare_cached(
            "INSERT INTO words VALUES (?1, 1) ON CONFLICT (word) DO UPDATE SET n_pages = n_pages + 1",
        )?;
        for word in words.iter().map(String::as_str).chain([""]) {
            count.execute([word])?;
        }
        Ok(())
    }

    fn keep_page(
        &self,
        id: i64,
        visit: &Visit,
        page: &Stored,
        changes: &mut Changes,
    ) -> Result<(), StoreError> {
        let at = visit.asked.map_or(0, |asked| asked.0);
        self.db
            .prepare_cached(
                "INSERT OR REPLACE INTO pages (address, url, at, status, headers, body, n_bytes, hash, like, kind, title)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                id,
                page.url,
                at,
                page.status,
                page.headers,
                page.body,
                number(page.n_bytes),
                page.hash.map(u64::cast_signed),
                page.like,
                page.kind,
                page.title,
            ])?;
        self.db.prepare_cached("INSERT OR REPLACE INTO texts VALUES (?1, ?2)")?.execute(
            params![id, page.texts.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>()],
        )?;
        self.count_words(&page.words)?;
        clear(&self.db, "DELETE FROM links WHERE page = ?1", id)?;
        clear(&self.db, "DELETE FROM findings WHERE page = ?1", id)?;
        for (nth, found) in page.links.iter().enumerate() {
            let target = self.add_noting(&found.to, changes)?;
            self.db
                .prepare_cached("INSERT INTO links VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![id, number(nth), target, found.text])?;
        }
        for (nth, (kind, data)) in page.findings.iter().enumerate() {
            self.db
                .prepare_cached("INSERT INTO findings VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![id, number(nth), kind, data])?;
        }
        // Where it leads does not count: traps lead on for ever.
        let is_new = page.hash.is_some() && page.like.is_none();
        for pattern in &page.patterns {
            changes.yields.push((pattern.clone(), is_new));
            self.db
                .prepare_cached(
                    "INSERT INTO patterns VALUES (?1, 1, ?2) ON CONFLICT (pattern)
                     DO UPDATE SET n_fetched = n_fetched + 1, n_new = n_new + excluded.n_new",
                )?
                .execute(params![pattern, is_new])?;
        }
        Ok(())
    }
}

impl Outcome {
    /// Why there is no page, if there is none.
    pub(super) fn reason(&self) -> Option<String> {
        match self {
            Outcome::Page(_) => None,
            Outcome::Unchanged => Some("unchanged".to_owned()),
            Outcome::Listed(all) => Some(format!("a list of {} addresses", all.len())),
            Outcome::Moved(to) => Some(format!("moved to {}", to.to.url)),
            Outcome::Failed(reason) | Outcome::Refused(reason) | Outcome::Later(reason, _) => {
                Some(reason.clone())
            }
        }
    }

    /// The state of its address from now on, and when it may be asked for.
    pub(super) fn state(&self) -> (i16, i64) {
        match self {
            Outcome::Page(_) | Outcome::Unchanged | Outcome::Moved(_) | Outcome::Listed(_) => {
                (1, 0)
            }
            Outcome::Failed(_) => (2, 0),
            Outcome::Refused(_) => (3, 0),
            Outcome::Later(_, at) => (0, *at),
        }
    }
}

impl Candidate {
    /// The same as something that waits under a number.
    pub(super) fn job(&self, id: i64) -> Job {
        Job {
            id,
            url: self.url.clone(),
            host: host_of(&self.url),
            priority: self.priority,
            depth: self.depth,
            hops: self.hops,
            kind: self.kind.clone(),
            attempts: 0,
            known: None,
        }
    }
}

fn clear(db: &Connection, statement: &str, id: i64) -> Result<(), StoreError> {
    db.prepare_cached(statement)?.execute([id])?;
    Ok(())
}

/// A count as SQLite has it.
fn number(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
