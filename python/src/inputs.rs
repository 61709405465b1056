//! What users of Python pass as pages: paths, bytes, [`PyPage`]s, several of these, or tables.
//!
//! What it is is told when it is passed, so that a wrong type is an exception there and then. Pages are read later, on another thread,
//! one at a time; what a generator raises meanwhile is kept as a [`Failure`] and raised in the end.

use crate::arrow::{self, ArrowPages};
use crate::error::InputError;
use crate::run::Stop;
use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pagemill::InputPage;
use pagemill::input::{self, InputError as Unreadable, Web};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyCapsule, PyDict, PyIterator, PyList, PyString, PyTuple};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A page in memory.
///
/// >>> import pagemill
/// >>> page = pagemill.Page(b"<h1>Fog</h1>", url="https://example.org/fog")
/// >>> page.url
/// 'https://example.org/fog'
/// >>> page.html
/// b'<h1>Fog</h1>'
///
/// `html` is bytes as a server sent them, or a text. `charset` is the encoding that HTTP named, if any; without it, it is found
/// as browsers do. `id` is what the page is called in results; if not given, it is the URL.
#[pyclass(frozen, name = "Page", module = "pagemill")]
pub(crate) struct PyPage(Arc<InputPage>);

#[pymethods]
impl PyPage {
    #[new]
    #[pyo3(signature = (html, url=None, charset=None, id=None))]
    fn new(
        html: &Bound<'_, PyAny>,
        url: Option<String>,
        charset: Option<String>,
        id: Option<String>,
    ) -> PyResult<PyPage> {
        let Some((bytes, is_text)) = content(html)? else {
            return Err(PyTypeError::new_err(format!(
                "html is bytes or a text, not {}",
                html.get_type().name()?
            )));
        };
        check_charset(charset.as_deref())?;
        let charset = charset.filter(|_| !is_text).or(is_text.then(|| "utf-8".to_owned()));
        let id = id.or_else(|| url.clone()).unwrap_or_else(|| "page".to_owned());
        Ok(PyPage(Arc::new(InputPage { id, bytes, charset, url })))
    }

    /// What it is called in results.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// Its bytes, without transfer and content encodings.
    #[getter]
    fn html<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.bytes)
    }

    /// Where it was fetched from, if that is known.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.0.url.as_deref()
    }

    /// The encoding that HTTP named, if any.
    #[getter]
    fn charset(&self) -> Option<&str> {
        self.0.charset.as_deref()
    }

    fn __repr__(&self) -> String {
        format!("Page({:?}, {} bytes)", self.0.id, self.0.bytes.len())
    }
}

/// The bytes of something that may be a page, and whether it was a text.
fn content(object: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u8>, bool)>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some((bytes.as_bytes().to_vec(), false)));
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(Some((bytes.to_vec(), false)));
    }
    if object.cast::<PyString>().is_ok() {
        // Half a pair of surrogates is no text; the rest of the page is.
        let bytes = object.call_method1("encode", ("utf-8", "replace"))?;
        return Ok(Some((bytes.extract::<PyBackedBytes>()?.to_vec(), true)));
    }
    Ok(None)
}

fn check_charset(charset: Option<&str>) -> PyResult<()> {
    match charset.filter(|label| !pagemill::page::is_charset(label)) {
        Some(label) => Err(PyValueError::new_err(format!(
            "no encoding of the web is called {label:?}; try utf-8, windows-1252 or shift_jis"
        ))),
        None => Ok(()),
    }
}

/// Pages, and how to read them.
///
/// Wherever pages are expected, paths, bytes and tables can be passed as they are; this is for those who want to say more: an
/// encoding, how large a page may be, which columns of a table hold the pages. It can be gone through, and is itself a table
/// with the columns `page`, `url`, `html` and `charset`.
///
/// >>> import pagemill
/// >>> pages = pagemill.Pages("corpus/bookshop/list/pages", charset="utf-8")
/// >>> sum(1 for page in pages)
/// 5
#[pyclass(frozen, name = "Pages", module = "pagemill")]
pub(crate) struct PyPages {
    object: Py<PyAny>,
    settings: Settings,
    html: String,
    url: String,
}

/// How pages are read.
#[derive(Clone, Default)]
struct Settings {
    charset: Option<String>,
    max_bytes: Option<u64>,
    /// Pages of the web are asked for once, however often they are read.
    web: Web,
}

#[pymethods]
impl PyPages {
    #[new]
    #[pyo3(signature = (pages, *, charset=None, max_bytes=None, html="html", url="url"))]
    fn new(
        pages: Py<PyAny>,
        charset: Option<String>,
        max_bytes: Option<u64>,
        html: &str,
        url: &str,
    ) -> PyResult<PyPages> {
        check_charset(charset.as_deref())?;
        let (html, url) = (html.to_owned(), url.to_owned());
        Ok(PyPages {
            object: pages,
            settings: Settings { charset, max_bytes, web: Web::default() },
            html,
            url,
        })
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<PageIterator> {
        let (reading, failure) = self.open(py)?.pages(&Stop::default());
        Ok(PageIterator { reading: Mutex::new(reading), failure })
    }

    /// The pages as an Arrow stream with the columns `page`, `url`, `html` and `charset`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let (reading, failure) = self.open(py)?.pages(&Stop::default());
        let schema = page_schema();
        let batches = PageBatches { reading, failure, schema: Arc::clone(&schema), n_read: 0 };
        arrow::export(py, arrow::reader(schema, batches))
    }
}

