//! `pagemill leaves`: what is on a page, piece by piece.

use super::inputs::Inputs;
use crate::exit::Exit;
use crate::output::json::JsonLeaves;
use crate::output::table::LeafTable;
use crate::output::{CANNOT_WRITE, Selection, Show, talk};
use anyhow::Context;
use clap::Args;
use pagemill::{DataType, InputPage, Leaf, Leaves, Page};
use std::io::{self, BufWriter, IsTerminal, Write};

const EXAMPLES: &str = "\
Examples:
  pagemill leaves page.html                     a table on a terminal
  pagemill leaves page.html | jq -r .text       JSON lines in a pipe
  pagemill leaves --types money,date site/      only prices and dates
  pagemill leaves --limit 5 'site/**/*.html'    the first leaves of each page
  find . -name '*.html' | pagemill leaves -     a list of files
  curl -s https://example.com | pagemill leaves /dev/stdin

Each JSON line has: page, n, kind (text, image, field, value, meta), type, path, text, link and src
if there is one, xpath, selector and nth, and span: the leaf's first byte in the page as it came and
the one after its last, or null where that is not known.";

/// Show the leaves of pages: each text, image and value with its type and place
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    #[command(flatten)]
    inputs: Inputs,

    /// Only leaves of these types, such as money,date,email; number includes money, percent, quantity and duration,
    /// date includes datetime, and string is only what has no better type
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',', value_parser = data_type)]
    types: Vec<DataType>,

    /// At most this many leaves of each page
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print JSON lines, also on a terminal
    #[arg(long, conflicts_with = "table")]
    json: bool,

    /// Print a table, also into a pipe
    #[arg(long)]
    table: bool,
}

pub(super) fn run(flags: &Flags) -> anyhow::Result<Exit> {
    let stdout = io::stdout();
    let is_table = flags.table || (stdout.is_terminal() && !flags.json);
    let mut view: Box<dyn Show> =
        if is_table { Box::new(LeafTable::new()) } else { Box::new(JsonLeaves::default()) };
    let mut out = BufWriter::with_capacity(64 << 10, stdout.lock());
    let mut pages = flags.inputs.pages();
    let mut n_found = 0;
    while let Some(input) = pages.next() {
        let page = input.parse();
        let leaves = page.leaves();
        let chosen = flags.choose(&leaves);
        n_found += chosen.len();
        let selection = Selection { input: &input, page: &page, leaves: &leaves, chosen };
        // Notes follow the leaves they are about, also where both go to a terminal.
        view.show(&selection, &mut out).and_then(|()| out.flush()).context(CANNOT_WRITE)?;
        tell_notes(&input, &page);
    }
    Ok(Exit::of(n_found, pages.n_failed))
}

impl Flags {
    fn choose<'p>(&self, leaves: &'p Leaves) -> Vec<Leaf<'p>> {
        let is_chosen = |leaf: &Leaf<'_>| {
            self.types.is_empty()
                || self.types.iter().any(|wanted| is_of(leaf.data_type(), *wanted))
        };
        leaves.iter().filter(is_chosen).take(self.limit.unwrap_or(usize::MAX)).collect()
    }
}

/// Whether a leaf's type is one that was asked for, or a narrower one. All types are strings, but who asks for strings
/// wants the others left out.
fn is_of(data_type: DataType, wanted: DataType) -> bool {
    match wanted {
        DataType::String => data_type == DataType::String,
        _ => data_type.is_a(wanted),
    }
}

/// What the parser had to say.
fn tell_notes(input: &InputPage, page: &Page) {
    for note in page.notes() {
        talk::say(format_args!("{:?}: {note}", input.id));
    }
}

pub(super) fn data_type(name: &str) -> Result<DataType, String> {
    DataType::from_name(&name.to_ascii_lowercase()).ok_or_else(|| {
        let names: Vec<&str> = DataType::ALL.iter().map(|it| it.name()).collect();
        format!("types are {}", names.join(", "))
    })
}
