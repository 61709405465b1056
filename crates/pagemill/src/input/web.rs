//! Pages of the web, asked for when their turn comes.

use super::{InputError, InputPage};
use crawl::{Visited, Visitor};
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
    pages: HashMap<Url, InputPage>,
    n_bytes: usize,
}

impl Web {
    /// The page at an address.
    pub(super) fn page(&self, url: &Url, max_bytes: u64) -> Result<InputPage, InputError> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = asked.pages.get(url) {
            return Ok(page.clone());
        }
        let failed = |cause| InputError::Web { url: url.to_string(), cause };
        let visitor = match asked.visitor.take() {
            Some(visitor) => visitor,
            None => {
                let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
                Visitor::new(max_bytes).map_err(failed)?
            }
        };
        let visited = asked.visitor.insert(visitor).visit(url);
        let page = page(url, visited.map_err(failed)?);
        if asked.n_bytes + page.bytes.len() <= MAX_REMEMBERED {
            asked.n_bytes += page.bytes.len();
            asked.pages.insert(url.clone(), page.clone());
        }
        Ok(page)
    }
}

fn page(asked: &Url, visited: Visited) -> InputPage {
    let Visited { url, charset, body } = visited;
    InputPage { id: asked.to_string(), bytes: body, charset, url: Some(url.to_string()) }
}

/// An input that is an address of the web.
pub(super) fn address(input: &str) -> Option<Url> {
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    input.contains("://").then(|| Url::parse(input).ok()).flatten().filter(is_web)
}
