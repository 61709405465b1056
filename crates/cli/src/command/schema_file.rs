//! Target schemas: files that users write, and some that are built in.

use crate::exit::Exit;
use crate::output::talk;
use pagemill::annotate::Target;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The schemas that need no file.
const BUILT_IN: [(&str, &str); 6] = [
    ("news", include_str!("../../../../schemas/news.dtd")),
    ("product", include_str!("../../../../schemas/product.dtd")),
    ("job", include_str!("../../../../schemas/job.dtd")),
    ("event", include_str!("../../../../schemas/event.dtd")),
    ("recipe", include_str!("../../../../schemas/recipe.dtd")),
    ("person", include_str!("../../../../schemas/person.dtd")),
];

/// No schema has more bytes; what a path leads to may have no end.
const MAX_BYTES: u64 = 1 << 20;

/// Names and texts of those that are built in.
pub(super) fn built_in() -> Vec<(String, String)> {
    BUILT_IN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The schema of a name or in a file. What is wrong with it is told, and is wrong usage.
pub(super) fn read(name: &str) -> Result<Target, Exit> {
    let text = match BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        Some((_, text)) => Ok((*text).to_owned()),
        None => read_file(Path::new(name)),
    };
    let target = text.and_then(|text| Target::parse(&text).map_err(|error| error.to_string()));
    target.map_err(|wrong| {
        talk::say(format_args!("cannot use {name:?} as a schema: {wrong}"));
        Exit::Usage
    })
}

fn read_file(path: &Path) -> Result<String, String> {
    let names = || BUILT_IN.map(|(name, _)| name).join(", ");
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(format!("no such file; name a DTD, or one of those built in: {}", names()))
        }
        Err(error) => Err(error.to_string()),
    }
}
