//! What can be wrong with an input.

use std::io;
use std::path::PathBuf;

/// One input, or one page of it, that could not be read. The others are not touched by it.
///
/// Names are quoted as in source code, so that a message holds no control characters of a file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A file or folder that is not there or cannot be read.
    #[error("cannot read {path:?}: {}", reason(cause))]
    Read {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A gzip file that does not unpack.
    #[error("cannot read {path:?}: its compressed data is corrupt or cut off")]
    Corrupt {
        /// Which one.
        path: PathBuf,
    },
    /// A page with more bytes than the limit. It was left out.
    #[error("cannot read {page:?}: larger than the limit of {}", size(*max_bytes))]
    TooLarge {
        /// The page's id.
        page: String,
        /// The limit.
        max_bytes: u64,
    },
    /// A page of the web that could not be had.
    #[error("cannot get {url:?}: {cause}")]
    Web {
        /// Which one.
        url: String,
        /// What came instead.
        cause: crawl::VisitError,
    },
    /// A page of the web whose body ends too early. Comes after the page, which has what there is.
    #[error("cannot read all of {url:?}: {problem}; its start was kept")]
    ClippedWeb {
        /// Which one.
        url: String,
        /// What is wrong with it.
        problem: BodyProblem,
    },
    /// An object of an S3 store that could not be had.
    #[error("cannot read {address:?}: {reason}")]
    Object {
        /// Which one.
        address: String,
        /// What is wrong, and what to do about it.
        reason: String,
    },
    /// A pattern that cannot be understood.
    #[error("cannot use the pattern {pattern:?}: {reason}")]
    BadPattern {
        /// As it was given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A pattern without a file that matches it, and no file of that name either.
    #[error("no file matches {pattern:?}")]
    NoMatch {
        /// As it was given.
        pattern: String,
    },
    /// A folder without pages.
    #[error(
        "no pages in folder {path:?}: it has no .html, .htm, .xhtml or .warc file; name others one by one"
    )]
    EmptyFolder {
        /// Which one.
        path: PathBuf,
    },
    /// A web archive without HTML responses.
    #[error("no pages in archive {path:?}: it has no HTML response of status 200 to 299")]
    EmptyArchive {
        /// Which one.
        path: PathBuf,
    },
    /// A database that is no store of a crawl, or one that cannot be read.
    #[error("{0}")]
    Store(#[from] crawl::StoreError),
    /// A store without pages.
    #[error("no pages in {path:?}: its crawl has not fetched any yet")]
    EmptyStore {
        /// Which one.
        path: PathBuf,
    },
    /// A web archive that could be read only in part. Comes last, after the pages that are whole.
    #[error("cannot read all of {path:?}: {damage} {record}; the pages found were kept")]
    Damaged {
        /// The archive.
        path: PathBuf,
        /// What was found first.
        damage: Damage,
        /// In which record, counted from one.
        record: u64,
    },
    /// A page in an archive whose body cannot be decoded.
    #[error("cannot read {page:?} in {archive:?}: {problem}")]
    Body {
        /// The page's id.
        page: String,
        /// Where it is.
        archive: PathBuf,
        /// What is wrong with it.
        problem: BodyProblem,
    },
    /// A page in an archive whose body ends too early. Comes after the page, which has what there is.
    #[error("cannot read all of {page:?} in {archive:?}: {problem}; its start was kept")]
    Clipped {
        /// The page's id.
        page: String,
        /// Where it is.
        archive: PathBuf,
        /// What is wrong with it.
        problem: BodyProblem,
    },
    /// The list on stdin, or one line of it.
    #[error("{0}")]
    List(#[from] ListProblem),
}

/// How an archive is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// It ends within a record, as a broken download does.
    #[error("it is cut off in record")]
    CutOff,
    /// Compressed bytes that do not unpack.
    #[error("its compressed data is corrupt at record")]
    Corrupt,
    /// A record that is not one.
    #[error("it has no valid header at record")]
    Malformed,
    /// The system failed to read it.
    #[error("reading failed at record")]
    Unreadable,
}

impl Damage {
    /// What an error means that came up while reading, as gzip's reader words it.
    pub(super) fn of(error: &io::Error) -> Damage {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Damage::CutOff,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Damage::Corrupt,
            _ => Damage::Unreadable,
        }
    }
}

/// Why the body of an archived response cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyProblem {
    /// Encoded in a way that is not known here.
    #[error("its content encoding {0:?} is not supported")]
    Unsupported(String),
    /// Does not decode.
    #[error("its {0} data is corrupt")]
    Corrupt(&'static str),
    /// Ends too early.
    #[error("its {0} data is cut off")]
    CutOff(&'static str),
    /// Unpacks to more than the limit.
    #[error("larger than the limit of {}", size(*.0))]
    TooLarge(u64),
}

/// What is wrong with a list of inputs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListProblem {
    /// Nothing was in it.
    #[error("no paths on stdin: - reads a list of them, one a line")]
    Empty,
    /// `-` was given twice.
    #[error("cannot read stdin twice: pass - once")]
    Spent,
    /// A line that is `-`.
    #[error("cannot read \"-\" in the list on stdin: a list cannot name itself")]
    Itself,
    /// Markup where paths should be. The rest of the list is not read.
    #[error("stdin is a page, not a list of paths: pass /dev/stdin to read it as a page")]
    IsPage,
    /// A line too long for a path.
    #[error("cannot read line {0} of the list on stdin: too long for a path")]
    LongLine(u64),
    /// The system failed to read it. The rest of the list is lost.
    #[error("cannot read the list on stdin: {}", reason(.0))]
    Unreadable(io::Error),
}

/// What the system said, in the tone of our messages.
pub(crate) fn reason(cause: &io::Error) -> String {
    match cause.kind() {
        io::ErrorKind::NotFound => return "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => return "permission denied".into(),
        _ => {}
    }
    let text = cause.to_string();
    let mut chars = text.split(" (os error").next().unwrap_or_default().chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units
        .into_iter()
        .find(|(shift, _)| bytes >> shift << shift == bytes && bytes >> shift > 0)
    {
        Some((shift, unit)) => format!("{} {unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}
