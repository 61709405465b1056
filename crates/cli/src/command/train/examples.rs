//! Labelled pages, from files of labels and from pages that label themselves.

use super::super::inputs::Reading;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::talk;
use pagemill::annotate::{Example, LabelledPage, Labels, Spans, Target};
use pagemill::{InputPage, Page};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A page with what is known of it.
pub(super) struct Known {
    page: Page,
    pub(super) site: String,
    labels: Labels,
}

impl Known {
    pub(super) fn example(&self) -> Example<'_> {
        Example { page: &self.page, site: self.site.clone(), labels: self.labels.clone() }
    }
}

/// What there is to learn from.
pub(super) struct Material<'f> {
    target: &'f Target,
    spans: Spans,
    reading: &'f Reading,
    progress: &'f Progress,
    pub(super) pages: Vec<Known>,
    /// Pages and labels that could not be used, of which the user was told.
    pub(super) n_failed: usize,
}

/// No file of labels has more bytes.
const MAX_BYTES: u64 = 1 << 30;

impl<'f> Material<'f> {
    pub(super) fn new(
        target: &'f Target,
        spans: Spans,
        reading: &'f Reading,
        progress: &'f Progress,
    ) -> Material<'f> {
        Material { target, spans, reading, progress, pages: Vec::new(), n_failed: 0 }
    }

    /// Add a file of labels, or pages. What is wrong with labels is told, and ends it.
    pub(super) fn add(&mut self, labelled: &OsString) -> Result<(), Exit> {
        let path = Path::new(labelled);
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        match matches!(extension.to_ascii_lowercase().as_str(), "jsonl" | "ndjson") {
            true => self.add_file(path),
            false => self.add_pages(labelled),
        }
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Exit> {
        let mut text = String::new();
        let read = File::open(path).and_then(|it| it.take(MAX_BYTES).read_to_string(&mut text));
        if let Err(error) = read {
            self.tell(format_args!("cannot read {path:?}: {error}"));
            return Err(Exit::SomeFailed);
        }
        let wrong = |error| {
            self.progress.pause(|| talk::say(format_args!("{path:?}, {error}")));
            Exit::Usage
        };
        for labelled in LabelledPage::read(&text).map_err(wrong)? {
            let Some(input) = self.find(path, &labelled) else { continue };
            let page = input.parse();
            let (labels, problems) = labelled.labels(self.target, &page).map_err(wrong)?;
            for problem in problems {
                self.n_failed += 1;
                self.tell(format_args!("{path:?}, {problem}"));
            }
            self.push(page, site_of(path, &labelled), labels);
        }
        Ok(())
    }

    /// A page that a file of labels names: from the file's folder, or in `pages` beside it.
    fn find(&mut self, file: &Path, labelled: &LabelledPage) -> Option<InputPage> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let places: [PathBuf; 2] =
            [folder.join(&labelled.page), folder.join("pages").join(&labelled.page)];
        let Some(place) = places.into_iter().find(|place| place.is_file()) else {
            self.n_failed += 1;
            self.tell(format_args!(
                "{file:?}, line {}: no page {:?} in its folder, nor in {:?}; it is left out",
                labelled.line,
                labelled.page,
                folder.join("pages")
            ));
            return None;
        };
        let mut reader = self.reading.pages(&[place.into_os_string()]);
        let page = reader.next();
        self.n_failed += reader.n_failed;
        page
    }

    fn add_pages(&mut self, labelled: &OsString) -> Result<(), Exit> {
        let mut reader = self.reading.pages(std::slice::from_ref(labelled));
        while let Some(input) = reader.next() {
            let page = input.parse();
            let labels = self.spans.labels(self.target, &page).map_err(|error| {
                self.tell(format_args!("{:?}: {error}", input.id));
                Exit::Usage
            })?;
            if labels.is_empty() {
                self.n_failed += 1;
                self.tell(format_args!(
                    "{:?} has no labelled element; --spans and --span-class say how to know them",
                    input.id
                ));
                continue;
            }
            self.push(self.spans.cleaned(&page), site(&input), labels);
        }
        self.n_failed += reader.n_failed;
        Ok(())
    }

    fn push(&mut self, page: Page, site: String, labels: Labels) {
        self.progress.advance();
        if !labels.is_empty() {
            self.pages.push(Known { page, site, labels });
        }
    }

    fn tell(&self, message: std::fmt::Arguments<'_>) {
        self.progress.pause(|| talk::say(message));
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
