//! Labels as JSON lines: one node of a page, or all values of a page, a line.
//!
//! `{"page": "a.html", "xpath": "/html/body/h1", "element": "title"}` says what a node is; `"selector"` may stand in place of
//! `"xpath"`. `{"page": "a.html", "values": {"title": ["Dune"]}}` says what is on a page, and where is found out. Where the pages
//! are is left to others; `"in"` names the archive, store or folder that has the page, or several. `"open": true` says that there is more on
//! the page than was labelled yet.

use super::node::{NodeAddress, Nodes};
use super::selector::{Selector, Unknown};
use super::{Label, Labels};
use crate::target::Target;
use page::Page;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// A page that a file of labels names, and what it says of it.
///
/// ```
/// use annotate::{LabelledPage, Target};
///
/// let target = Target::parse("<!ELEMENT news (title, author*)>")?;
/// let file = r#"{"page": "a.html", "url": "https://post.example/a", "xpath": "/html/body/h1", "element": "title"}
///               {"page": "a.html", "values": {"author": ["Ann Lee"], "mood": "good"}}"#;
/// let pages = LabelledPage::read(file)?;
/// assert_eq!((&*pages[0].page, pages[0].site().as_deref()), ("a.html", Some("post.example")));
/// let (labels, problems) = pages[0].labels(&target, &page::parse(b"<h1>Dune</h1>"))?;
/// assert_eq!((labels.len(), problems.len()), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledPage {
    /// As the file names it: a path, relative to the file.
    pub page: String,
    /// What it may be in, if it is no file of its own: archives, stores or folders, relative to the file.
    pub within: Vec<String>,
    /// Whether its labelling is not done.
    pub is_open: bool,
    /// The number of the first line that names it.
    pub line: usize,
    site: Option<String>,
    url: Option<String>,
    known: Vec<(usize, Known)>,
}

/// What one line says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Node { address: NodeAddress, element: String },
    Values(BTreeMap<String, Vec<String>>),
}

/// What is wrong with a line of labels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct LabelError {
    /// From 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: LabelProblem,
}

/// What can be wrong with a line of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LabelProblem {
    /// It is no JSON object, or not one of a label.
    Json(String),
    /// It says nothing of the page.
    Empty,
    /// It names a node and not what it is.
    NoElement,
    /// It names an element that the schema does not have.
    UnknownElement {
        /// As it is written.
        name: String,
        /// Those that the schema has.
        known: Vec<String>,
    },
    /// It has an address of a kind that is not known.
    Address {
        /// As it is written.
        address: String,
        /// Where in it, from 1, in characters.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// What is named is not on the page.
    NoNode(String),
}

impl fmt::Display for LabelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelProblem::Json(reason) => write!(f, "not a label: {reason}"),
            LabelProblem::Empty => f.write_str(
                "no label: give \"xpath\" or \"selector\" with \"element\", or \"values\"",
            ),
            LabelProblem::NoElement => {
                f.write_str("a node without \"element\": say which element of the schema it is")
            }
            LabelProblem::UnknownElement { name, known } => {
                write!(f, "the schema has no element {name:?}; it has {}", known.join(", "))
            }
            LabelProblem::Address { address, column, reason } => {
                write!(f, "cannot read {address} at character {column}: {reason}")
            }
            LabelProblem::NoNode(address) => write!(f, "nothing on the page is at {address}"),
        }
    }
}

impl LabelProblem {
    pub(super) fn unknown_element(name: &str, target: &Target) -> LabelProblem {
        let known = target.elements().iter().map(|it| it.full_name()).collect();
        LabelProblem::UnknownElement { name: name.to_owned(), known }
    }
}

#[derive(Deserialize)]
struct LineFile {
    page: String,
    #[serde(rename = "in", default = "Texts::none")]
    within: Texts,
    #[serde(default)]
    open: bool,
    url: Option<String>,
    site: Option<String>,
    xpath: Option<String>,
    selector: Option<String>,
    nth: Option<usize>,
    element: Option<String>,
    values: Option<BTreeMap<String, Texts>>,
}

