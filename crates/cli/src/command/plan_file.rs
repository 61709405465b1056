//! Plans: those that are built in, and those in files.

use crate::exit::Exit;
use crate::output::talk;
use pagemill::crawl::Plan;
use pagemill::files;
use std::path::Path;

/// The plan of a name, or of a file.
pub(super) fn read(name: &str) -> Result<Plan, Exit> {
    files::read_plan(Path::new(name)).map_err(|error| {
        talk::say(error);
        Exit::Usage
    })
}
