//! Looking into a store.

use super::{Store, StoreError};
use crate::fetch::MAX_REDIRECTS;
use crate::focus::Seen;
use crate::simhash::{Text, Usual};
use flate2::read::ZlibDecoder;
use rusqlite::{OptionalExtension, Row, params};
use std::collections::HashMap;
use std::io::Read;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A page of a store.
#[derive(Debug, Clone)]
pub struct PageRow {
    /// The number of its address.
    pub id: i64,
    /// The address that answered.
    pub url: String,
    /// When it was asked for, in milliseconds since 1970.
    pub at: i64,
    /// The status of the answer.
    pub status: u16,
    /// Headers as they came, a line each.
    pub headers: String,
    /// What the plan found it to be.
    pub kind: Option<String>,
    /// An earlier page that is nearly the same.
    pub like: Option<i64>,
    /// Whether its address was asked for again since, and has no page any more.
    pub is_gone: bool,
    /// Its bytes, unpacked.
    pub body: Vec<u8>,
}

impl PageRow {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<String> {
        header(&self.headers, name)
    }
}

/// What is said of addresses that have no page, as SQL lists it; others may have one again when they are asked next.
pub(super) const VANISHED: &str =
    "'status 404', 'status 410', 'no such file', 'not in the archive'";

/// A robots.txt that was asked for.
pub(crate) struct Robots {
    /// In milliseconds since 1970.
    pub(crate) at: i64,
    /// None if there was no answer.
    pub(crate) status: Option<u16>,
    pub(crate) text: Vec<u8>,
}

/// How far a crawl is.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Pages that are there.
    pub pages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Pages that are nearly the same as another.
    pub alike: u64,
    /// Addresses that wait.
    pub waiting: u64,
    /// Addresses of which no page was to be had, by reason.
    pub failed: Vec<(String, u64)>,
    /// Addresses that were not asked for, by reason.
    pub refused: Vec<(String, u64)>,
    /// Pages by what the plan found them to be.
    pub kinds: Vec<(String, u64)>,
    /// Hosts by pages, most first.
    pub hosts: Vec<(String, u64)>,
    /// How often something was asked for.
    pub fetches: u64,
    /// Pages of the last minute.
    pub recent: u64,
    /// Hosts that addresses wait for.
    pub hosts_waiting: u64,
}

impl Store {
    /// How far the crawl is.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let one = |query: &str| -> Result<u64, StoreError> {
            Ok(self.db.query_row(query, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
        };
        Ok(Counts {
            pages: one("SELECT count(*) FROM pages")?,
            bytes: one("SELECT coalesce(sum(n_bytes), 0) FROM pages")?,
            alike: one("SELECT count(*) FROM pages WHERE like IS NOT NULL")?,
            waiting: one("SELECT count(*) FROM addresses WHERE state = 0")?,
            failed: self.tally("SELECT reason, count(*) FROM addresses WHERE state = 2 GROUP BY 1 ORDER BY 2 DESC, 1")?,
            refused: self.tally("SELECT reason, count(*) FROM addresses WHERE state = 3 GROUP BY 1 ORDER BY 2 DESC, 1")?,
            kinds: self.tally("SELECT kind, count(*) FROM pages WHERE kind IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1")?,
            hosts: self.tally("SELECT host, count(*) FROM addresses JOIN pages ON id = address GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20")?,
            fetches: one("SELECT count(*) FROM fetches")?,
            recent: self.recent()?,
            hosts_waiting: one("SELECT count(DISTINCT host) FROM addresses WHERE state = 0")?,
        })
    }

