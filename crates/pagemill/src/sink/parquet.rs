//! Parquet: one row a page, with sets as lists of structs.
//!
//! The columns are `page`, `status`, `problems` and then what the schema says; where a page has a column of such a name, that
//! one gets a number: `page_2`. All values are texts. What a page or record lacks is null.
//!
//! A file is a sequence of row groups, and within one each column is stored as a whole. Rows are therefore collected, cut
//! into columns as they come, and written out whenever [`GROUP_BYTES`] are full; that is all that is ever held, but for
//! a few bytes a group. The cutting is that of the Dremel paper (Melnik et al. 2010, section 4): beside its values a
//! column has two numbers a place. The *definition level* tells how much of the path to the value is there, the
//! *repetition level* which of the lists around it goes on.

use super::layout::{Names, records, text};
use super::whole::WholeFile;
use super::{Row, WriteRows};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::io;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use wrapper::{Data, Field};

/// How much is collected before it is written: enough that columns compress well, little beside what an engine needs.
pub(super) const GROUP_BYTES: usize = 32 << 20;

/// What a value takes beside its text, roughly: its place in a list, its allocation, its levels.
const VALUE_BYTES: usize = 64;

/// What a place without a value takes: two levels.
const PLACE_BYTES: usize = 4;

pub(super) struct Parquet {
    writer: SerializedFileWriter<WholeFile>,
    nodes: Vec<Node>,
    columns: Vec<Column>,
    /// What the columns hold by now.
    n_bytes: usize,
}

/// A field of the schema, and the columns it is cut into.
enum Node {
    Text { key: String, column: usize },
    Set { key: String, rep: i16, columns: Range<usize>, nodes: Vec<Node> },
}

/// What was collected of one column.
#[derive(Default)]
struct Column {
    max: Levels,
    values: Vec<ByteArray>,
    defs: Vec<i16>,
    reps: Vec<i16>,
}

/// How deep a place is.
#[derive(Clone, Copy, Default)]
struct Levels {
    def: i16,
    rep: i16,
}

impl Parquet {
    pub(super) fn create(file: WholeFile, fields: &[Field]) -> io::Result<Parquet> {
        Parquet::build(file, fields).map_err(io_error)
    }

    fn build(file: WholeFile, fields: &[Field]) -> Result<Parquet, ParquetError> {
        let mut columns = Vec::new();
        let top = Levels::default();
        let mut types = vec![
            text_type("page", Repetition::REQUIRED, top, &mut columns)?,
            text_type("status", Repetition::REQUIRED, top, &mut columns)?,
            problems_type(&mut columns)?,
        ];
        let names = Names::reserving(&["page", "status", "problems"]);
        let (nodes, field_types) = lay_out(fields, names, top, &mut columns)?;
        types.extend(field_types);
        let root = Type::group_type_builder("schema").with_fields(types).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("pagemill ", env!("CARGO_PKG_VERSION")).into())
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(root), Arc::new(properties))?;
        Ok(Parquet { writer, nodes, columns, n_bytes: 0 })
    }

    /// Write what was collected as one row group.
    fn flush(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let Column { max, values, defs, reps } = column.take();
            let missing = || ParquetError::General("fewer columns than the schema has".into());
            let mut writer = group.next_column()?.ok_or_else(missing)?;
            writer.typed::<ByteArrayType>().write_batch(
                &values,
                (max.def > 0).then_some(&defs),
                (max.rep > 0).then_some(&reps),
            )?;
            writer.close()?;
        }
        group.close()?;
        self.n_bytes = 0;
        Ok(())
    }
}

impl WriteRows for Parquet {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        let mut rows = Collector { columns: &mut self.columns, n_bytes: &mut self.n_bytes };
        let top = Levels::default();
        rows.push(PAGE, top, Some(row.page));
        rows.push(STATUS, top, Some(row.status.name()));
        rows.push_problems(row.problems);
        rows.push_fields(&self.nodes, row.data, top);
        if self.n_bytes >= GROUP_BYTES {
            self.flush().map_err(io_error)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.n_bytes > 0 {
            self.flush().map_err(io_error)?;
        }
        self.writer.into_inner().map_err(io_error)?.finish()
    }
}

/// The columns that every file starts with.
const PAGE: usize = 0;
const STATUS: usize = 1;
const PROBLEMS: usize = 2;

/// Cuts rows into columns.
struct Collector<'c> {
    columns: &'c mut [Column],
    n_bytes: &'c mut usize,
}

