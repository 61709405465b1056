//! Where facts come from.

use std::time::{SystemTime, UNIX_EPOCH};

/// What says that something is so: a page, a place on it, the wrapper that read it, when, and how sure that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The address of the page; empty if someone said it.
    pub page: String,
    /// The wrapper or model that read it; empty if none did.
    pub wrapper: String,
    /// Where on the page, as an XPath or the number of a leaf.
    pub place: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// When the page was fetched, in milliseconds since 1970.
    pub time: i64,
}

impl Source {
    /// A page, at a time in milliseconds since 1970.
    pub fn page(page: impl Into<String>, time: i64) -> Source {
        Source {
            page: page.into(),
            wrapper: String::new(),
            place: String::new(),
            confidence: 1.0,
            time,
        }
    }

    /// What someone says now.
    pub fn by_hand() -> Source {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Source::page("", i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The same, read by a wrapper.
    pub fn with_wrapper(self, wrapper: impl Into<String>) -> Source {
        Source { wrapper: wrapper.into(), ..self }
    }

    /// The same, at another place of the page.
    pub fn at(&self, place: impl Into<String>) -> Source {
        Source { place: place.into(), ..self.clone() }
    }

    /// The same, as sure as this.
    pub fn with_confidence(&self, confidence: f64) -> Source {
        Source { confidence: confidence.clamp(0.0, 1.0), ..self.clone() }
    }
}
