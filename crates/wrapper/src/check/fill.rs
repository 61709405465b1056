//! How often columns are there, against how often they were.
//!
//! The pages learnt from and the pages at hand are two samples, and Fisher's exact test tells how likely it is that two samples
//! of one site differ as much: it holds for three pages as for three thousand. Records of one page are alike, so that
//! ten of them are less than ten samples; how much less is estimated from how pages differ. Where many columns are
//! looked at, one of them differs by chance, so each must differ the more the more there are.

use super::Fill;
use crate::data::Data;
use crate::extract::Wrapper;
use crate::schema::Field;
use std::collections::BTreeMap;

/// Smaller changes of a share, in thousandths, are of no interest, however sure they are.
const MIN_CHANGE: f64 = 0.1;
/// How likely it may be to call any column changed where none has.
const MAX_CHANCE: f64 = 0.01;

#[derive(Debug)]
pub(super) struct Tallies<'w> {
    fields: &'w [Field],
    n_pages_learnt: usize,
    by_path: BTreeMap<String, Tally>,
}

/// How many rows a field could be in, and in how many it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    n_pages: f64,
    n: f64,
    n_full: f64,
    /// Over pages, the sums of squares and of products of these.
    n_n: f64,
    full_full: f64,
    n_full_n: f64,
}

impl Tally {
    fn add(&mut self, n: usize, n_full: usize) {
        let (n, full) = (n as f64, n_full as f64);
        self.n_pages += 1.0;
        self.n += n;
        self.n_full += full;
        self.n_n += n * n;
        self.full_full += full * full;
        self.n_full_n += n * full;
    }

    fn share(&self) -> f64 {
        self.n_full / self.n.max(1.0)
    }

    /// By how much there are more rows than independent ones, given what the share was.
    fn clustering(&self, learnt: f64) -> f64 {
        let share = self.share();
        let spread = share * (1.0 - share) * self.n;
        if spread > 0.0 {
            let between = self.full_full - 2.0 * share * self.n_full_n + share * share * self.n_n;
            return (between / spread).max(1.0);
        }
        // All or none, so there is no spread to see. What was as clear before stays clear; else a page counts as one row.
        match (0.02..0.98).contains(&learnt) {
            true => (self.n / self.n_pages.max(1.0)).max(1.0),
            false => 1.0,
        }
    }
}

impl<'w> Tallies<'w> {
    pub(super) fn new(wrapper: &'w Wrapper) -> Tallies<'w> {
        Tallies {
            fields: &wrapper.schema().fields,
            n_pages_learnt: wrapper.n_pages(),
            by_path: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, data: &Data) {
        let fields = self.fields;
        self.add_rows(fields, &[data], "");
    }

    fn add_rows(&mut self, fields: &[Field], rows: &[&Data], within: &str) {
        for field in fields.iter().filter(|field| field.is_data()) {
            let path = format!("{within}{}", field.name());
            let n_full = rows.iter().filter(|row| row.contains_key(field.name())).count();
            if let Field::Set(set) = field {
                let records = rows.iter().filter_map(|row| row.get(&set.name)?.as_records());
                let records: Vec<&Data> = records.flatten().collect();
                if !records.is_empty() {
                    self.add_rows(&set.fields, &records, &format!("{path}."));
                }
            }
            self.by_path.entry(path).or_default().add(rows.len(), n_full);
        }
    }

    /// What is there more or less often than it was.
    pub(super) fn changed(&self) -> Vec<Fill> {
        let mut fills = Vec::new();
        self.compare(self.fields, self.n_pages_learnt, "", &mut fills);
        let n_tests = fills.len().max(1) as f64;
        let is_changed = |fill: &Fill| {
            (fill.learnt - fill.now).abs() >= MIN_CHANGE && fill.p_value * n_tests <= MAX_CHANCE
        };
        fills.retain(is_changed);
        let change = |fill: &Fill| (fill.learnt - fill.now).abs();
        fills.sort_by(|a, b| change(b).total_cmp(&change(a)).then(a.path.cmp(&b.path)));
        fills
    }

    fn compare(&self, fields: &[Field], n_learnt: usize, within: &str, fills: &mut Vec<Fill>) {
        for field in fields.iter().filter(|field| field.is_data()) {
            let path = format!("{within}{}", field.name());
            if let Field::Set(set) = field {
                self.compare(&set.fields, set.n_records, &format!("{path}."), fills);
            }
            let Some(tally) = self.by_path.get(&path) else { continue };
            let learnt = f64::from(field.density()) / 1000.0;
            let clustering = tally.clustering(learnt);
            let p_value = fisher(
                counts(n_learnt as f64 / clustering, learnt),
                counts(tally.n / clustering, tally.share()),
            );
            fills.push(Fill {
                path,
                learnt,
                now: tally.share(),
                n_rows: tally.n as usize,
                p_value,
            });
        }
    }
}

/// So many rows are as good as more, and cost less.
const MAX_ROWS: f64 = 5000.0;

/// How many have something, and how many do not.
fn counts(n: f64, share: f64) -> (u32, u32) {
    let n = n.min(MAX_ROWS).round().max(1.0);
    let full = (n * share).round();
    (full as u32, (n - full) as u32)
}

/// How likely two samples differ by as much or more, if they are from one whole: Fisher's exact test, two-sided.
fn fisher((a, b): (u32, u32), (c, d): (u32, u32)) -> f64 {
    let n = a + b + c + d;
    let mut ln_factorials = vec![0.0; n as usize + 1];
    for i in 1..=n as usize {
        ln_factorials[i] = ln_factorials[i - 1] + (i as f64).ln();
    }
    let ln = |n: u32| ln_factorials[n as usize];
    let (left, right, full, empty) = (a + b, c + d, a + c, b + d);
    let chance = |a: u32| {
        let (b, c) = (left - a, full - a);
        let d = right - c;
        (ln(left) + ln(right) + ln(full) + ln(empty) - ln(n) - ln(a) - ln(b) - ln(c) - ln(d)).exp()
    };
    let here = chance(a);
    let possible = full.saturating_sub(right)..=full.min(left);
    let sum: f64 = possible.map(chance).filter(|it| *it <= here * (1.0 + 1e-9)).sum();
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_is_that_of_the_books() {
        let check = |left, right, expected: f64| {
            let found = fisher(left, right);
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        };
        // The lady tasting tea, and Agresti's table of blood clots.
        check((3, 1), (1, 3), 0.4857);
        check((8, 2), (1, 5), 0.0350);
        check((20, 0), (0, 4), 1.0 / 10626.0);
        check((5, 5), (5, 5), 1.0);
    }

    #[test]
    fn few_pages_prove_little() {
        let all_then_none = |n| fisher(counts(20.0, 1.0), counts(n, 0.0));
        assert!(all_then_none(1.0) > 0.04 && all_then_none(3.0) < 0.001);
        assert!(fisher(counts(20.0, 0.5), counts(4.0, 0.0)) > 0.1);
    }

    #[test]
    fn records_of_one_page_count_for_less() {
        let mut alike = Tally::default();
        [10, 0, 10, 0].iter().for_each(|full| alike.add(10, *full));
        assert!((alike.clustering(0.5) - 10.0).abs() < 1e-9);
        let mut mixed = Tally::default();
        [5, 4, 6, 5].iter().for_each(|full| mixed.add(10, *full));
        assert_eq!(mixed.clustering(0.5), 1.0);
        let mut none = Tally::default();
        [0, 0].iter().for_each(|full| none.add(10, *full));
        assert_eq!((none.clustering(1.0), none.clustering(0.5)), (1.0, 10.0));
    }
}
