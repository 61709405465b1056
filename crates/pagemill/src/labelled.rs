//! Labelled pages to train models from: files of labels, and pages that label themselves.
//!
//! In come files (`.jsonl`) whose lines say what is on which page, or pages with labelled elements; out come pages with what is known
//! of them. What cannot be used is told of and left out; what is wrong with labels ends it, because half of them would say that the rest
//! is something else.

use crate::input::{InputError, InputPage};
use annotate::{Example, LabelledPage, Labels, Spans, Target};
use page::Page;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A page with what is known of it.
pub struct Known {
    page: Page,
    /// Pages of one site teach the same.
    pub site: String,
    labels: Labels,
}

impl Known {
    /// As training takes it.
    pub fn example(&self) -> Example<'_> {
        Example { page: &self.page, site: self.site.clone(), labels: self.labels.clone() }
    }
}

/// Why labels cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MaterialError {
    /// Their file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// They say what cannot be.
    #[error("{0}")]
    Wrong(String),
}

/// What was left out, and why.
pub enum LeftOut<'e> {
    /// An input that cannot be read.
    Input(&'e InputError),
    /// A page that labels nothing, by its id.
    NoLabel(&'e str),
    /// Something else.
    Other(fmt::Arguments<'e>),
}

impl fmt::Display for LeftOut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Input(error) => error.fmt(f),
            LeftOut::NoLabel(page) => write!(f, "{page:?} has no labelled element"),
            LeftOut::Other(what) => what.fmt(f),
        }
    }
}

/// Pages and those that cannot be read, as they come.
pub type Pages = Box<dyn Iterator<Item = Result<InputPage, InputError>>>;

/// How pages are come by, and who is told of what.
pub struct Helpers<'f> {
    /// Read an input.
    pub read: &'f dyn Fn(&OsStr) -> Pages,
    /// Something was left out.
    pub tell: &'f dyn Fn(LeftOut<'_>),
    /// A page was looked at.
    pub watch: &'f dyn Fn(),
}

/// What there is to learn from.
pub struct Material<'f> {
    target: &'f Target,
    spans: Spans,
    helpers: Helpers<'f>,
    /// The pages.
    pub pages: Vec<Known>,
    /// Pages and labels that could not be used.
    pub n_failed: usize,
}

/// No file of labels has more bytes.
const MAX_BYTES: u64 = 1 << 30;

impl<'f> Material<'f> {
    /// Nothing yet.
    pub fn new(target: &'f Target, spans: Spans, helpers: Helpers<'f>) -> Material<'f> {
        Material { target, spans, helpers, pages: Vec::new(), n_failed: 0 }
    }

    /// Add a file of labels, or pages.
    pub fn add(&mut self, labelled: &OsStr) -> Result<(), MaterialError> {
        let path = Path::new(labelled);
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        match matches!(extension.to_ascii_lowercase().as_str(), "jsonl" | "ndjson") {
            true => self.add_file(path),
            false => self.add_pages(labelled),
        }
    }

    fn add_file(&mut self, path: &Path) -> Result<(), MaterialError> {
        let mut text = String::new();
        let read = File::open(path).and_then(|it| it.take(MAX_BYTES).read_to_string(&mut text));
        if let Err(error) = read {
            return Err(MaterialError::Unreadable(format!("cannot read {path:?}: {error}")));
        }
        let wrong = |error| MaterialError::Wrong(format!("{path:?}, {error}"));
        let all = LabelledPage::read(&text).map_err(wrong)?;
        let mut held = self.held(path, &all);
        for labelled in all {
            let found = held.remove(&labelled.page).or_else(|| self.find(path, &labelled));
            let Some(input) = found else { continue };
            let page = input.parse();
            let (labels, problems) = labelled.labels(self.target, &page).map_err(wrong)?;
            for problem in problems {
                self.leave_out(format_args!("{path:?}, {problem}"));
            }
            self.push(page, site_of(path, &labelled), labels);
        }
        Ok(())
    }

    /// The pages that a file of labels says are in archives, stores or folders. Each of these is read once.
    fn held(&mut self, file: &Path, all: &[LabelledPage]) -> HashMap<String, InputPage> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut wanted: BTreeMap<PathBuf, BTreeSet<&str>> = BTreeMap::new();
        for labelled in all {
            for within in &labelled.within {
                wanted.entry(folder.join(within)).or_default().insert(&labelled.page);
            }
        }
        let mut held = HashMap::new();
        for (place, mut wanted) in wanted {
            wanted.retain(|page| !held.contains_key(*page));
            for page in (self.helpers.read)(place.as_os_str()) {
                if wanted.is_empty() {
                    break;
                }
                let Some(page) = self.readable(page) else { continue };
                if wanted.remove(page.id.as_str()) {
                    held.insert(page.id.clone(), page);
                }
            }
        }
        held
    }

    /// A page that a file of labels names: from the file's folder, or in `pages` beside it.
    fn find(&mut self, file: &Path, labelled: &LabelledPage) -> Option<InputPage> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let places: [PathBuf; 2] =
            [folder.join(&labelled.page), folder.join("pages").join(&labelled.page)];
        let Some(place) = places.into_iter().find(|place| place.is_file()) else {
            self.leave_out(format_args!(
                "{file:?}, line {}: no page {:?} in its folder, nor in {:?}; it is left out",
                labelled.line,
                labelled.page,
                folder.join("pages")
            ));
            return None;
        };
        let mut pages = (self.helpers.read)(place.as_os_str());
        pages.find_map(|page| self.readable(page))
    }

    fn add_pages(&mut self, labelled: &OsStr) -> Result<(), MaterialError> {
        for input in (self.helpers.read)(labelled) {
            let Some(input) = self.readable(input) else { continue };
            let page = input.parse();
            let labels = self
                .spans
                .labels(self.target, &page)
                .map_err(|error| MaterialError::Wrong(format!("{:?}: {error}", input.id)))?;
            if labels.is_empty() {
                self.n_failed += 1;
                (self.helpers.tell)(LeftOut::NoLabel(&input.id));
                continue;
            }
            self.push(self.spans.cleaned(&page), site(&input), labels);
        }
        Ok(())
    }

    fn push(&mut self, page: Page, site: String, labels: Labels) {
        (self.helpers.watch)();
        if !labels.is_empty() {
            self.pages.push(Known { page, site, labels });
        }
    }

    fn readable(&mut self, page: Result<InputPage, InputError>) -> Option<InputPage> {
        match page {
            Ok(page) => Some(page),
            Err(error) => {
                self.n_failed += 1;
                (self.helpers.tell)(LeftOut::Input(&error));
                None
            }
        }
    }

    fn leave_out(&mut self, what: fmt::Arguments<'_>) {
        self.n_failed += 1;
        (self.helpers.tell)(LeftOut::Other(what));
    }
}

/// The site of a page that a file of labels names: as it tells, else the page's folder.
fn site_of(file: &Path, labelled: &LabelledPage) -> String {
    let folder = || {
        let page = file.with_file_name(&labelled.page);
        page.parent().unwrap_or(Path::new("")).to_string_lossy().into_owned()
    };
    labelled.site().unwrap_or_else(folder)
}

/// The host that a page is from; of a file its folder.
fn site(input: &InputPage) -> String {
    let host = input.url.as_deref().and_then(|url| url.split_once("://")?.1.split('/').next());
    let folder = || Path::new(&input.id).parent().unwrap_or(Path::new("")).to_string_lossy();
    host.map_or_else(|| folder().into_owned(), str::to_owned)
}
