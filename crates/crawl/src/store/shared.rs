//! A crawl that several processes work on: the frontier in PostgreSQL.
//!
//! A host has one owner at a time. A process claims hosts that nobody owns, for a time, and says again and again that it is still there;
//! who does not is taken for dead, and its hosts are claimed by others, no sooner than a gap after the end of its claim. So the gaps
//! that hosts want are kept whoever asks. What came of addresses is written only by whom the host belongs to: one transaction
//! has all of it, as in a file.

mod claim;
mod put;

use super::frontier::{Job, Known};
use super::read::{Counts, PageRow, Robots, VANISHED};
use super::{StoreError, read};
use crate::address::bare_name;
use crate::fetch::MAX_REDIRECTS;
use postgres::{Client, NoTls, Row};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use url::Url;

/// The version of the tables.
const VERSION: &str = "1";
/// The hosts of a crawl are spread over so many buckets.
const N_BUCKETS: u32 = 256;
/// Milliseconds since 1970, by the clock that all processes share.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// A crawl in PostgreSQL, as one process sees it.
pub struct SharedStore {
    client: Client,
    /// Where it is, without a password.
    name: String,
    /// This process, as no other is called.
    owner: String,
    /// How long a claim holds without a word.
    lease: Duration,
}

impl SharedStore {
    /// Whether a store's name is that of a database instead of a file.
    pub fn is_named(name: &str) -> bool {
        name.starts_with("postgres://") || name.starts_with("postgresql://")
    }

    /// Where a database is, without a password.
    pub fn name_of(url: &str) -> String {
        without_password(url)
    }

    /// Work on a crawl, beside others that may do so already. Tables that are not there are made; `is_fresh` throws away what is.
    pub fn open(url: &str, lease: Duration, is_fresh: bool) -> Result<SharedStore, StoreError> {
        let mut store = SharedStore::connect(url, lease)?;
        // Two processes that begin at the same time must not both make tables.
        let mut making = store.client.transaction()?;
        making.execute("SELECT pg_advisory_xact_lock(724155)", &[])?;
        if is_fresh {
            let busy = format!(
                "SELECT owner FROM hosts WHERE owner IS NOT NULL AND lease > {NOW} LIMIT 1"
            );
            let is_there: bool =
                making.query_one("SELECT to_regclass('hosts') IS NOT NULL", &[])?.get(0);
            if is_there && making.query_opt(&busy, &[])?.is_some() {
                return Err(StoreError::Busy { path: store.name.clone().into(), pid: None });
            }
            making.batch_execute(
                "DROP TABLE IF EXISTS meta, hosts, addresses, pages, links, findings, fetches, origins, patterns",
            )?;
        }
        making.batch_execute(include_str!("shared/shared.sql"))?;
        making.execute(
            "INSERT INTO meta VALUES ('version', $1) ON CONFLICT (key) DO NOTHING",
            &[&VERSION],
        )?;
        making.commit()?;
        store.check_version()?;
        Ok(store)
    }

    /// Look into a crawl.
    pub fn read(url: &str) -> Result<SharedStore, StoreError> {
        let mut store = SharedStore::connect(url, Duration::ZERO)?;
        store.check_version()?;
        Ok(store)
    }

    fn connect(url: &str, lease: Duration) -> Result<SharedStore, StoreError> {
        let client = Client::connect(url, NoTls)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let owner = format!("{}-{}", std::process::id(), since.as_nanos());
        Ok(SharedStore { client, name: without_password(url), owner, lease })
    }

    fn check_version(&mut self) -> Result<(), StoreError> {
        let foreign =
            |reason: String, name: &str| StoreError::Foreign { path: name.into(), reason };
        match self.meta("version") {
            Ok(Some(version)) if version == VERSION => Ok(()),
            Ok(Some(other)) => {
                Err(foreign(format!("its version is {other}, not {VERSION}"), &self.name))
            }
            Ok(None) => Err(foreign("it has no version".to_owned(), &self.name)),
            Err(error) => Err(foreign(error.to_string(), &self.name)),
        }
    }

