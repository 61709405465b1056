//! What was considered while learning, and why it was taken or left: kept only when somebody asks.

use std::cell::RefCell;

/// The notes of one induction, in the order of its decisions.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// None where nobody asks: then a note costs nothing.
    notes: Option<RefCell<Vec<String>>>,
}

/// Hostile pages could make more notes than anybody reads.
const MAX_NOTES: usize = 100_000;

impl Journal {
    pub(crate) fn new(is_kept: bool) -> Journal {
        Journal { notes: is_kept.then(RefCell::default) }
    }

    /// Note something, indented by how deep in the pages it was decided.
    pub(crate) fn note(&self, depth: usize, text: impl FnOnce() -> String) {
        let Some(notes) = &self.notes else { return };
        let mut notes = notes.borrow_mut();
        if notes.len() < MAX_NOTES {
            notes.push(format!("{}{}", "  ".repeat(depth.min(40)), text()));
        }
    }

    pub(crate) fn into_notes(self) -> Vec<String> {
        self.notes.map(RefCell::into_inner).unwrap_or_default()
    }
}
