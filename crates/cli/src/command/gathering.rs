//! The network that the pages of a store are made into, as a plan says.

use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::talk;
use anyhow::{Context, Result};
use pagemill::crawl::{self, Plan};
use pagemill::gather::{Recipe, gather};
use pagemill::network::{Answer, AnswerValue, Network};
use std::ops::ControlFlow;
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

/// Make the network of a store's pages: in the same store, or elsewhere.
pub(super) fn run(pages: &str, network: &str, recipe: &Recipe) -> Result<()> {
    let progress = Progress::pages("reading");
    let mut store = crawl::pages(pages)?;
    let mut network = Network::open(network)?;
    let name = network.store().to_owned();
    network.define(&schema(&recipe.schema)?)?;
    let config = pagemill::regions::Config::default();
    let gathered = gather(store.as_mut(), &mut network, recipe, &config, |_| {
        progress.advance();
        ControlFlow::Continue(())
    })?;
    network.analyze()?;
    drop(progress);
    let roles = match gathered.roles {
        0 => String::new(),
        n => format!(", with {n} roles"),
    };
    talk::say(format_args!(
        "the network in {name} has {}{roles}; {} things are in doubt",
        classes(&mut network)?,
        gathered.doubts
    ));
    if gathered.gone_facts > 0 {
        talk::say(format_args!("{} facts are said by no page any more", gathered.gone_facts));
    }
    talk::say(format_args!("look at it with: pagemill network {name} draw -o network.svg"));
    Ok(())
}

/// How many objects there are of each class: `1 Shop, 5 Category, 70 Product`.
fn classes(network: &mut Network) -> Result<String> {
    let Answer::Table(table) = network.query(super::network::BY_CLASS)? else {
        return Ok(String::new());
    };
    let text = |row: &Vec<AnswerValue>| {
        row.iter().rev().map(AnswerValue::text).collect::<Vec<_>>().join(" ")
    };
    Ok(table.rows.iter().map(text).collect::<Vec<_>>().join(", "))
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
