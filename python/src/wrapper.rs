//! Wrappers: what was learnt of a template, and what reads other pages by it.

use crate::error::{FieldError, FormatError, OrRaise};
use crate::inputs::{Inputs, Reading};
use crate::json;
use crate::run::{self, Outcome, Stop, run};
use crate::table::{self, Origin, Rows, Table};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pagemill::files;
use pagemill::pipeline::{self, Extracted};
use pagemill::sink::{BatchLayout, BatchPlace};
use pagemill::wrapper::{Check, CheckConfig, Data, Edit, Field, Repaired, Value};
use pagemill::{DataType, Extractor, InputPage, LearnConfig, Schema, Status, Wrapper};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyType};
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What was learnt of the template of some pages: it extracts other pages of that template, and says whether they fit.
///
/// >>> import pagemill
/// >>> wrapper = pagemill.learn("corpus/bookshop/detail/pages")
/// >>> table = wrapper.extract("corpus/bookshop/detail/pages")
/// >>> table[0]["title"]
/// 'A Ledger of Small Weathers by Hespera Lindqvale'
///
/// It can be pickled, so that it travels to other processes.
#[pyclass(frozen, name = "Wrapper", module = "pagemill")]
pub(crate) struct PyWrapper(RwLock<Arc<Wrapper>>);

impl PyWrapper {
    pub(crate) fn of(wrapper: &Arc<Wrapper>) -> PyWrapper {
        PyWrapper(RwLock::new(Arc::clone(wrapper)))
    }

    pub(crate) fn get(&self) -> Arc<Wrapper> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn edit(&self, edits: Vec<Edit>) -> PyResult<()> {
        let mut wrapper = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut wrapper).edit_all(edits).or_raise()
    }
}

const MAKE_ONE: &str = "pagemill.learn(pages).save(path) makes one";

