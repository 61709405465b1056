//! Queries: patterns of objects, and what is made of their matches.
//!
//! ```text
//! query College $c[Faculty: $p[since: > 1990]], not University $u[President: $p] construct $c, count($p) order by count($p) desc limit 10;
//! ```
//!
//! In comes text, [`parse()`] makes a [`Query`] of it, `compile` makes one SQL statement of that, and out comes an [`Answer`].

mod answer;
mod block;
mod compile;
mod parse;
mod pattern;
mod print;
mod props;
mod step;

pub use answer::{Answer, AnswerValue, Table};
pub(crate) use answer::{answer, explain};
pub(crate) use parse::read_query;
pub use print::print;

use crate::error::Error;
use crate::reader::{Reader, Word};
use crate::schema::Schema;
use crate::statement::ObjectName;

/// A query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What must hold.
    pub entries: Vec<Entry>,
    /// What is told of each match; without it, whether there is one.
    pub construct: Vec<Construct>,
    /// In which order.
    pub order: Vec<Order>,
    /// How many at most.
    pub limit: Option<u32>,
}

/// What must hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// There is such an object.
    Match(Pattern),
    /// All of this does not hold together.
    Not(Vec<Entry>),
    /// It holds, however often.
    Exists(Vec<Entry>),
    /// Whenever the first holds, so does the second.
    Forall(Vec<Entry>, Vec<Entry>),
    /// Two values compare so.
    Compare(Word, Comparison, Constant),
}

/// `Class $x[ … ]`
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Of which class.
    pub class: ClassTerm,
    /// Which object.
    pub term: Term,
    /// What it has.
    pub props: Vec<Prop>,
}

/// The class in a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassTerm {
    /// None: the variable was met before.
    Known,
    /// `University.College`, or `College.Faculty` for those who play a role.
    Path(Vec<Word>),
    /// `$class`
    Variable(Word),
}

/// An object or value in a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// `$x`
    Variable(Word),
    /// Names, as many as classes; or a value.
    Named(Vec<ObjectName>),
    /// `> 1990`
    Compared(Comparison, Word),
}

/// `name: term[ … ]` or `name -> { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Prop {
    /// Which property.
    pub name: PropName,
    /// What it is.
    pub body: PropBody,
}

/// The property in a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PropName {
    /// By its name.
    Named(Word),
    /// `$role`
    Variable(Word),
}

/// What a pattern says of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum PropBody {
    /// What it leads to, and what that has: in the context first, where it is a role.
    Term(Term, Vec<Prop>),
    /// Specific relationships.
    Down(Vec<Prop>),
}

/// How values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `>`
    More,
}

impl Comparison {
    /// All, those first that others are the start of.
    pub const ALL: [Comparison; 6] = [
        Comparison::Unequal,
        Comparison::AtMost,
        Comparison::AtLeast,
        Comparison::Equal,
        Comparison::Less,
        Comparison::More,
    ];

    /// Its mark.
    pub fn mark(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::Unequal => "!=",
            Comparison::AtMost => "<=",
            Comparison::AtLeast => ">=",
            Comparison::Less => "<",
            Comparison::More => ">",
        }
    }

    fn sql(self) -> &'static str {
        match self {
            Comparison::Unequal => "<>",
            other => other.mark(),
        }
    }
}

/// The right side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Another variable.
    Variable(Word),
    /// A value, or the name of an object.
    Value(Word),
}

/// What is told of matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Construct {
    /// Of all that are otherwise the same, if there is a function.
    pub function: Option<Function>,
    /// Of which variable.
    pub variable: Word,
}

/// What is made of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// How many different ones.
    Count,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 3] = [Function::Count, Function::Min, Function::Max];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Function::Count => "count",
            Function::Min => "min",
            Function::Max => "max",
        }
    }
}

/// What rows are ordered by.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Something that is constructed.
    pub by: Construct,
    /// The greatest first.
    pub is_descending: bool,
}

/// Read a query, by the names of a schema. The semicolon may be left out.
pub fn parse(text: &str, schema: &Schema) -> Result<Query, Error> {
    let mut reader = Reader::new(text);
    if !reader.takes_word("query") {
        return Err(reader.expected("\"query\""));
    }
    let query = read_query(&mut reader, schema)?;
    match reader.is_at_end() {
        true => Ok(query),
        false => Err(reader.expected("one query and nothing after it")),
    }
}
