//! Why values are what they are, and why pages do not fit: what `pagemill why` tells.

use crate::error::Refusal;
use crate::state::Studio;
use crate::table::Explained;
use crate::wire::{FitView, ProblemView, RivalView, ValueView, WhyPageView, WhyView};
use pagemill::place::Places;
use pagemill::why;
use pagemill::wrapper::{Absent, Extractor, FieldPath, Neighbour, Reads, Traced};
use pagemill::{InputPage, Page, Status};

/// So many rivals of a value are told.
const MAX_RIVALS: usize = 8;

impl Studio {
    /// How pages of a group fit, those that do not first.
    pub(crate) fn fits(&self, group: usize) -> Result<Vec<FitView>, Refusal> {
        let Explained { pages, rows, .. } = self.explained(group)?;
        let mut fits: Vec<(Status, FitView)> = pages
            .iter()
            .zip(rows.iter())
            .map(|(page, row)| {
                let fit = FitView {
                    page: *page,
                    status: row.status.name(),
                    problems: row.problems.clone(),
                    n_warnings: row.warnings.len(),
                };
                (row.status, fit)
            })
            .collect();
        fits.sort_by_key(|(status, fit)| {
            let rank = match status {
                Status::Failed => 0,
                Status::Partial => 1,
                Status::Verified => 2,
            };
            (rank, std::cmp::Reverse(fit.n_warnings), fit.page)
        });
        Ok(fits.into_iter().map(|(_, fit)| fit).collect())
    }

    /// Where everything on a page comes from, and what does not fit.
    pub(crate) fn why_page(&self, group: usize, page: usize) -> Result<WhyPageView, Refusal> {
        let Explained { wrapper, .. } = self.explained(group)?;
        let parsed = self.pages.parsed(page)?;
        let trace = Extractor::new(&wrapper).trace(&parsed.page);
        let found = &trace.extraction;
        let problems = found.problems.iter().map(|it| ProblemView {
            message: it.to_string(),
            kind: it.kind.name(),
            leaf: it.leaf,
        });
        let value = |it: &Traced| ValueView {
            field: it.field.to_string(),
            column: it.field.columns(),
            value: it.value.clone(),
            leaves: it.sources.iter().map(|source| source.leaf).collect(),
        };
        Ok(WhyPageView {
            page,
            status: found.status.name(),
            problems: problems.collect(),
            warnings: found.warnings.iter().map(ToString::to_string).collect(),
            values: trace.values.iter().map(value).collect(),
        })
    }

    /// Where one value of a page comes from; or where it would be, if it is not there.
    pub(crate) fn why(&self, group: usize, page: usize, field: &str) -> Result<WhyView, Refusal> {
        let field: FieldPath = field
            .parse()
            .map_err(|error: pagemill::wrapper::FieldPathError| Refusal::bad(error.to_string()))?;
        let Explained { wrapper, .. } = self.explained(group)?;
        let (input, parsed) = (self.pages.input(page)?, self.pages.parsed(page)?);
        let told = why::explain(&wrapper, &parsed.page, Some(field.clone()));
        if let Some(value) = told.values.first() {
            return Ok(found(input, &parsed.page, &told.trace.values[*value]));
        }
        let nowhere = || nothing(&field, told.nothing().into());
        Ok(told.absent.first().map_or_else(nowhere, lacking))
    }
}

fn found(input: &InputPage, page: &Page, traced: &Traced) -> WhyView {
    let places = Places::new(page, &input.bytes);
    let place = places.of(traced.span);
    let rival = |it: &pagemill::wrapper::Rival| RivalView {
        name: it.name.clone(),
        score: it.score,
        how: it.how.describe(),
        lost: it.loss.describe(),
    };
    let state = &traced.state;
    let address = traced.sources.first().map(|source| &source.address);
    WhyView {
        field: traced.field.to_string(),
        value: Some(traced.value.clone()),
        leaves: traced.sources.iter().map(|source| source.leaf).collect(),
        line: place.as_ref().map(|it| it.line),
        column: place.as_ref().map(|it| it.column),
        bytes: place.map(|it| [it.bytes.start, it.bytes.end]),
        snippet: places.snippet(traced.span).map(|it| [it.before, it.inside, it.after]),
        xpath: address.map(|it| it.xpath.clone()),
        selector: address.map(|it| it.selector.clone()),
        read_as: read_as(traced),
        rule: format!(
            "place {} of the template, {}: {}",
            state.number,
            state.name,
            state.how.describe()
        ),
        score: Some(state.score).filter(|_| !state.rivals.is_empty()),
        rivals: state.rivals.iter().take(MAX_RIVALS).map(rival).collect(),
    }
}

fn nothing(field: &FieldPath, reason: String) -> WhyView {
    WhyView {
        field: field.to_string(),
        value: None,
        leaves: Vec::new(),
        line: None,
        column: None,
        bytes: None,
        snippet: None,
        xpath: None,
        selector: None,
        read_as: String::new(),
        rule: reason,
        score: None,
        rivals: Vec::new(),
    }
}

/// What is not there: where it usually stands, and what stands there instead.
fn lacking(absent: &Absent) -> WhyView {
    let join = |names: &[String], none: &str| {
        if names.is_empty() { none.to_owned() } else { names.join(" or ") }
    };
    let after = join(&absent.usually_after, "the start of the page");
    let before = join(&absent.usually_before, "the end of the page");
    let rule = format!(
        "empty here; {}% of those learnt from have it, usually after {after}, before {before}",
        absent.density / 10
    );
    let tell = |it: &Neighbour| {
        format!(
            "{:?} ({})",
            it.source.text,
            it.name.as_deref().unwrap_or("fits no place of the template")
        )
    };
    let read_as = match (&absent.previous, &absent.instead) {
        (_, Some(instead)) => format!("in its place stands {}", tell(instead)),
        (Some(previous), None) => format!("it would come after {}", tell(previous)),
        (None, None) => "nothing of what is usually around it is on this page".to_owned(),
    };
    let near = absent.instead.as_ref().or(absent.previous.as_ref());
    WhyView {
        leaves: near.map(|it| it.source.leaf).into_iter().collect(),
        read_as,
        ..nothing(&absent.field, rule)
    }
}

/// What of its place a value is.
fn read_as(traced: &Traced) -> String {
    let what = match traced.reads {
        Reads::Value if traced.sources.len() > 1 => "the text of several leaves",
        Reads::Value => "the value",
        Reads::Whole => "the whole text that values are part of",
        Reads::Alt => "what describes a picture",
        Reads::Link => "where a link leads",
    };
    let around = [(&traced.prefix, "before"), (&traced.suffix, "after")];
    let around = around.iter().filter(|(words, _)| !words.is_empty());
    let left_out: Vec<String> =
        around.map(|(words, place)| format!("{words:?} {place} it")).collect();
    match left_out.is_empty() {
        true => what.to_owned(),
        false => format!("{what}, without {}", left_out.join(" and ")),
    }
}
