//! `cargo xtask model`: the models that are built into the command, trained anew from benchmark data.
//!
//! Only openly licensed pages are learnt from; `models/README.md` says which.

use crate::eval::program::{binary, pagemill};
use crate::shell::{data, root};
use anyhow::{Context, Result};
use clap::Args;
use flate2::{Compression, GzBuilder};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

/// What each is called, and the folder of labelled pages that it learns from. The schema has the same name.
const MODELS: [(&str, &str); 1] = [("news", "news/wcxb")];

/// Where what prose is like is built in, and the set that it is learnt from.
const PRIOR: (&str, &str) = ("crates/annotate/src/prose/prior.rs", "wcxb");

#[derive(Args)]
pub(crate) struct Flags {
    /// Train with this binary instead of the release build; one that was built before what prose is like was written knows the old
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(flags: &Flags) -> Result<()> {
    let data = data()?.context("no benchmark data: expected a folder ../shared")?;
    // What is like everywhere is written first, so that the command is built with it.
    write_prior(&crate::eval::fields::prose_prior(&data, PRIOR.1)?)?;
    let binary = binary(flags.binary.as_deref())?;
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

/// Put the rows of the table in the place of those that were there.
fn write_prior(rows: &str) -> Result<()> {
    let path = root().join(PRIOR.0);
    let source = fs::read_to_string(&path)?;
    let start = source.find("= [\n").context("no table in the source of prose")? + "= [\n".len();
    let end = source.rfind("];").context("no end of the table in the source of prose")?;
    fs::write(&path, format!("{}{rows}{}", &source[..start], &source[end..]))?;
    println!("prose: {} features", rows.lines().count());
    Ok(())
}
