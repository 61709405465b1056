//! What came with a page: style sheets and pictures, from the folders that were named or from the same web archive.
//!
//! A page may name any file of the system. It gets style sheets and pictures of the folders that the user named, and nothing else.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use pagemill::InputPage;
use pagemill::input::StyleSheets;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use url::Url;

/// Larger files are not put into a page view.
const MAX_SHEET: u64 = 4 << 20;
const MAX_PICTURE: u64 = 512 << 10;

pub(crate) struct Beside {
    /// Folders, as the system knows them.
    roots: Vec<PathBuf>,
    archives: Vec<OsString>,
    sheets: OnceLock<StyleSheets>,
}

/// Where one page is, and what it can reach.
pub(crate) struct Place<'b> {
    beside: &'b Beside,
    base: Option<Url>,
    is_file: bool,
}

impl Beside {
    pub(crate) fn new(roots: &[PathBuf], archives: Vec<OsString>) -> Beside {
        let roots = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        Beside { roots, archives, sheets: OnceLock::new() }
    }

    pub(crate) fn of(&self, input: &InputPage, base: Option<&str>) -> Place<'_> {
        let (place, is_file) = match &input.url {
            Some(url) => (Url::parse(url).ok(), false),
            None => {
                let path = Path::new(&input.id).canonicalize().ok();
                (path.and_then(|path| Url::from_file_path(path).ok()), true)
            }
        };
        // A `<base>` says where links of a fetched page start; that of a file leads away from the folder.
        let base = match (place, base) {
            (Some(place), Some(base)) if !is_file => place.join(base).ok(),
            (place, _) => place,
        };
        Place { beside: self, base, is_file }
    }
}

impl Place<'_> {
    /// The text of a style sheet that a page or sheet names, and where it is itself.
    pub(crate) fn sheet(&self, href: &str) -> Option<(String, Place<'_>)> {
        let url = self.base.as_ref()?.join(href.trim()).ok()?;
        let bytes = match self.is_file {
            true => self.file(&url, &["css"], MAX_SHEET)?.1,
            false => {
                let read = || StyleSheets::read(self.beside.archives.iter());
                self.beside.sheets.get_or_init(read).get(url.as_str())?.to_vec()
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let within = Place { beside: self.beside, base: Some(url), is_file: self.is_file };
        Some((text.trim_start_matches('\u{feff}').to_owned(), within))
    }

    /// A picture as an address that has it inside.
    pub(crate) fn picture(&self, src: &str) -> Option<String> {
        if !self.is_file {
            return None;
        }
        let url = self.base.as_ref()?.join(src.trim()).ok()?;
        let known = ["png", "jpg", "jpeg", "gif", "webp", "svg"];
        let (ending, bytes) = self.file(&url, &known, MAX_PICTURE)?;
        let media = match ending.as_str() {
            "jpg" => "jpeg",
            "svg" => "svg+xml",
            other => other,
        };
        Some(format!("data:image/{media};base64,{}", BASE64_STANDARD.encode(bytes)))
    }

    fn file(&self, url: &Url, endings: &[&str], max: u64) -> Option<(String, Vec<u8>)> {
        if url.scheme() != "file" {
            return None;
        }
        let path = url.to_file_path().ok()?.canonicalize().ok()?;
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let is_known = endings.contains(&ending.as_str());
        let is_below = self.beside.roots.iter().any(|root| path.starts_with(root));
        let is_fit = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= max);
        if !is_known || !is_below || !is_fit {
            return None;
        }
        Some((ending, std::fs::read(path).ok()?))
    }
}
