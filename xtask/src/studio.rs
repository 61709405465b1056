//! `cargo xtask studio`: builds the studio's front end, and tries all of it in a real browser.

use crate::shell::{root, run_with};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub(crate) struct Flags {
    /// Check that the built files are current, and run the tests in a browser
    #[arg(long)]
    test: bool,

    /// Keep pictures of what the tests see
    #[arg(long, value_name = "FOLDER", requires = "test")]
    pictures: Option<PathBuf>,

    /// Run only these tests: walk, label, table, network, hostile
    #[arg(requires = "test")]
    parts: Vec<String>,
}

/// What is built in.
const FILES: [&str; 3] = ["index.html", "studio.css", "studio.js"];

/// The bundler asks for this much of Node; the tests for less.
const NODE: (u32, u32) = (20, 19);

pub(crate) fn run(flags: &Flags) -> Result<()> {
    packages()?;
    match flags.test {
        true => {
            is_current()?;
            in_browser(flags)
        }
        false => npm(&["run", "build"]),
    }
}

/// As part of `cargo xtask test`, when the binary is built.
pub(crate) fn test() -> Result<()> {
    run(&Flags { test: true, pictures: None, parts: Vec::new() })
}

fn web() -> PathBuf {
    root().join("crates/studio/web")
}

fn npm(args: &[&str]) -> Result<()> {
    let web = web().to_string_lossy().into_owned();
    let all = [&["--prefix", &web], args].concat();
    run_with("npm", &all, &[]).context("the studio's front end needs Node and npm")
}

/// The exact packages of the lock file; what is there already is not fetched again.
fn packages() -> Result<()> {
    let installed = web().join("node_modules/.package-lock.json");
    let age = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    if age(&installed) >= age(&web().join("package-lock.json")) && installed.exists() {
        return Ok(());
    }
    // Not `ci`: it refuses a lock file that lacks what is only for other systems.
    npm(&["install", "--no-save", "--no-audit", "--no-fund"])
}

/// What is checked in must be what the sources give.
fn is_current() -> Result<()> {
    if node_version()? < NODE {
        eprintln!(
            "Node is older than {}.{}: whether the front end is current is not checked",
            NODE.0, NODE.1
        );
        return Ok(());
    }
    let fresh = root().join("target/studio");
    npm(&["run", "build", "--", "--outDir", &fresh.to_string_lossy()])?;
    for file in FILES {
        let read = |folder: &Path| {
            let path = folder.join(file);
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let is_same = read(&fresh)? == read(&root().join("crates/studio/dist"))?;
        ensure!(
            is_same,
            "crates/studio/dist/{file} is not what web/ gives: run cargo xtask studio"
        );
    }
    Ok(())
}

fn node_version() -> Result<(u32, u32)> {
    let said =
        Command::new("node").arg("--version").output().context("the studio's tests need Node")?;
    let said = String::from_utf8_lossy(&said.stdout);
    let mut numbers = said.trim().trim_start_matches('v').split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok((major, minor)),
        _ => bail!("node --version says {said:?}"),
    }
}

/// With the binary that the tests built.
fn in_browser(flags: &Flags) -> Result<()> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let binary = target.join("debug/pagemill");
    if !binary.exists() {
        run_with("cargo", &["build", "-p", "pagemill-cli"], &[])?;
    }
    let script = web().join("e2e/run.mjs").to_string_lossy().into_owned();
    let pictures = flags.pictures.as_ref().map(|it| it.to_string_lossy().into_owned());
    let mut args = vec![script.as_str()];
    args.extend(flags.parts.iter().map(String::as_str));
    args.extend(pictures.iter().flat_map(|folder| ["--pictures", folder]));
    run_with("node", &args, &[("PAGEMILL", &binary.to_string_lossy())])
}
