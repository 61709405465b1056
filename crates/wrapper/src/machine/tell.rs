//! What does not fit on a page, told with what was expected there. Made only for pages that have problems, and of these for
//! the first few problems.

use super::Machine;
use super::assign::Misfit;
use super::names::{Names, cut, quoted};
use super::records::Labelled;
use super::steps::StepId;
use crate::problem::{Problem, ProblemKind};
use crate::schema::SlotId;

/// So many places are told of those that were expected.
const MAX_EXPECTED: usize = 3;
/// What only the frame of the page has in common with a leaf is not near it.
const FRAME: usize = 2;

/// Tells the problems of one page.
pub(crate) struct Teller<'a> {
    pub(crate) page: Labelled<'a>,
    pub(crate) names: &'a Names,
}

impl Teller<'_> {
    pub(crate) fn tell(&self, misfit: &Misfit) -> Problem {
        match misfit {
            Misfit::Inserted { leaf } => {
                let after = self.state_before(*leaf);
                Problem {
                    expected: self.next_of(after),
                    nearest: self.nearest(*leaf),
                    ..self.at(ProblemKind::New, *leaf, after)
                }
            }
            Misfit::Reworded { leaf, slot } => {
                let text = self.page.machine.look(*slot).and_then(|look| look.text.as_deref());
                Problem {
                    expected: text.map(quoted).into_iter().collect(),
                    nearest: Some(self.name(*slot)),
                    ..self.at(ProblemKind::Reworded, *leaf, self.state_before(*leaf))
                }
            }
            Misfit::OutOfOrder { leaf, slot, after } => Problem {
                expected: self.next_of(*after),
                nearest: Some(self.name(*slot)),
                ..self.at(ProblemKind::OutOfOrder, *leaf, *after)
            },
            Misfit::TooShort { after } => match self.page.leaves.len().checked_sub(1) {
                Some(last) => Problem {
                    expected: self.next_of(*after),
                    ..self.at(ProblemKind::TooShort, last, *after)
                },
                None => Problem::of_page(ProblemKind::TooShort),
            },
            Misfit::Missing { n, of } => Problem {
                expected: self.missing(),
                ..Problem::of_page(ProblemKind::Missing { n: *n, of: *of })
            },
        }
    }

    fn name(&self, slot: SlotId) -> String {
        self.names.of(self.page.machine, slot)
    }

    fn at(&self, kind: ProblemKind, leaf: usize, after: SlotId) -> Problem {
        let shown = self.page.leaves.get(leaf);
        let text = if shown.text.is_empty() { shown.src.unwrap_or_default() } else { shown.text };
        Problem {
            kind,
            leaf: Some(leaf),
            text: cut(text),
            path: self.page.leaves.paths().display(shown.path).to_string(),
            after: (after != 0).then(|| self.name(after)),
            expected: Vec::new(),
            nearest: None,
        }
    }

    /// The state of the last leaf before one that has any; 0 at the start.
    fn state_before(&self, leaf: usize) -> SlotId {
        let before = self.page.assigned.labels[..leaf].iter().rev();
        before.flatten().next().map_or(0, |label| label.slot)
    }

    /// What came right after a state, the most frequent first.
    fn next_of(&self, after: SlotId) -> Vec<String> {
        let follows = &self.page.machine.follows;
        let start = follows.partition_point(|(from, _, _)| *from < after);
        let mut next: Vec<(u32, SlotId)> = follows[start..]
            .iter()
            .take_while(|(from, _, _)| *from == after)
            .map(|(_, to, n)| (*n, *to))
            .collect();
        next.sort_by_key(|(n, to)| (std::cmp::Reverse(*n), *to));
        self.first_names(next.into_iter().map(|(_, slot)| slot))
    }

    /// What every page had and this one lacks.
    fn missing(&self) -> Vec<String> {
        let has =
            |slot: SlotId| self.page.assigned.labels.iter().flatten().any(|it| it.slot == slot);
        self.first_names(self.page.tables.always().filter(|slot| !has(*slot)))
    }

    fn first_names(&self, slots: impl Iterator<Item = SlotId>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for slot in slots {
            let name = self.name(slot);
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() == MAX_EXPECTED {
                break;
            }
        }
        names
    }

    /// The most frequent of the places whose elements have most in common with those of a leaf.
    fn nearest(&self, leaf: usize) -> Option<String> {
        let found = self.page.places[leaf].found;
        let n_common = self.page.machine.way_to(found.step).len();
        let slot = self.page.tables.commonest(found.step).filter(|_| n_common > FRAME)?;
        Some(self.name(slot))
    }
}

impl Machine {
    /// The steps from the root to a step, without the document.
    pub(super) fn way_to(&self, step: StepId) -> Vec<StepId> {
        let mut way = Vec::new();
        let mut step = step;
        while step != 0 {
            way.push(step);
            step = self.steps.parent(step);
        }
        way.reverse();
        way
    }
}
