//! What is put into a shared crawl: addresses that were discovered, and what is known of them.

use super::{SharedStore, bucket};
use crate::address;
use crate::store::frontier::host_of;
use crate::store::{Candidate, Changes, Found, Outcome, StoreError, Stored, Visit};
use postgres::Transaction;
use postgres::error::SqlState;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Transactions that got into each other's way are tried again, so often.
const MAX_TRIES: usize = 10;

/// Where an address is kept.
type Place = (i16, String);

impl SharedStore {
    /// Put addresses that were discovered.
    pub(crate) fn put_discovered(&mut self, all: &[Candidate]) -> Result<Changes, StoreError> {
        self.in_transaction(|work, _| {
            let mut changes = Changes::default();
            discover(work, all.iter(), &mut changes)?;
            Ok(changes)
        })
    }

    /// Put what is known of addresses: all of it or nothing. What came from hosts that belong to others by now is left to them.
    pub(crate) fn put_known(&mut self, visits: &[Visit]) -> Result<Changes, StoreError> {
        self.in_transaction(|work, owner| {
            let mut changes = Changes::default();
            let owned = owned(work, visits, owner)?;
            let visits: Vec<&Visit> =
                visits.iter().filter(|visit| owned.contains(&visit.job.host)).collect();
            let led_to = visits.iter().flat_map(|visit| candidates(&visit.outcome));
            let ids = discover(work, led_to, &mut changes)?;
            for visit in visits {
                put_one(work, visit, owner, &ids, &mut changes)?;
            }
            Ok(changes)
        })
    }

    pub(crate) fn put_robots(
        &mut self,
        origin: &str,
        (at, ms): (i64, u32),
        status: Option<u16>,
        robots: &[u8],
        maps: &[Candidate],
    ) -> Result<Changes, StoreError> {
        let host = url::Url::parse(origin).map_or(String::new(), |url| host_of(&url));
        let (bucket, status) = (bucket(&host), status.map(i32::from));
        let (url, ms, n_bytes) =
            (format!("{origin}/robots.txt"), i64::from(ms), size(robots.len()));
        self.in_transaction(|work, owner| {
            work.execute(
                "INSERT INTO origins VALUES ($1, $2, $3, $4, $5) ON CONFLICT (bucket, origin)
                 DO UPDATE SET at = excluded.at, status = excluded.status, robots = excluded.robots",
                &[&bucket, &origin, &at, &status, &robots],
            )?;
            work.execute(FETCH, &[&bucket, &None::<i64>, &url, &at, &ms, &status, &n_bytes, &None::<&str>, &owner])?;
            let mut changes = Changes::default();
            discover(work, maps.iter(), &mut changes)?;
            Ok(changes)
        })
    }

    /// Have addresses wait again whose servers did not say whether they may be asked for.
    pub(crate) fn wait_again(&mut self, reason: &str) -> Result<(), StoreError> {
        let again = "UPDATE addresses SET state = 0, reason = NULL WHERE state = 3 AND reason = $1";
        self.client.execute(again, &[&reason])?;
        Ok(())
    }

    /// Have all pages asked for again.
    pub(crate) fn renew_all(&mut self) -> Result<(), StoreError> {
        let renew = "UPDATE addresses SET state = 0, reason = NULL, attempts = 0, not_before = 0 WHERE state IN (1, 2)";
        self.client.execute(renew, &[])?;
        Ok(())
    }

