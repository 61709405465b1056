//! Crawls.

use crate::error::{OrRaise, StoreError};
use crate::network::{gather_into, numbers};
use crate::run::run;
use pagemill::crawl::{Reach, Strategy, Summary, crawl as run_crawl};
use pagemill::fetching::{self, Job};
use pagemill::gather::{Gathered, Recipe};
use pagemill::network::Network;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

/// Fetch a site into a store, politely, to go on with at any time: the same call goes on where it was, however it ended.
///
/// `seeds` is an address or several. `store` is a file, or `postgres://…`, where several may work on one crawl. The other
/// arguments are the flags of `pagemill crawl`, with the same defaults; times are seconds. The result says how it ended: see
/// `Crawled`. The store is an input of all that reads pages: `pagemill.get("site.db")`.
///
/// With a plan that says what its pages are made into, such as university, the network is made as well: `pagemill.Network(store)`.
#[pyfunction]
#[pyo3(signature = (
    seeds, store, *, plan=None, keywords=None, scope=None, max_pages=None, max_depth=None, replay=None, fresh=false, renew=false,
    gap=None, per_host=None, concurrency=None, tries=None, backoff=None, timeout=None, sitemaps=false, contact=None, ca_file=None,
    allow_private=false, ignore_robots=false, https_as_http=false, lease=None,
))]
#[expect(clippy::too_many_arguments, reason = "one for each flag of the command")]
pub(crate) fn crawl<'py>(
    py: Python<'py>,
    seeds: &Bound<'py, PyAny>,
    store: PathBuf,
    plan: Option<String>,
    keywords: Option<Vec<String>>,
    scope: Option<&str>,
    max_pages: Option<u64>,
    max_depth: Option<u32>,
    replay: Option<PathBuf>,
    fresh: bool,
    renew: bool,
    gap: Option<f64>,
    per_host: Option<NonZeroUsize>,
    concurrency: Option<NonZeroUsize>,
    tries: Option<NonZeroU32>,
    backoff: Option<f64>,
    timeout: Option<f64>,
    sitemaps: bool,
    contact: Option<String>,
    ca_file: Option<PathBuf>,
    allow_private: bool,
    ignore_robots: bool,
    https_as_http: bool,
    lease: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let default = Job::default();
    let job = Job {
        seeds: addresses(seeds)?.iter().map(|it| seed(it)).collect::<PyResult<_>>()?,
        store,
        plan,
        keywords: keywords.unwrap_or_default(),
        scope: scope.map_or(Ok(default.scope), reach)?,
        max_pages,
        max_depth: max_depth.unwrap_or(default.max_depth),
        replay,
        fresh,
        renew,
        gap: seconds("gap", gap, default.gap)?,
        per_host: per_host.unwrap_or(default.per_host),
        concurrency: concurrency.unwrap_or(default.concurrency),
        tries: tries.unwrap_or(default.tries),
        backoff: seconds("backoff", backoff, default.backoff)?,
        timeout: seconds("timeout", timeout, default.timeout)?,
        sitemaps,
        contact: contact
            .map(|it| fetching::contact(&it))
            .transpose()
            .map_err(PyValueError::new_err)?,
        ca_file,
        allow_private,
        ignore_robots,
        https_as_http,
        lease: seconds("lease", lease, default.lease)?.max(Duration::from_secs(1)),
        strategy: None,
    };
    let name = job.store_name();
    let (summary, gathered) = run(py, move |stop| {
        let config = job.config(|_| ()).or_raise()?;
        let recipe = match &config.strategy {
            Strategy::Plan(plan) => {
                Recipe::of(plan).map_err(|error| PyValueError::new_err(error.to_string()))?
            }
            _ => None,
        };
        let store = job.open().or_raise()?;
        // In a file it went with the pages.
        if let Some(url) = job.shared().filter(|_| job.fresh && recipe.is_some()) {
            Network::open(url).and_then(|mut network| network.clear()).or_raise()?;
        }
        let summary = run_crawl(store, &config, stop.flag(), |_| ()).or_raise()?;
        let is_worth = summary.counts.pages > 0 && !stop.is_set();
        let gathered = match recipe.filter(|_| is_worth) {
            Some(recipe) => {
                let file = job.store.to_str().ok_or_else(|| {
                    StoreError::new_err("the store's name is not Unicode: no network was made")
                })?;
                let mut network = Network::open(file).or_raise()?;
                Some(gather_into(&mut network, file, &recipe, stop)?)
            }
            None => None,
        };
        Ok((summary, gathered))
    })?;
    told(py, &name, &summary, gathered)
}

fn told<'py>(
    py: Python<'py>,
    store: &str,
    summary: &Summary,
    gathered: Option<Gathered>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("store", store)?;
    fields.set_item("pages", summary.counts.pages)?;
    fields.set_item("new_pages", summary.run.pages)?;
    fields.set_item("waiting", summary.counts.waiting)?;
    let failures = PyDict::new(py);
    for (reason, n) in &summary.run.failures {
        failures.set_item(reason, n)?;
    }
    fields.set_item("failures", failures)?;
    fields.set_item("given_up", &summary.given_up)?;
    fields.set_item("seconds", summary.took.as_secs_f64())?;
    let network = gathered.map(|gathered| numbers(py, &gathered)).transpose()?;
    fields.set_item("network", network)?;
    py.import("pagemill._results")?.getattr("Crawled")?.call((), Some(&fields))
}

fn addresses(seeds: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let all = match seeds.extract::<String>() {
        Ok(one) => vec![one],
        Err(_) => seeds.extract::<Vec<String>>().map_err(|_| {
            PyTypeError::new_err(
                "seeds are addresses such as https://example.org/: one, or a list of them",
            )
        })?,
    };
    match all.is_empty() {
        true => Err(PyValueError::new_err("there is no seed; name an address to begin with")),
        false => Ok(all),
    }
}

fn seed(text: &str) -> PyResult<url::Url> {
    fetching::seed(text)
        .map_err(|wrong| PyValueError::new_err(format!("cannot begin with {text:?}: {wrong}")))
}

fn reach(text: &str) -> PyResult<Reach> {
    text.parse()
        .map_err(|_| PyValueError::new_err(format!("scope is host, site or any, not {text:?}")))
}

fn seconds(name: &str, seconds: Option<f64>, default: Duration) -> PyResult<Duration> {
    let Some(seconds) = seconds else { return Ok(default) };
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{name} is a time in seconds, not {seconds}")))
}
