//! Finding sets: which landmarks mark records, where each record begins and ends.
//!
//! In come the outlines of all pages, out come the same with their sets folded, inner ones first. Each round looks for
//! landmarks, makes a proposal of each, settles which of them stand, and folds those; until a round finds none.

use super::align::Scores;
use super::encode::Codes;
use super::landmarks;
use super::outline::{Fold, Outline};
use super::proposal::{self, Proposal};
use super::refine;
use crate::induce::Context;
use crate::twig::TwigId;

/// Sets nest no deeper than this.
const MAX_ROUNDS: usize = 8;

pub(super) fn fold_sets(
    context: &Context<'_>,
    scores: &Scores,
    codes: &mut Codes,
    outlines: &mut [Outline<'_>],
) {
    for round in 0..MAX_ROUNDS {
        let landmarks = landmarks::find(context, outlines, round);
        let mut proposals = proposal::of_landmarks(context, codes, outlines, landmarks);
        // Inner sets first: those around them are looked at again when these are folded.
        proposals.sort_by(Proposal::by_precedence);
        let chosen = choose(context, scores, codes, outlines, proposals);
        if chosen.is_empty() {
            break;
        }
        for (outline, folds) in outlines.iter_mut().zip(by_page(&chosen)) {
            outline.fold(codes, &folds);
        }
    }
}

/// Those that take no leaf which a better one has.
fn choose(
    context: &Context<'_>,
    scores: &Scores,
    codes: &Codes,
    outlines: &[Outline<'_>],
    proposals: Vec<Proposal>,
) -> Vec<Proposal> {
    let mut taken: Vec<Vec<u32>> =
        outlines.iter().map(|outline| vec![0; outline.sheet.marks.len()]).collect();
    let mut chosen = Vec::new();
    for proposal in proposals {
        let verdict = match deepest_taken(outlines, &proposal, &taken) {
            0 => refine::check_density(scores, codes, outlines, &proposal),
            depth if depth > proposal.depth() => {
                // What is around an inner set waits for the next round, and all that is less than it with it.
                take(outlines, &proposal, &mut taken);
                Err("waits for a set inside of it".to_owned())
            }
            _ => Err("interleaves with a better one".to_owned()),
        };
        context.journal.note(1, || {
            let verdict = match &verdict {
                Ok(()) => "chosen".to_owned(),
                Err(reason) => format!("rejected: {reason}"),
            };
            format!("{}: {verdict}", proposal.describe(context, codes, outlines))
        });
        if verdict.is_ok() {
            take(outlines, &proposal, &mut taken);
            chosen.push(proposal);
        }
    }
    chosen
}

/// How deep the deepest set stands that has a leaf of this one; none has at 0.
fn deepest_taken(outlines: &[Outline<'_>], proposal: &Proposal, taken: &[Vec<u32>]) -> u32 {
    let of_twig = |page: usize, twig: TwigId| {
        let leaves = outlines[page].sheet.bough.twig(twig).leaves.clone();
        taken[page][leaves].iter().copied().max().unwrap_or_default()
    };
    let stands = proposal.stands.iter();
    stands
        .flat_map(|stand| stand.records.iter().flatten().map(|twig| of_twig(stand.page, *twig)))
        .max()
        .unwrap_or_default()
}

fn take(outlines: &[Outline<'_>], proposal: &Proposal, taken: &mut [Vec<u32>]) {
    for stand in &proposal.stands {
        let bough = outlines[stand.page].sheet.bough;
        for twig in stand.records.iter().flatten() {
            for depth in &mut taken[stand.page][bough.twig(*twig).leaves.clone()] {
                *depth = proposal.depth().max(*depth);
            }
        }
    }
}

fn by_page(chosen: &[Proposal]) -> impl Iterator<Item = Vec<Fold>> {
    let n_pages = chosen.iter().flat_map(|it| &it.stands).map(|stand| stand.page + 1).max();
    let mut folds: Vec<Vec<Fold>> = vec![Vec::new(); n_pages.unwrap_or_default()];
    for stand in chosen.iter().flat_map(|proposal| &proposal.stands) {
        folds[stand.page].push(Fold { parent: stand.parent, records: stand.records.clone() });
    }
    folds.into_iter()
}
