//! Whose turn it is: no host is asked more often than it should be.

use crate::robots::Rules;
use crate::store::{Job, Robots, Store, StoreError};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};
use url::Url;

/// How hosts are treated.
#[derive(Debug, Clone)]
pub struct Politeness {
    /// Between the end of one answer and the next question to the same host.
    pub gap: Duration,
    /// No host's own wish for a longer gap is followed beyond this.
    pub longest_gap: Duration,
    /// Questions to one host at the same time.
    pub per_host: usize,
    /// Whether robots.txt is asked for and followed.
    pub obeys_robots: bool,
    /// How often an address is tried.
    pub tries: u32,
    /// Before the second try; twice that before the third, and so on.
    pub backoff: Duration,
}

impl Default for Politeness {
    fn default() -> Politeness {
        Politeness {
            gap: Duration::from_secs(1),
            longest_gap: Duration::from_secs(60),
            per_host: 1,
            obeys_robots: true,
            tries: 3,
            backoff: Duration::from_secs(5),
        }
    }
}

/// A host that addresses wait for.
struct Host {
    gap: Duration,
    /// Not asked before.
    ready_at: Instant,
    n_asked: usize,
    /// The best of what waits, in order.
    next: VecDeque<Job>,
    /// Whether the store may know better than `next`.
    is_stale: bool,
    /// Whether nothing waits, so that it need not be looked at until something comes in.
    is_idle: bool,
    /// Failures of the host itself, one after the other.
    n_failures: u32,
}

/// A host that fails so often without an answer between is left alone for this run.
const GIVE_UP: u32 = 20;
/// So many addresses of a host are at hand.
const AT_HAND: usize = 64;
/// A server's rules are asked for again after this time.
const RULES_HOLD: Duration = Duration::from_secs(24 * 60 * 60);

/// What is known of a server's robots.txt.
enum Known {
    Asking,
    Rules {
        rules: Rules,
        until: Instant,
        /// Whether the server did not say.
        is_silent: bool,
    },
}

/// All hosts of a crawl.
pub(crate) struct Hosts {
    politeness: Politeness,
    hosts: BTreeMap<String, Host>,
    rules: HashMap<String, Known>,
    in_flight: HashSet<i64>,
    /// With those for robots.txt.
    n_in_flight: usize,
}

/// What is to be done next.
pub(crate) enum Turn {
    /// Ask for a server's robots.txt.
    Robots(String, Job),
    /// Ask for an address.
    Page(Job),
    /// An address that must not be asked for.
    Forbidden(Job),
    /// Nothing before a time.
    Wait(Option<Instant>),
}

impl Hosts {
    pub(crate) fn new(politeness: Politeness) -> Hosts {
        let (hosts, rules, in_flight) = Default::default();
        Hosts { politeness, hosts, rules, in_flight, n_in_flight: 0 }
    }

    /// Hear that addresses of a host came in, one of them with this priority.
    pub(crate) fn hear(&mut self, host: &str, priority: f64) {
        let gap = self.politeness.gap;
        if !self.hosts.contains_key(host) {
            let new = Host {
                gap,
                ready_at: Instant::now(),
                n_asked: 0,
                next: VecDeque::new(),
                is_stale: true,
                is_idle: false,
                n_failures: 0,
            };
            self.hosts.insert(host.to_owned(), new);
            return;
        }
        if let Some(host) = self.hosts.get_mut(host) {
            let is_beyond = host.next.len() >= AT_HAND / 2
                && host.next.back().is_some_and(|last| priority <= last.priority);
            host.is_stale |= !is_beyond;
            host.is_idle = false;
        }
    }

    pub(crate) fn n_in_flight(&self) -> usize {
        self.n_in_flight
    }

    /// Hosts that were left alone because they do not answer.
    pub(crate) fn given_up(&self) -> Vec<String> {
        let silent = self.hosts.iter().filter(|(_, host)| host.n_failures >= GIVE_UP);
        silent.map(|(name, _)| name.clone()).collect()
    }

    /// The best address whose host may be asked now.
    pub(crate) fn turn(&mut self, store: &Store, now: (Instant, i64)) -> Result<Turn, StoreError> {
        let mut best: Option<(f64, i64, &String)> = None;
        let mut wake: Option<Instant> = None;
        let mut soonest = |at: Instant| wake = Some(wake.map_or(at, |wake| wake.min(at)));
        for (name, host) in &mut self.hosts {
            if host.is_idle
                || host.n_asked >= self.politeness.per_host
                || host.n_failures >= GIVE_UP
            {
                continue;
            }
            if host.ready_at > now.0 {
                soonest(host.ready_at);
                continue;
            }
            if host.is_stale || host.next.is_empty() {
                let n = AT_HAND + host.n_asked;
                let mut jobs = store.waiting(name, now.1, n)?;
                jobs.retain(|job| !self.in_flight.contains(&job.id));
                host.next = jobs.into();
                host.is_stale = false;
            }
            let Some(job) = host.next.front() else {
                match store.next_try(name, now.1)? {
                    Some(at) => {
                        let wait = u64::try_from(at - now.1).unwrap_or(0);
                        host.ready_at = now.0 + Duration::from_millis(wait);
                        soonest(host.ready_at);
                    }
                    None => host.is_idle = true,
                }
                continue;
            };
            let is_better = best.is_none_or(|(priority, id, _)| {
                job.priority.total_cmp(&priority).then(id.cmp(&job.id)).is_gt()
            });
            if is_better {
                best = Some((job.priority, job.id, name));
            }
        }
        let best = best.map(|(_, _, name)| name.clone());
        match best {
            Some(name) => self.take(&name, store, now),
            None => Ok(Turn::Wait(wake)),
        }
    }

