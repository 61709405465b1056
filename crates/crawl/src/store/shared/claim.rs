//! Whose host it is.

use super::{NOW, SharedStore, bucket, job};
use crate::frontier::Claim;
use crate::simhash::{Text, Usual};
use crate::store::{Job, StoreError, read};
use std::time::Duration;

/// Hosts are claimed from so many buckets at a time.
const N_AT_ONCE: i16 = 64;

impl SharedStore {
    /// Claim hosts that nobody owns and that something waits for now, the best first.
    pub(crate) fn claim(&mut self, n: usize, gap: Duration) -> Result<Vec<Claim>, StoreError> {
        let mut claimed = Vec::new();
        let start = i16::try_from(self.owner.bytes().map(u32::from).sum::<u32>() % 4).unwrap_or(0);
        for part in 0..256 / N_AT_ONCE {
            let first = (start + part) % 4 * N_AT_ONCE;
            let buckets: Vec<i16> = (first..first + N_AT_ONCE).collect();
            let left = i64::try_from(n - claimed.len()).unwrap_or(0);
            claimed.extend(self.claim_of(&buckets, left, millis(gap))?);
            if claimed.len() >= n {
                break;
            }
        }
        Ok(claimed)
    }

    fn claim_of(&mut self, buckets: &[i16], n: i64, gap: i64) -> Result<Vec<Claim>, StoreError> {
        // Whoever owned it and is gone may have asked until the end of its claim.
        let query = format!(
            "WITH free AS (
                 SELECT h.bucket, h.host FROM hosts h CROSS JOIN LATERAL (
                     SELECT priority FROM addresses a
                     WHERE a.bucket = h.bucket AND a.host = h.host AND a.state = 0 AND a.not_before <= {NOW}
                     ORDER BY priority DESC LIMIT 1) best
                 WHERE h.bucket = ANY($1) AND h.lease < {NOW}
                 ORDER BY best.priority DESC LIMIT $2 FOR UPDATE OF h SKIP LOCKED)
             UPDATE hosts SET owner = $3, lease = {NOW} + $4,
                 ready_at = GREATEST(ready_at, CASE WHEN owner IS NULL THEN 0 ELSE lease + GREATEST(gap, $5) END)
             FROM free WHERE hosts.bucket = free.bucket AND hosts.host = free.host
             RETURNING hosts.host, GREATEST(hosts.ready_at - {NOW}, 0), gap"
        );
        let lease = millis(self.lease);
        let rows = self.client.query(&query, &[&buckets, &n, &self.owner, &lease, &gap])?;
        let claim = |row: &postgres::Row| Claim {
            host: row.get(0),
            wait: Duration::from_millis(row.get::<_, i64>(1).unsigned_abs()),
            gap: Duration::from_millis(row.get::<_, i64>(2).unsigned_abs()),
        };
        Ok(rows.iter().map(claim).collect())
    }

    /// Say that these hosts are still worked on, each with the gap that it wants. Gives those that are.
    pub(crate) fn renew(
        &mut self,
        hosts: &[(String, Duration)],
    ) -> Result<Vec<String>, StoreError> {
        let query = format!(
            "UPDATE hosts SET lease = {NOW} + $1, gap = mine.gap
             FROM unnest($2::smallint[], $3::text[], $4::bigint[]) AS mine (bucket, host, gap)
             WHERE hosts.bucket = mine.bucket AND hosts.host = mine.host AND owner = $5
             RETURNING hosts.host"
        );
        let buckets: Vec<i16> = hosts.iter().map(|(host, _)| bucket(host)).collect();
        let names: Vec<&str> = hosts.iter().map(|(host, _)| host.as_str()).collect();
        let gaps: Vec<i64> = hosts.iter().map(|(_, gap)| millis(*gap)).collect();
        let lease = millis(self.lease);
        let rows = self.client.query(&query, &[&lease, &buckets, &names, &gaps, &self.owner])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Let a host go: whoever claims it next has to wait so long.
    pub(crate) fn release(&mut self, host: &str, wait: Duration) -> Result<(), StoreError> {
        let query = format!(
            "UPDATE hosts SET owner = NULL, lease = 0, ready_at = GREATEST(ready_at, {NOW} + $3)
             WHERE bucket = $1 AND host = $2 AND owner = $4"
        );
        self.client.execute(&query, &[&bucket(host), &host, &millis(wait), &self.owner])?;
        Ok(())
    }

    pub(crate) fn waiting(
        &mut self,
        host: &str,
        now: i64,
        n: usize,
    ) -> Result<Vec<Job>, StoreError> {
        let query = "SELECT a.id, a.url, a.host, a.priority, a.depth, a.hops, a.kind, a.attempts, p.headers, p.texts
                     FROM addresses a LEFT JOIN pages p ON p.bucket = a.bucket AND p.address = a.id
                     WHERE a.bucket = $1 AND a.host = $2 AND a.state = 0 AND a.not_before <= $3
                     ORDER BY a.priority DESC, a.id LIMIT $4";
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        let rows = self.client.query(query, &[&bucket(host), &host, &now, &n])?;
        Ok(rows.iter().filter_map(job).collect())
    }

    pub(crate) fn next_try(&mut self, host: &str, now: i64) -> Result<Option<i64>, StoreError> {
        let query = "SELECT min(not_before) FROM addresses
                     WHERE bucket = $1 AND host = $2 AND state = 0 AND not_before > $3";
        Ok(self.client.query_one(query, &[&bucket(host), &host, &now])?.get(0))
    }

    /// When something waits next that nobody may ask for yet, if anything does: in milliseconds from now.
    pub(crate) fn next_of_all(&mut self) -> Result<Option<Duration>, StoreError> {
        let query = format!(
            "SELECT min(GREATEST(a.not_before, h.lease, h.ready_at) - {NOW})
             FROM addresses a JOIN hosts h ON h.bucket = a.bucket AND h.host = a.host WHERE a.state = 0"
        );
        let wait: Option<i64> = self.client.query_one(&query, &[])?.get(0);
        Ok(wait.map(|wait| Duration::from_millis(u64::try_from(wait).unwrap_or(0))))
    }

    /// What pages of a host usually say.
    pub(crate) fn usual_of(&mut self, host: &str) -> Result<Usual, StoreError> {
        let query = "SELECT p.texts FROM pages p JOIN addresses a ON a.bucket = p.bucket AND a.id = p.address
                     WHERE p.bucket = $1 AND a.host = $2 ORDER BY p.address";
        let mut usual = Usual::default();
        for row in self.client.query(query, &[&bucket(host), &host])? {
            let keys: Vec<u8> = row.get(0);
            let texts: Vec<Text> = read::texts(&keys).collect();
            usual.learn_all(texts.into_iter());
        }
        Ok(usual)
    }

    /// Hashes of the pages of a host that are no near copies of others.
    pub(crate) fn hashes_of(&mut self, host: &str) -> Result<Vec<(i64, u64)>, StoreError> {
        let query = "SELECT p.address, p.hash FROM pages p JOIN addresses a ON a.bucket = p.bucket AND a.id = p.address
                     WHERE p.bucket = $1 AND a.host = $2 AND p.\"like\" IS NULL AND p.hash IS NOT NULL ORDER BY p.address";
        let rows = self.client.query(query, &[&bucket(host), &host])?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1).cast_unsigned())).collect())
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
