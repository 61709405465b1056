//! A target schema, a few labelled pages, any site: which leaf is which element.
//!
//! In come a [`Target`] (a DTD) and pages with labels; out comes a [`Model`], which maps other pages to the schema, also of
//! sites never seen.

mod calibrate;
mod columns;
mod context;
mod day;
mod feature;
mod format;
mod interval;
mod labels;
mod map;
mod metadata;
mod model;
mod network;
mod panel;
mod path;
mod prose;
mod report;
mod sheet;
mod target;
#[cfg(test)]
mod tests;
mod text;
mod train;

pub use columns::{Cell, Choice, Column, ColumnModel, Lesson, Site};
pub use day::Day;
pub use format::ModelError;
pub use labels::{
    Label, LabelError, LabelProblem, LabelledPage, Labels, NotFound, SpanError, Spans, TextPlace,
    find_text,
};
pub use map::{Annotation, Clusters, MapConfig, Place, Value};
pub use model::{Model, Phase};
pub use network::Kind;
pub use report::{Score, cross_validate, cross_validate_by};
pub use target::{Cardinality, DtdError, DtdProblem, Element, Group, Pattern, Target};
pub use train::{Example, TrainConfig, prose_prior, train};
