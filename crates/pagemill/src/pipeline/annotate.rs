//! Many pages through a model, by all cores, one result a page.

use super::ordered::{self, Bounds};
use crate::input::{InputError, InputPage};
use crate::site::NamedWrapper;
use ::annotate::{Annotation, Model, Place};
use page::Page;
use serde_json::Value as Json;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wrapper::{Extractor, Status};

/// What a model found on one page.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotated {
    /// The page's id.
    pub page: String,
    /// Whether all that the schema requires was found, and surely.
    pub status: Status,
    /// The data, nested as the schema is; none of a page that failed.
    pub data: Option<Json>,
    /// What is missing or doubtful, in words.
    pub problems: Vec<String>,
}

/// Annotate pages by some threads: those that fit the wrapper of a site are read by it, the others judged leaf by leaf. Give what comes of each to `take`, in the order of the pages. The first error of `take`
/// ends it.
pub fn annotate<E>(
    model: &Model,
    sites: &[NamedWrapper],
    pages: impl Iterator<Item = Result<InputPage, InputError>> + Send + 'static,
    n_threads: NonZeroUsize,
    mut take: impl FnMut(Result<Annotated, InputError>) -> Result<(), E>,
) -> Result<(), E> {
    let weigh = |page: &Result<InputPage, _>| page.as_ref().map_or(0, |page| page.bytes.len());
    let worker = || {
        let anew = || Annotator::new(model, sites);
        let mut annotator = anew();
        move |page: Result<InputPage, InputError>| {
            Some(page.map(|page| annotate_one(&mut annotator, page, anew)))
        }
    };
    ordered::for_each(pages, Bounds::of(n_threads), weigh, worker, |result| {
        result.take().map_or(Ok(()), &mut take)
    })
}

/// A page on which the model stumbles has failed, and the others are not touched by it.
fn annotate_one<'m>(
    annotator: &mut Annotator<'m>,
    input: InputPage,
    anew: impl FnOnce() -> Annotator<'m>,
) -> Annotated {
    let found = catch_unwind(AssertUnwindSafe(|| annotator.annotate(&input.parse())));
    let (status, data, problems) = found.unwrap_or_else(|_| {
        // What it keeps from page to page may be half done.
        *annotator = anew();
        (Status::Failed, None, vec![super::STUMBLED.to_owned()])
    });
    Annotated { page: input.id, status, data, problems }
}

/// What one thread annotates with.
pub(crate) struct Annotator<'m> {
    model: &'m Model,
    sites: Vec<(&'m NamedWrapper, Extractor<'m>)>,
}

pub(crate) type Verdict = (Status, Option<Json>, Vec<String>);

impl<'m> Annotator<'m> {
    pub(crate) fn new(model: &'m Model, sites: &'m [NamedWrapper]) -> Annotator<'m> {
        let sites = sites.iter().map(|site| (site, Extractor::new(&site.wrapper))).collect();
        Annotator { model, sites }
    }

    fn annotate(&mut self, page: &Page) -> Verdict {
        let model = self.model;
        match self.extract(page) {
            Some((site, found)) => by_columns(model, site, page, &found),
            None => judge(model, page, &model.annotate(page)),
        }
    }

    /// The values of a page, with the numbers of their elements.
    pub(crate) fn values(&mut self, page: &Page) -> Vec<(usize, String)> {
        let model = self.model;
        match self.extract(page) {
            Some((site, found)) => values_of_columns(model, site, page, &found),
            None => model.annotate(page).into_texts().collect(),
        }
    }

    /// What the first wrapper reads that the page fits.
    fn extract(&mut self, page: &Page) -> Option<(&'m NamedWrapper, wrapper::Extraction)> {
        self.sites.iter_mut().find_map(|(site, extractor)| {
            let found = extractor.extract(page);
            (found.status != Status::Failed).then_some((*site, found))
        })
    }
}

