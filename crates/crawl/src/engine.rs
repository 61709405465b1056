//! The crawl itself.
//!
//! One thread decides and writes: it alone has the store, knows the hosts and says who is asked next. Questions are tasks of
//! their own, which also make of an answer what is kept. A task holds its place until that is written, so that no more is lost than
//! what is under way when the process ends.

pub(crate) mod ask;
mod share;

use crate::digest::{self, Digester};
use crate::failure::Failure;
use crate::fetch::{Answer, Request, Source};
use crate::focus::{Focus, Strategy};
use crate::frontier::{Frontier, Keep};
use crate::hosts::{AGENT, Hosts, Politeness, Turn};
use crate::robots::Rules;
use crate::scope::{Reach, Scope};
use crate::simhash::Near;
use crate::store::{Changes, Counts, Job, Outcome, StoreError, Visit};
use crate::traps::{Limits, Trap, Yield};
use ask::{Health, robots, visit};
use share::Shared;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use url::Url;

/// What to crawl, and how.
pub struct Config {
    /// Where to begin.
    pub seeds: Vec<Url>,
    /// Which hosts count.
    pub reach: Reach,
    /// In which order.
    pub strategy: Strategy,
    /// Where answers come from.
    pub source: Source,
    /// How hosts are treated.
    pub politeness: Politeness,
    /// What is a trap.
    pub limits: Limits,
    /// Questions at the same time.
    pub concurrency: usize,
    /// Pages to ask for in all, those of earlier runs included.
    pub max_pages: Option<u64>,
    /// Whether sitemaps are read.
    pub reads_sitemaps: bool,
    /// Whether pages that are there are asked for again.
    pub renews: bool,
    /// Bytes of a body once unpacked.
    pub max_unpacked: usize,
    /// Threads that work on pages.
    pub n_threads: usize,
}

/// Why a crawl ended early.
#[derive(Debug, Error)]
pub enum CrawlError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads.
    #[error("cannot start: {0}")]
    Start(#[from] std::io::Error),
}

/// How far it is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Pages that came in.
    pub pages: u64,
    /// Addresses that wait.
    pub waiting: u64,
    /// Questions under way.
    pub in_flight: usize,
    /// Addresses that gave no page, by reason.
    pub failures: BTreeMap<String, u64>,
    /// Hosts that are known.
    pub hosts: usize,
    /// Bytes that came over the network.
    pub bytes: u64,
}

/// How it ended.
#[derive(Debug)]
pub struct Summary {
    /// What is in the store.
    pub counts: Counts,
    /// What this run did.
    pub run: Progress,
    /// Hosts that were left alone because they do not answer, or ask for more patience than a run has.
    pub given_up: Vec<String>,
    /// Whether it was stopped before its end.
    pub is_stopped: bool,
    /// How long it took.
    pub took: Duration,
}

/// What tasks tell.
enum Report {
    Robots { origin: String, host: String, asked: (i64, u32), answer: Result<Answer, Failure> },
    Page(Box<Visit>, Health),
}

struct Engine<'a> {
    store: Box<dyn Frontier>,
    /// When hosts were last claimed, and said to be worked on.
    shared: Shared,
    hosts: Hosts,
    near: Near,
    patterns: Yield,
    digester: Arc<Digester>,
    /// As many answers are digested at a time as there are threads: each may unpack to a lot.
    digesting: Arc<Semaphore>,
    config: &'a Config,
    runtime: Runtime,
    reports: (Sender<Report>, Receiver<Report>),
    progress: Progress,
    n_asked: u64,
}

/// Crawl until nothing waits, the budget is spent, or `stop` is set. What is under way is finished in any case.
pub fn crawl(
    store: impl Into<Keep>,
    config: &Config,
    stop: &AtomicBool,
    mut watch: impl FnMut(&Progress),
) -> Result<Summary, CrawlError> {
    let start = Instant::now();
    let mut engine = Engine::new(store.into(), config)?;
    engine.begin()?;
    loop {
        let is_stopping = stop.load(Ordering::Relaxed);
        engine.share(is_stopping)?;
        let wake = if is_stopping { None } else { engine.dispatch()? };
        engine.progress.in_flight = engine.hosts.n_in_flight();
        watch(&engine.progress);
        let is_done = engine.progress.in_flight == 0 && wake.is_none();
        if is_stopping && engine.progress.in_flight == 0 || is_done && !engine.is_awaited()? {
            break;
        }
        let reports = engine.collect(wake);
        engine.take_in(reports)?;
    }
    engine.share(true)?;
    let is_stopped = stop.load(Ordering::Relaxed);
    Ok(Summary {
        counts: engine.store.counts()?,
        given_up: engine.hosts.given_up(),
        run: engine.progress,
        is_stopped,
        took: start.elapsed(),
    })
}

