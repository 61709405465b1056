//! Information networks.

use crate::arrow;
use crate::error::{FormatError, OrRaise, QueryError, StoreError};
use crate::json;
use crate::run::{Stop, run, run_writing};
use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pagemill::crawl;
use pagemill::gather::{Gathered, Recipe, gather};
use pagemill::network::{
    self, Answer, AnswerValue, Done, Format, Network, Source, Table as AnswerTable,
};
use pagemill::sink::WholeFile;
use pagemill::{files, regions};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// An information network: one object for each thing, with all that pages say of it, in a file or a database.
///
/// >>> import pagemill, tempfile, os
/// >>> place = os.path.join(tempfile.mkdtemp(), "u.db")
/// >>> with pagemill.Network(place, create=True) as network:
/// ...     network.define("class Person; class College [ role Faculty: Person* { Professors } ];")
/// ...     network.run("Insert College MCS [ Faculty -> { Professors: { Ann Lee } } ];")
/// ...     network.query("query College $c[Faculty: $p] construct $c, $p")[0]
/// 3
/// {'c': 'MCS', 'p': 'Ann Lee'}
///
/// `store` is a file, also that of a crawl, or an address such as postgres://user@host/name. Without `create` it has to be there.
#[pyclass(frozen, name = "Network", module = "pagemill")]
pub(crate) struct PyNetwork {
    /// None once it is closed.
    network: Arc<Mutex<Option<Network>>>,
    /// As it was named, perhaps with a password.
    address: String,
    store: String,
}

impl PyNetwork {
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Network, &Stop) -> PyResult<T> + Send + 'static,
    ) -> PyResult<T> {
        run(py, self.opened(work))
    }

    /// Work on the network, if it is open.
    fn opened<T>(
        &self,
        work: impl FnOnce(&mut Network, &Stop) -> PyResult<T> + Send + 'static,
    ) -> impl FnOnce(&Stop) -> PyResult<T> + Send + 'static {
        let (network, store) = (Arc::clone(&self.network), self.store.clone());
        move |stop| {
            let mut network = network.lock().unwrap_or_else(PoisonError::into_inner);
            match network.as_mut() {
                Some(network) => work(network, stop),
                None => Err(StoreError::new_err(format!(
                    "the network in {store:?} is closed; open it again with pagemill.Network({store:?})"
                ))),
            }
        }
    }
}

#[pymethods]
impl PyNetwork {
    #[new]
    #[pyo3(signature = (store, *, create=false))]
    fn new(py: Python<'_>, store: &Bound<'_, PyAny>, create: bool) -> PyResult<PyNetwork> {
        let address = name_of(store)?;
        let named = address.clone();
        let network = run(py, move |_| match create {
            true => Network::open(&named).or_raise(),
            false => Network::open_existing(&named).map_err(|error| {
                StoreError::new_err(format!("{error}; create=True makes a new one"))
            }),
        })?;
        let store = network.store().to_owned();
        Ok(PyNetwork { network: Arc::new(Mutex::new(Some(network))), address, store })
    }

    /// Where it is, without passwords.
    #[getter]
    fn store(&self) -> &str {
        &self.store
    }

    /// Add the classes of a schema: one that is built in (university, shop), a file, or a text.
    fn define(&self, py: Python<'_>, schema: String) -> PyResult<()> {
        self.with(py, move |network, _| {
            let text = schema_text(&schema)?;
            network.define(&text).or_raise()
        })
    }

    /// Run statements, each all or nothing; says how many facts are new.
    fn run(&self, py: Python<'_>, statements: String) -> PyResult<u64> {
        self.with(py, move |network, stop| {
            let mut n_new = 0;
            let ran = network.run_each(&statements, &Source::by_hand(), |_, done| {
                n_new += if let Done::Changed(n) = done { n } else { 0 };
                match stop.is_set() {
                    true => Err(network::Error::Object { at: None, message: "stopped".into() }),
                    false => Ok(()),
                }
            });
            ran.or_raise().map(|()| n_new)
        })
    }

    /// Ask: a table of answers, or whether it is so. Without a query, how many objects there are of each class.
    #[pyo3(signature = (query="query $class $object construct $class, count($object)"))]
    fn query<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyAny>> {
        let query = query.to_owned();
        match self.with(py, move |network, _| network.query(&query).or_raise())? {
            Answer::Truth(truth) => truth.into_bound_py_any(py),
            Answer::Table(table) => Answers::new(&table)?.into_bound_py_any(py),
        }
    }

    /// The SQL of a query, and how the database goes about it.
    fn explain(&self, py: Python<'_>, query: String) -> PyResult<String> {
        self.with(py, move |network, _| network.explain(&query).or_raise())
    }

