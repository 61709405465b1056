//! What pages do not say any more.

use super::Facts;
use crate::error::Error;
use crate::store::Param;

/// Facts are looked at so many at a time.
const CHUNK: i64 = 10_000;

impl Facts<'_> {
    /// Mark what no page says any more, after all that pages say was written in this transaction. `pages` are those that were read,
    /// each with when it was fetched, in milliseconds since 1970. A fact is gone if all pages that ever said it are among them and
    /// none of them said it now. It keeps the time it was last seen, and is back when a page says it again. Says how many facts
    /// that are.
    ///
    /// What someone said by hand stays, and so does what is said by a page that was not read.
    pub fn mark_gone(&mut self, pages: &[(&str, i64)]) -> Result<u64, Error> {
        self.note_read(pages)?;
        let mut n_gone = 0;
        for table in ["net_attribute", "net_edge", "net_role", "net_object"] {
            n_gone += self.mark_gone_in(table)?;
        }
        Ok(n_gone)
    }

    fn note_read(&mut self, pages: &[(&str, i64)]) -> Result<(), Error> {
        self.db.batch(
            "CREATE TEMPORARY TABLE IF NOT EXISTS net_read (source bigint PRIMARY KEY, at bigint NOT NULL); DELETE FROM net_read",
        )?;
        for (page, at) in pages.iter().filter(|(page, _)| !page.is_empty()) {
            self.db.execute(
                "INSERT INTO net_read SELECT id, CAST(?2 AS bigint) FROM net_source WHERE page = ?1 ON CONFLICT (source) DO NOTHING",
                &[Param::Text(page), Param::Int(*at)],
            )?;
        }
        Ok(())
    }

    fn mark_gone_in(&mut self, table: &str) -> Result<u64, Error> {
        // A fact is gone since the last of its pages was fetched.
        let unsaid = format!(
            "SELECT f.id, r.at, (SELECT max(o.at) FROM net_evidence e JOIN net_read o ON o.source = e.source WHERE e.fact = f.id)
             FROM {table} f JOIN net_read r ON r.source = f.source
             WHERE f.id > ?1 AND f.gone = 0
             AND NOT EXISTS (SELECT 1 FROM net_evidence e WHERE e.fact = f.id AND e.source NOT IN (SELECT source FROM net_read))
             ORDER BY f.id LIMIT ?2"
        );
        let mark = format!("UPDATE {table} SET gone = ?2 WHERE id = ?1");
        let (mut last, mut n_gone) = (0, 0);
        loop {
            let rows = self.db.rows(&unsaid, &[Param::Int(last), Param::Int(CHUNK)])?;
            let Some(end) = rows.last() else { return Ok(n_gone) };
            last = end[0].int();
            for row in rows.iter().filter(|row| !self.said.contains(&row[0].int())) {
                let at = row[1].int().max(row[2].int()).max(1);
                n_gone += self.db.execute(&mark, &[Param::Int(row[0].int()), Param::Int(at)])?;
            }
        }
    }
}
