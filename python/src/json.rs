//! Data as plain objects of Python.

use pagemill::wrapper::{Data, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value as Json;

/// The data of a page or record.
pub(crate) fn dict<'py>(py: Python<'py>, data: &Data) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, value) in data.iter() {
        match value {
            Value::Text(text) => all.set_item(name, &**text)?,
            Value::Records(records) => {
                let records: Vec<_> =
                    records.iter().map(|record| dict(py, record)).collect::<PyResult<_>>()?;
                all.set_item(name, PyList::new(py, records)?)?;
            }
        }
    }
    Ok(all)
}

/// What a JSON line has.
pub(crate) fn object<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    match json {
        Json::Null => Ok(py.None().into_bound(py)),
        Json::Bool(it) => it.into_bound_py_any(py),
        Json::String(it) => it.into_bound_py_any(py),
        Json::Number(it) => match (it.as_i64(), it.as_f64()) {
            (Some(int), _) => int.into_bound_py_any(py),
            (None, real) => real.unwrap_or(f64::NAN).into_bound_py_any(py),
        },
        Json::Array(items) => {
            let items: Vec<_> = items.iter().map(|it| object(py, it)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_bound_py_any(py)
        }
        Json::Object(members) => {
            let all = PyDict::new(py);
            for (name, value) in members {
                all.set_item(name, object(py, value)?)?;
            }
            all.into_bound_py_any(py)
        }
    }
}
