//! `cargo xtask eval render`: does the renderer get through the web, and does it see what a browser sees?
//!
//! The work is done by an example of the renderer's crate: its engine takes minutes to build, and other tasks do not need
//! it.

use crate::shell::{root, run as shell};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(Args, Default)]
pub(crate) struct Flags {
    /// Render all pages, not each twentieth
    #[arg(long)]
    all: bool,
    /// Compare with the browser on this many pages [default: 20]
    #[arg(long, value_name = "N")]
    compared: Option<usize>,
    /// Show each page that was not rendered, and each that was compared
    #[arg(long, short)]
    verbose: bool,
}

pub(crate) fn run(flags: &Flags, data: &Path) -> Result<()> {
    let news = data.join("news");
    let news = news.to_string_lossy();
    let compared = flags.compared.map(|n_pages| format!("--compared={n_pages}"));
    // With all that tests are built with, so that what they have built is used: with other targets other features are on,
    // and the engine would be built again.
    shell("cargo", &["test", "--workspace", "--lib", "--bins", "--examples", "--no-run"])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into());
    let survey = root().join(target).join("debug/examples/survey");
    let mut args = vec![&*news];
    args.extend(flags.all.then_some("--all"));
    args.extend(flags.verbose.then_some("--verbose"));
    args.extend(compared.as_deref());
    let mut command = Command::new(&survey);
    // In builds with checks the engine says much there.
    let status = command.args(&args).stderr(Stdio::null()).status();
    let status = status.with_context(|| format!("cannot run {survey:?}"))?;
    ensure!(status.success(), "the renderer is not what it must be");
    Ok(())
}
