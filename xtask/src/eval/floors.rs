//! Floors: the means that a suite must reach, in `eval/floors.toml`, with a digest of the data that they were measured on;
//! and beside them, in `eval/scores.toml`, each site's score, to say where a mean was lost.

use super::report::{self, Results};
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How far a mean may fall below its floor: a site or two that moved by a value, not a trend.
const TOLERANCE: f64 = 0.002;

const FLOORS: &str = "floors.toml";
const SCORES: &str = "scores.toml";

const FLOORS_HEAD: &str = "\
# Means over the sites of each suite; `cargo xtask eval` fails below them. `data` tells the pages they were measured on.
# Written by `cargo xtask eval SUITE --pin`, which lowers a floor only with --lower.
";
const SCORES_HEAD: &str = "\
# The score of each site when the floors were pinned: not a floor, but where to look when a mean falls below one.
# Written by `cargo xtask eval SUITE --pin`.
";

/// What is pinned, by suite.
pub(crate) struct Pins {
    folder: PathBuf,
    floors: BTreeMap<String, Floor>,
    scores: BTreeMap<String, BTreeMap<String, f64>>,
}

/// A suite's floors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Floor {
    #[serde(flatten)]
    means: BTreeMap<String, f64>,
    data: String,
}

impl Pins {
    /// The pins of the project.
    pub(crate) fn read() -> Result<Pins> {
        Pins::read_in(&root().join("eval"))
    }

    fn read_in(folder: &Path) -> Result<Pins> {
        let floors = read_toml(&folder.join(FLOORS))?;
        let scores = read_toml(&folder.join(SCORES))?;
        Ok(Pins { folder: folder.to_owned(), floors, scores })
    }

    /// Does this suite have floors?
    pub(crate) fn has(&self, suite: &str) -> bool {
        self.floors.contains_key(suite)
    }

    /// Fail if a mean fell below its floor, and say which sites lost it.
    pub(crate) fn check(&self, results: &Results) -> Result<()> {
        let suite = &results.suite;
        let Some(floor) = self.floors.get(suite) else {
            println!("no floor for {suite} yet: `cargo xtask eval {suite} --pin` makes this one");
            return Ok(());
        };
        ensure!(
            floor.data == results.data,
            "the floors of {suite} were measured on other data ({}, now {}): look at the scores, then --pin",
            floor.data,
            results.data
        );
        if let Some(scores) = self.scores.get(suite) {
            print!("{}", report::losses(scores, &results.scores()));
        }
        let fallen = floor.fallen(&results.means, TOLERANCE);
        ensure!(fallen.is_empty(), "{suite} fell below its floor: {}", fallen.join(", "));
        println!("{suite}: above its floor");
        Ok(())
    }

    /// Make these results the floors, and write both files. Neither is written if that lowered a floor and `lower` is
    /// not set.
    pub(crate) fn pin(mut self, results: &Results, lower: bool) -> Result<()> {
        let suite = &results.suite;
        let means = rounded(&results.means);
        if let Some(floor) = self.floors.get(suite) {
            let lowered = floor.fallen(&means, 0.0);
            let allowed = lower || lowered.is_empty();
            ensure!(
                allowed,
                "not pinned, as it would lower {suite} without --lower: {}",
                lowered.join(", ")
            );
        }
        self.floors.insert(suite.clone(), Floor { means, data: results.data.clone() });
        self.scores.insert(suite.clone(), rounded(&results.scores()));
        write_toml(&self.folder.join(FLOORS), FLOORS_HEAD, &self.floors)?;
        write_toml(&self.folder.join(SCORES), SCORES_HEAD, &self.scores)?;
        println!("{suite}: pinned");
        Ok(())
    }
}

impl Floor {
    /// The means that are below their floors by more than `tolerance`, or not there at all.
    fn fallen(&self, means: &BTreeMap<String, f64>, tolerance: f64) -> Vec<String> {
        let mean = |name: &str| means.get(name).copied().unwrap_or(0.0);
        self.means
            .iter()
            .filter(|(name, floor)| mean(name) < *floor - tolerance)
            .map(|(name, floor)| format!("{name} {:.4} where {floor:.4} was pinned", mean(name)))
            .collect()
    }
}

