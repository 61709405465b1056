//! Repeating units: what comes several times under one parent, or under several parents of one kind.
//!
//! In comes an outline, out come [`Repeat`]s, each some units that are alike. A unit is one subtree or several siblings: a row, a card,
//! or `dt dd dd`. The paper's way (Algorithm 1 of WEB-UIE) is kept as [`Method::Scan`]; ours ([`Method::Sort`]) sorts siblings into
//! kinds first, which finds units whatever their first one looks like, and costs little because equal subtrees share a hash.

mod kinds;
mod scan;
mod spread;
mod units;

use crate::matching::Matcher;
use crate::tree::{Outline, TwigId};
use page::Leaves;

/// Siblings that make up one record.
pub(crate) type Unit = Vec<TwigId>;

/// Units that are alike.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// What holds them; of units under several parents, what holds all.
    pub parent: TwigId,
    /// In document order.
    pub units: Vec<Vec<TwigId>>,
    /// Whether they stand under several parents.
    pub is_spread: bool,
}

/// How units of one parent are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Sort siblings by kind, then see which kinds take turns.
    #[default]
    Sort,
    /// From each sibling on, look for the next that is like it: the paper's Algorithm 1.
    Scan,
}

/// When trees are alike, and how many make a repeat.
#[derive(Clone, Copy, Debug)]
pub struct RepeatConfig {
    /// How units are found.
    pub method: Method,
    /// Trees more alike than this are of one kind.
    pub similarity: f64,
    /// The same for trees whose roots have the same classes, which says more than what is below them.
    pub similarity_of_role: f64,
    /// Fewer units than this are no repeat.
    pub min_units: usize,
    /// Whether siblings in a row that are equal count once.
    pub folds_runs: bool,
    /// Whether units under several parents are put together.
    pub spreads: bool,
}

impl Default for RepeatConfig {
    fn default() -> RepeatConfig {
        RepeatConfig {
            method: Method::Sort,
            similarity: 0.8,
            similarity_of_role: 0.35,
            min_units: 2,
            folds_runs: true,
            spreads: true,
        }
    }
}

impl RepeatConfig {
    /// As the paper has it: similarity over 0.8, more than three repetitions, Algorithm 1; classes are not looked at.
    pub fn paper() -> RepeatConfig {
        RepeatConfig {
            method: Method::Scan,
            similarity: 0.8,
            similarity_of_role: 0.8,
            min_units: 4,
            folds_runs: false,
            spreads: true,
        }
    }
}

/// All that repeats on a page.
///
/// ```
/// use regions::{Outline, RepeatConfig, repeats};
///
/// let page = page::parse(b"<dl><dt>Dune<dd>$9<dd>1965<dt>Emma<dd>$7<dd>1815<dt>Kim<dd>$5<dd>1901</dl>");
/// let leaves = page.leaves();
/// let outline = Outline::new(&page, &leaves);
/// let found = repeats(&outline, &leaves, &RepeatConfig::default());
/// assert_eq!(found.iter().map(|it| it.units.len()).max(), Some(3));
/// assert!(found[0].units.iter().all(|unit| unit.len() == 3));
/// ```
pub fn repeats(outline: &Outline, leaves: &Leaves, config: &RepeatConfig) -> Vec<Repeat> {
    Search::new(outline, leaves, config).repeats()
}

/// What every step of a search knows.
pub(crate) struct Search<'o> {
    pub(crate) outline: &'o Outline,
    pub(crate) leaves: &'o Leaves,
    pub(crate) matcher: Matcher<'o>,
    pub(crate) config: &'o RepeatConfig,
}

impl<'o> Search<'o> {
    pub(crate) fn new(outline: &'o Outline, leaves: &'o Leaves, config: &'o RepeatConfig) -> Self {
        let matcher = Matcher::new(outline, config.folds_runs);
        Search { outline, leaves, matcher, config }
    }

    pub(crate) fn repeats(&mut self) -> Vec<Repeat> {
        let mut found = Vec::new();
        for parent in self.outline.twigs() {
            let is_choice = self.outline.twig(parent).is_choice;
            if self.outline.children(parent).len() > 1 && !is_choice {
                self.below(parent, &mut found);
            }
        }
        if self.config.spreads {
            let spread = spread::join(self, &found);
            found.extend(spread);
        }
        found.retain(|repeat| repeat.units.len() >= self.config.min_units);
        found
    }

    /// What repeats among the children of one parent.
    fn below(&mut self, parent: TwigId, found: &mut Vec<Repeat>) {
        let units = match self.config.method {
            Method::Scan => scan::units(self, parent),
            Method::Sort => {
                let kinds = kinds::of_siblings(self, self.outline.children(parent));
                units::assemble(self.outline, self.outline.children(parent), kinds)
            }
        };
        let repeat = |units| Repeat { parent, units, is_spread: false };
        found.extend(units.into_iter().map(repeat));
    }

    /// Whether two twigs are of one kind.
    pub(crate) fn are_one_kind(&mut self, left: TwigId, right: TwigId) -> bool {
        self.kinship(left, right) > 0.0
    }

    /// How alike two twigs of one kind are; 0 if they are of two.
    pub(crate) fn kinship(&mut self, left: TwigId, right: TwigId) -> f64 {
        let (a, b) = (self.outline.twig(left), self.outline.twig(right));
        if a.tag != b.tag {
            return 0.0;
        }
        let has_role = a.role != 0 || b.role != 0;
        let looks_at_role = self.config.similarity_of_role < self.config.similarity;
        let threshold = match (looks_at_role && has_role, a.role == b.role) {
            (true, true) => self.config.similarity_of_role,
            _ if looks_at_role && a.is_item => self.config.similarity_of_role,
            (true, false) if a.shares_word(b) => {
                (self.config.similarity_of_role + self.config.similarity) / 2.0
            }
            // A title and a price are of one build and two roles.
            (true, false) if a.folded.min(b.folded) <= SMALL => return 0.0,
            _ => self.config.similarity,
        };
        let alike = self.matcher.alike(left, right);
        if alike > threshold { alike } else { 0.0 }
    }
}

/// Trees up to this size say nothing that their classes do not say better.
const SMALL: u32 = 4;