/// One text may be written without a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    None(()),
    One(String),
    Many(Vec<String>),
}

impl Texts {
    fn none() -> Texts {
        Texts::None(())
    }

    fn all(self) -> Vec<String> {
        match self {
            Texts::None(()) => Vec::new(),
            Texts::One(text) => vec![text],
            Texts::Many(texts) => texts,
        }
    }
}

impl LabelledPage {
    /// Read a file. Pages come in the order in which it first names them.
    pub fn read(text: &str) -> Result<Vec<LabelledPage>, LabelError> {
        let mut pages: Vec<LabelledPage> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() {
                continue;
            }
            let wrong = |problem| LabelError { line, problem };
            let mut file: LineFile = serde_json::from_str(text)
                .map_err(|error| wrong(LabelProblem::Json(without_line(&error))))?;
            let place = *places.entry(file.page.clone()).or_insert_with(|| {
                pages.push(LabelledPage::new(file.page.clone(), line));
                pages.len() - 1
            });
            let page = &mut pages[place];
            page.site = page.site.take().or_else(|| file.site.clone());
            page.url = page.url.take().or_else(|| file.url.clone());
            page.is_open |= file.open;
            let within = std::mem::replace(&mut file.within, Texts::none()).all();
            page.within.extend(within);
            page.known.push((line, known(file).map_err(wrong)?));
        }
        Ok(pages)
    }

    fn new(page: String, line: usize) -> LabelledPage {
        LabelledPage {
            page,
            within: Vec::new(),
            is_open: false,
            line,
            site: None,
            url: None,
            known: Vec::new(),
        }
    }

    /// Which site the page is of, if that is told: as the file says, or the host of its URL.
    pub fn site(&self) -> Option<String> {
        let host = || {
            let (_, rest) = self.url.as_deref()?.split_once("://")?;
            let host = rest.split(['/', '?', '#']).next()?.to_lowercase();
            Some(host.strip_prefix("www.").unwrap_or(&host).to_owned())
        };
        self.site.clone().or_else(host)
    }

    /// What the file says of the page, in terms of the schema, and which of its lines lead nowhere. An element of a node
    /// must be in the schema; of values, others may be there too.
    pub fn labels(
        &self,
        target: &Target,
        page: &Page,
    ) -> Result<(Labels, Vec<LabelError>), LabelError> {
        let leaves = page.leaves();
        let nodes = Nodes::new(page, &leaves);
        let (mut labels, mut problems) = (Vec::new(), Vec::new());
        for (line, known) in &self.known {
            let wrong = |problem| LabelError { line: *line, problem };
            match known {
                Known::Node { address, element } => {
                    let number = target
                        .find(element)
                        .ok_or_else(|| wrong(LabelProblem::unknown_element(element, target)))?;
                    let found = nodes.at(address);
                    if found.is_empty() {
                        problems.push(wrong(LabelProblem::NoNode(address.to_string())));
                    }
                    labels.extend(found.into_iter().map(|leaf| Label::Leaf(leaf, number)));
                }
                Known::Values(values) => {
                    for (name, texts) in values {
                        let Some(number) = target.find(name) else { continue };
                        labels.extend(texts.iter().map(|it| Label::Value(number, it.clone())));
                    }
                }
            }
        }
        Ok((Labels::new(labels), problems))
    }
}

fn known(file: LineFile) -> Result<Known, LabelProblem> {
    let address = match (file.xpath, file.selector) {
        (Some(xpath), _) => {
            let unknown = unknown(format!("XPath {xpath:?}"));
            Some(NodeAddress::xpath(xpath).map_err(unknown)?)
        }
        (None, Some(selector)) => {
            let parsed = Selector::parse(&selector);
            let parsed = parsed.map_err(unknown(format!("selector {selector:?}")))?;
            Some(NodeAddress::Selector(parsed, file.nth))
        }
        (None, None) => None,
    };
    match (address, file.values) {
        (Some(address), _) => {
            let element = file.element.ok_or(LabelProblem::NoElement)?;
            Ok(Known::Node { address, element })
        }
        (None, Some(values)) => {
            Ok(Known::Values(values.into_iter().map(|(name, it)| (name, it.all())).collect()))
        }
        (None, None) => Err(LabelProblem::Empty),
    }
}

