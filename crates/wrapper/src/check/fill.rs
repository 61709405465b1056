//! How often columns are there, against how often they were; and how often their values are unlike those that were learnt.
//!
//! The pages learnt from and the pages at hand are two samples, and Fisher's exact test tells how likely it is that two samples
//! of one site differ as much: it holds for three pages as for three thousand. Records of one page are alike, so that
//! ten of them are less than ten samples; how much less is estimated from how pages differ.
//!
//! Where many columns are looked at, one of them differs by chance, so each must differ the more the more there are. Only
//! those count that could differ enough (Tarone, "A modified Bonferroni method for discrete data", 1990), and those of one place
//! once: of five hundred columns, most are on a page or two.

use super::test::fisher;
use super::{Fill, Oddity};
use crate::data::Data;
use crate::extract::Wrapper;
use crate::schema::{Field, Schema, SlotId};
use crate::usual::{self, WarningKind};
use std::collections::{BTreeMap, BTreeSet};

/// Smaller changes of a share, in thousandths, are of no interest, however sure they are.
const MIN_CHANGE: f64 = 0.1;
/// How likely it may be to call any column changed where none has. For what was not on every page this must be less: pages
/// that come together are of one kind, such as players of one team, and no sample of the site.
const MAX_CHANCE: f64 = 0.01;
const MAX_CHANCE_OF_SOME: f64 = 0.001;
/// What all pages or records had, but for a few in a hundred.
const ALL: f64 = 0.98;
/// What all had and so few have now is lost, whatever happened to other columns.
const LOST: f64 = 0.3;
/// A change is on at least this share of the pages, if there are enough of them to tell.
const MIN_PAGES: f64 = 0.25;
/// Values look otherwise on at least this share of the pages that have any.
const MIN_ODD: f64 = 0.5;

/// How often columns are there on some pages.
#[derive(Debug)]
pub(crate) struct Tallies<'w> {
    schema: &'w Schema,
    n_pages_learnt: usize,
    n_pages: usize,
    by_path: BTreeMap<String, Tally>,
    /// By path, the pages with values that look otherwise.
    n_odd: BTreeMap<String, usize>,
}

/// A share that may have changed.
struct Test<T> {
    subject: T,
    place: Vec<SlotId>,
    /// How likely the difference is.
    p_value: f64,
    /// How likely the greatest difference would be.
    least: f64,
    is_great: bool,
    /// Whether it is so great that it needs no more proof where many columns are looked at.
    is_loss: bool,
    max_chance: f64,
}

/// How many rows a field could be in, and in how many it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    n_pages: f64,
    /// Pages that have it at all.
    n_pages_full: f64,
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
        self.n_pages_full += f64::from(u8::from(n_full > 0));
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
        let between = self.full_full - 2.0 * share * self.n_full_n + share * share * self.n_n;
        let seen = if spread > 0.0 { (between / spread).max(1.0) } else { 1.0 };
        // How the pages learnt from differed is not known. What was clear was so on each; else a page counts as one row.
        match (1.0 - ALL..ALL).contains(&learnt) {
            true => seen.max(self.n / self.n_pages.max(1.0)),
            false => seen,
        }
    }
}