impl<'a> Engine<'a> {
    fn new(Keep(mut store): Keep, config: &'a Config) -> Result<Engine<'a>, CrawlError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(config.n_threads.clamp(1, 4))
            .max_blocking_threads(config.n_threads + 4)
            .enable_all()
            .build()?;
        let memory = store.memory()?;
        let digester = Digester {
            focus: Focus::new(config.strategy.clone(), memory.seen),
            scope: Scope::new(config.reach, &config.seeds),
            limits: Limits { year: config.limits.year.or_else(this_year), ..config.limits.clone() },
            max_unpacked: config.max_unpacked,
            large: Mutex::default(),
            usual: Mutex::new(memory.usual),
        };
        let mut near = Near::default();
        for (id, hash) in memory.hashes {
            near.insert(hash, id);
        }
        let patterns = Yield::from_counts(memory.patterns, &config.limits);
        let n_asked = store.n_asked()?;
        let lease = store.lease();
        Ok(Engine {
            store,
            hosts: Hosts::new(config.politeness.clone(), config.concurrency, lease.is_some()),
            shared: Shared::new(lease),
            near,
            patterns,
            digester: Arc::new(digester),
            digesting: Arc::new(Semaphore::new(config.n_threads.max(1))),
            config,
            runtime,
            reports: mpsc::channel(),
            progress: Progress::default(),
            n_asked,
        })
    }

    /// Add the seeds, and take up what waits.
    fn begin(&mut self) -> Result<(), CrawlError> {
        self.store.begin(NO_RULES, self.config.renews)?;
        if self.config.renews {
            self.n_asked = 0;
        }
        let (priority, kind) = self.digester.focus.seed();
        let seeds = self.config.seeds.iter();
        let seeds =
            seeds.filter_map(|url| self.digester.candidate(url.clone(), priority, 0, kind.clone()));
        let seeds: Vec<_> = seeds.collect();
        self.store.put_discovered(&seeds)?;
        self.claim()?;
        self.progress.waiting = self.store.n_waiting()?;
        Ok(())
    }

    /// Ask as many as may be asked now. Gives when the next may be; none if nothing is left to ask.
    fn dispatch(&mut self) -> Result<Option<Instant>, CrawlError> {
        let mut forbidden: Vec<Visit> = Vec::new();
        let mut wake = None;
        loop {
            let n_in_flight = self.hosts.n_in_flight();
            if n_in_flight >= self.config.concurrency {
                break;
            }
            let is_spent = self.config.max_pages.is_some_and(|max| self.n_asked >= max);
            if is_spent || !self.shared.is_held() {
                break;
            }
            match self.hosts.turn(&mut *self.store, (Instant::now(), now()))? {
                Turn::Wait(at) => {
                    wake = at;
                    break;
                }
                Turn::Robots(origin, job) => self.ask_robots(origin, job.host),
                Turn::Forbidden(job) => {
                    let reason =
                        if self.hosts.is_silent(&job.url) { NO_RULES } else { "robots.txt" };
                    forbidden.push(refused(job, reason));
                }
                Turn::Page(job) => {
                    match digest::patterns(&job.url).iter().any(|it| self.patterns.is_barren(it)) {
                        true => {
                            self.hosts.hear_unasked(&job);
                            forbidden.push(refused(job, &Trap::Barren.to_string()));
                        }
                        false => {
                            self.n_asked += 1;
                            self.ask_page(job);
                        }
                    }
                }
            }
            if forbidden.len() >= MANY {
                break;
            }
        }
        if !forbidden.is_empty() {
            self.keep(&forbidden)?;
            forbidden.iter().for_each(|visit| self.hosts.hear_refused(&visit.job));
            return Ok(Some(Instant::now()));
        }
        Ok(wake)
    }

    fn ask_robots(&self, origin: String, host: String) {
        let (source, tell) = (self.config.source.clone(), self.reports.0.clone());
        let politeness = self.config.politeness.clone();
        self.runtime.spawn(async move {
            let (at, start) = (now(), Instant::now());
            let answer = robots(&source, &origin, &politeness).await;
            let asked = (at, millis(start));
            // Nobody listens any more once the crawl is over.
            let _ = tell.send(Report::Robots { origin, host, asked, answer });
        });
    }

    fn ask_page(&self, job: Job) {
        let (source, tell) = (self.config.source.clone(), self.reports.0.clone());
        let (digester, politeness) = (Arc::clone(&self.digester), self.config.politeness.clone());
        let max_bytes = self.config.max_unpacked;
        let digesting = Arc::clone(&self.digesting);
        self.runtime.spawn(async move {
            let (at, start) = (now(), Instant::now());
            let known = job.known.as_ref();
            let request = Request { url: &job.url, known, max_bytes, takes_start: false };
            let (answer, turn) = match source.ask_for_page(request).await {
                Ok(asked) => (Ok(asked.answer), asked.turn),
                Err(failure) => (Err(failure), None),
            };
            let asked = (at, millis(start));
            let health = Health::of(&answer);
            // It is never closed.
            let _place = digesting.acquire().await;
            let work = move || {
                let _turn = turn;
                visit(&digester, &politeness, job, asked, answer)
            };
            if let Ok(visit) = tokio::task::spawn_blocking(work).await {
                let _ = tell.send(Report::Page(Box::new(visit), health));
            }
        });
    }

