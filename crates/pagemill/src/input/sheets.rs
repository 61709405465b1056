//! The style sheets that were recorded in the same archive as a page.

use super::archive::Wanted;
use super::{Pages, pages};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;

/// Style sheets with more bytes are none that a person wrote.
const MAX_SHEET: u64 = 8 << 20;
/// So many bytes are held of all; what comes later in an archive is left out.
const MAX_ALL: usize = 256 << 20;

/// Style sheets of web archives, by where they were fetched from. Where one was fetched more than once, the first is given.
#[derive(Clone, Debug, Default)]
pub struct StyleSheets {
    by_place: HashMap<String, Vec<u8>>,
}

impl StyleSheets {
    /// Read archives for their style sheets. What cannot be read is passed over: those who read the pages are told.
    pub fn read<I>(archives: I) -> StyleSheets
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        let all = pages(archives).with_max_bytes(MAX_SHEET).with_list(io::empty());
        let all = Pages { wanted: Wanted::StyleSheets, ..all };
        let mut sheets = StyleSheets::default();
        let mut bytes_left = MAX_ALL;
        // Only what comes from an archive has an address.
        for (url, bytes) in all.flatten().filter_map(|it| Some((it.url?, it.bytes))) {
            let Some(n_left) = bytes_left.checked_sub(bytes.len()) else { break };
            bytes_left = n_left;
            sheets.by_place.entry(place(&url).to_owned()).or_insert(bytes);
        }
        sheets
    }

    /// The bytes of the sheet at an address.
    pub fn get(&self, url: &str) -> Option<&[u8]> {
        self.by_place.get(place(url)).map(Vec::as_slice)
    }
}

/// What an address leads to. Pages link by http to what was fetched by https, after a redirection, and name places within it.
fn place(url: &str) -> &str {
    let url = url.split('#').next().unwrap_or_default();
    let after = |scheme: &str| url.strip_prefix(scheme);
    after("https://").or_else(|| after("http://")).unwrap_or(url)
}
