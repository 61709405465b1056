//! `cargo xtask bench`: speed, against yardsticks in the same run.

use crate::shell::{data, root, run, run_with};
use anyhow::Result;
use clap::Subcommand;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub(crate) enum Room {
    /// Bytes to leaves, in MB/s
    Page,
    /// Pages to schema, in ms a page, and how that grows with pages and leaves
    Learn,
}

pub(crate) fn run_bench(room: &Room) -> Result<()> {
    match room {
        Room::Page => page(),
        Room::Learn => learn(),
    }
}

/// On real pages where there are any, else on the corpus.
fn page() -> Result<()> {
    let folders: Vec<PathBuf> = match data()? {
        Some(data) => ["swde", "list", "news"].iter().map(|suite| data.join(suite)).collect(),
        None => vec![root().join("corpus")],
    };
    let folders: Vec<String> =
        folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let bench =
        ["bench", "--package", "pagemill-page", "--bench", "page", "--features", "reference", "--"];
    run("cargo", &[&bench[..], &folders].concat())?;
    lexbor(&folders)
}

/// On real sites where there are any, and on pages made for it.
fn learn() -> Result<()> {
    let bench = ["bench", "--package", "pagemill-wrapper", "--bench", "learn", "--"];
    let Some(data) = data()? else {
        eprintln!("no ../shared beside the project: the sites are left out");
        return run("cargo", &bench);
    };
    let sites = data.join("swde");
    run("cargo", &[&bench[..], &[&sites.to_string_lossy()]].concat())
}

/// The C parser, through its Python package; left out, and said so, where that cannot be had.
fn lexbor(folders: &[&str]) -> Result<()> {
    let Some(python) = python_with("selectolax==0.4.*") else {
        println!("lexbor: left out, no Python package to be had");
        return Ok(());
    };
    let script = root().join("crates/page/benches/lexbor.py");
    let script = script.to_string_lossy();
    run_with(&python.to_string_lossy(), &[&[&*script], folders].concat(), &[])
}

/// A Python that has the package, in an environment below `target/`.
fn python_with(package: &str) -> Option<PathBuf> {
    let environment = root().join("target/bench-python");
    let python = environment.join("bin/python");
    if !Path::new(&python).exists() {
        run("python3", &["-m", "venv", &environment.to_string_lossy()]).ok()?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package];
    run(&python.to_string_lossy(), &pip).ok()?;
    Some(python)
}
