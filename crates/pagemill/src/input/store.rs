//! The pages of a crawl's store.

use super::{InputError, InputPage};
use crawl::Store;
use crawl::media::ContentType;
use std::path::{Path, PathBuf};

/// Pages in the order in which their addresses were met. Those that are nearly the same as another are among them.
pub(super) struct StoredPages {
    path: PathBuf,
    /// None once it cannot be read any further.
    store: Result<Store, Option<InputError>>,
    /// The number of the last page.
    last: Option<i64>,
    max_bytes: u64,
}

impl StoredPages {
    pub(super) fn open(path: &Path, max_bytes: u64) -> StoredPages {
        let store = Store::read(path).map_err(|error| Some(error.into()));
        StoredPages { path: path.to_owned(), store, last: None, max_bytes }
    }

    pub(super) fn next(&mut self) -> Option<Result<InputPage, InputError>> {
        let store = match &mut self.store {
            Ok(store) => store,
            Err(error) => return error.take().map(Err),
        };
        match store.page_after(self.last.unwrap_or(i64::MIN)) {
            Ok(Some(page)) => {
                self.last = Some(page.id);
                if page.body.len() as u64 > self.max_bytes {
                    let max_bytes = self.max_bytes;
                    return Some(Err(InputError::TooLarge { page: page.url, max_bytes }));
                }
                let media = page.header("content-type").unwrap_or_default();
                let charset = ContentType::parse(&media).charset.map(str::to_owned);
                let url = Some(page.url.clone());
                Some(Ok(InputPage { id: page.url, bytes: page.body, charset, url }))
            }
            Ok(None) => {
                self.store = Err(None);
                let path = self.path.clone();
                self.last.is_none().then_some(Err(InputError::EmptyStore { path }))
            }
            Err(error) => {
                self.store = Err(None);
                Some(Err(error.into()))
            }
        }
    }
}
