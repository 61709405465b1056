//! What can go wrong with a sink.

use crate::input::reason;
use std::io;
use std::path::PathBuf;

/// Why records could not be written. The file in question is as it was before.
///
/// Names are quoted as in source code, so that a message holds no control characters of a file's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SinkError {
    /// A file whose name does not tell its format.
    #[error(
        "cannot tell the format of {path:?} by its name: let it end in .jsonl or .ndjson (JSON lines), .csv, \
         .parquet, or .db, .sqlite or .sqlite3 (SQLite); .jsonl, .ndjson and .csv may be followed by .gz"
    )]
    UnknownFormat {
        /// As it was given.
        path: PathBuf,
    },
    /// A set was asked for that pages of this schema do not have.
    #[error("cannot write a row per record of {set:?}: {}", known_sets(known))]
    UnknownSet {
        /// As it was given.
        set: String,
        /// The sets there are.
        known: Vec<String>,
    },
    /// Records were asked for, and pages of this schema have none.
    #[error("cannot write a row per record: the pages have no sets; write a row per page")]
    NoSets,
    /// More columns than the format takes.
    #[error(
        "cannot write {path:?}: its table {table:?} would have {n_columns} columns, and SQLite takes {max}; \
         write .jsonl or .parquet instead"
    )]
    TooManyColumns {
        /// The file.
        path: PathBuf,
        /// The table.
        table: String,
        /// How many it would have.
        n_columns: usize,
        /// How many it may have.
        max: usize,
    },
    /// A file that cannot be written.
    #[error("cannot write {path:?}: {}", reason(cause))]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system or the format's library said.
        cause: io::Error,
    },
    /// Output other than a file, such as stdout.
    #[error("cannot write the records: {}", reason(.0))]
    Stream(io::Error),
    /// An earlier page could not be written, so that the file would have a gap.
    #[error("cannot finish {}: an earlier page could not be written", target(path))]
    Incomplete {
        /// The file, if it is one.
        path: Option<PathBuf>,
    },
}

impl SinkError {
    /// Whether whoever reads the output has closed it, which is no failure: they have seen enough.
    pub fn is_closed_pipe(&self) -> bool {
        let cause = match self {
            SinkError::File { cause, .. } | SinkError::Stream(cause) => cause,
            _ => return false,
        };
        cause.kind() == io::ErrorKind::BrokenPipe
    }
}

fn known_sets(known: &[String]) -> String {
    match known {
        [] => "the pages have no sets; write a row per page".into(),
        _ => format!("the sets of these pages are {}", known.join(", ")),
    }
}

fn target(path: &Option<PathBuf>) -> String {
    path.as_ref().map_or("the records".into(), |path| format!("{path:?}"))
}
