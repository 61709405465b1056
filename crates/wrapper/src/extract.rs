//! A wrapper at work: pages in, data with a verdict out.

use crate::data::Data;
use crate::edit::{self, Edit, EditError};
use crate::experience::Experience;
use crate::machine::{Assigned, Labelled, Machine, Misfit, Names, Plan, Reader, Tables, Teller};
use crate::problem::{Problem, ProblemKind};
use crate::schema::Schema;
use crate::twig::{Roles, hash};
use crate::usual::{Checker, Warning};
use page::{Leaf, Leaves, Page, ParseConfig};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::fmt;
use std::sync::{Arc, OnceLock};

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
    /// What was learnt.
    learnt: Arc<Schema>,
    edits: Vec<Edit>,
    /// What was learnt, with the edits.
    schema: Arc<Schema>,
    machine: Machine,
    /// What follows from the machine, once somebody extracts: the same for all threads.
    tables: OnceLock<Arc<Tables>>,
}

impl Wrapper {
    pub(crate) fn new(learnt: Schema, machine: Machine) -> Wrapper {
        let (learnt, edits, tables) = (Arc::new(learnt), Vec::new(), OnceLock::new());
        Wrapper { schema: Arc::clone(&learnt), learnt, edits, machine, tables }
    }

    /// What its pages have, as it was edited.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The same, to be kept: later edits leave it as it is.
    pub fn shared_schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    /// What its pages have, as it was learnt.
    pub fn learnt(&self) -> &Schema {
        &self.learnt
    }

    /// How many pages it was learnt from.
    pub fn n_pages(&self) -> usize {
        self.machine.n_pages()
    }

    /// What people changed of what was learnt, the first change first.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Change what is extracted. A wrapper that cannot be changed so stays as it is.
    ///
    /// ```
    /// use wrapper::{Edit, Extractor, learn};
    ///
    /// let pages = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>"];
    /// let pages = pages.iter().map(|html| page::parse(html.as_bytes())).collect();
    /// let mut wrapper = learn(pages, &Default::default())?.wrapper;
    /// wrapper.edit(Edit::rename("money", "price"))?;
    ///
    /// let found = Extractor::new(&wrapper).extract(&page::parse(b"<h1>Kim</h1><b>$5</b>"));
    /// assert_eq!(found.data["price"], "$5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&mut self, edit: Edit) -> Result<(), EditError> {
        self.edit_all([edit])
    }

    /// Make several changes, or none if one of them cannot be made.
    pub fn edit_all(&mut self, edits: impl IntoIterator<Item = Edit>) -> Result<(), EditError> {
        let mut all = self.edits.clone();
        all.extend(edits);
        self.schema = Arc::new(edit::apply(&self.learnt, &self.machine, &all)?);
        self.edits = all;
        Ok(())
    }

    /// Take back the last change.
    pub fn undo(&mut self) -> Option<Edit> {
        let last = self.edits.pop()?;
        // What could be made before a change can be made without it.
        if let Ok(schema) = edit::apply(&self.learnt, &self.machine, &self.edits) {
            self.schema = Arc::new(schema);
        }
        Some(last)
    }

    /// The same schema and edits over other elements.
    pub(crate) fn with_machine(&self, machine: Machine) -> Option<Wrapper> {
        let schema = Arc::new(edit::apply(&self.learnt, &machine, &self.edits).ok()?);
        let (learnt, edits) = (Arc::clone(&self.learnt), self.edits.clone());
        Some(Wrapper { schema, learnt, edits, machine, tables: OnceLock::new() })
    }

    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// An extractor that goes on with what those before it have found out about the template, where some are done.
    ///
    /// What it finds is the same as what a [new](Extractor::new) one does. Who asks for a few pages at a time, again and again,
    /// gets them many times faster: the first pages of a template take longest.
    ///
    /// ```
    /// let html = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>", "<h1>Kim</h1><b>$5</b>"];
    /// let pages = html.map(|html| page::parse(html.as_bytes())).into();
    /// let wrapper = wrapper::learn(pages, &Default::default())?.wrapper;
    ///
    /// let title = |html: &str| {
    ///     let found = wrapper.extractor().extract_bytes(html.as_bytes(), &Default::default());
    ///     found.data["title"].clone()
    /// };
    /// assert_eq!(title("<h1>She</h1><b>$4</b>"), "She");
    /// assert_eq!(title("<h1>Ubik</h1><b>$8</b>"), "Ubik");
    /// # Ok::<(), wrapper::LearnError>(())
    /// ```
    pub fn extractor(&self) -> Extractor<'_> {
        Extractor::with(self, Experience::of_others(&self.tables()))
    }

    fn tables(&self) -> Arc<Tables> {
        Arc::clone(self.tables.get_or_init(|| Arc::new(Tables::new(&self.machine))))
    }
}

