//! Wrappers in files: reading them, and writing them whole.

use crate::exit::Exit;
use crate::output::talk;
use anyhow::{Context, Result};
use pagemill::{Wrapper, files};
use std::path::Path;

const MAKE_ONE: &str = "pagemill learn PAGES -o FILE makes one";

/// The wrapper in a file. What is there instead is told, and is wrong usage.
pub(super) fn read(path: &Path) -> Result<Wrapper, Exit> {
    files::read_wrapper(path).map_err(|error| {
        talk::say(format_args!("{error}; {MAKE_ONE}"));
        Exit::Usage
    })
}

/// Write a wrapper. A run that is killed leaves the file that was there.
pub(super) fn write(path: &Path, wrapper: &Wrapper) -> Result<()> {
    files::write_wrapper(path, wrapper).with_context(|| format!("cannot write {path:?}"))
}
