//! Working beside others: which hosts are whose.
//!
//! Where a crawl has one process, it claims all hosts once, and this does nothing more.

use super::{CrawlError, Engine};
use crate::hosts::LONGEST_WAIT;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// When hosts were last claimed, and said to be worked on.
pub(super) struct Shared {
    /// How long a claim holds; none if there is nobody else.
    lease: Option<Duration>,
    renewed_at: Instant,
    claimed_at: Instant,
}

/// Who has too few hosts looks for more so often.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

impl Shared {
    pub(super) fn new(lease: Option<Duration>) -> Shared {
        let now = Instant::now();
        Shared { lease, renewed_at: now, claimed_at: now }
    }

    /// Whether claims hold for long enough to ask. A process that was held up, by the system say, may have lost them.
    pub(super) fn is_held(&self) -> bool {
        self.lease.is_none_or(|lease| self.renewed_at.elapsed() < lease / 2)
    }
}

impl Engine<'_> {
    /// Say that this process is still there, let go of hosts that have nothing to be asked for, and claim others.
    pub(super) fn share(&mut self, is_over: bool) -> Result<(), CrawlError> {
        let Some(lease) = self.shared.lease else { return Ok(()) };
        let now = Instant::now();
        if now - self.shared.renewed_at > lease / 4 {
            let owned = self.store.renew(&self.hosts.owned())?;
            self.hosts.keep_only(&owned);
            self.shared.renewed_at = now;
            self.progress.waiting = self.store.n_waiting()?;
            if self.config.max_pages.is_some() {
                self.n_asked = self.store.n_asked()? + self.hosts.n_in_flight() as u64;
            }
        }
        for (host, wait) in self.hosts.let_go(now, is_over) {
            self.store.release(&host, wait)?;
        }
        if !is_over && now - self.shared.claimed_at > LOOK_AGAIN {
            self.claim()?;
        }
        Ok(())
    }

    /// Claim hosts, as many as there are places to ask from, and take in what is known of them.
    pub(super) fn claim(&mut self) -> Result<(), CrawlError> {
        let n = self.config.concurrency.saturating_sub(self.hosts.len());
        let is_shared = self.shared.lease.is_some();
        if is_shared && n == 0 {
            return Ok(());
        }
        for claim in self.store.claim(n, self.config.politeness.gap)? {
            self.hosts.own(&claim, Instant::now());
            if is_shared {
                self.learn_of(&claim.host)?;
            }
        }
        self.shared.claimed_at = Instant::now();
        Ok(())
    }

    /// Take in what others found out about a host.
    fn learn_of(&mut self, host: &str) -> Result<(), CrawlError> {
        let memory = self.store.memory_of(host)?;
        for (id, hash) in memory.hashes {
            self.near.insert(hash, id);
        }
        // Nothing panics while these are held.
        let mut usual = self.digester.usual.lock().unwrap_or_else(PoisonError::into_inner);
        usual.extend(memory.usual);
        Ok(())
    }

    /// Whether something waits that others have claimed or that may be asked for soon. Those who have it may yet die.
    pub(super) fn is_awaited(&mut self) -> Result<bool, CrawlError> {
        let is_spent = self.config.max_pages.is_some_and(|max| self.n_asked >= max);
        if self.shared.lease.is_none() || is_spent {
            return Ok(false);
        }
        Ok(self.store.next_of_all()?.is_some_and(|wait| wait <= LONGEST_WAIT))
    }
}