    pub(crate) fn lease_time(&self) -> Duration {
        self.lease
    }

    /// What patterns of addresses gave: fetched, and new.
    pub(crate) fn patterns(&mut self) -> Result<Vec<(String, u32, u32)>, StoreError> {
        let rows = self.client.query("SELECT pattern, n_fetched, n_new FROM patterns", &[])?;
        let number = |row: &Row, at| u32::try_from(row.get::<_, i64>(at)).unwrap_or(u32::MAX);
        Ok(rows.iter().map(|row| (row.get(0), number(row, 1), number(row, 2))).collect())
    }

    /// Where it is, without a password.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Remember something under a name, or see that it is what was remembered.
    pub fn settle(&mut self, what: &'static str, value: &str) -> Result<(), StoreError> {
        let insert = "INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
        self.client.execute(insert, &[&what, &value])?;
        match self.meta(what)?.as_deref() {
            Some(known) if known == value => Ok(()),
            _ => Err(StoreError::Other { path: self.name.clone().into(), what }),
        }
    }

    fn meta(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        let row = self.client.query_opt("SELECT value FROM meta WHERE key = $1", &[&key])?;
        Ok(row.map(|row| row.get(0)))
    }

    /// Processes that work on it at the moment.
    pub fn n_workers(&mut self) -> Result<u64, StoreError> {
        let query = format!("SELECT count(DISTINCT owner) FROM hosts WHERE lease > {NOW}");
        self.number(&query)
    }

    /// How far the crawl is.
    pub fn counts(&mut self) -> Result<Counts, StoreError> {
        let since = SystemTime::now() - Duration::from_secs(60);
        let since = since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        Ok(Counts {
            pages: self.number("SELECT count(*) FROM pages")?,
            bytes: self.number("SELECT coalesce(sum(n_bytes), 0)::bigint FROM pages")?,
            alike: self.number("SELECT count(*) FROM pages WHERE \"like\" IS NOT NULL")?,
            waiting: self.number("SELECT count(*) FROM addresses WHERE state = 0")?,
            failed: self.tally("SELECT reason, count(*) FROM addresses WHERE state = 2 GROUP BY 1 ORDER BY 2 DESC, 1")?,
            refused: self.tally("SELECT reason, count(*) FROM addresses WHERE state = 3 GROUP BY 1 ORDER BY 2 DESC, 1")?,
            kinds: self.tally("SELECT kind, count(*) FROM pages WHERE kind IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1")?,
            hosts: self.tally(
                "SELECT host, count(*) FROM addresses a JOIN pages p ON p.bucket = a.bucket AND p.address = a.id
                 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
            )?,
            fetches: self.number("SELECT count(*) FROM fetches")?,
            recent: self.number(&format!(
                "SELECT count(*) FROM fetches WHERE at > {since} AND address IS NOT NULL AND reason IS NULL"
            ))?,
            hosts_waiting: self.number("SELECT count(DISTINCT host) FROM addresses WHERE state = 0")?,
        })
    }

    pub(crate) fn number(&mut self, query: &str) -> Result<u64, StoreError> {
        Ok(self.client.query_one(query, &[])?.get::<_, i64>(0).unsigned_abs())
    }

    fn tally(&mut self, query: &str) -> Result<Vec<(String, u64)>, StoreError> {
        let rows = self.client.query(query, &[])?;
        let entry = |row: &Row| {
            let name: Option<String> = row.get(0);
            (name.unwrap_or_default(), row.get::<_, i64>(1).unsigned_abs())
        };
        Ok(rows.iter().map(entry).collect())
    }

