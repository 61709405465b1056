//! A site: pages to learn from, and others.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// How many pages a wrapper is learnt from; of a small site half of its pages.
const N_LEARNT: usize = 10;

/// The pages of a detail site, in memory.
pub(crate) struct Site {
    pub(crate) folder: PathBuf,
    /// Evenly spaced.
    pub(crate) learnt: Vec<File>,
    pub(crate) others: Vec<File>,
}

pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Site {
    fn read(folder: PathBuf) -> io::Result<Site> {
        let mut files = Vec::new();
        for path in entries(&folder.join("pages"))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".htm") || name.ends_with(".html") {
                files.push(File { name, bytes: fs::read(&path)? });
            }
        }
        let step = files.len().div_ceil(N_LEARNT.min(files.len() / 2).max(1));
        let (mut learnt, mut others) = (Vec::new(), Vec::new());
        for (index, file) in files.into_iter().enumerate() {
            if index % step == 0 { &mut learnt } else { &mut others }.push(file);
        }
        Ok(Site { folder, learnt, others })
    }

    pub(crate) fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The detail sites below a folder, one read after the other.
pub(crate) fn sites(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<Site>>> {
    let mut found = Vec::new();
    find(folder, &mut found)?;
    Ok(found.into_iter().map(Site::read))
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.join("pages").is_dir() {
        if is_detail(folder)? {
            found.push(folder.to_owned());
        }
        return Ok(());
    }
    entries(folder)?.iter().filter(|entry| entry.is_dir()).try_for_each(|entry| find(entry, found))
}

fn is_detail(site: &Path) -> io::Result<bool> {
    let meta: Value = serde_json::from_slice(&fs::read(site.join("meta.json"))?)?;
    Ok(meta["kind"] == "detail")
}

/// What is in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
