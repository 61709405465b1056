//! What a wrapper gets from pages, to see whether what was learnt anew is better than what there was.

use super::evidence::n_common;
use crate::check::{Check, CheckConfig};
use crate::data::{Data, Value};
use crate::extract::{Extractor, Status, Wrapper};
use crate::schema::{Field, SEPARATOR, Schema};
use page::Page;

/// What a wrapper gets from some pages.
pub(super) struct Gain {
    pages: Vec<Read>,
    /// Whether a check would say that the site has changed.
    is_drift: bool,
}

/// What is read from a page.
struct Read {
    is_fit: bool,
    /// The values of columns that the old wrapper has too, by path, sorted.
    values: Vec<(String, String)>,
}

/// A share of values that is not worth a change.
const SLIGHT: f64 = 0.01;

impl Gain {
    pub(super) fn of(wrapper: &Wrapper, pages: &[Page], old: &Schema) -> Gain {
        let mut extractor = Extractor::new(wrapper);
        let mut check = Check::new(wrapper, CheckConfig::default());
        let mut read = Vec::new();
        for page in pages {
            let found = extractor.extract(page);
            let data = (found.status != Status::Failed).then_some(&found.data);
            check.add("", found.status, data, &[]);
            let mut values = Vec::new();
            if let Some(data) = data {
                add(&old.fields, data, "", &mut values);
            }
            values.sort_unstable();
            read.push(Read { is_fit: found.status == Status::Verified, values });
        }
        Gain { pages: read, is_drift: check.report().is_drift }
    }

    fn n_fit(&self) -> usize {
        self.pages.iter().filter(|page| page.is_fit).count()
    }

    /// Whether nearly every page fits, and has what pages had: fewer than some do not.
    pub(super) fn is_fit(&self, n_odd: usize) -> bool {
        self.pages.len() - self.n_fit() < n_odd && !self.is_drift
    }

    /// Whether more is read, or as much from more pages that fit.
    pub(super) fn is_better_than(&self, other: &Gain) -> bool {
        let n = |gain: &Gain| gain.pages.iter().map(|page| page.values.len()).sum::<usize>() as f64;
        let (ours, theirs) = (n(self), n(other));
        let is_less = ours < theirs * (1.0 - SLIGHT);
        ours > theirs * (1.0 + SLIGHT) || !is_less && self.n_fit() > other.n_fit()
    }

    /// How many values are read from some of the pages.
    pub(super) fn n_values(&self, is_taken: &[bool]) -> usize {
        let taken = self.pages.iter().zip(is_taken).filter(|(_, is_taken)| **is_taken);
        taken.map(|(page, _)| page.values.len()).sum()
    }

    /// Whether to stay with this rather than to take what was learnt anew. What is read from a page that fits is right,
    /// so there only what both read counts for the new one.
    pub(super) fn is_as_good_as(&self, new: &Gain) -> bool {
        let (mut n_before, mut n_after) = (0, 0);
        for (before, after) in self.pages.iter().zip(&new.pages) {
            n_before += before.values.len();
            n_after += match before.is_fit {
                true => n_common(&before.values, &after.values),
                false => after.values.len(),
            };
        }
        n_before >= n_after
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
