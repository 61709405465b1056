//! `cargo xtask fuzz`: look for pages that break a law.
//!
//! libFuzzer on stable Rust: the coverage it steers by comes from an LLVM pass that needs no nightly compiler.

use crate::shell::{root, run_with};
use anyhow::{Context, Result};
use clap::Args;

const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code -Ccodegen-units=1";

#[derive(Args)]
pub(crate) struct Flags {
    /// A file of fuzz/fuzz_targets, without its ending
    target: String,
    /// How long to look
    #[arg(long, default_value_t = 5)]
    minutes: u32,
    /// Longest input tried, in bytes
    #[arg(long, default_value_t = 2048)]
    max_len: u32,
}

pub(crate) fn run(flags: &Flags) -> Result<()> {
    // Naming the target keeps build scripts and macros of the host free of the coverage flags.
    let host = host()?;
    let manifest = root().join("fuzz/Cargo.toml");
    let build =
        ["build", "--release", "--target", &host, "--bin", &flags.target, "--manifest-path"];
    let manifest = manifest.to_string_lossy();
    run_with("cargo", &[&build[..], &[&manifest]].concat(), &[("RUSTFLAGS", COVERAGE)])?;
    let fuzz = root().join("fuzz");
    let found = fuzz.join("target/found").join(&flags.target);
    std::fs::create_dir_all(&found)?;
    let artifacts = format!("-artifact_prefix={}/", fuzz.join("target").display());
    let binary = fuzz.join("target").join(&host).join("release").join(&flags.target);
    run_with(
        &binary.to_string_lossy(),
        &[
            &found.to_string_lossy(),
            &fuzz.join("corpus").to_string_lossy(),
            &format!("-dict={}", fuzz.join("html.dict").display()),
            &format!("-max_total_time={}", flags.minutes * 60),
            &format!("-max_len={}", flags.max_len),
            "-timeout=10",
            "-print_final_stats=1",
            &artifacts,
        ],
        &[],
    )
}

/// The kind of machine this is, as the compiler calls it.
fn host() -> Result<String> {
    let output = std::process::Command::new("rustc").arg("-vV").output()?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}
