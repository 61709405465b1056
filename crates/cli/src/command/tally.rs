//! How many pages fitted.

use super::inputs;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::talk;
use pagemill::pipeline::Extracted;
use pagemill::{InputError, Status};

/// How it went.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) n_verified: usize,
    pub(super) n_partial: usize,
    pub(super) n_failed: usize,
    pub(super) n_unreadable: usize,
    /// Pages that gave anything.
    pub(super) n_found: usize,
    first_partial: Option<String>,
    first_failed: Option<String>,
}

impl Tally {
    pub(super) fn count(&mut self, found: &Extracted) {
        self.n_found += usize::from(found.data.as_ref().is_some_and(|data| !data.is_empty()));
        let (n, first) = match found.status {
            Status::Verified => (&mut self.n_verified, &mut None),
            Status::Partial => (&mut self.n_partial, &mut self.first_partial),
            Status::Failed => (&mut self.n_failed, &mut self.first_failed),
        };
        *n += 1;
        if first.is_none() {
            let reason = found.problems.first().map_or("", String::as_str);
            *first = Some(format!("{:?} is {}: {reason}", found.page, found.status.name()));
        }
    }

    /// Count an input as unreadable, and say why.
    pub(super) fn count_unreadable(&mut self, error: &InputError, progress: &Progress) {
        self.n_unreadable += 1;
        progress.pause(|| inputs::tell(error));
    }

    /// One line of numbers, and one with the first reason, of the worse kind.
    pub(super) fn tell(&self) {
        talk::say(self.numbers("pages "));
        self.tell_first();
    }

    /// How many pages are what; `of` says what is counted.
    pub(super) fn numbers(&self, of: &str) -> String {
        let Tally { n_verified, n_partial, n_failed, n_unreadable, .. } = self;
        let unreadable = match n_unreadable {
            0 => String::new(),
            n => format!(", {n} could not be read"),
        };
        format!("{n_verified} {of}verified, {n_partial} partial, {n_failed} failed{unreadable}")
    }

    pub(super) fn tell_first(&self) {
        if let Some(first) = self.first_failed.as_ref().or(self.first_partial.as_ref()) {
            talk::say(first);
        }
    }

    pub(super) fn exit(&self) -> Exit {
        Exit::of(self.n_found, self.n_failed + self.n_unreadable)
    }
}
