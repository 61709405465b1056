//! Does a wrapper still fit the pages of its site? A report over many pages.
//!
//! Each page has a verdict of its own. Here they are added up: how many fit, which columns are there less or more often than
//! when they were learnt (`fill`, by a test that holds for few pages too), and what does not fit, the commonest first
//! (`problems`).

mod fill;
mod problems;

use crate::data::Data;
use crate::extract::{Status, Wrapper};
use fill::Tallies;
use problems::Groups;
use serde::Serialize;

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

/// A page that was not like those that were learnt from is no drift; every third is.
const DEFAULT_MAX_UNFIT: f64 = 0.3;

impl CheckConfig {
    /// This share of the pages, from 0 to 1, may be partial or failed.
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
    tallies: Tallies<'w>,
    groups: Groups,
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
            tallies: Tallies::new(wrapper),
            groups: Groups::default(),
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
        // What a page has that fits is no problem, only new.
        if status != Status::Verified {
            self.groups.add(page, problems);
        }
    }

    /// What came of it.
    pub fn report(self) -> Report {
        let Check { config, tallies, groups, n_verified, n_partial, n_failed } = self;
        let n_unfit = n_partial + n_failed;
        let n_pages = n_verified + n_unfit;
        let columns = tallies.changed();
        let mut reasons = Vec::new();
        if n_unfit as f64 > n_pages as f64 * config.max_unfit {
            let most = format!("{:.0}%", config.max_unfit * 100.0);
            reasons
                .push(format!("{n_unfit} of {n_pages} pages do not fit, where {most} of them may"));
        }
        if !columns.is_empty() {
            let n = columns.len();
            let (them, are) = if n == 1 { ("column", "is") } else { ("columns", "are") };
            reasons.push(format!("{n} {them} {are} there more or less often than before"));
        }
        Report {
            is_drift: !reasons.is_empty(),
            reasons,
            n_verified,
            n_partial,
            n_failed,
            columns,
            problems: groups.commonest(),
        }
    }
}

impl Report {
    /// How many pages there were.
    pub fn n_pages(&self) -> usize {
        self.n_verified + self.n_partial + self.n_failed
    }
}
