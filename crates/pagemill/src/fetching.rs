//! Crawls as users ask for them: what to fetch, where to keep it and how polite to be, with defaults for everything.
//!
//! In comes a [`Job`]; out come a store and a [`Config`] for [`crawl::crawl`]. What was named wrongly is found before a store is
//! made.

use crate::files::{self, FileError};
use crate::input::{InputError, Recorded};
use crawl::guard::Guard;
use crawl::{
    Config, FetchLimits, Files, Keep, Limits, Network, NetworkConfig, Politeness, Reach,
    SharedStore, Source, Store, StoreError, Strategy, agent,
};
use std::io;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// What to crawl. The fields are the flags of `pagemill crawl`.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Where to begin.
    pub seeds: Vec<Url>,
    /// The file that pages, links and what waits are kept in; or `postgres://…`, where several may work on one crawl.
    pub store: PathBuf,
    /// In a shared store: a process of which nothing was heard for this time is taken for dead.
    pub lease: Duration,
    /// Which kinds of pages are wanted: a plan that is built in, or a file.
    pub plan: Option<String>,
    /// Words that the pages wanted first are most like.
    pub keywords: Vec<String>,
    /// `plan`, `best-first` or `breadth`; if not given, what plan and keywords say.
    pub strategy: Option<String>,
    /// Which hosts count.
    pub scope: Reach,
    /// So many pages at most, earlier runs included.
    pub max_pages: Option<u64>,
    /// So many links from a seed at most.
    pub max_depth: u32,
    /// An archive to ask instead of the network.
    pub replay: Option<PathBuf>,
    /// Whether what the store has is thrown away.
    pub fresh: bool,
    /// Whether pages that are there are asked for again.
    pub renew: bool,
    /// Between an answer and the next question to the same host.
    pub gap: Duration,
    /// Questions to one host at the same time.
    pub per_host: NonZeroUsize,
    /// Questions at the same time.
    pub concurrency: NonZeroUsize,
    /// How often an address is tried that may yet answer.
    pub tries: NonZeroU32,
    /// So long before the second try, and twice as long before each after it.
    pub backoff: Duration,
    /// An answer must be there after this time.
    pub timeout: Duration,
    /// Whether the sitemaps that robots.txt names are read.
    pub sitemaps: bool,
    /// How whoever crawls can be reached, told to every server.
    pub contact: Option<String>,
    /// Certificates of more authorities to trust, in PEM.
    pub ca_file: Option<PathBuf>,
    /// Whether private addresses are connected to, too.
    pub allow_private: bool,
    /// Whether what robots.txt forbids is asked for, too.
    pub ignore_robots: bool,
    /// Whether https pages are asked for by http.
    pub https_as_http: bool,
}

impl Default for Job {
    fn default() -> Job {
        Job {
            seeds: Vec::new(),
            store: PathBuf::new(),
            lease: Duration::from_secs(30),
            plan: None,
            keywords: Vec::new(),
            strategy: None,
            scope: Reach::default(),
            max_pages: None,
            max_depth: 20,
            replay: None,
            fresh: false,
            renew: false,
            gap: Duration::from_secs(1),
            per_host: NonZeroUsize::MIN,
            concurrency: NonZeroUsize::MIN.saturating_add(31),
            tries: NonZeroU32::MIN.saturating_add(2),
            backoff: Duration::from_secs(5),
            timeout: Duration::from_secs(60),
            sitemaps: false,
            contact: None,
            ca_file: None,
            allow_private: false,
            ignore_robots: false,
            https_as_http: false,
        }
    }
}