impl<'w> Tallies<'w> {
    pub(crate) fn new(wrapper: &'w Wrapper) -> Tallies<'w> {
        Tallies {
            schema: wrapper.schema(),
            n_pages_learnt: wrapper.n_pages(),
            n_pages: 0,
            by_path: BTreeMap::new(),
            n_odd: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, data: &Data) {
        self.n_pages += 1;
        self.add_rows(&self.schema.fields, &[data], "");
        let warnings = usual::check(self.schema, data).into_iter();
        // What is not there is seen by how often it is there, and texts may have any length and script.
        let is_telling = |kind: &WarningKind| {
            matches!(
                kind,
                WarningKind::NoDigits | WarningKind::Unit { .. } | WarningKind::Type { .. }
            )
        };
        let odd: BTreeSet<String> =
            warnings.filter(|it| is_telling(&it.kind)).map(|it| it.field.columns()).collect();
        odd.into_iter().for_each(|path| *self.n_odd.entry(path).or_default() += 1);
    }

    /// The share of pages or records that have something, if there are any that could.
    pub(crate) fn share(&self, path: &str) -> Option<f64> {
        self.by_path.get(path).map(Tally::share)
    }

    /// The share of pages with values that look otherwise, of those that have any.
    pub(crate) fn odd_share(&self, path: &str) -> f64 {
        let n = self.by_path.get(path).map_or(0.0, |tally| tally.n_pages_full);
        self.n_odd.get(path).map_or(0.0, |n_odd| *n_odd as f64 / n.max(1.0))
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
    ///
    /// Where the template is known to say something else, less must speak for it.
    pub(super) fn changed(&self, is_template_other: bool) -> Vec<Fill> {
        let mut tests = Vec::new();
        self.compare(&self.schema.fields, self.n_pages_learnt, "", &mut tests);
        if is_template_other {
            tests.iter_mut().for_each(|test| test.max_chance = MAX_CHANCE);
        }
        let mut fills = significant(tests);
        let change = |fill: &Fill| (fill.learnt - fill.now).abs();
        fills.sort_by(|a, b| change(b).total_cmp(&change(a)).then(a.path.cmp(&b.path)));
        fills
    }

    fn compare(
        &self,
        fields: &[Field],
        n_learnt: usize,
        within: &str,
        tests: &mut Vec<Test<Fill>>,
    ) {
        for field in fields.iter().filter(|field| field.is_data()) {
            let path = format!("{within}{}", field.name());
            if let Field::Set(set) = field {
                self.compare(&set.fields, set.n_records, &format!("{path}."), tests);
            }
            let Some(tally) = self.by_path.get(&path) else { continue };
            let learnt = f64::from(field.as_read().density) / 1000.0;
            let clustering = tally.clustering(learnt);
            let now = tally.share();
            let before = counts(n_learnt as f64 / clustering, learnt);
            let (p_value, least) = fisher(before, counts(tally.n / clustering, now));
            let is_on_many = tally.n_pages >= (self.n_pages as f64 * MIN_PAGES).min(4.0);
            let is_great = (learnt - now).abs() >= MIN_CHANGE && is_on_many;
            let max_chance = if learnt >= ALL { MAX_CHANCE } else { MAX_CHANCE_OF_SOME };
            let is_loss = learnt >= ALL && now <= LOST;
            let subject = Fill { path, learnt, now, n_rows: tally.n as usize, p_value };
            let place = place(field);
            tests.push(Test { subject, place, p_value, least, is_great, is_loss, max_chance });
        }
    }

    /// Columns of which values look otherwise than they did.
    pub(super) fn odd(&self) -> Vec<Oddity> {
        let mut tests = Vec::new();
        for (path, field) in self.schema.paths() {
            let Field::Column(column) = field else { continue };
            let (Some(usual), Some(tally)) = (&column.usual, self.by_path.get(&path)) else {
                continue;
            };
            let learnt = f64::from(field.as_read().odd) / 1000.0;
            let n_learnt = self.n_pages_learnt.min(usual.n as usize) as f64;
            let now = self.odd_share(&path);
            let (p_value, least) =
                fisher(counts(n_learnt, learnt), counts(tally.n_pages_full, now));
            let is_great = now >= MIN_ODD && now > learnt;
            let n_pages = self.n_odd.get(&path).copied().unwrap_or(0);
            let subject = Oddity { path, n_pages, of: tally.n_pages_full as usize };
            let (place, is_loss, max_chance) = (place(field), false, MAX_CHANCE_OF_SOME);
            tests.push(Test { subject, place, p_value, least, is_great, is_loss, max_chance });
        }
        let mut odd = significant(tests);
        odd.sort_by(|a, b| b.n_pages.cmp(&a.n_pages).then(a.path.cmp(&b.path)));
        odd
    }
}

fn place(field: &Field) -> Vec<SlotId> {
    match field {
        Field::Column(column) => column.slots.clone(),
        Field::Set(set) => set.slots.clone(),
    }
}

/// What differs greatly, and by more than chance explains for so many.
fn significant<T>(tests: Vec<Test<T>>) -> Vec<T> {
    let n_places = |max: f64| {
        let could = tests.iter().filter(|test| test.least <= max);
        could.map(|test| &test.place).collect::<BTreeSet<_>>().len()
    };
    let is_enough = |n: &usize| n_places(MAX_CHANCE / *n as f64) <= *n;
    let n_tests = (1..=tests.len()).find(is_enough).unwrap_or(1);
    let is_changed = |test: &Test<T>| {
        let n_tests = if test.is_loss { 1 } else { n_tests };
        test.is_great && test.p_value * n_tests as f64 <= test.max_chance
    };
    tests.into_iter().filter(is_changed).map(|test| test.subject).collect()
}

/// So many rows are as good as more, and cost less.
const MAX_ROWS: f64 = 5000.0;

/// How many have something, and how many do not.
pub(super) fn counts(n: f64, share: f64) -> (u32, u32) {
    let n = n.min(MAX_ROWS).round().max(1.0);
    let full = (n * share).round();
    (full as u32, (n - full) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pages_prove_little() {
        let all_then_none = |n| fisher(counts(20.0, 1.0), counts(n, 0.0)).0;
        assert!(all_then_none(1.0) > 0.04 && all_then_none(3.0) < 0.001);
        assert!(fisher(counts(20.0, 0.5), counts(4.0, 0.0)).0 > 0.1);
    }

    #[test]
    fn only_what_could_differ_counts() {
        let test = |slot, p_value, least| Test {
            subject: slot,
            place: vec![slot],
            p_value,
            least,
            is_great: true,
            is_loss: false,
            max_chance: MAX_CHANCE,
        };
        let rare = |slot| test(slot, 0.5, 0.2);
        let could = |slot| test(slot, 0.5, 0.00001);
        let with = |rest: Vec<Test<usize>>| {
            significant([test(0, 0.005, 0.00001)].into_iter().chain(rest).collect())
        };
        assert_eq!(with((1..100).map(rare).collect()), [0]);
        assert_eq!(with((0..100).map(|_| could(0)).collect()), [0]);
        assert!(with((1..100).map(could).collect()).is_empty());
    }

    #[test]
    fn records_of_one_page_count_for_less() {
        let mut alike = Tally::default();
        [10, 0, 10, 0].iter().for_each(|full| alike.add(10, *full));
        assert!((alike.clustering(0.5) - 10.0).abs() < 1e-9);
        let mut mixed = Tally::default();
        [5, 4, 6, 5].iter().for_each(|full| mixed.add(10, *full));
        assert_eq!((mixed.clustering(1.0), mixed.clustering(0.5)), (1.0, 10.0));
        let mut none = Tally::default();
        [0, 0].iter().for_each(|full| none.add(10, *full));
        assert_eq!((none.clustering(1.0), none.clustering(0.5)), (1.0, 10.0));
    }
}