impl Collector<'_> {
    fn push(&mut self, column: usize, at: Levels, value: Option<&str>) {
        let column = &mut self.columns[column];
        column.defs.push(at.def);
        column.reps.push(at.rep);
        column.values.extend(value.map(ByteArray::from));
        *self.n_bytes += value.map_or(PLACE_BYTES, |value| value.len() + VALUE_BYTES);
    }

    fn push_problems(&mut self, problems: &[String]) {
        if problems.is_empty() {
            self.push(PROBLEMS, Levels::default(), None);
        }
        for (index, problem) in problems.iter().enumerate() {
            let rep = i16::from(index > 0);
            self.push(PROBLEMS, Levels { def: 1, rep }, Some(problem));
        }
    }

    fn push_fields(&mut self, nodes: &[Node], data: Option<&Data>, at: Levels) {
        for node in nodes {
            match node {
                Node::Text { key, column } => match text(data, key) {
                    Some(text) => self.push(*column, Levels { def: at.def + 1, ..at }, Some(&text)),
                    None => self.push(*column, at, None),
                },
                Node::Set { key, rep, columns, nodes } => {
                    let Some(records) = records(data, key) else {
                        self.push_nothing(columns, at);
                        continue;
                    };
                    if records.len() == 0 {
                        self.push_nothing(columns, Levels { def: at.def + 1, ..at });
                    }
                    for (index, record) in records.enumerate() {
                        let rep = if index == 0 { at.rep } else { *rep };
                        self.push_fields(nodes, record, Levels { def: at.def + 2, rep });
                    }
                }
            }
        }
    }

    fn push_nothing(&mut self, columns: &Range<usize>, at: Levels) {
        for column in columns.clone() {
            self.push(column, at, None);
        }
    }
}

impl Column {
    /// What was collected; the next row group starts with nothing.
    fn take(&mut self) -> Column {
        mem::replace(self, Column { max: self.max, ..Column::default() })
    }
}

/// The types of some fields, and how data gets there. `at` is how deep the page or record is that has them.
fn lay_out(
    fields: &[Field],
    mut names: Names,
    at: Levels,
    columns: &mut Vec<Column>,
) -> Result<(Vec<Node>, Vec<TypePtr>), ParquetError> {
    let (mut nodes, mut types) = (Vec::new(), Vec::new());
    for field in fields {
        let (key, name) = (field.name().to_owned(), names.unique(field.name()));
        let first = columns.len();
        match field {
            Field::Column(_) => {
                types.push(text_type(&name, Repetition::OPTIONAL, at, columns)?);
                nodes.push(Node::Text { key, column: first });
            }
            Field::Set(set) => {
                // One level for a list that is there, one for a record in it.
                let inner = Levels { def: at.def + 2, rep: at.rep + 1 };
                let (of_set, members) = lay_out(&set.fields, Names::default(), inner, columns)?;
                let record = Type::group_type_builder("element")
                    .with_repetition(Repetition::REQUIRED)
                    .with_fields(members)
                    .build()?;
                types.push(list_type(&name, Repetition::OPTIONAL, record)?);
                let columns = first..columns.len();
                nodes.push(Node::Set { key, rep: inner.rep, columns, nodes: of_set });
            }
        }
    }
    Ok((nodes, types))
}

fn text_type(
    name: &str,
    repetition: Repetition,
    at: Levels,
    columns: &mut Vec<Column>,
) -> Result<TypePtr, ParquetError> {
    let def = at.def + i16::from(repetition == Repetition::OPTIONAL);
    columns.push(Column { max: Levels { def, ..at }, ..Column::default() });
    let builder = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
    let text = builder.with_repetition(repetition).with_logical_type(Some(LogicalType::String));
    Ok(Arc::new(text.build()?))
}

fn problems_type(columns: &mut Vec<Column>) -> Result<TypePtr, ParquetError> {
    let inside = Levels { def: 1, rep: 1 };
    let problem = text_type("element", Repetition::REQUIRED, inside, columns)?;
    list_type("problems", Repetition::REQUIRED, problem)
}

/// A list as all readers know it: three levels, with these names (parquet-format, LogicalTypes, Lists).
fn list_type(
    name: &str,
    repetition: Repetition,
    element: impl Into<TypePtr>,
) -> Result<TypePtr, ParquetError> {
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![element.into()])
        .build()?;
    let outer = Type::group_type_builder(name)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)])
        .build()?;
    Ok(Arc::new(outer))
}

/// The writer wraps what the disk says; a full one should be known as such.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        error => io::Error::other(error),
    }
}