/// Why a job cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Flags that do not go together, or lead nowhere.
    #[error("{0}")]
    Usage(String),
    /// The plan.
    #[error(transparent)]
    Plan(#[from] FileError),
    /// The archive.
    #[error(transparent)]
    Replay(#[from] InputError),
    /// The network.
    #[error("cannot go online: {0}")]
    Offline(io::Error),
}

impl JobError {
    /// Whether something was named wrongly.
    pub fn is_usage(&self) -> bool {
        !matches!(self, JobError::Offline(_))
    }
}

impl Job {
    /// The address of the store, if it is a database that others may work on, too.
    pub fn shared(&self) -> Option<&str> {
        self.store.to_str().filter(|name| SharedStore::is_named(name))
    }

    /// Where the store is, without a password.
    pub fn store_name(&self) -> String {
        match self.shared() {
            Some(url) => SharedStore::name_of(url),
            None => self.store.display().to_string(),
        }
    }

    /// How to go about it. What is wrong with an archive is told, and what can be read of it taken.
    pub fn config(&self, tell: impl FnMut(InputError)) -> Result<Config, JobError> {
        let strategy = self.strategy()?;
        let source = self.source(tell)?;
        let is_replay = matches!(source, Source::Archive(_));
        let politeness = Politeness {
            // Nobody is there who could be annoyed.
            gap: if is_replay { Duration::ZERO } else { self.gap },
            per_host: if is_replay { self.concurrency.get() } else { self.per_host.get() },
            obeys_robots: !self.ignore_robots,
            tries: self.tries.get(),
            backoff: self.backoff,
            ..Politeness::default()
        };
        Ok(Config {
            seeds: self.seeds.clone(),
            reach: self.scope,
            strategy,
            source,
            politeness,
            limits: Limits { depth: self.max_depth, ..Limits::default() },
            concurrency: self.concurrency.get(),
            max_pages: self.max_pages,
            reads_sitemaps: self.sitemaps,
            renews: self.renew,
            max_unpacked: self.limits().max_unpacked,
            n_threads: crate::pipeline::all_cores().get(),
        })
    }

    /// The store, for this job and no other.
    pub fn open(&self) -> Result<Keep, StoreError> {
        let plan = self.plan.clone().unwrap_or_default();
        let settled = [("plan", plan), ("keywords", self.keywords.join(", "))];
        if let Some(url) = self.shared() {
            let mut store = SharedStore::open(url, self.lease, self.fresh)?;
            for (what, value) in &settled {
                store.settle(what, value)?;
            }
            return Ok(store.into());
        }
        let store = Store::open(&self.store, self.fresh)?;
        for (what, value) in &settled {
            store.settle(what, value)?;
        }
        Ok(store.into())
    }

    /// The strategy that is named: a plan if there is one, else by keywords if there are any, else breadth. One that is named has
    /// to go with them.
    fn strategy(&self) -> Result<Strategy, JobError> {
        let wrong = |what: &str| Err(JobError::Usage(what.to_owned()));
        match (self.strategy.as_deref(), &self.plan) {
            (Some("plan"), None) => {
                wrong("--strategy plan needs a plan: --plan university, shop, news, or a file")
            }
            (Some("best-first"), _) if self.keywords.is_empty() => {
                wrong("--strategy best-first needs words to compare pages with: --keyword WORDS")
            }
            (Some("breadth"), plan) if plan.is_some() || !self.keywords.is_empty() => {
                wrong("--strategy breadth goes by neither --plan nor --keyword; leave them out")
            }
            (_, Some(plan)) => Ok(Strategy::Plan(files::read_plan(Path::new(plan))?)),
            (_, None) if !self.keywords.is_empty() => {
                Ok(Strategy::BestFirst(self.keywords.clone()))
            }
            (_, None) => Ok(Strategy::Breadth),
        }
    }

    /// Where answers come from.
    fn source(&self, tell: impl FnMut(InputError)) -> Result<Source, JobError> {
        if let Some(path) = &self.replay {
            let (recorded, damages) = Recorded::read(path)?;
            damages.into_iter().for_each(tell);
            return Ok(Source::Archive(Arc::new(recorded)));
        }
        let guard = Guard::new(self.allow_private, self.seeds.iter());
        guard.allow_proxies();
        let config = NetworkConfig {
            agent: agent(self.contact.as_deref()),
            limits: self.limits(),
            guard,
            is_plain: self.https_as_http,
            authorities: self.authorities()?,
            files: Files::new(self.seeds.iter()),
            proxy: None,
        };
        let network =
            Network::new(config).map_err(|error| JobError::Offline(io::Error::other(error)))?;
        Ok(Source::Network(Arc::new(network)))
    }

    /// The certificates that a user trusts beside those of the system.
    fn authorities(&self) -> Result<Vec<u8>, JobError> {
        let Some(path) = &self.ca_file else { return Ok(Vec::new()) };
        match std::fs::read(path) {
            Ok(bytes)
                if String::from_utf8_lossy(&bytes).contains("-----BEGIN CERTIFICATE-----") =>
            {
                Ok(bytes)
            }
            Ok(_) => Err(JobError::Usage(format!("{path:?} has no certificate: PEM is expected"))),
            Err(error) => {
                Err(JobError::Usage(format!("cannot read the certificates in {path:?}: {error}")))
            }
        }
    }

    fn limits(&self) -> FetchLimits {
        let limits = FetchLimits::default();
        let within = |time: Duration| time.min(self.timeout);
        FetchLimits {
            connect: within(limits.connect),
            read: within(limits.read),
            whole: self.timeout,
            ..limits
        }
    }
}

/// An address to begin with; `example.org` is meant as one.
pub fn seed(text: &str) -> Result<Url, String> {
    let url = match text.contains("://") {
        true => Url::parse(text),
        false => Url::parse(&format!("https://{text}")),
    };
    let url = url.map_err(|error| error.to_string())?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        "file" if url.to_file_path().is_ok_and(|place| place.exists()) => Ok(url),
        "file" => Err("there is no such file; its whole path is needed".to_owned()),
        other => Err(format!("{other} is not crawled, only http, https and file")),
    }
}

/// What can be told to servers.
pub fn contact(text: &str) -> Result<String, String> {
    match text.chars().all(|c| c.is_ascii_graphic() || c == ' ') {
        true => Ok(text.to_owned()),
        false => Err("only plain ASCII can be told to servers".to_owned()),
    }
}