/// Extracts page after page with one wrapper.
///
/// It keeps what it needs from one page to the next, so one is made for many pages, and one for each thread.
///
/// ```
/// use wrapper::{Extractor, Status, learn};
///
/// let html = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>", "<h1>Kim</h1><b>$5</b>"];
/// let parse = |html: &&str| page::parse(html.as_bytes());
/// let wrapper = learn(html.iter().map(parse).collect(), &Default::default())?.wrapper;
///
/// let mut extractor = Extractor::new(&wrapper);
/// let titles: Vec<_> = html.iter().map(|it| extractor.extract(&parse(it)).data["title"].clone()).collect();
/// assert_eq!(titles, ["Dune", "Emma", "Kim"]);
/// # Ok::<(), wrapper::LearnError>(())
/// ```
pub struct Extractor<'w> {
    wrapper: &'w Wrapper,
    tables: Arc<Tables>,
    experience: Experience,
    plan: Plan<'w>,
    /// What states are called; made for the first page that has problems.
    names: OnceCell<Names>,
}

impl fmt::Debug for Extractor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extractor").finish_non_exhaustive()
    }
}

/// What was found on a page.
///
/// ```
/// use wrapper::{Extractor, Status, learn};
///
/// let html = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>", "<h1>Kim</h1><b>$5</b>"];
/// let pages = html.map(|html| page::parse(html.as_bytes())).into();
/// let wrapper = learn(pages, &Default::default())?.wrapper;
///
/// let page = page::parse(b"<h1>She</h1><b>$4</b><footer>Closed on Sundays</footer>");
/// let found = Extractor::new(&wrapper).extract(&page);
/// assert_eq!((found.status, &found.data["money"]), (Status::Partial, &"$4".into()));
/// assert!(found.problems[0].to_string().starts_with("\"Closed on Sundays\" at html/body/footer is new"));
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// Whether the page fits its wrapper.
    pub status: Status,
    /// What could be read.
    pub data: Data,
    /// What does not fit, the first place first, and what is new though the page fits; of very many only the
    /// first, and how many more there are.
    pub problems: Vec<Problem>,
    /// Values that have their place and look otherwise than any that was learnt from. They leave the status as it is.
    pub warnings: Vec<Warning>,
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
        Extractor::with(wrapper, Experience::default())
    }

    fn with(wrapper: &'w Wrapper, experience: Experience) -> Extractor<'w> {
        Extractor {
            wrapper,
            tables: wrapper.tables(),
            experience,
            plan: Plan::of(&wrapper.schema.fields),
            names: OnceCell::new(),
        }
    }

    /// The data of a page, and whether it fits.
    pub fn extract(&mut self, page: &Page) -> Extraction {
        let leaves = page.leaves_in(std::mem::take(&mut self.experience.leaves));
        let assigned = self.assign(page, &leaves);
        let found = self.finish(&leaves, &assigned);
        self.experience.scratch.give_back(assigned);
        self.experience.leaves = leaves;
        found
    }

    /// The same from the bytes of a page, which for page after page of one template is much faster: mostly nothing is
    /// parsed.
    ///
    /// ```
    /// use wrapper::{Extractor, learn};
    ///
    /// let html = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>", "<h1>Kim</h1><b>$5</b>"];
    /// let pages = html.map(|html| page::parse(html.as_bytes())).into();
    /// let wrapper = learn(pages, &Default::default())?.wrapper;
    ///
    /// let mut extractor = Extractor::new(&wrapper);
    /// let found = extractor.extract_bytes(b"<h1>She</h1><b>$4</b>", &Default::default());
    /// assert_eq!(found.data["money"], "$4");
    /// # Ok::<(), wrapper::LearnError>(())
    /// ```
    pub fn extract_bytes(&mut self, html: &[u8], config: &ParseConfig) -> Extraction {
        let mut skimmer = self.experience.skimmer.take().unwrap_or_default();
        let (machine, scratch) = (&self.wrapper.machine, &mut self.experience.scratch);
        let skimmed = skimmer.skim(html, config, &mut machine.eye(&self.tables, scratch));
        let found = match skimmed {
            Ok(skimmed) => {
                let assigned = machine.assign_skimmed(&self.tables, skimmed, scratch);
                let found = self.finish(skimmed.leaves, &assigned);
                self.experience.scratch.give_back(assigned);
                found
            }
            Err(page) => self.extract(&page),
        };
        self.experience.skimmer = Some(skimmer);
        found
    }

    pub(crate) fn wrapper(&self) -> &'w Wrapper {
        self.wrapper
    }

    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(&self.wrapper.machine, &self.wrapper.schema))
    }

    /// The leaves of a page with their states.
    pub(crate) fn assign(&mut self, page: &Page, leaves: &Leaves) -> Assigned {
        // Away while anything is half done: should it panic, nobody goes on with that.
        let skimmer = self.experience.skimmer.take();
        let scratch = &mut self.experience.scratch;
        let assigned = self.wrapper.machine.assign(&self.tables, page, leaves, scratch);
        self.experience.skimmer = skimmer;
        assigned
    }

    /// What comes of leaves with states.
    pub(crate) fn finish(&mut self, leaves: &Leaves, assigned: &Assigned) -> Extraction {
        let status = status(assigned);
        let mut checker = Checker::default();
        let data = match status {
            Status::Failed => Data::new(),
            _ => {
                let mut reader = std::mem::take(&mut self.experience.reader);
                let page = self.labelled(leaves, assigned);
                let data = reader.read(&page, &self.plan, &mut checker);
                self.experience.reader = reader;
                data
            }
        };
        let (problems, warnings) = (self.problems(leaves, assigned), checker.finish());
        Extraction { status, data, problems, warnings }
    }

    /// A page whose leaves have states, to be looked at in detail.
    pub(crate) fn labelled<'a>(
        &'a self,
        leaves: &'a Leaves,
        assigned: &'a Assigned,
    ) -> Labelled<'a> {
        let Extractor { wrapper, tables, experience, .. } = self;
        let (machine, places) = (&wrapper.machine, experience.scratch.places());
        Labelled { machine, tables, leaves, assigned, places }
    }

    fn problems(&self, leaves: &Leaves, assigned: &Assigned) -> Vec<Problem> {
        let mut problems = Vec::new();
        if assigned.is_loose() {
            let kind = ProblemKind::OtherClasses { n: assigned.n_loose, of: leaves.len() };
            problems.push(Problem::of_page(kind));
        }
        if assigned.misfits.is_empty() {
            return problems;
        }
        let teller = Teller { page: self.labelled(leaves, assigned), names: self.names() };
        let n_told = MAX_PROBLEMS - problems.len();
        let told = assigned.misfits.iter().take(n_told);
        problems.extend(told.map(|misfit| teller.tell(misfit)));
        if let Some(n @ 1..) = assigned.misfits.len().checked_sub(n_told) {
            problems.push(Problem::of_page(ProblemKind::More { n }));
        }
        problems
    }

    /// Whether a page fits, and what does not: numbers that other pages have too where the same does not fit.
    pub(crate) fn verify(&mut self, page: &Page) -> (Status, Vec<u64>) {
        let leaves = page.leaves();
        let assigned = self.assign(page, &leaves);
        let mut roles = Roles::default();
        let mut place = |leaf: usize| {
            let Leaf { path, element, .. } = leaves.get(leaf);
            hash(&(leaves.paths().steps(path), roles.of(page, element)))
        };
        let mut misfits: Vec<u64> = assigned
            .misfits
            .iter()
            .map(|misfit| match *misfit {
                Misfit::Inserted { leaf } => place(leaf),
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

impl Extractor<'_> {
    /// What can be read from a page, whether it fits or not, under the names that were learnt.
    pub(crate) fn read_as_learnt(&mut self, page: &Page) -> (Status, Data) {
        let leaves = page.leaves();
        let assigned = self.assign(page, &leaves);
        let plan = Plan::of(&self.wrapper.learnt.fields);
        let page = self.labelled(&leaves, &assigned);
        let data = Reader::default().read(&page, &plan, &mut Checker::default());
        (status(&assigned), data)
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
