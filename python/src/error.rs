//! Our errors as Python's: one place for all of them. The classes are in `pagemill/errors.py`, with what each means.

use pagemill::crawl::{CrawlError, StoreError as CrawlStoreError};
use pagemill::fetching::JobError;
use pagemill::files::FileError;
use pagemill::gather::GatherError;
use pagemill::labelled::MaterialError;
use pagemill::learning::LearningError;
use pagemill::network::{Error as NetworkError, ExportError};
use pagemill::sink::SinkError;
use pagemill::why::UnknownField;
use pagemill::wrapper::EditError;
use pagemill::{InputError as UnreadableInput, LearnError as NothingLearnt};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::{PyErr, import_exception};
use std::io;

import_exception!(pagemill.errors, ColumnError);
import_exception!(pagemill.errors, FieldError);
import_exception!(pagemill.errors, FormatError);
import_exception!(pagemill.errors, InputError);
import_exception!(pagemill.errors, InternalError);
import_exception!(pagemill.errors, LearnError);
import_exception!(pagemill.errors, QueryError);
import_exception!(pagemill.errors, StoreError);

/// An error of the engine as one of Python.
pub(crate) trait IntoPy {
    fn into_py(self) -> PyErr;
}

/// Results of the engine as those of Python.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> Result<T, PyErr>;
}

impl<T, E: IntoPy> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> Result<T, PyErr> {
        self.map_err(IntoPy::into_py)
    }
}

macro_rules! raised_as {
    ($($error:ty => $class:ident),* $(,)?) => {
        $(impl IntoPy for $error {
            fn into_py(self) -> PyErr {
                $class::new_err(self.to_string())
            }
        })*
    };
}

raised_as! {
    UnreadableInput => InputError,
    NothingLearnt => LearnError,
    LearningError => LearnError,
    CrawlStoreError => StoreError,
    CrawlError => StoreError,
    GatherError => StoreError,
    UnknownField => FieldError,
    EditError => FieldError,
    FileError => FormatError,
}

impl IntoPy for JobError {
    fn into_py(self) -> PyErr {
        match self {
            JobError::Plan(error) => error.into_py(),
            JobError::Replay(error) => error.into_py(),
            JobError::Offline(error) => error.into_py(),
            JobError::Usage(what) => PyValueError::new_err(what),
        }
    }
}

impl IntoPy for MaterialError {
    fn into_py(self) -> PyErr {
        match self {
            MaterialError::Unreadable(what) => InputError::new_err(what),
            MaterialError::Wrong(what) => FormatError::new_err(what),
        }
    }
}

impl IntoPy for NetworkError {
    fn into_py(self) -> PyErr {
        match self {
            NetworkError::Syntax { .. }
            | NetworkError::Check { .. }
            | NetworkError::Object { .. } => QueryError::new_err(self.to_string()),
            _ => StoreError::new_err(self.to_string()),
        }
    }
}

impl IntoPy for ExportError {
    fn into_py(self) -> PyErr {
        match self {
            ExportError::Network(error) => error.into_py(),
            ExportError::Write(error) => error.into_py(),
        }
    }
}

impl IntoPy for SinkError {
    fn into_py(self) -> PyErr {
        match &self {
            SinkError::UnknownSet { .. } | SinkError::NoSets => {
                FieldError::new_err(self.to_string())
            }
            SinkError::File { .. } | SinkError::Stream(_) => PyOSError::new_err(self.to_string()),
            _ => PyValueError::new_err(self.to_string()),
        }
    }
}

impl IntoPy for io::Error {
    fn into_py(self) -> PyErr {
        PyErr::from(self)
    }
}
