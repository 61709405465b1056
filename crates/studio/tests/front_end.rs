//! What can be told of the front end without a browser.

use std::collections::BTreeMap;

const RUST: &str = include_str!("../src/wire.rs");
const SCRIPT: &str = include_str!("../web/src/wire.ts");
const BUILT: &str = include_str!("../dist/studio.js");

/// Names of structures, each with the names of its parts.
type Shapes = BTreeMap<String, Vec<String>>;

/// Blocks that begin with a word and a name, and their lines up to the closing brace.
fn blocks<'t>(text: &'t str, word: &str) -> Vec<(&'t str, Vec<&'t str>)> {
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix(word).filter(|_| line.ends_with('{')) else { continue };
        let name = rest.split([' ', '<']).next().unwrap_or_default();
        found.push((name, lines.by_ref().take_while(|line| *line != "}").collect()));
    }
    found
}

fn of_rust() -> Shapes {
    let shape = |(name, lines): (&str, Vec<&str>)| {
        let mut parts = Vec::new();
        let mut renamed = None;
        for line in lines.iter().map(|line| line.trim()) {
            if let Some(rest) = line.strip_prefix("#[serde(rename = \"") {
                renamed = rest.split('"').next();
            } else if let Some(rest) = line.strip_prefix("pub(crate) ") {
                parts
                    .push(renamed.take().or(rest.split(':').next()).unwrap_or_default().to_owned());
            }
        }
        (name.to_owned(), parts)
    };
    blocks(RUST, "pub(crate) struct ").into_iter().map(shape).collect()
}

fn of_script() -> Shapes {
    let part = |line: &&str| line.trim().split(':').next().unwrap_or_default().to_owned();
    let shape =
        |(name, lines): (&str, Vec<&str>)| (name.to_owned(), lines.iter().map(part).collect());
    blocks(SCRIPT, "export interface ").into_iter().map(shape).collect()
}

#[test]
fn both_sides_mean_the_same() {
    let (rust, script) = (of_rust(), of_script());
    assert!(script.len() > 25, "{}", script.len());
    for (name, parts) in &script {
        let expected =
            rust.get(name).unwrap_or_else(|| panic!("{name} is nothing that the server says"));
        // An object whole is a link to it, and more.
        let shared = if name == "ObjectView" { &["id", "class", "name"][..] } else { &[] };
        let expected: Vec<&String> =
            expected.iter().filter(|it| !shared.contains(&it.as_str())).collect();
        assert_eq!(parts.iter().collect::<Vec<_>>(), expected, "{name}");
    }
}

/// Pages are hostile: no text may become markup or code.
#[test]
fn texts_stay_texts() {
    for way in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "createContextualFragment",
        "srcdoc",
        "setHTML",
        "eval(",
        "new Function",
    ] {
        assert!(!BUILT.contains(way), "{way}");
    }
}
