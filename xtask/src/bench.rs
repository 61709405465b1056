//! `cargo xtask bench`: speed, against yardsticks in the same run.

use crate::package::{self, Build};
use crate::python;
use crate::shell::{data, root, run, run_with};
use anyhow::{Context as _, Result};
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Room {
    /// Bytes to leaves, in MB/s
    Page,
    /// Pages to schema, in ms a page, and how that grows with pages and leaves
    Learn,
    /// Wrapper and pages to records: beside parsing, parsel and Scrapely, and by two cores
    Extract,
    /// Model and pages to values, beside parsing
    Annotate,
    /// People, units and record sets of single pages, beside parsing
    Regions,
    /// How much memory extraction takes for 100,000 pages
    Memory,
    /// Extraction through Python and Arrow, beside the command; and whether another thread of Python gets on meanwhile
    Python,
    /// A million objects and three million facts into SQLite, and queries on them
    Network,
}

pub(crate) fn run_bench(room: &Room) -> Result<()> {
    match room {
        Room::Page => page(),
        Room::Learn => learn(),
        Room::Extract => extract(),
        Room::Annotate => annotate(),
        Room::Regions => regions(),
        Room::Memory => run("cargo", &["bench", "--package", "pagemill-cli", "--bench", "memory"]),
        Room::Python => python_package(),
        Room::Network => {
            run("cargo", &["bench", "--package", "pagemill-network", "--bench", "network"])
        }
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

/// On real detail sites where there are any, else on the corpus.
fn extract() -> Result<()> {
    let sites = match data()? {
        Some(data) => data.join("swde"),
        None => {
            println!("no ../shared beside the project: only the corpus is measured");
            root().join("corpus")
        }
    };
    let sites = sites.to_string_lossy();
    let bench = ["bench", "--package", "pagemill", "--bench", "extract", "--", &*sites];
    let peer = |installed: Option<PathBuf>, name: &str| {
        if installed.is_none() {
            println!("{name}: left out, no Python package to be had");
        }
        installed
    };
    let parsel = peer(python_with(&["parsel==1.9.1", "lxml==6.1.3", "w3lib==1.22.0"]), "parsel");
    let scrapely = peer(python_with_scrapely(), "Scrapely");
    match parsel.or(scrapely) {
        Some(python) => {
            let python = format!("--python={}", python.to_string_lossy());
            run("cargo", &[&bench[..], &[&*python]].concat())
        }
        None => run("cargo", &bench),
    }
}

/// On articles with gold, which are not part of the project.
fn annotate() -> Result<()> {
    let data = data()?.context("no ../shared beside the project, and so no articles to measure")?;
    let sets = data.join("news");
    let bench = ["bench", "--package", "pagemill-annotate", "--bench", "annotate", "--"];
    run("cargo", &[&bench[..], &[&sets.to_string_lossy()]].concat())
}

/// On real lists and faculty pages where there are any, else on the corpus; and on pages made for it.
fn regions() -> Result<()> {
    let folders: Vec<PathBuf> = match data()? {
        Some(data) => vec![data.join("list"), data.join("uni/faculty-pages")],
        None => vec![root().join("corpus/bookshop"), root().join("corpus/university")],
    };
    let folders: Vec<String> =
        folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let bench = ["bench", "--package", "pagemill-regions", "--bench", "regions"];
    run("cargo", &[&bench[..], &["--features", "reference", "--"], &folders].concat())
}

/// Ten thousand real pages in web archives, where there are any; else pages that are made.
fn python_package() -> Result<()> {
    let package = package::put_together(Build::Release)?;
    let python = python::with("bench-package", &["pyarrow==26.0.1"])?;
    let script = root().join("python/benches/extract.py").to_string_lossy().into_owned();
    let binary = Build::Release.folder().join("pagemill").to_string_lossy().into_owned();
    let data = data()?.map(|data| data.join("swde").to_string_lossy().into_owned());
    let args: Vec<&str> = [&*script, &*binary].into_iter().chain(data.as_deref()).collect();
    run_with(&python.to_string_lossy(), &args, &[("PYTHONPATH", &package.to_string_lossy())])
}

/// The C parser, through its Python package; left out, and said so, where that cannot be had.
fn lexbor(folders: &[&str]) -> Result<()> {
    let Some(python) = python_with(&["selectolax==0.4.*"]) else {
        println!("lexbor: left out, no Python package to be had");
        return Ok(());
    };
    let script = root().join("crates/page/benches/lexbor.py");
    let script = script.to_string_lossy();
    run_with(&python.to_string_lossy(), &[&[&*script], folders].concat(), &[])
}

/// Of 2018, and never built for a Python of today: the C in its package knows Pythons up to 3.8, so its parts in Cython
/// are translated again, which it has a switch for. In pure Python it would be slower.
fn python_with_scrapely() -> Option<PathBuf> {
    let needed =
        ["numpy==1.26.4", "six==1.17.0", "w3lib==1.22.0", "cython==0.29.37", "setuptools==68.2.2"];
    let python = python_with(&[&needed[..], &["wheel==0.45.1"]].concat())?;
    let scrapely = ["--no-build-isolation", "--no-deps", "scrapely==0.14.1"];
    python::install(&python, &scrapely, &[("CYTHONIZE", "1")]).ok()?;
    Some(python)
}

/// A Python that has some packages; none where they cannot be had.
fn python_with(packages: &[&str]) -> Option<PathBuf> {
    python::with("bench-python", packages).ok()
}