#[pymethods]
impl PyWrapper {
    /// The wrapper in a file that `save`, or `pagemill learn -o`, has written.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<PyWrapper> {
        run(py, move |_| match files::read_wrapper(&path) {
            Ok(wrapper) => Ok(PyWrapper::of(&Arc::new(wrapper))),
            Err(error) => Err(FormatError::new_err(format!("{error}; {MAKE_ONE}"))),
        })
    }

    /// The wrapper in a text that `to_json` has given.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyWrapper> {
        match Wrapper::from_json(text.as_bytes()) {
            Ok(wrapper) => Ok(PyWrapper::of(&Arc::new(wrapper))),
            Err(error) => Err(FormatError::new_err(format!(
                "cannot use this text as a wrapper: {error}; {MAKE_ONE}"
            ))),
        }
    }

    /// The wrapper as a text, as its file has it.
    fn to_json(&self) -> PyResult<String> {
        self.get().to_json().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Write the wrapper to a file, which is whole or not there.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let wrapper = self.get();
        run(py, move |_| files::write_wrapper(&path, &wrapper).or_raise())
    }

    /// The data of pages, as a table with a row a page.
    ///
    /// Each page is verified (every part has its place in the template), partial (some parts do not fit; `problems` says which) or
    /// failed (a page of something else, without data). Inputs that cannot be read are warned of, and listed in `table.unreadable`;
    /// only if there is nothing else it is an error.
    #[pyo3(signature = (pages, *, threads=None))]
    fn extract(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = crate::run::at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<Table> {
        let (wrapper, inputs) = (self.get(), Inputs::of(pages)?);
        let again = inputs.again();
        let own = Arc::clone(&wrapper);
        let (rows, unreadable) = run(py, move |stop| {
            let (reading, failure) = inputs.pages(stop);
            let mut found = (Vec::new(), Vec::new());
            extract(&own, reading, threads, stop, |page| {
                match page {
                    Ok(page) => found.0.push(page),
                    Err(error) => found.1.push(error),
                }
                true
            });
            failure.raise()?;
            Ok(found)
        })?;
        table::nothing_read(&unreadable, rows.len())?;
        table::warn(py, &unreadable)?;
        let schema = wrapper.shared_schema();
        let origin = Origin { wrapper: Some(wrapper), inputs: again, unreadable };
        Table::new(Rows::Extracted(rows), schema, origin)
    }

    /// The data of any number of pages, as a stream of tables that hold some pages each.
    ///
    /// While one is worked on the next are made; no more than a few are held. `max_bytes` bounds the data in each. A stream also
    /// speaks Arrow, once: `pyarrow.RecordBatchReader.from_stream(stream)`. `rows` is `"pages"`, `"records"` or the name of a set,
    /// for what is a row there.
    ///
    /// >>> import pagemill
    /// >>> wrapper = pagemill.learn("corpus/bookshop/list/pages")
    /// >>> sum(len(table) for table in wrapper.stream("corpus/bookshop/list/pages"))
    /// 5
    #[pyo3(signature = (pages, *, rows="pages", threads=None, max_bytes=8 << 20))]
    fn stream(
        &self,
        pages: &Bound<'_, PyAny>,
        rows: &str,
        #[pyo3(from_py_with = crate::run::at_least_one)] threads: Option<NonZeroUsize>,
        max_bytes: usize,
    ) -> PyResult<Stream> {
        let layout = table::layout(self.get().schema(), rows)?;
        Stream::begin(self.get(), Inputs::of(pages)?, layout, threads, max_bytes)
    }

    /// Whether the wrapper still fits pages of its site: see `Report`.
    ///
    /// `max_unfit` is the share of pages that may fail, or share a problem, before it counts as a change; if not given, 0.5.
    #[pyo3(signature = (pages, *, max_unfit=None, threads=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        pages: &Bound<'py, PyAny>,
        max_unfit: Option<f64>,
        #[pyo3(from_py_with = crate::run::at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if max_unfit.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return Err(PyValueError::new_err("max_unfit is a share from 0 to 1"));
        }
        let (wrapper, inputs) = (self.get(), Inputs::of(pages)?);
        let report = run(py, move |stop| {
            let config = CheckConfig::default();
            let config = max_unfit.map_or(config, |share| config.with_max_unfit(share));
            let mut check = Check::new(&wrapper, config);
            let (reading, failure) = inputs.pages(stop);
            let (mut unreadable, mut n_read) = (Vec::new(), 0);
            extract(&wrapper, reading, threads, stop, |page| {
                match page {
                    Ok(found) => {
                        n_read += 1;
                        check.add(&found.page, found.status, found.data.as_ref(), &found.problems);
                    }
                    Err(error) => unreadable.push(error),
                }
                true
            });
            failure.raise()?;
            table::nothing_read(&unreadable, n_read)?;
            let mut report = serde_json::to_value(check.report())
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            report["unreadable"] = json!(unreadable);
            Ok(report)
        })?;
        let fields = json::object(py, &report)?.cast_into::<pyo3::types::PyDict>()?;
        py.import("pagemill._results")?.getattr("Report")?.call((), Some(&fields))
    }

    /// Learn again from pages as they are now, under the old names: see `Repaired`. This wrapper stays as it is.
    fn repair<'py>(
        &self,
        py: Python<'py>,
        pages: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (old, inputs) = (self.get(), Inputs::of(pages)?);
        let (repaired, n_pages, n_fit) = run(py, move |stop| {
            let (pages, _) = read_all(inputs, stop)?;
            let pages: Vec<_> = pages.iter().map(InputPage::parse).collect();
            let n_pages = pages.len();
            let repaired = pagemill::wrapper::repair(&old, pages.clone(), &LearnConfig::default())
                .or_raise()?;
            let mut extractor = Extractor::new(&repaired.wrapper);
            let is_fit = |page| extractor.extract(page).status == Status::Verified;
            let n_fit = pages.iter().map(is_fit).filter(|it| *it).count();
            Ok((repaired, n_pages, n_fit))
        })?;
        let Repaired { wrapper, is_unchanged, changes, lost_edits, n_unfit, .. } = repaired;
        let wrapper = Bound::new(py, PyWrapper::of(&Arc::new(wrapper)))?;
        let changes: Vec<(String, &str, bool)> =
            changes.into_iter().map(|it| (it.path, it.fate.name(), it.is_doubtful)).collect();
        let lost: Vec<String> = lost_edits.iter().map(|(_, error)| error.to_string()).collect();
        let class = py.import("pagemill._results")?.getattr("Repaired")?;
        class.call1((wrapper, is_unchanged, changes, lost, n_pages, n_pages - n_unfit, n_fit))
    }

    /// What the wrapper extracts: see `Column`. With `all`, also what says the same on all pages.
    #[pyo3(signature = (*, all=false))]
    fn columns<'py>(&self, py: Python<'py>, all: bool) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let wrapper = self.get();
        let class = py.import("pagemill._results")?.getattr("Column")?;
        let paths = wrapper.schema().paths();
        let wanted = paths.into_iter().filter(|(_, field)| all || field.is_data());
        wanted
            .map(|(path, field)| {
                let share = f64::from(field.density()) / 1000.0;
                match field {
                    Field::Column(column) => class.call1((
                        path,
                        column.data_type.name(),
                        share,
                        column.label.clone(),
                        column.examples.clone(),
                    )),
                    Field::Set(_) => {
                        class.call1((path, "set", share, None::<String>, Vec::<String>::new()))
                    }
                }
            })
            .collect()
    }

    /// Where the values of a page come from and why there, or why there is none: a dict for each value that is meant.
    #[pyo3(signature = (page, field=None))]
    fn why<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyAny>,
        field: Option<String>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (wrapper, inputs) = (self.get(), Inputs::of(page)?);
        let told = run(py, move |stop| {
            let (pages, _) = read_all(inputs, stop)?;
            let told = pages.iter().map(|page| table::explain(&wrapper, page, field.as_deref()));
            Ok(told.collect::<PyResult<Vec<_>>>()?.concat())
        })?;
        told.iter().map(|it| json::object(py, it)).collect()
    }

    /// Call a column or set by another name.
    fn rename(&self, column: &str, name: &str) -> PyResult<()> {
        self.edit(vec![Edit::rename(column, name)])
    }

    /// Make one column of several: each page or record gives the first that it has.
    #[pyo3(signature = (*columns, name=None))]
    fn merge(&self, columns: Vec<String>, name: Option<String>) -> PyResult<()> {
        self.edit(vec![match name {
            Some(name) => Edit::merge_as(columns, name),
            None => Edit::merge(columns),
        }])
    }

    /// Take apart what was merged, or a column that is read from several places.
    fn split(&self, column: &str) -> PyResult<()> {
        self.edit(vec![Edit::split(column)])
    }

    /// Leave out columns or sets.
    #[pyo3(signature = (*columns))]
    fn drop(&self, columns: Vec<String>) -> PyResult<()> {
        self.edit(columns.into_iter().map(Edit::drop).collect())
    }

    /// Bring back what was dropped, or give what says the same on all pages.
    #[pyo3(signature = (*columns))]
    fn keep(&self, columns: Vec<String>) -> PyResult<()> {
        self.edit(columns.into_iter().map(Edit::keep).collect())
    }

    /// Take the values of a column as something else, such as money, date, number or string.
    fn set_type(&self, column: &str, r#type: &str) -> PyResult<()> {
        let Some(data_type) = DataType::from_name(&r#type.to_ascii_lowercase()) else {
            let names: Vec<&str> = DataType::ALL.iter().map(|it| it.name()).collect();
            return Err(FieldError::new_err(format!("types are {}", names.join(", "))));
        };
        self.edit(vec![Edit::set_type(column, data_type)])
    }

    /// Take back the last change of the columns. False if there is none.
    fn undo(&self) -> bool {
        let mut wrapper = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut wrapper).undo().is_some()
    }

    fn __repr__(&self) -> String {
        let wrapper = self.get();
        let paths = wrapper.schema().paths();
        let names: Vec<&str> = paths
            .iter()
            .filter(|(_, field)| field.is_data())
            .map(|(path, _)| path.as_str())
            .collect();
        let shown = names.iter().take(6).copied().collect::<Vec<_>>().join(", ");
        let more = if names.len() > 6 { ", …" } else { "" };
        format!("Wrapper({shown}{more})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class: Bound<'py, PyType> = slf.get_type();
        Ok((class.getattr("from_json")?, (slf.get().to_json()?,)))
    }
}

