//! The network that the pages of a store are made into, as a plan says.

use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::talk;
use anyhow::{Context, Result};
use pagemill::crawl::{Plan, Store};
use pagemill::gather::{Recipe, gather};
use pagemill::network::Network;
use std::path::Path;

/// What a plan says of the network; wrong usage if that cannot be followed.
pub(super) fn recipe(plan: &Plan) -> Result<Option<Recipe>, Exit> {
    Recipe::of(plan).map_err(|error| {
        talk::say(error);
        Exit::Usage
    })
}

/// A store's file as the name of a network.
pub(super) fn name(path: &Path) -> Result<&str> {
    path.to_str().context("the store's name is not Unicode")
}

/// Make the network of a store's pages: in the same file, or elsewhere.
pub(super) fn run(pages: &Path, network: &str, recipe: &Recipe) -> Result<()> {
    let progress = Progress::pages("reading");
    let store = Store::read(pages)?;
    let mut network = Network::open(network)?;
    let name = network.store().to_owned();
    network.define(&schema(&recipe.schema)?)?;
    let config = pagemill::regions::Config::default();
    let gathered = gather(&store, &mut network, recipe, &config, |_| progress.advance())?;
    network.analyze()?;
    drop(progress);
    talk::say(format_args!(
        "the network in {name} has {} units and {} people with {} roles; {} things are in doubt",
        gathered.parts, gathered.players, gathered.roles, gathered.doubts
    ));
    talk::say(format_args!("look at it with: pagemill network {name} draw -o network.svg"));
    Ok(())
}

/// The text of a schema that is built in, or in a file.
fn schema(name: &str) -> Result<String> {
    match pagemill::network::built_in(name) {
        Some(text) => Ok(text.to_owned()),
        None => std::fs::read_to_string(name).with_context(|| {
            let known = pagemill::network::built_in_names().join(" and ");
            format!("cannot read the schema {name:?}; {known} are built in")
        }),
    }
}
