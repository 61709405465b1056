//! Proposals for sets: the records of a landmark, and how well they describe the pages.
//!
//! In come landmarks, out comes a proposal for each that marks records, with its figures. Of those that interleave, the
//! figures say which takes precedence.

use super::distance::Likeness;
use super::encode::{Codes, PathCode, number};
use super::false_sets;
use super::landmarks::Landmark;
use super::outline::Outline;
use super::records::{self, Index, Stand};
use super::refine;
use crate::induce::Context;
use crate::twig::{Symbol, TwigId, hash};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A set that may be there.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    landmark: Landmark,
    pub(super) stands: Vec<Stand>,
    figures: Figures,
}

/// How well a proposal describes the pages.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    n_records: usize,
    /// Of a table of the records, in a column a code and turn: what alignment can reach at best.
    density: f64,
    /// Columns of that table as a share of a page's leaves.
    compression: f64,
    /// Share of the leaves under the parents that belong to records.
    coverage: f64,
}

impl Proposal {
    /// Deeper ones first; of those that interleave, the one that leaves less over, then the better described.
    pub(super) fn by_precedence(left: &Proposal, right: &Proposal) -> Ordering {
        let coarse = |proposal: &Proposal| (proposal.figures.coverage * 10.0).round();
        right
            .landmark
            .depth
            .cmp(&left.landmark.depth)
            .then(coarse(right).total_cmp(&coarse(left)))
            .then(right.score().total_cmp(&left.score()))
            .then(right.figures.n_records.cmp(&left.figures.n_records))
            .then(left.landmark.cmp(&right.landmark))
    }

    /// How deep its records stand.
    pub(super) fn depth(&self) -> u32 {
        self.landmark.depth + 1
    }

    /// The paper's measure: what is dense in few columns is a set.
    fn score(&self) -> f64 {
        self.figures.density / self.figures.compression.max(f64::MIN_POSITIVE)
    }

    pub(super) fn describe(
        &self,
        context: &Context<'_>,
        codes: &Codes,
        outlines: &[Outline<'_>],
    ) -> String {
        let Figures { n_records, density, compression, coverage } = self.figures;
        let heart = self.stands.first().and_then(|stand| {
            stand.fdas.first().map(|fda| outlines[stand.page].sheet.paths[fda.index()])
        });
        let path = heart.map(|path| codes.display(context, path)).unwrap_or_default();
        format!(
            "{n_records} records in {} places at {path}: density {density:.2}, compression {compression:.3}, \
             coverage {coverage:.2}, score {:.1}",
            self.stands.len(),
            self.score()
        )
    }
}

/// Different proposals that are looked at in one round.
const MAX_PROPOSALS: usize = 600;
/// Siblings that are looked at in one round, over all proposals: so many, and so many more a page. Of 106 sites none needs
/// more than a quarter of the latter.
const MAX_WORK: (usize, usize) = (500_000, 20_000);

pub(super) fn of_landmarks(
    context: &Context<'_>,
    codes: &Codes,
    outlines: &[Outline<'_>],
    landmarks: Vec<Landmark>,
) -> Vec<Proposal> {
    let index: Vec<Index> = outlines.iter().map(Index::of).collect();
    let scene = Scene { context, codes, outlines, around: around(outlines) };
    let mut likeness = Likeness::new();
    let mut seen = BTreeSet::new();
    let mut work = 0;
    let mut proposals = Vec::new();
    for landmark in landmarks {
        for stands in records::by_role(outlines, records::stands(outlines, &index, &landmark)) {
            let fdas: Vec<(usize, &[TwigId])> =
                stands.iter().map(|stand| (stand.page, &*stand.fdas)).collect();
            if seen.len() < MAX_PROPOSALS && seen.insert(hash(&fdas)) {
                let n_siblings = |stand: &Stand| {
                    outlines[stand.page].sheet.bough.twig(stand.parent).children.len()
                };
                work += stands.iter().map(n_siblings).sum::<usize>();
                if work > MAX_WORK.0 + MAX_WORK.1 * outlines.len() {
                    context.journal.note(1, || "too much to look at: the rest is left".to_owned());
                    return proposals;
                }
                proposals.extend(propose(&scene, &mut likeness, landmark, stands));
            }
        }
    }
    proposals
}

/// What all proposals of a round are made from.
struct Scene<'a> {
    context: &'a Context<'a>,
    codes: &'a Codes,
    outlines: &'a [Outline<'a>],
    around: BTreeMap<Around, usize>,
}

