//! `cargo xtask model`: the models that are built into the command, trained anew from benchmark data.
//!
//! Only openly licensed pages are learnt from; `models/README.md` says which.

use crate::eval::program::{binary, pagemill};
use crate::shell::{data, root};
use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use std::fs::{self, File};
use std::io::Write;

/// What each is called, and the folder of labelled pages that it learns from. The schema has the same name.
const MODELS: [(&str, &str); 1] = [("news", "news/wcxb")];

pub(crate) fn run() -> Result<()> {
    let data = data()?.context("no benchmark data: expected a folder ../shared")?;
    let binary = binary(None)?;
    let folder = tempfile::tempdir()?;
    for (name, pages) in MODELS {
        let trained = folder.path().join(name);
        let labels = data.join(pages).join("gold.jsonl");
        let run = pagemill(&binary, |command| {
            command.args(["train", "--schema", name]).arg(&labels).arg("-o").arg(&trained);
        })?;
        print!("{name}: {}", run.said());
        run.success()?;
        let path = root().join("models").join(format!("{name}.json.gz"));
        // Without a name and a time in it, the same model is the same file.
        let mut out = GzBuilder::new().write(File::create(&path)?, Compression::best());
        out.write_all(&fs::read(&trained)?)?;
        out.finish()?;
        println!("{name}: {} bytes", fs::metadata(&path)?.len());
    }
    Ok(())
}
