//! Wrappers in files: reading them, and writing them whole.

use crate::exit::Exit;
use crate::output::{file, talk};
use anyhow::{Context, Result};
use pagemill::Wrapper;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const MAKE_ONE: &str = "pagemill learn PAGES -o FILE makes one";

/// No wrapper has more bytes; what a path leads to may have no end.
const MAX_BYTES: u64 = (64 << 20) + 1;

/// The wrapper in a file. What is there instead is told, and is wrong usage.
pub(super) fn read(path: &Path) -> Result<Wrapper, Exit> {
    read_or_tell(path).map_err(|wrong| {
        talk::say(format_args!("cannot use {path:?} as a wrapper: {wrong}; {MAKE_ONE}"));
        Exit::Usage
    })
}

fn read_or_tell(path: &Path) -> Result<Wrapper, String> {
    if path.is_dir() {
        return Err("it is a folder".into());
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        _ => error.to_string(),
    })?;
    match bytes.trim_ascii_start().strip_prefix(b"<") {
        Some(_) => Err("it is a page".into()),
        None => Wrapper::from_json(&bytes).map_err(|error| error.to_string()),
    }
}

/// Write a wrapper. A run that is killed leaves the file that was there.
pub(super) fn write(path: &Path, wrapper: &Wrapper) -> Result<()> {
    let text = wrapper.to_json().with_context(|| format!("cannot write {path:?}"))?;
    file::write(path, |out| out.write_all(text.as_bytes()))
}
