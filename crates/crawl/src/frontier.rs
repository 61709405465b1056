//! What a crawl is kept in, as the engine sees it.
//!
//! The calls are those of URLFrontier: addresses that were discovered are put in, the best that wait are got, what became of them is
//! put in, and hosts are left alone until a time. A file has one process that works on it, which owns all hosts. A database may have
//! many, and hosts have to be claimed.

use crate::focus::Seen;
use crate::simhash::Usual;
use crate::store::{
    Candidate, Changes, Counts, Job, Robots, SharedStore, Store, StoreError, Visit,
};
use std::collections::HashMap;
use std::time::Duration;

/// A host that belongs to this process.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) host: String,
    /// It is not to be asked before that.
    pub(crate) wait: Duration,
    /// What it wants between two questions, as far as others know.
    pub(crate) gap: Duration,
}

/// What pages that are there have taught.
#[derive(Default)]
pub(crate) struct Memory {
    /// Hashes of the pages that are no near copies of others.
    pub(crate) hashes: Vec<(i64, u64)>,
    /// By host.
    pub(crate) usual: HashMap<String, Usual>,
    /// Patterns of addresses: how many were fetched, and how many gave something new.
    pub(crate) patterns: Vec<(String, u32, u32)>,
    pub(crate) seen: Seen,
}

/// When a question was asked, in milliseconds since 1970, and how long that took.
pub(crate) type Asked = (i64, u32);

pub(crate) trait Frontier {
    /// How long a claim of a host holds without a word; none where there is nobody else.
    fn lease(&self) -> Option<Duration>;
    /// Have addresses wait again that were refused for a reason, and all if they are to be asked for anew.
    fn begin(&mut self, again: &str, renews: bool) -> Result<(), StoreError>;
    /// What is known before any host is claimed.
    fn memory(&mut self) -> Result<Memory, StoreError>;
    /// What else is known of a host, once it is.
    fn memory_of(&mut self, host: &str) -> Result<Memory, StoreError>;
    fn claim(&mut self, n: usize, gap: Duration) -> Result<Vec<Claim>, StoreError>;
    /// Say that hosts are still worked on, each with the gap that it wants. Gives those that still belong to this process.
    fn renew(&mut self, hosts: &[(String, Duration)]) -> Result<Vec<String>, StoreError>;
    /// Let a host go, which is to be left alone for a time.
    fn release(&mut self, host: &str, wait: Duration) -> Result<(), StoreError>;
    fn put_discovered(&mut self, all: &[Candidate]) -> Result<Changes, StoreError>;
    fn put_known(&mut self, visits: &[Visit]) -> Result<Changes, StoreError>;
    fn put_robots(
        &mut self,
        origin: &str,
        asked: Asked,
        status: Option<u16>,
        robots: &[u8],
        maps: &[Candidate],
    ) -> Result<Changes, StoreError>;
    /// The addresses of a host that wait and may be asked for now, the best first.
    fn get(&mut self, host: &str, now: i64, n: usize) -> Result<Vec<Job>, StoreError>;
    /// When the next address of a host may be tried again, in milliseconds since 1970.
    fn next_try(&mut self, host: &str, now: i64) -> Result<Option<i64>, StoreError>;
    /// How long until something may be asked for by someone, if anything waits at all.
    fn next_of_all(&mut self) -> Result<Option<Duration>, StoreError>;
    fn robots(&mut self, origin: &str) -> Result<Option<Robots>, StoreError>;
    fn n_waiting(&mut self) -> Result<u64, StoreError>;
    fn n_asked(&mut self) -> Result<u64, StoreError>;
    fn counts(&mut self) -> Result<Counts, StoreError>;
}

/// What a crawl is kept in: a file, or a database that others work on, too.
pub struct Keep(pub(crate) Box<dyn Frontier>);

impl From<Store> for Keep {
    fn from(store: Store) -> Keep {
        Keep(Box::new(store))
    }
}

impl From<SharedStore> for Keep {
    fn from(store: SharedStore) -> Keep {
        Keep(Box::new(store))
    }
}

impl Frontier for Store {
    fn lease(&self) -> Option<Duration> {
        None
    }

    fn begin(&mut self, again: &str, renews: bool) -> Result<(), StoreError> {
        self.wait_again(again)?;
        if renews {
            Store::renew(self)?;
        }
        Ok(())
    }

    fn memory(&mut self) -> Result<Memory, StoreError> {
        Ok(Memory {
            hashes: self.hashes()?,
            usual: self.usual()?,
            patterns: self.patterns()?,
            seen: self.seen()?,
        })
    }

    fn memory_of(&mut self, _: &str) -> Result<Memory, StoreError> {
        Ok(Memory::default())
    }

