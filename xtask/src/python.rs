//! Pythons of our own, with the packages that benches and tests ask for.

use crate::shell::{root, run, run_with};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// A Python that has some packages, in an environment below `target/`.
pub(crate) fn with(environment: &str, packages: &[&str]) -> Result<PathBuf> {
    let environment = root().join("target").join(environment);
    let python = environment.join("bin/python");
    if !python.exists() {
        run("python3", &["-m", "venv", &environment.to_string_lossy()])?;
    }
    install(&python, packages, &[])?;
    Ok(python)
}

pub(crate) fn install(python: &Path, what: &[&str], env: &[(&str, &str)]) -> Result<()> {
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run_with(&python.to_string_lossy(), &[&pip[..], what].concat(), env)
}
