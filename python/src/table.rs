//! Tables: what was extracted from some pages. A row is a page, or a record of one of its sets.
//!
//! Rows are kept as the engine gives them, and made into plain dicts or Arrow batches when someone asks for them.

use crate::arrow;
use crate::error::{FieldError, InputError, IntoPy, OrRaise};
use crate::inputs::Again;
use crate::json;
use crate::run::{Stop, run, run_writing};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pagemill::annotate::Target;
use pagemill::pipeline::{Annotated, Extracted};
use pagemill::sink::{
    AnnotationSink, BatchLayout, BatchPlace, CsvRows, Sink, SinkConfig, SinkError,
};
use pagemill::wrapper::{Data, FieldPath};
use pagemill::{InputPage, Schema, Wrapper, why};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyDict, PyType};
use std::borrow::Cow;
use std::mem::take;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// What came of the pages.
pub(crate) enum Rows {
    Extracted(Vec<Extracted>),
    Annotated(Vec<Annotated>, Target),
}

/// So many rows take milliseconds to free.
const MANY_ROWS: usize = 1000;

/// Many rows are freed beside Python: it would hold its lock meanwhile, and its other threads would wait.
impl Drop for Rows {
    fn drop(&mut self) {
        if self.len() < MANY_ROWS {
            return;
        }
        let rows: Box<dyn Send> = match self {
            Rows::Extracted(rows) => Box::new(take(rows)),
            Rows::Annotated(rows, _) => Box::new(take(rows)),
        };
        // Where no thread is to be had they are freed here.
        let _ = thread::Builder::new().spawn(move || drop(rows));
    }
}

impl Rows {
    fn len(&self) -> usize {
        match self {
            Rows::Extracted(rows) => rows.len(),
            Rows::Annotated(rows, _) => rows.len(),
        }
    }

    fn page(&self, at: usize) -> &str {
        match self {
            Rows::Extracted(rows) => &rows[at].page,
            Rows::Annotated(rows, _) => &rows[at].page,
        }
    }

    /// As tables have it.
    fn extracted(&self, at: usize) -> Cow<'_, Extracted> {
        match self {
            Rows::Extracted(rows) => Cow::Borrowed(&rows[at]),
            Rows::Annotated(rows, target) => Cow::Owned(rows[at].as_extracted(target)),
        }
    }

    /// Nested as JSON lines have it.
    fn data<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Rows::Extracted(rows) => match &rows[at].data {
                Some(data) => json::dict(py, data).map(Bound::into_any),
                None => Ok(PyDict::new(py).into_any()),
            },
            Rows::Annotated(rows, _) => match &rows[at].data {
                Some(data) => json::object(py, data),
                None => Ok(PyDict::new(py).into_any()),
            },
        }
    }
}

/// Where rows come from.
#[derive(Default)]
pub(crate) struct Origin {
    pub(crate) wrapper: Option<Arc<Wrapper>>,
    /// The pages once more, if they can be read again.
    pub(crate) inputs: Option<Again>,
    /// What could not be read, in words.
    pub(crate) unreadable: Vec<String>,
}

/// What a row is.
#[derive(Clone)]
enum View {
    Pages,
    /// A record of this set: by the number of its page, and its own.
    Records(String, Arc<Vec<(usize, Option<usize>)>>),
}

/// The data of some pages, a row a page.
///
/// A table speaks Arrow: `pyarrow.table(table)`, `polars.DataFrame(table)` and `duckdb.sql("from table")` take it without a
/// copy, and `table.to_pandas()` gives a data frame. Its rows are plain dicts with a few words more: see `Record`.
///
/// >>> import pagemill
/// >>> table = pagemill.get("corpus/bookshop/list")[0]
/// >>> len(table)
/// 5
/// >>> table[0].status
/// 'verified'
/// >>> books = table.records()          # a row a record
/// >>> len(books), books[0]["title"]
/// (70, 'The School on Stilts')
#[pyclass(frozen, name = "Table", module = "pagemill")]
pub(crate) struct Table {
    rows: Arc<Rows>,
    schema: Arc<Schema>,
    layout: Arc<BatchLayout>,
    view: View,
    origin: Arc<Origin>,
}