/// What a page of a site has: by its columns, and leaf by leaf what is in none of them. In the order of elements.
fn values_of_columns(
    model: &Model,
    site: &NamedWrapper,
    page: &Page,
    found: &wrapper::Extraction,
) -> Vec<(usize, String)> {
    let elements = 0..model.target().elements().len();
    let is_known = |element: &usize| model.columns().is_some_and(|it| it.knows(*element));
    let alone = match elements.clone().all(|it| is_known(&it)) {
        true => Annotation::default(),
        false => model.annotate(page),
    };
    let mut values: Vec<(usize, String)> =
        alone.into_texts().filter(|value| !is_known(&value.0)).collect();
    for nth in elements.filter(is_known) {
        let texts = site.texts(nth, &found.data).into_iter();
        values.extend(texts.map(|text| (nth, model.value_of(nth, text))));
    }
    values.sort_by_key(|value| value.0);
    values
}

/// What a page of a site has, judged.
fn by_columns(
    model: &Model,
    site: &NamedWrapper,
    page: &Page,
    found: &wrapper::Extraction,
) -> Verdict {
    let values = values_of_columns(model, site, page, found);
    let mut problems = Vec::new();
    for (nth, element) in model.target().elements().iter().enumerate() {
        let is_there = values.iter().any(|value| value.0 == nth);
        let is_doubtful = site.elements[nth].as_ref().is_some_and(|it| it.probability <= DOUBTFUL);
        match (is_there, element.cardinality.is_required()) {
            (false, true) => problems.push(format!("no {} was found", element.full_name())),
            (true, true) if is_doubtful => problems.push(format!(
                "{} is doubtful: its column {:?} may be something else",
                element.full_name(),
                site.elements[nth].as_ref().map_or("", |it| &it.was)
            )),
            _ => {}
        }
    }
    if values.is_empty() {
        let problem = format!("nothing on the page is surely part of a {}", model.target().name());
        return (Status::Failed, None, vec![problem]);
    }
    problems.extend(found.problems.iter().map(ToString::to_string));
    let is_whole = problems.is_empty() && found.status == Status::Verified;
    let status = if is_whole { Status::Verified } else { Status::Partial };
    (status, Some(model.target().data(values.into_iter())), problems)
}

/// A column that was chosen with a lower probability may be another.
const DOUBTFUL: f32 = 0.2;

/// What is less likely is in doubt.
pub(crate) const SURE: f32 = 0.5;

pub(crate) fn judge(model: &Model, page: &Page, found: &Annotation) -> Verdict {
    // What was found in a leaf shows that there are leaves; they need not be collected again.
    let is_told = found.values.iter().all(|value| matches!(value.place, Place::Statement(_)));
    if is_told && page.leaves().is_empty() {
        let problem = "the page shows nothing: it may need scripts to be read".to_owned();
        return (Status::Failed, None, vec![problem]);
    }
    if !found.values.iter().any(|value| value.probability > SURE) {
        let problem = format!("nothing on the page is surely part of a {}", model.target().name());
        return (Status::Failed, None, vec![problem]);
    }
    let problems = problems(model, found);
    let status = if problems.is_empty() { Status::Verified } else { Status::Partial };
    (status, Some(found.data(model.target())), problems)
}

/// What is missing or doubtful of what must be there.
fn problems(model: &Model, found: &Annotation) -> Vec<String> {
    let elements = model.target().elements().iter().enumerate();
    let required = elements.filter(|(_, element)| element.cardinality.is_required());
    required
        .filter_map(|(nth, element)| {
            let values = found.values.iter().filter(|value| value.element == nth);
            let best = values.max_by(|a, b| a.probability.total_cmp(&b.probability));
            let name = element.full_name();
            match best {
                None => Some(format!("no {name} was found")),
                Some(best) if best.probability <= SURE => {
                    let percent = (best.probability * 100.0).round();
                    let text: String = best.text.chars().take(60).collect();
                    Some(format!("{name} is doubtful: {text:?} has a probability of {percent} %"))
                }
                Some(_) => None,
            }
        })
        .collect()
}
