//! From the pages of a crawl to a network of what they speak of.
//!
//! A store of pages and a plan go in. The plan's part `[network]` (`recipe`) says which kinds of pages give which classes and roles;
//! `evidence` reads units and people off them, by [`regions`]. `records` reads what pages list, or are about: pages of one
//! `template` are learnt together, a `mapping` says which of their columns are which properties, and a page that is like no other is
//! read by itself. [`network::merge`] makes one object of all that is about one thing; `apply` writes it with where each fact was
//! read. All of it is one transaction, made from what is stored: however a crawl ended, the same pages give the same network.

mod apply;
mod evidence;
mod mapping;
mod recipe;
mod records;
mod stored;
mod template;

pub use apply::Gathered;
pub use recipe::{ClassWords, Gives, ObjectWords, Recipe, RecipeError};

use crawl::{Pages, StoreError};
use network::{Network, merge};
use page::{Leaves, Page};
use regions::Person;
use std::ops::ControlFlow;
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
    /// The plan does not fit the schema.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// Whoever watches wanted it to end; the network is as it was.
    #[error("stopped: the network is as it was")]
    Stopped,
    /// There are no pages.
    #[error("there are no pages in the store; crawl some first")]
    Empty,
}

/// How people are found on a page.
pub type FindPeople = dyn Fn(&Page, &Leaves, &regions::Config) -> Vec<Person>;

/// Read all pages of a store, and write what they say into a network. `watch` is told how many pages were read, and may end it: after
/// each, and once more before it is final.
pub fn gather(
    store: &mut dyn Pages,
    network: &mut Network,
    recipe: &Recipe,
    config: &regions::Config,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Gathered, GatherError> {
    gather_people_by(store, network, recipe, config, &regions::people_in, watch)
}

/// The same with people found in another way, all else being equal: to compare ways to find them.
pub fn gather_people_by(
    store: &mut dyn Pages,
    network: &mut Network,
    recipe: &Recipe,
    config: &regions::Config,
    people: &FindPeople,
    mut watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Gathered, GatherError> {
    recipe.check(network.schema())?;
    let (evidence, pages) = evidence::read(store, recipe, (config, people), &mut watch)?;
    if pages.is_empty() {
        return Err(GatherError::Empty);
    }
    let schema = network.schema();
    let merged = merge::merge(&evidence, &recipe.rules(apply::nesting(schema)));
    let mentions = match recipe.has_things() {
        true => records::read(store, recipe, schema, &evidence.root, &mut watch)?,
        false => Vec::new(),
    };
    let things = merge::things(&mentions, &recipe.thing_rules(schema));
    let pages: Vec<(&str, i64)> = pages.iter().map(|(page, at)| (page.as_str(), *at)).collect();
    let n_pages = pages.len() as u64;
    let is_final = || watch(n_pages).is_continue();
    apply::write(network, recipe, &merged, &things, &pages, is_final)
}

/// Who is told how many pages were read, and says whether to go on.
type Watch<'w> = dyn FnMut(u64) -> ControlFlow<()> + 'w;

fn go_on(watch: &mut Watch<'_>, n_read: u64) -> Result<(), GatherError> {
    match watch(n_read) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(GatherError::Stopped),
    }
}
