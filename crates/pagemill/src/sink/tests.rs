//! Sinks written to real files, and read back by the readers that others use.

// What a table in each format looks like.
mod csv;
mod jsonl;
mod parquet;
mod sqlite;
// That a file is whole or not there, whatever happens.
mod whole;

use super::*;
use serde_json::{Value as Json, json};
use std::fs;
use tempfile::TempDir;
use wrapper::Field;

fn column(name: &str) -> Field {
    column_that(name, "value", false)
}

fn template(name: &str) -> Field {
    column_that(name, "value", true)
}

/// The whole text that a value is part of.
fn whole(name: &str) -> Field {
    column_that(name, "whole", false)
}

/// Fields are made by learning, or read from where they are kept; not by hand.
fn column_that(name: &str, reads: &str, is_template: bool) -> Field {
    let kept = json!({
        "kind": "column", "name": name, "type": "string", "density": 1000, "is_template": is_template,
        "reads": reads, "slots": [], "examples": [],
    });
    serde_json::from_value(kept).unwrap()
}

fn set(name: &str, n_records: usize, fields: Vec<Field>) -> Field {
    let kept = json!({
        "kind": "set", "name": name, "density": 1000, "n_records": n_records, "slots": [], "fields": fields,
    });
    serde_json::from_value(kept).unwrap()
}

fn schema(fields: Vec<Field>) -> Schema {
    Schema { fields, either: Vec::new(), unfit: 0 }
}

/// A page of books: a heading, books with authors and offers, and a set of links.
fn books() -> Schema {
    schema(vec![
        column("title"),
        template("imprint"),
        set(
            "books",
            40,
            vec![
                column("title"),
                column("price"),
                whole("price_text"),
                set("authors", 60, vec![column("name")]),
                set("offers", 30, vec![column("shop"), column("price")]),
            ],
        ),
        set("links", 20, vec![column("link")]),
    ])
}

fn pages() -> Vec<Json> {
    vec![
        json!({
            "title": "Sea",
            "books": [
                { "title": "Herring", "price": "-5", "price_text": "now -5",
                  "authors": [{ "name": "Ada" }, { "name": "Bo" }],
                  "offers": [{ "shop": "Quay", "price": "4" }, { "shop": "Mole" }] },
                { "title": "Fog, \"thick\"", "authors": [{ "name": "Cy" }] },
            ],
            "links": [{ "link": "Home" }, { "link": "Contact" }],
        }),
        json!({ "title": "Empty", "books": [], "unknown": "kept by JSON lines only" }),
        Json::Null,
    ]
}

/// A folder with a file that a sink wrote.
struct Written {
    folder: TempDir,
    path: PathBuf,
}

impl Written {
    /// The pages of [`books`]: one verified, one partial, one failed.
    fn books(name: &str) -> Written {
        Written::new(name, &books(), &SinkConfig::default(), &pages())
    }

    fn new(name: &str, schema: &Schema, config: &SinkConfig, pages: &[Json]) -> Written {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        let mut sink = Sink::create(&path, schema, config).unwrap();
        write_pages(&mut sink, pages);
        sink.finish().unwrap();
        Written { folder, path }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }
}

fn write_pages(sink: &mut Sink, pages: &[Json]) {
    for (index, data) in pages.iter().enumerate() {
        let status = match data {
            Json::Null => Status::Failed,
            _ if data.get("unknown").is_some() => Status::Partial,
            _ => Status::Verified,
        };
        let problems = match status {
            Status::Verified => vec![],
            _ => vec!["no price".to_owned(), "no \"name\"".to_owned()],
        };
        let page = format!("{}.html", index + 1);
        sink.write(&Row {
            page: &page,
            status,
            data: data_of(data).as_ref(),
            problems: &problems,
            warnings: &[],
        })
        .unwrap();
    }
}

/// The data of a page; none of one that failed.
fn data_of(page: &Json) -> Option<wrapper::Data> {
    serde_json::from_value(page.clone()).unwrap()
}

/// One page with one column.
fn texts(name: &str, texts: &[&str]) -> Written {
    let schema = schema(vec![column("text")]);
    let pages: Vec<Json> = texts.iter().map(|text| json!({ "text": text })).collect();
    Written::new(name, &schema, &SinkConfig::default(), &pages)
}

/// What a page may hold to break a reader.
fn hostile() -> Vec<String> {
    let huge = "x".repeat(3 << 20);
    let texts =
        ["a\0b", "two\nlines\r\nand \r", "\u{1b}[31m\u{9b}\u{7f}\u{2028}", "\",\"'); DROP", ""];
    texts.into_iter().map(str::to_owned).chain([huge]).collect()
}

#[test]
fn the_name_tells_the_format_or_what_it_should_be() {
    let create = |name: &str| {
        let folder = TempDir::new().unwrap();
        let config = SinkConfig::default();
        Sink::create(&folder.path().join(name), &books(), &config).map(|_| ())
    };
    for name in [
        "a.jsonl",
        "a.ndjson",
        "a.CSV",
        "a.jsonl.gz",
        "a.csv.gz",
        "a.parquet",
        "a.db",
        "a.sqlite",
        "a.sqlite3",
    ] {
        create(name).unwrap();
    }
    for name in ["a", "a.txt", "csv", "a.parquet.gz", "a.gz", ".csv"] {
        let error = create(name).unwrap_err();
        assert!(error.to_string().contains(".jsonl or .ndjson"), "{name}: {error}");
    }
}

#[test]
fn no_folder_is_an_error_that_says_so() {
    let path = Path::new("no-such-folder/a.csv");
    let error = Sink::create(path, &books(), &SinkConfig::default()).err().unwrap();
    assert_eq!(error.to_string(), r#"cannot write "no-such-folder/a.csv": no such file or folder"#);
}

#[test]
fn a_closed_pipe_is_told_from_other_failures() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let row = Row { page: "1", status: Status::Failed, data: None, problems: &[], warnings: &[] };
    let mut sink = Sink::json_lines(Closed);
    assert!(sink.write(&row).unwrap_err().is_closed_pipe());
    assert!(matches!(sink.finish(), Err(SinkError::Incomplete { path: None })));
    let sink = Sink::csv(Closed, &books(), &SinkConfig::default()).unwrap();
    assert!(sink.finish().unwrap_err().is_closed_pipe());
}

#[test]
fn pages_without_fields_can_be_written() {
    let schema = schema(vec![set("empty", 0, vec![template("label")])]);
    for name in ["a.jsonl", "a.csv", "a.parquet", "a.db"] {
        Written::new(name, &schema, &SinkConfig::default(), &pages());
        Written::new(name, &schema, &SinkConfig::default(), &[]);
    }
}
