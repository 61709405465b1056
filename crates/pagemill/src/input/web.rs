//! Pages of the web, asked for when their turn comes.

use super::{InputError, InputPage};
use crawl::{VisitError, Visited, Visitor};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// Pages are remembered as long as they have no more bytes than this together.
const MAX_REMEMBERED: usize = 256 << 20;

/// Where pages of the web come from. Clones share what was asked for, so that inputs which are read twice are asked for once.
#[derive(Clone, Default)]
pub struct Web(Arc<Mutex<Asked>>);

#[derive(Default)]
struct Asked {
    /// There from the first question on: most inputs are files.
    visitor: Option<Visitor>,
    /// What came, or why nothing did.
    pages: HashMap<Url, Result<Page, VisitError>>,
    n_bytes: usize,
}

/// A page, and in which encoding it was cut off, if it was.
pub(super) type Page = (InputPage, Option<&'static str>);

impl Web {
    /// The page at an address.
    pub(super) fn page(&self, url: &Url, max_bytes: u64) -> Result<Page, InputError> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |cause| InputError::Web { url: url.to_string(), cause };
        if let Some(known) = asked.pages.get(url) {
            return known.clone().map_err(failed);
        }
        let visitor = match asked.visitor.take() {
            Some(visitor) => visitor,
            None => {
                let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
                Visitor::new(max_bytes).map_err(failed)?
            }
        };
        let visited = asked.visitor.insert(visitor).visit(url);
        let page = match visited {
            Ok(visited) => page(url, visited),
            Err(error) => {
                asked.pages.insert(url.clone(), Err(error.clone()));
                return Err(failed(error));
            }
        };
        if asked.n_bytes + page.0.bytes.len() <= MAX_REMEMBERED {
            asked.n_bytes += page.0.bytes.len();
            asked.pages.insert(url.clone(), Ok(page.clone()));
        }
        Ok(page)
    }
}

fn page(asked: &Url, visited: Visited) -> Page {
    let Visited { url, charset, body, cut } = visited;
    (InputPage { id: asked.to_string(), bytes: body, charset, url: Some(url.to_string()) }, cut)
}

/// An input that is an address of the web.
pub(super) fn address(input: &str) -> Option<Url> {
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    input.contains("://").then(|| Url::parse(input).ok()).flatten().filter(is_web)
}
