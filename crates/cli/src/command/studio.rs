//! `pagemill studio`: label, inspect and correct in the browser.

use super::inputs::{Reading, tell};
use super::{schema_file, wrapper_file};
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::crawl::SharedStore;
use pagemill::pool::Pool;
use pagemill::{InputError, Wrapper};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use studio::{Address, Config, Reread, Studio};

const EXAMPLES: &str = "\
Examples:
  pagemill studio shop/                      label pages, or look at their columns as a table
  pagemill studio shop.json new/             the columns of a wrapper, and why pages do not fit it
  pagemill studio site.db                    a crawl: its pages, its progress, its network
  pagemill studio shop/ --no-open --port 8080

It serves this machine only, and only the browser that opens the address it prints: that has a token,
which is another at each start. Files are written to the folder it is started in. Ctrl-C ends it.";

/// Open the studio in the browser: label pages, see and correct columns, ask why, walk a network
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// Pages (files, folders, patterns, addresses, web archives), a wrapper (.json), or the store of a crawl (.db)
    #[arg(value_name = "INPUT")]
    inputs: Vec<OsString>,

    /// The port to serve; if not given, one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,

    /// Take style sheets and pictures of pages from this folder; if not given, from the folders that are opened
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

/// Of more pages than this a sample is shown.
const MAX_HELD: usize = 48 << 20;

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let sorted = match flags.sort() {
        Ok(sorted) => sorted,
        Err(exit) => return Ok(exit),
    };
    let config = flags.config(sorted)?;
    let studio = Studio::open(config);
    let mut told = Ok(());
    let served = studio::serve(studio, flags.port, |address| told = flags.announce(address));
    told?;
    served.with_context(|| format!("cannot serve port {}", flags.port))?;
    Ok(Exit::Found)
}

/// What was named, by what it is.
#[derive(Default)]
struct Sorted {
    pages: Vec<OsString>,
    wrapper: Option<(PathBuf, Wrapper)>,
    store: Option<String>,
}

impl Flags {
    fn sort(&self) -> Result<Sorted, Exit> {
        let mut sorted = Sorted::default();
        for input in &self.inputs {
            let path = Path::new(input);
            let is_shared = input.to_str().is_some_and(SharedStore::is_named);
            if path.extension() == Some(OsStr::new("json")) {
                if sorted.wrapper.is_some() {
                    talk::say("one wrapper at a time: name one .json");
                    return Err(Exit::Usage);
                }
                sorted.wrapper = Some((path.to_owned(), wrapper_file::read(path)?));
            } else if is_shared || is_store(path) {
                sorted.store = Some(input.to_string_lossy().into_owned());
                if !is_shared {
                    sorted.pages.push(input.clone());
                }
            } else {
                sorted.pages.push(input.clone());
            }
        }
        Ok(sorted)
    }

    fn config(&self, sorted: Sorted) -> Result<Config> {
        let progress = Progress::pages("reading");
        let mut pool = Pool::default().with_max_bytes(MAX_HELD);
        let mut unreadable = Vec::new();
        for page in self.reading.read(&sorted.pages) {
            match page {
                Ok(page) => pool.add(page),
                // A store may hold a network and no page.
                Err(InputError::EmptyStore { .. }) => {}
                Err(error) => {
                    progress.pause(|| tell(&error));
                    unreadable.push(error.to_string());
                }
            }
            progress.advance();
        }
        drop(progress);
        let (n_pages, is_whole) = (pool.n_added(), pool.is_whole());
        let roots = self.root.iter().cloned().chain(sorted.pages.iter().map(|it| folder_of(it)));
        Ok(Config {
            n_pages,
            unreadable,
            roots: roots.collect(),
            reread: (!is_whole).then(|| self.reread(&sorted.pages)),
            pages: pool.into_pages(),
            inputs: sorted.pages.clone(),
            // What was asked of servers is not asked again for its style sheets.
            archives: sorted.pages.into_iter().filter(|it| Path::new(it).is_file()).collect(),
            wrapper: sorted.wrapper,
            store: sorted.store,
            schemas: schema_file::built_in(),
            folder: std::env::current_dir().context("cannot tell the current folder")?,
        })
    }

    fn reread(&self, pages: &[OsString]) -> Reread {
        let (reading, pages) = (self.reading.clone(), pages.to_vec());
        Box::new(move || Box::new(reading.read(&pages)))
    }

    fn announce(&self, address: &Address) -> Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", address.url).and_then(|()| out.flush()).context(CANNOT_WRITE)?;
        talk::say("the studio is open at this address; Ctrl-C ends it");
        // Who has no browser here has the address.
        if !self.no_open && open_browser(&address.url).is_err() {
            talk::say("no browser could be started: open the address in one");
        }
        Ok(())
    }
}

/// Open the address in a browser. What programs are started with is there for all users of a machine to see, and the address has the
/// token; so the browser gets a file that nobody else can read, and that sends it on.
fn open_browser(url: &str) -> io::Result<()> {
    // Folders of this kind are the user's own, and are emptied when they leave.
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let folder = folder.filter(|it| it.is_dir()).unwrap_or_else(std::env::temp_dir);
    let path = folder.join(format!("pagemill-studio-{}.html", std::process::id()));
    // One of a process that had our number before; of somebody else it cannot be removed, and then not be made.
    let _ = fs::remove_file(&path);
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let page = format!(
        "<!doctype html><meta charset=utf-8><title>Pagemill</title><meta http-equiv=refresh content=\"0;url={url}\">\
         <p><a href=\"{url}\">The studio</a>\n"
    );
    options.open(&path)?.write_all(page.as_bytes())?;
    open::that_detached(&path)
}

/// What pages of an input may use is in its folder.
fn folder_of(input: &OsStr) -> PathBuf {
    let path = Path::new(input);
    match path.is_dir() {
        true => path.to_owned(),
        false => path
            .parent()
            .filter(|it| !it.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned(),
    }
}

/// Databases are known by their first bytes.
fn is_store(path: &Path) -> bool {
    let mut start = [0; 16];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"SQLite format 3\0"
}
