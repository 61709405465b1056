//! `pagemill get`: from pages of any kinds to their data, without a step in between.

use super::inputs::Inputs;
use super::sinks::is_usage;
use super::wrapper_file;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::records::RecordTable;
use crate::output::{CANNOT_WRITE, file, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::get::{Group, Single, Step, get};
use pagemill::pool::Pool;
use pagemill::sink::{is_known, json_line};
use pagemill::{Sink, SinkConfig, SinkError, Status};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pagemill get shop/                        a table for each kind of page on a terminal
  pagemill get shop/ | jq .data             JSON lines in a pipe, each with its group
  pagemill get list.html                    the records of a single page
  pagemill get shop/ -o books.csv           a file for each kind: books-1.csv, books-2.csv
  pagemill get shop/ --keep shop.json       what was learnt, for pagemill extract shop.json more/

Pages that are alike make a group, the largest first, and each group is learnt by itself. Of a page
that is the only one of its kind, the records it is about are given; if it has none it is named.
With --keep it is learnt too, and all its records are given. With -o, the tables are
shown and the data goes to FILE. A .jsonl file has the lines of all groups; other formats have one
schema a file, so if there are several groups, FILE gets their numbers. All pages are held in
memory; for more than that, learn from some and extract the others.";

/// Get the data of pages, whatever they are: sort them by template, learn each, extract
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    #[command(flatten)]
    inputs: Inputs,

    /// Write the data to a file, in the format that its name tells: .jsonl, .csv, .parquet, .db
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep what was learnt: a wrapper for pagemill extract; of several groups FILE-1, FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    /// At most this many rows of each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Print JSON lines, also on a terminal
    #[arg(long, conflicts_with_all = ["table", "output"])]
    json: bool,

    /// Print tables, also into a pipe
    #[arg(long)]
    table: bool,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    // Now, because learning may take its time.
    if let Some(path) = flags.output.as_ref().filter(|path| !is_known(path)) {
        talk::say(SinkError::UnknownFormat { path: path.clone() });
        return Ok(Exit::Usage);
    }
    let mut reader = flags.inputs.pages();
    let mut pool = Pool::default().with_max_bytes(usize::MAX);
    let progress = Progress::pages("reading");
    while let Some(page) = reader.next() {
        pool.add(page);
        progress.advance();
    }
    let n_unreadable = reader.n_failed;
    let pages = pool.into_pages();
    if pages.is_empty() && n_unreadable > 0 {
        return Ok(Exit::SomeFailed);
    }
    let got = get(pages, flags.single(), |step| match step {
        Step::Sorting => progress.now("telling templates apart"),
        Step::Learning(n_pages) => progress.now(format!("learning from {n_pages} pages")),
    })?;
    drop(progress);
    got.without_data.iter().for_each(|ids| tell_alone(ids));
    for id in &got.without_leaves {
        talk::say(format_args!("{id:?} shows nothing: it may need scripts to be read"));
    }
    let groups = got.groups;
    match flags.put(&groups) {
        Err(error) if error.downcast_ref().is_some_and(is_usage) => {
            talk::say(format_args!("{error:#}"));
            return Ok(Exit::Usage);
        }
        put => put?,
    }
    flags.tell_next(&groups);
    let all = || groups.iter().flat_map(|group| &group.pages);
    let n_found = all().filter(|page| page.data.is_some()).count();
    let n_failed = all().filter(|page| page.status == Status::Failed).count();
    Ok(Exit::of(n_found, n_failed + n_unreadable))
}

/// No more pages than this are named at once.
const MAX_NAMED: usize = 3;

fn tell_alone(ids: &[String]) {
    let named: Vec<String> = ids.iter().take(MAX_NAMED).map(|id| format!("{id:?}")).collect();
    let more = match ids.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let why = match ids.len() {
        1 => "the only page of its kind, without records; add pages of the same kind",
        _ => "these pages say the same; add pages of the same kind",
    };
    talk::say(format_args!("{}{more}: {why}", named.join(", ")));
}

