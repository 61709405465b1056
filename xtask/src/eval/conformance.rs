//! The html5lib tests, run through our tokenizer and our tree.
//!
//! Tests that fail are named in `eval/conformance.txt` with the reason; any other failure, and any name there that does
//! not fail any more, fails the run.

use crate::shell::root;
use anyhow::{Context, Result, ensure};
use page::reference::{self, Conformance};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The share of tree tests that must pass.
const TREE_FLOOR: f64 = 0.995;

pub(crate) fn run(shared: &Path) -> Result<()> {
    let tests = shared.join("conformance/html5lib-tests");
    let mut report = Report::new()?;
    for file in files(&tests.join("tree-construction"))? {
        tree_tests(&file, &mut report)?;
    }
    let tree = report.counts;
    for file in files(&tests.join("encoding"))? {
        encoding_tests(&file, &mut report)?;
    }
    let encoding = report.counts.minus(tree);
    println!("tree construction: {tree}");
    println!("encodings:         {encoding}");
    report.close()?;
    ensure!(tree.share() >= TREE_FLOOR, "tree construction fell below {TREE_FLOOR}");
    Ok(())
}

#[derive(Clone, Copy, Default)]
struct Counts {
    passed: usize,
    all: usize,
}

impl Counts {
    fn share(self) -> f64 {
        self.passed as f64 / self.all.max(1) as f64
    }

    fn minus(self, other: Counts) -> Counts {
        Counts { passed: self.passed - other.passed, all: self.all - other.all }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} passed ({:.2} %)", self.passed, self.all, 100.0 * self.share())
    }
}

struct Report {
    counts: Counts,
    /// Test names with the reason why they fail.
    expected: BTreeMap<String, String>,
    unexpected: Vec<String>,
}

impl Report {
    fn new() -> Result<Report> {
        let path = root().join("eval/conformance.txt");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path:?}"))?;
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let expected = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, reason)| (name.to_owned(), reason.to_owned()))
            .collect();
        Ok(Report { counts: Counts::default(), expected, unexpected: Vec::new() })
    }

    fn add(&mut self, name: &str, passed: bool, show: impl FnOnce() -> String) {
        self.counts.all += 1;
        self.counts.passed += usize::from(passed);
        let was_expected = self.expected.remove(name);
        match (passed, was_expected) {
            (true, None) => {}
            (false, Some(reason)) => println!("{name} fails as known: {reason}"),
            (true, Some(_)) => {
                self.unexpected.push(format!("{name} passes now: take it off the list"))
            }
            (false, None) => self.unexpected.push(format!("{name} fails:\n{}", show())),
        }
    }

    fn close(self) -> Result<()> {
        for line in &self.unexpected {
            println!("{line}");
        }
        for name in self.expected.keys() {
            println!("{name} is listed in eval/conformance.txt but was not run");
        }
        let n_odd = self.unexpected.len() + self.expected.len();
        ensure!(n_odd == 0, "{n_odd} tests differ from eval/conformance.txt");
        Ok(())
    }
}

/// The `.dat` files in a folder, sorted. Those in `scripted/` below it need a browser that runs scripts.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {folder:?}"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "dat") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// One test: its sections by name, each with the lines below it.
type Sections = BTreeMap<String, Vec<u8>>;

/// Split a file at lines that start a `#data` section.
fn sections(bytes: &[u8], names: &[&str]) -> Vec<Sections> {
    let mut tests: Vec<Sections> = Vec::new();
    let mut current = String::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let name = std::str::from_utf8(line).unwrap_or_default().trim_end_matches('\n');
        let opens = name.strip_prefix('#').filter(|name| names.contains(name));
        if let Some(name) = opens {
            if name == "data" {
                tests.push(Sections::new());
            }
            name.clone_into(&mut current);
        }
        let Some(test) = tests.last_mut() else { continue };
        let section = test.entry(current.clone()).or_default();
        if opens.is_none() {
            section.extend_from_slice(line);
        }
    }
    tests
}

fn test_name(file: &Path, index: usize) -> String {
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let stem = file.file_name().unwrap_or_default().to_string_lossy();
    format!("{folder}/{stem}#{index}")
}

fn tree_tests(file: &Path, report: &mut Report) -> Result<()> {
    const NAMES: [&str; 7] = [
        "data",
        "errors",
        "new-errors",
        "document-fragment",
        "script-off",
        "script-on",
        "document",
    ];
    let bytes = fs::read(file)?;
    for (index, test) in sections(&bytes, &NAMES).iter().enumerate() {
        tree_test(&test_name(file, index), test, report);
    }
    Ok(())
}

fn tree_test(name: &str, test: &Sections, report: &mut Report) {
    let section = |name: &str| test.get(name).map(|text| String::from_utf8_lossy(text));
    let data = section("data").unwrap_or_default();
    let data = data.strip_suffix('\n').unwrap_or(&data);
    let expected = section("document").unwrap_or_default();
    let expected = expected.trim_end_matches('\n');
    let fragment = section("document-fragment");
    let context = fragment.as_deref().map(|context| {
        let context = context.trim_end_matches('\n');
        let (namespace, tag) = context.split_once(' ').unwrap_or(("", context));
        reference::Context { namespace, tag }
    });
    // Only tests that need scripting are run with it.
    let scripting = test.contains_key("script-on");
    let page = reference::parse_conformance(data, Conformance { context, scripting });
    let top = match context {
        None => page.document(),
        Some(_) => page.first_child(page.document()).unwrap_or(page.document()),
    };
    let dump = page.dump(top);
    let dump = dump.trim_end_matches('\n');
    report.add(name, dump == expected, || format!("{data}\nexpected:\n{expected}\ngot:\n{dump}\n"));
}

fn encoding_tests(file: &Path, report: &mut Report) -> Result<()> {
    let bytes = fs::read(file)?;
    for (index, test) in sections(&bytes, &["data", "encoding"]).iter().enumerate() {
        let data = test.get("data").map_or(&b""[..], |data| data);
        let data = data.strip_suffix(b"\n").unwrap_or(data);
        let expected = test.get("encoding").map(|it| String::from_utf8_lossy(it));
        let expected = expected.as_deref().unwrap_or_default().trim();
        // The tests set the fallback to windows-1252; ours guesses, which is another matter.
        let found = reference::declared_encoding(data).unwrap_or("windows-1252");
        let passed = found.eq_ignore_ascii_case(expected);
        let name = test_name(file, index);
        report.add(&name, passed, || format!("expected {expected}, got {found}"));
    }
    Ok(())
}
