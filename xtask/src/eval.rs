//! `cargo xtask eval`: what the engine reaches on data that is not part of the project, and the floors
//! below which it must not fall.

mod conformance;

use crate::shell::shared;
use anyhow::{Context, Result};
use clap::Subcommand;

#[derive(Subcommand, Clone, Copy)]
pub(crate) enum Suite {
    /// The html5lib tests: tree construction and encodings
    Conformance,
}

/// One suite, or all.
pub(crate) fn run(suite: Option<Suite>) -> Result<()> {
    let shared = shared().context("no benchmark data: expected a folder ../shared")?;
    match suite {
        Some(Suite::Conformance) | None => conformance::run(&shared),
    }
}
