//! From the pages of a crawl to a network of what they speak of.
//!
//! A store of pages and a plan go in. The plan's part `[network]` (`recipe`) says which kinds of pages give which classes and roles;
//! `evidence` reads the pages, by [`regions`]; [`network::merge`] makes one object of all that is about one thing; `apply` writes it
//! with where each fact was read. All of it is one transaction, made from what is stored: however a crawl ended, the same
//! pages give the same network.

mod apply;
mod evidence;
mod recipe;

pub use apply::Gathered;
pub use recipe::{ClassWords, Gives, Recipe, RecipeError};

use crawl::{Store, StoreError};
use network::{Network, merge};
use thiserror::Error;

/// Why there is no network.
#[derive(Debug, Error)]
pub enum GatherError {
    /// The pages.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network.
    #[error(transparent)]
    Network(#[from] network::Error),
    /// The plan names a class that the schema does not have.
    #[error("the plan speaks of the class {0:?}, which the schema does not have")]
    Class(String),
    /// There are no pages.
    #[error("there are no pages in the store; crawl some first")]
    Empty,
}

/// Read all pages of a store, and write what they say into a network. `watch` is told how many pages were read.
pub fn gather(
    store: &Store,
    network: &mut Network,
    recipe: &Recipe,
    config: &regions::Config,
    mut watch: impl FnMut(u64),
) -> Result<Gathered, GatherError> {
    let evidence = evidence::read(store, recipe, config, &mut watch)?;
    let Some(since) = evidence.pages.iter().map(|page| page.at).min() else {
        return Err(GatherError::Empty);
    };
    let rules = recipe.rules(apply::nesting(network.schema()));
    let merged = merge::merge(&evidence, &rules);
    let pages: Vec<&str> = evidence.pages.iter().map(|page| page.url.as_str()).collect();
    apply::write(network, &merged, &pages, since)
}