/// All pages that can be read; an error if there are none, though some were named.
pub(crate) fn read_all(inputs: Inputs, stop: &Stop) -> PyResult<(Vec<InputPage>, Vec<String>)> {
    let (reading, failure) = inputs.pages(stop);
    let (mut pages, mut unreadable) = (Vec::new(), Vec::new());
    for page in reading {
        match page {
            Ok(page) => pages.push(page),
            Err(error) => unreadable.push(error.to_string()),
        }
    }
    failure.raise()?;
    table::nothing_read(&unreadable, pages.len())?;
    Ok((pages, unreadable))
}

/// Extract from pages until `take` wants no more. What cannot be read comes in words.
fn extract(
    wrapper: &Wrapper,
    reading: Reading,
    threads: Option<NonZeroUsize>,
    stop: &Stop,
    mut take: impl FnMut(Result<Extracted, String>) -> bool,
) {
    let threads = threads.unwrap_or_else(pipeline::all_cores);
    // Being stopped is no error: what was found so far is dropped by those who wished for it.
    let _ = pipeline::extract(wrapper, reading, threads, |found| {
        match !stop.is_set() && take(found.map(Extracted::take).map_err(|error| error.to_string()))
        {
            true => Ok(()),
            false => Err(()),
        }
    });
}

/// Tables that come one after the other, each with some pages.
#[pyclass(frozen, name = "Stream", module = "pagemill")]
pub(crate) struct Stream {
    /// None at the end, and once it is taken as Arrow.
    chunks: Mutex<Option<Receiver<Outcome<Chunk>>>>,
    stop: Stop,
    schema: Arc<Schema>,
    pages: Arc<BatchLayout>,
    rows: Arc<BatchLayout>,
    wrapper: Arc<Wrapper>,
    max_bytes: usize,
}

