//! Arrow: what was extracted as record batches in memory, for those who go on with it in other programs.
//!
//! With a row a page the columns are those of Parquet: `page`, `status`, `problems` and then what the schema says, with sets as lists
//! of structs. With a row a record they are those of CSV, but for sets within a record, which stay lists. All values are texts. What
//! a page or record lacks is null.

use super::layout::{Names, records, text, written};
use super::{CsvRows, Row, SinkError, csv};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, ListArray, RecordBatch, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field as ArrowField, Fields, SchemaRef};
use std::sync::Arc;
use wrapper::{Data, Field, Schema};

/// Which columns there are, and where their values come from.
///
/// ```
/// use pagemill::sink::{BatchLayout, CsvRows, Row};
/// use pagemill::{LearnConfig, Status, learn};
///
/// let pages = ["<h1>Herring</h1>", "<h1>Fog</h1>"].map(|html| pagemill::parse(html.as_bytes()));
/// let learnt = learn(pages.into(), &LearnConfig::default())?;
/// let layout = BatchLayout::new(learnt.schema(), &CsvRows::Pages)?;
/// let data = learnt.data[1].as_ref();
/// let row = Row { page: "2", status: Status::Verified, data, problems: &[], warnings: &[] };
/// let batch = layout.batch([row])?;
/// assert_eq!(batch.schema().field(3).name(), "title");
/// assert_eq!(batch.num_rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchLayout {
    schema: SchemaRef,
    of_page: Vec<Node>,
    /// Where records are rows: their set, and what is in it.
    of_record: Option<(String, Vec<Node>)>,
}

/// Where a column comes from: a field, by its key.
#[derive(Clone, Debug)]
enum Node {
    Text(String),
    Set(String, Fields, Vec<Node>),
}

/// A column that grows.
enum Growing {
    Text(StringBuilder),
    Set { offsets: Vec<i32>, is_there: Vec<bool>, columns: Vec<Growing> },
}

impl BatchLayout {
    /// What rows are is as for CSV.
    pub fn new(schema: &Schema, rows: &CsvRows) -> Result<BatchLayout, SinkError> {
        let fields = written(&schema.fields, false);
        let rows_of = csv::rows_of(schema, &fields, rows)?;
        let mut first = vec![required("page"), required("status")];
        if rows_of.is_none() {
            let problem = Arc::new(required("element"));
            first.push(ArrowField::new("problems", DataType::List(problem), false));
        }
        let reserved: Vec<&str> = first.iter().map(|field| field.name().as_str()).collect();
        let mut names = Names::reserving(&reserved);
        let mut columns = Vec::new();
        let is_in_page = |field: &&Field| rows_of.is_none() || matches!(field, Field::Column(_));
        let of_page: Vec<Field> = fields.iter().filter(is_in_page).cloned().collect();
        let of_page = lay_out(&of_page, &mut columns, &mut |name| names.unique(name));
        let of_record = rows_of.map(|set| {
            let nodes = lay_out(&set.fields, &mut columns, &mut |name| match names.has(name) {
                true => names.unique(&format!("{}_{name}", set.name)),
                false => names.unique(name),
            });
            (set.name.clone(), nodes)
        });
        first.extend(columns);
        let schema = Arc::new(arrow_schema::Schema::new(first));
        Ok(BatchLayout { schema, of_page, of_record })
    }

    /// The columns and their types.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The set whose records are rows, if they are.
    pub fn set(&self) -> Option<&str> {
        self.of_record.as_ref().map(|(set, _)| set.as_str())
    }

    /// Some pages as a batch.
    pub fn batch<'r>(
        &self,
        rows: impl IntoIterator<Item = Row<'r>>,
    ) -> Result<RecordBatch, ArrowError> {
        self.part(rows, &mut BatchPlace::default(), usize::MAX)
    }

    /// As many of the pages as have some bytes together, and at least one row. The first of `rows` is the page at `place`, which goes to
    /// where the next part begins: that may be within a page, because the columns of a page come again with each of its records.
    pub fn part<'r>(
        &self,
        rows: impl IntoIterator<Item = Row<'r>>,
        place: &mut BatchPlace,
        max_bytes: usize,
    ) -> Result<RecordBatch, ArrowError> {
        let mut growing = Batch::new(self);
        for row in rows {
            match growing.push(&row, place.record, max_bytes) {
                Some(record) => {
                    place.record = record;
                    break;
                }
                None => *place = BatchPlace { page: place.page + 1, record: 0 },
            }
            if growing.n_bytes() >= max_bytes {
                break;
            }
        }
        growing.finish()
    }
}

/// Where a batch of a table begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchPlace {
    /// So many pages come before it.
    pub page: usize,
    /// And so many records of its page, where records are rows.
    pub record: usize,
}

