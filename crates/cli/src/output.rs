//! What users see: data on stdout, talk on stderr, neither with control characters from strangers.

pub(crate) mod json;
mod safe;
pub(crate) mod table;
pub(crate) mod talk;
