//! Many pages through a model, by all cores, one result a page.

use super::ordered::{self, Bounds};
use crate::input::{InputError, InputPage};
use ::annotate::{Annotation, Model, Place};
use page::Page;
use serde_json::Value as Json;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wrapper::Status;

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

/// Annotate pages by some threads, and give what comes of each to `take`, in the order of the pages. The first error of `take`
/// ends it.
pub fn annotate<E>(
    model: &Model,
    pages: impl Iterator<Item = Result<InputPage, InputError>> + Send + 'static,
    n_threads: NonZeroUsize,
    take: impl FnMut(Result<Annotated, InputError>) -> Result<(), E>,
) -> Result<(), E> {
    let weigh = |page: &Result<InputPage, _>| page.as_ref().map_or(0, |page| page.bytes.len());
    let worker =
        || move |page: Result<InputPage, InputError>| page.map(|page| annotate_one(model, page));
    ordered::for_each(pages, Bounds::of(n_threads), weigh, worker, take)
}

/// A page on which the model stumbles has failed, and the others are not touched by it.
fn annotate_one(model: &Model, input: InputPage) -> Annotated {
    let found = catch_unwind(AssertUnwindSafe(|| {
        let page = input.parse();
        judge(model, &page, &model.annotate(&page))
    }));
    let (status, data, problems) =
        found.unwrap_or_else(|_| (Status::Failed, None, vec![super::STUMBLED.to_owned()]));
    Annotated { page: input.id, status, data, problems }
}

/// What is less likely is in doubt.
const SURE: f32 = 0.5;

fn judge(model: &Model, page: &Page, found: &Annotation) -> (Status, Option<Json>, Vec<String>) {
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