impl PyPages {
    fn open(&self, py: Python<'_>) -> PyResult<Inputs> {
        Inputs::new(self.object.bind(py), &self.html, &self.url, &self.settings)
    }
}

/// Goes through pages.
#[pyclass(frozen, name = "PageIterator", module = "pagemill")]
pub(crate) struct PageIterator {
    reading: Mutex<Reading>,
    failure: Failure,
}

#[pymethods]
impl PageIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyPage>> {
        let page = py.detach(|| {
            let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            reading.next()
        });
        match page {
            Some(Ok(page)) => Ok(Some(PyPage(Arc::new(page)))),
            Some(Err(error)) => Err(InputError::new_err(error.to_string())),
            None => self.failure.raise().map(|()| None),
        }
    }
}

/// What is to be read.
pub(crate) struct Inputs {
    opened: Opened,
    settings: Settings,
}

enum Opened {
    /// What can be read again.
    Items(Arc<Vec<Item>>),
    Arrow(ArrowPages),
    Python(Py<PyIterator>),
}

#[derive(Clone, Debug)]
enum Item {
    Path(OsString),
    Page(Arc<InputPage>),
}

const EXPECTED: &str = "pages are paths or addresses (str or os.PathLike), bytes, pagemill.Page, an iterable of these, or a table with columns html and url";

impl Inputs {
    /// Of whatever was passed.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Inputs> {
        match object.cast::<PyPages>() {
            Ok(pages) => pages.get().open(object.py()),
            Err(_) => Inputs::new(object, "html", "url", &Settings::default()),
        }
    }

    fn new(
        object: &Bound<'_, PyAny>,
        html: &str,
        url: &str,
        settings: &Settings,
    ) -> PyResult<Inputs> {
        let opened = match object {
            _ if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() => {
                let items = object.try_iter()?.enumerate();
                let item = |(nth, it): (usize, PyResult<Bound<'_, PyAny>>)| {
                    // Pages in memory are copied, and there may be many.
                    object.py().check_signals()?;
                    item(&it?, nth)
                };
                let items = items.map(item).collect::<PyResult<_>>()?;
                Opened::Items(Arc::new(items))
            }
            _ if is_item(object) => Opened::Items(Arc::new(vec![item(object, 0)?])),
            _ if object.is_instance_of::<PyDict>() => return Err(wrong(object)),
            _ if object.hasattr("__arrow_c_stream__")? => {
                Opened::Arrow(ArrowPages::new(object, html, url)?)
            }
            _ => match object.try_iter() {
                Ok(iterator) => Opened::Python(iterator.unbind()),
                Err(_) => return Err(wrong(object)),
            },
        };
        Ok(Inputs { opened, settings: settings.clone() })
    }

    /// What reads the same once more; none of what can be read but once.
    pub(crate) fn again(&self) -> Option<Again> {
        match &self.opened {
            Opened::Items(items) => Some(Again(Arc::clone(items), self.settings.clone())),
            _ => None,
        }
    }

    /// The pages, one after the other, until someone wants it to stop.
    pub(crate) fn pages(self, stop: &Stop) -> (Reading, Failure) {
        let failure = Failure::default();
        let next = match self.opened {
            Opened::Items(items) => Next::Items(items, 0),
            Opened::Arrow(pages) => Next::Arrow(Box::new(pages)),
            Opened::Python(iterator) => Next::Python(iterator, 0),
        };
        let reading = Reading {
            next,
            within: None,
            settings: self.settings,
            stop: stop.clone(),
            failure: failure.clone(),
        };
        (reading, failure)
    }
}

/// Inputs that can be read as often as one likes.
#[derive(Clone)]
pub(crate) struct Again(Arc<Vec<Item>>, Settings);

impl Again {
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs { opened: Opened::Items(Arc::clone(&self.0)), settings: self.1.clone() }
    }
}

fn is_item(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyPage>()
        || object.hasattr("__fspath__").unwrap_or(false)
}

fn item(object: &Bound<'_, PyAny>, nth: usize) -> PyResult<Item> {
    if let Ok(page) = object.cast::<PyPage>() {
        return Ok(Item::Page(Arc::clone(&page.get().0)));
    }
    if let Ok(text) = object.extract::<PyBackedStr>() {
        return match text.trim_start().starts_with('<') {
            true => Err(PyValueError::new_err(
                "a text is a path here, and this one is HTML; pass pagemill.Page(html) or bytes",
            )),
            false => Ok(Item::Path(OsString::from(&*text))),
        };
    }
    if let Some((bytes, _)) = content(object)? {
        let id = format!("page {}", nth + 1);
        return Ok(Item::Page(Arc::new(InputPage { id, bytes, ..InputPage::default() })));
    }
    match object.extract::<PathBuf>() {
        Ok(path) => Ok(Item::Path(path.into_os_string())),
        Err(_) => Err(wrong(object)),
    }
}

