//! What pages do not say any more.

use super::Facts;
use crate::error::Error;
use crate::store::Param;

impl Facts<'_> {
    /// Mark what was not seen since a time (in milliseconds since 1970), although all pages that said it were read again: it is
    /// gone, was last seen when it says, and comes back when a page says it again. Says how many facts that are.
    ///
    /// What someone said by hand stays.
    pub fn mark_gone(&mut self, pages: &[&str], since: i64) -> Result<u64, Error> {
        self.db.batch("CREATE TEMPORARY TABLE IF NOT EXISTS net_read (source bigint PRIMARY KEY); DELETE FROM net_read")?;
        for page in pages.iter().filter(|page| !page.is_empty()) {
            self.db.execute(
                "INSERT INTO net_read SELECT id FROM net_source WHERE page = ?1 ON CONFLICT (source) DO NOTHING",
                &[Param::Text(page)],
            )?;
        }
        let mut n_gone = 0;
        for table in ["net_attribute", "net_edge", "net_role", "net_object"] {
            let mark = format!(
                "UPDATE {table} SET gone = ?1 WHERE gone = 0 AND last_seen < ?1 AND source IN (SELECT source FROM net_read)
                 AND NOT EXISTS (SELECT 1 FROM net_evidence e WHERE e.fact = {table}.id AND e.source NOT IN (SELECT source FROM net_read))"
            );
            n_gone += self.db.execute(&mark, &[Param::Int(since)])?;
        }
        Ok(n_gone)
    }
}