fn unknown(address: String) -> impl FnOnce(Unknown) -> LabelProblem {
    |Unknown { column, what }| LabelProblem::Address { address, column, reason: what }
}

/// Each line is read for itself, so its parser's line is always the first.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &[u8] = b"<div id=top><h1 class='big headline'>Dune <i>again</i></h1></div>
        <p class=by>By <b>Ann Lee</b></p><p>2024-03-04";

    #[track_caller]
    fn leaves(line: &str, expected: &[usize]) {
        let target = Target::parse("<!ELEMENT news (title, author*)>").unwrap();
        let pages = LabelledPage::read(line).unwrap();
        let (labels, problems) = pages[0].labels(&target, &page::parse(PAGE)).unwrap();
        let found: Vec<usize> = labels
            .labels
            .iter()
            .map(|it| match it {
                Label::Leaf(leaf, 0) => *leaf,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, expected);
        assert_eq!(problems.is_empty(), !expected.is_empty());
    }

    #[test]
    fn addresses_name_leaves_and_all_below_elements() {
        let line = |address: &str| format!(r#"{{"page": "a", {address}, "element": "title"}}"#);
        leaves(&line(r#""xpath": "/html/body/div/h1""#), &[0, 1]);
        leaves(&line(r#""xpath": "/html/body/div/h1/text()""#), &[0]);
        leaves(&line(r#""xpath": "//*[@id=\"top\"]/h1/i""#), &[1]);
        leaves(&line(r#""selector": "h1.headline""#), &[0, 1]);
        leaves(&line(r#""selector": "div > .big i""#), &[1]);
        leaves(&line(r##""selector": "#top > h1", "nth": 0"##), &[0]);
        leaves(&line(r#""selector": "p.by""#), &[2, 3]);
        leaves(&line(r#""selector": "p.none""#), &[]);
        leaves(&line(r#""xpath": "/html/body/table""#), &[]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let error = |text: &str| LabelledPage::read(text).unwrap_err().to_string();
        let good = r#"{"page": "a", "values": {}}"#;
        assert_eq!(
            error(&format!("{good}\n\n{{\"page\": 1}}")),
            "line 3: not a label: invalid type: integer `1`, expected a string at column 10"
        );
        assert!(error(r#"{"page": "a"}"#).starts_with("line 1: no label: give"));
        assert!(error(r#"{"page": "a", "xpath": "/p"}"#).starts_with("line 1: a node without"));
        assert!(
            error(r#"{"page": "a", "selector": "p:hover", "element": "title"}"#).starts_with(
                r#"line 1: cannot read selector "p:hover" at character 2: ":hover" is not understood; known are tags"#
            )
        );
        for (xpath, at) in
            [("//h1", 2), ("/html/body/p[@class='x']", 12), ("h1", 1), ("/p[0]", 2), ("/html/", 7)]
        {
            let told =
                error(&format!(r#"{{"page": "a", "xpath": "{xpath}", "element": "title"}}"#));
            assert!(told.contains(&format!("at character {at}: ")), "{told}");
        }
        let target = Target::parse("<!ELEMENT news (title, author*)>").unwrap();
        let pages =
            LabelledPage::read(r#"{"page": "a", "xpath": "/p", "element": "titel"}"#).unwrap();
        assert_eq!(
            pages[0].labels(&target, &page::parse(b"")).unwrap_err().to_string(),
            "line 1: the schema has no element \"titel\"; it has title, author"
        );
    }

    #[test]
    fn sites_come_from_what_is_known() {
        let site = |line: &str| LabelledPage::read(line).unwrap()[0].site();
        assert_eq!(site(r#"{"page": "x/a", "site": "one", "values": {}}"#).unwrap(), "one");
        assert_eq!(
            site(r#"{"page": "x/a", "url": "http://www.B.example/c", "values": {}}"#).unwrap(),
            "b.example"
        );
        assert_eq!(site(r#"{"page": "x/y/a", "values": {}}"#), None);
    }
}
