//! Pagemill for Python: the extension module behind the package `pagemill`.
//!
//! Classes are thin and frozen, over what the library gives; `run` releases Python's lock around all work, `error` says which
//! exception each error is, `inputs` takes whatever users pass as pages, and `arrow` hands tables to other libraries without a copy.
//! Doc comments are the docstrings of Python; their examples run as tests.

mod arrow;
mod crawl;
mod error;
mod inputs;
mod json;
mod model;
mod network;
mod run;
mod table;
mod wrapper;

use error::{FormatError, OrRaise};
use inputs::Inputs;
use pagemill::get::{Single, get as get_all};
use pagemill::learning::Learning;
use pagemill::listing::{self, Listing};
use pagemill::regions::{Config, Dictionary};
use pagemill::wrapper::Example;
use pagemill::{LearnConfig, Method};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use run::run;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use table::{Origin, Rows, Table};
use wrapper::PyWrapper;

/// The engine behind the package `pagemill`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::crawl::crawl;
    #[pymodule_export]
    use super::inputs::{PageIterator, PyPage, PyPages};
    #[pymodule_export]
    use super::model::{PyModel, annotate, train};
    #[pymodule_export]
    use super::network::{Answers, PyNetwork};
    #[pymodule_export]
    use super::table::{RecordIterator, Table};
    #[pymodule_export]
    use super::wrapper::{PyWrapper, Stream};
    #[pymodule_export]
    use super::{get, learn, objects, panic_on_purpose, regions, version};
}

/// The data of pages, whatever they are: a table for each kind of page, the largest first.
///
/// Pages that are alike make a group, and each group is learnt by itself: `table.wrapper` reads other pages of its kind. Of a page
/// that is the only one of its kind, the records it is about are given; with `keep` it is learnt too.
///
/// >>> import pagemill
/// >>> books, lists, *others = pagemill.get("corpus/bookshop")
/// >>> len(books), books[0]["title"]
/// (20, 'A Ledger of Small Weathers by Hespera Lindqvale')
#[pyfunction]
#[pyo3(signature = (pages, *, keep=false))]
fn get(py: Python<'_>, pages: &Bound<'_, PyAny>, keep: bool) -> PyResult<Vec<Table>> {
    let inputs = Inputs::of(pages)?;
    let again = inputs.again();
    let single = if keep { Single::Learn } else { Single::Read };
    let (got, mut unreadable) = run(py, move |stop| {
        let (pages, unreadable) = wrapper::read_all(inputs, stop)?;
        let got = get_all(pages, single, |_| ()).or_raise()?;
        Ok((got, unreadable))
    })?;
    let shows_nothing =
        |id: &String| format!("{id:?} shows nothing: it may need scripts to be read");
    unreadable.extend(got.without_leaves.iter().map(shows_nothing));
    for ids in &got.without_data {
        let first = ids.first().map_or("", String::as_str);
        unreadable.push(match ids.len() {
            1 => format!("{first:?}: the only page of its kind, without records"),
            n => format!("{first:?} and {} more pages say the same", n - 1),
        });
    }
    table::warn(py, &unreadable)?;
    let groups = got.groups.into_iter();
    groups
        .map(|group| {
            let origin = Origin {
                wrapper: group.wrapper.map(Arc::new),
                inputs: again.clone(),
                unreadable: unreadable.clone(),
            };
            Table::new(Rows::Extracted(group.pages), group.schema, origin)
        })
        .collect()
}

/// Learn the template of some pages, without labels: a wrapper that extracts other pages of it.
///
/// `names` calls columns by values that stand on one of the pages: `{"price": "£14.99"}`, or several values for one name. Of more
/// than 30 pages those are learnt from that teach something, `max_pages` of them at most, unless `all` is true. `method` is
/// "top-down", or "uwide" for comparison.
///
/// >>> import pagemill
/// >>> wrapper = pagemill.learn("corpus/bookshop/list/pages", names={"shelf": "Crime & Mystery"})
/// >>> [column.path for column in wrapper.columns() if column.path == "shelf"]
/// ['shelf']
#[pyfunction]
#[pyo3(signature = (pages, *, names=None, all=false, max_pages=None, method="top-down"))]
fn learn(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    names: Option<&Bound<'_, PyDict>>,
    all: bool,
    #[pyo3(from_py_with = crate::run::at_least_one)] max_pages: Option<NonZeroUsize>,
    method: &str,
) -> PyResult<PyWrapper> {
    let method = match method {
        "top-down" => Method::TopDown,
        "uwide" => Method::Uwide,
        other => {
            return Err(PyValueError::new_err(format!(
                "method is top-down or uwide, not {other:?}"
            )));
        }
    };
    let learning = Learning {
        config: LearnConfig::default().with_method(method),
        takes_all: all,
        max_pages,
        names: names.map_or(Ok(Vec::new()), examples)?,
    };
    let inputs = Inputs::of(pages)?;
    let (wrapper, unreadable) = run(py, move |stop| {
        let (reading, failure) = inputs.pages(stop);
        let (mut pool, mut unreadable) = (learning.pool(), Vec::new());
        for page in reading {
            match page {
                Ok(page) => pool.add(page),
                Err(error) => unreadable.push(error.to_string()),
            }
        }
        failure.raise()?;
        table::nothing_read(&unreadable, pool.n_added())?;
        Ok((learning.learn(pool).or_raise()?, unreadable))
    })?;
    table::warn(py, &unreadable)?;
    Ok(PyWrapper::of(&Arc::new(wrapper)))
}

