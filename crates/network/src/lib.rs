//! The information network: one object for each thing of the world, with all that pages say of it.
//!
//! A schema says which classes, relationships and roles there are; statements insert, update and delete; queries find. It is kept in
//! a database, together with where each fact was read. [`merge`] makes objects of what many pages say.
//!
//! ```
//! use network::{Network, Source};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let file = folder.path().join("u.db");
//! # let file = file.to_str().unwrap();
//! let mut network = Network::open(file)?; // or "postgres://…"
//! network.define("class Person; class College [ role Faculty(inverse worksIn, id title): Person* { Professors } ];")?;
//! network.run("Insert College MCS [ Faculty -> { Professors: { Eric T. Ahrens } } ];", &Source::by_hand())?;
//! let network::Answer::Table(found) = network.query("query Person $p[worksIn: $o[title: $t]] construct $p, $t")? else { panic!() };
//! assert_eq!(found.rows[0][0].text(), "Eric T. Ahrens");
//! assert_eq!(found.rows[0][1].text(), "Professors");
//! # Ok::<(), network::Error>(())
//! ```
//!
//! Programs need no text. [`Network::change`] is one transaction; within it, [`Facts`] finds and writes:
//!
//! ```
//! # use network::{Network, Source};
//! # let folder = tempfile::tempdir().unwrap();
//! # let file = folder.path().join("u.db");
//! # let mut network = Network::open(file.to_str().unwrap())?;
//! # network.define("class Person [ email: email* ]; class College [ role Faculty: Person* [ since: int ] { Professors } ];")?;
//! let schema = network.schema().clone();
//! let (college, person) = (schema.class_named("College").unwrap(), schema.class_named("Person").unwrap());
//! let professors = schema.property_named(college, "Professors").unwrap();
//! let email = schema.property_named(person, "email").unwrap();
//! let since = schema.context_named(professors, "since").unwrap();
//!
//! let page = Source::page("https://example.org/people", 1_750_000_000_000).with_wrapper("people.json");
//! network.change(&page, |facts| {
//!     let unit = facts.add_object(college, "MCS", None)?;
//!     facts.set_source(&page.at("/html/body/ul/li[1]").with_confidence(0.9))?;
//!     let ann = match facts.find(person, "Ann Lee")?.first() {
//!         Some(known) => known.id,
//!         None => facts.add_object(person, "Ann Lee", None)?,
//!     };
//!     facts.attribute(ann, email, "ann@example.org")?;
//!     let context = facts.role(unit, professors, ann)?;
//!     facts.attribute(context, since, "2001")
//! })?;
//! # Ok::<(), network::Error>(())
//! ```
//!
//! What is written again is seen again: its time moves on, other pages become evidence. [`Facts::mark_gone`] marks what pages do not
//! say any more.

mod apply;
mod built_in;
mod doubt;
mod draw;
mod error;
mod export;
mod facts;
pub mod merge;
mod network;
mod profile;
pub mod query;
mod reader;
pub mod schema;
pub mod statement;
mod store;
mod told;

pub use built_in::{built_in, built_in_names};
pub use doubt::DoubtRow;
pub use error::{Error, Rule};
pub use export::{ExportError, Format};
pub use facts::{ContextId, Facts, Holder, ObjectId, ObjectRow};
pub use network::{Done, Network};
pub use profile::{Profile, ProfileContext, ProfileFact, Seen};
pub use query::{Answer, AnswerValue, Table};
pub use reader::{Position, Word};
pub use schema::{ClassId, PropertyId, Schema};
pub use store::Source;
