//! Whose turn it is: no host is asked more often than it should be.

use crate::frontier::{Claim, Frontier};
use crate::robots::Rules;
use crate::store::{Job, Robots, StoreError};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
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
    /// Whether that is all that waits and may be asked for now.
    has_all: bool,
    /// Whether the store may know better than `next`.
    is_stale: bool,
    /// Whether it has answered, and did so the last time.
    is_proven: bool,
    /// Whether nothing waits, so that it need not be looked at until something comes in.
    is_idle: bool,
    /// Failures of the host itself, one after the other.
    n_failures: u32,
}

impl Host {
    fn new(gap: Duration) -> Host {
        Host {
            gap,
            ready_at: Instant::now(),
            n_asked: 0,
            next: VecDeque::new(),
            has_all: false,
            is_stale: true,
            is_proven: false,
            is_idle: false,
            n_failures: 0,
        }
    }
}

/// Whether one address comes before another, as the store has them.
fn is_before(one: &Job, other: &Job) -> bool {
    other.priority.total_cmp(&one.priority).then(one.id.cmp(&other.id)).is_lt()
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
    /// Questions at the same time to hosts that have not answered yet, or not the last time: hosts that hang do not get all
    /// places, however many there are of them.
    max_unproven: usize,
    /// Whether hosts have to be claimed before they are asked.
    is_shared: bool,
    /// Hosts that were let go because they do not answer.
    given_up: BTreeSet<String>,
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
    /// For so many questions at the same time.
    pub(crate) fn new(politeness: Politeness, concurrency: usize, is_shared: bool) -> Hosts {
        Hosts {
            politeness,
            hosts: BTreeMap::new(),
            rules: HashMap::new(),
            in_flight: HashSet::new(),
            n_in_flight: 0,
            max_unproven: (concurrency - concurrency / 4).max(1),
            is_shared,
            given_up: BTreeSet::new(),
        }
    }

    /// Hear that a host belongs to this process.
    pub(crate) fn own(&mut self, claim: &Claim, now: Instant) {
        let gap = claim.gap;
        let host = self.open(&claim.host);
        host.gap = host.gap.max(gap);
        host.ready_at = host.ready_at.max(now + claim.wait);
    }

    /// The hosts that belong to this process, each with the gap that it wants.
    pub(crate) fn owned(&self) -> Vec<(String, Duration)> {
        self.hosts.iter().map(|(name, host)| (name.clone(), host.gap)).collect()
    }

    /// Forget hosts that belong to others by now: all but these.
    pub(crate) fn keep_only(&mut self, owned: &[String]) {
        let owned: HashSet<&String> = owned.iter().collect();
        self.hosts.retain(|name, _| owned.contains(name));
    }

    /// Let go of hosts that there is nothing to ask for now. Each is to be left alone for a time.
    pub(crate) fn let_go(&mut self, now: Instant, is_over: bool) -> Vec<(String, Duration)> {
        let mut gone = Vec::new();
        self.hosts.retain(|name, host| {
            let is_given_up = host.n_failures >= GIVE_UP;
            let is_kept = host.n_asked > 0 || !(host.is_idle || is_given_up || is_over);
            if !is_kept {
                let wait = host.ready_at.saturating_duration_since(now);
                gone.push((name.clone(), if is_given_up { LEFT_ALONE } else { wait }));
            }
            if is_given_up {
                self.given_up.insert(name.clone());
            }
            is_kept
        });
        gone
    }

    /// Hear that addresses of a host wait, or one of them sooner than it did: this soon.
    pub(crate) fn hear(&mut self, name: &str, priority: f64) {
        let Some(host) = self.host(name) else { return };
        let is_beyond =
            !host.has_all && host.next.back().is_some_and(|last| priority <= last.priority);
        host.is_stale |= !is_beyond;
        host.is_idle = false;
    }

    /// Hear of an address that came in. The store is not asked for it again.
    pub(crate) fn hear_new(&mut self, job: Job) {
        let Some(host) = self.host(&job.host) else { return };
        host.is_idle = false;
        let place = host.next.partition_point(|other| is_before(other, &job));
        let is_beyond = place == host.next.len() && !host.has_all;
        if host.is_stale || is_beyond {
            return;
        }
        host.next.insert(place, job);
        if host.next.len() > 2 * AT_HAND {
            host.next.truncate(AT_HAND);
            host.has_all = false;
        }
    }

    /// A host that may be asked; one that was not claimed and has to be is none.
    fn host(&mut self, name: &str) -> Option<&mut Host> {
        match self.is_shared {
            true => self.hosts.get_mut(name),
            false => Some(self.open(name)),
        }
    }

    fn open(&mut self, name: &str) -> &mut Host {
        // Files have no host that could mind.
        let gap = if name.is_empty() { Duration::ZERO } else { self.politeness.gap };
        self.hosts.entry(name.to_owned()).or_insert_with(|| Host::new(gap))
    }

    pub(crate) fn n_in_flight(&self) -> usize {
        self.n_in_flight
    }

    /// Hosts that were left alone because they do not answer, or ask for more patience than a run has.
    pub(crate) fn given_up(&self) -> Vec<String> {
        let silent = self.hosts.iter().filter(|(_, host)| host.n_failures >= GIVE_UP);
        let silent: BTreeSet<&String> =
            silent.map(|(name, _)| name).chain(&self.given_up).collect();
        silent.into_iter().cloned().collect()
    }

    /// The best address whose host may be asked now.
    pub(crate) fn turn(
        &mut self,
        store: &mut dyn Frontier,
        now: (Instant, i64),
    ) -> Result<Turn, StoreError> {
        let mut best: Option<(f64, i64, &String)> = None;
        let unproven = self.hosts.values().filter(|host| !host.is_proven);
        let is_crowded = unproven.map(|host| host.n_asked).sum::<usize>() >= self.max_unproven;
        let mut wake: Option<Instant> = None;
        let mut soonest = |at: Instant| wake = Some(wake.map_or(at, |wake| wake.min(at)));
        for (name, host) in &mut self.hosts {
            if host.is_idle
                || host.n_asked >= self.politeness.per_host
                || host.n_failures >= GIVE_UP
                || is_crowded && !host.is_proven
            {
                continue;
            }
            if host.ready_at > now.0 {
                soonest(host.ready_at);
                continue;
            }
            if host.is_stale || host.next.is_empty() && !host.has_all {
                let n = AT_HAND + self.in_flight.len();
                let mut jobs = store.get(name, now.1, n)?;
                host.has_all = jobs.len() < n;
                jobs.retain(|job| !self.in_flight.contains(&job.id));
                host.next = jobs.into();
                host.is_stale = false;
            }
            let Some(job) = host.next.front() else {
                let wait = store.next_try(name, now.1)?.map(|at| {
                    Duration::from_millis(u64::try_from(at.saturating_sub(now.1)).unwrap_or(0))
                });
                match wait.filter(|wait| *wait <= LONGEST_WAIT) {
                    Some(wait) => {
                        host.ready_at = now.0 + wait;
                        host.is_stale = true;
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

    fn take(
        &mut self,
        name: &str,
        store: &mut dyn Frontier,
        now: (Instant, i64),
    ) -> Result<Turn, StoreError> {
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
                self.in_flight.insert(job.id);
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
        store: &mut dyn Frontier,
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
        self.answered(name, now, !is_silent);
    }

    /// Whether the server of an address did not say what may be asked for.
    pub(crate) fn is_silent(&self, url: &Url) -> bool {
        let rules = self.rules.get(&url.origin().ascii_serialization());
        matches!(rules, Some(Known::Rules { is_silent: true, .. }))
    }

    /// Hear that it is written that an address is not asked for.
    pub(crate) fn hear_refused(&mut self, job: &Job) {
        self.in_flight.remove(&job.id);
    }

    /// Hear that an address is not asked for after all, so that no gap is due.
    pub(crate) fn hear_unasked(&mut self, job: &Job) {
        self.n_in_flight = self.n_in_flight.saturating_sub(1);
        if let Some(host) = self.hosts.get_mut(&job.host) {
            host.n_asked = host.n_asked.saturating_sub(1);
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

    /// Hear that an address of a host waits again.
    pub(crate) fn hear_again(&mut self, name: &str) {
        if let Some(host) = self.host(name) {
            host.is_stale = true;
        }
    }

    fn answered(&mut self, name: &str, now: Instant, is_well: bool) {
        self.n_in_flight = self.n_in_flight.saturating_sub(1);
        if let Some(host) = self.hosts.get_mut(name) {
            host.n_asked = host.n_asked.saturating_sub(1);
            host.ready_at = host.ready_at.max(now + host.gap);
            host.is_idle = false;
            host.n_failures = if is_well { 0 } else { host.n_failures + 1 };
            host.is_proven = is_well;
        }
    }

    /// A host asks for patience: it is left alone for a time, and asked more seldom from now on.
    pub(crate) fn slow_down(&mut self, name: &str, now: Instant, wait: Option<Duration>) {
        let (first, longest) = (Duration::from_millis(500), self.politeness.longest_gap);
        if let Some(host) = self.hosts.get_mut(name) {
            host.gap = (host.gap * 2).max(first).min(longest);
            let wait = wait.unwrap_or(host.gap);
            if wait > LONGEST_WAIT {
                host.n_failures = GIVE_UP;
            }
            host.ready_at = host.ready_at.max(now + wait.min(LONGEST_WAIT));
        }
    }
}

/// A host that was given up is left alone for so long, by other processes too.
const LEFT_ALONE: Duration = Duration::from_secs(60 * 60);
/// Nobody is waited for longer in one run.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60);
/// The name that robots.txt knows us by.
pub(crate) const AGENT: &str = "pagemill";

#[cfg(test)]
mod tests;