    /// All there is of the objects of a name, or of a number such as `#17`: a dict each.
    fn show<'py>(&self, py: Python<'py>, name: String) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let profiles = self.with(py, move |network, _| {
            if !name.starts_with('#') {
                return network.profiles(&name).or_raise();
            }
            let id = network.object(&name).or_raise()?;
            let profiles = network.look(|facts| {
                let row = facts.object(id)?;
                row.iter().map(|row| facts.profile(row)).collect()
            });
            profiles.or_raise()
        })?;
        profiles.iter().map(|profile| json::object(py, &profile.to_json())).collect()
    }

    /// Write the whole network to a file: .jsonl, .csv, .graphml, .ttl or .inm, by its name or by `format`.
    #[pyo3(signature = (path, format=None))]
    fn export(&self, py: Python<'_>, path: PathBuf, format: Option<String>) -> PyResult<()> {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_owned);
        let Some(format) = format.or(ending).and_then(|name| Format::named(&name)) else {
            let names = Format::ALL.map(Format::name).join(", ");
            return Err(PyValueError::new_err(format!(
                "the format is told by the file's name, or by format: {names}"
            )));
        };
        let work = self.opened(move |network, stop| {
            let mut file = WholeFile::create(&path).or_raise()?;
            network.export(format, &mut stop.ending(&mut file)).or_raise()?;
            file.finish().or_raise()
        });
        run_writing(py, work)
    }

    /// What may be wrong: a dict for each doubt. With `all`, those that were decided too.
    #[pyo3(signature = (*, all=false))]
    fn doubts<'py>(&self, py: Python<'py>, all: bool) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let doubts = self.with(py, |network, _| network.doubts().or_raise())?;
        let wanted = doubts.iter().filter(|doubt| all || doubt.state == "open");
        wanted
            .map(|doubt| {
                let row = PyDict::new(py);
                row.set_item("doubt", doubt.id)?;
                row.set_item("kind", &doubt.kind)?;
                row.set_item("a", doubt.a.0)?;
                row.set_item("b", doubt.b.map(|b| b.0))?;
                row.set_item("confidence", doubt.confidence)?;
                row.set_item("state", &doubt.state)?;
                row.set_item("reason", &doubt.reason)?;
                Ok(row)
            })
            .collect()
    }

    /// Make one object of two, by their names or numbers; gives the doubt that `split` undoes it by.
    fn join(&self, py: Python<'_>, a: String, b: String) -> PyResult<i64> {
        self.with(py, move |network, _| {
            let (a, b) = (network.object(&a).or_raise()?, network.object(&b).or_raise()?);
            network.join(a, b).or_raise()
        })
    }

    /// Undo a join, or say of two objects that they are two.
    fn split(&self, py: Python<'_>, doubt: i64) -> PyResult<()> {
        self.with(py, move |network, _| network.split(doubt).or_raise())
    }

    /// Read the pages of a crawl's store, and write what they say: how many units, people, roles, other things and doubts there are.
    ///
    /// `plan` says which pages give what: university, or a file. `pages` is the store with the pages, if it is not this file.
    #[pyo3(signature = (plan, pages=None))]
    fn gather<'py>(
        &self,
        py: Python<'py>,
        plan: PathBuf,
        pages: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let pages = pages.map_or_else(|| Ok(self.address.clone()), name_of)?;
        let gathered = self.with(py, move |network, stop| {
            let read = files::read_plan(&plan).or_raise()?;
            let recipe = Recipe::of(&read).map_err(|error| FormatError::new_err(error.to_string()))?;
            let Some(recipe) = recipe else {
                return Err(FormatError::new_err(format!(
                    "the plan {plan:?} does not say what its pages are made into: it has no [network]"
                )));
            };
            gather_into(network, &pages, &recipe, stop)
        })?;
        numbers(py, &gathered)
    }

    /// Draw the tree of units, with how many people they have, as SVG.
    fn draw(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.with(py, move |network, _| {
            let drawing = network.draw().or_raise()?;
            let mut file = WholeFile::create(&path).or_raise()?;
            file.write_all(drawing.as_bytes()).or_raise()?;
            file.finish().or_raise()
        })
    }

    /// Close it. What is asked of it afterwards is a `StoreError`.
    fn close(&self, py: Python<'_>) {
        py.detach(|| _ = self.network.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("Network({:?})", self.store)
    }
}

fn name_of(store: &Bound<'_, PyAny>) -> PyResult<String> {
    match store.extract::<String>() {
        Ok(name) => Ok(name),
        Err(_) => match store.extract::<PathBuf>()?.to_str() {
            Some(name) => Ok(name.to_owned()),
            None => Err(PyValueError::new_err("the store's name is not Unicode")),
        },
    }
}