impl Table {
    pub(crate) fn new(
        rows: Rows,
        schema: impl Into<Arc<Schema>>,
        origin: Origin,
    ) -> PyResult<Table> {
        let schema = schema.into();
        let layout = BatchLayout::new(&schema, &CsvRows::Pages).or_raise()?;
        Ok(Table::with_layout(rows, &schema, &Arc::new(layout), origin))
    }

    pub(crate) fn with_layout(
        rows: Rows,
        schema: &Arc<Schema>,
        layout: &Arc<BatchLayout>,
        origin: Origin,
    ) -> Table {
        Table {
            rows: Arc::new(rows),
            schema: Arc::clone(schema),
            layout: Arc::clone(layout),
            view: View::Pages,
            origin: Arc::new(origin),
        }
    }

    fn place(&self, at: usize) -> (usize, Option<usize>) {
        match &self.view {
            View::Pages => (at, None),
            View::Records(_, places) => places[at],
        }
    }

    fn batches(&self) -> Batches {
        Batches {
            rows: Arc::clone(&self.rows),
            layout: Arc::clone(&self.layout),
            place: BatchPlace::default(),
        }
    }

    fn record<'py>(slf: &Bound<'py, Self>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        let (py, table) = (slf.py(), slf.get());
        let (page, record) = table.place(at);
        let row = table.rows.extracted(page);
        let data = match (&table.view, record) {
            (View::Pages, _) => table.rows.data(py, page)?,
            (View::Records(set, _), Some(record)) => {
                let records = row.data.as_ref().and_then(|data| data.get(set)?.as_records());
                let record = records.and_then(|records| records.get(record));
                json::dict(py, record.unwrap_or(&Data::new()))?.into_any()
            }
            (View::Records(..), None) => PyDict::new(py).into_any(),
        };
        let Extracted { page, status, problems, warnings, .. } = &*row;
        record_class(py)?.call1((data, page, status.name(), problems, warnings, slf, at))
    }
}

fn record_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "pagemill._record", "Record")
}

#[pymethods]
impl Table {
    /// Which column names there are.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.layout.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// What could not be read, in words.
    #[getter]
    fn unreadable(&self) -> Vec<String> {
        self.origin.unreadable.clone()
    }

    /// What reads other pages of this kind; None where nothing was learnt.
    #[getter]
    fn wrapper(&self) -> Option<crate::wrapper::PyWrapper> {
        self.origin.wrapper.as_ref().map(crate::wrapper::PyWrapper::of)
    }

    /// The same pages with a row for each record of a set; if none is named, of the set that has most.
    ///
    /// The columns of the page come first. A page without records has one row.
    #[pyo3(signature = (of=None))]
    fn records(&self, of: Option<String>) -> PyResult<Table> {
        let rows = of.map_or(CsvRows::Records, CsvRows::RecordsOf);
        let layout = BatchLayout::new(&self.schema, &rows).or_raise()?;
        let set = layout.set().unwrap_or_default().to_owned();
        let mut places = Vec::new();
        for page in 0..self.rows.len() {
            let row = self.rows.extracted(page);
            let records = row.data.as_ref().and_then(|data| data.get(&set)?.as_records());
            match records.map_or(0, <[Data]>::len) {
                0 => places.push((page, None)),
                n => places.extend((0..n).map(|record| (page, Some(record)))),
            }
        }
        Ok(Table {
            rows: Arc::clone(&self.rows),
            schema: Arc::clone(&self.schema),
            layout: Arc::new(layout),
            view: View::Records(set, Arc::new(places)),
            origin: Arc::clone(&self.origin),
        })
    }

