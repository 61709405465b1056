//! For programs: an object for each value that was asked for, or one for the page.

use super::Explanation;
use crate::input::InputPage;
use crate::place::Places;
use page::{Page, Span};
use serde_json::{Value as Json, json};
use wrapper::{Absent, Neighbour, Problem, Rival, Source, Traced};

/// What is told of a page.
pub(super) fn objects(input: &InputPage, page: &Page, explained: &Explanation) -> Vec<Json> {
    let places = Places::new(page, &input.bytes);
    let values = explained.values.iter().map(|it| value(&places, &explained.trace.values[*it]));
    let absent = explained.absent.iter().map(|it| absence(&places, it));
    let mut objects: Vec<Json> = match &explained.field {
        None => vec![whole(explained, values.collect())],
        Some(field) if explained.values.is_empty() && explained.absent.is_empty() => {
            vec![
                json!({ "field": field.to_string(), "value": null, "reason": explained.nothing() }),
            ]
        }
        Some(_) => values.chain(absent).collect(),
    };
    for object in objects.iter_mut().filter_map(Json::as_object_mut) {
        object.shift_insert(0, "page".into(), json!(input.id));
    }
    objects
}

fn whole(explained: &Explanation, values: Vec<Json>) -> Json {
    let extraction = &explained.trace.extraction;
    let problems: Vec<Json> = extraction.problems.iter().map(problem).collect();
    json!({ "status": extraction.status.name(), "problems": problems, "values": values })
}

fn problem(problem: &Problem) -> Json {
    json!({
        "kind": problem.kind.name(),
        "leaf": problem.leaf,
        "text": problem.text,
        "path": problem.path,
        "after": problem.after,
        "expected": problem.expected,
        "nearest": problem.nearest,
        "message": problem.to_string(),
    })
}

fn value(places: &Places<'_>, traced: &Traced) -> Json {
    let rival = |rival: &Rival| {
        json!({
            "state": rival.number,
            "name": rival.name,
            "how": rival.how.name(),
            "score": rival.score,
            "lost_by": rival.loss.name(),
        })
    };
    let state = &traced.state;
    json!({
        "field": traced.field.to_string(),
        "value": traced.value,
        "at": place(places, traced.span),
        "prefix": traced.prefix,
        "suffix": traced.suffix,
        "sources": traced.sources.iter().map(|it| source(places, it)).collect::<Vec<_>>(),
        "state": state.number,
        "name": state.name,
        "how": state.how.name(),
        "score": state.score,
        "rivals": state.rivals.iter().map(rival).collect::<Vec<_>>(),
    })
}

fn place(places: &Places<'_>, span: Span) -> Json {
    match places.of(span) {
        Some(place) => json!({
            "line": place.line,
            "column": place.column,
            "bytes": [place.bytes.start, place.bytes.end],
            "span": [span.start, span.end],
        }),
        None => Json::Null,
    }
}

fn source(places: &Places<'_>, source: &Source) -> Json {
    json!({
        "leaf": source.leaf,
        "text": source.text,
        "at": place(places, source.span),
        "xpath": source.address.xpath,
        "selector": source.address.selector,
        "nth": source.address.nth,
    })
}

fn absence(places: &Places<'_>, absent: &Absent) -> Json {
    let neighbour = |it: &Option<Neighbour>| {
        it.as_ref().map(|it| json!({ "name": it.name, "source": source(places, &it.source) }))
    };
    json!({
        "field": absent.field.to_string(),
        "value": null,
        "density": absent.density,
        "states": absent.states,
        "usually_after": absent.usually_after,
        "usually_before": absent.usually_before,
        "previous": neighbour(&absent.previous),
        "instead": neighbour(&absent.instead),
    })
}
