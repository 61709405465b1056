//! The page-level induction of UWIDE (Chang, Chen, Chen and Ding), step by step.
//!
//! In come the pages of one template, out come slots and values, as the top-down method gives them. Pages are compared as
//! sequences of leaves:
//!
//! - `encode` makes leaves symbols, one for each path and type.
//! - `patterns` finds what repeats in the sequence of a page, `landmarks` the level at which it repeats in the tree.
//! - `records` says where each record begins and ends, `false_sets` what looks like a set and is none.
//! - `proposal` measures how well such a set describes the pages; `regions` settles which stand, and folds them, inner ones
//!   first (`outline`).
//! - `align` makes columns of what is left of the pages, and of the records of each set.
//! - `refine` looks at thin stretches: false sets, decoration, free text. `table` makes slots of it all.
//!
//! Where the paper leaves a point open, the comment at that point says how it is read here.

mod align;
mod distance;
mod encode;
mod false_sets;
mod landmarks;
mod outline;
mod patterns;
mod proposal;
mod records;
mod refine;
mod regions;
mod table;
#[cfg(test)]
mod tests;

use crate::induce::{Built, Context};
use align::Scores;
use outline::Outline;
use table::{Pages, Row};

pub(crate) fn induce(context: &Context<'_>) -> Built {
    let scores = Scores::default();
    let (mut codes, sheets) = encode::encode(context);
    let mut outlines: Vec<Outline<'_>> = sheets.into_iter().map(Outline::new).collect();
    regions::fold_sets(context, &scores, &mut codes, &mut outlines);
    let rows = outlines
        .iter()
        .enumerate()
        .map(|(page, outline)| Row { page, entries: outline.entries.clone() })
        .collect();
    table::build(&Pages { context, scores, codes, outlines }, rows, 0)
}
