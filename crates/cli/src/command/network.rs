//! `pagemill network`: asking a network, and all else that is done with one.

mod doubts;
mod show;

use crate::exit::Exit;
use crate::output::{CANNOT_WRITE, file, rows, talk};
use anyhow::{Context, Result};
use clap::{Args, Subcommand, ValueEnum};
use pagemill::network::{
    self, Answer, AnswerValue, Done, ExportError, Format, Network, Source, Table,
};
use pagemill::wrapper::escape::Escaping;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pagemill network u.db                       what there is, by class
  pagemill network u.db 'query Department $d[Faculty: $p] construct $d, count($p)'
  pagemill network u.db define university     make a network, by a schema that is built in
  pagemill network u.db run facts.inm         run the statements of a file
  pagemill network u.db show 'Department of Chemistry'
  pagemill network u.db export --format ttl -o u.ttl
  pagemill network u.db doubts                what may be wrong; then join, or split
  pagemill network u.db draw -o u.svg         its units, with how many people they have

The language is described in docs/network.md.";

/// Ask an information network, or change, show, export and draw it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_precedence_over_arg = true)]
pub(super) struct Flags {
    /// The network: a file, also that of a crawl, or an address such as postgres://user@host/name
    #[arg(value_name = "STORE")]
    store: String,

    /// What to ask; without it, how many objects there are of each class
    #[arg(value_name = "QUERY")]
    query: Option<String>,

    /// Print JSON lines, also on a terminal
    #[arg(long, global = true)]
    json: bool,

