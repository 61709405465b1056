//! What is kept in files, or known by a name: wrappers, models, schemas and plans.
//!
//! In comes a path, or the name of something that is built in; out comes what it stands for, or a [`FileError`] that says what is
//! there instead. Files come from strangers: none is read beyond what such a file may have, and each is looked over before it is
//! used. What is written is whole or not there.

use crate::sink::WholeFile;
use annotate::{Model, Target};
use crawl::Plan;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use wrapper::Wrapper;

/// The models that need no file, as gzip packs them.
const MODELS: &[(&str, &[u8])] = &[("news", include_bytes!("../../../models/news.json.gz"))];

/// The schemas that need no file.
const SCHEMAS: [(&str, &str); 6] = [
    ("news", include_str!("../../../schemas/news.dtd")),
    ("product", include_str!("../../../schemas/product.dtd")),
    ("job", include_str!("../../../schemas/job.dtd")),
    ("event", include_str!("../../../schemas/event.dtd")),
    ("recipe", include_str!("../../../schemas/recipe.dtd")),
    ("person", include_str!("../../../schemas/person.dtd")),
];

/// The plans that need no file.
const PLANS: [(&str, &str); 3] = [
    ("university", include_str!("../../../plans/university.toml")),
    ("shop", include_str!("../../../plans/shop.toml")),
    ("news", include_str!("../../../plans/news.toml")),
];

/// No wrapper has more bytes; what a path leads to may have no end.
const MAX_WRAPPER: u64 = (64 << 20) + 1;
/// No model has more bytes, packed or not.
const MAX_MODEL: u64 = (256 << 20) + 1;
/// No schema and no plan has more bytes.
const MAX_TEXT: u64 = 1 << 20;

/// Something else than what a file or name was taken for.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {name:?} as a {kind}: {wrong}")]
pub struct FileError {
    kind: &'static str,
    name: String,
    wrong: String,
}

impl FileError {
    fn new(kind: &'static str, name: &Path, wrong: String) -> FileError {
        FileError { kind, name: name.to_string_lossy().into_owned(), wrong }
    }
}

/// The wrapper in a file.
pub fn read_wrapper(path: &Path) -> Result<Wrapper, FileError> {
    let parse = |bytes: Vec<u8>| match bytes.trim_ascii_start().starts_with(b"<") {
        true => Err("it is a page".to_owned()),
        false => Wrapper::from_json(&bytes).map_err(|error| error.to_string()),
    };
    let found = read(path, MAX_WRAPPER).map_err(|error| said(&error)).and_then(parse);
    found.map_err(|wrong| FileError::new("wrapper", path, wrong))
}

/// Write a wrapper. A run that is killed leaves the file that was there.
pub fn write_wrapper(path: &Path, wrapper: &Wrapper) -> io::Result<()> {
    let text = wrapper.to_json().map_err(io::Error::other)?;
    write(path, text.as_bytes())
}

/// The model of a name, or in a file.
///
/// ```
/// use std::path::Path;
///
/// let news = pagemill::files::read_model(Path::new("news"))?;
/// assert_eq!(news.target().name(), "news");
/// let error = pagemill::files::read_model(Path::new("no-such.json")).err().unwrap();
/// assert!(error.to_string().ends_with("no such file, and none is built in but news"));
/// # Ok::<(), pagemill::files::FileError>(())
/// ```
pub fn read_model(path: &Path) -> Result<Model, FileError> {
    let bytes = match built_in(MODELS, path) {
        Some(bytes) => Ok(bytes.to_vec()),
        None => read(path, MAX_MODEL).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                format!("no such file, and none is built in but {}", names(MODELS))
            }
            _ => said(&error),
        }),
    };
    bytes
        .and_then(|bytes| parse_model(&bytes))
        .map_err(|wrong| FileError::new("model", path, wrong))
}

fn parse_model(bytes: &[u8]) -> Result<Model, String> {
    let mut text = String::new();
    let read = match bytes.starts_with(b"\x1F\x8B") {
        true => MultiGzDecoder::new(bytes).take(MAX_MODEL).read_to_string(&mut text),
        false => (&mut &*bytes).read_to_string(&mut text),
    };
    read.map_err(|_| "it is damaged, or no text".to_owned())?;
    match text.trim_start().starts_with('<') {
        true => Err("it is a page or a schema".into()),
        false => Model::from_json(&text).map_err(|error| error.to_string()),
    }
}

/// Write a model. A run that is killed leaves the file that was there.
pub fn write_model(path: &Path, model: &Model) -> io::Result<()> {
    write(path, model.to_json().as_bytes())
}

/// Names and texts of the target schemas that need no file.
pub fn schemas() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCHEMAS.into_iter()
}

/// The target schema of a name, or in a file.
pub fn read_schema(path: &Path) -> Result<Target, FileError> {
    let text = match built_in(&SCHEMAS, path) {
        Some(text) => Ok(text.to_owned()),
        None => read_text(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                format!("no such file; name a DTD, or one of those built in: {}", names(&SCHEMAS))
            }
            _ => said(&error),
        }),
    };
    text.and_then(|text| Target::parse(&text).map_err(|error| error.to_string()))
        .map_err(|wrong| FileError::new("schema", path, wrong))
}

/// The plan of a name, or in a file.
pub fn read_plan(path: &Path) -> Result<Plan, FileError> {
    let text = match built_in(&PLANS, path) {
        Some(text) => Ok(text.to_owned()),
        None => read_text(path)
            .map_err(|error| format!("{}; university, shop and news are built in", said(&error))),
    };
    text.and_then(|text| Plan::parse(&text).map_err(|error| error.to_string()))
        .map_err(|wrong| FileError::new("plan", path, wrong))
}

fn built_in<'t, T: ?Sized>(all: &[(&str, &'t T)], path: &Path) -> Option<&'t T> {
    all.iter().find(|(name, _)| Path::new(name) == path).map(|(_, it)| *it)
}

fn names<T: ?Sized>(all: &[(&str, &T)]) -> String {
    all.iter().map(|(name, _)| *name).collect::<Vec<&str>>().join(", ")
}

fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MAX_TEXT)?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text"))
}

fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        _ => error.to_string(),
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_can_be_used() {
        for (name, _) in MODELS {
            assert!(read_model(Path::new(name)).is_ok(), "{name}");
        }
        for (name, _) in SCHEMAS {
            assert!(read_schema(Path::new(name)).is_ok(), "{name}");
        }
        for (name, _) in PLANS {
            assert!(read_plan(Path::new(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_is_there_instead_is_said() {
        let said = |error: FileError| error.to_string();
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        std::fs::write(&page, " <h1>Fog</h1>").unwrap();
        for (error, expected) in [
            (said(read_wrapper(&page).err().unwrap()), "it is a page"),
            (said(read_wrapper(folder.path()).err().unwrap()), "it is a folder"),
            (said(read_model(&page).err().unwrap()), "it is a page or a schema"),
            (
                said(read_plan(Path::new("none")).err().unwrap()),
                "university, shop and news are built in",
            ),
        ] {
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
