//! What a wrapper gets from pages, to see whether what was learnt anew is better than what there was.

use super::evidence::n_common;
use crate::check::{Check, CheckConfig};
use crate::data::{Data, Value};
use crate::extract::{Extraction, Extractor, Status, Wrapper};
use crate::problem::ProblemKind;
use crate::schema::{Field, SEPARATOR, Schema};
use page::Page;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What a wrapper gets from some pages.
pub(super) struct Gain {
    pages: Vec<Read>,
    /// The columns that are not read as they were.
    drifted: BTreeSet<String>,
    /// How many leaves stand in elements of other classes.
    n_loose: usize,
    /// Whether a check would say that the site has changed.
    is_drift: bool,
}

/// What is read from a page.
struct Read {
    is_fit: bool,
    /// Whether what is read is right, but for a few things.
    is_trusted: bool,
    /// The values of columns that the old wrapper has too, by path, sorted.
    values: Vec<(String, String)>,
}

/// A share of values that is not worth a change.
const SLIGHT: f64 = 0.01;
/// A page with so few problems is read well but for these.
const FEW_PROBLEMS: usize = 3;

impl Gain {
    pub(super) fn of(wrapper: &Wrapper, pages: &[Page], old: &Schema) -> Gain {
        let mut extractor = Extractor::new(wrapper);
        let mut check = Check::new(wrapper, CheckConfig::default());
        let mut read = Vec::new();
        let mut n_loose = 0;
        for page in pages {
            let leaves = page.leaves();
            let assigned = extractor.assign(page, &leaves);
            n_loose += assigned.n_loose;
            let found = extractor.finish(&leaves, &assigned);
            let data = (found.status != Status::Failed).then_some(&found.data);
            let problems: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
            check.add("", found.status, data, &problems);
            let mut values = Vec::new();
            if let Some(data) = data {
                add(&old.fields, data, "", &mut values);
            }
            values.sort_unstable();
            let is_fit = found.status == Status::Verified;
            read.push(Read { is_fit, is_trusted: is_trusted(&found), values });
        }
        let report = check.report();
        let fallen = report.columns.into_iter().filter(|it| it.now < it.learnt).map(|it| it.path);
        let drifted = fallen.chain(report.odd.into_iter().map(|it| it.path)).collect();
        Gain { pages: read, drifted, n_loose, is_drift: report.is_drift }
    }

    fn n_fit(&self) -> usize {
        self.pages.iter().filter(|page| page.is_fit).count()
    }

    /// Whether nearly every page fits, and has what pages had: fewer than some do not.
    pub(super) fn is_fit(&self, n_odd: usize) -> bool {
        self.pages.len() - self.n_fit() < n_odd && !self.is_drift
    }

    /// By page, whether it is of another look.
    pub(super) fn is_strange(&self) -> Vec<bool> {
        self.pages.iter().map(|page| !page.is_trusted).collect()
    }

    /// Whether more is read, or as much from pages that fit better.
    pub(super) fn is_better_than(&self, other: &Gain) -> bool {
        let n = |gain: &Gain| gain.pages.iter().map(|page| page.values.len()).sum::<usize>() as f64;
        let (ours, theirs) = (n(self), n(other));
        let is_less = ours < theirs * (1.0 - SLIGHT);
        let fit = |gain: &Gain| (gain.n_fit(), !gain.is_drift, Reverse(gain.n_loose));
        // What is known by its tags only may be read as something else.
        let is_looser = self.n_loose > other.n_loose * 2 + self.pages.len();
        let is_tighter = other.n_loose > self.n_loose * 2 + self.pages.len();
        let is_more = ours > theirs * (1.0 + SLIGHT);
        is_more && !is_looser || !is_less && (is_tighter || fit(self) > fit(other))
    }

    /// How many values are read from some of the pages.
    pub(super) fn n_values(&self, is_taken: &[bool]) -> usize {
        let taken = self.pages.iter().zip(is_taken).filter(|(_, is_taken)| **is_taken);
        taken.map(|(page, _)| page.values.len()).sum()
    }

    /// Whether to stay with this rather than to take what was learnt anew. What is read from a page that fits is right, but
    /// for columns that are not read as they were; so of others only what both read counts for the new one.
    pub(super) fn is_as_good_as(&self, new: &Gain) -> bool {
        let (mut n_before, mut n_after) = (0, 0);
        for (before, after) in self.pages.iter().zip(&new.pages) {
            n_before += before.values.len();
            let is_drifted = |(path, _): &&(String, String)| self.drifted.contains(path);
            let of_others = |values: &[(String, String)]| -> Vec<(String, String)> {
                values.iter().filter(|it| !is_drifted(it)).cloned().collect()
            };
            n_after += match before.is_trusted {
                true => {
                    n_common(&of_others(&before.values), &of_others(&after.values))
                        + after.values.iter().filter(is_drifted).count()
                }
                false => after.values.len(),
            };
        }
        n_before >= n_after
    }
}

/// Whether a page is of the look that is known.
fn is_trusted(found: &Extraction) -> bool {
    let is_of_page = |kind: ProblemKind| {
        matches!(kind, ProblemKind::OtherClasses { .. } | ProblemKind::Missing { .. })
    };
    match found.status {
        Status::Verified => true,
        Status::Partial => {
            found.problems.len() <= FEW_PROBLEMS
                && !found.problems.iter().any(|it| is_of_page(it.kind))
        }
        Status::Failed => false,
    }
}

/// The values that there are for the columns of a schema.
fn add(fields: &[Field], data: &Data, within: &str, values: &mut Vec<(String, String)>) {
    for field in fields.iter().filter(|field| field.is_data()) {
        let path = format!("{within}{}", field.name());
        match (field, data.get(field.name())) {
            (Field::Column(_), Some(Value::Text(text))) => values.push((path, text.to_string())),
            (Field::Set(set), Some(Value::Records(records))) => {
                let within = format!("{path}{SEPARATOR}");
                records.iter().for_each(|record| add(&set.fields, record, &within, values));
            }
            _ => {}
        }
    }
}
