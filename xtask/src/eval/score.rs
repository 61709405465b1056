//! The referee: `eval/score.py` beside the benchmark data, so that others can be measured by the same.

use super::program::measured;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// For the referee alone; it compares all columns with all attributes.
const LIMIT: Duration = Duration::from_secs(120);

/// What the referee says about a site.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) score: f64,
    /// Of a detail site the attributes; of a list site `records` and `cells`.
    pub(crate) parts: BTreeMap<String, Part>,
}

impl Verdict {
    /// The mean of several, each part by itself.
    pub(crate) fn mean(verdicts: &[Verdict]) -> Verdict {
        let n = verdicts.len().max(1) as f64;
        let mut mean = Verdict::default();
        for verdict in verdicts {
            mean.score += verdict.score / n;
            for (name, part) in &verdict.parts {
                let sum = mean.parts.entry(name.clone()).or_default();
                sum.precision += part.precision / n;
                sum.recall += part.recall / n;
                sum.f1 += part.f1 / n;
            }
        }
        mean
    }
}

/// How well one attribute was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
    /// The output column that has it, or the set that has the records.
    pub(crate) column: Option<String>,
}

impl Part {
    /// A figure that is only one number.
    pub(crate) fn share(n: usize, of: usize) -> Part {
        let share = n as f64 / of.max(1) as f64;
        Part { precision: share, recall: share, f1: share, column: None }
    }
}

/// Score a binary's output by the gold in a site's folder.
pub(crate) fn score(referee: &Path, site: &Path, output: &Path) -> Result<Verdict> {
    let mut command = Command::new("python3");
    // Of columns equally good the referee names any; with a fixed seed, always the same.
    command.env("PYTHONHASHSEED", "0");
    command.arg(referee).args([site, output]).arg("--json");
    let answer = measured(&command, LIMIT)?.success().context("the referee failed")?;
    verdict(&answer)
}

fn verdict(answer: &str) -> Result<Verdict> {
    /// As the referee writes it.
    #[derive(Deserialize)]
    struct Answer {
        score: f64,
        #[serde(default)]
        attributes: BTreeMap<String, Part>,
        records: Option<Part>,
        cells: Option<Part>,
        set: Option<String>,
    }
    let answer: Answer = serde_json::from_str(answer)
        .with_context(|| format!("cannot read the referee's answer {answer:?}"))?;
    let mut parts = answer.attributes;
    if let (Some(records), Some(cells)) = (answer.records, answer.cells) {
        parts.insert("records".to_owned(), Part { column: answer.set, ..records });
        parts.insert("cells".to_owned(), cells);
    }
    Ok(Verdict { score: answer.score, parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_kinds_of_answer() {
        let detail = verdict(
            r#"{"site": "s", "pages": 2, "kind": "detail", "score": 0.5, "columns": 3, "attributes": {
                "price": {"precision": 1.0, "recall": 1.0, "f1": 1.0, "column": "/a"},
                "model": {"precision": 0.0, "recall": 0.0, "f1": 0.0, "column": null}}}"#,
        )
        .unwrap();
        assert_eq!(detail.parts["price"].column.as_deref(), Some("/a"));
        assert_eq!(detail.parts["model"].column, None);
        let list = verdict(
            r#"{"site": "s", "kind": "list", "score": 0.75, "set": "/rows[]",
                "records": {"precision": 1.0, "recall": 1.0, "f1": 1.0},
                "cells": {"precision": 0.5, "recall": 0.5, "f1": 0.5}}"#,
        )
        .unwrap();
        assert_eq!(list.parts["records"].column.as_deref(), Some("/rows[]"));
        assert_eq!((list.score, list.parts["cells"].f1), (0.75, 0.5));
        assert!(verdict("Traceback").is_err());
    }
}
