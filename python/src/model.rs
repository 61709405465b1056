//! Models: what was learnt from labelled pages, and what reads pages of any site by it.

use crate::error::{FormatError, LearnError, OrRaise};
use crate::inputs::Inputs;
use crate::run::run;
use crate::table::{self, Origin, Rows, Table};
use crate::wrapper::read_all;
use pagemill::annotate::{Example, Kind, Model, Spans, TrainConfig};
use pagemill::labelled::{Helpers, Known, Material};
use pagemill::sink::schema_of;
use pagemill::{InputPage, files, input, pipeline, site};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// What was learnt from labelled pages: it finds on pages of any site what its schema asks for.
///
/// >>> import pagemill
/// >>> news = pagemill.Model.load("news")        # built in
/// >>> news.name, news.elements
/// ('news', ['title', 'author', 'date', 'source', 'content'])
#[pyclass(frozen, name = "Model", module = "pagemill")]
pub(crate) struct PyModel(Arc<Model>);

#[pymethods]
impl PyModel {
    /// The model in a file, or one that is built in: news.
    #[staticmethod]
    pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<PyModel> {
        run(py, move |_| match files::read_model(&path) {
            Ok(model) => Ok(PyModel(Arc::new(model))),
            Err(error) => Err(FormatError::new_err(format!(
                "{error}; pagemill.train(schema, labels).save(path) makes one"
            ))),
        })
    }

    /// The model in a text that `to_json` has given.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyModel> {
        let model = Model::from_json(text).map_err(|error| {
            FormatError::new_err(format!(
                "cannot use this text as a model: {error}; pagemill.train(schema, labels).to_json() makes one"
            ))
        })?;
        Ok(PyModel(Arc::new(model)))
    }

    /// The model as a text, as its file has it.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Write the model to a file, which is whole or not there.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let model = Arc::clone(&self.0);
        run(py, move |_| files::write_model(&path, &model).or_raise())
    }

    /// What its schema is called.
    #[getter]
    fn name(&self) -> String {
        self.0.target().name().to_owned()
    }

    /// What its schema asks for.
    #[getter]
    fn elements(&self) -> Vec<String> {
        self.0.target().elements().iter().map(|element| element.full_name()).collect()
    }

    /// What is on pages of any site, as a table with a row a page.
    ///
    /// Each page is verified (all that the schema requires was found, and is likelier than not), partial or failed. Five pages or
    /// more of one template are judged together, column by column, where the model has learnt from such sites; `alone` judges
    /// each page for itself.
    #[pyo3(signature = (pages, *, alone=false, threads=None))]
    pub(crate) fn annotate(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        alone: bool,
        #[pyo3(from_py_with = crate::run::at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<Table> {
        let (model, inputs) = (Arc::clone(&self.0), Inputs::of(pages)?);
        let again = inputs.again();
        let (rows, unreadable) = run(py, move |stop| {
            let threads = threads.unwrap_or_else(pipeline::all_cores);
            let judges_sites = model.columns().is_some() && !alone;
            let sites = match (judges_sites, inputs.again()) {
                (false, _) => Vec::new(),
                (true, Some(again)) => {
                    site::wrappers_of(&model, again.inputs().pages(stop).0.flatten(), threads)
                }
                // What can be read but once has to be held.
                (true, None) => {
                    let (pages, unreadable) = read_all(inputs, stop)?;
                    let sites = site::wrappers_of(&model, pages.iter().cloned(), threads);
                    let pages = pages.into_iter().map(Ok);
                    let (found, _) = annotated(&model, &sites, pages, threads, stop);
                    return Ok((found, unreadable));
                }
            };
            let (reading, failure) = inputs.pages(stop);
            let found = annotated(&model, &sites, reading, threads, stop);
            failure.raise()?;
            Ok(found)
        })?;
        table::nothing_read(&unreadable, rows.len())?;
        table::warn(py, &unreadable)?;
        let target = self.0.target().clone();
        let schema = schema_of(&target);
        let origin = Origin { wrapper: None, inputs: again, unreadable };
        Table::new(Rows::Annotated(rows, target), schema, origin)
    }

    fn __repr__(&self) -> String {
        format!("Model({}: {})", self.name(), self.elements().join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class: Bound<'py, PyType> = slf.get_type();
        Ok((class.getattr("from_json")?, (slf.get().to_json(),)))
    }
}

/// A model as users name it.
fn model_of<'py>(model: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyModel>> {
    if let Ok(model) = model.cast::<PyModel>() {
        return Ok(model.clone());
    }
    match model.extract::<PathBuf>() {
        Ok(path) => Bound::new(model.py(), PyModel::load(model.py(), path)?),
        Err(_) => Err(PyTypeError::new_err(format!(
            "a model is a pagemill.Model, a path, or news, which is built in; not {}",
            model.get_type().name()?
        ))),
    }
}

