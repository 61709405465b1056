//! Models: files that `pagemill train` writes, and some that are built in.

use crate::exit::Exit;
use crate::output::{file, talk};
use anyhow::Result;
use flate2::read::MultiGzDecoder;
use pagemill::annotate::Model;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The models that need no file, as gzip packs them: a name, and `include_bytes!` of the file.
const BUILT_IN: &[(&str, &[u8])] = &[("news", include_bytes!("../../../../models/news.json.gz"))];

const MAKE_ONE: &str = "pagemill train --schema news LABELS -o FILE makes one";

/// No model has more bytes, packed or not; what a path leads to may have no end.
const MAX_BYTES: u64 = (256 << 20) + 1;

/// The model of a name or in a file. What is there instead is told, and is wrong usage.
pub(super) fn read(name: &str) -> Result<Model, Exit> {
    let bytes = match BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        Some((_, bytes)) => Ok(bytes.to_vec()),
        None => read_file(Path::new(name)),
    };
    bytes.and_then(|bytes| parse(&bytes)).map_err(|wrong| {
        talk::say(format_args!("cannot use {name:?} as a model: {wrong}; {MAKE_ONE}"));
        Exit::Usage
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    if path.is_dir() {
        return Err("it is a folder".into());
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let names: Vec<&str> = BUILT_IN.iter().map(|it| it.0).collect();
            Err(format!("no such file, and none is built in but {}", names.join(", ")))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn parse(bytes: &[u8]) -> Result<Model, String> {
    let mut text = String::new();
    let read = match bytes.starts_with(b"\x1F\x8B") {
        true => MultiGzDecoder::new(bytes).take(MAX_BYTES).read_to_string(&mut text),
        false => (&mut &*bytes).read_to_string(&mut text),
    };
    read.map_err(|_| "it is damaged, or no text".to_owned())?;
    match text.trim_start().starts_with('<') {
        true => Err("it is a page or a schema".into()),
        false => Model::from_json(&text).map_err(|error| error.to_string()),
    }
}

/// Write a model. A run that is killed leaves the file that was there.
pub(super) fn write(path: &Path, model: &Model) -> Result<()> {
    file::write(path, |out| out.write_all(model.to_json().as_bytes()))
}
