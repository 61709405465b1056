//! Wrappers as files: versioned JSON, with data only.
//!
//! The schema is written as it was learnt, and the edits beside it, so that they can be taken back, and made again on what is
//! learnt later. It is written a property a line, for people; edits and the machine an entry a line, so that two files can be compared line by
//! line and large ones stay small. The same wrapper gives the same bytes.
//!
//! Files may come from strangers. What is read is bounded in size and depth, and every number in it that points somewhere is
//! checked before it is used: a wrapper that was read extracts without a panic, whatever it may find.

use crate::edit::Edit;
use crate::escape::Escaping;
use crate::extract::Wrapper;
use crate::machine::Machine;
use crate::schema::{Field, Schema, SlotId};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// The latest version of the format. Older ones stay readable.
const VERSION: u64 = 2;
/// The version of files without edits. Who knows no edits must not read files that have some.
const WITHOUT_EDITS: u64 = 1;
/// Larger files are not read. A wrapper of a large site has some hundred kilobytes.
const MAX_BYTES: usize = 64 << 20;
/// Sets within sets: more would be more levels of JSON than its reader follows.
const MAX_SETS: usize = 50;

/// Why a wrapper cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// More bytes than a wrapper can have.
    #[error("it is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// Something else than JSON.
    #[error("it is no JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// JSON of something else.
    #[error("it is JSON, but has no number called \"pagemill\"")]
    NotWrapper,
    /// A wrapper of a version that is not known here.
    #[error(
        "it is of format {found}, and this program knows formats up to {VERSION}: use a newer pagemill"
    )]
    Version {
        /// The version that it says.
        found: u64,
    },
    /// JSON that says it is a wrapper, and has other parts than one.
    #[error("{0}; it may be damaged, or written by a newer pagemill")]
    Malformed(#[source] serde_json::Error),
    /// Parts that do not fit together.
    #[error("{0}; it may be damaged, or written by a newer pagemill")]
    Invalid(String),
    /// Sets within sets within sets.
    #[error("it has more than {MAX_SETS} sets within each other")]
    TooDeep,
}

/// What is read first.
#[derive(Deserialize)]
struct Head {
    pagemill: u64,
}

#[derive(Deserialize)]
struct Parts {
    schema: Schema,
    #[serde(default)]
    edits: Vec<Edit>,
    machine: Machine,
}

impl Wrapper {
    /// The wrapper as a file. The same pages give the same bytes.
    ///
    /// ```
    /// use wrapper::{Extractor, Wrapper, learn};
    ///
    /// let pages = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>"];
    /// let pages = pages.iter().map(|html| page::parse(html.as_bytes())).collect();
    /// let file = learn(pages, &Default::default())?.wrapper.to_json()?;
    ///
    /// let wrapper = Wrapper::from_json(file.as_bytes())?;
    /// let found = Extractor::new(&wrapper).extract(&page::parse(b"<h1>Kim</h1><b>$5</b>"));
    /// assert_eq!(found.data["title"], "Kim");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> Result<String, FormatError> {
        if n_nested(&self.learnt().fields) > MAX_SETS {
            return Err(FormatError::TooDeep);
        }
        let schema = lines(self.learnt(), EVERYTHING)?;
        let machine = lines(self.machine(), ENTRIES)?;
        let (version, edits) = match self.edits() {
            [] => (WITHOUT_EDITS, String::new()),
            edits => (VERSION, format!("  \"edits\": {},\n", lines(&edits, ELEMENTS)?)),
        };
        Ok(format!(
            "{{\n  \"pagemill\": {version},\n{edits}  \"schema\": {schema},\n  \"machine\": {machine}\n}}\n"
        ))
    }

    /// A wrapper from a file, which may be anything.
    ///
    /// ```
    /// let error = wrapper::Wrapper::from_json(b"<!doctype html>").unwrap_err();
    /// assert!(error.to_string().starts_with("it is no JSON"));
    /// ```
    pub fn from_json(file: &[u8]) -> Result<Wrapper, FormatError> {
        if file.len() > MAX_BYTES {
            return Err(FormatError::TooLarge);
        }
        let head: Head = serde_json::from_slice(file).map_err(|error| not_a_head(file, error))?;
        if !(WITHOUT_EDITS..=VERSION).contains(&head.pagemill) {
            return Err(FormatError::Version { found: head.pagemill });
        }
        let Parts { schema, edits, machine } =
            serde_json::from_slice(file).map_err(FormatError::Malformed)?;
        machine.check().map_err(FormatError::Invalid)?;
        check_fields(&schema.fields, machine.n_slots()).map_err(FormatError::Invalid)?;
        let mut wrapper = Wrapper::new(schema, machine);
        if !edits.is_empty() {
            let wrong = |error| FormatError::Invalid(format!("its edits cannot be made: {error}"));
            wrapper.edit_all(edits).map_err(wrong)?;
        }
        Ok(wrapper)
    }
}