    /// A data frame of pandas, which must be installed, with pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pagemill._frames")?.call_method1("to_pandas", (slf,))
    }

    /// Write the table to a file, in the format that its name tells: .jsonl, .csv (both also with .gz), .parquet, .db or .sqlite.
    ///
    /// The file appears when it is whole. Cells of .csv that a spreadsheet would run as a formula get an apostrophe, unless
    /// `formulas` is true.
    #[pyo3(signature = (path, formulas=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, formulas: bool) -> PyResult<()> {
        let (rows, schema, view) =
            (Arc::clone(&self.rows), Arc::clone(&self.schema), self.view.clone());
        run_writing(py, move |stop| {
            let rows_of = match &view {
                View::Pages => CsvRows::Pages,
                View::Records(set, _) => CsvRows::RecordsOf(set.clone()),
            };
            save(&rows, &schema, &path, rows_of, formulas, stop).or_raise()
        })
    }

    fn __len__(&self) -> usize {
        match &self.view {
            View::Pages => self.rows.len(),
            View::Records(_, places) => places.len(),
        }
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, at: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = slf.get().__len__();
        let wanted =
            if at < 0 { len.checked_sub(at.unsigned_abs()) } else { Some(at.unsigned_abs()) };
        match wanted.filter(|at| *at < len) {
            Some(at) => Table::record(slf, at),
            None => Err(PyIndexError::new_err(format!("the table has {len} rows, and none {at}"))),
        }
    }

    fn __iter__(slf: Py<Self>) -> RecordIterator {
        RecordIterator { table: slf, next: std::sync::atomic::AtomicUsize::new(0) }
    }

    fn __repr__(&self) -> String {
        let what = match &self.view {
            View::Pages => "pages".to_owned(),
            View::Records(set, _) => format!("{set:?}"),
        };
        let columns = self.columns();
        let own = columns.iter().skip(if matches!(self.view, View::Pages) { 3 } else { 2 });
        let shown: Vec<&str> = own.clone().take(6).map(String::as_str).collect();
        let more = if own.len() > 6 { ", …" } else { "" };
        format!("Table({} rows of {what}: {}{more})", self.__len__(), shown.join(", "))
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("pagemill._frames")?.call_method1("to_html", (slf,))?.extract()
    }

    /// The table as an Arrow stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        arrow::export(py, arrow::reader(Arc::clone(self.layout.schema()), self.batches()))
    }

    /// Where values of a row were read; for `Record.why`.
    #[pyo3(name = "_why", signature = (at, field=None))]
    fn why<'py>(
        &self,
        py: Python<'py>,
        at: usize,
        field: Option<String>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let Some(wrapper) = self.origin.wrapper.clone() else {
            return Err(PyValueError::new_err(
                "these rows were not read by a wrapper, which alone can say why",
            ));
        };
        let (page, record) = self.place(at);
        let field = match (&self.view, record, field) {
            (View::Records(set, _), Some(record), Some(field)) => {
                Some(format!("{set}[{record}].{field}"))
            }
            (View::Records(set, _), Some(record), None) => Some(format!("{set}[{record}]")),
            (_, _, field) => field,
        };
        let Some(inputs) = self.origin.inputs.as_ref().map(Again::inputs) else {
            return Err(InputError::new_err(
                "the pages are not at hand any more: they came from an iterator or a table; wrapper.why(page, field) explains a page",
            ));
        };
        let id = self.rows.page(page).to_owned();
        let nth = (0..page).filter(|it| self.rows.page(*it) == id).count();
        let told = run(py, move |stop| {
            let (reading, failure) = inputs.pages(stop);
            let mut same = reading.flatten().filter(|page| page.id == id);
            let Some(page) = same.nth(nth) else {
                failure.raise()?;
                return Err(InputError::new_err(format!("{id:?} cannot be read any more")));
            };
            explain(&wrapper, &page, field.as_deref())
        })?;
        told.iter().map(|it| json::object(py, it)).collect()
    }
}