/// The columns of a batch while they grow.
struct Batch<'l> {
    layout: &'l BatchLayout,
    page: StringBuilder,
    status: StringBuilder,
    /// Not used where records are rows.
    problems: Growing,
    of_page: Vec<Growing>,
    of_record: Vec<Growing>,
}

impl<'l> Batch<'l> {
    fn new(layout: &'l BatchLayout) -> Batch<'l> {
        let of_record = layout.of_record.iter().flat_map(|(_, nodes)| nodes);
        Batch {
            layout,
            page: StringBuilder::new(),
            status: StringBuilder::new(),
            problems: Growing::set(vec![Growing::Text(StringBuilder::new())]),
            of_page: layout.of_page.iter().map(Growing::of).collect(),
            of_record: of_record.map(Growing::of).collect(),
        }
    }

    /// Add a page, from one of its records on. Says with which the next batch has to begin, if this one is full.
    fn push(&mut self, row: &Row<'_>, from: usize, max_bytes: usize) -> Option<usize> {
        let Some((set, nodes)) = &self.layout.of_record else {
            self.push_page(row);
            self.problems.push_texts(row.problems);
            return None;
        };
        let records: Vec<Option<&Data>> = records(row.data, set).into_iter().flatten().collect();
        // A page without records has one row all the same.
        let records = if records.is_empty() { vec![None] } else { records };
        for (at, record) in records.iter().enumerate().skip(from) {
            self.push_page(row);
            push_all(&mut self.of_record, nodes, *record);
            if at + 1 < records.len() && self.n_bytes() >= max_bytes {
                return Some(at + 1);
            }
        }
        None
    }

    /// How many bytes its texts have.
    fn n_bytes(&self) -> usize {
        let columns = self.of_page.iter().chain(&self.of_record);
        self.page.values_slice().len() + columns.map(Growing::n_bytes).sum::<usize>()
    }

    fn push_page(&mut self, row: &Row<'_>) {
        self.page.append_value(row.page);
        self.status.append_value(row.status.name());
        push_all(&mut self.of_page, &self.layout.of_page, row.data);
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(self.page.finish()), Arc::new(self.status.finish())];
        if self.layout.of_record.is_none() {
            arrays.push(self.problems.finish_texts()?);
        }
        let of_record = self.layout.of_record.iter().flat_map(|(_, nodes)| nodes);
        let nodes = self.layout.of_page.iter().chain(of_record);
        for (column, node) in self.of_page.into_iter().chain(self.of_record).zip(nodes) {
            arrays.push(column.finish(node)?);
        }
        RecordBatch::try_new(Arc::clone(&self.layout.schema), arrays)
    }
}

fn push_all(columns: &mut [Growing], nodes: &[Node], data: Option<&Data>) {
    for (column, node) in columns.iter_mut().zip(nodes) {
        column.push(node, data);
    }
}

impl Growing {
    fn of(node: &Node) -> Growing {
        match node {
            Node::Text(_) => Growing::Text(StringBuilder::new()),
            Node::Set(_, _, nodes) => Growing::set(nodes.iter().map(Growing::of).collect()),
        }
    }

    fn set(columns: Vec<Growing>) -> Growing {
        Growing::Set { offsets: vec![0], is_there: Vec::new(), columns }
    }

    fn push(&mut self, node: &Node, data: Option<&Data>) {
        match (self, node) {
            (Growing::Text(texts), Node::Text(key)) => texts.append_option(text(data, key)),
            (Growing::Set { offsets, is_there, columns }, Node::Set(key, _, nodes)) => {
                let records = records(data, key);
                is_there.push(records.is_some());
                let start = offsets.last().copied().unwrap_or_default();
                let mut n_records = 0;
                for record in records.into_iter().flatten() {
                    push_all(columns, nodes, record);
                    n_records += 1;
                }
                offsets.push(start + n_records);
            }
            // Columns are made of their nodes.
            _ => {}
        }
    }

    fn n_bytes(&self) -> usize {
        match self {
            Growing::Text(texts) => texts.values_slice().len(),
            Growing::Set { columns, .. } => columns.iter().map(Growing::n_bytes).sum(),
        }
    }

    fn push_texts(&mut self, values: &[String]) {
        if let Growing::Set { offsets, columns, .. } = self
            && let [Growing::Text(texts)] = &mut columns[..]
        {
            values.iter().for_each(|value| texts.append_value(value));
            let start = offsets.last().copied().unwrap_or_default();
            offsets.push(start + i32::try_from(values.len()).unwrap_or(i32::MAX));
        }
    }