    /// The next page after a number, in the order in which addresses were met.
    pub fn page_after(&mut self, id: i64) -> Result<Option<PageRow>, StoreError> {
        let query = format!(
            "SELECT address, p.url, at, status, headers, p.kind, \"like\", body, n_bytes, state = 2 AND coalesce(reason, '') IN ({VANISHED})
             FROM pages p JOIN addresses a ON a.bucket = p.bucket AND a.id = p.address
             WHERE address > $1 ORDER BY address LIMIT 1"
        );
        let Some(row) = self.client.query_opt(&query, &[&id])? else { return Ok(None) };
        let packed: Vec<u8> = row.get(7);
        let page = PageRow {
            id: row.get(0),
            url: row.get(1),
            at: row.get(2),
            status: u16::try_from(row.get::<_, i32>(3)).unwrap_or(0),
            headers: row.get(4),
            kind: row.get(5),
            like: row.get(6),
            is_gone: row.get(9),
            body: read::unpacked(&packed, row.get(8))?,
        };
        Ok(Some(page))
    }

    /// The page that first led to an address, redirects not counted.
    pub fn led_by(&mut self, id: i64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT found_on, EXISTS (SELECT 1 FROM pages WHERE address = found_on) FROM addresses WHERE id = $1";
        let mut at = id;
        for _ in 0..=MAX_REDIRECTS {
            let Some(row) = self.client.query_opt(query, &[&at])? else { return Ok(None) };
            match (row.get::<_, Option<i64>>(0), row.get::<_, bool>(1)) {
                (Some(from), true) => return Ok(Some(from)),
                (Some(from), false) => at = from,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    pub(crate) fn robots(&mut self, origin: &str) -> Result<Option<Robots>, StoreError> {
        let bucket = Url::parse(origin).map_or(0, |url| bucket(url.host_str().unwrap_or("")));
        let query = "SELECT at, status, robots FROM origins WHERE bucket = $1 AND origin = $2";
        let row = self.client.query_opt(query, &[&bucket, &origin])?;
        Ok(row.map(|row| Robots {
            at: row.get(0),
            status: row.get::<_, Option<i32>>(1).and_then(|status| u16::try_from(status).ok()),
            text: row.get(2),
        }))
    }
}

/// The bucket of a host, the same for all spellings of one address's host.
fn bucket(host: &str) -> i16 {
    let hash = bare_name(host)
        .bytes()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    i16::try_from((hash ^ hash >> 16) % N_BUCKETS).unwrap_or(0)
}

fn without_password(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else { return "postgres".to_owned() };
    // It fails only for addresses that have no place for one.
    let _ = url.set_password(None);
    url.set_query(None);
    url.to_string()
}

/// An address as it waits: `id, url, host, priority, depth, hops, kind, attempts, headers, texts`.
fn job(row: &Row) -> Option<Job> {
    let headers: Option<String> = row.get(8);
    let texts: Option<Vec<u8>> = row.get(9);
    let number = |at: usize| u32::try_from(row.get::<_, i32>(at)).unwrap_or(0);
    Some(Job {
        id: row.get(0),
        url: Url::parse(row.get(1)).ok()?,
        host: row.get(2),
        priority: row.get(3),
        depth: number(4),
        hops: number(5),
        kind: row.get(6),
        attempts: number(7),
        known: headers.map(|headers| Known::of(&headers, texts.as_deref())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_those_of_bare_hosts() {
        assert_eq!(bucket("www.shop.example"), bucket("shop.example"));
        let mut met: Vec<i16> = (0..2000).map(|nth| bucket(&format!("h{nth}.example"))).collect();
        met.sort_unstable();
        met.dedup();
        assert!(met.len() > 250 && met[0] >= 0 && met[met.len() - 1] < 256);
    }

    #[test]
    fn passwords_are_not_told() {
        let name = without_password("postgres://ann:secret@db.example:5432/crawl?sslmode=disable");
        assert_eq!(name, "postgres://ann@db.example:5432/crawl");
    }
}