/// Some pages, and what could not be read meanwhile.
struct Chunk {
    rows: Vec<Extracted>,
    unreadable: Vec<String>,
}

/// So many pages at most are in one table.
const CHUNK_PAGES: usize = 1024;

impl Stream {
    fn begin(
        wrapper: Arc<Wrapper>,
        inputs: Inputs,
        rows: BatchLayout,
        threads: Option<NonZeroUsize>,
        max_bytes: usize,
    ) -> PyResult<Stream> {
        let (stop, schema) = (Stop::default(), wrapper.shared_schema());
        let (sender, chunks) = mpsc::sync_channel(1);
        let own = Arc::clone(&wrapper);
        run::begin(&stop, move |stop| {
            let (reading, failure) = inputs.pages(stop);
            let ended = run::guarded(|| {
                send(&wrapper, reading, threads, stop, max_bytes, &sender);
                failure.raise()
            });
            match ended {
                Ok(Ok(())) => {}
                Ok(Err(error)) => _ = sender.send(Ok(Err(error))),
                Err(panic) => _ = sender.send(Err(panic)),
            }
        })?;
        let pages = table::layout(&schema, "pages")?;
        Ok(Stream {
            chunks: Mutex::new(Some(chunks)),
            stop,
            schema,
            pages: Arc::new(pages),
            rows: Arc::new(rows),
            wrapper: own,
            max_bytes,
        })
    }

