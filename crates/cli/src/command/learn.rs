//! `pagemill learn`: from pages of one template to its schema.

use super::inputs::Inputs;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::{CANNOT_WRITE, file, safe, talk};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use pagemill::wrapper::{Field, LearnConfig, Learnt, Method, Schema, learn};
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill learn shop/*.html                     what these pages have in common, as a tree
  pagemill learn shop/ --data books.jsonl        and the data of each page, a JSON line a page
  pagemill learn shop/ --show json-schema        the schema for other programs
  pagemill learn shop/ -o shop.json              a wrapper, for pagemill extract shop.json more/

In the tree, ? marks what not every page or record has, | one of several alternatives, and the share is that of pages or
records that have it. Words in brackets stand around the value in its own text; the data has both. A name comes from the
label or table header that introduces a value, or from what the markup calls it. What says the same on every page is
template and left out; --template gives it in the data.";

/// Learn the template of some pages: its columns, its sets of records, and a name for each
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    #[command(flatten)]
    inputs: Inputs,

    /// Write what was learnt: a wrapper, for pagemill extract
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the data of the pages, a JSON line a page
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// Which way to go from the pages to their schema
    #[arg(long, value_enum, default_value_t = Way::TopDown)]
    method: Way,

    /// How to show the schema
    #[arg(long, value_enum, default_value_t = Show::Tree)]
    show: Show,

    /// Also give, in the data, what says the same everywhere
    #[arg(long)]
    template: bool,

    /// Tell what was considered, and why it was taken or left
    #[arg(long)]
    explain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Way {
    /// Descend from the root, and tell apart what stands at each place
    TopDown,
    /// Compare pages as sequences of leaves, as the UWIDE paper does: for comparison
    Uwide,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Show {
    Tree,
    Dtd,
    JsonSchema,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let mut inputs = flags.inputs.pages();
    let (mut ids, mut pages) = (Vec::new(), Vec::new());
    let progress = Progress::pages("reading");
    while let Some(input) = inputs.next() {
        pages.push(input.parse());
        ids.push(input.id);
        progress.advance();
    }
    if pages.is_empty() && inputs.n_failed > 0 {
        return Ok(Exit::SomeFailed);
    }
    progress.now("learning");
    let learnt = learn(pages, &flags.config())?;
    drop(progress);
    tell(&ids, &learnt);
    flags.write(&ids, &learnt)?;
    show(flags.show, learnt.schema()).context(CANNOT_WRITE)?;
    Ok(Exit::of(n_columns(&learnt.schema().fields), inputs.n_failed))
}

impl Flags {
    fn config(&self) -> LearnConfig {
        let method = match self.method {
            Way::TopDown => Method::TopDown,
            Way::Uwide => Method::Uwide,
        };
        LearnConfig::default()
            .with_method(method)
            .with_template(self.template)
            .with_explanation(self.explain)
    }

    fn write(&self, ids: &[String], learnt: &Learnt) -> Result<()> {
        if let Some(path) = &self.data {
            file::write(path, |out| write_data(ids, learnt, out))?;
        }
        if let Some(path) = &self.output {
            let wrapper = learnt.wrapper.to_json();
            let wrapper = wrapper.with_context(|| format!("cannot write {path:?}"))?;
            file::write(path, |out| out.write_all(wrapper.as_bytes()))?;
        }
        Ok(())
    }
}

fn write_data(ids: &[String], learnt: &Learnt, out: &mut dyn Write) -> io::Result<()> {
    for (id, data) in ids.iter().zip(&learnt.data) {
        let line = match data {
            Some(data) => json!({ "page": id, "status": "verified", "data": data, "problems": [] }),
            None => {
                json!({ "page": id, "status": "failed", "data": null, "problems": [SET_ASIDE] })
            }
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

const SET_ASIDE: &str = "another template than most of the pages";

fn tell(ids: &[String], learnt: &Learnt) {
    for note in &learnt.explanation {
        talk::say_block(note);
    }
    for (id, _) in ids.iter().zip(&learnt.data).filter(|(_, data)| data.is_none()) {
        talk::say(format_args!("{id:?}: set aside, {SET_ASIDE}"));
    }
    let n_learnt = ids.len() - learnt.n_set_aside();
    let n_columns = n_columns(&learnt.schema().fields);
    talk::say(format_args!("{n_columns} columns learnt from {n_learnt} pages"));
}

fn show(show: Show, schema: &Schema) -> io::Result<()> {
    let text = match show {
        Show::Tree => schema.to_string(),
        Show::Dtd => schema.to_dtd(),
        Show::JsonSchema => format!("{:#}\n", schema.to_json_schema()),
    };
    let mut out = io::stdout().lock();
    for line in text.lines() {
        writeln!(out, "{}", safe::safe(line))?;
    }
    out.flush()
}

/// Columns that hold data, those of records included.
fn n_columns(fields: &[Field]) -> usize {
    fields
        .iter()
        .map(|field| match field {
            Field::Column(column) => usize::from(!column.is_template),
            Field::Set(set) => n_columns(&set.fields),
        })
        .sum()
}
