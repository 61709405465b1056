//! What was found of pages that are kept, for others that say the same.
//!
//! A [passage](page::Passage) has the leaves of a kept page in the same places. If the ways to its first leaf are those of that
//! page too, so are all steps within it; and if the best way leaves it as it did there, so are all states. Then both are
//! copied.

use super::assign::{Assigned, Label, Misfit};
use super::beam::{TurnId, Turns};
use super::candidates::How;
use page::{N_KEPT, Passage};
use std::ops::Range;

/// What is known of kept pages, by their slots.
#[derive(Default)]
pub(super) struct Recall {
    pages: [Option<Told>; N_KEPT],
    /// The stretches of the page at hand whose steps were copied.
    pub(super) stretches: Vec<Stretch>,
}

/// How the leaves of a page got their states.
struct Told {
    taken: Vec<TurnId>,
    /// By leaf, the best way up to it, by its place among those that were followed.
    ways: Vec<u8>,
    labels: Vec<Option<Label>>,
    /// By leaf, how many before it there is something to say of.
    n_odd: Vec<u32>,
}

/// Leaves whose steps are those of a kept page.
pub(super) struct Stretch {
    slot: usize,
    first: usize,
    pub(super) leaves: Range<usize>,
}

impl Stretch {
    fn told(&self) -> Range<usize> {
        self.first..self.first + self.leaves.len()
    }
}

impl Recall {
    /// About how much memory it holds, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        let a_leaf = size_of::<(TurnId, Option<Label>)>() + size_of::<u32>();
        self.pages.iter().flatten().map(|told| told.taken.len() * a_leaf).sum()
    }

    /// Begin with a page.
    pub(super) fn start(&mut self) {
        self.stretches.clear();
    }

    /// Steps have other numbers from now on.
    pub(super) fn forget(&mut self) {
        self.pages = Default::default();
    }

    /// The steps of the rest of a passage from one of its leaves on, if that is where they lead on from.
    pub(super) fn steps(
        &mut self,
        turns: &Turns,
        passage: &Passage,
        leaf: usize,
        last: TurnId,
    ) -> Option<&[TurnId]> {
        let told = self.pages[passage.slot].as_ref()?;
        let first = passage.first + (leaf - passage.leaves.start);
        let stretch = Stretch { slot: passage.slot, first, leaves: leaf..passage.leaves.end };
        let steps = told.taken.get(stretch.told())?;
        if !turns.leads_on(last, *steps.first()?) {
            return None;
        }
        self.stretches.push(stretch);
        Some(steps)
    }

    /// The states of a stretch that the best way leaves by a given way, and the way by which it comes there; none if they may
    /// be others, or if there is something to say of them.
    pub(super) fn states(
        &self,
        turns: &Turns,
        stretch: &Stretch,
        way: usize,
    ) -> Option<(&[Option<Label>], usize)> {
        let told = self.pages[stretch.slot].as_ref()?;
        let range = stretch.told();
        let last = range.end.checked_sub(1)?;
        let is_same = usize::from(*told.ways.get(last)?) == way;
        if !is_same || told.n_odd[range.start] != told.n_odd[range.end] {
            return None;
        }
        let first = turns.last_move(told.taken[range.start], usize::from(told.ways[range.start]));
        Some((&told.labels[range], first.before))
    }

    /// Note how a page that is kept from now on got its states, the best way to its end being given.
    pub(super) fn keep(
        &mut self,
        slot: usize,
        turns: &Turns,
        taken: &[TurnId],
        way: usize,
        assigned: &Assigned,
    ) {
        let mut is_odd = vec![false; taken.len()];
        assigned.misfits.iter().filter_map(Misfit::leaf).for_each(|leaf| is_odd[leaf] = true);
        let mut ways = vec![0; taken.len()];
        let mut way = way;
        for (leaf, turn) in taken.iter().enumerate().rev() {
            ways[leaf] = u8::try_from(way).unwrap_or(u8::MAX);
            let last = turns.last_move(*turn, way);
            is_odd[leaf] |= last.how == How::ByTags;
            way = last.before;
        }
        let mut n_odd = vec![0];
        n_odd.extend(is_odd.iter().scan(0, |n, is_odd| {
            *n += u32::from(*is_odd);
            Some(*n)
        }));
        let (taken, labels) = (taken.to_vec(), assigned.labels.clone());
        self.pages[slot] = Some(Told { taken, ways, labels, n_odd });
    }
}
