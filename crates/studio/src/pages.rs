//! The pages that are open: held as they came, parsed when they are first looked at.

use crate::error::Refusal;
use pagemill::wrapper::templates;
use pagemill::{InputPage, Leaves, Page, pipeline};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, OnceLock};

pub(crate) struct Pages {
    held: Vec<Held>,
    /// By page: which template it is of.
    groups: OnceLock<Vec<Vec<usize>>>,
}

struct Held {
    input: InputPage,
    parsed: OnceLock<Arc<Parsed>>,
}

/// A page and what it shows.
pub(crate) struct Parsed {
    pub(crate) page: Page,
    pub(crate) leaves: Leaves,
}

impl Pages {
    pub(crate) fn new(inputs: Vec<InputPage>) -> Pages {
        let held = inputs.into_iter().map(|input| Held { input, parsed: OnceLock::new() });
        Pages { held: held.collect(), groups: OnceLock::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    pub(crate) fn inputs(&self) -> impl ExactSizeIterator<Item = &InputPage> {
        self.held.iter().map(|held| &held.input)
    }

    pub(crate) fn input(&self, number: usize) -> Result<&InputPage, Refusal> {
        self.held.get(number).map(|held| &held.input).ok_or_else(|| no_page(number))
    }

    pub(crate) fn parsed(&self, number: usize) -> Result<Arc<Parsed>, Refusal> {
        let held = self.held.get(number).ok_or_else(|| no_page(number))?;
        let parse = || {
            let page = held.input.parse();
            let leaves = page.leaves();
            Arc::new(Parsed { page, leaves })
        };
        Ok(held.parsed.get_or_init(parse).clone())
    }

    /// Pages that show something, by template, those of most pages first.
    pub(crate) fn groups(&self) -> &[Vec<usize>] {
        self.groups.get_or_init(|| {
            let page = |number: usize| self.held[number].input.parse();
            let told = || templates(self.len(), page, pipeline::all_cores());
            // A page that trips it up must not cost the others their table.
            catch_unwind(AssertUnwindSafe(told)).unwrap_or_else(|_| vec![(0..self.len()).collect()])
        })
    }

    /// Which site a page is of: its host; of a file its folder, with a number if the folder has pages of several makes.
    pub(crate) fn site(&self, number: usize) -> String {
        let Ok(input) = self.input(number) else { return String::new() };
        let host = input.url.as_deref().and_then(|url| url.split_once("://")?.1.split('/').next());
        if let Some(host) = host {
            return host.to_owned();
        }
        let folder = Path::new(&input.id).parent().unwrap_or(Path::new("")).to_string_lossy();
        let name = folder.rsplit('/').next().unwrap_or_default();
        let groups = self.groups();
        match groups.iter().position(|group| group.contains(&number)) {
            Some(nth) if groups.len() > 1 => format!("{name}#{}", nth + 1),
            _ => name.to_owned(),
        }
    }
}

fn no_page(number: usize) -> Refusal {
    Refusal::missing(format!("there is no page {number}"))
}