/// The text of a schema: built in, in a file, or itself.
fn schema_text(schema: &str) -> PyResult<String> {
    if let Some(text) = network::built_in(schema) {
        return Ok(text.to_owned());
    }
    if schema.contains([';', '\n']) {
        return Ok(schema.to_owned());
    }
    std::fs::read_to_string(schema).map_err(|error| {
        let names = network::built_in_names().join(" and ");
        QueryError::new_err(format!(
            "cannot read the schema {schema:?}: {error}; {names} are built in"
        ))
    })
}

/// Make the network of a store's pages.
pub(crate) fn gather_into(
    network: &mut Network,
    pages: &str,
    recipe: &Recipe,
    stop: &Stop,
) -> PyResult<Gathered> {
    let mut store = crawl::pages(pages).or_raise()?;
    network.define(&schema_text(&recipe.schema)?).or_raise()?;
    let config = regions::Config::default();
    let watch = |_| if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let gathered = gather(store.as_mut(), network, recipe, &config, watch).or_raise()?;
    network.analyze().or_raise()?;
    Ok(gathered)
}

/// How much was made, as Python is told.
pub(crate) fn numbers<'py>(py: Python<'py>, gathered: &Gathered) -> PyResult<Bound<'py, PyDict>> {
    let Gathered { parts, players, roles, things, doubts, .. } = *gathered;
    let told = PyDict::new(py);
    for (name, n) in [
        ("units", parts),
        ("people", players),
        ("roles", roles),
        ("things", things),
        ("doubts", doubts),
    ] {
        told.set_item(name, n)?;
    }
    Ok(told)
}

/// What a query found: rows are dicts, objects are told by their names. It speaks Arrow, as tables do.
#[pyclass(frozen, name = "Answers", module = "pagemill")]
pub(crate) struct Answers {
    columns: Vec<String>,
    rows: Vec<Vec<AnswerValue>>,
    batch: RecordBatch,
}

impl Answers {
    fn new(table: &AnswerTable) -> PyResult<Answers> {
        let batch = batch(table).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Answers { columns: table.columns.clone(), rows: table.rows.clone(), batch })
    }
}

/// Whole numbers and numbers are columns of such, if they are alone in it; all else is text.
fn batch(table: &AnswerTable) -> Result<RecordBatch, ArrowError> {
    let mut fields = Vec::new();
    let mut arrays: Vec<ArrayRef> = Vec::new();
    for (at, name) in table.columns.iter().enumerate() {
        let values = || table.rows.iter().map(|row| &row[at]);
        let is = |is: fn(&AnswerValue) -> bool| {
            values().all(|value| is(value) || matches!(value, AnswerValue::Nothing))
        };
        let (data_type, array): (DataType, ArrayRef) = match () {
            () if is(|value| matches!(value, AnswerValue::Int(_))) => {
                let mut column = Int64Builder::new();
                values().for_each(|value| {
                    column.append_option(match value {
                        AnswerValue::Int(int) => Some(*int),
                        _ => None,
                    });
                });
                (DataType::Int64, Arc::new(column.finish()))
            }
            () if is(|value| matches!(value, AnswerValue::Number(_))) => {
                let mut column = Float64Builder::new();
                values().for_each(|value| {
                    column.append_option(match value {
                        AnswerValue::Number(number) => Some(*number),
                        _ => None,
                    });
                });
                (DataType::Float64, Arc::new(column.finish()))
            }
            () => {
                let mut column = StringBuilder::new();
                values().for_each(|value| {
                    column.append_option(match value {
                        AnswerValue::Nothing => None,
                        value => Some(value.text()),
                    });
                });
                (DataType::Utf8, Arc::new(column.finish()))
            }
        };
        fields.push(Field::new(name, data_type, true));
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

#[pymethods]
impl Answers {
    /// What its columns are called.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyDict>> {
        let len = self.rows.len();
        let wanted =
            if at < 0 { len.checked_sub(at.unsigned_abs()) } else { Some(at.unsigned_abs()) };
        let Some(row) = wanted.and_then(|at| self.rows.get(at)) else {
            return Err(pyo3::exceptions::PyIndexError::new_err(format!(
                "there are {len} answers, and none {at}"
            )));
        };
        let answer = PyDict::new(py);
        for (name, value) in self.columns.iter().zip(row) {
            match value {
                AnswerValue::Int(int) => answer.set_item(name, int)?,
                AnswerValue::Number(number) => answer.set_item(name, number)?,
                AnswerValue::Nothing => answer.set_item(name, py.None())?,
                other => answer.set_item(name, other.text())?,
            }
        }
        Ok(answer)
    }

    /// A data frame of pandas, which must be installed, with pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pagemill._frames")?.call_method1("to_pandas", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("Answers({} rows: {})", self.rows.len(), self.columns.join(", "))
    }

    /// The answers as an Arrow stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = vec![Ok(self.batch.clone())].into_iter();
        arrow::export(py, arrow::reader(self.batch.schema(), batches))
    }
}
