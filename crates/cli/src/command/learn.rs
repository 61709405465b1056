//! `pagemill learn`: from pages of one template to its schema.

use super::inputs::{Inputs, Rereadable};
use super::tally::Tally;
use super::wrapper_file;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::{CANNOT_WRITE, file, safe, talk};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use pagemill::learning::{Learning, SET_ASIDE};
use pagemill::pipeline;
use pagemill::pool::Pool;
use pagemill::sink::{Row, json_line};
use pagemill::wrapper::{Example, Field, Named};
use pagemill::{InputError, InputPage, LearnConfig, Learnt, Method, Page, Schema, Status, Wrapper};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill learn shop/*.html                     what these pages have in common, as a tree
  pagemill learn shop/ --data books.jsonl        and the data of each page, a JSON line a page
  pagemill learn shop/ --show json-schema        the schema for other programs
  pagemill learn shop/ -o shop.json              a wrapper, for pagemill extract shop.json more/
  pagemill learn shop/ --name price=19.99        call the column that has 19.99 on one of the pages price

Of more than 30 pages it learns from few: it takes those that do not fit what the ones before have taught it, until all fit
or it does not help, and says how many pages fit in the end. --all learns from all of them.

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

    /// Learn from all pages, however many; if not given, from those of many that teach something
    #[arg(long, conflicts_with = "max_pages")]
    all: bool,

    /// Learn from this many pages at most; if not given, from a tenth of them, but from 10 at least and 60 at most
    #[arg(long, value_name = "N")]
    max_pages: Option<NonZeroUsize>,

    /// Call the column that has VALUE on one of the pages NAME; several of one NAME are of one column
    #[arg(long = "name", value_name = "NAME=VALUE", value_parser = example)]
    names: Vec<Example>,

    /// Which way to go from the pages to their schema
    #[arg(long, value_enum, default_value_t = Way::TopDown)]
    method: Way,

    /// How to show the schema
    #[arg(long, value_enum, default_value_t = Show::Tree)]
    show: Show,

    /// Also give, in the data, what says the same everywhere; learns from all pages
    #[arg(long, conflicts_with = "max_pages")]
    template: bool,

    /// Tell what was considered, and why it was taken or left; and, of many pages, which were learnt from
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
    let inputs = flags.inputs.rereadable().context("cannot read the list on stdin")?;
    let mut reader = inputs.pages();
    let learning = flags.learning();
    let mut pool = learning.pool();
    let progress = Progress::pages("reading");
    while let Some(page) = reader.next() {
        pool.add(page);
        progress.advance();
    }
    let n_failed = reader.n_failed;
    if pool.n_added() == 0 && n_failed > 0 {
        return Ok(Exit::SomeFailed);
    }
    let schema = match learning.is_from_all(pool.n_added()) {
        true => learn_from_all(flags, &learning, pool.into_pages(), progress)?,
        false => learn_from_few(flags, &learning, pool, &inputs, progress)?,
    };
    let Some(schema) = schema else { return Ok(Exit::Usage) };
    show(flags.show, &schema).context(CANNOT_WRITE)?;
    Ok(Exit::of(n_columns(&schema.fields), n_failed))
}

/// The schema, or none if it has no column for a name.
fn learn_from_all(
    flags: &Flags,
    learning: &Learning,
    inputs: Vec<InputPage>,
    progress: Progress,
) -> Result<Option<Schema>> {
    progress.now("learning");
    let (ids, pages): (Vec<String>, Vec<Page>) =
        inputs.into_iter().map(|input| (input.id.clone(), input.parse())).unzip();
    let mut learnt = learning.from_all(pages)?;
    drop(progress);
    if !name(learning, &mut learnt) {
        return Ok(None);
    }
    tell(&ids, &learnt);
    if let Some(path) = &flags.data {
        file::write(path, |out| write_data(&ids, &learnt, out))?;
    }
    flags.write(&learnt.wrapper)?;
    Ok(Some(learnt.schema().clone()))
}

fn learn_from_few(
    flags: &Flags,
    learning: &Learning,
    pool: Pool,
    inputs: &Rereadable<'_>,
    progress: Progress,
) -> Result<Option<Schema>> {
    let (n_pages, is_whole) = (pool.n_added(), pool.is_whole());
    let pages = pool.into_pages();
    let mut trained = learning.from_few(&pages, |round| {
        progress.now(format!("learning from {} pages, {} fit", round.n_taken, round.n_verified));
    })?;
    let ids: Vec<String> = trained.taken.iter().map(|taken| pages[*taken].id.clone()).collect();
    progress.now("extracting");
    if !name(learning, &mut trained.learnt) {
        return Ok(None);
    }
    let wrapper = &trained.learnt.wrapper;
    // What is not held is read again; of what cannot be read the user has been told.
    let tally = match is_whole {
        true => flags.extract(wrapper, pages.into_iter().map(Ok))?,
        false => flags.extract(wrapper, inputs.read())?,
    };
    drop(progress);
    for note in &trained.learnt.explanation {
        talk::say_block(note);
    }
    for id in ids.iter().filter(|_| flags.explain) {
        talk::say(format_args!("learnt from {id:?}"));
    }
    let n_columns = n_columns(&wrapper.schema().fields);
    let (n_taken, numbers) = (ids.len(), tally.numbers(""));
    talk::say(format_args!(
        "{n_columns} columns learnt from {n_taken} of {n_pages} pages; {numbers}"
    ));
    tally.tell_first();
    flags.write(wrapper)?;
    Ok(Some(wrapper.schema().clone()))
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

    fn learning(&self) -> Learning {
        Learning {
            config: self.config(),
            takes_all: self.all || self.template,
            max_pages: self.max_pages,
            names: self.names.clone(),
        }
    }

    /// How many pages fit; and their data, if that was asked for.
    fn extract(
        &self,
        wrapper: &Wrapper,
        pages: impl Iterator<Item = Result<InputPage, InputError>> + Send + 'static,
    ) -> Result<Tally> {
        let mut tally = Tally::default();
        let extract = |out: &mut dyn Write| {
            pipeline::extract(wrapper, pages, pipeline::all_cores(), |found| {
                let Ok(found) = found else { return Ok(()) };
                tally.count(found);
                out.write_all(&json_line(&found.row(), None)?)
            })
        };
        match &self.data {
            Some(path) => file::write(path, extract)?,
            None => extract(&mut io::sink())?,
        }
        Ok(tally)
    }

    /// What was learnt, if that was asked for.
    fn write(&self, wrapper: &Wrapper) -> Result<()> {
        if let Some(path) = &self.output {
            wrapper_file::write(path, wrapper)?;
        }
        Ok(())
    }
}

/// Call columns by the names that were given; and say so if that cannot be done.
fn name(learning: &Learning, learnt: &mut Learnt) -> bool {
    match learning.name(learnt) {
        Ok(named) => {
            named.iter().for_each(tell_named);
            true
        }
        Err(error) => {
            talk::say(error);
            false
        }
    }
}

fn write_data(ids: &[String], learnt: &Learnt, out: &mut dyn Write) -> io::Result<()> {
    for (id, data) in ids.iter().zip(&learnt.data) {
        let (status, problems) = match data {
            Some(_) => (Status::Verified, Vec::new()),
            None => (Status::Failed, vec![SET_ASIDE.to_owned()]),
        };
        let row = Row { page: id, status, data: data.as_ref(), problems: &problems, warnings: &[] };
        out.write_all(&json_line(&row, None)?)?;
    }
    Ok(())
}

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

/// `price=$9.99`
fn example(text: &str) -> Result<Example, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok(Example { name: name.trim().to_owned(), value: value.trim().to_owned() })
        }
        _ => Err("an example is a name and a value on a page, such as price=19.99".into()),
    }
}

fn tell_named(named: &Named) {
    let Named { was, path, others, displaced } = named;
    match was == path {
        true => talk::say(format_args!("{path} is called so already")),
        false => talk::say(format_args!("{was} is called {path}")),
    }
    if let Some((was, is)) = displaced {
        talk::say(format_args!("what was called {was} is called {is} now"));
    }
    if !others.is_empty() {
        talk::say(format_args!("other columns with the value of {path}: {}", others.join(", ")));
    }
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
