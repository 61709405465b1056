//! The files in a folder, and those that match a pattern: by name, without recursion.

use super::error::InputError;
use globset::{GlobBuilder, GlobMatcher};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf, is_separator};
use walkdir::{DirEntry, WalkDir};

/// What files of a folder are read for.
const ENDINGS: [&str; 4] = ["html", "htm", "xhtml", "warc"];

pub(super) struct Walk {
    entries: walkdir::IntoIter,
    filter: Filter,
    has_found: bool,
}

enum Filter {
    Folder(PathBuf),
    Pattern(Box<Pattern>),
}

struct Pattern {
    /// As it was given.
    text: String,
    matcher: GlobMatcher,
    takes_hidden: bool,
    /// What walking adds in front of paths: `.` where the pattern names no folder.
    prefix: &'static str,
}

impl Walk {
    pub(super) fn folder(path: PathBuf) -> Walk {
        let entries = WalkDir::new(&path).sort_by_file_name().into_iter();
        Walk { entries, filter: Filter::Folder(path), has_found: false }
    }

    pub(super) fn pattern(given: &str) -> Result<Walk, InputError> {
        let text = without_doubled_separators(given);
        let glob = GlobBuilder::new(&text).literal_separator(true).build().map_err(|error| {
            InputError::BadPattern { pattern: given.to_owned(), reason: error.kind().to_string() }
        })?;
        let (folder, rest) = split(&text);
        let base = folder.unwrap_or(Path::new("."));
        if !base.is_dir() {
            return Err(InputError::NoMatch { pattern: given.to_owned() });
        }
        let entries = WalkDir::new(base).max_depth(depth(rest)).sort_by_file_name().into_iter();
        let pattern = Pattern {
            text: given.to_owned(),
            matcher: glob.compile_matcher(),
            takes_hidden: rest.split(is_separator).any(|step| step.starts_with('.')),
            prefix: if folder.is_none() { "." } else { "" },
        };
        Ok(Walk { entries, filter: Filter::Pattern(Box::new(pattern)), has_found: false })
    }

    pub(super) fn next(&mut self) -> Option<Result<PathBuf, InputError>> {
        while let Some(entry) = self.entries.next() {
            let path = match entry {
                Ok(entry) => self.take(&entry),
                Err(error) => Some(Err(self.error(error))),
            };
            if path.is_some() {
                self.has_found = true;
                return path;
            }
        }
        let is_first_end = !std::mem::replace(&mut self.has_found, true);
        is_first_end.then(|| Err(self.filter.nothing()))
    }

    /// The path of an entry, if it is wanted.
    fn take(&mut self, entry: &DirEntry) -> Option<Result<PathBuf, InputError>> {
        if entry.depth() > 0 && is_hidden(entry.file_name()) && !self.filter.takes_hidden() {
            if entry.file_type().is_dir() {
                self.entries.skip_current_dir();
            }
            return None;
        }
        let path = entry.path().strip_prefix(self.filter.prefix()).unwrap_or(entry.path());
        (self.filter.wants(path) && is_file(entry)).then(|| Ok(path.to_owned()))
    }

    fn error(&self, error: walkdir::Error) -> InputError {
        let path = error.path().map(Path::to_owned).unwrap_or_default();
        let cause = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
        InputError::Read { path, cause }
    }
}

impl Filter {
    fn wants(&self, path: &Path) -> bool {
        match self {
            Filter::Folder(_) => has_ending(path),
            Filter::Pattern(pattern) => pattern.matcher.is_match(path),
        }
    }

    fn takes_hidden(&self) -> bool {
        matches!(self, Filter::Pattern(pattern) if pattern.takes_hidden)
    }

    fn prefix(&self) -> &Path {
        match self {
            Filter::Folder(_) => Path::new(""),
            Filter::Pattern(pattern) => Path::new(pattern.prefix),
        }
    }

    fn nothing(&self) -> InputError {
        match self {
            Filter::Folder(path) => InputError::EmptyFolder { path: path.clone() },
            Filter::Pattern(pattern) => InputError::NoMatch { pattern: pattern.text.clone() },
        }
    }
}

/// `a//b` is the same place as `a/b`, but walking never names it so.
fn without_doubled_separators(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    for (start, character) in pattern.char_indices() {
        // Two at the start are the name of a server on some systems.
        let is_kept_pair = cfg!(windows) && start == 1;
        if !(is_separator(character) && text.ends_with(is_separator)) || is_kept_pair {
            text.push(character);
        }
    }
    text
}

/// A pattern as the folder it starts in, if it names one, and what is to be matched there.
fn split(pattern: &str) -> (Option<&Path>, &str) {
    let first = pattern.find(['*', '?', '[', '{', '\\']).unwrap_or(pattern.len());
    match pattern[..first].rfind(is_separator) {
        Some(0) => (Some(Path::new(&pattern[..1])), &pattern[1..]),
        Some(end) => (Some(Path::new(&pattern[..end])), &pattern[end + 1..]),
        None => (None, pattern),
    }
}

/// How far down matches can be, so that `*.html` does not walk the whole disk.
fn depth(pattern: &str) -> usize {
    let is_bounded = !pattern.contains("**") && !pattern.contains('{');
    if is_bounded { pattern.split(is_separator).count() } else { usize::MAX }
}

pub(super) fn has_ending(path: &Path) -> bool {
    let is = |ending: &OsStr, known: &str| ending.eq_ignore_ascii_case(known);
    let unpacked = match path.extension() {
        Some(ending) if is(ending, "gz") => Path::new(path.file_stem().unwrap_or_default()),
        _ => path,
    };
    unpacked.extension().is_some_and(|ending| ENDINGS.iter().any(|known| is(ending, known)))
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A pipe or device in a folder would be waited for, or never end.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_file()
        || entry.path_is_symlink() && entry.path().metadata().is_ok_and(|target| target.is_file())
}
