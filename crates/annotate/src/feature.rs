//! What is known of a spot: numbers and categories that a page alone gives (`plain`), and evidence by words that training
//! weighs (`evidence`).

pub(crate) mod evidence;
mod plain;

pub(crate) use plain::{N_PLAIN, Plain};

use crate::target::Group;

/// How the values of a feature are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Numbers, which training cuts into intervals.
    Numbers,
    /// Categories, of which there are so many.
    Categories(usize),
}

/// One feature that a page alone gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    pub(crate) scale: Scale,
}

/// For each element how much more the best statement about it is worth than those that say the same as a spot.
pub(crate) fn contradictions(stated: &[f32], start: usize, values: &mut Vec<f32>) {
    let own = start + evidence::Kind::Statement as usize * evidence::N_SIDES * stated.len();
    for (element, best) in stated.iter().enumerate() {
        values.push(best - values[own + element]);
    }
}
