//! What repeats on a page, and what it is about.
//!
//! One page goes in, without any other of its site; record sets, repeating units, people and organisations come out. What a field
//! is about (names of people, words of departments, titles and their ranks) is data, in `dictionaries/`.

mod config;
mod contact;
mod dictionary;
mod name;
mod people;
mod place;
mod title;
mod units;

pub use config::{Config, Rule, Thresholds};
pub use dictionary::{Dictionary, DictionaryError, UnitKind};
pub use people::{Field, Person, people, people_in};
pub use title::{Rank, rank};
pub use units::{Unit, is_unit, units, units_in};
