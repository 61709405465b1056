//! For people: a block a value, or a line a value.

use super::ShowWhy;
use crate::output::safe::safe;
use pagemill::place::Places;
use pagemill::why::Explanation;
use pagemill::wrapper::{Absent, Neighbour, Reads, Rival, Source, Traced};
use pagemill::{InputPage, Page, Status};
use std::io::{self, Write};

/// Writes explanations as text.
#[derive(Default)]
pub(crate) struct TextWhy {
    is_next: bool,
}

/// So many rivals and sources of a value are told.
const MAX_RIVALS: usize = 4;
const MAX_SOURCES: usize = 5;
/// So much of a value is shown in a list.
const MAX_VALUE: usize = 60;

impl ShowWhy for TextWhy {
    fn show(
        &mut self,
        input: &InputPage,
        page: &Page,
        explained: &Explanation,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if std::mem::replace(&mut self.is_next, true) {
            writeln!(out)?;
        }
        let places = Places::new(page, &input.bytes);
        let mut lines = Lines(Vec::new());
        let is_all = explained.field.is_none();
        lines.verdict(&input.id, explained, is_all);
        for index in &explained.values {
            let value = &explained.trace.values[*index];
            match is_all {
                true => lines.in_short(&places, value),
                false => lines.value(&places, value),
            }
        }
        for absent in &explained.absent {
            lines.absent(&places, absent);
        }
        if let Some(field) = &explained.field
            && explained.values.is_empty()
            && explained.absent.is_empty()
        {
            lines.add(format!("{field} is not on this page: {}", explained.nothing()));
        }
        lines.0.iter().try_for_each(|line| writeln!(out, "{}", safe(line)))
    }
}

/// What is to be written, line by line.
struct Lines(Vec<String>);

impl Lines {
    fn add(&mut self, line: String) {
        self.0.push(line);
    }

    fn detail(&mut self, name: &str, text: impl AsRef<str>) {
        self.add(format!("  {name:9} {}", text.as_ref()));
    }

    /// Whether the page fits; if not, or if all is told, why not.
    fn verdict(&mut self, id: &str, explained: &Explanation, is_all: bool) {
        let extraction = &explained.trace.extraction;
        let meaning = match extraction.status {
            Status::Verified => "every part has its place in the template",
            Status::Partial => "some parts do not fit",
            Status::Failed => "it is a page of something else",
        };
        if is_all || extraction.status != Status::Verified {
            self.add(format!("{id} is {}: {meaning}", extraction.status.name()));
            for problem in &extraction.problems {
                self.detail("", problem.to_string());
            }
        }
    }

    fn in_short(&mut self, places: &Places<'_>, traced: &Traced) {
        let place = match places.of(traced.span) {
            Some(place) => format!("{}:{}", place.line, place.column),
            None => "-".into(),
        };
        self.add(format!("{place:>9}  {} = {:?}", traced.field, cut(&traced.value)));
    }

    fn value(&mut self, places: &Places<'_>, traced: &Traced) {
        self.add(format!("{} = {:?}", traced.field, traced.value));
        self.at(places, traced.span);
        for source in traced.sources.iter().take(MAX_SOURCES) {
            self.source(source);
        }
        if let Some(n @ 1..) = traced.sources.len().checked_sub(MAX_SOURCES) {
            self.detail("", format!("and {n} more leaves"));
        }
        self.detail("read as", read_as(traced));
        let state = &traced.state;
        self.detail("state", format!("{}, {}: {}", state.number, state.name, state.how.describe()));
        if state.rivals.is_empty() {
            self.detail("rivals", "none: leaves of such elements are always this");
        } else {
            self.detail("score", format!("{:.1}", state.score));
        }
        for rival in state.rivals.iter().take(MAX_RIVALS) {
            self.rival(rival);
        }
        if let Some(n @ 1..) = state.rivals.len().checked_sub(MAX_RIVALS) {
            self.detail("", format!("and {n} others"));
        }
    }

    fn at(&mut self, places: &Places<'_>, span: pagemill::page::Span) {
        match (places.of(span), places.snippet(span)) {
            (Some(place), Some(snippet)) => {
                let std::ops::Range { start, end } = place.bytes;
                let (line, column) = (place.line, place.column);
                self.detail("at", format!("line {line}, column {column}, bytes {start}..{end}"));
                let (before, inside, after) = (snippet.before, snippet.inside, snippet.after);
                self.detail("source", format!("{before}[[{inside}]]{after}"));
            }
            _ => self.detail("at", "a place that is not written in the source"),
        }
    }

    fn source(&mut self, source: &Source) {
        self.detail("xpath", &source.address.xpath);
        self.detail(
            "selector",
            format!("{} (leaf {})", source.address.selector, source.address.nth),
        );
    }

    fn rival(&mut self, rival: &Rival) {
        let text = format!(
            "{}, {}, scores {:.1}: {}",
            rival.number,
            rival.name,
            rival.score,
            rival.loss.describe()
        );
        self.detail("rival", text);
    }

    fn absent(&mut self, places: &Places<'_>, absent: &Absent) {
        let Absent { field, density, states, usually_after, usually_before, .. } = absent;
        self.add(format!("{field} is empty here; {}% of those learnt from have it", density / 10));
        let states: Vec<String> = states.iter().map(ToString::to_string).collect();
        let some: Vec<String> = states.iter().take(MAX_RIVALS).cloned().collect();
        let more = if states.len() > some.len() { " and others" } else { "" };
        self.detail("states", format!("{}{more}", some.join(", ")));
        let join = |names: &[String], none: &str| match names {
            [] => none.to_owned(),
            names => names.join(" or "),
        };
        let after = join(usually_after, "the start of the page");
        let before = join(usually_before, "the end of the page");
        self.detail("usually", format!("after {after}, before {before}"));
        let tell = |it: &Neighbour| {
            let name = it.name.as_deref().unwrap_or("fits no place of the template");
            let place = places.of(it.source.span);
            let place = place
                .map_or(String::new(), |it| format!(" at line {}, column {}", it.line, it.column));
            format!("{:?}{place} ({name})", cut(&it.source.text))
        };
        if let Some(previous) = &absent.previous {
            self.detail("here", format!("after {}", tell(previous)));
        }
        match &absent.instead {
            Some(instead) => self.detail("instead", tell(instead)),
            None => self.detail("instead", "nothing of what is usually around it is on this page"),
        }
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
    let mut left_out = Vec::new();
    for (words, place) in [(&traced.prefix, "before"), (&traced.suffix, "after")] {
        if !words.is_empty() {
            left_out.push(format!("{words:?} {place} it"));
        }
    }
    match left_out.is_empty() {
        true => what.to_owned(),
        false => format!("{what}, without {}", left_out.join(" and ")),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
