//! `pagemill columns`: what a wrapper extracts, and changes of it.

use super::wrapper_file;
use crate::exit::Exit;
use crate::output::safe::safe;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use pagemill::DataType;
use pagemill::wrapper::escape::Escaping;
use pagemill::wrapper::{Edit, Field, Schema};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill columns shop.json                                what it extracts
  pagemill columns shop.json rename books.money price       call a column of the set books otherwise
  pagemill columns shop.json merge price sale_price         one column: the first that a page has
  pagemill columns shop.json merge price offer --as amount  the same, under another name
  pagemill columns shop.json split amount                   take it apart again
  pagemill columns shop.json drop cookie_banner             leave a column out
  pagemill columns shop.json keep cookie_banner             bring it back
  pagemill columns shop.json type isbn string               take its values as texts
  pagemill columns shop.json undo                           take back the last change

A column of a set is named by its path, such as books.price. The file is changed in place, or, with
-o, a new one written. What was learnt stays in it, beside the list of changes: pagemill repair makes
these again on what it learns.";

/// List the columns of a wrapper, or rename, merge, split, drop, keep or retype some
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// What pagemill learn -o has written
    wrapper: PathBuf,

    #[command(subcommand)]
    change: Option<Change>,

    /// Write the changed wrapper here and leave the old one as it is
    #[arg(short, long, value_name = "FILE", global = true)]
    output: Option<PathBuf>,

    /// List as JSON lines
    #[arg(long)]
    json: bool,

    /// List also what says the same on all pages, and whole texts beside their values
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Subcommand)]
enum Change {
    /// Call a column or set by another name
    Rename {
        /// Its path
        column: String,
        /// Its new name
        name: String,
    },
    /// Make one column of several: each page or record gives the first that it has
    Merge {
        /// Their paths; the first wins
        #[arg(value_name = "COLUMN", required = true, num_args = 2..)]
        columns: Vec<String>,
        /// The name of what they become; if not given, that of the first
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
    },
    /// Take apart what was merged, or a column that is read from several places
    Split {
        /// Its path
        column: String,
    },
    /// Leave out a column or set
    Drop {
        /// Their paths
        #[arg(value_name = "COLUMN", required = true)]
        columns: Vec<String>,
    },
    /// Bring back what was dropped, or give what says the same on all pages
    Keep {
        /// Their paths
        #[arg(value_name = "COLUMN", required = true)]
        columns: Vec<String>,
    },
    /// Take the values of a column as something else
    Type {
        /// Its path
        column: String,
        /// What its values are, such as money, date, number, string
        #[arg(value_name = "TYPE", value_parser = super::leaves::data_type)]
        data_type: DataType,
    },
    /// Take back the last change
    Undo,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let mut wrapper = match wrapper_file::read(&flags.wrapper) {
        Ok(wrapper) => wrapper,
        Err(exit) => return Ok(exit),
    };
    let target = flags.output.as_ref().unwrap_or(&flags.wrapper);
    match &flags.change {
        None if flags.output.is_some() => {
            talk::say("nothing to write: -o goes with a change, such as rename or drop");
            Ok(Exit::Usage)
        }
        None => flags.list(wrapper.schema()),
        Some(Change::Undo) => match wrapper.undo() {
            Some(edit) => {
                wrapper_file::write(target, &wrapper)?;
                talk::say(format_args!("taken back: {}", in_words(&edit)));
                Ok(Exit::Found)
            }
            None => {
                talk::say("nothing to take back: this wrapper is as it was learnt");
                Ok(Exit::Usage)
            }
        },
        Some(change) => match wrapper.edit_all(change.edits()) {
            Ok(()) => wrapper_file::write(target, &wrapper).map(|()| Exit::Found),
            Err(error) => {
                talk::say(format_args!("cannot change {:?}: {error}", flags.wrapper));
                Ok(Exit::Usage)
            }
        },
    }
}

impl Change {
    fn edits(&self) -> Vec<Edit> {
        match self {
            Change::Rename { column, name } => vec![Edit::rename(column, name)],
            Change::Merge { columns, name: None } => vec![Edit::merge(columns)],
            Change::Merge { columns, name: Some(name) } => vec![Edit::merge_as(columns, name)],
            Change::Split { column } => vec![Edit::split(column)],
            Change::Drop { columns } => columns.iter().map(Edit::drop).collect(),
            Change::Keep { columns } => columns.iter().map(Edit::keep).collect(),
            Change::Type { column, data_type } => vec![Edit::set_type(column, *data_type)],
            Change::Undo => Vec::new(),
        }
    }
}

fn in_words(edit: &Edit) -> String {
    match edit {
        Edit::Rename { path, name } => format!("rename {path} {name}"),
        Edit::Merge { paths, name } => format!("merge {} --as {name}", paths.join(" ")),
        Edit::Split { path } => format!("split {path}"),
        Edit::Drop { path } => format!("drop {path}"),
        Edit::Keep { path } => format!("keep {path}"),
        Edit::Type { path, data_type } => format!("type {path} {}", data_type.name()),
        _ => "a change".into(),
    }
}

impl Flags {
    fn list(&self, schema: &Schema) -> Result<Exit> {
        let paths: Vec<(String, &Field)> =
            schema.paths().into_iter().filter(|(_, field)| self.all || field.is_data()).collect();
        let mut out = io::stdout().lock();
        let listed = match self.json {
            true => list_json(&paths, &mut out),
            false => list_table(&paths, &mut out),
        };
        listed.and_then(|()| out.flush()).context(CANNOT_WRITE)?;
        Ok(Exit::of(paths.len(), 0))
    }
}

/// Longer examples are cut.
const MAX_EXAMPLES: usize = 60;

fn list_table(paths: &[(String, &Field)], out: &mut dyn Write) -> io::Result<()> {
    let width = paths.iter().map(|(path, _)| path.chars().count()).max().unwrap_or_default();
    for (path, field) in paths {
        let (kind, said) = match field {
            Field::Column(column) => (column.data_type.name(), column.examples.join(" · ")),
            Field::Set(set) => ("set", format!("{} records", set.n_records)),
        };
        let share = format!("{}%", field.density() / 10);
        let said: String = said.chars().take(MAX_EXAMPLES).collect();
        let line = format!("{path:width$}  {kind:10} {share:>4}  {said}");
        writeln!(out, "{}", safe(line.trim_end()))?;
    }
    Ok(())
}

fn list_json(paths: &[(String, &Field)], out: &mut dyn Write) -> io::Result<()> {
    for (path, field) in paths {
        let share = f64::from(field.density()) / 1000.0;
        let line = match field {
            Field::Column(column) => json!({
                "path": path, "type": column.data_type.name(), "share": share,
                "label": column.label, "examples": column.examples,
            }),
            Field::Set(set) => {
                json!({ "path": path, "type": "set", "share": share, "records": set.n_records })
            }
        };
        line.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
