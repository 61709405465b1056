//! Schemas that need no file.

/// Their names and texts.
const SCHEMAS: [(&str, &str); 2] = [
    ("university", include_str!("../../../schemas/university.inm")),
    ("shop", include_str!("../../../schemas/shop.inm")),
];

/// The text of a schema that is built in.
///
/// ```
/// let university = network::built_in("university").unwrap();
/// assert!(network::Schema::parse(university).is_ok());
/// ```
pub fn built_in(name: &str) -> Option<&'static str> {
    SCHEMAS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of all schemas that are built in.
pub fn built_in_names() -> Vec<&'static str> {
    SCHEMAS.iter().map(|(name, _)| *name).collect()
}