    /// All that something waits for; there is nobody else.
    fn claim(&mut self, _: usize, _: Duration) -> Result<Vec<Claim>, StoreError> {
        let hosts = self.hosts()?.into_iter();
        let (wait, gap) = (Duration::ZERO, Duration::ZERO);
        Ok(hosts.map(|host| Claim { host, wait, gap }).collect())
    }

    fn renew(&mut self, hosts: &[(String, Duration)]) -> Result<Vec<String>, StoreError> {
        Ok(hosts.iter().map(|(host, _)| host.clone()).collect())
    }

    fn release(&mut self, _: &str, _: Duration) -> Result<(), StoreError> {
        Ok(())
    }

    fn put_discovered(&mut self, all: &[Candidate]) -> Result<Changes, StoreError> {
        self.add_all(all)
    }

    fn put_known(&mut self, visits: &[Visit]) -> Result<Changes, StoreError> {
        self.keep(visits)
    }

    fn put_robots(
        &mut self,
        origin: &str,
        asked: Asked,
        status: Option<u16>,
        robots: &[u8],
        maps: &[Candidate],
    ) -> Result<Changes, StoreError> {
        self.keep_robots(origin, asked, status, robots, maps)
    }

    fn get(&mut self, host: &str, now: i64, n: usize) -> Result<Vec<Job>, StoreError> {
        self.waiting(host, now, n)
    }

    fn next_try(&mut self, host: &str, now: i64) -> Result<Option<i64>, StoreError> {
        Store::next_try(self, host, now)
    }

    /// The engine knows by itself: all hosts are its own.
    fn next_of_all(&mut self) -> Result<Option<Duration>, StoreError> {
        Ok(None)
    }

    fn robots(&mut self, origin: &str) -> Result<Option<Robots>, StoreError> {
        Store::robots(self, origin)
    }

    fn n_waiting(&mut self) -> Result<u64, StoreError> {
        Store::n_waiting(self)
    }

    fn n_asked(&mut self) -> Result<u64, StoreError> {
        Store::n_asked(self)
    }

    fn counts(&mut self) -> Result<Counts, StoreError> {
        Store::counts(self)
    }
}

impl Frontier for SharedStore {
    fn lease(&self) -> Option<Duration> {
        Some(self.lease_time())
    }

    fn begin(&mut self, again: &str, renews: bool) -> Result<(), StoreError> {
        self.wait_again(again)?;
        if renews {
            self.renew_all()?;
        }
        Ok(())
    }

    fn memory(&mut self) -> Result<Memory, StoreError> {
        Ok(Memory { patterns: self.patterns()?, ..Memory::default() })
    }

    fn memory_of(&mut self, host: &str) -> Result<Memory, StoreError> {
        let usual = HashMap::from([(host.to_owned(), self.usual_of(host)?)]);
        Ok(Memory { hashes: self.hashes_of(host)?, usual, ..Memory::default() })
    }

    fn claim(&mut self, n: usize, gap: Duration) -> Result<Vec<Claim>, StoreError> {
        SharedStore::claim(self, n, gap)
    }

    fn renew(&mut self, hosts: &[(String, Duration)]) -> Result<Vec<String>, StoreError> {
        SharedStore::renew(self, hosts)
    }

    fn release(&mut self, host: &str, wait: Duration) -> Result<(), StoreError> {
        SharedStore::release(self, host, wait)
    }

    fn put_discovered(&mut self, all: &[Candidate]) -> Result<Changes, StoreError> {
        SharedStore::put_discovered(self, all)
    }

    fn put_known(&mut self, visits: &[Visit]) -> Result<Changes, StoreError> {
        SharedStore::put_known(self, visits)
    }

    fn put_robots(
        &mut self,
        origin: &str,
        asked: Asked,
        status: Option<u16>,
        robots: &[u8],
        maps: &[Candidate],
    ) -> Result<Changes, StoreError> {
        SharedStore::put_robots(self, origin, asked, status, robots, maps)
    }

    fn get(&mut self, host: &str, now: i64, n: usize) -> Result<Vec<Job>, StoreError> {
        self.waiting(host, now, n)
    }

    fn next_try(&mut self, host: &str, now: i64) -> Result<Option<i64>, StoreError> {
        SharedStore::next_try(self, host, now)
    }

    fn next_of_all(&mut self) -> Result<Option<Duration>, StoreError> {
        SharedStore::next_of_all(self)
    }

    fn robots(&mut self, origin: &str) -> Result<Option<Robots>, StoreError> {
        SharedStore::robots(self, origin)
    }

    fn n_waiting(&mut self) -> Result<u64, StoreError> {
        self.number("SELECT count(*) FROM addresses WHERE state = 0")
    }

    fn n_asked(&mut self) -> Result<u64, StoreError> {
        self.number("SELECT count(*) FROM fetches WHERE address IS NOT NULL")
    }

    fn counts(&mut self) -> Result<Counts, StoreError> {
        SharedStore::counts(self)
    }
}
