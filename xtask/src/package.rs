//! The Python package: put together from what the workspace builds, and tested.
//!
//! `pip install ./python` builds a release of everything. Here the extension comes from the same build as all other tests, so that
//! hardly anything is compiled for it.

use crate::python;
use crate::shell::{root, run, run_with};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// What the package's tests need: those who take its tables, Scrapy, and who checks types and runs notebooks.
const TESTED_WITH: [&str; 10] = [
    "pytest==9.2.0",
    "pyarrow==26.0.1",
    "pandas==3.1.1",
    "polars==2.1.0",
    "duckdb==2.0.0",
    "scrapy==2.19.0",
    "mypy==2.4.1",
    "nbclient==0.11.0",
    "ipykernel==7.4.0",
    "moto[server]==5.2.5", // speaks S3
];

/// Which build an extension comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Build {
    /// That of the tests, with all features.
    Tests,
    /// What users run.
    Release,
}

/// Run the package's tests, by the interpreter that all of them share.
pub(crate) fn test() -> Result<()> {
    let python = python::with("package-python", &TESTED_WITH)
        .context("cannot install what the Python package is tested with")?;
    let package = put_together(Build::Tests)?;
    let binary = Build::Tests.folder().join("pagemill");
    let env = [
        ("PYTHONPATH", &*package.to_string_lossy()),
        ("PAGEMILL_BINARY", &*binary.to_string_lossy()),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ];
    let tests = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "python/tests"];
    run_with(&python.to_string_lossy(), &tests, &env)
}

/// Build the extension, and put it beside the package's files: the folder that Python finds the package in.
pub(crate) fn put_together(build: Build) -> Result<PathBuf> {
    match build {
        // With the features of all others, so that what they are built from is this extension's, too.
        Build::Tests => {
            run("cargo", &["build", "--workspace", "--all-features", "--lib", "--bins"])?
        }
        Build::Release => {
            let packages = ["--package", "pagemill-cli", "--package", "pagemill-python"];
            run("cargo", &[&["build", "--release"][..], &packages].concat())?;
        }
    }
    let name = match build {
        Build::Tests => "python-tests",
        Build::Release => "python-release",
    };
    let folder = target().join(name);
    let package = folder.join("pagemill");
    fs::create_dir_all(&package).with_context(|| format!("cannot make {package:?}"))?;
    for file in fs::read_dir(root().join("python/pagemill"))?.flatten() {
        if file.file_type()?.is_file() {
            copy(&file.path(), &package.join(file.file_name()))?;
        }
    }
    copy(&build.folder().join("lib_native.so"), &package.join("_native.abi3.so"))?;
    Ok(folder)
}

impl Build {
    /// Where its files are.
    pub(crate) fn folder(self) -> PathBuf {
        target().join(match self {
            Build::Tests => "debug",
            Build::Release => "release",
        })
    }
}

pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()))
}

/// Under another name first: a process that has the old one loaded keeps it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let new = to.with_extension("new");
    fs::copy(from, &new).with_context(|| format!("cannot copy {from:?}"))?;
    fs::rename(&new, to).with_context(|| format!("cannot write {to:?}"))
}
