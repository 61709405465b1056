//! What models find, written: JSON nested as the target schema is, or tables with a row a page.

use super::output::Output;
use super::{CsvRows, Format, Row, Sink, SinkConfig, SinkError, failed, format_of, open};
use crate::pipeline::{Annotated, Extracted};
use annotate::{Element, Target};
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::ser::Serializer;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wrapper::escape::Escaping;
use wrapper::{Data, Field, Schema};

/// A file or stream that takes what was found, page by page.
///
/// JSON lines have the data as it is. In tables, elements that repeat are lists, and of nested elements the names are joined:
/// `offer_price`.
pub struct AnnotationSink {
    kind: Kind,
    /// None for a stream.
    path: Option<PathBuf>,
}

enum Kind {
    Lines(Output),
    Table(Box<Sink>, Target),
}

/// One line. The order of the fields is the order in which they are written.
#[derive(Serialize)]
struct Line<'a> {
    page: &'a str,
    status: &'static str,
    data: Option<&'a Json>,
    problems: &'a [String],
}

impl AnnotationSink {
    /// Begin a file, in the format that its name tells. It appears when it is [finished](AnnotationSink::finish).
    pub fn create(path: &Path, target: &Target) -> Result<AnnotationSink, SinkError> {
        let kind = match format_of(path) {
            Some((Format::JsonLines, packing)) => {
                let failed = |cause| SinkError::File { path: path.to_owned(), cause };
                Kind::Lines(open(path, packing).map_err(failed)?)
            }
            _ => {
                let config = SinkConfig::default().with_csv_rows(CsvRows::Pages);
                let sink = Sink::create(path, &schema_of(target), &config)?;
                Kind::Table(Box::new(sink), target.clone())
            }
        };
        Ok(AnnotationSink { kind, path: Some(path.to_owned()) })
    }

    /// Write JSON lines to a stream, such as stdout.
    pub fn json_lines(out: impl Write + Send + 'static) -> AnnotationSink {
        AnnotationSink { kind: Kind::Lines(Output::Stream(Box::new(out))), path: None }
    }

    /// Write what was found on the next page.
    pub fn write(&mut self, found: &Annotated) -> Result<(), SinkError> {
        match &mut self.kind {
            Kind::Lines(out) => {
                let written = line(found).and_then(|line| out.write_all(&line));
                written.map_err(|cause| failed(&self.path, cause))
            }
            Kind::Table(sink, target) => {
                let data = found.data.as_ref().map(|data| data_of(target, data));
                let Annotated { page, status, problems, .. } = found;
                let data = data.as_ref();
                sink.write(&Row { page, status: *status, data, problems, warnings: &[] })
            }
        }
    }

    /// Write what is left and, for a file, put it in its place.
    pub fn finish(self) -> Result<(), SinkError> {
        match self.kind {
            Kind::Lines(out) => out.finish().map_err(|cause| failed(&self.path, cause)),
            Kind::Table(sink, _) => sink.finish(),
        }
    }
}

fn line(found: &Annotated) -> io::Result<Vec<u8>> {
    let Annotated { page, status, data, problems } = found;
    let line = Line { page, status: status.name(), data: data.as_ref(), problems };
    let mut text = Vec::new();
    line.serialize(&mut Serializer::with_formatter(&mut text, Escaping))?;
    text.push(b'\n');
    Ok(text)
}

/// A target schema as tables have it.
///
/// ```
/// use pagemill::{annotate::Target, sink::schema_of};
///
/// let target = Target::parse("<!ELEMENT product (name, offer)> <!ELEMENT offer (price, note*)>")?;
/// let schema = schema_of(&target);
/// let names: Vec<_> = schema.fields.iter().map(|field| field.name()).collect();
/// assert_eq!(names, ["name", "offer_price", "offer_note"]);
/// # Ok::<(), pagemill::annotate::DtdError>(())
/// ```
pub fn schema_of(target: &Target) -> Schema {
    let field = |element: &Element| match element.cardinality.repeats() {
        true => Field::list(&flat_name(element)),
        false => Field::column(&flat_name(element)),
    };
    Schema::made(target.elements().iter().map(field).collect())
}

fn flat_name(element: &Element) -> String {
    element.path.join("_")
}

/// The data of a page as tables have it.
fn data_of(target: &Target, data: &Json) -> Data {
    let mut flat = Data::new();
    for element in target.elements() {
        let name = flat_name(element);
        match element.path.iter().try_fold(data, |data, name| data.get(name)) {
            Some(Json::String(text)) => flat.insert(name, text.as_str()),
            Some(Json::Array(texts)) => {
                let record = |text: &str| Data::from_iter([(name.as_str(), text)]);
                let records: Vec<Data> =
                    texts.iter().filter_map(Json::as_str).map(record).collect();
                flat.insert(name.clone(), records);
            }
            _ => {}
        }
    }
    flat
}

impl Annotated {
    /// As tables have it.
    pub fn as_extracted(&self, target: &Target) -> Extracted {
        Extracted {
            page: self.page.clone(),
            status: self.status,
            data: self.data.as_ref().map(|data| data_of(target, data)),
            problems: self.problems.clone(),
            warnings: Vec::new(),
        }
    }
}
