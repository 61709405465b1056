//! `pagemill label`: what someone sees on a page, as a line of a file of labels.

use super::inputs::Reading;
use super::schema_file;
use crate::exit::Exit;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::annotate::{Target, TextPlace, find_text};
use pagemill::page::{Addresses, Leaves};
use pagemill::wrapper::escape::Escaping;
use pagemill::{InputPage, Page};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  pagemill label a.html title='Rain at last' author='Ann Lee'   their lines, to look at
  pagemill label a.html title='Rain at last' -o labels.jsonl    added to a file
  pagemill label a.html price=$5 --schema product -o l.jsonl    only elements that the schema has
  pagemill train --schema news labels.jsonl -o model.json       what the file is for

Only letters and digits are compared. Where several places of the page have the value, all are
labelled; where it is only part of a text, the line has the value itself.";

/// Label values of a page by their texts, for a model to be trained from
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// The page
    page: OsString,

    /// What is on it: an element of the schema, and a text of the page
    #[arg(value_name = "ELEMENT=VALUE", required = true, value_parser = value)]
    values: Vec<(String, String)>,

    /// Take only elements of this schema: a DTD, or news, product, job, event, recipe, person
    #[arg(long, value_name = "SCHEMA")]
    schema: Option<String>,

    /// Add the lines to a file; if not given, they go to stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

fn value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.trim().is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("write an element and its value, such as title='Rain at last'".into()),
    }
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let target = match flags.schema.as_deref().map(schema_file::read) {
        Some(Err(exit)) => return Ok(exit),
        Some(Ok(target)) => Some(target),
        None => None,
    };
    if let Some(name) = target.as_ref().and_then(|target| flags.unknown(target)) {
        return Ok(name);
    }
    let mut reader = flags.reading.pages(std::slice::from_ref(&flags.page));
    let Some(input) = reader.next() else { return Ok(Exit::SomeFailed) };
    if reader.next().is_some() {
        talk::say(format_args!("{:?} has several pages; label one at a time", flags.page));
        return Ok(Exit::Usage);
    }
    let page = input.parse();
    let Some(lines) = flags.lines(&input, &page) else { return Ok(Exit::Nothing) };
    match &flags.output {
        Some(path) => append(path, &lines).with_context(|| format!("cannot write {path:?}"))?,
        None => io::stdout().write_all(&lines).context(CANNOT_WRITE)?,
    }
    Ok(Exit::Found)
}

impl Flags {
    fn unknown(&self, target: &Target) -> Option<Exit> {
        let (name, _) = self.values.iter().find(|(name, _)| target.find(name).is_none())?;
        let known: Vec<String> = target.elements().iter().map(|it| it.full_name()).collect();
        talk::say(format_args!("the schema has no element {name:?}; it has {}", known.join(", ")));
        Some(Exit::Usage)
    }

    /// All lines, or none if a value is not there: half of the labels would say that the rest is something else.
    fn lines(&self, input: &InputPage, page: &Page) -> Option<Vec<u8>> {
        let leaves = page.leaves();
        let labelling = Labelling {
            id: self.output.as_ref().map_or(input.id.clone(), |file| relative(&input.id, file)),
            url: input.url.as_deref(),
            leaves: &leaves,
            addresses: page.addresses(&leaves),
        };
        let mut lines = Vec::new();
        let mut has_all = true;
        for (name, value) in &self.values {
            match find_text(page, value) {
                Ok(places) => {
                    if places.len() > 1 {
                        talk::say(format_args!(
                            "{value:?} stands in {} places, and all are labelled {name}",
                            places.len()
                        ));
                    }
                    labelling.push(name, value, &places, &mut lines);
                }
                Err(error) => {
                    has_all = false;
                    talk::say(format_args!("{name}: {error}"));
                }
            }
        }
        has_all.then_some(lines)
    }
}

struct Labelling<'p> {
    id: String,
    url: Option<&'p str>,
    leaves: &'p Leaves,
    addresses: Addresses<'p>,
}

impl Labelling<'_> {
    fn push(&self, element: &str, value: &str, places: &[TextPlace], lines: &mut Vec<u8>) {
        let mut is_part = false;
        for place in places {
            match place {
                TextPlace::Leaves(leaves) => {
                    for leaf in leaves {
                        let address = self.addresses.of(&self.leaves.get(*leaf));
                        self.push_line(
                            json!({ "xpath": address.xpath, "element": element }),
                            lines,
                        );
                    }
                }
                TextPlace::Inside(_) => is_part = true,
            }
        }
        if is_part {
            self.push_line(json!({ "values": { element: [value] } }), lines);
        }
    }

    fn push_line(&self, label: Json, lines: &mut Vec<u8>) {
        let mut line = serde_json::Map::new();
        line.insert("page".to_owned(), self.id.clone().into());
        line.extend(self.url.map(|url| ("url".to_owned(), url.into())));
        if let Json::Object(label) = label {
            line.extend(label);
        }
        // Memory takes everything.
        let _ = line.serialize(&mut serde_json::Serializer::with_formatter(&mut *lines, Escaping));
        lines.push(b'\n');
    }
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

/// Add lines at once, on a line of their own.
fn append(path: &Path, lines: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut text = Vec::with_capacity(lines.len() + 1);
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        text.extend((last != *b"\n").then_some(b'\n'));
    }
    text.extend_from_slice(lines);
    file.write_all(&text)
}
