//! Tables to and from other libraries of the same process, by Arrow's C stream interface: nothing is copied.

use crate::error::ColumnError;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pagemill::InputPage;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;

const STREAM: &CStr = c"arrow_array_stream";

/// Batches, for whoever asks for `__arrow_c_stream__`.
pub(crate) fn export<'py>(
    py: Python<'py>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

/// Batches that are made one after the other.
pub(crate) fn reader(
    schema: SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
) -> Box<dyn RecordBatchReader + Send> {
    Box::new(RecordBatchIterator::new(batches, schema))
}

/// The batches of an object that has `__arrow_c_stream__`.
#[allow(unsafe_code)]
fn import(object: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream by the PyCapsule interface, valid while the capsule is, which it is until the end
    // of this function; the stream is moved out of it, and the capsule is left with one that is released.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    reader.map_err(|error| PyValueError::new_err(format!("cannot read the table: {error}")))
}

/// The pages of a table: a column of HTML, and one of addresses if there is any.
pub(crate) struct ArrowPages {
    batches: RecordBatchStreamReader,
    html: usize,
    url: Option<usize>,
    /// What HTTP said of the encoding, as `Pages` has it.
    charset: Option<usize>,
    batch: Option<RecordBatch>,
    row: usize,
    n_rows: usize,
}

impl ArrowPages {
    pub(crate) fn new(object: &Bound<'_, PyAny>, html: &str, url: &str) -> PyResult<ArrowPages> {
        let batches = import(object)?;
        let schema = batches.schema();
        let place = |name: &str| schema.fields().iter().position(|field| field.name() == name);
        let known: Vec<&str> = schema.fields().iter().map(|it| it.name().as_str()).collect();
        let Some(html_at) = place(html) else {
            return Err(ColumnError::new_err(format!(
                "the table has no column {html:?}; it has {}; pagemill.Pages(table, html=…, url=…) says which holds the pages",
                known.join(", ")
            )));
        };
        for at in [Some(html_at), place(url)].into_iter().flatten() {
            let field = schema.field(at);
            if !is_bytes(field.data_type()) {
                return Err(ColumnError::new_err(format!(
                    "the column {:?} has values of type {}; text or bytes are expected",
                    field.name(),
                    field.data_type()
                )));
            }
        }
        // A column of another type that is called so is about something else.
        let charset = place("charset").filter(|at| is_text(schema.field(*at).data_type()));
        let url = place(url);
        Ok(ArrowPages { batches, html: html_at, url, charset, batch: None, row: 0, n_rows: 0 })
    }
}

fn is_bytes(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Utf8, Utf8View};
    matches!(data_type, Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView)
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The bytes of a cell; none if it is null.
fn cell(array: &ArrayRef, row: usize) -> Option<&[u8]> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).as_bytes(),
        DataType::Utf8View => array.as_string_view().value(row).as_bytes(),
        DataType::Binary => array.as_binary::<i32>().value(row),
        DataType::LargeBinary => array.as_binary::<i64>().value(row),
        DataType::BinaryView => array.as_binary_view().value(row),
        _ => return None,
    })
}

/// An encoding that a column names. Browsers pass over one that they do not know, and so do we.
fn charset(array: &ArrayRef, row: usize) -> Option<String> {
    let label = std::str::from_utf8(cell(array, row)?).ok()?;
    pagemill::page::is_charset(label).then(|| label.to_owned())
}

impl Iterator for ArrowPages {
    type Item = Result<InputPage, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(batch) = self.batch.as_ref().filter(|batch| self.row < batch.num_rows())
            else {
                match self.batches.next()? {
                    Ok(batch) => (self.batch, self.row) = (Some(batch), 0),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            let html = batch.column(self.html);
            let url = self.url.and_then(|url| cell(batch.column(url), self.row));
            let url = url.map(|url| String::from_utf8_lossy(url).into_owned());
            let page = InputPage {
                id: url.clone().unwrap_or_else(|| format!("row {}", self.n_rows + 1)),
                // A page that is not there shows nothing, and fails as one that does.
                bytes: cell(html, self.row).unwrap_or_default().to_vec(),
                charset: match is_text(html.data_type()) {
                    // Texts have been decoded; what a page says of its encoding is not true any more.
                    true => Some("utf-8".to_owned()),
                    false => self.charset.and_then(|at| charset(batch.column(at), self.row)),
                },
                url,
            };
            self.row += 1;
            self.n_rows += 1;
            return Some(Ok(page));
        }
    }
}
