//! `cargo xtask check` and `cargo xtask test`.

use crate::eval;
use crate::shell::{run, run_with, shared};
use anyhow::Result;

/// Format, lints and docs.
pub(crate) fn check() -> Result<()> {
    run("cargo", &["fmt", "--all", "--check"])?;
    run(
        "cargo",
        &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
    )?;
    run_with(
        "cargo",
        &["doc", "--workspace", "--no-deps", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )
}

/// Everything that CI asks for.
pub(crate) fn test() -> Result<()> {
    check()?;
    run("cargo", &["test", "--workspace", "--all-features"])?;
    if shared().is_none() {
        eprintln!("no ../shared beside the project: the evaluation is left out");
        return Ok(());
    }
    eval::run(None)
}