    /// Wait for reports, and take all that are there.
    fn collect(&self, wake: Option<Instant>) -> Vec<Report> {
        const TICK: Duration = Duration::from_millis(100);
        let wait = wake.map_or(TICK, |at| at.saturating_duration_since(Instant::now()).min(TICK));
        let mut reports = Vec::new();
        match self.reports.1.recv_timeout(wait) {
            Ok(report) => reports.push(report),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return reports,
        }
        reports.extend(self.reports.1.try_iter().take(MANY));
        reports
    }

    fn take_in(&mut self, reports: Vec<Report>) -> Result<(), CrawlError> {
        let mut visits = Vec::new();
        let mut health = Vec::new();
        for report in reports {
            match report {
                Report::Robots { origin, host, asked, answer } => {
                    self.take_in_robots(&origin, &host, asked, answer)?;
                }
                Report::Page(mut visit, of_host) => {
                    self.compare(&mut visit);
                    health.push(of_host);
                    visits.push(*visit);
                }
            }
        }
        self.keep(&visits)?;
        let now = Instant::now();
        for (visit, health) in visits.iter().zip(health) {
            self.hosts.hear_done(&visit.job, now, health.is_well);
            if matches!(visit.outcome, Outcome::Later(..)) {
                self.hosts.hear_again(&visit.job.host);
            }
            if let Some(wait) = health.patience {
                self.hosts.slow_down(&visit.job.host, now, wait);
            }
        }
        Ok(())
    }

    /// Look whether a page is nearly the same as one that is there.
    fn compare(&mut self, visit: &mut Visit) {
        let Outcome::Page(page) = &mut visit.outcome else { return };
        let Some(hash) = page.hash else { return };
        page.like = self.near.find(hash).filter(|it| *it != visit.job.id);
        if page.like.is_none() {
            self.near.insert(hash, visit.job.id);
        }
    }

    fn take_in_robots(
        &mut self,
        origin: &str,
        host: &str,
        asked: (i64, u32),
        answer: Result<Answer, Failure>,
    ) -> Result<(), CrawlError> {
        let (status, body) = match &answer {
            Ok(answer) => (Some(answer.status), answer.body.as_slice()),
            // What an archive lacks was not there.
            Err(Failure::NotRecorded) => (Some(404), [].as_slice()),
            Err(_) => (None, [].as_slice()),
        };
        let rules = status.map_or_else(Rules::unreachable, |it| Rules::of_answer(it, body, AGENT));
        let mut maps = Vec::new();
        if self.config.reads_sitemaps {
            maps.extend(rules.sitemaps().iter().filter_map(|it| self.digester.sitemap(it.clone())));
        }
        let changes = self.store.put_robots(origin, asked, status, body, &maps)?;
        self.hear(changes);
        let is_silent = status.is_none_or(|status| status >= 500);
        self.hosts.hear_rules(host, origin, rules, Instant::now(), is_silent);
        Ok(())
    }

    /// Write what came of addresses, and count it.
    fn keep(&mut self, visits: &[Visit]) -> Result<(), CrawlError> {
        if visits.is_empty() {
            return Ok(());
        }
        let changes = self.store.put_known(visits)?;
        for visit in visits {
            self.progress.bytes += visit.n_bytes as u64;
            match &visit.outcome {
                Outcome::Later(..) => continue,
                Outcome::Page(_) => self.progress.pages += 1,
                Outcome::Failed(reason) | Outcome::Refused(reason) => {
                    *self.progress.failures.entry(reason.clone()).or_default() += 1;
                }
                Outcome::Unchanged | Outcome::Moved(_) | Outcome::Listed(_) => {}
            }
            self.progress.waiting = self.progress.waiting.saturating_sub(1);
        }
        self.hear(changes);
        Ok(())
    }

    fn hear(&mut self, changes: Changes) {
        self.progress.waiting += changes.new.len() as u64;
        for (pattern, is_new) in changes.yields {
            self.patterns.count(&pattern, is_new);
        }
        for (host, priority) in changes.risen {
            self.hosts.hear(&host, priority);
        }
        for job in changes.new {
            self.hosts.hear_new(job);
        }
        self.progress.hosts = self.hosts.len();
    }
}

/// So many at once.
const MANY: usize = 256;
/// Why addresses are not asked for whose server did not say whether they may be.
const NO_RULES: &str = "robots.txt out of reach";

fn refused(job: Job, reason: &str) -> Visit {
    let outcome = Outcome::Refused(reason.to_owned());
    Visit { job, asked: None, status: None, n_bytes: 0, outcome }
}

/// Roughly, by years of 365.2425 days.
fn this_year() -> Option<u16> {
    u16::try_from(1970 + now() / 31_556_952_000).ok()
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn millis(since: Instant) -> u32 {
    u32::try_from(since.elapsed().as_millis()).unwrap_or(u32::MAX)
}
