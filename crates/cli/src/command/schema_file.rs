//! Target schemas: files that users write, and some that are built in.

use crate::exit::Exit;
use crate::output::talk;
use pagemill::annotate::Target;
use pagemill::files;
use std::path::Path;

/// Names and texts of those that are built in.
pub(super) fn built_in() -> Vec<(String, String)> {
    files::schemas().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// The schema of a name or in a file. What is wrong with it is told, and is wrong usage.
pub(super) fn read(name: &str) -> Result<Target, Exit> {
    files::read_schema(Path::new(name)).map_err(|error| {
        talk::say(error);
        Exit::Usage
    })
}
