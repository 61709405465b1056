//! Bytes to pages to leaves.
//!
//! In come the bytes of an HTML page; out comes a [`Page`]: its tree in an arena, and its sequence of
//! [leaves](Leaf), each with its path, text, type, link and place in the source. Everything else in
//! Pagemill works on leaves.
//!
//! ```
//! let page = page::parse(b"<ul><li><a href=/1>Dune</a> <b>$9.99</b></ul>");
//! let leaves = page.leaves();
//! let (title, price) = (leaves.get(0), leaves.get(1));
//! assert_eq!((title.text, title.link), ("Dune", Some("/1")));
//! assert_eq!((price.text, price.data_type()), ("$9.99", page::DataType::Money));
//! assert_eq!(&page.source()[price.span.range()], "$9.99");
//! ```
//!
//! This room never fails, opens no file or socket, reads no clock, and does not recurse over a page's depth. What a page
//! may cost is bounded by [`Limits`].

mod address;
mod arena;
mod build;
mod datatype;
mod decode;
mod dump;
mod gate;
mod leaf;
mod limits;
mod names;
mod note;
mod parse;
mod path;
#[cfg(feature = "reference")]
pub mod reference;
mod skim;
mod tag;
mod text;
mod token;
mod tree;

pub use address::{Address, Addresses};
pub use datatype::DataType;
pub use decode::RawMap;
pub use leaf::{Leaf, LeafKind, Leaves};
pub use limits::Limits;
pub use note::Note;
pub use parse::{Feed, ParseConfig, is_charset, parse, parse_with};
pub use path::{PathId, Paths};
pub use skim::{Eye, N_KEPT, Passage, Place, Skimmed, Skimmer};
pub use tree::{AttrKeys, Namespace, NodeId, NodeKind, Page, Span};
