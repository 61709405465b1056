//! How far a crawl is: what `pagemill status` tells.

use crate::error::Refusal;
use crate::state::Studio;
use crate::wire::CrawlView;
use pagemill::crawl::{SharedStore, Store, StoreError};
use std::path::Path;

impl Studio {
    /// Read anew each time: the crawl may be running.
    pub(crate) fn crawl(&self) -> Result<CrawlView, Refusal> {
        let store = self.config.store.as_deref();
        let store = store.ok_or_else(|| {
            Refusal::missing("no store is open: start it with pagemill studio site.db")
        })?;
        look(store).map_err(|error| Refusal::failed(error.to_string()))
    }
}

/// Who writes is asked first: what was counted after a crawl's end is all of it.
fn look(name: &str) -> Result<CrawlView, StoreError> {
    let (counts, writer) = match SharedStore::is_named(name) {
        true => {
            let mut store = SharedStore::read(name)?;
            let is_running = store.n_workers()? > 0;
            (store.counts()?, is_running.then_some(None))
        }
        false => {
            let store = Store::read(Path::new(name))?;
            let writer = store.writer();
            (store.counts()?, writer)
        }
    };
    Ok(CrawlView {
        store: if SharedStore::is_named(name) { "PostgreSQL".into() } else { name.to_owned() },
        is_running: writer.is_some(),
        process: writer.flatten(),
        pages: counts.pages,
        pages_per_second: (counts.recent as f64 / 6.0).round() / 10.0,
        bytes: counts.bytes,
        alike: counts.alike,
        waiting: counts.waiting,
        hosts_waiting: counts.hosts_waiting,
        fetches: counts.fetches,
        kinds: counts.kinds,
        failed: counts.failed,
        refused: counts.refused,
        hosts: counts.hosts,
    })
}
