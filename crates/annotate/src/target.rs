//! The target schema: which elements a page should be mapped to, how many of each, and what is known of them.
//!
//! Written as a DTD, because that says just this and nothing else: names, nesting, cardinality. What a DTD has no words for,
//! such as which groups of features to use, stands in processing instructions, so the file stays one that others can read.

mod dtd;

use regex::Regex;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// How many of an element there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cardinality {
    /// Just one.
    One,
    /// None or one: `?`.
    Optional,
    /// Any number: `*`.
    Many,
    /// At least one: `+`.
    Some,
}

impl Cardinality {
    /// May there be several?
    pub fn repeats(self) -> bool {
        matches!(self, Cardinality::Many | Cardinality::Some)
    }

    /// Must there be one?
    pub fn is_required(self) -> bool {
        matches!(self, Cardinality::One | Cardinality::Some)
    }

    /// What holds for something that is there so often inside something that is there so often.
    fn within(self, outer: Cardinality) -> Cardinality {
        let repeats = self.repeats() || outer.repeats();
        let is_required = self.is_required() && outer.is_required();
        match (repeats, is_required) {
            (false, true) => Cardinality::One,
            (false, false) => Cardinality::Optional,
            (true, true) => Cardinality::Some,
            (true, false) => Cardinality::Many,
        }
    }

    /// The mark that a DTD has for it.
    pub fn mark(self) -> &'static str {
        match self {
            Cardinality::One => "",
            Cardinality::Optional => "?",
            Cardinality::Many => "*",
            Cardinality::Some => "+",
        }
    }
}

/// A group of features, which a schema may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Size, weight, headings, links, length, place.
    Style,
    /// Tags, and the words of classes and ids.
    Structure,
    /// What introduces a value: the label before it.
    Thesaurus,
    /// Dates, money, numbers, and types of the schema's own.
    Types,
    /// What the page says about itself to machines: JSON-LD, OpenGraph, microdata.
    Metadata,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 5] =
        [Group::Style, Group::Structure, Group::Thesaurus, Group::Types, Group::Metadata];

    /// As schemas and models write it.
    pub fn name(self) -> &'static str {
        match self {
            Group::Style => "style",
            Group::Structure => "structure",
            Group::Thesaurus => "thesaurus",
            Group::Types => "types",
            Group::Metadata => "metadata",
        }
    }

    /// The group of this name.
    pub fn from_name(name: &str) -> Option<Group> {
        Group::ALL.into_iter().find(|group| group.name() == name)
    }
}

/// An element of the schema that holds text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The names from below the root to it: `["offer", "price"]`.
    pub path: Vec<String>,
    /// How many there are on a page, whatever it is nested in.
    pub cardinality: Cardinality,
}

impl Element {
    /// Its own name.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// Its name with those it is inside of: `offer/price`.
    pub fn full_name(&self) -> String {
        self.path.join("/")
    }
}

/// A data type of the schema's own.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is called.
    pub name: String,
    /// What texts of it look like, from end to end.
    pub regex: Regex,
}

/// A target schema.
///
/// ```
/// use annotate::{Cardinality, Target};
///
/// let target = Target::parse("<!ELEMENT news (title, author*, (date | day)?, content+)>")?;
/// let elements: Vec<_> = target.elements().iter().map(|it| (it.name(), it.cardinality)).collect();
/// assert_eq!(elements[0], ("title", Cardinality::One));
/// assert_eq!(elements[2], ("date", Cardinality::Optional));
/// assert_eq!(target.name(), "news");
/// # Ok::<(), annotate::DtdError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Target {
    name: String,
    source: String,
    elements: Vec<Element>,
    groups: Vec<Group>,
    patterns: Vec<Pattern>,
    thesaurus: BTreeMap<String, Vec<String>>,
    options: BTreeMap<String, String>,
}

impl Target {
    /// Read a DTD.
    pub fn parse(dtd: &str) -> Result<Target, DtdError> {
        dtd::parse(dtd)
    }

    /// The name of the root element.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The DTD that it was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What pages are mapped to, in the order of the schema.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The element of a name, with or without those it is inside of.
    pub fn find(&self, name: &str) -> Option<usize> {
        let full = self.elements.iter().position(|element| element.full_name() == name);
        full.or_else(|| self.elements.iter().position(|element| element.name() == name))
    }

    /// Whether a group of features is used.
    pub fn uses(&self, group: Group) -> bool {
        self.groups.contains(&group)
    }

    /// The schema's own data types.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The texts that the schema says introduce an element.
    pub fn introductions(&self, element: usize) -> &[String] {
        let element = &self.elements[element];
        let known = self.thesaurus.get(&element.full_name());
        known.or_else(|| self.thesaurus.get(element.name())).map_or(&[], Vec::as_slice)
    }

    /// How the schema wants leaves to be mapped, as names and values.
    pub(crate) fn options(&self) -> &BTreeMap<String, String> {
        &self.options
    }
}

/// Why a DTD could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct DtdError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub problem: DtdProblem,
}

/// What can be wrong in a DTD.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DtdProblem {
    /// Something else had to stand here.
    Expected(&'static str),
    /// A construct without its end.
    Unclosed(&'static str),
    /// No element is declared.
    Empty,
    /// An element that contains itself has no bounded tree.
    Recursive(String),
    /// Declared twice.
    Twice(String),
    /// Nested deeper, or larger, than any schema is.
    TooLarge,
    /// An instruction to Pagemill that is not known.
    Instruction(String),
    /// A way to map that is not known, or a value that it cannot have.
    Option {
        /// As it is written.
        text: String,
        /// What could stand there.
        known: String,
    },
    /// A pattern that is no regular expression.
    Pattern(String),
    /// A name in an instruction that no element has.
    NoElement(String),
}

impl fmt::Display for DtdProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DtdProblem::Expected(what) => write!(f, "expected {what}"),
            DtdProblem::Unclosed(what) => write!(f, "{what} is not closed"),
            DtdProblem::Empty => {
                f.write_str("no element is declared; write <!ELEMENT name (child, child?)>")
            }
            DtdProblem::Recursive(name) => write!(f, "element {name:?} contains itself"),
            DtdProblem::Twice(name) => write!(f, "element {name:?} is declared twice"),
            DtdProblem::TooLarge => f.write_str("the schema is too large or nested too deeply"),
            DtdProblem::Instruction(text) => write!(
                f,
                "unknown instruction {text:?}; known are features, type, thesaurus and mapping"
            ),
            DtdProblem::Option { text, known } => {
                write!(f, "unknown in a mapping: {text:?}; known are {known}")
            }
            DtdProblem::Pattern(reason) => write!(f, "not a pattern: {reason}"),
            DtdProblem::NoElement(name) => write!(f, "no element is called {name:?}"),
        }
    }
}

#[cfg(test)]
mod tests;
