//! `pagemill regions`: what a single page lists, without any other of its site.

use super::inputs::Inputs;
use crate::exit::Exit;
use crate::output::regions::RegionTable;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::Context;
use clap::{Args, ValueEnum};
use pagemill::InputPage;
use pagemill::listing::{self, Listing};
use pagemill::regions::{Config, Dictionary};
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  pagemill regions staff.html                    what the page lists, as tables
  pagemill regions site/ | jq .data.people       the people of each page, as JSON lines
  pagemill regions --kind units departments.html only departments and colleges
  pagemill regions --kind records list.html      rows, cards and lines, whatever they are about
  pagemill regions list.html --png list.png      outlined in a picture of the page
  pagemill regions site/ --dictionary names.txt  with names of your own: lines such as
                                                 surname: Quillfeather, Thistlewood

Each page is read by itself. Each JSON line has: page, and data with people (name, title, rank, email,
phone, url, photo, unit, heading) and units (name, url, kind), each with its score and its leaf as of
pagemill leaves; what is not known is left out. Of a page that lists people, units are only given with
--kind units. Other records are in main, the set that the page is about, and in sets, the others: each
has its kind, its score, why, the XPath of what holds it, and its records as objects. What is told as
people or units is not told again, but with --kind records.";

/// Show what single pages list: records of any kind, people, departments and other units
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    #[command(flatten)]
    inputs: Inputs,

    /// What to look for
    #[arg(long, value_enum, default_value_t = Kind::Any)]
    kind: Kind,

    /// Names and words of your own, added to those that are built in; may be given several times
    #[arg(long, value_name = "FILE")]
    dictionary: Vec<PathBuf>,

    /// Draw the first page, what was found outlined; .svg or .png
    #[arg(long, value_name = "FILE", value_parser = super::render::picture_file)]
    png: Option<PathBuf>,

    /// At most this many rows of each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Print JSON lines, also on a terminal
    #[arg(long, conflicts_with = "table")]
    json: bool,

    /// Print tables, also into a pipe
    #[arg(long)]
    table: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Names of people, with what is said beside them
    People,
    /// Departments, colleges and the like
    Units,
    /// Whatever repeats: rows, cards, lines
    Records,
    /// All of these
    Any,
}

impl From<Kind> for listing::Kind {
    fn from(kind: Kind) -> listing::Kind {
        match kind {
            Kind::People => listing::Kind::People,
            Kind::Units => listing::Kind::Units,
            Kind::Records => listing::Kind::Records,
            Kind::Any => listing::Kind::Any,
        }
    }
}

pub(super) fn run(flags: &Flags) -> anyhow::Result<Exit> {
    let config = match flags.config() {
        Ok(config) => config,
        Err(error) => {
            talk::say(format_args!("{error:#}"));
            return Ok(Exit::Usage);
        }
    };
    let stdout = io::stdout();
    let is_table = flags.table || (stdout.is_terminal() && !flags.json);
    let mut table = RegionTable::new(flags.limit);
    let mut out = BufWriter::with_capacity(64 << 10, stdout.lock());
    let mut pages = flags.inputs.pages();
    let (mut n_found, mut n_pages) = (0, 0);
    while let Some(input) = pages.next() {
        let page = input.parse();
        let leaves = page.leaves();
        let found = Listing::new(&input, &page, &leaves, flags.kind.into(), &config, None);
        if let Some(path) = flags.png.as_ref().filter(|_| n_pages == 0) {
            flags.draw(&input, &config, path)?;
        }
        n_pages += 1;
        n_found += found.len();
        let shown = if is_table {
            table.show(&found, &mut out)
        } else {
            writeln!(out, "{}", found.to_json())
        };
        shown.and_then(|()| out.flush()).context(CANNOT_WRITE)?;
    }
    if flags.png.is_some() && n_pages > 1 {
        talk::say("drew the first of these pages");
    }
    Ok(Exit::of(n_found, pages.n_failed))
}

impl Flags {
    fn config(&self) -> anyhow::Result<Config> {
        let mut dictionary = Dictionary::built_in();
        for path in &self.dictionary {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {path:?}"))?;
            let more = dictionary
                .with_text(&text)
                .with_context(|| format!("{path:?} is no dictionary"))?;
            dictionary = Arc::new(more);
        }
        Ok(Config { dictionary, ..Config::default() })
    }

    fn draw(&self, input: &InputPage, config: &Config, path: &Path) -> anyhow::Result<()> {
        let place = self.inputs.first();
        let n_leaves = super::render::draw_fields(input, place, path, |page, leaves, boxes| {
            Listing::new(input, page, leaves, self.kind.into(), config, boxes).marks()
        })?;
        if n_leaves == 0 {
            talk::say(format_args!("{:?} shows nothing: no picture", input.id));
        }
        Ok(())
    }
}
