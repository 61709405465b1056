//! What bytes are, by their first few.

use std::io::{self, BufRead};
use std::path::Path;

/// How a page of HTML may start, after blanks; the list of the MIME Sniffing standard, section 7.1.
const HTML_STARTS: [&str; 17] = [
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a",
    "<style",
    "<title",
    "<b",
    "<body",
    "<br",
    "<p",
    "<!--",
];

pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let starts_with = |start: &str| {
        let is_same =
            bytes.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()));
        // A tag's name has to end there.
        is_same
            && (start == "<!--"
                || bytes.get(start.len()).is_some_and(|next| b" \t\r\n\x0C>/".contains(next)))
    };
    HTML_STARTS.into_iter().any(starts_with)
}

/// Whether a file is a web archive: it says so in its name, or by its first bytes.
pub(super) fn is_archive(path: &Path, bytes: &mut impl BufRead) -> io::Result<bool> {
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    let name = name.as_encoded_bytes();
    Ok(name.ends_with(b".warc")
        || name.ends_with(b".warc.gz")
        || bytes.fill_buf()?.starts_with(b"WARC/"))
}
