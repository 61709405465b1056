//! `pagemill store`: what can be done with a crawl's store beside crawling.

use crate::exit::Exit;
use crate::output::talk;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use pagemill::crawl::{SharedStore, Store, import};
use pagemill::input::{self, RecordedAnswer};
use pagemill::sink::WholeFile;
use pagemill::warc;
use std::path::{Path, PathBuf};

/// Export a store to a web archive, import one, or check a store
#[derive(Debug, Args)]
pub(super) struct Flags {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write all pages to a web archive
    Export {
        /// The store
        #[arg(value_name = "STORE")]
        store: PathBuf,
        /// The archive, which appears when it is whole
        #[arg(value_name = "FILE.warc.gz")]
        archive: PathBuf,
    },
    /// Take the pages of a web archive into a store; one that is not there is made
    Import {
        /// The store
        #[arg(value_name = "STORE")]
        store: PathBuf,
        /// The archive
        #[arg(value_name = "FILE.warc.gz")]
        archive: PathBuf,
    },
    /// Look whether a store is whole
    Check {
        /// The store
        #[arg(value_name = "STORE")]
        store: PathBuf,
    },
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    match &flags.action {
        Action::Export { store, archive } => export(store, archive),
        Action::Import { store, archive } => import_archive(store, archive),
        Action::Check { store } => check(store),
    }
}

fn export(store: &Path, archive: &Path) -> Result<Exit> {
    let mut file = WholeFile::create(archive).context("cannot write the archive")?;
    let n_pages = match store.to_str().filter(|name| SharedStore::is_named(name)) {
        Some(url) => {
            let mut store = SharedStore::read(url)?;
            warc::export(|last| store.page_after(last), &mut file)?
        }
        None => {
            let store = Store::read(store)?;
            warc::export(|last| store.page_after(last), &mut file)?
        }
    };
    file.finish().context("cannot write the archive")?;
    talk::say(format_args!("{n_pages} pages are in {}", archive.display()));
    Ok(Exit::of(usize::try_from(n_pages).unwrap_or(usize::MAX), 0))
}

fn import_archive(store: &Path, archive: &Path) -> Result<Exit> {
    let mut store = Store::open(store, false)?;
    let mut n_failed = 0;
    let answers = input::answers(archive)?.filter_map(|answer| match answer {
        Ok(RecordedAnswer { answer, date }) => {
            Some((answer, date.as_deref().and_then(warc::millis)))
        }
        Err(error) => {
            n_failed += 1;
            talk::say(error);
            None
        }
    });
    let n_pages = import(&mut store, answers)?;
    talk::say(format_args!("{n_pages} pages came in"));
    Ok(Exit::of(n_pages, n_failed))
}

fn check(store: &Path) -> Result<Exit> {
    let found = Store::read(store)?.check()?;
    for problem in &found {
        talk::say(problem);
    }
    if found.is_empty() {
        talk::say("the store is whole");
        return Ok(Exit::Found);
    }
    Ok(Exit::SomeFailed)
}
