//! Where a value of a page comes from, why it is not there, or why the page does not fit.
//!
//! In come a wrapper, a page and perhaps a field; out comes an [`Explanation`], for people (the command's business) or, by
//! [`Explanation::to_json`], for programs.

mod json;

use crate::input::InputPage;
use page::Page;
use serde_json::Value as Json;
use wrapper::{Absent, Extractor, Field, FieldPath, Schema, Status, Trace, Wrapper};

/// What is to be told of a page.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What was asked for; if nothing was, all is told in short.
    pub field: Option<FieldPath>,
    /// How the page was read.
    pub trace: Trace,
    /// Which values of the trace are meant.
    pub values: Vec<usize>,
    /// Where what was asked for would be, if it is nowhere.
    pub absent: Vec<Absent>,
}

/// Explain a field of a page, or all of them.
///
/// ```
/// use pagemill::{InputPage, LearnConfig, learn, why};
///
/// let html = |name: &str| format!("<h1>{name}</h1><p>Fish</p>").into_bytes();
/// let pages = ["Herring", "Fog"].map(|name| pagemill::parse(&html(name)));
/// let wrapper = learn(pages.into(), &LearnConfig::default())?.wrapper;
/// let input = InputPage { bytes: html("Eel"), ..InputPage::default() };
/// let page = input.parse();
/// let told = why::explain(&wrapper, &page, Some("title".parse()?)).to_json(&input, &page);
/// assert_eq!(told[0]["value"], "Eel");
/// assert_eq!(told[0]["at"]["bytes"], serde_json::json!([4, 7]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(wrapper: &Wrapper, page: &Page, field: Option<FieldPath>) -> Explanation {
    let mut extractor = Extractor::new(wrapper);
    let trace = extractor.trace(page);
    let is_meant = |it: &FieldPath| field.as_ref().is_none_or(|field| field.matches(it));
    let values: Vec<usize> =
        (0..trace.values.len()).filter(|it| is_meant(&trace.values[*it].field)).collect();
    let absent = match &field {
        Some(field) if values.is_empty() => extractor.absent(page, field),
        _ => Vec::new(),
    };
    Explanation { field, trace, values, absent }
}

impl Explanation {
    /// For programs: an object for each value that was asked for, or one for the page.
    pub fn to_json(&self, input: &InputPage, page: &Page) -> Vec<Json> {
        json::objects(input, page, self)
    }

    /// Why there is neither a value nor a place for one.
    pub fn nothing(&self) -> &'static str {
        match self.trace.extraction.status {
            Status::Failed => "it is a page of something else, of which nothing is read",
            _ => "there are fewer records than that",
        }
    }
}

/// Why a field cannot be asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownField {
    /// There is none of this name; some are called nearly so.
    #[error("no field of the wrapper is called {name:?}{}", is_it(near))]
    NoField {
        /// As it was asked for.
        name: String,
        /// What comes near.
        near: Vec<String>,
    },
    /// A column, with nothing inside.
    #[error("{0:?} is a column, with nothing inside")]
    Column(String),
    /// It says the same everywhere.
    #[error("{name:?} is part of the template and no data: it says {said:?} on every page")]
    Template {
        /// Its name.
        name: String,
        /// What it says.
        said: String,
    },
}

fn is_it(near: &[String]) -> String {
    match near.is_empty() {
        true => String::new(),
        false => format!("; is it {}?", near.join(" or ")),
    }
}

/// Whether a schema has a field; if not, what it has that is called nearly so.
pub fn check_field(schema: &Schema, field: &FieldPath) -> Result<(), UnknownField> {
    let names: Vec<&str> = field.names().collect();
    let mut fields = &schema.fields;
    for (depth, name) in names.iter().enumerate() {
        let Some(found) = fields.iter().find(|field| field.name() == *name) else {
            let name = field.columns();
            let near = schema.near(&name).iter().map(ToString::to_string).collect();
            return Err(UnknownField::NoField { name, near });
        };
        match found {
            Field::Set(set) => fields = &set.fields,
            Field::Column(column) if depth + 1 < names.len() => {
                return Err(UnknownField::Column(column.name.clone()));
            }
            Field::Column(column) if column.is_template => {
                let said = column.examples.first().cloned().unwrap_or_default();
                return Err(UnknownField::Template { name: column.name.clone(), said });
            }
            Field::Column(_) => {}
        }
    }
    Ok(())
}