/// To four digits: more would say more than the gold can.
fn rounded(values: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    values.iter().map(|(name, value)| (name.clone(), (value * 1e4).round() / 1e4)).collect()
}

/// What a file holds; nothing, if there is none.
fn read_toml<T: DeserializeOwned + Default>(file: &Path) -> Result<T> {
    if !file.exists() {
        return Ok(T::default());
    }
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {file:?}"))?;
    toml::from_str(&text).with_context(|| format!("cannot read {file:?}"))
}

fn write_toml(file: &Path, head: &str, content: &impl Serialize) -> Result<()> {
    let text = format!("{head}\n{}", toml::to_string(content)?);
    fs::write(file, text).with_context(|| format!("cannot write {file:?}"))
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::results;
    use super::*;

    /// A folder where a mean of 0.8 is pinned for two sites.
    fn pinned() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        pin(&folder, &[("a", 0.9), ("b", 0.70004)], false).unwrap();
        folder
    }

    fn pin(folder: &tempfile::TempDir, scores: &[(&str, f64)], lower: bool) -> Result<()> {
        Pins::read_in(folder.path()).unwrap().pin(&results(scores), lower)
    }

    fn check(folder: &tempfile::TempDir, scores: &[(&str, f64)]) -> Result<()> {
        Pins::read_in(folder.path()).unwrap().check(&results(scores))
    }

    fn text(folder: &tempfile::TempDir) -> [String; 2] {
        [FLOORS, SCORES].map(|file| fs::read_to_string(folder.path().join(file)).unwrap())
    }

    #[test]
    fn pins_are_files_that_people_can_read() {
        let [floors, scores] = text(&pinned());
        assert_eq!(floors, format!("{FLOORS_HEAD}\n[detail]\nmean = 0.8\ndata = \"data\"\n"));
        assert_eq!(scores, format!("{SCORES_HEAD}\n[detail]\na = 0.9\nb = 0.7\n"));
    }

    #[test]
    fn falling_fails_beyond_the_tolerance() {
        let folder = pinned();
        check(&folder, &[("a", 0.897), ("b", 0.70004)]).unwrap();
        let error = check(&folder, &[("a", 0.8), ("b", 0.7)]).unwrap_err().to_string();
        assert_eq!(error, "detail fell below its floor: mean 0.7500 where 0.8000 was pinned");
    }

    #[test]
    fn other_data_fails_and_no_floor_does_not() {
        let folder = pinned();
        let mut other = results(&[("a", 1.0)]);
        other.data = "other".to_owned();
        assert!(Pins::read_in(folder.path()).unwrap().check(&other).is_err());
        other.suite = "list".to_owned();
        Pins::read_in(folder.path()).unwrap().check(&other).unwrap();
    }

    #[test]
    fn pinning_refuses_to_lower() {
        let folder = pinned();
        let before = text(&folder);
        assert!(pin(&folder, &[("a", 0.899), ("b", 0.7)], false).is_err());
        assert_eq!(text(&folder), before);
        pin(&folder, &[("a", 0.899), ("b", 0.7)], true).unwrap();
        assert!(text(&folder)[0].contains("mean = 0.7995"));
        pin(&folder, &[("a", 1.0), ("b", 1.0)], false).unwrap();
        assert!(text(&folder)[0].contains("mean = 1.0"));
    }

    #[test]
    fn pinning_one_suite_keeps_the_others() {
        let folder = pinned();
        let mut list = results(&[("x.com", 0.5)]);
        list.suite = "list".to_owned();
        list.means =
            [("records", 0.6), ("cells", 0.4)].map(|(name, mean)| (name.to_owned(), mean)).into();
        Pins::read_in(folder.path()).unwrap().pin(&list, false).unwrap();
        let pins = Pins::read_in(folder.path()).unwrap();
        assert!(pins.has("detail") && pins.has("list") && !pins.has("news"));
        list.means.insert("cells".to_owned(), 0.3);
        let error = pins.check(&list).unwrap_err().to_string();
        assert!(error.contains("cells 0.3000 where 0.4000") && !error.contains("records"));
    }
}
