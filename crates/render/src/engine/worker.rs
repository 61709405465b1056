//! A thread that renders: what happens on it stays on it.

use super::document::Document;
use super::{Config, Detail, Trouble, boxes, document, fonts, styles};
use crate::look::{Line, Look};
use fontique::{Collection, SourceCache};
use page::{Leaves, Page};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Once};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The engine recurses over a page's depth, of which pages have up to 512 levels, several times in several ways.
const STACK: usize = 256 << 20;
const NAME: &str = "pagemill-render";

pub(super) struct Job {
    pub(super) page: Page,
    pub(super) leaves: Leaves,
    pub(super) url: Option<String>,
    /// By the rules; what the engine does not know of a leaf stays.
    pub(super) looks: Vec<Look>,
    pub(super) config: Arc<Config>,
}

/// Looks and lines of all leaves.
pub(super) type Found = (Vec<Look>, Vec<Vec<Line>>);

#[derive(Debug)]
pub(super) struct Worker {
    jobs: Sender<Job>,
    results: Receiver<Result<Found, String>>,
    thread: JoinHandle<()>,
}

impl Worker {
    pub(super) fn start() -> Result<Worker, Trouble> {
        silence_panics();
        let (jobs, job_receiver) = mpsc::channel();
        let (result_sender, results) = mpsc::channel();
        let thread = thread::Builder::new()
            .name(NAME.to_owned())
            .stack_size(STACK)
            .spawn(move || work(&job_receiver, &result_sender))
            .map_err(|error| Trouble::Failed(error.to_string()))?;
        Ok(Worker { jobs, results, thread })
    }

    /// After any error the worker is of no more use.
    pub(super) fn render(&mut self, job: Job, deadline: Duration) -> Result<Found, Trouble> {
        let gone = || Trouble::Failed("its thread has ended".to_owned());
        self.jobs.send(job).map_err(|_| gone())?;
        match self.results.recv_timeout(deadline) {
            Ok(result) => result.map_err(Trouble::Failed),
            Err(RecvTimeoutError::Timeout) => Err(Trouble::Late(deadline)),
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.thread.is_finished() || self.results.try_recv().is_ok()
    }
}

fn work(jobs: &Receiver<Job>, results: &Sender<Result<Found, String>>) {
    // Looking for the fonts of the system takes longer than a page.
    let (collection, source_cache) = fonts::at_hand();
    for job in jobs {
        let fonts = (collection.clone(), source_cache.clone());
        let result = panic::catch_unwind(AssertUnwindSafe(|| render(job, fonts)));
        let result = result.map_err(|payload| message(&*payload));
        let is_over = result.is_err();
        if results.send(result).is_err() || is_over {
            return;
        }
    }
}

fn render(job: Job, fonts: (Collection, SourceCache)) -> Found {
    let Job { page, leaves, url, mut looks, config } = job;
    let mut document = document::of(&page, url.as_deref(), &config, fonts);
    let mut lines = vec![Vec::new(); leaves.len()];
    if !document.has_root() {
        return (looks, lines);
    }
    let resolve = |document: &mut Document| match config.detail {
        Detail::Style => document.inner.resolve_stylist(0.0),
        Detail::Boxes => document.inner.resolve(0.0),
    };
    resolve(&mut document);
    // The page, and then its body.
    for _ in 0..2 {
        if document.show_page(&page) {
            resolve(&mut document);
        }
    }
    styles::read(&page, &leaves, &document, &mut looks);
    if config.detail == Detail::Boxes {
        boxes::read(&page, &leaves, &document, &mut looks, &mut lines);
    }
    (looks, lines)
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// A panic of the engine is told with the rendering; the trace on the terminal would only frighten.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let outer = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(NAME) {
                outer(info);
            }
        }));
    });
}