    fn take(&mut self, name: &str, store: &Store, now: (Instant, i64)) -> Result<Turn, StoreError> {
        let Some(host) = self.hosts.get_mut(name) else { return Ok(Turn::Wait(None)) };
        let Some(job) = host.next.pop_front() else { return Ok(Turn::Wait(None)) };
        if self.politeness.obeys_robots && job.url.scheme() != "file" {
            let origin = job.url.origin().ascii_serialization();
            let rules = match self.rules.get(&origin) {
                Some(Known::Rules { rules, until, .. }) if *until > now.0 => Some(rules),
                Some(Known::Asking) => {
                    // Another address of this server waits for the same answer.
                    host.next.push_front(job);
                    host.ready_at = now.0 + Duration::from_millis(20);
                    return Ok(Turn::Wait(Some(host.ready_at)));
                }
                _ => None,
            };
            let Some(rules) = rules else {
                return self.ask_rules(name, origin, job, store, now);
            };
            if !rules.allows(&job.url) {
                return Ok(Turn::Forbidden(job));
            }
        }
        host.n_asked += 1;
        self.n_in_flight += 1;
        self.in_flight.insert(job.id);
        Ok(Turn::Page(job))
    }

    /// Take the rules that were kept, or ask for them.
    fn ask_rules(
        &mut self,
        name: &str,
        origin: String,
        job: Job,
        store: &Store,
        now: (Instant, i64),
    ) -> Result<Turn, StoreError> {
        if let Some(Robots { at, status, text }) = store.robots(&origin)? {
            let age = Duration::from_millis(u64::try_from(now.1 - at).unwrap_or(0));
            let said = status.filter(|status| *status < 500);
            if let (Some(left), Some(status)) = (RULES_HOLD.checked_sub(age), said) {
                let rules = Rules::of_answer(status, &text, AGENT);
                self.obey(name, &origin, rules, (now.0 + left, false));
                if let Some(host) = self.hosts.get_mut(name) {
                    host.next.push_front(job);
                }
                return self.take(name, store, now);
            }
        }
        self.rules.insert(origin.clone(), Known::Asking);
        if let Some(host) = self.hosts.get_mut(name) {
            host.n_asked += 1;
            self.n_in_flight += 1;
            host.next.push_front(job.clone());
        }
        Ok(Turn::Robots(origin, job))
    }

    fn obey(
        &mut self,
        name: &str,
        origin: &str,
        rules: Rules,
        (until, is_silent): (Instant, bool),
    ) {
        if let (Some(delay), Some(host)) = (rules.delay(), self.hosts.get_mut(name)) {
            host.gap = host.gap.max(delay.min(self.politeness.longest_gap));
        }
        self.rules.insert(origin.to_owned(), Known::Rules { rules, until, is_silent });
    }

    /// Hear what a server says in its robots.txt.
    pub(crate) fn hear_rules(
        &mut self,
        name: &str,
        origin: &str,
        rules: Rules,
        now: Instant,
        is_silent: bool,
    ) {
        self.obey(name, origin, rules, (now + RULES_HOLD, is_silent));
        self.answered(name, now, true);
    }

    /// Whether the server of an address did not say what may be asked for.
    pub(crate) fn is_silent(&self, url: &Url) -> bool {
        let rules = self.rules.get(&url.origin().ascii_serialization());
        matches!(rules, Some(Known::Rules { is_silent: true, .. }))
    }

    /// Hear that an address is not asked for after all, so that no gap is due.
    pub(crate) fn hear_unasked(&mut self, job: &Job) {
        self.in_flight.remove(&job.id);
        if let Some(host) = self.hosts.get_mut(&job.host) {
            host.n_asked = host.n_asked.saturating_sub(1);
            self.n_in_flight = self.n_in_flight.saturating_sub(1);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Hear that an address was done with.
    pub(crate) fn hear_done(&mut self, job: &Job, now: Instant, is_host_well: bool) {
        self.in_flight.remove(&job.id);
        self.answered(&job.host, now, is_host_well);
    }

    fn answered(&mut self, name: &str, now: Instant, is_well: bool) {
        if let Some(host) = self.hosts.get_mut(name) {
            host.n_asked = host.n_asked.saturating_sub(1);
            self.n_in_flight = self.n_in_flight.saturating_sub(1);
            host.ready_at = host.ready_at.max(now + host.gap);
            host.is_idle = false;
            host.n_failures = if is_well { 0 } else { host.n_failures + 1 };
            if !is_well {
                host.is_stale = true;
            }
        }
    }

    /// A host asks for patience: it is left alone for a time, and asked more seldom from now on.
    pub(crate) fn slow_down(&mut self, name: &str, now: Instant, wait: Option<Duration>) {
        let (first, longest) = (Duration::from_millis(500), self.politeness.longest_gap);
        if let Some(host) = self.hosts.get_mut(name) {
            host.gap = (host.gap * 2).max(first).min(longest);
            host.ready_at = host.ready_at.max(now + wait.unwrap_or(host.gap).min(LONGEST_WAIT));
        }
    }
}

/// Nobody is waited for longer in one run.
const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60);
/// The name that robots.txt knows us by.
pub(crate) const AGENT: &str = "pagemill";