fn examples(names: &Bound<'_, PyDict>) -> PyResult<Vec<Example>> {
    let mut examples = Vec::new();
    for (name, value) in names {
        let wrong = |_| {
            PyTypeError::new_err("names are a dict from a name to a value on a page, or to several")
        };
        let name: String = name.extract().map_err(wrong)?;
        let values = match value.extract::<String>() {
            Ok(value) => vec![value],
            Err(_) => value.extract::<Vec<String>>().map_err(wrong)?,
        };
        for value in values {
            if name.trim().is_empty() || value.trim().is_empty() {
                return Err(PyValueError::new_err("a name and its value must not be empty"));
            }
            examples.push(Example { name: name.trim().into(), value: value.trim().into() });
        }
    }
    Ok(examples)
}

/// What single pages list, each without any other of its site: a dict a page, with `page` and `data`.
///
/// `kind` is "people", "units", "records" or "any". `dictionary` names files with names and words of your own.
///
/// >>> import pagemill
/// >>> page = pagemill.regions("corpus/bookshop/list/pages/crime-mystery.html", kind="records")[0]
/// >>> page["data"]["main"]["records"][0]["price"]
/// '£7.99'
#[pyfunction]
#[pyo3(signature = (pages, *, kind="any", dictionary=None))]
fn regions<'py>(
    py: Python<'py>,
    pages: &Bound<'py, PyAny>,
    kind: &str,
    dictionary: Option<Vec<PathBuf>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let kind = match kind {
        "people" => listing::Kind::People,
        "units" => listing::Kind::Units,
        "records" => listing::Kind::Records,
        "any" => listing::Kind::Any,
        other => {
            return Err(PyValueError::new_err(format!(
                "kind is people, units, records or any, not {other:?}"
            )));
        }
    };
    let inputs = Inputs::of(pages)?;
    let (found, unreadable) = run(py, move |stop| {
        let mut words = Dictionary::built_in();
        for path in dictionary.unwrap_or_default() {
            let text = std::fs::read_to_string(&path).or_raise()?;
            let more = words.with_text(&text).map_err(|error| {
                FormatError::new_err(format!("{path:?} is no dictionary: {error}"))
            })?;
            words = Arc::new(more);
        }
        let config = Config { dictionary: words, ..Config::default() };
        let (reading, failure) = inputs.pages(stop);
        let (mut found, mut unreadable) = (Vec::new(), Vec::new());
        for input in reading {
            match input {
                Ok(input) => {
                    let page = input.parse();
                    let leaves = page.leaves();
                    let listing = Listing::new(&input, &page, &leaves, kind, &config, None);
                    found.push(listing.to_json());
                }
                Err(error) => unreadable.push(error.to_string()),
            }
        }
        failure.raise()?;
        table::nothing_read(&unreadable, found.len())?;
        Ok((found, unreadable))
    })?;
    table::warn(py, &unreadable)?;
    found.iter().map(|it| json::object(py, it)).collect()
}

/// The version of the engine.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The addresses of the objects that a folder or pattern of an S3 store means; for `pagemill.spark`.
#[pyfunction]
#[pyo3(name = "_objects")]
fn objects(py: Python<'_>, address: String) -> PyResult<Vec<String>> {
    run(py, move |_| pagemill::input::objects(&address).or_raise())
}

/// Panic, so that tests see what becomes of it.
#[pyfunction]
#[pyo3(name = "_panic")]
fn panic_on_purpose(py: Python<'_>) -> PyResult<()> {
    run(py, |_| panic!("on purpose"))
}
