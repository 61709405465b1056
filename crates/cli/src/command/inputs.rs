//! The flags of every command that reads pages.

use crate::output::talk;
use clap::Args;
use pagemill::input::{self, InputPage};
use std::ffi::OsString;

#[derive(Debug, Args)]
pub(super) struct Inputs {
    /// Files, folders, patterns, web archives, or - for a list of them on stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,

    /// Read pages as this encoding, whatever they or HTTP say (such as windows-1252)
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<String>,
}

/// Pages and how many could not be read so far.
pub(super) struct Reader<'f> {
    pages: input::Pages,
    charset: &'f Option<String>,
    pub(super) n_failed: usize,
}

impl Inputs {
    pub(super) fn pages(&self) -> Reader<'_> {
        Reader { pages: input::pages(&self.inputs), charset: &self.charset, n_failed: 0 }
    }
}

impl Reader<'_> {
    /// The next page that can be read. Of those that cannot, the user is told.
    pub(super) fn next(&mut self) -> Option<InputPage> {
        loop {
            match self.pages.next()? {
                Ok(mut page) => {
                    page.charset = self.charset.clone().or(page.charset);
                    return Some(page);
                }
                Err(error) => {
                    self.n_failed += 1;
                    talk::say(error);
                }
            }
        }
    }
}

/// A label that some encoding has.
fn charset(label: &str) -> Result<String, String> {
    match pagemill::page::is_charset(label) {
        true => Ok(label.to_owned()),
        false => {
            Err("no encoding of the web has this label; try utf-8, windows-1252, shift_jis".into())
        }
    }
}
