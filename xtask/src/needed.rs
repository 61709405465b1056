//! What tests need that is no crate: a PostgreSQL server, other people's readers of what we write, and a browser for the studio.

use crate::python;
use crate::shell::run;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// Readers of Turtle, GraphML and CSV.
const READERS: [&str; 3] = ["rdflib==7.1.4", "networkx==3.4.2", "duckdb==1.3.2"];

pub(crate) fn install() -> Result<()> {
    postgres()?;
    browser()?;
    let failed =
        "cannot install what reads exported networks; the tests need Python 3 with venv and pip";
    python::with("test-python", &READERS).context(failed)?;
    Ok(())
}

/// The server only: tests start one of their own, in a folder of theirs.
fn postgres() -> Result<()> {
    if has_postgres() {
        return Ok(());
    }
    apt("postgresql", "a PostgreSQL server, with initdb and postgres on the PATH")
}

/// Chromium, and Node to tell it what to do.
fn browser() -> Result<()> {
    if !has("node") {
        apt("nodejs", "Node")?;
    }
    if !has("npm") {
        apt("npm", "npm")?;
    }
    if !has("chromium") && !has("chromium-browser") && std::env::var_os("CHROMIUM").is_none() {
        apt("chromium", "Chromium")?;
    }
    Ok(())
}

fn has(program: &str) -> bool {
    on_path().iter().any(|folder| folder.join(program).exists())
}

/// Install a package of the system, where that can be done.
fn apt(package: &str, what: &str) -> Result<()> {
    if !has("apt-get") {
        bail!("the tests need {what}: install it");
    }
    let install = ["install", "--yes", "--no-install-recommends", package];
    run("apt-get", &install)
        .or_else(|_| run("apt-get", &["update"]).and_then(|()| run("apt-get", &install)))
        .with_context(|| {
            format!(
                "cannot install {what}, which the tests need: run apt-get install {package} as root"
            )
        })
}

fn has_postgres() -> bool {
    // Debian keeps its programs apart from the others.
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders = on_path();
    folders.extend(versions.map(|version| version.path().join("bin")));
    folders.iter().any(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

fn on_path() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}
