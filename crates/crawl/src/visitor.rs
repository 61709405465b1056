//! Single pages, for those who know their addresses.
//!
//! Nothing is followed but redirects, and nothing is kept. The manners are those of a crawl all the same: robots.txt is asked
//! for, a host is given time between questions, and no private address is connected to that the user did not name.

use crate::digest::check_media;
use crate::engine::ask;
use crate::failure::Failure;
use crate::fetch::{Answer, MAX_REDIRECTS, Network, NetworkConfig, NetworkError, Request, Source};
use crate::guard::Guard;
use crate::hosts::{AGENT, Politeness};
use crate::media::ContentType;
use crate::robots::Rules;
use crate::unpack::unpack;
use crate::{FetchLimits, Files};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// A page as a server gave it.
#[derive(Debug, Clone)]
pub struct Visited {
    /// Where it was in the end.
    pub url: Url,
    /// The encoding that its server named.
    pub charset: Option<String>,
    /// Its bytes, unpacked.
    pub body: Vec<u8>,
    /// In which encoding they ended before their end, if they did: what there is, is given.
    pub cut: Option<&'static str>,
}

/// Why a page could not be had.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum VisitError {
    /// There is no way to ask for anything.
    #[error("cannot go online: {0}")]
    Offline(Arc<io::Error>),
    /// The client does not start.
    #[error("{0}")]
    Client(Arc<NetworkError>),
    /// Its site does not want to be asked by programs.
    #[error("its site's robots.txt forbids it, or could not be read")]
    Forbidden,
    /// It was asked for in vain.
    #[error("{0}")]
    Failed(Failure),
}

impl From<io::Error> for VisitError {
    fn from(error: io::Error) -> VisitError {
        VisitError::Offline(Arc::new(error))
    }
}

impl From<NetworkError> for VisitError {
    fn from(error: NetworkError) -> VisitError {
        VisitError::Client(Arc::new(error))
    }
}

impl From<Failure> for VisitError {
    fn from(failure: Failure) -> VisitError {
        VisitError::Failed(failure)
    }
}

/// Asks for one page after the other.
pub struct Visitor {
    runtime: Runtime,
    source: Source,
    guard: Guard,
    politeness: Politeness,
    max_unpacked: usize,
    /// What servers allow, by origin; or why they could not be asked. They are not asked again: whoever names a hundred pages of a
    /// server that hangs waits for it once.
    rules: HashMap<String, Result<Rules, Failure>>,
    /// When hosts may be asked again.
    ready_at: HashMap<String, Instant>,
}

impl Visitor {
    /// Be ready to ask for pages of at most so many bytes.
    pub fn new(max_bytes: usize) -> Result<Visitor, VisitError> {
        let guard = Guard::new(false, std::iter::empty());
        guard.allow_proxies();
        let limits = FetchLimits { max_packed: max_bytes, ..FetchLimits::default() };
        let network = Network::new(NetworkConfig {
            agent: agent(None),
            limits: FetchLimits { max_unpacked: max_bytes, ..limits },
            guard: guard.clone(),
            is_plain: false,
            authorities: Vec::new(),
            files: Files::default(),
            proxy: None,
        })?;
        Ok(Visitor {
            runtime: Builder::new_current_thread().enable_all().build()?,
            source: Source::Network(Arc::new(network)),
            guard,
            // Who waits for a page can try again, and knows better when.
            politeness: Politeness { tries: 1, ..Politeness::default() },
            max_unpacked: max_bytes,
            rules: HashMap::new(),
            ready_at: HashMap::new(),
        })
    }

    /// Ask for a page that the user named. Where it is inside the network, it may be asked for, and no other host there.
    pub fn visit(&mut self, url: &Url) -> Result<Visited, VisitError> {
        self.guard.name(url);
        let mut place = url.clone();
        let deadline = Instant::now() + MAX_VISIT;
        for _ in 0..=MAX_REDIRECTS {
            let answer = self.ask(&place, deadline)?;
            match answer.moved_to() {
                Some(moved) => place = moved?,
                None => return Ok(self.visited(answer)?),
            }
        }
        Err(Failure::Redirects.into())
    }

    fn ask(&mut self, url: &Url, deadline: Instant) -> Result<Answer, VisitError> {
        let origin = url.origin().ascii_serialization();
        if !self.rules.contains_key(&origin) {
            let asking = ask::robots(&self.source, &origin, &self.politeness);
            let answer = self.runtime.block_on(in_time(deadline, asking));
            let rules = answer.map(|it| Rules::of_answer(it.status, &it.body, AGENT));
            self.rules.insert(origin.clone(), rules);
        }
        // A server that cannot be asked for its rules cannot be asked for a page either, and why is what users want to know.
        let rules = self.rules[&origin].as_ref().map_err(Failure::clone)?;
        if !rules.allows(url) {
            return Err(VisitError::Forbidden);
        }
        let gap = rules.delay().unwrap_or_default().max(self.politeness.gap);
        let gap = gap.min(self.politeness.longest_gap);
        let host = url.host_str().unwrap_or_default().to_owned();
        let request =
            Request { url, known: None, max_bytes: self.max_unpacked, takes_start: false };
        let ready_at = self.ready_at.get(&host).copied();
        let asking = async {
            if let Some(ready_at) = ready_at {
                tokio::time::sleep_until(ready_at.into()).await;
            }
            self.source.ask_on(request, 0, |_| false).await
        };
        let asked = self.runtime.block_on(in_time(deadline, asking));
        self.ready_at.insert(host, Instant::now() + gap);
        Ok(asked?.answer)
    }

    fn visited(&self, answer: Answer) -> Result<Visited, Failure> {
        if !(200..300).contains(&answer.status) {
            return Err(Failure::Status(answer.status));
        }
        check_media(&answer)?;
        let media = ContentType::parse(answer.header("content-type").unwrap_or_default());
        let charset = media.charset.map(str::to_owned);
        let encodings = answer.header("content-encoding").unwrap_or_default().to_owned();
        let body = unpack(&encodings, answer.body, self.max_unpacked)?;
        Ok(Visited { url: answer.url, charset, body: body.bytes, cut: body.cut })
    }
}

/// A visit with all its redirects takes no longer, whatever servers wish.
const MAX_VISIT: Duration = Duration::from_secs(180);

async fn in_time<T>(
    deadline: Instant,
    asking: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::time::timeout_at(deadline.into(), asking).await.unwrap_or(Err(Failure::TooSlow))
}

/// Who asks, with a way to reach them.
pub fn agent(contact: Option<&str>) -> String {
    let contact = contact.unwrap_or("+https://github.com/pagemill/pagemill");
    format!("pagemill/{} ({contact})", env!("CARGO_PKG_VERSION"))
}
