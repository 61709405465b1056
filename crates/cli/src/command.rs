//! The commands: their flags, and one module for each.

mod annotate;
mod check;
mod columns;
mod completions;
mod crawl;
mod extract;
mod gathering;
mod get;
mod inputs;
mod label;
mod learn;
mod leaves;
mod model_file;
mod network;
mod plan_file;
mod regions;
mod render;
mod repair;
mod schema_file;
mod sinks;
mod status;
mod store;
mod studio;
mod tally;
mod train;
mod why;
mod wrapper_file;

use crate::exit::Exit;
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  pagemill get shop/                        the data of the pages of a folder, as tables
  pagemill learn shop/                      what the pages of a folder have in common
  pagemill learn shop/ -o shop.json         a wrapper, to extract from other pages of the shop
  pagemill extract shop.json new/ -o a.csv  their data, as a table
  pagemill why shop.json page.html price    where a value comes from, or why there is none
  pagemill columns shop.json                what it extracts; rename, merge, split, drop
  pagemill check shop.json new/             whether the pages still fit it
  pagemill repair shop.json new/            learn again, under the old names
  pagemill label a.html title=Dune          what a page has, as a label to train from
  pagemill train --schema news a.jsonl -o m a model of labelled pages, for any site
  pagemill annotate m new/ -o news.csv      what it finds there, as data of the schema
  pagemill crawl https://example.org/ --store site.db
                                            fetch a site, to go on with at any time
  pagemill get site.db                      the data of its pages
  pagemill network site.db 'query Person $p construct $p'
                                            what a network says
  pagemill leaves page.html                 what a page shows, as a table
  pagemill leaves site/ | jq .text          every page in a folder, as JSON lines
  pagemill leaves --types money a.warc.gz   the prices in a web archive
  pagemill regions staff.html               what a page lists: records, people, departments
  pagemill render page.html -o page.png     a picture of what a page shows, outlined by type
  pagemill studio shop/                     label, inspect and correct, in the browser

An INPUT is a file, a folder, a pattern such as 'site/**/*.html', an address (https://…), a web
archive (.warc, .warc.gz), the store of a crawl (.db), or - for a list of inputs on stdin.

Exit codes: 0 found, 1 nothing found or drift, 2 wrong usage, 3 some inputs failed, 130 interrupted";

/// Turn web pages into data
#[derive(Debug, Parser)]
#[command(name = "pagemill", version, after_help = EXAMPLES, arg_required_else_help = true)]
#[command(max_term_width = 100)]
pub(crate) struct Flags {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Get(get::Flags),
    Crawl(crawl::Flags),
    Status(status::Flags),
    Store(store::Flags),
    Network(network::Flags),
    Learn(learn::Flags),
    Extract(extract::Flags),
    Why(why::Flags),
    Columns(columns::Flags),
    Check(check::Flags),
    Repair(repair::Flags),
    Label(label::Flags),
    Train(train::Flags),
    Annotate(annotate::Flags),
    Leaves(leaves::Flags),
    Regions(regions::Flags),
    Render(render::Flags),
    Studio(studio::Flags),
    Completions(completions::Flags),
}

pub(crate) fn run(flags: &Flags) -> anyhow::Result<Exit> {
    match &flags.command {
        Command::Get(flags) => get::run(flags),
        Command::Crawl(flags) => crawl::run(flags),
        Command::Status(flags) => status::run(flags),
        Command::Store(flags) => store::run(flags),
        Command::Network(flags) => network::run(flags),
        Command::Learn(flags) => learn::run(flags),
        Command::Extract(flags) => extract::run(flags),
        Command::Why(flags) => why::run(flags),
        Command::Columns(flags) => columns::run(flags),
        Command::Check(flags) => check::run(flags),
        Command::Repair(flags) => repair::run(flags),
        Command::Label(flags) => label::run(flags),
        Command::Train(flags) => train::run(flags),
        Command::Annotate(flags) => annotate::run(flags),
        Command::Leaves(flags) => leaves::run(flags),
        Command::Regions(flags) => regions::run(flags),
        Command::Render(flags) => render::run(flags),
        Command::Studio(flags) => studio::run(flags),
        Command::Completions(flags) => completions::run(flags),
    }
}