    /// The last questions are looked at, so that this takes no longer for a store of millions.
    fn recent(&self) -> Result<u64, StoreError> {
        let since = SystemTime::now() - Duration::from_secs(60);
        let since = since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let query = "SELECT count(*) FROM (SELECT * FROM fetches ORDER BY id DESC LIMIT 100000)
                     WHERE at > ?1 AND address IS NOT NULL AND reason IS NULL";
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        Ok(self.db.query_row(query, [since], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    fn tally(&self, query: &str) -> Result<Vec<(String, u64)>, StoreError> {
        let mut statement = self.db.prepare(query)?;
        let row = |row: &Row<'_>| {
            let name: Option<String> = row.get(0)?;
            Ok((name.unwrap_or_default(), row.get::<_, i64>(1)?.unsigned_abs()))
        };
        Ok(statement.query_map([], row)?.collect::<Result<_, _>>()?)
    }

    /// How many pages were asked for, each time counted.
    pub fn n_asked(&self) -> Result<u64, StoreError> {
        let query = "SELECT count(*) FROM fetches WHERE address IS NOT NULL";
        Ok(self.db.query_row(query, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    /// How many addresses wait.
    pub(crate) fn n_waiting(&self) -> Result<u64, StoreError> {
        let query = "SELECT count(*) FROM addresses WHERE state = 0";
        Ok(self.db.query_row(query, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
    }

    /// The next page after a number, in the order in which addresses were met.
    pub fn page_after(&self, id: i64) -> Result<Option<PageRow>, StoreError> {
        let query = format!(
            "SELECT address, p.url, at, status, headers, p.kind, like, body, n_bytes, state = 2 AND coalesce(reason, '') IN ({VANISHED})
             FROM pages p JOIN addresses ON id = address WHERE address > ?1 ORDER BY address LIMIT 1"
        );
        let mut statement = self.db.prepare_cached(&query)?;
        let found = statement
            .query_row([id], |row| {
                let packed: Vec<u8> = row.get(7)?;
                let page = PageRow {
                    id: row.get(0)?,
                    url: row.get(1)?,
                    at: row.get(2)?,
                    status: row.get(3)?,
                    headers: row.get(4)?,
                    kind: row.get(5)?,
                    like: row.get(6)?,
                    is_gone: row.get(9)?,
                    body: Vec::new(),
                };
                Ok((page, packed, row.get(8)?))
            })
            .optional()?;
        let Some((mut page, packed, n_bytes)) = found else { return Ok(None) };
        page.body = unpacked(&packed, n_bytes)?;
        Ok(Some(page))
    }

    /// The page that first led to an address, redirects not counted.
    pub fn led_by(&self, id: i64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT found_on, EXISTS (SELECT 1 FROM pages WHERE address = found_on) FROM addresses WHERE id = ?1";
        let mut statement = self.db.prepare_cached(query)?;
        let mut at = id;
        for _ in 0..=MAX_REDIRECTS {
            let row = |row: &Row<'_>| Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, bool>(1)?));
            match statement.query_row([at], row).optional()? {
                Some((Some(from), true)) => return Ok(Some(from)),
                Some((Some(from), false)) => at = from,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The addresses of pages that were asked for, in order, and whether there was an answer.
    pub fn fetched(&self) -> Result<Vec<(String, bool)>, StoreError> {
        let query =
            "SELECT url, status IS NOT NULL FROM fetches WHERE address IS NOT NULL ORDER BY id";
        let mut statement = self.db.prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The addresses of which no page was to be had, and why.
    pub fn failures(&self) -> Result<Vec<(String, String)>, StoreError> {
        let query = "SELECT url, reason FROM addresses WHERE state = 2 ORDER BY id";
        let mut statement = self.db.prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Hashes of the pages that are no near copies of others.
    pub(crate) fn hashes(&self) -> Result<Vec<(i64, u64)>, StoreError> {
        let query = "SELECT address, hash FROM pages WHERE like IS NULL AND hash IS NOT NULL ORDER BY address";
        let mut statement = self.db.prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
        let rows: Vec<(i64, i64)> = rows.collect::<Result<_, _>>()?;
        Ok(rows.into_iter().map(|(id, hash)| (id, hash.cast_unsigned())).collect())
    }

    /// What patterns of addresses gave: fetched, and new.
    pub(crate) fn patterns(&self) -> Result<Vec<(String, u32, u32)>, StoreError> {
        let mut statement = self.db.prepare("SELECT pattern, n_fetched, n_new FROM patterns")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// By host: what its pages usually say.
    pub(crate) fn usual(&self) -> Result<HashMap<String, Usual>, StoreError> {
        let query = "SELECT host, keys FROM texts JOIN addresses ON id = page ORDER BY page";
        let mut statement = self.db.prepare(query)?;
        let mut rows = statement.query([])?;
        let mut usual: HashMap<String, Usual> = HashMap::new();
        while let Some(row) = rows.next()? {
            let (host, keys): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
            usual.entry(host).or_default().learn_all(texts(&keys));
        }
        Ok(usual)
    }

    /// The words of all pages, as far as they were counted.
    pub(crate) fn seen(&self) -> Result<Seen, StoreError> {
        let mut statement = self.db.prepare("SELECT word, n_pages FROM words")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut n_with: HashMap<String, u32, _> = rows.collect::<Result<_, _>>()?;
        Ok(Seen { n_pages: n_with.remove("").unwrap_or(0), n_with })
    }

    /// What an origin said in its robots.txt.
    pub(crate) fn robots(&self, origin: &str) -> Result<Option<Robots>, StoreError> {
        let query = "SELECT at, status, robots FROM origins WHERE origin = ?1";
        let mut statement = self.db.prepare_cached(query)?;
        let row =
            |row: &Row<'_>| Ok(Robots { at: row.get(0)?, status: row.get(1)?, text: row.get(2)? });
        Ok(statement.query_row(params![origin], row).optional()?)
    }
}

/// A body of so many bytes as it is stored.
pub(super) fn unpacked(packed: &[u8], n_bytes: i64) -> Result<Vec<u8>, StoreError> {
    let mut body = Vec::new();
    let limit = n_bytes.unsigned_abs() + 1;
    let unpacked = ZlibDecoder::new(packed).take(limit).read_to_end(&mut body);
    unpacked.map_err(|error| StoreError::Damaged(format!("a page: {error}")))?;
    Ok(body)
}

/// Texts as they are stored.
pub(super) fn texts(keys: &[u8]) -> impl Iterator<Item = Text> {
    keys.as_chunks::<4>().0.iter().map(|bytes| Text::from_le_bytes(*bytes))
}

/// The value of a header in lines of them.
pub(crate) fn header(lines: &str, name: &str) -> Option<String> {
    let mut fields = lines.lines().filter_map(|line| line.split_once(':'));
    let found = fields.find(|(key, _)| key.trim().eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim().to_owned())
}
