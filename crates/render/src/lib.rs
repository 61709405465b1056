//! How a page looks: the style of each leaf, and where it stands.
//!
//! In come a [`Page`](page::Page) and its leaves; out comes a [`Look`] for each leaf. [`by_rules`] tells it from tags and
//! attributes alone, as browsers did before there were style sheets: it is quick, never fails, and knows no places. `Renderer` (the feature `engine`) applies style sheets and lays the page out.
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

#[cfg(all(feature = "chromium", unix))]
mod chromium;
mod colour;
mod draw;
#[cfg(feature = "engine")]
mod engine;
mod inline;
mod look;
#[cfg(feature = "png")]
mod png;
mod rules;
mod stack;

#[cfg(all(feature = "chromium", unix))]
pub use chromium::{Chromium, find_chromium};
pub use draw::{Drawing, Marks, draw, outline};
#[cfg(feature = "engine")]
pub use engine::{Config, Detail, Fetch, Renderer, Rendering, Trouble};
pub use look::{Align, Area, Line, Look, Rgb};
#[cfg(feature = "png")]
pub use png::{Picture, PictureError};
pub use rules::by_rules;
pub use stack::stack;