    fn finish(self, node: &Node) -> Result<ArrayRef, ArrowError> {
        match (self, node) {
            (Growing::Text(mut texts), _) => Ok(Arc::new(texts.finish())),
            (Growing::Set { offsets, is_there, columns }, Node::Set(_, fields, nodes)) => {
                let arrays = columns.into_iter().zip(nodes).map(|(it, node)| it.finish(node));
                let records =
                    StructArray::try_new(fields.clone(), arrays.collect::<Result<_, _>>()?, None)?;
                let list = ListArray::try_new(
                    Arc::new(ArrowField::new("element", DataType::Struct(fields.clone()), false)),
                    OffsetBuffer::new(ScalarBuffer::from(offsets)),
                    Arc::new(records),
                    Some(NullBuffer::from(is_there)),
                )?;
                Ok(Arc::new(list))
            }
            (Growing::Set { .. }, Node::Text(_)) => {
                Err(ArrowError::SchemaError("a set where a text should be".into()))
            }
        }
    }

    fn finish_texts(self) -> Result<ArrayRef, ArrowError> {
        let Growing::Set { offsets, columns, .. } = self else {
            return Err(ArrowError::SchemaError("a text where a list should be".into()));
        };
        let texts: Result<Vec<ArrayRef>, ArrowError> =
            columns.into_iter().map(|it| it.finish(&Node::Text(String::new()))).collect();
        let texts = texts?.into_iter().next();
        let texts = texts.ok_or_else(|| ArrowError::SchemaError("no texts".into()))?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Arc::new(ListArray::try_new(Arc::new(required("element")), offsets, texts, None)?))
    }
}

fn required(name: &str) -> ArrowField {
    ArrowField::new(name, DataType::Utf8, false)
}

/// The columns of some fields, and where their values come from.
fn lay_out(
    fields: &[Field],
    columns: &mut Vec<ArrowField>,
    name: &mut dyn FnMut(&str) -> String,
) -> Vec<Node> {
    let mut nodes = Vec::new();
    for field in fields {
        let (key, name) = (field.name().to_owned(), name(field.name()));
        match field {
            Field::Column(_) => {
                columns.push(ArrowField::new(name, DataType::Utf8, true));
                nodes.push(Node::Text(key));
            }
            Field::Set(set) => {
                let (mut inner, mut names) = (Vec::new(), Names::default());
                let of_set = lay_out(&set.fields, &mut inner, &mut |name| names.unique(name));
                let inner = Fields::from(inner);
                let record = ArrowField::new("element", DataType::Struct(inner.clone()), false);
                columns.push(ArrowField::new(name, DataType::List(Arc::new(record)), true));
                nodes.push(Node::Set(key, inner, of_set));
            }
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LearnConfig, Status, input, learn};
    use arrow_array::{Array, StringArray};

    /// The lists of a bookshop and a page of something else, in batches of some bytes.
    fn batches(rows: &CsvRows, max_bytes: usize) -> Vec<RecordBatch> {
        let pages = input::pages(["../../corpus/bookshop/list/pages"]);
        let pages = pages.map(|page| page.map(|page| page.parse())).collect::<Result<_, _>>();
        let learnt = learn(pages.unwrap(), &LearnConfig::default()).unwrap();
        let layout = BatchLayout::new(learnt.schema(), rows).unwrap();
        let failed = ["of something else".to_owned()];
        let row = |at: usize| match learnt.data.get(at) {
            Some(data) => Row {
                page: "a",
                status: Status::Verified,
                data: data.as_ref(),
                problems: &[],
                warnings: &[],
            },
            None => Row {
                page: "b",
                status: Status::Failed,
                data: None,
                problems: &failed,
                warnings: &[],
            },
        };
        let (mut place, mut parts) = (BatchPlace::default(), Vec::new());
        while place.page <= learnt.data.len() {
            let rows = (place.page..=learnt.data.len()).map(row);
            parts.push(layout.part(rows, &mut place, max_bytes).unwrap());
        }
        parts
    }

    fn batch(rows: &CsvRows) -> RecordBatch {
        let mut all = batches(rows, usize::MAX);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    #[test]
    fn a_row_is_a_page_or_a_record() {
        let pages = batch(&CsvRows::Pages);
        assert_eq!(pages.num_rows(), 6);
        let set = pages.column_by_name("book_items").unwrap();
        assert!(set.is_null(5) && !set.is_null(0));
        let records = batch(&CsvRows::Auto);
        assert_eq!(records.num_rows(), 71);
        let titles = records.column_by_name("book_items_title").unwrap();
        let titles = titles.as_any().downcast_ref::<StringArray>().unwrap();
        assert_eq!(titles.value(0), "The School on Stilts");
        assert!(titles.is_null(70));
    }
    #[test]
    fn batches_end_within_a_page_where_its_records_are_too_many() {
        for rows in [CsvRows::Pages, CsvRows::Auto] {
            let whole = batch(&rows);
            let mut at = 0;
            let parts = batches(&rows, 1000);
            for part in &parts {
                assert_eq!(*part, whole.slice(at, part.num_rows()));
                at += part.num_rows();
            }
            assert_eq!(at, whole.num_rows());
            // A page has some kilobytes, and a record is well below one.
            let n_parts = if rows == CsvRows::Pages { 6 } else { 20 };
            assert!(parts.len() >= n_parts, "{}", parts.len());
        }
    }
}
