//! The file of labels: JSON lines, as `pagemill label` writes and `pagemill train` reads them.

use super::Marked;
use crate::error::Refusal;
use crate::pages::{Pages, Parsed};
use pagemill::annotate::{Label, LabelError, LabelledPage, Target, TextPlace, find_text};
use pagemill::wrapper::escape::Escaping;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::{fs, io};

/// What a file says.
#[derive(Default)]
pub(super) struct Read {
    /// By page.
    pub(super) marked: BTreeMap<usize, Marked>,
    /// Lines about pages that are not open, or about places that a page has no more: they stay.
    pub(super) others: Vec<String>,
    pub(super) trouble: Option<String>,
}

/// No file of labels that people made by hand is larger.
const MAX_BYTES: u64 = 64 << 20;

/// The labels in a file; none if there is no file yet.
pub(super) fn read(path: &Path, target: &Target, pages: &Pages) -> Result<Read, Refusal> {
    let cannot = |why: String| {
        Refusal::bad(format!(
            "cannot use the labels in {}: {why}; move the file away to begin anew",
            path.display()
        ))
    };
    let text = match fs::metadata(path) {
        Ok(meta) if meta.len() > MAX_BYTES => return Err(cannot("it is too large".into())),
        Ok(_) => fs::read_to_string(path).map_err(|error| cannot(error.to_string()))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Read::default()),
        Err(error) => return Err(cannot(error.to_string())),
    };
    let names: BTreeMap<String, usize> = pages
        .inputs()
        .enumerate()
        .map(|(number, input)| (relative(&input.id, path), number))
        .collect();
    let mut read = Read::default();
    let mut gone: Vec<LabelError> = Vec::new();
    for labelled in LabelledPage::read(&text).map_err(|error| cannot(error.to_string()))? {
        let Some(number) = names.get(&labelled.page).copied() else { continue };
        let parsed = pages.parsed(number)?;
        let (labels, problems) =
            labelled.labels(target, &parsed.page).map_err(|error| cannot(error.to_string()))?;
        let mut marked = Marked { is_done: !labelled.is_open, ..Marked::default() };
        for label in labels.iter() {
            match label {
                Label::Leaf(leaf, field) => {
                    marked.leaves.insert(*leaf, *field);
                }
                Label::Value(field, text) => {
                    marked.values.insert((*field, text.clone()));
                }
            }
        }
        gone.extend(problems);
        read.marked.insert(number, marked);
    }
    read.trouble = gone.first().map(|first| {
        let n = gone.len();
        let labels = if n == 1 { "a label leads".into() } else { format!("{n} labels lead") };
        format!("{}: {labels} nowhere and will stay in the file; {first}", path.display())
    });
    let is_gone = |number: usize| gone.iter().any(|it| it.line == number);
    let is_other = |(number, line): &(usize, &str)| {
        let name = serde_json::from_str::<Json>(line)
            .ok()
            .and_then(|it| Some(it["page"].as_str()?.to_owned()));
        name.is_some_and(|name| !names.contains_key(&name) || is_gone(*number))
    };
    read.others = (1..).zip(text.lines()).filter(is_other).map(|it| it.1.to_owned()).collect();
    Ok(read)
}

/// The file of all labels.
pub(super) fn text(
    marked: &[Marked],
    others: &[String],
    target: &Target,
    pages: &Pages,
    inputs: &[OsString],
    path: &Path,
) -> Result<Vec<u8>, Refusal> {
    let mut lines: Vec<u8> = others.iter().flat_map(|line| line.bytes().chain([b'\n'])).collect();
    for (number, marked) in marked.iter().enumerate().filter(|(_, marked)| !marked.is_empty()) {
        let (input, parsed) = (pages.input(number)?, pages.parsed(number)?);
        let addresses = parsed.page.addresses(&parsed.leaves);
        let site = pages.site(number);
        let name = |field: usize| target.elements()[field].full_name();
        let within = within(&input.id, inputs, path);
        let mut push = |label: Json| {
            let mut line = serde_json::Map::new();
            line.insert("page".into(), relative(&input.id, path).into());
            if !within.is_empty() {
                line.insert("in".into(), within.clone().into());
            }
            if !marked.is_done {
                line.insert("open".into(), true.into());
            }
            match &input.url {
                Some(url) => line.insert("url".into(), url.as_str().into()),
                None => line.insert("site".into(), site.as_str().into()),
            };
            if let Json::Object(label) = label {
                line.extend(label);
            }
            // Memory takes everything.
            let _ =
                line.serialize(&mut serde_json::Serializer::with_formatter(&mut lines, Escaping));
            lines.push(b'\n');
        };
        for (leaf, field) in &marked.leaves {
            let address = addresses.of(&parsed.leaves.get(*leaf));
            push(json!({ "xpath": address.xpath, "element": name(*field) }));
        }
        for (field, text) in &marked.values {
            push(json!({ "values": { name(*field): [text] } }));
        }
    }
    Ok(lines)
}

/// The leaves that have a value in them, for it to be shown.
pub(super) fn near(parsed: &Parsed, value: &str) -> Vec<usize> {
    let places = find_text(&parsed.page, value).unwrap_or_default();
    let first = places.into_iter().next().map(|place| match place {
        TextPlace::Leaves(leaves) => leaves,
        TextPlace::Inside(leaf) => vec![leaf],
    });
    first.unwrap_or_default()
}

/// What a page that is no file of its own may be in, for those who look for it by the file of labels.
fn within(page: &str, inputs: &[OsString], file: &Path) -> Vec<String> {
    let is_own = Path::new(page).is_file() || inputs.iter().any(|input| input == page);
    let held = inputs.iter().filter(|input| !is_own && Path::new(input).exists());
    held.map(|input| relative(&input.to_string_lossy(), file)).collect()
}

/// The page as a file of labels names it: from the file's folder, if it is below that.
fn relative(page: &str, file: &Path) -> String {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Ok(whole), Ok(folder)) = (fs::canonicalize(page), fs::canonicalize(folder)) else {
        return page.to_owned();
    };
    let path = whole.strip_prefix(folder).unwrap_or(&whole);
    path.to_string_lossy().replace('\\', "/")
}

/// A name that can be part of a file's.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|it| if it.is_alphanumeric() || it == '-' { it } else { '_' }).collect()
}
