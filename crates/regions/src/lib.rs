//! What repeats on a page, and what it is about.
//!
//! One page goes in, without any other of its site; record sets, repeating units, people and organisations come out. What a field
//! is about (names of people, words of departments, titles and their ranks) is data, in `dictionaries/`.

mod boxes;
mod config;
mod contact;
mod dictionary;
mod matching;
mod measure;
mod name;
mod people;
mod place;
mod record_set;
mod repeat;
mod title;
mod tree;
mod units;

pub use boxes::{Boxes, Rect};
pub use config::{Config, Rule, Thresholds};
pub use dictionary::{Dictionary, DictionaryError, UnitKind};
pub use matching::Matcher;
pub use measure::Measures;
pub use name::{is_name, name_in};
pub use people::{Field, Person, people, people_in};
pub use record_set::{Candidate, RecordSet, SetConfig, candidates, record_sets};
pub use repeat::{Method, Repeat, RepeatConfig, repeats};
pub use title::{Rank, rank};
pub use tree::{Outline, Twig, TwigId};
pub use units::{Unit, is_unit, units, units_in};
