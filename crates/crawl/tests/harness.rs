//! A crawl to be run in a folder of its own, with settings that tests have time for.

use crate::secure;
use crawl::guard::{Guard, Lookup};
use crawl::traps::Limits;
use crawl::{
    Config, Counts, FetchLimits, Files, Network, NetworkConfig, Politeness, Reach, Source, Store,
    Strategy, Summary, crawl,
};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;
use url::Url;

/// All names are this machine.
pub(crate) struct Here;

pub(crate) type Found = crawl::guard::Answers;

impl Lookup for Here {
    fn lookup(&self, _: &str) -> Found {
        Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })
    }
}

/// A crawl to be run, with settings that tests have time for.
pub(crate) struct Crawl {
    pub(crate) folder: TempDir,
    pub(crate) config: Config,
    network: NetworkConfig,
}

impl Crawl {
    pub(crate) fn new(seeds: &[String]) -> Crawl {
        Crawl::with_guard(seeds, Guard::new(true, [].into_iter()).with_lookup(Here))
    }

    pub(crate) fn with_guard(seeds: &[String], guard: Guard) -> Crawl {
        let limits = FetchLimits {
            connect: Duration::from_secs(1),
            read: Duration::from_secs(3),
            whole: Duration::from_secs(5),
            max_packed: 1 << 20,
            max_unpacked: 4 << 20,
        };
        let max_unpacked = limits.max_unpacked;
        let seeds: Vec<Url> = seeds.iter().map(|seed| Url::parse(seed).unwrap()).collect();
        let network = NetworkConfig {
            agent: "pagemill/test".to_owned(),
            limits,
            guard,
            is_plain: false,
            authorities: secure::AUTHORITY.to_vec(),
            files: Files::new(seeds.iter()),
            proxy: None,
        };
        let config = Config {
            seeds,
            reach: Reach::Host,
            strategy: Strategy::Breadth,
            source: Source::Network(Arc::new(Network::new(network.clone()).unwrap())),
            politeness: Politeness {
                gap: Duration::ZERO,
                per_host: 8,
                tries: 1,
                backoff: Duration::from_millis(50),
                ..Politeness::default()
            },
            limits: Limits::default(),
            concurrency: 32,
            max_pages: None,
            reads_sitemaps: false,
            renews: false,
            max_unpacked,
            n_threads: 2,
        };
        Crawl { folder: TempDir::new().unwrap(), config, network }
    }

    /// Trust other authorities than that of the tests.
    pub(crate) fn trust(&mut self, authorities: &[u8]) {
        self.network.authorities = authorities.to_vec();
        let network = Network::new(self.network.clone()).unwrap();
        self.config.source = Source::Network(Arc::new(network));
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("store.db")
    }

    pub(crate) fn run(&self) -> Summary {
        self.run_until(&AtomicBool::new(false), |_| {})
    }

    pub(crate) fn run_until(
        &self,
        stop: &AtomicBool,
        watch: impl FnMut(&crawl::Progress),
    ) -> Summary {
        let store = Store::open(&self.path(), false).unwrap();
        crawl(store, &self.config, stop, watch).unwrap()
    }

    /// How long each question took.
    pub(crate) fn timings(&self) -> Vec<(String, Duration)> {
        self.rows("SELECT url, ms FROM fetches", |row| {
            Ok((row.get(0)?, Duration::from_millis(row.get::<_, u32>(1)?.into())))
        })
    }

    /// What a query of the store gives.
    pub(crate) fn rows<T>(
        &self,
        query: &str,
        read: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Vec<T> {
        let db = rusqlite::Connection::open(self.path()).unwrap();
        let mut statement = db.prepare(query).unwrap();
        let rows = statement.query_map([], |row| read(row)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    pub(crate) fn store(&self) -> Store {
        Store::read(&self.path()).unwrap()
    }
}

/// The addresses of the pages in a store, which is whole.
pub(crate) fn pages(path: &Path) -> Vec<String> {
    let store = Store::read(path).unwrap();
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
    let (mut pages, mut last) = (Vec::new(), i64::MIN);
    while let Some(page) = store.page_after(last).unwrap() {
        last = page.id;
        pages.push(page.url);
    }
    pages
}

/// How often each reason came up.
pub(crate) fn failures(counts: &Counts) -> BTreeMap<&str, u64> {
    let all = counts.failed.iter().chain(&counts.refused);
    all.map(|(reason, n)| (reason.as_str(), *n)).collect()
}
