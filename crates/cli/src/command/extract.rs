//! `pagemill extract`: from a wrapper and pages to records.

use super::inputs::Inputs;
use super::tally::Tally;
use super::{sinks, wrapper_file};
use crate::exit::Exit;
use crate::output::talk;
use anyhow::Result;
use clap::Args;
use pagemill::Wrapper;
use pagemill::pipeline;
use pagemill::sink::{CsvRows, Sink, SinkConfig, SinkError};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pagemill learn shop/ -o shop.json                learn a wrapper, once
  pagemill extract shop.json new/ -o books.csv     a table for a spreadsheet
  pagemill extract shop.json new/ -o books.db      a database: a table of pages, one for each set
  pagemill extract shop.json a.warc.gz | jq .data  JSON lines into a pipe
  pagemill extract shop.json new/ -o a.csv --rows pages

FILE ends in .jsonl, .csv (both also with .gz), .parquet, .db or .sqlite, and appears when it is
whole. Each page is verified (every part has its place in the template), partial (some parts do
not fit; problems says which) or failed (a page of something else, without data). Exit code 3 says
that some pages failed or could not be read.";

/// Extract the data of pages with a wrapper that was learnt from others of their template
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// What pagemill learn -o has written
    wrapper: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    /// Write the records to a file, in the format that its name tells; if not given, JSON lines to stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What a row of .csv is: pages, records, or the name of a set; if not given, what the pages are about
    #[arg(long, value_name = "ROWS", requires = "output", value_parser = csv_rows)]
    rows: Option<CsvRows>,

    /// Keep cells of .csv that a spreadsheet would run as a formula; if not given, they get an apostrophe
    #[arg(long, requires = "output")]
    formulas: bool,

    /// How many threads extract; if not given, one a core
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let wrapper = match wrapper_file::read(&flags.wrapper) {
        Ok(wrapper) => wrapper,
        Err(exit) => return Ok(exit),
    };
    if flags.is_about_csv() && !flags.writes_csv() {
        talk::say(
            "--rows and --formulas are for .csv only: other formats keep all records as they are",
        );
        return Ok(Exit::Usage);
    }
    let mut sink = match sinks::opened(flags.sink(&wrapper))? {
        Ok(sink) => sink,
        Err(exit) => return Ok(exit),
    };
    let has_lines = flags.output.is_none() && io::stdout().is_terminal();
    let progress = sinks::progress(has_lines, "extracting");
    let mut tally = Tally::default();
    let n_threads = flags.threads.unwrap_or_else(pipeline::all_cores);
    pipeline::extract(&wrapper, flags.inputs.read(), n_threads, |found| {
        progress.advance();
        match found {
            Ok(found) => {
                tally.count(found);
                sink.write(&found.row())
            }
            Err(error) => {
                tally.count_unreadable(&error, &progress);
                Ok(())
            }
        }
    })?;
    progress.now("writing");
    sink.finish()?;
    drop(progress);
    tally.tell();
    Ok(tally.exit())
}

impl Flags {
    fn sink(&self, wrapper: &Wrapper) -> Result<Sink, SinkError> {
        let config = SinkConfig::default()
            .with_csv_rows(self.rows.clone().unwrap_or_default())
            .with_formulas(self.formulas);
        match &self.output {
            Some(path) => Sink::create(path, wrapper.schema(), &config),
            None => Ok(Sink::json_lines(io::stdout())),
        }
    }

    fn is_about_csv(&self) -> bool {
        self.rows.is_some() || self.formulas
    }

    fn writes_csv(&self) -> bool {
        let name = self.output.as_deref().and_then(Path::file_name);
        let name = name.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        name.ends_with(".csv") || name.ends_with(".csv.gz")
    }
}

fn csv_rows(text: &str) -> Result<CsvRows, String> {
    match text {
        "" => Err("rows are pages, records, or the name of a set".into()),
        "pages" => Ok(CsvRows::Pages),
        "records" => Ok(CsvRows::Records),
        set => Ok(CsvRows::RecordsOf(set.to_owned())),
    }
}