    fn take(&self) -> PyResult<Receiver<Outcome<Chunk>>> {
        let chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner).take();
        chunks.ok_or_else(|| PyRuntimeError::new_err("the stream is at its end, or was taken"))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Whoever took it as Arrow goes on with it.
        if self.chunks.get_mut().is_ok_and(|chunks| chunks.is_some()) {
            self.stop.set();
        }
    }
}

fn send(
    wrapper: &Wrapper,
    reading: Reading,
    threads: Option<NonZeroUsize>,
    stop: &Stop,
    max_bytes: usize,
    sender: &SyncSender<Outcome<Chunk>>,
) {
    let empty = || Chunk { rows: Vec::new(), unreadable: Vec::new() };
    let (mut chunk, mut n_bytes) = (empty(), 0);
    extract(wrapper, reading, threads, stop, |page| {
        match page {
            Ok(page) => {
                n_bytes += weight(&page);
                chunk.rows.push(page);
            }
            Err(error) => chunk.unreadable.push(error),
        }
        if n_bytes < max_bytes && chunk.rows.len() < CHUNK_PAGES {
            return true;
        }
        n_bytes = 0;
        sender.send(Ok(Ok(std::mem::replace(&mut chunk, empty())))).is_ok()
    });
    if !chunk.rows.is_empty() || !chunk.unreadable.is_empty() {
        let _ = sender.send(Ok(Ok(chunk)));
    }
}

/// What a row takes, roughly.
fn weight(page: &Extracted) -> usize {
    fn of(data: &Data) -> usize {
        let value = |value: &Value| match value {
            Value::Text(text) => text.len(),
            Value::Records(records) => records.iter().map(of).sum(),
        };
        data.iter().map(|(_, it)| 16 + value(it)).sum()
    }
    page.page.len() + 64 + page.data.as_ref().map_or(0, of)
}

#[pymethods]
impl Stream {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let Ok(chunks) = self.take() else { return Ok(None) };
        let (chunks, came) = run::wait(py, chunks, &self.stop)?;
        let Some(outcome) = came else { return Ok(None) };
        let chunk = run::unpacked(outcome)?;
        *self.chunks.lock().unwrap_or_else(PoisonError::into_inner) = Some(chunks);
        table::warn(py, &chunk.unreadable)?;
        let wrapper = Some(Arc::clone(&self.wrapper));
        let origin = Origin { wrapper, inputs: None, unreadable: chunk.unreadable };
        let rows = Rows::Extracted(chunk.rows);
        Ok(Some(Table::with_layout(rows, &self.schema, &self.pages, origin)))
    }

    /// All tables as one Arrow stream. It can be taken once.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let (chunks, layout) = (self.take()?, Arc::clone(&self.rows));
        let schema = Arc::clone(layout.schema());
        let (rows, place, max_bytes) = (Vec::new(), BatchPlace::default(), self.max_bytes);
        let batches = StreamBatches { chunks, layout, rows, place, max_bytes };
        crate::arrow::export(py, crate::arrow::reader(schema, batches))
    }
}

/// A stream as Arrow takes it.
struct StreamBatches {
    chunks: Receiver<Outcome<Chunk>>,
    layout: Arc<BatchLayout>,
    /// What came last, and where in it the next batch begins.
    rows: Vec<Extracted>,
    place: BatchPlace,
    max_bytes: usize,
}

impl Iterator for StreamBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.place.page >= self.rows.len() {
            // Whoever asks may hold Python's lock, which pages that come from a generator need.
            let chunks = Mutex::new(&mut self.chunks);
            let came = Python::attach(|py| {
                py.detach(|| chunks.lock().unwrap_or_else(PoisonError::into_inner).recv())
            });
            match run::unpacked(came.ok()?) {
                Ok(chunk) => (self.rows, self.place) = (chunk.rows, BatchPlace::default()),
                Err(error) => return Some(Err(ArrowError::ExternalError(Box::new(error)))),
            }
        }
        let rows = self.rows[self.place.page..].iter().map(Extracted::row);
        Some(self.layout.part(rows, &mut self.place, self.max_bytes))
    }
}
