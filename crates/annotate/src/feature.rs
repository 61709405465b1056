//! What is known of a spot: numbers and categories that a page alone gives (`plain`), and evidence by words that training
//! weighs (`evidence`).

pub(crate) mod evidence;
mod plain;

pub(crate) use plain::{N_PLAIN, Plain};

use crate::path::Steps;
use crate::sheet::{Sheet, Spot};
use crate::target::Group;
use crate::text::Map;
use evidence::{Kind, Weights, Word};

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

/// The features of the spots of one page, for training and for annotating alike: first the plain ones, then what words say, then
/// what statements contradict, then how alike paths are.
pub(crate) struct Vectors<'s, 'p> {
    sheet: &'s Sheet<'p>,
    plain: Plain<'s, 'p>,
    /// What the best statement about each element is worth.
    stated: Vec<f32>,
    /// By path.
    similarities: Map<usize, Vec<f32>>,
}

impl<'s, 'p> Vectors<'s, 'p> {
    pub(crate) fn new(sheet: &'s Sheet<'p>, stated: Vec<f32>) -> Vectors<'s, 'p> {
        Vectors { sheet, plain: Plain::new(sheet), stated, similarities: Map::default() }
    }

    /// Append those of a spot. `similar` says how alike a path is to those of each element; it is asked once a path.
    pub(crate) fn push(
        &mut self,
        spot: &Spot,
        words: &[(Kind, Word)],
        weights: &Weights,
        similar: impl FnOnce(&Steps) -> Vec<f32>,
        values: &mut Vec<f32>,
    ) {
        self.plain.of(spot, values);
        let start = values.len();
        weights.strongest(words, values);
        self.contradictions(start, values);
        let Some(tags) = self.sheet.tags(spot) else {
            values.extend(std::iter::repeat_n(0.0, self.stated.len()));
            return;
        };
        let path = self.sheet.leaves.get(spot.leaves.start).path.index();
        let known = self.similarities.entry(path);
        values.extend(
            &*known.or_insert_with(|| similar(&Steps::new(tags.iter().map(String::as_str)))),
        );
    }

    /// For each element how much more the best statement about it is worth than those that say the same as a spot.
    fn contradictions(&self, start: usize, values: &mut Vec<f32>) {
        let own = start + Kind::Statement as usize * evidence::N_SIDES * self.stated.len();
        for (element, best) in self.stated.iter().enumerate() {
            values.push(best - values[own + element]);
        }
    }
}
