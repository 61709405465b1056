//! Bytes to [`Page`]: decode, tokenize, construct.

use crate::arena::Arena;
use crate::build::Builder;
use crate::decode::{Decoded, decode};
use crate::gate::Gate;
use crate::limits::Limits;
use crate::token::Tokenizer;
use crate::tree::Page;

/// What is known of a page besides its bytes, and how much it may cost.
///
/// ```
/// use page::ParseConfig;
///
/// let config = ParseConfig::default().with_charset("iso-8859-2");
/// let page = page::parse_with(b"\xB1", &config);
/// assert_eq!(page.source(), "ą");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParseConfig {
    pub(crate) charset: Option<String>,
    pub(crate) limits: Limits,
}

impl ParseConfig {
    /// The charset that came with the page, as in HTTP's `Content-Type`. One that nobody knows is no error.
    #[must_use]
    pub fn with_charset(mut self, label: impl Into<String>) -> Self {
        self.charset = Some(label.into());
        self
    }

    /// Other bounds than the default ones.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// Whether browsers know a charset by this label.
pub fn is_charset(label: &str) -> bool {
    encoding_rs::Encoding::for_label(label.trim().as_bytes()).is_some()
}

/// Parse a page. Any bytes are a page; what was odd about them is in its [notes](Page::notes).
///
/// ```
/// let page = page::parse(b"<title>Hello</title>");
/// assert_eq!(page.leaves().get(0).text, "Hello");
/// ```
pub fn parse(html: &[u8]) -> Page {
    parse_with(html, &ParseConfig::default())
}

/// [`parse`], with what else is known.
pub fn parse_with(html: &[u8], config: &ParseConfig) -> Page {
    let decoded = decode(html, config.charset.as_deref(), config.limits.bytes);
    build(decoded, config.limits)
}

pub(crate) fn build(mut decoded: Decoded<'_>, limits: Limits) -> Page {
    let source = &*decoded.text;
    let builder = Builder::new(Arena::new(source, &limits), RUNS_SCRIPTS);
    let (tree, mut notes) = Tokenizer::new(source, Gate::new(builder, limits), limits).run();
    notes.append(&mut decoded.notes);
    notes.sort_unstable();
    tree.into_page(decoded, notes)
}

/// As a browser that runs scripts builds it: `<noscript>` holds text that is not shown. An image in one would
/// otherwise end the `<head>`, and every address after it would be another than the browser's.
pub(crate) const RUNS_SCRIPTS: bool = true;

/// A page that arrives in pieces.
///
/// The pieces are gathered and parsed at the end: which encoding they are in can hang on the last byte. So how the
/// input was cut never matters.
///
/// ```
/// let mut feed = page::Feed::default();
/// feed.push(b"<p>caf\xC3");
/// feed.push(b"\xA9");
/// assert_eq!(feed.finish(&Default::default()).leaves().len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Feed {
    bytes: Vec<u8>,
}

impl Feed {
    /// More of the page.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// How many bytes have come so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether none has come.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All of it is there.
    pub fn finish(self, config: &ParseConfig) -> Page {
        parse_with(&self.bytes, config)
    }
}
