//! Where records go: JSON lines, CSV, Parquet and SQLite.
//!
//! In come a [`Schema`] and, in order, what was extracted from each page, as a [`Row`]; out comes a file, in a format that its
//! name tells:
//!
//! - `.jsonl`, `.ndjson`: one JSON object a page, nested as the schema says. Nothing is left out or changed.
//! - `.csv`: a flat table. A row is a record of the page's main set (see [`main_set()`]) or a page.
//! - `.parquet`: one row a page, with sets as lists of structs.
//! - `.db`, `.sqlite`, `.sqlite3`: a table of pages and one for each set, joined by keys.
//!
//! The first two may be packed (`.jsonl.gz`, `.csv.gz`), and may go to a stream instead of a file.
//!
//! All but JSON lines go by the schema: what is not in it is not written. What is template is left out, as it is in the data,
//! unless [`SinkConfig::with_template`] asks for it; and so is the whole text that a value is part of, beside the value. Names and texts come from strangers and are quoted or disarmed as each
//! format needs.
//!
//! A file appears when it is finished, whole; see [`WholeFile`]. However many pages come, a sink holds a bounded number
//! of bytes beyond the page at hand. What is written is left to others: neither a wrapper nor its verdict is
//! known here.

mod annotation;
#[cfg(feature = "arrow")]
mod batch;
mod csv;
mod error;
mod jsonl;
mod layout;
mod main_set;
mod output;
mod parquet;
mod sqlite;
#[cfg(test)]
mod tests;
mod whole;

pub use annotation::{AnnotationSink, schema_of};
#[cfg(feature = "arrow")]
pub use batch::{BatchLayout, BatchPlace};
pub use error::SinkError;
pub use jsonl::json_line;
pub use main_set::main_set;
pub use whole::WholeFile;

use self::csv::Csv;
use self::jsonl::JsonLines;
use self::output::Output;
use self::parquet::Parquet;
use self::sqlite::Sqlite;
use self::whole::Draft;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wrapper::{Data, Schema, Status};

/// What was extracted from one page.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The page's id: a path or a URL.
    pub page: &'a str,
    /// How well it went.
    pub status: Status,
    /// The data; none if there is nothing to be had.
    pub data: Option<&'a Data>,
    /// What was wrong, for people.
    pub problems: &'a [String],
    /// What fits and looks odd, for people. Only JSON lines keep it.
    pub warnings: &'a [String],
}

/// How to write. The default is right for files that programs and spreadsheets read.
///
/// ```
/// use pagemill::sink::{CsvRows, Row, Sink, SinkConfig};
/// use pagemill::{LearnConfig, Status, learn};
///
/// let pages = ["<h1>=1+1</h1>", "<h1>Fog</h1>"].map(|html| pagemill::parse(html.as_bytes()));
/// let learnt = learn(pages.into(), &LearnConfig::default())?;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("books.csv");
/// let write = |config: SinkConfig| {
///     let mut sink = Sink::create(&path, learnt.schema(), &config)?;
///     let data = learnt.data[0].as_ref();
///     sink.write(&Row { page: "1", status: Status::Verified, data, problems: &[], warnings: &[] })?;
///     sink.finish()?;
///     Ok::<String, Box<dyn std::error::Error>>(std::fs::read_to_string(&path)?)
/// };
/// let config = SinkConfig::default().with_csv_rows(CsvRows::Pages);
/// assert_eq!(write(config.clone())?, "page,status,title\n1,verified,'=1+1\n");
/// assert_eq!(write(config.with_formulas(true))?, "page,status,title\n1,verified,=1+1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SinkConfig {
    takes_template: bool,
    rows: CsvRows,
    keeps_formulas: bool,
}

/// What a row of CSV is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CsvRows {
    /// A record of the [`main_set()`], or a page if there is none.
    #[default]
    Auto,
    /// A page.
    Pages,
    /// A record of the heaviest set, by columns times records, even if a page is about more than that.
    Records,
    /// A record of this set, which must be one of the page's own.
    RecordsOf(String),
}

impl SinkConfig {
    /// Also write columns that say the same everywhere; for data that was learnt with them.
    #[must_use]
    pub fn with_template(mut self, takes_template: bool) -> Self {
        self.takes_template = takes_template;
        self
    }

    /// What a row of CSV is. Other formats keep everything and need no choice.
    #[must_use]
    pub fn with_csv_rows(mut self, rows: CsvRows) -> Self {
        self.rows = rows;
        self
    }

    /// Write cells of CSV as they are, even those that a spreadsheet would take for a formula and run. For programs that
    /// must get every character; not for files that a person may open in a spreadsheet.
    #[must_use]
    pub fn with_formulas(mut self, keeps_formulas: bool) -> Self {
        self.keeps_formulas = keeps_formulas;
        self
    }
}

