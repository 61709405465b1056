//! How a wrapper is learnt from pages, be they few or many: what the command and other programs have in common.
//!
//! Up to [`FEW`] pages are all learnt from. Of more, those are taken that teach something. Either way columns may be called by
//! names that someone gave for values on the pages.

use crate::input::InputPage;
use crate::pipeline;
use crate::pool::Pool;
use page::Page;
use std::borrow::Borrow;
use std::num::NonZeroUsize;
use wrapper::active::Round;
use wrapper::{
    ActiveConfig, Data, Example, Extractor, Field, LearnConfig, LearnError, Learnt, NameError,
    Named, Trained, Wrapper, learn, train,
};

/// Up to so many pages are all learnt from: it takes no time to speak of.
pub const FEW: usize = 30;

/// Why a page was not learnt from.
pub const SET_ASIDE: &str = "another template than most of the pages";

/// How to learn.
#[derive(Clone, Debug, Default)]
pub struct Learning {
    /// What holds for each round.
    pub config: LearnConfig,
    /// Whether to learn from all pages, however many.
    pub takes_all: bool,
    /// From how many pages at most; if not given, from a tenth of them, but from 10 at least and 60 at most.
    pub max_pages: Option<NonZeroUsize>,
    /// What columns are called, by values on the pages.
    pub names: Vec<Example>,
}

/// Why nothing was learnt.
#[derive(Debug, thiserror::Error)]
pub enum LearningError {
    /// The pages.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A name.
    #[error(transparent)]
    Name(#[from] NameError),
}

impl Learning {
    /// What holds all pages, or as many as are looked at.
    pub fn pool(&self) -> Pool {
        match self.takes_all {
            true => Pool::default().with_max_bytes(usize::MAX),
            false => Pool::default(),
        }
    }

    /// Whether all of so many pages are learnt from.
    pub fn is_from_all(&self, n_pages: usize) -> bool {
        self.takes_all || n_pages <= self.max_pages.map_or(FEW, NonZeroUsize::get)
    }

    /// Learn from all pages.
    pub fn from_all(&self, pages: Vec<Page>) -> Result<Learnt, LearnError> {
        learn(pages, &self.config)
    }

    /// Learn from those pages that teach something.
    pub fn from_few<P: Borrow<InputPage> + Sync>(
        &self,
        pages: &[P],
        watch: impl FnMut(Round),
    ) -> Result<Trained, LearnError> {
        let config =
            ActiveConfig::default().with_learning(self.config).with_threads(pipeline::all_cores());
        let config = match self.max_pages {
            Some(max_pages) => config.with_max_pages(max_pages.get()),
            None => config,
        };
        let mut trained =
            train(pages.len(), |number| pages[number].borrow().parse(), &config, watch)?;
        if !self.names.is_empty() {
            // A value may stand on a page that was not learnt from.
            trained.learnt.data = extract_all(&trained.learnt.wrapper, pages);
        }
        Ok(trained)
    }

    /// Learn from the pages of one group: from all of few, or from those of many that teach something.
    pub fn from_group<P: Borrow<InputPage> + Sync>(
        &self,
        pages: &[P],
    ) -> Result<Learnt, LearnError> {
        match self.is_from_all(pages.len()) {
            true => self.from_all(pages.iter().map(|page| page.borrow().parse()).collect()),
            false => self.from_few(pages, |_| ()).map(|it| it.learnt),
        }
    }

    /// Call columns by the names that were given.
    pub fn name(&self, learnt: &mut Learnt) -> Result<Vec<Named>, NameError> {
        learnt.name(&self.names)
    }

    /// Learn from what a pool holds, as the command does.
    ///
    /// ```
    /// use pagemill::{input, learning::Learning};
    ///
    /// let learning = Learning::default();
    /// let mut pool = learning.pool();
    /// for page in input::pages(["../../corpus/bookshop/list/pages"]) {
    ///     pool.add(page?);
    /// }
    /// let wrapper = learning.learn(pool)?;
    /// assert!(wrapper.schema().fields.iter().any(|field| field.name() == "book_items"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(&self, pool: Pool) -> Result<Wrapper, LearningError> {
        let mut learnt = match self.is_from_all(pool.n_added()) {
            true => self.from_all(pool.into_pages().iter().map(InputPage::parse).collect())?,
            false => self.from_few(&pool.into_pages(), |_| ())?.learnt,
        };
        self.name(&mut learnt)?;
        Ok(learnt.wrapper)
    }
}

/// Whether fields hold data. Of a page alone only records do: there is nothing to compare the rest with.
pub fn has_data(fields: &[Field], n_pages: usize) -> bool {
    fields.iter().any(|field| match field {
        Field::Column(_) => n_pages > 1 && field.is_data(),
        Field::Set(set) => set.n_records > 1 && has_data(&set.fields, set.n_records),
    })
}

fn extract_all<P: Borrow<InputPage>>(wrapper: &Wrapper, pages: &[P]) -> Vec<Option<Data>> {
    let mut extractor = Extractor::new(wrapper);
    pages.iter().map(|page| Some(extractor.extract(&page.borrow().parse()).data)).collect()
}