/// Why a field of a page is what it is, as JSON.
pub(crate) fn explain(
    wrapper: &Wrapper,
    input: &InputPage,
    field: Option<&str>,
) -> PyResult<Vec<serde_json::Value>> {
    let field: Option<FieldPath> = match field {
        Some(field) => {
            let path: FieldPath = field
                .parse()
                .map_err(|error| FieldError::new_err(format!("{field:?}: {error}")))?;
            why::check_field(wrapper.schema(), &path).map_err(|error| {
                let hint = "; wrapper.columns() lists them";
                FieldError::new_err(format!("{error}{hint}"))
            })?;
            Some(path)
        }
        None => None,
    };
    let page = input.parse();
    Ok(why::explain(wrapper, &page, field).to_json(input, &page))
}

fn save(
    rows: &Rows,
    schema: &Schema,
    path: &std::path::Path,
    rows_of: CsvRows,
    formulas: bool,
    stop: &Stop,
) -> Result<(), SinkError> {
    match rows {
        Rows::Extracted(rows) => {
            let config = SinkConfig::default().with_csv_rows(rows_of).with_formulas(formulas);
            let mut sink = Sink::create(path, schema, &config)?;
            for row in rows.iter().take_while(|_| !stop.is_set()) {
                sink.write(&row.row())?;
            }
            if stop.is_set() { Ok(()) } else { sink.finish() }
        }
        Rows::Annotated(rows, target) => {
            let mut sink = AnnotationSink::create(path, target)?;
            for row in rows.iter().take_while(|_| !stop.is_set()) {
                sink.write(row)?;
            }
            if stop.is_set() { Ok(()) } else { sink.finish() }
        }
    }
}

/// Goes through the rows of a table.
#[pyclass(frozen, name = "RecordIterator", module = "pagemill")]
pub(crate) struct RecordIterator {
    table: Py<Table>,
    next: std::sync::atomic::AtomicUsize,
}

#[pymethods]
impl RecordIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let table = self.table.bind(py);
        let at = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        match at < table.get().__len__() {
            true => Table::record(table, at).map(Some),
            false => Ok(None),
        }
    }
}

/// The rows of a table, some at a time.
struct Batches {
    rows: Arc<Rows>,
    layout: Arc<BatchLayout>,
    place: BatchPlace,
}

/// So many pages make a batch: enough that columns are worth their overhead.
const BATCH_PAGES: usize = 1024;
/// Or so many bytes.
const BATCH_BYTES: usize = 8 << 20;

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let end = self.rows.len().min(self.place.page + BATCH_PAGES);
        if self.place.page >= end {
            return None;
        }
        let (rows, layout, place) = (self.place.page..end, &self.layout, &mut self.place);
        let mut part =
            |rows: &[Extracted]| layout.part(rows.iter().map(Extracted::row), place, BATCH_BYTES);
        Some(match &*self.rows {
            Rows::Extracted(all) => part(&all[rows]),
            Rows::Annotated(all, target) => {
                let all: Vec<Extracted> =
                    all[rows].iter().map(|row| row.as_extracted(target)).collect();
                part(&all)
            }
        })
    }
}

/// What cannot be read is told once a run, and is in the table.
pub(crate) fn warn(py: Python<'_>, unreadable: &[String]) -> PyResult<()> {
    let Some(first) = unreadable.first() else { return Ok(()) };
    let class = py.import("pagemill.errors")?.getattr("UnreadableWarning")?;
    let more = match unreadable.len() {
        1 => String::new(),
        n => format!("; and {} more, see .unreadable", n - 1),
    };
    py.import("warnings")?.call_method1("warn", (format!("{first}{more}"), class, 1))?;
    Ok(())
}

/// Where nothing at all could be read, that is an error.
pub(crate) fn nothing_read(unreadable: &[String], n_read: usize) -> PyResult<()> {
    match unreadable.first().filter(|_| n_read == 0) {
        Some(first) => Err(InputError::new_err(first.clone())),
        None => Ok(()),
    }
}

/// A layout for records in the table's stead.
pub(crate) fn layout(schema: &Schema, rows: &str) -> PyResult<BatchLayout> {
    let rows = match rows {
        "pages" => CsvRows::Pages,
        "records" => CsvRows::Records,
        set => CsvRows::RecordsOf(set.to_owned()),
    };
    BatchLayout::new(schema, &rows).map_err(IntoPy::into_py)
}
