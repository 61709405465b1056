//! Models: files that `pagemill train` writes, and some that are built in.

use crate::exit::Exit;
use crate::output::talk;
use anyhow::{Context, Result};
use pagemill::annotate::Model;
use pagemill::files;
use std::path::Path;

const MAKE_ONE: &str = "pagemill train --schema news LABELS -o FILE makes one";

/// The model of a name or in a file. What is there instead is told, and is wrong usage.
pub(super) fn read(name: &str) -> Result<Model, Exit> {
    files::read_model(Path::new(name)).map_err(|error| {
        talk::say(format_args!("{error}; {MAKE_ONE}"));
        Exit::Usage
    })
}

/// Write a model. A run that is killed leaves the file that was there.
pub(super) fn write(path: &Path, model: &Model) -> Result<()> {
    files::write_model(path, model).with_context(|| format!("cannot write {path:?}"))
}