/// A file or stream that takes what was extracted, page by page.
///
/// ```
/// use pagemill::sink::{Row, Sink, SinkConfig};
/// use pagemill::{LearnConfig, Status, learn};
///
/// let pages = ["<h1>Herring</h1>", "<h1>Fog</h1>"].map(|html| pagemill::parse(html.as_bytes()));
/// let learnt = learn(pages.into(), &LearnConfig::default())?;
/// let data = learnt.data[0].as_ref();
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("books.csv");
/// let mut sink = Sink::create(&path, learnt.schema(), &SinkConfig::default())?;
/// sink.write(&Row { page: "1.html", status: Status::Verified, data, problems: &[], warnings: &[] })?;
/// sink.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "page,status,title\n1.html,verified,Herring\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sink {
    rows: Box<dyn WriteRows>,
    /// None for a stream.
    path: Option<PathBuf>,
    has_failed: bool,
}

/// What a format does.
trait WriteRows: Send {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()>;
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// How a file is written, as its name says.
#[derive(Clone, Copy)]
enum Format {
    JsonLines,
    Csv,
    Parquet,
    Sqlite,
}

/// Whether a file is compressed as a whole.
#[derive(Clone, Copy)]
enum Packing {
    Plain,
    Gzip,
}

impl Sink {
    /// Begin a file, in the format that its name tells. It appears when it is [finished](Sink::finish); until then, and if
    /// the sink is dropped instead, a file of that name stays as it is.
    pub fn create(path: &Path, schema: &Schema, config: &SinkConfig) -> Result<Sink, SinkError> {
        let unknown = || SinkError::UnknownFormat { path: path.to_owned() };
        let (format, packing) = format_of(path).ok_or_else(unknown)?;
        let fields = layout::written(&schema.fields, config.takes_template);
        let failed = |cause| SinkError::File { path: path.to_owned(), cause };
        let rows: Box<dyn WriteRows> = match format {
            Format::JsonLines => Box::new(JsonLines::new(open(path, packing).map_err(failed)?)),
            Format::Csv => {
                let plan = csv::Plan::new(schema, &fields, config)?;
                let rows = open(path, packing).and_then(|out| Csv::create(out, plan));
                Box::new(rows.map_err(failed)?)
            }
            Format::Parquet => {
                let rows = WholeFile::create(path).and_then(|file| Parquet::create(file, &fields));
                Box::new(rows.map_err(failed)?)
            }
            Format::Sqlite => {
                let plan = sqlite::Plan::new(&fields, path)?;
                let rows = Draft::create(path).and_then(|draft| Sqlite::create(draft, plan));
                Box::new(rows.map_err(failed)?)
            }
        };
        Ok(Sink { rows, path: Some(path.to_owned()), has_failed: false })
    }

    /// Write JSON lines to a stream, such as stdout. A line is handed on as soon as it is whole.
    pub fn json_lines(out: impl Write + Send + 'static) -> Sink {
        let rows = JsonLines::new(Output::Stream(Box::new(out)));
        Sink { rows: Box::new(rows), path: None, has_failed: false }
    }

    /// Write CSV to a stream, such as stdout.
    pub fn csv(
        out: impl Write + Send + 'static,
        schema: &Schema,
        config: &SinkConfig,
    ) -> Result<Sink, SinkError> {
        let fields = layout::written(&schema.fields, config.takes_template);
        let plan = csv::Plan::new(schema, &fields, config)?;
        let rows = Csv::create(Output::Stream(Box::new(out)), plan).map_err(SinkError::Stream)?;
        Ok(Sink { rows: Box::new(rows), path: None, has_failed: false })
    }

    /// Write what was extracted from the next page.
    pub fn write(&mut self, row: &Row<'_>) -> Result<(), SinkError> {
        self.rows.write(row).map_err(|cause| {
            self.has_failed = true;
            failed(&self.path, cause)
        })
    }

    /// Write what is left and, for a file, put it in its place. Refused if a page could not be written before.
    pub fn finish(self) -> Result<(), SinkError> {
        let Sink { rows, path, has_failed } = self;
        if has_failed {
            return Err(SinkError::Incomplete { path });
        }
        rows.finish().map_err(|cause| failed(&path, cause))
    }
}

fn failed(path: &Option<PathBuf>, cause: io::Error) -> SinkError {
    match path.clone() {
        Some(path) => SinkError::File { path, cause },
        None => SinkError::Stream(cause),
    }
}

fn open(path: &Path, packing: Packing) -> io::Result<Output> {
    let file = WholeFile::create(path)?;
    Ok(match packing {
        Packing::Plain => Output::File(file),
        Packing::Gzip => Output::gzip(file),
    })
}

fn format_of(path: &Path) -> Option<(Format, Packing)> {
    match (extension(path)?.as_str(), extension(Path::new(path.file_stem()?)).as_deref()) {
        ("jsonl" | "ndjson", _) => Some((Format::JsonLines, Packing::Plain)),
        ("csv", _) => Some((Format::Csv, Packing::Plain)),
        ("parquet", _) => Some((Format::Parquet, Packing::Plain)),
        ("db" | "sqlite" | "sqlite3", _) => Some((Format::Sqlite, Packing::Plain)),
        ("gz", Some("jsonl" | "ndjson")) => Some((Format::JsonLines, Packing::Gzip)),
        ("gz", Some("csv")) => Some((Format::Csv, Packing::Gzip)),
        _ => None,
    }
}

/// Whether a file's name tells a format.
pub fn is_known(path: &Path) -> bool {
    format_of(path).is_some()
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}
