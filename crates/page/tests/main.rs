//! The page room from outside.

/// Laws that hold for any bytes, shared with the fuzz targets.
mod laws;

/// The laws, on every page of the corpus and every stored fuzz input.
mod corpus;

/// What the leaves of odd pages are, to the letter.
mod golden;

/// Leaves without a tree.
mod skim;

/// Addresses, as others read them.
mod address;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder that a test wants, sorted.
fn files(folder: &Path, wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).expect("the folder is part of the project");
    for path in entries.map(|entry| entry.expect("the folder is readable").path()) {
        if path.is_dir() {
            found.extend(files(&path, wanted));
        } else if wanted(&path) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "html")
}

/// Every page of the corpus, with its bytes.
fn corpus_pages() -> Vec<(PathBuf, Vec<u8>)> {
    let pages = files(&root().join("corpus"), is_page);
    assert!(pages.len() > 200, "the corpus is there");
    pages.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("readable"))).collect()
}
