//! The studio: label, inspect and correct in the browser.
//!
//! In come pages, and perhaps a wrapper or the store of a crawl; out comes a server on this machine, whose one visitor is the browser
//! of whoever started it. All that it shows and does is the engine's: the same rows as on the command line.
//!
//! - [`Studio`] is what is open: `pages`, the `label` desk, the `table`s, the `network` and the `crawl` of a store.
//! - `view` shows a page without anything that runs or is fetched; `beside` has the style sheets and pictures that came with it.
//! - `server` has the routes, `guard` decides who may ask, `assets` is the front end, `wire` what is said between the two.
//! - `save` says which files may be written.
//!
//! Pages are hostile: what they say reaches the browser as JSON or escaped, never as code.

mod assets;
mod beside;
mod crawl;
mod error;
mod guard;
mod label;
mod network;
mod pages;
mod save;
mod server;
mod state;
mod table;
mod view;
mod why;
mod wire;

pub use error::Refusal;
pub use server::{Address, serve};
pub use state::{Config, Reread, Studio};
