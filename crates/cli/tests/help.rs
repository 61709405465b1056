use crate::harness::Run;
use expect_test::expect;

#[test]
fn help_has_examples_for_all_and_for_each() {
    let run = Run::with(&[]);
    for args in [
        &["--help"][..],
        &["leaves", "--help"],
        &["completions", "--help"],
        &["extract", "--help"],
        &["why", "--help"],
        &["columns", "--help"],
        &["check", "--help"],
        &["repair", "--help"],
        &["label", "--help"],
        &["train", "--help"],
        &["annotate", "--help"],
        &["network", "--help"],
        &["studio", "--help"],
    ] {
        let outcome = run.run(args);
        assert_eq!((outcome.code, &*outcome.stderr), (Some(0), ""));
        assert!(outcome.stdout.contains("Examples:\n  pagemill "), "{}", outcome.stdout);
        assert!(
            outcome.stdout.lines().all(|line| line.chars().count() <= 100),
            "{}",
            outcome.stdout
        );
    }
}

#[test]
fn the_first_screen() {
    expect![[r#"
        Turn web pages into data

        Usage: pagemill <COMMAND>

        Commands:
          get          Get the data of pages, whatever they are: sort them by template, learn each, extract
          crawl        Fetch a site into a store, politely, to go on with at any time
          status       Show how far a crawl is, also while it runs
          store        Export a store to a web archive, import one, or check a store
          network      Ask an information network, or change, show, export and draw it
          learn        Learn the template of some pages: its columns, its sets of records, and a name for
                       each
          extract      Extract the data of pages with a wrapper that was learnt from others of their
                       template
          why          Tell where a value of a page comes from, why it is not there, or why the page does
                       not fit
          columns      List the columns of a wrapper, or rename, merge, split, drop, keep or retype some
          check        Check whether a wrapper still fits: which pages, which columns, and what does not
          repair       Learn a wrapper again from pages that have changed, and keep the names of its columns
          label        Label values of a page by their texts, for a model to be trained from
          train        Train a model from labelled pages: it maps pages of any site to a schema
          annotate     Annotate pages of any site with a model: find what its schema asks for
          leaves       Show the leaves of pages: each text, image and value with its type and place
          regions      Show what single pages list: records of any kind, people, departments and other units
          render       Draw a page: where its leaves stand, how they look, of what types or fields they are
          studio       Open the studio in the browser: label pages, see and correct columns, ask why, walk a
                       network
          completions  Print a completion script for a shell
          help         Print this message or the help of the given subcommand(s)

        Options:
          -h, --help     Print help
          -V, --version  Print version

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

        Exit codes: 0 found, 1 nothing found or drift, 2 wrong usage, 3 some inputs failed, 130 interrupted
    "#]].assert_eq(&Run::with(&[]).run(&["--help"]).stdout);
}

#[test]
fn help_is_a_command_too() {
    let run = Run::with(&[]);
    assert_eq!(run.run(&["help"]).all(), run.run(&["--help"]).all());
    assert_eq!(run.run(&["help", "leaves"]).all(), run.run(&["leaves", "--help"]).all());
    assert_eq!(run.run(&["help", "no-such-command"]).code, Some(2));
}

#[test]
fn the_flags_of_leaves() {
    let help = Run::with(&[]).run(&["leaves", "--help"]).stdout;
    expect![[r#"
        Show the leaves of pages: each text, image and value with its type and place

        Usage: pagemill leaves [OPTIONS] <INPUT>...

        Arguments:
          <INPUT>...  Files, folders, patterns, addresses (https://…), web archives, stores, or - for a list
                      of them on stdin

        Options:
              --charset <LABEL>   Read pages as this encoding (such as windows-1252), whatever they or HTTP
                                  say; only a byte order mark is stronger
              --max-bytes <SIZE>  Leave out pages with more bytes than this (such as 500K or 1G; if not
                                  given, 64M)
              --types <TYPE,…>    Only leaves of these types, such as money,date,email; number includes
                                  money, percent, quantity and duration, date includes datetime, and string
                                  is only what has no better type
              --limit <N>         At most this many leaves of each page
              --json              Print JSON lines, also on a terminal
              --table             Print a table, also into a pipe
          -h, --help              Print help"#]].assert_eq(help.split("\n\nExamples:").next().unwrap());
}

#[test]
fn version() {
    let expected = format!("pagemill {}\nexit 0\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(Run::with(&[]).run(&["--version"]).all(), expected);
}

#[test]
fn shells_learn_the_flags() {
    let run = Run::with(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let outcome = run.run(&["completions", shell]);
        assert_eq!(outcome.code, Some(0));
        assert!(outcome.stdout.contains("leaves") && outcome.stdout.contains("charset"), "{shell}");
    }
    assert_eq!(run.run(&["completions", "tcl"]).code, Some(2));
}
