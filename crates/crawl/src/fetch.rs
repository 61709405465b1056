//! Asking for one address.
//!
//! Redirects are not followed here: where they lead is an address like any other, with its own host's rules. Only those that
//! lead to what counts as the same page (`http` to `https`, with and without `www.`) are, because they have no other place.

mod files;
mod network;

pub use files::Files;
pub use network::{FetchLimits, Network, NetworkConfig, NetworkError};

use crate::address;
use crate::failure::Failure;
use crate::store::Known;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use url::Url;

/// Where answers come from.
#[derive(Clone)]
pub enum Source {
    /// Servers.
    Network(Arc<Network>),
    /// Answers that were recorded.
    Archive(Arc<dyn Archive>),
}

/// Recorded answers.
pub trait Archive: Send + Sync {
    /// What was answered for an address.
    fn answer(&self, url: &Url) -> Option<Answer>;
}

/// What a server answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The address that answered.
    pub url: Url,
    /// Its status.
    pub status: u16,
    /// Headers in the order they came. Bytes that are no text are replaced.
    pub headers: Vec<(String, String)>,
    /// The body, as packed as the headers say.
    pub body: Vec<u8>,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Where it sends who asks.
    pub(crate) fn moved_to(&self) -> Option<Result<Url, Failure>> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let place = self.header("location").and_then(|it| self.url.join(it).ok());
        Some(place.filter(|it| matches!(it.scheme(), "http" | "https")).ok_or(Failure::Nowhere))
    }
}

/// What is asked for.
pub(crate) struct Request<'a> {
    pub(crate) url: &'a Url,
    /// The page as it is known.
    pub(crate) known: Option<&'a Known>,
    /// No more bytes than these are taken.
    pub(crate) max_bytes: usize,
    /// Whether the start of a longer answer will do.
    pub(crate) takes_start: bool,
}

/// An answer, and its turn if it is a large one: to be held as long as the answer is.
pub(crate) struct Asked {
    pub(crate) answer: Answer,
    pub(crate) turn: Option<OwnedSemaphorePermit>,
}

impl From<Answer> for Asked {
    fn from(answer: Answer) -> Asked {
        Asked { answer, turn: None }
    }
}

/// Browsers stop here, too.
pub(crate) const MAX_REDIRECTS: u32 = 20;

impl Source {
    /// Ask once.
    async fn ask(&self, request: &Request<'_>) -> Result<Asked, Failure> {
        match self {
            Source::Network(network) => network.ask(request).await,
            Source::Archive(archive) => {
                Ok(archive.answer(request.url).ok_or(Failure::NotRecorded)?.into())
            }
        }
    }

    /// Ask, and follow redirects as long as `goes_on` says so of the place they lead to.
    pub(crate) async fn ask_on(
        &self,
        request: Request<'_>,
        most: u32,
        goes_on: impl Fn(&Url) -> bool,
    ) -> Result<Asked, Failure> {
        let mut asked = self.ask(&request).await?;
        for _ in 0..most {
            let Some(Ok(place)) = asked.answer.moved_to() else { return Ok(asked) };
            if !goes_on(&place) {
                return Ok(asked);
            }
            asked = self.ask(&Request { url: &place, ..request }).await?;
        }
        match asked.answer.moved_to() {
            Some(Ok(place)) if goes_on(&place) => Err(Failure::Redirects),
            _ => Ok(asked),
        }
    }

    /// Ask for a page, following redirects to what counts as the same one.
    pub(crate) async fn ask_for_page(&self, request: Request<'_>) -> Result<Asked, Failure> {
        let key = address::key(request.url);
        self.ask_on(request, MAX_REDIRECTS, |place| address::key(place) == key).await
    }
}
