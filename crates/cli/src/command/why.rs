//! `pagemill why`: where a value comes from, why a page does not fit, or why a value is not there.

use super::inputs::Reading;
use super::wrapper_file;
use crate::exit::Exit;
use crate::output::why::{JsonWhy, ShowWhy, TextWhy};
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::Status;
use pagemill::why::{UnknownField, check_field, explain};
use pagemill::wrapper::FieldPath;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill why shop.json page.html                   whether the page fits, and where all values are
  pagemill why shop.json page.html price             where the price was read, and why there
  pagemill why shop.json page.html 'books[3].price'  the price of the fourth record
  pagemill why shop.json page.html price --json      the same for programs, a line a value

A place is told by line, column and bytes in the page as it came, by XPath, and by a selector with the
number of the leaf in its element. A state is a place of the template; its rivals are those that
the leaf could have been as well, with what speaks for each: the larger the score, the better. Exit
code 1 says that the page has no such value, 3 that it could not be read or is of something else.";

/// Tell where a value of a page comes from, why it is not there, or why the page does not fit
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// What pagemill learn -o has written
    wrapper: PathBuf,

    /// A page
    page: OsString,

    /// Which value, such as price, books.price or books[3].price, counted from zero; if not given, all
    field: Option<FieldPath>,

    /// Print JSON lines
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let wrapper = match wrapper_file::read(&flags.wrapper) {
        Ok(wrapper) => wrapper,
        Err(exit) => return Ok(exit),
    };
    if let Some(field) = &flags.field
        && let Err(wrong) = check_field(wrapper.schema(), field)
    {
        let hint = match &wrong {
            UnknownField::NoField { near, .. } if near.is_empty() => {
                "; pagemill why WRAPPER PAGE lists those that a page has"
            }
            _ => "",
        };
        talk::say(format_args!("{wrong}{hint}"));
        return Ok(Exit::Usage);
    }
    let mut out = io::stdout().lock();
    let mut view: Box<dyn ShowWhy> =
        if flags.json { Box::new(JsonWhy) } else { Box::new(TextWhy::default()) };
    let mut pages = flags.reading.pages(std::slice::from_ref(&flags.page));
    let (mut n_found, mut n_failed) = (0, 0);
    while let Some(input) = pages.next() {
        let page = input.parse();
        let explained = explain(&wrapper, &page, flags.field.clone());
        n_found += explained.values.len();
        n_failed += usize::from(explained.trace.extraction.status == Status::Failed);
        view.show(&input, &page, &explained, &mut out).context(CANNOT_WRITE)?;
    }
    out.flush().context(CANNOT_WRITE)?;
    Ok(Exit::of(n_found, n_failed + pages.n_failed))
}
