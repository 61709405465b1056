//! Learning from outside: what comes of pages.

/// Small pages, each with one point.
mod snippets;

/// Whole sites of the corpus, to the letter.
mod golden;

/// What holds for any pages.
mod laws;

/// Pages that are large, broken or made to hurt.
mod robust;

/// Wrappers as files: the same afterwards, readable for years, harmless from strangers.
mod file;

/// The method of the UWIDE paper: small pages, and what holds for any.
mod uwide;

/// What people change of wrappers, and names by example.
mod edit;

/// New pages under old names.
mod repair;

/// Wrappers at work.
mod extract;

/// Learning from few of many pages.
mod active;

/// Where values come from, and what does not fit, with its parts.
mod trace;

/// Values that fit and make no sense.
mod warn;

use page::Page;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use wrapper::{LearnConfig, Learnt};

fn parse(html: &str) -> Page {
    page::parse(html.as_bytes())
}

fn learn(pages: &[&str]) -> Learnt {
    let pages = pages.iter().map(|html| parse(html)).collect();
    wrapper::learn(pages, &LearnConfig::default()).expect("there is something to learn")
}

/// The schema, then the data of each page.
fn shown(learnt: &Learnt) -> String {
    let mut out = learnt.schema().to_string();
    for data in learnt.data.iter().flatten() {
        let data = serde_json::to_string(data).expect("plain data");
        let _ = writeln!(out, "{data}");
    }
    out
}

/// The pages of a folder of the corpus, by name.
fn corpus(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is part of the project");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "html");
    let mut paths: Vec<PathBuf> = paths.filter(is_page).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("readable"))).collect()
}
