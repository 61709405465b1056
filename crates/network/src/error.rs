//! What can go wrong, and what is said then.

use crate::reader::Position;
use std::fmt;
use thiserror::Error;

/// Why something could not be done with a network.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is no schema, statement or query.
    #[error("{at}: {message}")]
    Syntax {
        /// Where.
        at: Position,
        /// What was expected, and what is there.
        message: String,
    },
    /// A statement, query or schema breaks a rule of the model. Nothing of it was done.
    #[error("{}{message} ({rule})", at.map_or(String::new(), |at| format!("{at}: ")))]
    Check {
        /// Which rule.
        rule: Rule,
        /// Where in the text, if it came as one.
        at: Option<Position>,
        /// What is wrong, and the way out.
        message: String,
    },
    /// An object is named that is not there, or that could be several.
    #[error("{}{message}", at.map_or(String::new(), |at| format!("{at}: ")))]
    Object {
        /// Where in the text, if it came as one.
        at: Option<Position>,
        /// Which, and the way out.
        message: String,
    },
    /// Another process writes the same network and went on for too long.
    #[error("{store} is being written by another process; try again when it is done")]
    Busy {
        /// The network.
        store: String,
    },
    /// The database is of something else, of another version, or damaged.
    #[error("{store} is no network that this version of Pagemill can read: {reason}")]
    Foreign {
        /// The network.
        store: String,
        /// What is wrong.
        reason: String,
    },
    /// What the database says.
    #[error("cannot use the network: {0}")]
    Database(String),
}

/// The rules of the model that statements and schemas are checked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Each name is declared.
    Declared = 1,
    /// The word before a name is the kind that it was declared with.
    Kind,
    /// What `->` leads to is a specific relationship.
    Specific,
    /// As many values as declared.
    Cardinality,
    /// Values are of their type.
    Type,
    /// Only roles have a context.
    Context,
    /// An object has one container.
    Container,
    /// Nothing contains itself.
    Cycle,
    /// What a relationship leads to is of its class.
    Target,
    /// A key is unique in its container.
    Key,
    /// Nothing is inserted into the class of those who play a role.
    Induced,
    /// An inverse does not take another's name.
    Inverse,
    /// What is deleted takes its contexts and parts along.
    Whole,
    /// Where several roles share an inverse, the identification says which is meant.
    Identification,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{}", *self as u8)
    }
}

impl Error {
    pub(crate) fn check(rule: Rule, at: impl Into<Option<Position>>, message: String) -> Error {
        Error::Check { rule, at: at.into(), message }
    }

    pub(crate) fn object(at: impl Into<Option<Position>>, message: String) -> Error {
        Error::Object { at: at.into(), message }
    }

    /// The same, with a place where there was none.
    pub(crate) fn or_at(self, place: Position) -> Error {
        match self {
            Error::Check { rule, at: None, message } => {
                Error::Check { rule, at: Some(place), message }
            }
            Error::Object { at: None, message } => Error::Object { at: Some(place), message },
            other => other,
        }
    }

    /// The rule that was broken, if it is one.
    pub fn rule(&self) -> Option<Rule> {
        match self {
            Error::Check { rule, .. } => Some(*rule),
            _ => None,
        }
    }
}