fn wrong(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| "this".to_owned(), |it| it.to_string());
    PyTypeError::new_err(format!("{EXPECTED}; not {name}"))
}

/// What Python raised while pages were read elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    fn keep(&self, error: PyErr) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// Raise it now, if there is one.
    pub(crate) fn raise(&self) -> PyResult<()> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// Pages as they are read.
pub(crate) struct Reading {
    next: Next,
    /// The path that is being read.
    within: Option<input::Pages>,
    settings: Settings,
    stop: Stop,
    failure: Failure,
}

enum Next {
    Items(Arc<Vec<Item>>, usize),
    Arrow(Box<ArrowPages>),
    Python(Py<PyIterator>, usize),
}

impl Next {
    fn next(&mut self) -> PyResult<Option<Item>> {
        match self {
            Next::Items(items, at) => {
                let item = items.get(*at).cloned();
                *at += 1;
                Ok(item)
            }
            Next::Arrow(pages) => match pages.next() {
                Some(Ok(page)) => Ok(Some(Item::Page(Arc::new(page)))),
                Some(Err(error)) => {
                    Err(PyValueError::new_err(format!("cannot read the table: {error}")))
                }
                None => Ok(None),
            },
            Next::Python(iterator, at) => Python::attach(|py| {
                let mut iterator = iterator.bind(py).clone();
                let Some(object) = iterator.next() else { return Ok(None) };
                *at += 1;
                item(&object?, *at - 1).map(Some)
            }),
        }
    }
}

impl Iterator for Reading {
    type Item = Result<InputPage, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.stop.is_set() {
            if let Some(page) = self.within.as_mut().and_then(Iterator::next) {
                return Some(page.map(|page| self.settings.apply(page)));
            }
            self.within = None;
            match self.next.next() {
                Ok(Some(Item::Page(page))) => {
                    let page = Arc::try_unwrap(page).unwrap_or_else(|page| (*page).clone());
                    return Some(Ok(self.settings.apply(page)));
                }
                Ok(Some(Item::Path(path))) => {
                    let pages = input::pages([path]).with_web(self.settings.web.clone());
                    self.within = Some(match self.settings.max_bytes {
                        Some(max_bytes) => pages.with_max_bytes(max_bytes),
                        None => pages,
                    });
                }
                Ok(None) => return None,
                Err(error) => {
                    self.failure.keep(error);
                    return None;
                }
            }
        }
        None
    }
}

impl Settings {
    fn apply(&self, mut page: InputPage) -> InputPage {
        page.charset = self.charset.clone().or(page.charset);
        page
    }
}

/// Pages as a table.
struct PageBatches {
    reading: Reading,
    failure: Failure,
    schema: SchemaRef,
    n_read: usize,
}

/// A batch has so many bytes of pages, but for the last page in it.
const BATCH_BYTES: usize = 8 << 20;

fn page_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("page", DataType::Utf8, false),
        Field::new("url", DataType::Utf8, true),
        Field::new("html", DataType::Binary, true),
        Field::new("charset", DataType::Utf8, true),
        Field::new("error", DataType::Utf8, true),
    ]))
}

impl Iterator for PageBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut texts = [(); 4].map(|()| StringBuilder::new());
        let [ids, urls, charsets, errors] = &mut texts;
        let mut html = BinaryBuilder::new();
        let (mut n_pages, mut n_bytes) = (0, 0);
        while n_bytes < BATCH_BYTES {
            let Some(page) = self.reading.next() else { break };
            n_pages += 1;
            // What cannot be read is a row as well: in a table nobody is told of it otherwise.
            match page {
                Ok(page) => {
                    n_bytes += page.bytes.len();
                    ids.append_value(&page.id);
                    urls.append_option(page.url.as_deref());
                    html.append_value(&page.bytes);
                    charsets.append_option(page.charset.as_deref());
                    errors.append_null();
                }
                Err(error) => {
                    ids.append_value(format!("unreadable {}", self.n_read + n_pages));
                    urls.append_null();
                    html.append_null();
                    charsets.append_null();
                    errors.append_value(error.to_string());
                }
            }
        }
        if n_pages == 0 {
            let failed = self.failure.raise().err()?;
            return Some(Err(ArrowError::ExternalError(Box::new(failed))));
        }
        self.n_read += n_pages;
        let columns: [ArrayRef; 5] = [
            Arc::new(ids.finish()),
            Arc::new(urls.finish()),
            Arc::new(html.finish()),
            Arc::new(charsets.finish()),
            Arc::new(errors.finish()),
        ];
        Some(RecordBatch::try_new(Arc::clone(&self.schema), columns.into()))
    }
}
