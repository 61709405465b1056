//! Which leaf of a page is which field, as a wrapper or a model reads it: what a picture of a page is coloured by.
//!
//! ```
//! use pagemill::{LearnConfig, fields, input, learn};
//!
//! let folder = "../../corpus/bookshop/detail/pages";
//! let pages = input::pages([folder]).map(|page| page.map(|page| page.parse()));
//! let pages: Vec<_> = pages.collect::<Result<_, _>>()?;
//! let wrapper = learn(pages.clone(), &LearnConfig::default())?.wrapper;
//!
//! let found = fields::by_wrapper(&wrapper, &pages[0]);
//! let is_name = |leaf: &usize| found.by_leaf[*leaf].as_deref() == Some("name");
//! let name = (0..found.by_leaf.len()).find(is_name).unwrap();
//! assert_eq!(pages[0].leaves().get(name).text, "A Ledger of Small Weathers");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::pipeline::{SURE, judge};
use ::annotate::{Model, Place};
use page::Page;
use wrapper::{Extractor, Reads, Status, Wrapper};

/// The fields of a page's leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafFields {
    /// Whether the page fits.
    pub status: Status,
    /// The field of each leaf, such as `title` or `books.price`; one in doubt has a question mark. Of a leaf that is read
    /// more than once it is the field of its own text.
    pub by_leaf: Vec<Option<String>>,
    /// Fields that were found, and not in leaves: in what the page tells machines.
    pub unseen: Vec<String>,
}

/// The fields of a page's leaves by a wrapper. A page that failed has none.
pub fn by_wrapper(wrapper: &Wrapper, page: &Page) -> LeafFields {
    let trace = Extractor::new(wrapper).trace(page);
    let mut by_leaf = vec![None; page.leaves().len()];
    // What is read of a leaf alone says more of it than the prose that it is part of, and than where it leads.
    for reads in [Reads::Value, Reads::Alt, Reads::Whole, Reads::Link] {
        for value in trace.values.iter().filter(|it| it.reads == reads) {
            for source in &value.sources {
                claim(&mut by_leaf, source.leaf, || value.field.columns());
            }
        }
    }
    LeafFields { status: trace.extraction.status, by_leaf, unseen: Vec::new() }
}

/// The fields of a page's leaves by a model.
pub fn by_model(model: &Model, page: &Page) -> LeafFields {
    let found = model.annotate(page);
    let (status, ..) = judge(model, page, &found);
    let mut by_leaf = vec![None; page.leaves().len()];
    let mut unseen = Vec::new();
    for value in &found.values {
        let doubt = if value.probability > SURE { "" } else { "?" };
        let name = || format!("{}{doubt}", model.target().elements()[value.element].full_name());
        match &value.place {
            Place::Leaves(leaves) => {
                leaves.clone().for_each(|leaf| claim(&mut by_leaf, leaf, name));
            }
            Place::Statement(_) => unseen.push(name()),
        }
    }
    unseen.dedup();
    LeafFields { status, by_leaf, unseen }
}

/// A leaf is of the first field that it is read as.
fn claim(by_leaf: &mut [Option<String>], leaf: usize, name: impl FnOnce() -> String) {
    if let Some(field) = by_leaf.get_mut(leaf) {
        field.get_or_insert_with(name);
    }
}
