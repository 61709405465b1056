//! `pagemill annotate`: from a model and pages of any site to data of its schema.

use super::get::path_of;
use super::inputs::{Inputs, Rereadable};
use super::tally::Tally;
use super::{model_file, sinks, wrapper_file};
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::records::RecordTable;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::annotate::Model;
use pagemill::pipeline::{self, Annotated, Extracted};
use pagemill::sink::{AnnotationSink, SinkError, schema_of};
use pagemill::site::{self, NamedWrapper};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill annotate news new/                             a table on a terminal
  pagemill annotate news new/ | jq .data                  JSON lines in a pipe
  pagemill annotate news new/ -o articles.csv             a table for a spreadsheet
  pagemill annotate news crawl.warc.gz -o news.db         a database
  pagemill train --schema book.dtd labels.jsonl -o book.json
  pagemill annotate book.json shop/ --keep shop.json      and a wrapper, for pagemill extract

FILE ends in .jsonl, .csv (both also with .gz), .parquet, .db or .sqlite, and appears when it is
whole. Each page is verified (all that the schema requires was found, and is likelier than not),
partial (some of it is missing or doubtful; problems says which) or failed (nothing was found,
without data). Exit code 3 says that some pages failed or could not be read.";

/// Annotate pages of any site with a model: find what its schema asks for
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// What pagemill train -o has written; or news, which is built in
    model: String,

    #[command(flatten)]
    inputs: Inputs,

    /// Write the data to a file, in the format that its name tells
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// At most this many rows of the table
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,

    /// Print JSON lines, also on a terminal
    #[arg(long, conflicts_with_all = ["table", "output"])]
    json: bool,

    /// Print a table, also into a pipe
    #[arg(long, conflicts_with = "output")]
    table: bool,

    /// Judge each page for itself; if not given, five pages or more of one template are judged together, column by column,
    /// where the model has learnt from such sites
    #[arg(long, conflicts_with = "keep")]
    alone: bool,

    /// Keep what was learnt of sites: wrappers with the names of the schema, for pagemill extract; of several FILE-1 and so on
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    /// How many threads annotate; if not given, one a core
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let model = match model_file::read(&flags.model) {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let mut out = match sinks::opened(flags.out(&model))? {
        Ok(out) => out,
        Err(exit) => return Ok(exit),
    };
    let has_lines = flags.output.is_none() && !flags.shows_table() && io::stdout().is_terminal();
    let progress = sinks::progress(has_lines, "annotating");
    let inputs = flags.inputs.rereadable().context("cannot read the list on stdin")?;
    let sites = match model.columns().is_some() && !flags.alone {
        true => flags.sites(&model, &inputs, &progress),
        false => Vec::new(),
    };
    flags.keep(&model, &sites, &progress)?;
    let mut tally = Tally::default();
    pipeline::annotate(&model, &sites, inputs.read(), flags.n_threads(), |found| {
        progress.advance();
        match found {
            Ok(found) => {
                tally.count(&found.as_extracted(model.target()));
                out.take(&found, &model)
            }
            Err(error) => {
                tally.count_unreadable(&error, &progress);
                Ok(())
            }
        }
    })?;
    progress.now("writing");
    drop(progress);
    out.finish(&model)?;
    tally.tell();
    Ok(tally.exit())
}

/// Where data goes.
enum Out {
    Sink(Box<AnnotationSink>),
    /// The first pages; the others are only counted.
    Table {
        rows: Vec<Extracted>,
        limit: usize,
        n_more: usize,
    },
}

impl Out {
    fn take(&mut self, found: &Annotated, model: &Model) -> Result<(), SinkError> {
        match self {
            Out::Sink(sink) => return sink.write(found),
            Out::Table { rows, limit, .. } if rows.len() < *limit => {
                rows.push(found.as_extracted(model.target()));
            }
            Out::Table { n_more, .. } => *n_more += 1,
        }
        Ok(())
    }

    fn finish(self, model: &Model) -> Result<()> {
        let (rows, n_more) = match self {
            Out::Sink(sink) => return Ok(sink.finish()?),
            Out::Table { rows, n_more, .. } => (rows, n_more),
        };
        let schema = schema_of(model.target());
        let table = RecordTable::new(rows.len());
        let shown = table.show(model.target().name(), &schema, &rows, &mut io::stdout().lock());
        shown.context(CANNOT_WRITE)?;
        if n_more > 0 {
            talk::say(format_args!(
                "{n_more} more pages are not shown; --limit shows more, -o FILE has all"
            ));
        }
        Ok(())
    }
}

impl Flags {
    fn out(&self, model: &Model) -> Result<Out, SinkError> {
        let sink = match &self.output {
            Some(path) => AnnotationSink::create(path, model.target())?,
            None if self.shows_table() => {
                return Ok(Out::Table { rows: Vec::new(), limit: self.limit, n_more: 0 });
            }
            None => AnnotationSink::json_lines(io::stdout()),
        };
        Ok(Out::Sink(Box::new(sink)))
    }

    fn n_threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(pipeline::all_cores)
    }

    /// The wrappers of the templates that enough pages share. What cannot be read is told of when it is annotated.
    fn sites(
        &self,
        model: &Model,
        inputs: &Rereadable<'_>,
        progress: &Progress,
    ) -> Vec<NamedWrapper> {
        progress.now("learning the templates");
        let sites = site::wrappers_of(model, inputs.read().flatten(), self.n_threads());
        progress.now("annotating");
        sites
    }

    fn keep(&self, model: &Model, sites: &[NamedWrapper], progress: &Progress) -> Result<()> {
        let Some(path) = &self.keep else { return Ok(()) };
        if sites.is_empty() {
            let why = match model.columns() {
                None => "the model has not learnt from sites of five pages or more",
                Some(_) => "no five pages are of one template with columns of the schema",
            };
            progress.pause(|| talk::say(format_args!("no wrapper to keep: {why}")));
        }
        for (nth, site) in sites.iter().enumerate() {
            wrapper_file::write(&path_of(path, nth + 1, sites.len()), &site.wrapper)?;
        }
        Ok(())
    }

    fn shows_table(&self) -> bool {
        self.table || !self.json && io::stdout().is_terminal()
    }
}
