//! The pages of a crawl, wherever it is kept.

use super::{PageRow, SharedStore, Store, StoreError};
use std::path::Path;

/// What is read off a crawl once it has come to an end, or while it goes on.
pub trait Pages {
    /// The next page after a number, in the order in which addresses were met.
    fn page_after(&mut self, id: i64) -> Result<Option<PageRow>, StoreError>;
    /// The page that first led to an address, redirects not counted.
    fn led_by(&mut self, id: i64) -> Result<Option<i64>, StoreError>;
    /// Whether the crawl went by a plan that found pages to be of some kind.
    fn has_kinds(&mut self) -> Result<bool, StoreError>;
}

/// Open a crawl to look into: a file, or a database by its address.
pub fn pages(name: &str) -> Result<Box<dyn Pages>, StoreError> {
    Ok(match SharedStore::is_named(name) {
        true => Box::new(SharedStore::read(name)?),
        false => Box::new(Store::read(Path::new(name))?),
    })
}

impl Pages for Store {
    fn page_after(&mut self, id: i64) -> Result<Option<PageRow>, StoreError> {
        Store::page_after(self, id)
    }

    fn led_by(&mut self, id: i64) -> Result<Option<i64>, StoreError> {
        Store::led_by(self, id)
    }

    fn has_kinds(&mut self) -> Result<bool, StoreError> {
        Ok(!self.counts()?.kinds.is_empty())
    }
}

impl Pages for SharedStore {
    fn page_after(&mut self, id: i64) -> Result<Option<PageRow>, StoreError> {
        SharedStore::page_after(self, id)
    }

    fn led_by(&mut self, id: i64) -> Result<Option<i64>, StoreError> {
        SharedStore::led_by(self, id)
    }

    fn has_kinds(&mut self) -> Result<bool, StoreError> {
        let query = "SELECT count(*) FROM (SELECT 1 FROM pages WHERE kind IS NOT NULL LIMIT 1) a";
        Ok(self.number(query)? > 0)
    }
}
