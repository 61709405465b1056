//! Does a wrapper still fit the pages of its site? A report over many pages.
//!
//! Each page has a verdict of its own. Here they are added up: how many fit, which columns are there less or more often than
//! when they were learnt, or look otherwise (`fill`, by a `test` that holds for few pages too), and what does not fit, the
//! commonest first (`problems`).
//!
//! A site that changes does so on all its pages, or on all that have some part. So what counts is what pages have in common:
//! pages that do not fit each in its own way are only more various than those that were learnt from.

mod fill;
mod problems;
mod test;

use crate::data::Data;
use crate::extract::{Status, Wrapper};
pub(crate) use fill::Tallies;
use fill::counts;
use problems::Groups;
use serde::Serialize;
use test::fisher;

/// What counts as drift.
#[derive(Clone, Copy, Debug)]
pub struct CheckConfig {
    max_unfit: f64,
}

impl Default for CheckConfig {
    fn default() -> CheckConfig {
        CheckConfig { max_unfit: DEFAULT_MAX_UNFIT }
    }
}

/// Of pages that nothing was learnt from, every third may be something new; a change is on more.
const DEFAULT_MAX_UNFIT: f64 = 0.5;
/// Where pages that were learnt from do not fit either, more of them must do so than chance explains.
const MAX_CHANCE: f64 = 0.05;

impl CheckConfig {
    /// This share of the pages, from 0 to 1, may be failed, or partial with a problem in common.
    #[must_use]
    pub fn with_max_unfit(mut self, share: f64) -> Self {
        self.max_unfit = share.clamp(0.0, 1.0);
        self
    }
}

/// Adds up what was extracted with one wrapper.
#[derive(Debug)]
pub struct Check<'w> {
    config: CheckConfig,
    wrapper: &'w Wrapper,
    tallies: Tallies<'w>,
    groups: Groups,
    /// Problems of all pages, those that fit too.
    news: Groups,
    n_verified: usize,
    n_partial: usize,
    n_failed: usize,
}

/// How well pages fit their wrapper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Whether the site has changed.
    pub is_drift: bool,
    /// Why it is taken to have changed, in words.
    pub reasons: Vec<String>,
    /// How many pages fit.
    pub n_verified: usize,
    /// How many have parts that do not fit.
    pub n_partial: usize,
    /// How many are of something else.
    pub n_failed: usize,
    /// Columns and sets that are there less or more often than when they were learnt, the greatest change first.
    pub columns: Vec<Fill>,
    /// Columns whose values look otherwise than when they were learnt, that of most pages first.
    pub odd: Vec<Oddity>,
    /// What does not fit, what is on most pages first.
    pub problems: Vec<ProblemGroup>,
}

/// How often a column or set is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fill {
    /// Its path.
    pub path: String,
    /// The share of pages or records that had it when it was learnt, from 0 to 1.
    pub learnt: f64,
    /// The share that has it now.
    pub now: f64,
    /// How many pages or records there are now.
    pub n_rows: usize,
    /// How likely such a difference, or a greater one, is where nothing has changed.
    pub p_value: f64,
}

/// A column whose values look otherwise than they did: of another type, unit or length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Oddity {
    /// Its path.
    pub path: String,
    /// How many pages have such values.
    pub n_pages: usize,
    /// How many pages have values.
    pub of: usize,
}

/// Problems of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemGroup {
    /// What they have in common, with … for what differs.
    pub problem: String,
    /// How many pages have it.
    pub n_pages: usize,
    /// Some of these pages.
    pub examples: Vec<String>,
}

impl<'w> Check<'w> {
    /// A check of pages against a wrapper.
    pub fn new(wrapper: &'w Wrapper, config: CheckConfig) -> Check<'w> {
        Check {
            config,
            wrapper,
            tallies: Tallies::new(wrapper),
            groups: Groups::default(),
            news: Groups::default(),
            n_verified: 0,
            n_partial: 0,
            n_failed: 0,
        }
    }

    /// Take a page into account, by its id: whether it fits, the data of one that has not failed, and what does not fit.
    pub fn add(&mut self, page: &str, status: Status, data: Option<&Data>, problems: &[String]) {
        match status {
            Status::Verified => self.n_verified += 1,
            Status::Partial => self.n_partial += 1,
            Status::Failed => self.n_failed += 1,
        }
        if let Some(data) = data {
            self.tallies.add(data);
        }
        // What a page has that fits is no problem, only new. Failed pages have in common that they are of something else.
        self.news.add(page, problems, true);
        if status != Status::Verified {
            self.groups.add(page, problems, status == Status::Partial);
        }
    }

    /// What came of it.
    pub fn report(self) -> Report {
        let (columns, odd) = (self.tallies.changed(self.is_template_other()), self.tallies.odd());
        let mut reasons: Vec<String> = self.unfit().into_iter().collect();
        if !columns.is_empty() {
            let (n, columns, are) = number_of_columns(columns.len());
            reasons.push(format!("{n} {columns} {are} there more or less often than before"));
        }
        if !odd.is_empty() {
            let (n, columns, _) = number_of_columns(odd.len());
            reasons.push(format!("{n} {columns} with values unlike those before"));
        }
        let Check { groups, n_verified, n_partial, n_failed, .. } = self;
        Report {
            is_drift: !reasons.is_empty(),
            reasons,
            n_verified,
            n_partial,
            n_failed,
            columns,
            odd,
            problems: groups.commonest(),
        }
    }

    /// Whether most pages say something new, all the same and in the same place.
    fn is_template_other(&self) -> bool {
        self.news.n_new() * 2 > self.n_verified + self.n_partial + self.n_failed
    }

    /// Why pages do not fit any more, if it is so.
    fn unfit(&self) -> Option<String> {
        let n_pages = self.n_verified + self.n_partial + self.n_failed;
        let n_alike = self.n_failed + self.groups.n_alike();
        if n_alike as f64 <= n_pages as f64 * self.config.max_unfit {
            return None;
        }
        let unfit = f64::from(self.wrapper.learnt().unfit) / 1000.0;
        let are_failed = self.n_failed as f64 > n_pages as f64 * self.config.max_unfit;
        if unfit > 0.0 && !are_failed {
            let before = counts(self.wrapper.n_pages() as f64, unfit);
            let now = counts(n_pages as f64, n_alike as f64 / n_pages as f64);
            if fisher(before, now).0 > MAX_CHANCE {
                return None;
            }
        }
        let most = format!("{:.0}%", self.config.max_unfit * 100.0);
        let how = if self.n_failed == n_alike { "" } else { " in the same way" };
        Some(format!("{n_alike} of {n_pages} pages do not fit{how}, where {most} of them may"))
    }
}

fn number_of_columns(n: usize) -> (usize, &'static str, &'static str) {
    if n == 1 { (n, "column", "is") } else { (n, "columns", "are") }
}

impl Report {
    /// How many pages there were.
    pub fn n_pages(&self) -> usize {
        self.n_verified + self.n_partial + self.n_failed
    }
}