/// What a model finds on pages: see `Model.annotate`. The model may be a file, or news, which is built in.
///
/// >>> import pagemill
/// >>> table = pagemill.annotate("news", "corpus/newspaper/pages")
/// >>> len(table), table[0].status
/// (15, 'verified')
#[pyfunction]
#[pyo3(signature = (model, pages, *, alone=false, threads=None))]
pub(crate) fn annotate(
    py: Python<'_>,
    model: &Bound<'_, PyAny>,
    pages: &Bound<'_, PyAny>,
    alone: bool,
    #[pyo3(from_py_with = crate::run::at_least_one)] threads: Option<NonZeroUsize>,
) -> PyResult<Table> {
    model_of(model)?.get().annotate(py, pages, alone, threads)
}

/// Train a model from labelled pages: it maps pages of any site to a schema.
///
/// `schema` is a DTD, or one that is built in: news, product, job, event, recipe, person. `labelled` are files of labels (.jsonl), as
/// `pagemill label` writes them, or pages with elements that the attribute `spans` or a class of `classes` labels. `kind` is
/// "tree" or "naive"; if not given, naive for few sites.
///
/// >>> import pagemill
/// >>> model = pagemill.train("news", "corpus/articles/labels.jsonl")
/// >>> model.name
/// 'news'
#[pyfunction]
#[pyo3(signature = (schema, labelled, *, kind=None, spans="data-label", classes=None))]
pub(crate) fn train(
    py: Python<'_>,
    schema: PathBuf,
    labelled: &Bound<'_, PyAny>,
    kind: Option<&str>,
    spans: &str,
    classes: Option<BTreeMap<String, String>>,
) -> PyResult<PyModel> {
    let kind = match kind {
        None => None,
        Some("tree") => Some(Kind::Tree),
        Some("naive") => Some(Kind::Naive),
        Some(other) => {
            return Err(PyValueError::new_err(format!("kind is tree or naive, not {other:?}")));
        }
    };
    let labelled: Vec<OsString> = match labelled.extract::<PathBuf>() {
        Ok(path) => vec![path.into_os_string()],
        Err(_) => match labelled.extract::<Vec<PathBuf>>() {
            Ok(paths) => paths.into_iter().map(Into::into).collect(),
            Err(_) => {
                let what = "labelled pages are paths: a file of labels (.jsonl), a page or a folder of pages, or a list of these";
                return Err(PyTypeError::new_err(what));
            }
        },
    };
    let spans = spans.to_owned();
    let (model, told) = run(py, move |stop| {
        let target = files::read_schema(&schema).or_raise()?;
        let mut known = Spans::default().with_attribute(&spans);
        for (class, element) in classes.unwrap_or_default() {
            if !element.is_empty() && target.find(&element).is_none() {
                let names: Vec<String> =
                    target.elements().iter().map(|it| it.full_name()).collect();
                return Err(PyValueError::new_err(format!(
                    "the schema has no element {element:?}; it has {}",
                    names.join(", ")
                )));
            }
            known = known.with_class(&class, &element);
        }
        let told: RefCell<Vec<String>> = RefCell::default();
        let stop = stop.clone();
        let helpers = Helpers {
            read: &|input: &OsStr| {
                let stop = stop.clone();
                Box::new(input::pages([input]).take_while(move |_| !stop.is_set()))
            },
            tell: &|what| told.borrow_mut().push(what.to_string()),
            watch: &|| (),
        };
        let mut material = Material::new(&target, known, helpers);
        for labelled in &labelled {
            material.add(labelled).or_raise()?;
        }
        let pages: Vec<Known> = material.pages;
        let told = told.into_inner();
        if pages.is_empty() {
            let why = told.first().map_or(String::new(), |first| format!(": {first}"));
            return Err(LearnError::new_err(format!(
                "nothing to learn from: none of the pages has a label of the schema{why}"
            )));
        }
        let examples: Vec<Example<'_>> = pages.iter().map(Known::example).collect();
        let config = TrainConfig { kind, ..TrainConfig::default() };
        let model = site::train(&target, &examples, &config, pipeline::all_cores());
        Ok((PyModel(Arc::new(model)), told))
    })?;
    table::warn(py, &told)?;
    Ok(model)
}

type Found = (Vec<pipeline::Annotated>, Vec<String>);

fn annotated(
    model: &Model,
    sites: &[site::NamedWrapper],
    pages: impl Iterator<Item = Result<InputPage, pagemill::InputError>> + Send + 'static,
    threads: NonZeroUsize,
    stop: &crate::run::Stop,
) -> Found {
    let mut found = Found::default();
    let _ = pipeline::annotate(model, sites, pages, threads, |page| {
        match page {
            Ok(page) => found.0.push(page),
            Err(error) => found.1.push(error.to_string()),
        }
        if stop.is_set() { Err(()) } else { Ok(()) }
    });
    found
}
