//! What bytes are, by their first few.

use std::fs::File;
use std::io::{self, BufRead, Read};
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

/// How texts may start to tell their encoding: UTF-8 and the two orders of UTF-16.
const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];

pub(super) fn looks_like_html(bytes: &[u8]) -> bool {
    let bytes = without_mark(bytes).trim_ascii_start();
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

/// Whether this is markup of some kind, and so neither compressed nor chunked: gzip, zlib, Brotli and sizes of chunks
/// do not start with `<`. Bare deflate may, but rarely goes on like a tag.
pub(super) fn starts_with_tag(bytes: &[u8]) -> bool {
    let mut visible = without_mark(bytes).trim_ascii_start().iter().filter(|byte| **byte != 0);
    let is_tag = |next: &u8| next.is_ascii_alphabetic() || b"!?/".contains(next);
    visible.next() == Some(&b'<') && visible.next().is_some_and(is_tag)
}

/// The bytes behind a byte order mark, if there is one.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    BYTE_ORDER_MARKS.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes)
}

/// How databases of SQLite start.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// Whether a plain file is a database of SQLite.
pub(super) fn is_database_file(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(DATABASE.len() as u64).read_to_end(&mut start)?;
    Ok(is_database(&start))
}

pub(super) fn is_database(bytes: &[u8]) -> bool {
    bytes.starts_with(DATABASE)
}

/// Whether a file is a web archive: it says so in its name, or by its first bytes.
pub(super) fn is_archive(path: &Path, bytes: &mut impl BufRead) -> io::Result<bool> {
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    let name = name.as_encoded_bytes();
    Ok(name.ends_with(b".warc")
        || name.ends_with(b".warc.gz")
        || bytes.fill_buf()?.starts_with(b"WARC/"))
}