    /// Print the SQL of the query, and how the database goes about it
    #[arg(long)]
    explain: bool,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add the classes of a schema; a network that is not there is made
    Define {
        /// A file, or one that is built in: university, shop
        #[arg(value_name = "SCHEMA")]
        schema: String,
    },
    /// Run the statements of files, each all or nothing; a network that is not there is made
    Run {
        /// Files of statements, or - for stdin
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Show all there is of an object: its attributes, what it is in each context, and who says so
    Show {
        /// Its name, or its number as #17
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Write the whole network as a file
    Export {
        /// The format; if not given, the one that the file's name ends with
        #[arg(long, value_enum)]
        format: Option<FormatFlag>,
        /// The file, which appears when it is whole; if not given, stdout
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Read the pages of a crawl's store, and write what they say, as a plan has it
    Gather {
        /// The plan that says which pages give what: university, shop, or a file
        #[arg(long, value_name = "PLAN")]
        plan: String,
        /// The store with the pages, if the network is elsewhere
        #[arg(long, value_name = "STORE")]
        pages: Option<String>,
    },
    /// List what may be wrong: objects that may be one, or two, or elsewhere
    Doubts {
        /// Those that were decided too
        #[arg(long)]
        all: bool,
    },
    /// Make one object of two: the first gets all that the second has
    Join {
        /// Its name, or its number as #17
        #[arg(value_name = "A")]
        a: String,
        /// Its name, or its number as #18
        #[arg(value_name = "B")]
        b: String,
    },
    /// Undo a join, or say of two objects that they are two; or make two of one by a page
    Split {
        /// The number of a doubt; or the name of an object, with --page
        #[arg(value_name = "DOUBT")]
        what: String,
        /// What only this page says becomes an object of its own
        #[arg(long, value_name = "URL")]
        page: Option<String>,
    },
    /// Draw the tree of units, with how many people they have
    Draw {
        /// The picture
        #[arg(short, long, value_name = "FILE.svg")]
        output: PathBuf,
    },
}

/// The formats by their names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatFlag {
    Jsonl,
    Csv,
    Graphml,
    Ttl,
    Inm,
}

impl From<FormatFlag> for Format {
    fn from(flag: FormatFlag) -> Format {
        match flag {
            FormatFlag::Jsonl => Format::JsonLines,
            FormatFlag::Csv => Format::Csv,
            FormatFlag::Graphml => Format::GraphMl,
            FormatFlag::Ttl => Format::Turtle,
            FormatFlag::Inm => Format::Inm,
        }
    }
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    match attempt(flags) {
        Ok(exit) => Ok(exit),
        Err(error) => told(error),
    }
}

/// What is wrong with a query or a name is wrong usage; what is wrong with the database is a failure.
fn told(error: anyhow::Error) -> Result<Exit> {
    let Some(wrong) = error.downcast_ref::<network::Error>() else { return Err(error) };
    talk::say(format_args!("{error:#}"));
    Ok(match wrong {
        network::Error::Syntax { .. }
        | network::Error::Check { .. }
        | network::Error::Object { .. } => Exit::Usage,
        _ => Exit::SomeFailed,
    })
}

fn attempt(flags: &Flags) -> Result<Exit> {
    let store = flags.store.as_str();
    match &flags.action {
        None => ask(flags),
        Some(Action::Define { schema }) => define(store, schema),
        Some(Action::Run { files }) => run_files(store, files, flags.json),
        Some(Action::Show { name }) => show::show(store, name, flags.json),
        Some(Action::Export { format, output }) => export(store, *format, output.as_deref()),
        Some(Action::Gather { plan, pages }) => gather(store, plan, pages.as_deref()),
        Some(Action::Doubts { all }) => doubts::list(store, *all, flags.json),
        Some(Action::Join { a, b }) => doubts::join(store, a, b),
        Some(Action::Split { what, page }) => doubts::split(store, what, page.as_deref()),
        Some(Action::Draw { output }) => draw(store, output),
    }
}

fn gather(store: &str, plan_name: &str, pages: Option<&str>) -> Result<Exit> {
    let pages = pages.unwrap_or(store);
    let plan = match super::plan_file::read(plan_name) {
        Ok(plan) => plan,
        Err(exit) => return Ok(exit),
    };
    match super::gathering::recipe(&plan) {
        Ok(Some(recipe)) => super::gathering::run(pages, store, &recipe).map(|()| Exit::Found),
        Ok(None) => {
            talk::say(format_args!(
                "the plan {plan_name:?} does not say what its pages are made into: it has no [network]"
            ));
            Ok(Exit::Usage)
        }
        Err(exit) => Ok(exit),
    }
}

/// How many objects there are of each class.
pub(super) const BY_CLASS: &str = "query $class $object construct $class, count($object)";

fn ask(flags: &Flags) -> Result<Exit> {
    let mut network = Network::open_existing(&flags.store)?;
    let query = flags.query.as_deref().unwrap_or(BY_CLASS);
    if flags.explain {
        write!(io::stdout().lock(), "{}", network.explain(query)?).context(CANNOT_WRITE)?;
        return Ok(Exit::Found);
    }
    let answer = network.query(query)?;
    print_answer(&answer, flags.json).context(CANNOT_WRITE)
}

fn print_answer(answer: &Answer, is_json: bool) -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    match answer {
        Answer::Truth(truth) => {
            writeln!(out, "{truth}")?;
            Ok(if *truth { Exit::Found } else { Exit::Nothing })
        }
        Answer::Table(table) => {
            match is_json || !io::stdout().is_terminal() {
                true => json_rows(table, &mut out)?,
                false => {
                    let texts: Vec<Vec<String>> = table
                        .rows
                        .iter()
                        .map(|row| row.iter().map(AnswerValue::text).collect())
                        .collect();
                    rows::show(&table.columns, &texts, &mut out)?;
                }
            }
            Ok(Exit::of(table.rows.len(), 0))
        }
    }
}

/// A row a line: objects by their names.
fn json_rows(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    for row in &table.rows {
        let line: Map<String, Value> =
            table.columns.iter().cloned().zip(row.iter().map(as_json)).collect();
        json_line(&Value::Object(line), out)?;
    }
    Ok(())
}

fn as_json(value: &AnswerValue) -> Value {
    match value {
        AnswerValue::Int(int) => json!(int),
        AnswerValue::Number(number) => json!(number),
        AnswerValue::Nothing => Value::Null,
        other => json!(other.text()),
    }
}

fn json_line(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
    writeln!(out)
}

fn define(store: &str, schema: &str) -> Result<Exit> {
    let text = match network::built_in(schema) {
        Some(text) => text.to_owned(),
        None => match std::fs::read_to_string(schema) {
            Ok(text) => text,
            Err(error) => {
                let names = network::built_in_names().join(", ");
                talk::say(format_args!(
                    "cannot read the schema {schema:?}: {error}; built in are {names}"
                ));
                return Ok(Exit::Usage);
            }
        },
    };
    // What is wrong with it must not leave a network behind.
    network::Schema::parse(&text).with_context(|| format!("cannot use {schema:?} as a schema"))?;
    let mut network = Network::open(store)?;
    network.define(&text)?;
    talk::say(format_args!("the network has {} classes", network.schema().classes().count()));
    Ok(Exit::Found)
}

fn run_files(store: &str, files: &[PathBuf], is_json: bool) -> Result<Exit> {
    let mut network = Network::open(store)?;
    let mut n_new = 0;
    let mut n_found = 0;
    for path in files {
        let text = read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut failed = Ok(());
        let ran = network.run_each(&text, &Source::by_hand(), |_, done| {
            match done {
                Done::Answer(answer) => {
                    let printed = print_answer(&answer, is_json);
                    failed = printed.map(|exit| n_found += usize::from(exit == Exit::Found));
                }
                Done::Changed(n) => n_new += n,
                Done::Defined => n_found += 1,
            }
            Ok(())
        });
        failed.context(CANNOT_WRITE)?;
        if let Err(error) = ran {
            talk::say(format_args!("{}: {error}; what stands before it was done", path.display()));
            return Ok(Exit::SomeFailed);
        }
    }
    talk::say(format_args!("{n_new} new facts"));
    Ok(Exit::of(n_found + usize::try_from(n_new).unwrap_or(usize::MAX), 0))
}

fn read(path: &Path) -> io::Result<String> {
    match path == Path::new("-") {
        true => io::read_to_string(io::stdin()),
        false => std::fs::read_to_string(path),
    }
}

fn export(store: &str, format: Option<FormatFlag>, output: Option<&Path>) -> Result<Exit> {
    let ending = output.and_then(Path::extension).and_then(|ending| ending.to_str());
    let format = format.map(Format::from).or_else(|| ending.and_then(Format::named));
    let Some(format) = format else {
        let names = Format::ALL.map(Format::name).join(", ");
        talk::say(format_args!("say the format with --format, or by the file's name: {names}"));
        return Ok(Exit::Usage);
    };
    let mut network = Network::open_existing(store)?;
    let mut failed = None;
    let mut write = |out: &mut dyn Write| match network.export(format, out) {
        Ok(()) => Ok(()),
        Err(ExportError::Write(error)) => Err(error),
        Err(ExportError::Network(error)) => {
            failed = Some(error);
            Err(io::Error::other("the network cannot be read"))
        }
    };
    let written = match output {
        Some(path) => file::write(path, |out| write(&mut io::BufWriter::new(out))),
        None => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            write(&mut out).and_then(|()| out.flush()).context(CANNOT_WRITE)
        }
    };
    match failed {
        Some(error) => Err(error.into()),
        None => written.map(|()| Exit::Found),
    }
}

fn draw(store: &str, output: &Path) -> Result<Exit> {
    let drawing = Network::open_existing(store)?.draw()?;
    file::write(output, |out| out.write_all(drawing.as_bytes()))?;
    Ok(Exit::Found)
}