impl Flags {
    /// A wrapper is only made of what was learnt.
    fn single(&self) -> Single {
        if self.keep.is_some() { Single::Learn } else { Single::Read }
    }

    /// The data to where it was wanted.
    fn put(&self, groups: &[Group]) -> Result<()> {
        if let Some(path) = &self.output {
            write(path, groups)?;
        }
        if let Some(path) = &self.keep {
            for (number, group) in (1..).zip(groups) {
                if let Some(wrapper) = &group.wrapper {
                    wrapper_file::write(&path_of(path, number, groups.len()), wrapper)?;
                }
            }
        }
        let is_table = self.table || self.output.is_some() || io::stdout().is_terminal();
        let mut out = BufWriter::new(io::stdout().lock());
        let shown = match is_table && !self.json {
            true => self.show_tables(groups, &mut out),
            false => write_lines(groups, &mut out),
        };
        shown.and_then(|()| out.flush()).context(CANNOT_WRITE)
    }

    fn show_tables(&self, groups: &[Group], out: &mut dyn Write) -> io::Result<()> {
        let table = RecordTable::new(self.limit);
        for (number, group) in (1..).zip(groups) {
            if number > 1 {
                writeln!(out)?;
            }
            let title = format!("group {number}");
            table.show(&title, &group.schema, &group.pages, out)?;
        }
        Ok(())
    }

    /// What to do next, as a command that can be run.
    fn tell_next(&self, groups: &[Group]) {
        let n_groups = groups.len();
        for output in self.output.iter().filter(|path| n_groups > 1 && !is_json_lines(path)) {
            let name = |number| path_of(output, number, n_groups);
            talk::say(format_args!("written to {:?} to {:?}", name(1), name(n_groups)));
        }
        match &self.keep {
            None if n_groups > 0 => {
                let inputs = self.inputs.shown();
                talk::say(format_args!(
                    "for more pages like these: pagemill get {inputs} --keep site.json, then pagemill extract site.json MORE"
                ));
            }
            Some(path) if n_groups > 0 => {
                let path = path_of(path, 1, n_groups);
                talk::say(format_args!(
                    "for more pages like those of group 1: pagemill extract {} MORE",
                    path.display()
                ));
            }
            _ => {}
        }
    }
}

fn write_lines(groups: &[Group], out: &mut dyn Write) -> io::Result<()> {
    for (number, group) in (1..).zip(groups) {
        for page in &group.pages {
            out.write_all(&json_line(&page.row(), Some(number))?)?;
        }
    }
    Ok(())
}

fn write(path: &Path, groups: &[Group]) -> Result<()> {
    if is_json_lines(path) {
        return file::write(path, |out| write_lines(groups, out));
    }
    for (number, group) in (1..).zip(groups) {
        let path = path_of(path, number, groups.len());
        let mut sink = Sink::create(&path, &group.schema, &SinkConfig::default())?;
        for page in &group.pages {
            sink.write(&page.row())?;
        }
        sink.finish()?;
    }
    Ok(())
}

fn is_json_lines(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    matches!(&*extension, "jsonl" | "ndjson")
}

/// The file of a group: with its number, if there are several.
pub(super) fn path_of(path: &Path, number: usize, n_groups: usize) -> PathBuf {
    if n_groups <= 1 {
        return path.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // What comes after the first dot tells the format, as in .csv.gz.
    let (stem, rest) = name.split_at(name.find('.').filter(|dot| *dot > 0).unwrap_or(name.len()));
    path.with_file_name(format!("{stem}-{number}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_several_groups_are_numbered() {
        let check = |path: &str, n_groups, expected: &str| {
            assert_eq!(path_of(Path::new(path), 2, n_groups), Path::new(expected));
        };
        check("a/books.csv", 1, "a/books.csv");
        check("a/books.csv", 2, "a/books-2.csv");
        check("a.b/books.csv.gz", 3, "a.b/books-2.csv.gz");
        check("books", 3, "books-2");
        check(".db", 3, ".db-2");
    }
}
