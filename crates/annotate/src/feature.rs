//! What is known of a spot: numbers and categories that a page alone gives (`plain`), and evidence by words that training
//! weighs (`evidence`).

pub(crate) mod evidence;
mod plain;
mod statements;
mod surroundings;
mod weights;
mod word;

pub(crate) use plain::{N_PLAIN, Plain};
pub(crate) use surroundings::Surroundings;

use crate::sheet::{Sheet, Spot};
use crate::target::Group;
use evidence::{Kind, N_SIDES};

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
    /// How alike paths are to those of each element, at `path * n_elements + element`.
    similarities: Vec<f32>,
}

impl<'s, 'p> Vectors<'s, 'p> {
    pub(crate) fn new(
        sheet: &'s Sheet<'p>,
        stated: Vec<f32>,
        similarities: Vec<f32>,
    ) -> Vectors<'s, 'p> {
        Vectors { sheet, plain: Plain::new(sheet), stated, similarities }
    }

    /// Append those of a spot. `words` writes down what words say of it, by kind, side and element.
    pub(crate) fn push(&self, spot: &Spot, words: impl FnOnce(&mut [f32]), values: &mut Vec<f32>) {
        self.plain.of(spot, values);
        let start = values.len();
        values.resize(start + Kind::OF_SPOTS.len() * N_SIDES * self.stated.len(), 0.0);
        words(&mut values[start..]);
        self.contradictions(start, values);
        let n_elements = self.stated.len();
        if spot.leaves.is_empty() {
            values.extend(std::iter::repeat_n(0.0, n_elements));
            return;
        }
        let path = self.sheet.leaves.get(spot.leaves.start).path.index();
        values.extend(&self.similarities[path * n_elements..(path + 1) * n_elements]);
    }

    /// For each element how much more the best statement about it is worth than those that say the same as a spot.
    fn contradictions(&self, start: usize, values: &mut Vec<f32>) {
        let own = start + Kind::Statement as usize * N_SIDES * self.stated.len();
        for (element, best) in self.stated.iter().enumerate() {
            values.push(best - values[own + element]);
        }
    }
}
