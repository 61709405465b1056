//! Web data extraction: from pages to leaves to records.
//!
//! This is the one library to depend on. It re-exports the rooms of the engine and adds what joins them:
//! [`input`] finds pages in files, folders and web archives; [`pool`] holds as many of them as memory is for; [`pipeline`]
//! extracts from many pages by all cores; [`sink`] writes what was extracted to files.
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

pub mod input;
pub mod pipeline;
pub mod pool;
pub mod sink;

pub use input::{InputError, InputPage};
pub use page;
pub use page::{
    DataType, Leaf, LeafKind, Leaves, Limits, Note, Page, ParseConfig, parse, parse_with,
};
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
