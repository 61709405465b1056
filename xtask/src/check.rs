//! `cargo xtask check` and `cargo xtask test`.

use crate::eval;
use crate::needed;
use crate::package;
use crate::shell::{run, run_with, run_without_warnings, shared};
use crate::studio;
use anyhow::Result;

/// Format, lints and docs.
///
/// Default features: with the renderer's engine, which is most of what there is to compile, its crates would be compiled
/// once more for the linter, and the longest task of all would take minutes longer. The compiler's own lints see the code
/// behind it, when tests are built; `cargo clippy --all-features` is for those who change that code.
pub(crate) fn check() -> Result<()> {
    run("cargo", &["fmt", "--all", "--check"])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    run_with(
        "cargo",
        &["doc", "--workspace", "--no-deps", "--document-private-items"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )
}

/// Everything that CI asks for.
pub(crate) fn test() -> Result<()> {
    needed::install()?;
    check()?;
    run_without_warnings("cargo", &["test", "--workspace", "--all-features", "--no-run"])?;
    run("cargo", &["test", "--workspace", "--all-features"])?;
    studio::test()?;
    package::test()?;
    match shared() {
        Some(shared) => eval::run_as_test(&shared),
        None => {
            eprintln!("no ../shared beside the project: the evaluation is left out");
            Ok(())
        }
    }
}
