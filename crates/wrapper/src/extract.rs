//! A wrapper at work: pages in, data with a verdict out.

use crate::columns::Data;
use crate::machine::{self, Assigned, Machine, Misfit, Scratch, Tables};
use crate::schema::Schema;
use crate::twig::{Roles, hash};
use page::{Leaf, Page};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What was learnt of a template, ready to extract and verify.
///
/// ```
/// use wrapper::{Extractor, LearnConfig, Status, learn};
///
/// let books = [("Dune", "$9"), ("Emma", "$7"), ("Kim", "$5"), ("Ubik", "$8")];
/// let pages = books.map(|(title, price)| format!("<h1>{title}</h1><p>Price: <b>{price}</b></p>"));
/// let pages: Vec<_> = pages.iter().map(|html| page::parse(html.as_bytes())).collect();
/// let wrapper = learn(pages, &LearnConfig::default())?.wrapper;
///
/// let mut extractor = Extractor::new(&wrapper);
/// let found = extractor.extract(&page::parse(b"<h1>She</h1><p>Price: <b>$4</b></p>"));
/// assert_eq!(found.status, Status::Verified);
/// assert_eq!((&found.data["title"], &found.data["price"]), (&"She".into(), &"$4".into()));
///
/// let found = extractor.extract(&page::parse(b"<h1>Not found</h1>"));
/// assert_ne!(found.status, Status::Verified);
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Wrapper {
    schema: Schema,
    machine: Machine,
}

impl Wrapper {
    pub(crate) fn new(schema: Schema, machine: Machine) -> Wrapper {
        Wrapper { schema, machine }
    }

    /// What its pages have.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }
}

/// Extracts page after page with one wrapper.
pub struct Extractor<'w> {
    wrapper: &'w Wrapper,
    tables: Tables,
    scratch: Scratch,
}

impl fmt::Debug for Extractor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extractor").finish_non_exhaustive()
    }
}

/// What was found on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// Whether the page fits its wrapper.
    pub status: Status,
    /// What could be read.
    pub data: Data,
    /// What does not fit, the first place first, and what is new though the page fits; of very many only the
    /// first, and how many more there are.
    pub problems: Vec<Problem>,
}

/// Whether a page fits a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every leaf has its place.
    Verified,
    /// Some parts do not fit.
    Partial,
    /// It is a page of something else.
    Failed,
}

impl Status {
    /// Its name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Status::Verified => "verified",
            Status::Partial => "partial",
            Status::Failed => "failed",
        }
    }
}

/// Something on a page that does not fit its wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The leaf, if it is one.
    pub leaf: Option<usize>,
    text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Nobody reads more: a page of something else fits nowhere.
const MAX_PROBLEMS: usize = 20;
/// A page of which less than this share fits is of something else.
const MIN_FIT: f64 = 0.5;
/// So large a share of a page may be new, as a notice or an advertisement is, if it stands among what fits.
const MAX_INSERTED: f64 = 0.05;
/// A page of which more than this share is known by its tags only has changed its markup.
const MAX_LOOSE: f64 = 0.2;

impl<'w> Extractor<'w> {
    /// An extractor of its own for each thread.
    pub fn new(wrapper: &'w Wrapper) -> Extractor<'w> {
        let tables = Tables::new(&wrapper.machine);
        Extractor { wrapper, tables, scratch: Scratch::default() }
    }

    /// The data of a page, and whether it fits.
    pub fn extract(&mut self, page: &Page) -> Extraction {
        let Wrapper { schema, machine } = self.wrapper;
        let leaves = page.leaves();
        let assigned = machine.assign(&self.tables, page, &leaves, &mut self.scratch);
        let status = status(&assigned);
        let data = match status {
            Status::Failed => Data::new(),
            _ => machine::read(machine, &self.tables, schema, page, &leaves, &assigned),
        };
        let mut problems = Vec::new();
        if assigned.is_loose() {
            let n = assigned.n_loose;
            let text = format!("{n} of {} leaves stand in elements of other classes", leaves.len());
            problems.push(Problem { leaf: None, text });
        }
        let n_told = MAX_PROBLEMS - problems.len();
        problems.extend(assigned.misfits.iter().take(n_told).map(|misfit| {
            let (leaf, text) = machine.tell(&leaves, misfit);
            Problem { leaf, text }
        }));
        if let Some(n @ 1..) = assigned.misfits.len().checked_sub(n_told) {
            problems.push(Problem { leaf: None, text: format!("and {n} more") });
        }
        Extraction { status, data, problems }
    }

    /// Whether a page fits, and what does not: numbers that other pages have too where the same does not fit.
    pub(crate) fn verify(&mut self, page: &Page) -> (Status, Vec<u64>) {
        let leaves = page.leaves();
        let assigned = self.wrapper.machine.assign(&self.tables, page, &leaves, &mut self.scratch);
        let mut roles = Roles::default();
        let mut place = |leaf: usize| {
            let Leaf { path, element, .. } = leaves.get(leaf);
            hash(&(leaves.paths().steps(path), roles.of(page, element)))
        };
        let mut misfits: Vec<u64> = assigned
            .misfits
            .iter()
            .map(|misfit| match *misfit {
                Misfit::Unexpected { leaf } | Misfit::Inserted { leaf } => place(leaf),
                Misfit::Reworded { slot, .. } => hash(&(1, slot)),
                Misfit::OutOfOrder { slot, after, .. } => hash(&(2, slot, after)),
                Misfit::TooShort { after } => hash(&(3, after)),
                Misfit::Missing { .. } => 0,
            })
            .collect();
        misfits.sort_unstable();
        misfits.dedup();
        (status(&assigned), misfits)
    }
}

fn status(assigned: &Assigned) -> Status {
    let n = |is: fn(&Misfit) -> bool| assigned.misfits.iter().filter(|it| is(it)).count();
    let n_inserted = n(|it| matches!(it, Misfit::Inserted { .. }));
    let n_leaves = assigned.labels.len().max(1) as f64;
    let is_much_new = n_inserted as f64 > n_leaves * MAX_INSERTED;
    if assigned.misfits.len() == n_inserted && !is_much_new && !assigned.is_loose() {
        Status::Verified
    } else if assigned.labels.is_empty() || n_inserted as f64 > n_leaves * (1.0 - MIN_FIT) {
        Status::Failed
    } else {
        Status::Partial
    }
}

impl Assigned {
    fn is_loose(&self) -> bool {
        self.n_loose as f64 > self.labels.len() as f64 * MAX_LOOSE
    }
}
