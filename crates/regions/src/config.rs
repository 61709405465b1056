//! What is looked for, and how sure it has to be.

use crate::dictionary::Dictionary;
use std::sync::Arc;

/// How record sets, people and units are found.
#[derive(Clone, Debug)]
pub struct Config {
    /// What words are about.
    pub dictionary: Arc<Dictionary>,
    /// When a set counts.
    pub thresholds: Thresholds,
}

/// How sets are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Each member by itself and by what the others are like.
    Graded,
    /// A set counts as a whole, from a share of members on that the dictionary knows: the way of the WEB-UIE paper.
    Paper,
}

/// Limits from which on things count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// How sets are judged.
    pub rule: Rule,
    /// The share of a set of units that the dictionary must cover.
    pub units: f64,
    /// A set of units has more members than this.
    pub min_units: usize,
    /// By the paper's rule, the share of leaves of one path that must be names.
    pub people: f64,
    /// The probability from which on a name is one.
    pub names: f64,
    /// How much the names at the same place of other records count; with 0, each name stands for itself.
    pub regularity: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            rule: Rule::Graded,
            units: 0.65,
            min_units: 4,
            people: 0.75,
            names: 0.5,
            regularity: 1.0,
        }
    }
}

impl Thresholds {
    /// What the paper found best.
    pub fn paper() -> Thresholds {
        Thresholds { rule: Rule::Paper, ..Thresholds::default() }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { dictionary: Dictionary::built_in(), thresholds: Thresholds::default() }
    }
}
