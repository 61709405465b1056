//! Files that are whole or not there.

use anyhow::{Context, Result};
use pagemill::sink::WholeFile;
use std::io::{self, Write};
use std::path::Path;

/// Write a file by what `write` puts out. A run that is killed leaves the old file, or none.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let write_whole = || {
        let mut file = WholeFile::create(path)?;
        write(&mut file)?;
        file.finish()
    };
    write_whole().with_context(|| format!("cannot write {path:?}"))
}