/// What describes less than this of where it stands is chance.
const MIN_COVERAGE: f64 = 0.1;

fn propose(
    scene: &Scene<'_>,
    likeness: &mut Likeness,
    landmark: Landmark,
    mut stands: Vec<Stand>,
) -> Option<Proposal> {
    if stands.iter().all(|stand| stand.fdas.len() < 2) {
        return None;
    }
    records::cut(scene.outlines, likeness, &mut stands);
    let heart = stands.first().and_then(|stand| {
        stand.fdas.first().map(|fda| scene.outlines[stand.page].sheet.paths[fda.index()])
    });
    let reason = false_sets::doubt(scene.context, scene.outlines, &mut stands);
    let figures = figures(scene, &stands);
    let reason = reason.or((figures.coverage < MIN_COVERAGE).then_some("covers too little"));
    let Some(reason) = reason else { return Some(Proposal { landmark, stands, figures }) };
    scene.context.journal.note(1, || {
        let path = heart.map(|path| scene.codes.display(scene.context, path)).unwrap_or_default();
        format!("records at {path}: rejected: {reason}")
    });
    None
}

/// What tells the parents of one set from those of another.
type Around = (PathCode, Symbol, Symbol);

fn around_of(outline: &Outline<'_>, twig: TwigId) -> Around {
    let parent = outline.sheet.bough.twig(twig);
    (outline.sheet.paths[twig.index()], parent.class, parent.id)
}

/// How many entries stand below all that could be the parent of a set.
fn around(outlines: &[Outline<'_>]) -> BTreeMap<Around, usize> {
    let mut around = BTreeMap::new();
    for outline in outlines {
        for (index, twig) in outline.sheet.bough.twigs.iter().enumerate() {
            if !twig.children.is_empty() {
                let id = TwigId(number(index));
                *around.entry(around_of(outline, id)).or_default() += outline.below(id).len();
            }
        }
    }
    around
}

fn figures(scene: &Scene<'_>, stands: &[Stand]) -> Figures {
    let Scene { codes, outlines, around, .. } = scene;
    // By path and turn, how many records have it.
    let mut columns: BTreeMap<(PathCode, usize), usize> = BTreeMap::new();
    let (mut n_records, mut n_inside) = (0, 0);
    for stand in stands {
        let outline = &outlines[stand.page];
        for record in &stand.records {
            let mut turns: BTreeMap<PathCode, usize> = BTreeMap::new();
            for entry in refine::in_blocks(codes, outline, record) {
                let turn = turns.entry(entry.mark.path).or_default();
                *columns.entry((entry.mark.path, *turn)).or_default() += 1;
                *turn += 1;
            }
            n_inside += record.iter().map(|twig| outline.below(*twig).len()).sum::<usize>();
            n_records += 1;
        }
    }
    let n_around = stands.first().map(|it| around[&around_of(&outlines[it.page], it.parent)]);
    let n_leaves: usize = outlines.iter().map(|outline| outline.entries.len()).sum();
    let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
    let sizes: Vec<usize> = columns.into_values().collect();
    Figures {
        n_records,
        density: refine::density(&sizes, n_records),
        compression: share(sizes.len() * outlines.len(), n_leaves),
        coverage: share(n_inside, n_around.unwrap_or_default()),
    }
}
