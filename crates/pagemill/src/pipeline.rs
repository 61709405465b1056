//! From inputs to records: many pages, by all cores, one result a page.
//!
//! In come a wrapper and pages as they are read; out come, in the same order, what was [`Extracted`] from each. One page that
//! cannot be read, or on which extraction stumbles, is a result like the others. However many pages come, a bounded number
//! of them and of their bytes is held. Writing is left to [`sink`](crate::sink).

mod annotate;
mod ordered;

pub use self::annotate::{Annotated, annotate};
pub(crate) use self::annotate::{Annotator, SURE, judge};

use crate::input::{InputError, InputPage};
use crate::sink::Row;
use ordered::Bounds;
use std::mem::take;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use wrapper::{Data, Extraction, Extractor, Status, Wrapper};

/// What was extracted from one page.
#[derive(Clone, Debug, PartialEq)]
pub struct Extracted {
    /// The page's id.
    pub page: String,
    /// Whether it fits its wrapper.
    pub status: Status,
    /// The data; none of a page that failed.
    pub data: Option<Data>,
    /// What does not fit, the first place first, in words. Of very many only the first, and how many more there are.
    pub problems: Vec<String>,
    /// What fits and looks otherwise than anything that was learnt from, in words.
    pub warnings: Vec<String>,
}

impl Extracted {
    /// Take it from where it was lent, to keep it. Only its status stays there.
    pub fn take(&mut self) -> Extracted {
        let (page, problems) = (take(&mut self.page), take(&mut self.problems));
        let (data, warnings) = (self.data.take(), take(&mut self.warnings));
        Extracted { page, status: self.status, data, problems, warnings }
    }

    /// As sinks take it.
    pub fn row(&self) -> Row<'_> {
        let Extracted { page, status, data, problems, warnings } = self;
        Row { page, status: *status, data: data.as_ref(), problems, warnings }
    }
}

/// Extract from pages by some threads, and lend what comes of each to `take`, in the order of the pages; what it does not
/// [keep](Extracted::take) goes back to the thread that made it. The first error of `take` ends it.
///
/// ```
/// use pagemill::{LearnConfig, input, learn, pipeline};
///
/// let folder = "../../corpus/bookshop/detail/pages";
/// let pages = input::pages([folder]).map(|page| page.map(|page| page.parse()));
/// let wrapper = learn(pages.collect::<Result<_, _>>()?, &LearnConfig::default())?.wrapper;
///
/// let mut titles = Vec::new();
/// pipeline::extract(&wrapper, input::pages([folder]), pipeline::all_cores(), |found| {
///     titles.extend(found?.data.as_mut().and_then(|data| data.remove("title")));
///     Ok::<(), pagemill::InputError>(())
/// })?;
/// assert_eq!(titles[0], "A Ledger of Small Weathers by Hespera Lindqvale");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn extract<E>(
    wrapper: &Wrapper,
    pages: impl Iterator<Item = Result<InputPage, InputError>> + Send + 'static,
    n_threads: NonZeroUsize,
    mut take: impl FnMut(Result<&mut Extracted, InputError>) -> Result<(), E>,
) -> Result<(), E> {
    let weigh = |page: &Result<InputPage, _>| page.as_ref().map_or(0, |page| page.bytes.len());
    let worker = || {
        let mut extractor = wrapper.extractor();
        move |page: Result<InputPage, InputError>| {
            Some(page.map(|page| extract_one(&mut extractor, page, || wrapper.extractor())))
        }
    };
    ordered::for_each(pages, Bounds::of(n_threads), weigh, worker, |result| match result {
        Some(Ok(found)) => take(Ok(found)),
        unreadable => unreadable.take().and_then(Result::err).map_or(Ok(()), |it| take(Err(it))),
    })
}

/// As many threads as the machine has cores for us.
pub fn all_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A page on which extraction stumbles has failed, and the others are not touched by it.
fn extract_one<'w>(
    extractor: &mut Extractor<'w>,
    input: InputPage,
    anew: impl FnOnce() -> Extractor<'w>,
) -> Extracted {
    let found =
        catch_unwind(AssertUnwindSafe(|| extractor.extract_bytes(&input.bytes, &input.config())));
    match found {
        Ok(found) => Extracted::new(input.id, found),
        Err(_) => {
            // What it keeps from page to page may be half done.
            *extractor = anew();
            let problems = vec![STUMBLED.to_owned()];
            let (status, warnings) = (Status::Failed, Vec::new());
            Extracted { page: input.id, status, data: None, problems, warnings }
        }
    }
}

const STUMBLED: &str = "extraction failed on this page: a bug of pagemill, worth a report";

impl Extracted {
    fn new(page: String, found: Extraction) -> Extracted {
        let problems = found.problems.iter().map(ToString::to_string).collect();
        let warnings = found.warnings.iter().map(ToString::to_string).collect();
        let data = (found.status != Status::Failed).then_some(found.data);
        Extracted { page, status: found.status, data, problems, warnings }
    }
}
