//! Running other programs, and where things are.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The benchmark data and conformance suites beside the project, which are not part of it.
pub(crate) fn shared() -> Option<PathBuf> {
    let shared = root().join("../shared");
    shared.is_dir().then_some(shared)
}

/// The benchmark pages, unpacked outside the project: into `PAGEMILL_DATA`, or a folder for temporary files.
pub(crate) fn data() -> Result<Option<PathBuf>> {
    let Some(shared) = shared() else { return Ok(None) };
    let folder = std::env::var_os("PAGEMILL_DATA")
        .map_or_else(|| std::env::temp_dir().join("pagemill-data"), PathBuf::from);
    let unpack = shared.join("data/unpack");
    run("sh", &[&unpack.to_string_lossy(), &folder.to_string_lossy()])?;
    Ok(Some(folder))
}

/// Run a program in the workspace's root, its output shown; an error if it fails.
pub(crate) fn run(program: &str, args: &[&str]) -> Result<()> {
    run_with(program, args, &[])
}

/// The same, with environment variables.
pub(crate) fn run_with(program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    eprintln!("$ {program} {}", args.join(" "));
    let status = Command::new(program)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .with_context(|| format!("cannot run {program:?}"))?;
    ensure!(status.success(), "{program} {} failed: {status}", args.join(" "));
    Ok(())
}
