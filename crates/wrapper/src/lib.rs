//! Pages to wrappers: what the pages of one template have in common, and where they differ.
//!
//! In come pages of one template and nothing else; out comes its [`Schema`]: the columns that hold data, the sets that hold
//! records, and a name for each. Everything works on the pages' leaves and on the tree above them.
//!
//! - `group` tells which pages are of one template, and sets aside those of another.
//! - `twig` cuts a page's tree down to what holds leaves.
//! - `induce` descends: it sorts the children of all instances of a place into `classes`, finds rows that a `label` picks
//!   out and `sets` of records, and goes on inside each.
//! - `uwide` is another way from pages to slots, that of the UWIDE paper, in place of `induce` and `runs`.
//! - `runs` finds stretches of text that only inline markup breaks, which are one value.
//! - `columns` gives names and reads off the values.
//! - `cut` gives columns to records that somebody else found on a page.
//! - [`active`] learns from few of many pages: those that teach something.
//! - `edit` has what people change of a schema afterwards, `example` names columns by their values.
//! - `baseline` is how well the pages learnt from are read themselves: what `check` compares with.
//! - `check` adds up whether many pages fit, and `repair` learns again from those that do not, under the old names.
//! - `machine` has a state for each place of the template; `extract` runs it over other pages, `format` keeps it in files.
//! - `problem` is what does not fit, `usual` what fits and looks otherwise than ever, `trace` where each value was read and why.
//!
//! This room opens no file, reads no clock, and gives the same answer for the same pages in any order.

pub mod active;
mod baseline;
mod check;
mod classes;
mod columns;
mod cut;
mod data;
mod edit;
pub mod escape;
mod example;
mod experience;
mod extract;
mod format;
mod group;
mod headers;
mod induce;
mod journal;
mod label;
mod learn;
mod machine;
mod name;
mod problem;
mod repair;
mod runs;
mod schema;
mod sets;
mod text;
mod threads;
mod trace;
mod twig;
mod usual;
mod uwide;

pub use active::{ActiveConfig, Trained, train};
pub use check::{Check, CheckConfig, Fill, Oddity, ProblemGroup, Report};
pub use cut::{Cut, Cutter};
pub use data::{Data, Text, Value};
pub use edit::{Edit, EditError};
pub use example::{Example, NameError, Named};
pub use extract::{Extraction, Extractor, Status, Wrapper};
pub use format::FormatError;
pub use group::templates;
pub use learn::{LearnConfig, LearnError, Learnt, Method, learn};
pub use problem::{Problem, ProblemKind};
pub use repair::{Change, Fate, Repaired, repair};
pub use schema::{Column, Field, FieldPath, FieldPathError, Reads, Schema, Set};
pub use trace::{Absent, How, Loss, Neighbour, Rival, Source, Trace, Traced, TracedState};
pub use usual::{Alphabet, Counts, Usual, Warning, WarningKind};
