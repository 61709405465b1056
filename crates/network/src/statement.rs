//! Statements: what is inserted, updated and deleted.
//!
//! ```text
//! Insert University.College Carnegie Mellon University.Mellon College of Science [
//!     Faculty -> { Professors: { Eric T. Ahrens [since: 2001] } }, Contain departments: { Department of Chemistry } ];
//! ```
//!
//! Names have blanks and dots, so reading is led by the schema: the classes of the path are the longest names of classes that are
//! contained in the class before, and there are as many names of objects as classes. In a path of several a name with a dot is
//! quoted. A name alone means any object of the class that is expected; `<University.College> A.B` says which is meant, and
//! `Wei Wang #2` is the second of that name.

mod parse;
mod print;

pub(crate) use parse::read_statement;
pub(crate) use print::is_plain_value;
pub use print::print;

use crate::error::Error;
use crate::query::Query;
use crate::reader::{Position, Reader, Word};
use crate::schema::{ClassDefinition, Relation, Schema};

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `class Name [ … ];`
    Class(ClassDefinition),
    /// `Insert`, `Update` or `Delete`.
    Change(Change),
    /// `query …;`
    Query(Query),
}

/// What a statement does with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Adds to what is there; makes objects that are not.
    Insert,
    /// Sets each property that is named to what is given.
    Update,
    /// Takes away what is given; all of a property without values; the object without properties.
    Delete,
}

impl Action {
    /// All of them.
    pub const ALL: [Action; 3] = [Action::Insert, Action::Update, Action::Delete];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Action::Insert => "Insert",
            Action::Update => "Update",
            Action::Delete => "Delete",
        }
    }
}

/// `Insert ClassPath ObjectPath [ item, … ];`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is done.
    pub action: Action,
    /// Which object.
    pub object: ObjectPath,
    /// With which of its properties.
    pub items: Vec<Item>,
}

/// An object, by the classes and names that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectPath {
    /// From the outermost class on.
    pub classes: Vec<Word>,
    /// As many names.
    pub names: Vec<ObjectName>,
}

/// The name of an object, and which one of this name it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectName {
    /// The name.
    pub name: Word,
    /// From 1; none says that there is only one.
    pub nth: Option<u32>,
}

/// `[kind] name: values`, or `name -> { item, … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The word before the name.
    pub kind: Option<Relation>,
    /// The property.
    pub name: Word,
    /// What is said of it.
    pub body: Body,
}

/// What an item says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Nothing: for `Delete`.
    Whole,
    /// Values.
    Values {
        /// Which.
        all: Vec<One>,
        /// Whether they stand in braces; one alone need not.
        is_set: bool,
    },
    /// Specific relationships.
    Down(Vec<Item>),
}

/// One value or object of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct One {
    /// The value, or which object.
    pub value: Given,
    /// What is true of a player in this role.
    pub context: Option<Vec<Item>>,
}

/// What stands for a value or an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A value, or the name of an object.
    Name(ObjectName),
    /// `<Class.Class> Name.Name`
    Path(ObjectPath),
    /// `…`, for what is left out.
    Elision(Word),
}

impl ObjectName {
    /// A name without a number.
    pub fn new(name: impl Into<String>) -> ObjectName {
        ObjectName { name: Word::new(name), nth: None }
    }

    /// The whole text, where it is a value.
    pub(crate) fn as_value(&self) -> String {
        match self.nth {
            Some(nth) => format!("{} #{nth}", self.name.text),
            None => self.name.text.clone(),
        }
    }
}

impl Given {
    pub(crate) fn at(&self) -> Position {
        match self {
            Given::Name(name) => name.name.at,
            Given::Path(path) => path.at(),
            Given::Elision(word) => word.at,
        }
    }
}

impl ObjectPath {
    pub(crate) fn at(&self) -> Position {
        self.classes.first().map_or(Position { line: 1, column: 1 }, |word| word.at)
    }
}

/// Read one statement, by the names of a schema.
pub fn parse(text: &str, schema: &Schema) -> Result<Statement, Error> {
    let mut reader = Reader::new(text);
    let statement = read_statement(&mut reader, schema)?;
    match reader.is_at_end() {
        true => Ok(statement),
        false => Err(reader.expected("one statement and nothing after it")),
    }
}
