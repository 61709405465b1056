//! A crawler that is polite, safe and never loses a page.
//!
//! Seeds and a strategy go in; a [`Store`] comes out: one file with pages, links and what was read out of them, which can be
//! gone on with after any end of the process. Follow the data:
//!
//! - `address` says which addresses are the same, `scope` and `traps` which are worth asking for.
//! - `hosts` says whose turn it is, by `robots` and the gaps between questions.
//! - `fetch` asks, over the network behind a `guard`, or an archive.
//! - `digest` makes of an answer what is kept: `unpack`, `links`, `simhash`; `focus` judges it by a `plan`.
//! - `visitor` asks for single pages, with the same manners.
//! - `store` keeps it: a file, or a database that several processes share; `frontier` is what they have in common. `engine` runs all
//!   of this.

pub mod address;
pub mod cookies;
mod digest;
mod engine;
mod failure;
mod fetch;
mod focus;
mod frontier;
pub mod guard;
mod hosts;
mod import;
mod links;
pub mod media;
mod plan;
pub mod robots;
mod scope;
mod sets;
pub mod simhash;
pub mod sitemap;
mod store;
pub mod traps;
pub mod unpack;
mod visitor;

pub use engine::{Config, CrawlError, Progress, Summary, crawl};
pub use failure::Failure;
pub use fetch::{
    Answer, Archive, FetchLimits, Files, Network, NetworkConfig, NetworkError, Source,
};
pub use focus::Strategy;
pub use frontier::Keep;
pub use hosts::Politeness;
pub use import::import;
pub use links::{Link, heading, links, title};
pub use plan::{Plan, PlanError};
pub use scope::Reach;
pub use store::{Counts, PageRow, Pages, SharedStore, Store, StoreError, pages};
pub use traps::Limits;
pub use visitor::{VisitError, Visited, Visitor, agent};
