//! Web data extraction: from pages to leaves to records.
//!
//! This is the one library to depend on. It re-exports the rooms of the engine and adds what joins them:
//! [`input`] finds pages in files, folders and web archives; [`pool`] holds as many of them as memory is for; [`pipeline`]
//! extracts from many pages by all cores; [`sink`] writes what was extracted to files; [`fields`] tells which leaf of a page is
//! which field, for pictures by [`render`].
//!
//! ```
//! use pagemill::input;
//!
//! for page in input::pages(["../../corpus/odd/nested-lists.html"]) {
//!     let page = page?;
//!     let leaves = page.parse().leaves();
//!     assert_eq!(leaves.get(1).text, "Menu of the canteen");
//! }
//! # Ok::<(), input::InputError>(())
//! ```
//!
//! [`annotate`] trains models from labelled pages, and maps pages of any site to a schema:
//!
//! ```
//! use pagemill::annotate::{Example, Label, Labels, Target, TrainConfig, train};
//!
//! let target = Target::parse("<!ELEMENT news (title, author?)>")?;
//! let article = |title: &str, author: &str| {
//!     pagemill::parse(format!("<h1>{title}</h1><p class=by>{author}</p><p>Text</p>").as_bytes())
//! };
//! let known = [("Rain at last", "Ann Lee"), ("Snow again", "Bob Stone"), ("Fog", "Eva Berg")];
//! let pages = known.map(|(title, author)| article(title, author));
//! let examples: Vec<Example> = pages.iter().zip(known).map(|(page, (title, author))| Example {
//!     page,
//!     site: author.to_owned(),
//!     labels: Labels::new(vec![Label::Value(0, title.into()), Label::Value(1, author.into())]),
//! }).collect();
//! let model = train(&target, &examples, &TrainConfig::default());
//! let found = model.annotate(&article("Sun tomorrow", "Dan Wu"));
//! assert_eq!(found.data(&target)["title"], "Sun tomorrow");
//! # Ok::<(), pagemill::annotate::DtdError>(())
//! ```

pub mod fetching;
pub mod fields;
pub mod files;
pub mod gather;
pub mod get;
pub mod input;
pub mod labelled;
pub mod learning;
pub mod listing;
pub mod pipeline;
pub mod place;
pub mod pool;
pub mod sink;
pub mod site;
pub mod warc;
pub mod why;

pub use annotate;
pub use crawl;
pub use input::{InputError, InputPage};
pub use network;
pub use page;
pub use page::{
    DataType, Leaf, LeafKind, Leaves, Limits, Note, Page, ParseConfig, parse, parse_with,
};
pub use regions;
pub use render;
pub use sink::{Sink, SinkConfig, SinkError};
pub use wrapper;
pub use wrapper::{
    ActiveConfig, Extraction, Extractor, FieldPath, LearnConfig, LearnError, Learnt, Method,
    Problem, Schema, Status, Trace, Trained, Warning, Wrapper, learn, train,
};

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
