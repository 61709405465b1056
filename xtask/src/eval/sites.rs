//! Finding benchmark sites, and making the gold for the pages that were taken of one.
//!
//! A site is a folder with `pages/`, `gold.jsonl` (a line a page) and `meta.json`.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A site and the pages taken of it.
pub(crate) struct Site {
    pub(crate) name: String,
    /// Files, sorted.
    pub(crate) pages: Vec<PathBuf>,
    /// The gold lines of these pages.
    gold: String,
    meta: PathBuf,
}

/// The sites in a suite's folder whose names contain one of `wanted` (all if it is empty), sorted, with the first
/// `n_pages` pages of each.
pub(crate) fn find(suite: &Path, wanted: &[String], n_pages: Option<usize>) -> Result<Vec<Site>> {
    let folders = folders(suite, wanted)?;
    folders.iter().map(|folder| Site::read(folder, n_pages.unwrap_or(usize::MAX))).collect()
}

/// The same, for suites that ask for no gold.
pub(crate) fn find_pages(
    suite: &Path,
    wanted: &[String],
    n_pages: Option<usize>,
) -> Result<Vec<Site>> {
    let site = |folder: &PathBuf| {
        let mut pages = entries(&folder.join("pages"))?;
        pages.truncate(n_pages.unwrap_or(usize::MAX));
        let (gold, meta) = (String::new(), folder.join("meta.json"));
        Ok(Site { name: name(folder), pages, gold, meta })
    };
    folders(suite, wanted)?.iter().map(site).collect()
}

fn folders(suite: &Path, wanted: &[String]) -> Result<Vec<PathBuf>> {
    let mut folders = entries(suite)?;
    folders.retain(|folder| folder.join("meta.json").is_file());
    for part in wanted {
        let known = folders.iter().any(|folder| name(folder).contains(part));
        ensure!(known, "no site in {suite:?} has {part:?} in its name");
    }
    folders.retain(|folder| {
        wanted.is_empty() || wanted.iter().any(|part| name(folder).contains(part))
    });
    ensure!(!folders.is_empty(), "no sites in {suite:?}");
    Ok(folders)
}

impl Site {
    /// Where its pages and gold are.
    pub(crate) fn folder(&self) -> &Path {
        self.meta.parent().unwrap_or(&self.meta)
    }

    pub(crate) fn read(folder: &Path, n_pages: usize) -> Result<Site> {
        let mut pages = entries(&folder.join("pages"))?;
        pages.truncate(n_pages);
        let file = folder.join("gold.jsonl");
        let gold = fs::read_to_string(&file).with_context(|| format!("cannot read {file:?}"))?;
        let names: Vec<String> = pages.iter().map(|page| name(page)).collect();
        let gold = gold_of(&gold, &names).with_context(|| format!("cannot read {file:?}"))?;
        Ok(Site { name: name(folder), pages, gold, meta: folder.join("meta.json") })
    }

    /// A site folder below `folder` as the referee wants it, with the gold of the pages whose names are wanted. It counts
    /// pages that have gold but no output as empty, so there must be no gold for pages that were not taken.
    pub(crate) fn write_gold(
        &self,
        folder: &Path,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<PathBuf> {
        let site = folder.join(&self.name);
        fs::create_dir_all(&site)?;
        let names: Vec<String> =
            self.pages.iter().map(|page| name(page)).filter(|name| is_wanted(name)).collect();
        fs::write(site.join("gold.jsonl"), gold_of(&self.gold, &names)?)?;
        fs::copy(&self.meta, site.join("meta.json"))?;
        Ok(site)
    }
}

/// The lines of a gold file about these pages.
fn gold_of(gold: &str, pages: &[String]) -> Result<String> {
    #[derive(Deserialize)]
    struct Line {
        page: String,
    }
    let mut kept = String::new();
    for line in gold.lines().filter(|line| !line.trim().is_empty()) {
        if pages.contains(&serde_json::from_str::<Line>(line)?.page) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    Ok(kept)
}

/// What tells this data from other data: counts, and a hash over names, gold and the pages' sizes.
pub(crate) fn digest(sites: &[Site]) -> Result<String> {
    let mut hash = Fnv::new();
    for site in sites {
        hash.add(site.name.as_bytes());
        hash.add(site.gold.as_bytes());
        for page in &site.pages {
            hash.add(name(page).as_bytes());
            hash.add(&fs::metadata(page)?.len().to_le_bytes());
        }
    }
    let n_pages: usize = sites.iter().map(|site| site.pages.len()).sum();
    Ok(format!("{} sites, {n_pages} pages, fnv {:016x}", sites.len(), hash.0))
}

/// FNV-1a, 64 bits: it has to notice changes, not withstand attacks, and stay the same for years.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What is in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = fs::read_dir(folder).with_context(|| format!("cannot read {folder:?}"))?;
    let mut paths = list.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A suite of the given sites, with three pages each.
    fn suite(names: &[&str]) -> tempfile::TempDir {
        let suite = tempfile::tempdir().unwrap();
        for name in names {
            let site = suite.path().join(name);
            fs::create_dir_all(site.join("pages")).unwrap();
            let mut gold = String::new();
            // Gold need not be in the order of the pages.
            for page in ["c.htm", "b.htm", "a.htm"] {
                fs::write(site.join("pages").join(page), page).unwrap();
                gold += &format!("{{\"page\": \"{page}\", \"values\": {{}}}}\n");
            }
            fs::write(site.join("gold.jsonl"), gold).unwrap();
            fs::write(site.join("meta.json"), "{\"kind\": \"detail\"}").unwrap();
        }
        fs::write(suite.path().join(".complete"), "").unwrap();
        suite
    }

    #[test]
    fn takes_the_first_pages_and_their_gold() {
        let suite = suite(&["two", "one"]);
        let sites = find(suite.path(), &[], Some(2)).unwrap();
        assert_eq!(sites.iter().map(|site| &site.name).collect::<Vec<_>>(), ["one", "two"]);
        let pages: Vec<String> = sites[0].pages.iter().map(|page| name(page)).collect();
        assert_eq!(pages, ["a.htm", "b.htm"]);
        let out = tempfile::tempdir().unwrap();
        let site = sites[0].write_gold(out.path(), |page| page != "a.htm").unwrap();
        let gold = fs::read_to_string(site.join("gold.jsonl")).unwrap();
        assert_eq!(gold, "{\"page\": \"b.htm\", \"values\": {}}\n");
        assert!(site.join("meta.json").is_file());
    }

    #[test]
    fn sites_are_chosen_by_part_of_name() {
        let suite = suite(&["auto-aol", "auto-msn", "book-abe"]);
        let found = |wanted: &str| find(suite.path(), &[wanted.to_owned()], None);
        assert_eq!(found("auto").unwrap().len(), 2);
        assert_eq!(found("auto").unwrap()[0].pages.len(), 3);
        assert!(found("car").is_err());
    }

    #[test]
    fn digest_notices_changed_pages_and_gold() {
        let suite = suite(&["one"]);
        let now = |n_pages| digest(&find(suite.path(), &[], n_pages).unwrap()).unwrap();
        let whole = now(None);
        assert!(whole.starts_with("1 sites, 3 pages, fnv "));
        assert_eq!(whole, now(None));
        assert_ne!(whole, now(Some(2)));
        fs::write(suite.path().join("one/pages/a.htm"), "longer").unwrap();
        assert_ne!(whole, now(None));
    }
}
