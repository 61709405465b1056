//! `pagemill repair`: learn again from pages that have changed, under the old names.

use super::inputs::Inputs;
use super::wrapper_file;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::safe::safe;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::wrapper::{Change, Fate, Repaired, repair};
use pagemill::{Extractor, LearnConfig, Status};
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill repair shop.json new/ -o shop-2.json    a new wrapper; the old one stays
  pagemill repair shop.json new/ -o shop.json      in place of the old one
  pagemill repair shop.json new/                   only tell what would change

Give some twenty pages as they are now. If all of them still fit, or if what can be learnt from them
reads less than the wrapper does, it stays as it is.
Columns get their old names by what the old wrapper still reads, by the values, labels, types and
places that it knows. Renamed, merged and dropped columns stay so. Look at what is marked with a
question mark: little speaks for it.";

/// Learn a wrapper again from pages that have changed, and keep the names of its columns
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// What pagemill learn -o has written
    wrapper: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    /// Write the new wrapper; if not given, only tell what changes
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let old = match wrapper_file::read(&flags.wrapper) {
        Ok(wrapper) => wrapper,
        Err(exit) => return Ok(exit),
    };
    let mut inputs = flags.inputs.pages();
    let mut pages = Vec::new();
    let progress = Progress::pages("reading");
    while let Some(input) = inputs.next() {
        pages.push(input.parse());
        progress.advance();
    }
    if pages.is_empty() && inputs.n_failed > 0 {
        return Ok(Exit::SomeFailed);
    }
    progress.now("learning");
    let repaired = repair(&old, pages.clone(), &LearnConfig::default())?;
    let mut extractor = Extractor::new(&repaired.wrapper);
    let n_fit = pages.iter().filter(|it| extractor.extract(it).status == Status::Verified).count();
    drop(progress);
    tell(&repaired, pages.len(), n_fit);
    if let Some(path) = &flags.output {
        wrapper_file::write(path, &repaired.wrapper)?;
    }
    show(&repaired.changes).context(CANNOT_WRITE)?;
    let n_found = repaired.changes.iter().filter(|change| change.fate != Fate::Gone).count();
    Ok(Exit::of(n_found, inputs.n_failed))
}

fn tell(repaired: &Repaired, n_pages: usize, n_fit: usize) {
    let n_fit_before = n_pages - repaired.n_unfit;
    if repaired.is_unchanged {
        let why = match repaired.n_unfit {
            0 => "the wrapper still fits",
            _ => "nothing better can be learnt from these pages",
        };
        talk::say(format_args!("{n_fit} of {n_pages} pages fit: {why}; nothing was changed"));
        return;
    }
    talk::say(format_args!("{n_fit_before} of {n_pages} pages fit before, {n_fit} fit now"));
    let n_aside = repaired.learnt_from.iter().filter(|it| !**it).count();
    if n_aside > 0 {
        talk::say(format_args!("{n_aside} pages are of another template and were set aside"));
    }
    let n = |fate: Fate| repaired.changes.iter().filter(|it| it.fate == fate).count();
    let fates = [Fate::Kept, Fate::Moved, Fate::Gone, Fate::New];
    let told: Vec<String> = fates.map(|fate| format!("{} {}", n(fate), fate.name())).into();
    talk::say(format_args!("columns: {}", told.join(", ")));
    for (_, error) in &repaired.lost_edits {
        talk::say(format_args!(
            "an earlier change of the columns cannot be made any more: {error}"
        ));
    }
}

/// A line a column.
fn show(changes: &[Change]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for change in changes {
        let doubt = if change.is_doubtful { " ?" } else { "" };
        let line = format!("{:5}  {}{doubt}", change.fate.name(), change.path);
        writeln!(out, "{}", safe(&line))?;
    }
    out.flush()
}