    fn in_transaction<T>(
        &mut self,
        work: impl Fn(&mut Transaction<'_>, &str) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        let mut n_tries = 0;
        loop {
            let mut transaction = self.client.transaction()?;
            let done = work(&mut transaction, &self.owner);
            let done = done.and_then(|done| transaction.commit().map(|()| done));
            n_tries += 1;
            match done {
                Err(error) if n_tries < MAX_TRIES && is_passing(&error) => {}
                done => return Ok(done?),
            }
        }
    }
}

fn is_passing(error: &postgres::Error) -> bool {
    let passing = [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
    error.code().is_some_and(|code| passing.contains(code))
}

const FETCH: &str =
    "INSERT INTO fetches (bucket, address, url, at, ms, status, n_bytes, reason, owner)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Of the hosts of these visits those that belong to this process, held until the transaction ends.
fn owned(
    work: &mut Transaction<'_>,
    visits: &[Visit],
    owner: &str,
) -> Result<HashSet<String>, postgres::Error> {
    let mut hosts: Vec<(i16, &str)> =
        visits.iter().map(|visit| (bucket(&visit.job.host), visit.job.host.as_str())).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let (buckets, names): (Vec<i16>, Vec<&str>) = hosts.into_iter().unzip();
    let rows = work.query(
        "SELECT hosts.host FROM hosts JOIN unnest($1::smallint[], $2::text[]) AS mine (bucket, host)
         ON hosts.bucket = mine.bucket AND hosts.host = mine.host
         WHERE owner = $3 ORDER BY hosts.bucket, hosts.host FOR SHARE OF hosts",
        &[&buckets, &names, &owner],
    )?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Where an outcome leads.
fn candidates(outcome: &Outcome) -> Vec<&Candidate> {
    match outcome {
        Outcome::Page(page) => page.links.iter().map(|found| &found.to).collect(),
        Outcome::Moved(found) => vec![&found.to],
        Outcome::Listed(all) => all.iter().collect(),
        _ => Vec::new(),
    }
}

fn place(candidate: &Candidate) -> Place {
    (bucket(&host_of(&candidate.url)), address::key(&candidate.url))
}

/// Add addresses, or raise those that wait. Gives the numbers of all. They are added in one order by all processes, so that none
/// waits for another in a circle.
fn discover<'c>(
    work: &mut Transaction<'_>,
    all: impl Iterator<Item = &'c Candidate>,
    changes: &mut Changes,
) -> Result<HashMap<Place, i64>, postgres::Error> {
    let mut best: BTreeMap<Place, &Candidate> = BTreeMap::new();
    for candidate in all {
        let known = best.entry(place(candidate)).or_insert(candidate);
        if known.priority < candidate.priority && candidate.refused.is_none() {
            *known = candidate;
        }
    }
    if best.is_empty() {
        return Ok(HashMap::new());
    }
    let buckets: Vec<i16> = best.keys().map(|(bucket, _)| *bucket).collect();
    let keys: Vec<&str> = best.keys().map(|(_, key)| key.as_str()).collect();
    add_hosts(work, best.values().filter(|it| it.refused.is_none()).map(|it| host_of(&it.url)))?;
    add(work, &best, (&buckets, &keys), changes)?;
    let rows = work.query(
        "SELECT a.bucket, a.key, a.id FROM addresses a JOIN unnest($1::smallint[], $2::text[]) AS met (bucket, key)
         ON a.bucket = met.bucket AND a.key = met.key",
        &[&buckets, &keys],
    )?;
    Ok(rows.iter().map(|row| ((row.get(0), row.get(1)), row.get(2))).collect())
}

fn add_hosts(
    work: &mut Transaction<'_>,
    hosts: impl Iterator<Item = String>,
) -> Result<(), postgres::Error> {
    let mut hosts: Vec<(i16, String)> = hosts.map(|host| (bucket(&host), host)).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let (buckets, names): (Vec<i16>, Vec<String>) = hosts.into_iter().unzip();
    work.execute(
        "INSERT INTO hosts (bucket, host) SELECT * FROM unnest($1::smallint[], $2::text[]) ON CONFLICT DO NOTHING",
        &[&buckets, &names],
    )?;
    Ok(())
}

fn add(
    work: &mut Transaction<'_>,
    best: &BTreeMap<Place, &Candidate>,
    (buckets, keys): (&[i16], &[&str]),
    changes: &mut Changes,
) -> Result<(), postgres::Error> {
    let all = || best.values();
    let urls: Vec<&str> = all().map(|it| it.url.as_str()).collect();
    let hosts: Vec<String> = all().map(|it| host_of(&it.url)).collect();
    let states: Vec<i16> = all().map(|it| if it.refused.is_some() { 3 } else { 0 }).collect();
    let reasons: Vec<Option<&str>> = all().map(|it| it.refused.as_deref()).collect();
    let priorities: Vec<f64> = all().map(|it| it.priority).collect();
    let depths: Vec<i32> = all().map(|it| count(it.depth)).collect();
    let hops: Vec<i32> = all().map(|it| count(it.hops)).collect();
    let kinds: Vec<Option<&str>> = all().map(|it| it.kind.as_deref()).collect();
    let found_on: Vec<Option<i64>> = all().map(|it| it.found_on).collect();
    let rows = work.query(
        "INSERT INTO addresses (bucket, key, url, host, state, reason, priority, depth, hops, kind, found_on)
         SELECT * FROM unnest($1::smallint[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::text[],
             $7::double precision[], $8::integer[], $9::integer[], $10::text[], $11::bigint[])
         ON CONFLICT (bucket, key) DO UPDATE SET priority = excluded.priority, kind = excluded.kind
         WHERE addresses.state = 0 AND excluded.state = 0 AND addresses.priority < excluded.priority
         RETURNING bucket, key, id, xmax = 0",
        &[
            &buckets, &keys, &urls, &hosts, &states, &reasons, &priorities, &depths, &hops, &kinds,
            &found_on,
        ],
    )?;
    for row in rows {
        let Some(candidate) = best.get(&(row.get(0), row.get(1))) else { continue };
        match row.get(3) {
            true if candidate.refused.is_none() => changes.new.push(candidate.job(row.get(2))),
            true => {}
            false => changes.risen.push((host_of(&candidate.url), candidate.priority)),
        }
    }
    Ok(())
}

fn put_one(
    work: &mut Transaction<'_>,
    visit: &Visit,
    owner: &str,
    ids: &HashMap<Place, i64>,
    changes: &mut Changes,
) -> Result<(), postgres::Error> {
    let (id, bucket) = (visit.job.id, bucket(&visit.job.host));
    let reason = visit.outcome.reason();
    if let Some((at, ms)) = visit.asked {
        let (status, url) = (visit.status.map(i32::from), visit.job.url.as_str());
        let (ms, n_bytes) = (i64::from(ms), size(visit.n_bytes));
        work.execute(
            FETCH,
            &[&bucket, &Some(id), &url, &at, &ms, &status, &n_bytes, &reason, &owner],
        )?;
    }
    if let Outcome::Page(page) = &visit.outcome {
        put_page(work, (bucket, id), visit, page, ids)?;
        put_patterns(work, bucket, page, changes)?;
    }
    let (state, not_before) = visit.outcome.state();
    let attempts = count(visit.job.attempts + u32::from(visit.asked.is_some()));
    work.execute(
        "UPDATE addresses SET state = $3, reason = $4, attempts = $5, not_before = $6 WHERE bucket = $1 AND id = $2",
        &[&bucket, &id, &state, &reason, &attempts, &not_before],
    )?;
    Ok(())
}

fn put_page(
    work: &mut Transaction<'_>,
    (bucket, id): (i16, i64),
    visit: &Visit,
    page: &Stored,
    ids: &HashMap<Place, i64>,
) -> Result<(), postgres::Error> {
    let at = visit.asked.map_or(0, |asked| asked.0);
    let texts: Vec<u8> = page.texts.iter().flat_map(|it| it.to_le_bytes()).collect();
    let title = page.title.as_deref().map(clean);
    work.execute(
        "INSERT INTO pages VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (bucket, address) DO UPDATE SET url = excluded.url, at = excluded.at, status = excluded.status,
             headers = excluded.headers, n_bytes = excluded.n_bytes, hash = excluded.hash, \"like\" = excluded.\"like\",
             kind = excluded.kind, title = excluded.title, texts = excluded.texts, body = excluded.body",
        &[
            &bucket,
            &id,
            &page.url,
            &at,
            &i32::from(page.status),
            &clean(&page.headers),
            &size(page.n_bytes),
            &page.hash.map(u64::cast_signed),
            &page.like,
            &page.kind,
            &title,
            &texts,
            &page.body,
        ],
    )?;
    work.execute("DELETE FROM links WHERE bucket = $1 AND page = $2", &[&bucket, &id])?;
    work.execute("DELETE FROM findings WHERE bucket = $1 AND page = $2", &[&bucket, &id])?;
    put_links(work, (bucket, id), &page.links, ids)?;
    for (nth, (kind, data)) in (0_i32..).zip(&page.findings) {
        let insert = "INSERT INTO findings VALUES ($1, $2, $3, $4, $5)";
        work.execute(insert, &[&bucket, &id, &nth, kind, &clean(data)])?;
    }
    Ok(())
}

fn put_links(
    work: &mut Transaction<'_>,
    (bucket, id): (i16, i64),
    links: &[Found],
    ids: &HashMap<Place, i64>,
) -> Result<(), postgres::Error> {
    let targets: Vec<Option<i64>> =
        links.iter().map(|found| ids.get(&place(&found.to)).copied()).collect();
    let texts: Vec<String> = links.iter().map(|found| clean(&found.text)).collect();
    work.execute(
        "INSERT INTO links SELECT $1::smallint, $2::bigint, (nth - 1)::integer, target, text
         FROM unnest($3::bigint[], $4::text[]) WITH ORDINALITY AS met (target, text, nth) WHERE target IS NOT NULL",
        &[&bucket, &id, &targets, &texts],
    )?;
    Ok(())
}

fn put_patterns(
    work: &mut Transaction<'_>,
    bucket: i16,
    page: &Stored,
    changes: &mut Changes,
) -> Result<(), postgres::Error> {
    let is_new = page.hash.is_some() && page.like.is_none();
    let mut patterns: Vec<&String> = page.patterns.iter().collect();
    patterns.sort_unstable();
    for pattern in patterns {
        changes.yields.push((pattern.clone(), is_new));
        work.execute(
            "INSERT INTO patterns VALUES ($1, $2, 1, $3) ON CONFLICT (bucket, pattern)
             DO UPDATE SET n_fetched = patterns.n_fetched + 1, n_new = patterns.n_new + excluded.n_new",
            &[&bucket, pattern, &i64::from(is_new)],
        )?;
    }
    Ok(())
}

/// PostgreSQL keeps no text with a zero in it.
fn clean(text: &str) -> String {
    text.replace('\0', "\u{FFFD}")
}

fn count(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

fn size(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
