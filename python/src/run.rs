//! Work beside the interpreter: its lock is released, Ctrl-C is answered, and a panic is an exception.

use crate::error::InternalError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::any::Any;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Whether someone wants work to end. What is under way looks at it now and then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// A writer that fails once work is to end.
    pub(crate) fn ending<W: Write>(&self, out: W) -> Ending<'_, W> {
        Ending { stop: self, out }
    }
}

/// See [`Stop::ending`].
pub(crate) struct Ending<'s, W> {
    stop: &'s Stop,
    out: W,
}

impl<W: Write> Write for Ending<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stop.is_set() {
            true => Err(io::Error::other("stopped")),
            false => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A number of threads and the like, as Python passes it.
pub(crate) fn at_least_one(object: &Bound<'_, PyAny>) -> PyResult<Option<NonZeroUsize>> {
    if object.is_none() {
        return Ok(None);
    }
    match object.extract::<usize>().ok().and_then(NonZeroUsize::new) {
        Some(number) => Ok(Some(number)),
        None => Err(PyValueError::new_err(format!(
            "a whole number of 1 or more is expected, not {object}"
        ))),
    }
}

/// How often Python is asked whether someone pressed Ctrl-C.
const TICK: Duration = Duration::from_millis(100);

/// How long work may take to end once that is wished for. What takes longer is left to itself: it has all it needs, and ends with
/// the process at the latest.
const GRACE: Duration = Duration::from_millis(400);

/// What writes a file asks between rows whether to go on, and then takes the half file away. That is waited for: a process that ends
/// before would leave it.
const GRACE_OF_WRITERS: Duration = Duration::from_secs(10);

/// As much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// What work gives, or how it ended instead.
pub(crate) type Outcome<T> = Result<PyResult<T>, Box<dyn Any + Send>>;

/// Do something without holding up other threads of Python.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    run_for(py, GRACE, work)
}

/// Write a file without holding up other threads of Python. Once it is stopped, nothing of the file is there.
pub(crate) fn run_writing<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    run_for(py, GRACE_OF_WRITERS, work)
}

fn run_for<T: Send + 'static>(
    py: Python<'_>,
    grace: Duration,
    work: impl FnOnce(&Stop) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let stop = Stop::default();
    let (sender, receiver) = mpsc::channel();
    begin(&stop, move |stop| _ = sender.send(guarded(|| work(stop))))?;
    match wait_for(py, receiver, &stop, grace)?.1 {
        Some(outcome) => unpacked(outcome),
        None => Err(InternalError::new_err("a thread ended without a word: a bug of pagemill")),
    }
}

/// Begin work on a thread of its own.
pub(crate) fn begin(stop: &Stop, work: impl FnOnce(&Stop) + Send + 'static) -> PyResult<()> {
    let stop = stop.clone();
    let thread = thread::Builder::new().name("pagemill".into()).stack_size(STACK);
    thread.spawn(move || work(&stop))?;
    Ok(())
}

pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work))
}

/// What came; none if nobody sends any more. The receiver is given back.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    receiver: Receiver<T>,
    stop: &Stop,
) -> PyResult<(Receiver<T>, Option<T>)> {
    wait_for(py, receiver, stop, GRACE)
}

fn wait_for<T: Send>(
    py: Python<'_>,
    mut receiver: Receiver<T>,
    stop: &Stop,
    grace: Duration,
) -> PyResult<(Receiver<T>, Option<T>)> {
    loop {
        let (back, came) = receive(py, receiver, TICK);
        receiver = back;
        match came {
            Ok(it) => return Ok((receiver, Some(it))),
            Err(RecvTimeoutError::Disconnected) => return Ok((receiver, None)),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    stop.set();
                    let _ = receive(py, receiver, grace);
                    return Err(interrupt);
                }
            }
        }
    }
}

fn receive<T: Send>(
    py: Python<'_>,
    receiver: Receiver<T>,
    patience: Duration,
) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    py.detach(move || {
        let came = receiver.recv_timeout(patience);
        (receiver, came)
    })
}

pub(crate) fn unpacked<T>(outcome: Outcome<T>) -> PyResult<T> {
    outcome.unwrap_or_else(|panic| {
        let said = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (_, Some(text)) => text.clone(),
            _ => "no reason was given".to_owned(),
        };
        let message = format!("a bug of pagemill, worth a report with the pages: {said}");
        Err(InternalError::new_err(message))
    })
}
