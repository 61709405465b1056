//! From pages to what was learnt of them.

use crate::baseline;
use crate::columns;
use crate::data::Data;
use crate::extract::Wrapper;
use crate::group::{self, Copies};
use crate::induce::{Context, Forest, induce};
use crate::journal::Journal;
use crate::machine;
use crate::schema::{self, Schema};
use crate::twig::{Bough, Symbols};
use crate::uwide;
use page::Page;
use std::borrow::Borrow;

/// Which way to go from pages to their schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Descend from the root, and tell apart what stands at each place. Ours, and the better one.
    #[default]
    TopDown,
    /// Compare pages as sequences of leaves: repeated patterns make sets, alignment makes columns. That of the UWIDE paper.
    Uwide,
}

/// How to learn.
///
/// ```
/// use wrapper::{LearnConfig, learn};
///
/// let pages = ["<h1>Dune</h1><p>Price</p><b>$9</b>", "<h1>Emma</h1><p>Price</p><b>$7</b>"];
/// let pages: Vec<_> = pages.map(|html| page::parse(html.as_bytes())).into();
/// let has_price = |config: LearnConfig| {
///     let learnt = learn(pages.clone(), &config)?;
///     let data = learnt.data[0].clone().unwrap_or_default();
///     Ok::<bool, wrapper::LearnError>(data.iter().any(|(_, value)| *value == "Price"))
/// };
/// assert!(!has_price(LearnConfig::default())?);
/// assert!(has_price(LearnConfig::default().with_template(true))?);
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LearnConfig {
    method: Method,
    keeps_template: bool,
    explains: bool,
}

impl LearnConfig {
    /// Go another way than the default one.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Also give, in the data, what says the same everywhere.
    #[must_use]
    pub fn with_template(mut self, keeps_template: bool) -> Self {
        self.keeps_template = keeps_template;
        self
    }

    /// Also keep notes of what was considered, and why it was taken or left.
    #[must_use]
    pub fn with_explanation(mut self, explains: bool) -> Self {
        self.explains = explains;
        self
    }
}

/// Why nothing could be learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// No page was given.
    #[error(
        "cannot learn from no pages: give at least one, better two or more of the same template"
    )]
    NoPages,
    /// None of the pages shows anything.
    #[error("cannot learn from {0} pages that show nothing: they may need scripts to be read")]
    NothingShown(usize),
}

/// What was learnt from some pages of one template.
///
/// ```
/// let pages = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>", "<h1>Kim</h1><b>$5</b>"];
/// let pages = pages.map(|html| page::parse(html.as_bytes())).into();
/// let learnt = wrapper::learn(pages, &Default::default())?;
/// let names: Vec<_> = learnt.schema().fields.iter().map(|field| field.name()).collect();
/// assert_eq!((names, learnt.n_set_aside()), (vec!["title", "money"], 0));
/// assert_eq!(learnt.data[2].as_ref().unwrap()["title"], "Kim");
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Learnt {
    /// What extracts other pages of the template; its schema says what is on them.
    pub wrapper: Wrapper,
    /// The values of each page, in the order in which the pages were given; none for a page that was set aside because
    /// it is of another template than most.
    pub data: Vec<Option<Data>>,
    /// What was considered, and why it was taken or left, if that was asked for; indented like the pages.
    pub explanation: Vec<String>,
}

impl Learnt {
    /// What is on the pages.
    pub fn schema(&self) -> &Schema {
        self.wrapper.schema()
    }

    /// How many pages were set aside.
    pub fn n_set_aside(&self) -> usize {
        self.data.iter().filter(|data| data.is_none()).count()
    }
}

/// Learn the template that most of some pages share. Their order does not matter.
///
/// ```
/// let pages = ["<h1>Dune</h1><b>$9</b>", "<h1>Emma</h1><b>$7</b>"];
/// let pages = pages.iter().map(|html| page::parse(html.as_bytes())).collect();
/// let learnt = wrapper::learn(pages, &Default::default())?;
/// let emma = learnt.data[1].as_ref().unwrap();
/// assert_eq!((&emma["title"], &emma["money"]), (&"Emma".into(), &"$7".into()));
/// # Ok::<(), wrapper::LearnError>(())
/// ```
pub fn learn(pages: Vec<Page>, config: &LearnConfig) -> Result<Learnt, LearnError> {
    learn_from(pages, config)
}

/// The same from pages that are somebody else's, or not. Those that are given are let go as soon as they are read.
pub(crate) fn learn_from<P: Borrow<Page>>(
    pages: Vec<P>,
    config: &LearnConfig,
) -> Result<Learnt, LearnError> {
    let n_pages = pages.len();
    if n_pages == 0 {
        return Err(LearnError::NoPages);
    }
    let mut symbols = Symbols::default();
    let (grown, kept) = grow(pages, &mut symbols);
    let (numbers, boughs) = group::largest(grown);
    if boughs.is_empty() {
        return Err(LearnError::NothingShown(n_pages));
    }
    let journal = Journal::new(config.explains);
    let context = Context { boughs: &boughs, symbols: &symbols, journal: &journal, depth: 0 };
    let mut built = match config.method {
        Method::TopDown => induce(context, &roots(&boughs)),
        Method::Uwide => uwide::induce(&context),
    };
    schema::number(&mut built.slots, 1);
    let (schema, in_order) =
        columns::finish(&context, &built.slots, &built.values, config.keeps_template);
    let wrapper = Wrapper::new(schema, machine::build(&context, &built));
    let learnt_from = |(index, page)| {
        let is_it = |copies: &Copies| copies.contains(&index);
        Some((page, &in_order[numbers.iter().position(is_it)?]))
    };
    let kept: Vec<(P, &Data)> = kept.into_iter().filter_map(learnt_from).collect();
    let wrapper = baseline::with_baseline(wrapper, &kept);
    let mut data = vec![None; n_pages];
    for (copies, page) in numbers.into_iter().zip(in_order) {
        for index in copies {
            data[index] = Some(page.clone());
        }
    }
    Ok(Learnt { wrapper, data, explanation: journal.into_notes() })
}

/// Some of the pages, with their numbers.
type Kept<P> = Vec<(usize, P)>;

/// The pages by their content, so that the order they come in leaves no trace. A page that comes twice is one: it would only
/// make data look like template. Some pages are kept, with their numbers.
fn grow<P: Borrow<Page>>(pages: Vec<P>, symbols: &mut Symbols) -> (Vec<(Copies, Bough)>, Kept<P>) {
    let mut pages: Vec<(usize, P)> = pages.into_iter().enumerate().collect();
    pages.sort_by_cached_key(|(_, page)| group::content(page.borrow()));
    let mut grown: Vec<(Copies, Bough)> = Vec::new();
    let mut kept: Kept<P> = Vec::new();
    // The last is held to tell copies of it.
    for (index, page) in pages {
        let source = page.borrow().source();
        let is_copy = kept.last().is_some_and(|(_, last)| last.borrow().source() == source);
        if let Some((copies, _)) = grown.last_mut().filter(|_| is_copy) {
            copies.push(index);
            continue;
        }
        grown.push((vec![index], Bough::new(page.borrow(), symbols)));
        if kept.len() > baseline::N_PAGES {
            kept.pop();
        }
        kept.push((index, page));
    }
    (grown, kept)
}

fn roots(boughs: &[Bough]) -> Vec<Forest> {
    let forest = |(page, bough): (usize, &Bough)| {
        let twigs = bough.twig(bough.root()).children.clone();
        Forest { page, twigs }
    };
    boughs.iter().enumerate().map(forest).collect()
}
