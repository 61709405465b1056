//! The style sheets that stand beside a page, in a folder or in a web archive.

use pagemill::InputPage;
use pagemill::input::StyleSheets;
use pagemill::render::Fetch;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a page is, and where its style sheets may come from.
pub(super) struct Place {
    pub(super) url: Option<String>,
    sheets: Sheets,
}

enum Sheets {
    None,
    /// Files of a folder and below.
    Folder(PathBuf),
    /// What was recorded in the same archive.
    Archive(OsString),
}

impl Place {
    /// A page of an archive has an address of its own; one in a file has what is in `root`, or else beside it.
    pub(super) fn of(input: &InputPage, name: &OsStr, root: Option<&Path>) -> Place {
        if input.url.is_some() {
            return Place { url: input.url.clone(), sheets: Sheets::Archive(name.to_owned()) };
        }
        let nowhere = Place { url: None, sheets: Sheets::None };
        Place::in_folder(Path::new(name), root).unwrap_or(nowhere)
    }

    fn in_folder(path: &Path, root: Option<&Path>) -> Option<Place> {
        let path = path.canonicalize().ok()?;
        let folder = match root {
            Some(root) => root.canonicalize().ok()?,
            None => path.parent()?.to_owned(),
        };
        let within = path.strip_prefix(&folder).ok()?;
        let steps: Vec<String> = within.iter().map(|it| encoded(&it.to_string_lossy())).collect();
        let url = format!("{BESIDE}{}", steps.join("/"));
        Some(Place { url: Some(url), sheets: Sheets::Folder(folder) })
    }

    pub(super) fn fetch(&self) -> Option<Fetch> {
        match &self.sheets {
            Sheets::None => None,
            Sheets::Folder(folder) => Some(files_in(folder.clone())),
            Sheets::Archive(archive) => Some(recorded_in(archive)),
        }
    }
}

/// Stands for the folder of the page, so that no path of the system is part of an address.
const BESIDE: &str = "http://page.invalid/";

/// Files of a folder and below. A page may name any file of the system, and gets none from elsewhere.
fn files_in(folder: PathBuf) -> Fetch {
    /// No style sheet is larger.
    const MAX_BYTES: u64 = 8 << 20;
    Arc::new(move |url| {
        let path = url.strip_prefix(BESIDE)?.split(['?', '#']).next()?;
        let path = folder.join(decoded(path)?).canonicalize().ok()?;
        let is_fit = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES);
        if !path.starts_with(&folder) || !is_fit {
            return None;
        }
        std::fs::read(path).ok()
    })
}

/// Records of an archive. It is read now: a page has only so long to be laid out.
fn recorded_in(archive: &OsStr) -> Fetch {
    let sheets = StyleSheets::read([archive]);
    Arc::new(move |url| sheets.get(url).map(<[u8]>::to_vec))
}

/// A name as part of an address, where these would mean something else.
fn encoded(name: &str) -> String {
    name.replace('%', "%25").replace('?', "%3F").replace('#', "%23")
}

/// A path without `%20` and its like.
fn decoded(path: &str) -> Option<String> {
    let mut parts = path.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn paths_are_read_as_addresses_write_them() {
        assert_eq!(decoded("a%20b/%C3%A9.css").as_deref(), Some("a b/é.css"));
        assert_eq!(decoded("100%"), None);
        assert_eq!(decoded("%é"), None);
        assert_eq!(decoded("%ff"), None);
    }
}
