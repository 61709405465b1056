//! A real Spark cluster on this machine: a master and two workers, of which one is killed half-way.
//!
//! The script makes 20,000 pages in web archives, runs the job, and compares its rows with those of the command: every page once,
//! none lost. It takes a Java of 17 or later, and packages of 400 MB, so it is no part of the tests.

use crate::package::{self, Build};
use crate::python;
use crate::shell::{root, run_with};
use anyhow::{Context, Result};

const PACKAGES: [&str; 5] = [
    "pyspark==4.3.0",
    "pyarrow==26.0.1",
    "pandas==2.3.3",
    "psutil==7.2.2",
    "moto[server]==5.2.5", // speaks S3
];

pub(super) fn run() -> Result<()> {
    let package = package::put_together(Build::Release)?;
    let python = python::with("spark-python", &PACKAGES).context("cannot install Spark")?;
    let script = root().join("python/eval/spark_cluster.py");
    let binary = Build::Release.folder().join("pagemill");
    let (script, binary) = (script.to_string_lossy(), binary.to_string_lossy());
    run_with(
        &python.to_string_lossy(),
        &[&script, &binary],
        &[("PYTHONPATH", &package.to_string_lossy())],
    )
}
