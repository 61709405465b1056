//! What is open.

use crate::beside::Beside;
use crate::label::Desk;
use crate::pages::Pages;
use crate::table::Tables;
use pagemill::{InputError, InputPage, Wrapper};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Reads all pages once more, in their order.
pub type Reread =
    Box<dyn Fn() -> Box<dyn Iterator<Item = Result<InputPage, InputError>> + Send> + Send + Sync>;

/// What to open.
#[derive(Default)]
pub struct Config {
    /// Pages to look at; of very many a sample.
    pub pages: Vec<InputPage>,
    /// How many pages there are.
    pub n_pages: usize,
    /// Where all of them come from, if `pages` is a sample.
    pub reread: Option<Reread>,
    /// What could not be read, in words.
    pub unreadable: Vec<String>,
    /// Folders whose style sheets and pictures pages may use.
    pub roots: Vec<PathBuf>,
    /// What pages were read from, as it was named.
    pub inputs: Vec<OsString>,
    /// Web archives that pages come from.
    pub archives: Vec<OsString>,
    /// A wrapper to begin with, and its file.
    pub wrapper: Option<(PathBuf, Wrapper)>,
    /// The store of a crawl, or a network.
    pub store: Option<String>,
    /// Target schemas: names and DTDs.
    pub schemas: Vec<(String, String)>,
    /// Where files are written.
    pub folder: PathBuf,
}

/// All that is open, and what was done with it so far.
pub struct Studio {
    pub(crate) config: Config,
    pub(crate) pages: Pages,
    pub(crate) beside: Beside,
    pub(crate) tables: Mutex<Tables>,
    desk: Mutex<Desk>,
    /// Told when there is something to learn.
    pub(crate) labelled: Condvar,
}

impl Studio {
    /// Open it. From now on, labels are learnt from in the background.
    pub fn open(mut config: Config) -> Arc<Studio> {
        let pages = Pages::new(std::mem::take(&mut config.pages));
        let beside = Beside::new(&config.roots, std::mem::take(&mut config.archives));
        let studio = Arc::new(Studio {
            desk: Mutex::new(Desk::new(pages.len())),
            tables: Mutex::new(Tables::new(config.wrapper.take(), pages.len())),
            labelled: Condvar::new(),
            pages,
            beside,
            config,
        });
        let apprentice = studio.clone();
        std::thread::spawn(move || {
            // Which pages are of one make is asked for with the first label; of many pages that takes a while.
            apprentice.pages.groups();
            crate::label::learn_forever(&apprentice);
        });
        studio
    }

    /// What a bug left half done is still the best there is.
    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
