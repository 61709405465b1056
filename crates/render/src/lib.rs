//! How a page looks: the style of each leaf, and where it stands.
//!
//! In come a [`Page`](page::Page) and its leaves; out comes a [`Look`] for each leaf. [`by_rules`] tells it from tags and
//! attributes alone, as browsers did before there were style sheets: it is quick, never fails, and knows no places.
//!
//! ```
//! let page = page::parse(b"<h1>Dune</h1><p>by <b style='color: #00f'>Frank Herbert</b>");
//! let looks = render::by_rules(&page, &page.leaves());
//! assert_eq!((looks[0].size, looks[0].weight), (32.0, 700));
//! assert_eq!((looks[1].size, looks[1].weight), (16.0, 400));
//! assert_eq!(looks[2].colour, render::Rgb { red: 0, green: 0, blue: 255 });
//! ```
//!
//! Nothing here opens a file or a socket, and scripts of a page never run.

mod colour;
mod inline;
mod look;
mod rules;

pub use look::{Align, Area, Look, Rgb};
pub use rules::by_rules;
