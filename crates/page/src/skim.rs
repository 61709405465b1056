//! Leaves without a tree, for page after page of one template.
//!
//! Pages of one template take the same turns again and again: the same tag in the same place does the same. So a [`Skimmer`]
//! is an automaton that is worked out as it goes. Its states are all that tree construction, the leaf view and whoever
//! reads the leaves know between two tokens; where a token leads from a state is asked of tree construction itself, on a
//! [replica](crate::build::Replica) of what is open, and remembered. What was asked before is looked up, at the speed of
//! finding the ends of tags.
//!
//! - `symbol`: tags as numbers, by what they mean
//! - `automaton`: the states, and what leads from one to the next
//! - `run`: one page from its first byte to its last
//! - `leaf`: the leaves on the way
//! - `again`: what earlier pages had to the letter, which is copied
//!
//! What a tree would tell otherwise is never guessed: a page on which anything happens that the automaton has no state for
//! is parsed instead. So are pages that bring too much that is new, and for a while all of them, where too many had to be.
//! What is kept is bounded.

mod again;
mod automaton;
mod leaf;
mod run;
mod symbol;

use crate::decode::decode;
use crate::leaf::Leaves;
use crate::limits::Limits;
use crate::parse::{ParseConfig, build};
use crate::tree::Page;
use again::Again;
use automaton::Automaton;
use run::Run;
use std::ops::Range;
use symbol::Attributes;

/// What somebody who reads leaves sees in the elements around them.
///
/// Elements that look the same to it are the same to a [`Skimmer`], which asks once for each.
pub trait Eye {
    /// The attributes that it looks at.
    fn attributes(&self) -> &'static [&'static str];

    /// A number for the values of these, the same for what means the same.
    fn meaning(&mut self, values: &[Option<&str>]) -> u32;

    /// A number for an element of such a meaning, inside of one that has a number; the document's is 0. Those that are to
    /// be told apart have different ones.
    fn mark(&mut self, around: u32, tag: &str, meaning: u32) -> u32;

    /// No number that was given before will be met again.
    fn forget(&mut self);
}

/// Where a leaf stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number that the [`Eye`] gave to its element.
    pub mark: u32,
    /// How many of the elements around it are those around the leaf before, its own one counted.
    pub common: u16,
}

/// The leaves of a page, and where they stand.
#[derive(Clone, Copy, Debug)]
pub struct Skimmed<'s> {
    /// They are those of the [page](Page::leaves), but that no nodes are known.
    pub leaves: &'s Leaves,
    /// By leaf.
    pub places: &'s [Place],
    /// What it has to the letter as earlier pages, in order.
    pub passages: &'s [Passage],
    /// Where it is kept from now on, if it is; see [`Passage::slot`].
    pub kept: Option<usize>,
}

/// Leaves of a page that are those of an earlier one: they say the same in the same [places](Place), one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Which page that is: the last one that was kept there, below [`N_KEPT`].
    pub slot: usize,
    /// The first of these leaves on that page.
    pub first: usize,
    /// The leaves on the page at hand.
    pub leaves: Range<usize>,
}

/// So many pages are kept to compare others with.
pub const N_KEPT: usize = 4;

/// Finds the leaves of page after page of one template, mostly without parsing them.
pub struct Skimmer {
    automaton: Option<Automaton>,
    leaves: Leaves,
    places: Vec<Place>,
    attributes: Attributes,
    again: Again,
    /// How many more transitions may be worked out.
    learnable: u32,
    /// How many pages in a row could not be skimmed, and how many are not tried for that.
    n_unfit: u32,
    n_passed_over: u32,
}

/// Why a page cannot be skimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfit {
    /// A token does something that only the page can tell.
    Token,
    /// Too much is new.
    New,
    /// It comes near the bounds of what a page may cost, or has others.
    Limit,
    /// Too many before it could not.
    Passed,
}

/// So much may be found out at first, which takes some dozens of milliseconds, and for each page more.
const LEARNABLE: u32 = 20_000;
const LEARNABLE_A_PAGE: u32 = 20;
/// After so many pages in a row that could not be skimmed some are not tried, and ever more.
const MAX_UNFIT: u32 = 3;
const MAX_PASSED_OVER: u32 = 64;

impl Default for Skimmer {
    fn default() -> Skimmer {
        Skimmer {
            automaton: None,
            leaves: Leaves::default(),
            places: Vec::new(),
            attributes: Attributes::default(),
            again: Again::default(),
            learnable: LEARNABLE,
            n_unfit: 0,
            n_passed_over: 0,
        }
    }
}

impl std::fmt::Debug for Skimmer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Skimmer").finish_non_exhaustive()
    }
}

impl Skimmer {
    /// The leaves of a page, or the page itself where it had to be parsed.
    pub fn skim(
        &mut self,
        html: &[u8],
        config: &ParseConfig,
        eye: &mut dyn Eye,
    ) -> Result<Skimmed<'_>, Box<Page>> {
        let decoded = decode(html, config.charset.as_deref(), config.limits.bytes);
        match self.try_to(&decoded.text, config.limits, eye) {
            Ok(kept) => Ok(Skimmed {
                leaves: &self.leaves,
                places: &self.places,
                passages: &self.again.passages,
                kept,
            }),
            Err(_) => Err(Box::new(build(decoded, config.limits))),
        }
    }

    /// About how much memory it holds, in bytes.
    pub fn n_bytes(&self) -> usize {
        let automaton = self.automaton.as_ref().map_or(0, Automaton::n_bytes);
        let places = self.places.capacity() * size_of::<Place>();
        automaton + self.again.n_bytes() + self.leaves.n_bytes() + places
    }

    /// Says where the page is kept, if it is.
    fn try_to(
        &mut self,
        source: &str,
        limits: Limits,
        eye: &mut dyn Eye,
    ) -> Result<Option<usize>, Unfit> {
        if !is_usual(limits) {
            return Err(Unfit::Limit);
        }
        if self.n_unfit > MAX_UNFIT {
            let to_pass_over = (1 << (self.n_unfit - MAX_UNFIT).min(16)).min(MAX_PASSED_OVER);
            if self.n_passed_over < to_pass_over {
                self.n_passed_over += 1;
                return Err(Unfit::Passed);
            }
            self.n_passed_over = 0;
        }
        if self.automaton.as_ref().is_some_and(Automaton::is_full) {
            self.automaton = None;
        }
        self.learnable = self.learnable.saturating_add(LEARNABLE_A_PAGE).min(LEARNABLE);
        let automaton = match &mut self.automaton {
            Some(automaton) => automaton,
            none => {
                eye.forget();
                self.leaves = Leaves::default();
                self.again = Again::default();
                none.insert(Automaton::new(eye))
            }
        };
        let mut run = Run::new(
            source,
            automaton,
            eye,
            &mut self.leaves,
            &mut self.places,
            &mut self.attributes,
            &mut self.learnable,
            &mut self.again,
        );
        let (read, track) = (run.read(), run.track);
        self.n_unfit = if read.is_ok() { 0 } else { self.n_unfit + 1 };
        read.map(|()| self.again.keep(track, source, &self.leaves, &self.places))
    }
}

/// Whether a page may cost what the automaton was made for.
fn is_usual(limits: Limits) -> bool {
    Limits { bytes: 0, ..limits } == Limits { bytes: 0, ..Limits::default() }
}