/// What a file is that does not even say its version.
fn not_a_head(file: &[u8], error: serde_json::Error) -> FormatError {
    match serde_json::from_slice::<IgnoredAny>(file) {
        Ok(_) => FormatError::NotWrapper,
        // A download that broke off, most likely.
        Err(_) if error.is_eof() && file.starts_with(b"{") => FormatError::Malformed(error),
        Err(error) => FormatError::NotJson(error),
    }
}

/// Whether all fields read slots that there are.
fn check_fields(fields: &[Field], n_slots: usize) -> Result<(), String> {
    for field in fields {
        let (kind, slots): (_, &[SlotId]) = match field {
            Field::Column(column) => ("column", &column.slots),
            Field::Set(set) => ("set", &set.slots),
        };
        if let Some(slot) = slots.iter().find(|slot| **slot >= n_slots) {
            let name = field.name();
            return Err(format!("the {kind} {name:?} reads slot {slot}, of {n_slots}"));
        }
        match field {
            // Only edits merge columns, and those of a file are made after it was read.
            Field::Column(column) if !column.otherwise.is_empty() => {
                return Err(format!("the column {:?} has others in it", column.name));
            }
            Field::Column(_) => {}
            Field::Set(set) => check_fields(&set.fields, n_slots)?,
        }
    }
    Ok(())
}

/// How many sets stand within each other, at most.
fn n_nested(fields: &[Field]) -> usize {
    let depth = |field: &Field| match field {
        Field::Column(_) => 0,
        Field::Set(set) => 1 + n_nested(&set.fields),
    };
    fields.iter().map(depth).max().unwrap_or_default()
}

/// How deep lines are broken: everywhere, or down to the entries of the tables of a machine.
const EVERYTHING: usize = usize::MAX;
const ENTRIES: usize = 3;
/// Or down to the elements of a list.
const ELEMENTS: usize = 2;

fn lines(part: &impl Serialize, max_depth: usize) -> Result<String, FormatError> {
    let mut out = Vec::new();
    let formatter = Lines { depth: 1, max_depth, is_empty: false };
    let written = part.serialize(&mut Serializer::with_formatter(&mut out, formatter));
    written.map_err(FormatError::Malformed)?;
    String::from_utf8(out).map_err(|error| FormatError::Invalid(error.to_string()))
}

/// JSON with a line for each member and element down to some depth, and all that is deeper on one line.
struct Lines {
    depth: usize,
    max_depth: usize,
    /// Whether nothing has come yet of what was opened last.
    is_empty: bool,
}

impl Lines {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.is_empty = true;
        out.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.is_empty = false;
        match (is_first, self.depth <= self.max_depth) {
            (true, true) => self.new_line(out),
            (false, true) => out.write_all(b",").and_then(|()| self.new_line(out)),
            (true, false) => Ok(()),
            (false, false) => out.write_all(b", "),
        }
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        let breaks = self.depth <= self.max_depth && !self.is_empty;
        self.depth -= 1;
        self.is_empty = false;
        if breaks {
            self.new_line(out)?;
        }
        out.write_all(bracket)
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    /// What a terminal obeys, and JSON leaves as it is, is escaped too: people look into these files.
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        Escaping.write_string_fragment(out, text)
    }
}
