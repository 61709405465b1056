//! The project's own tasks: `cargo xtask check | test | eval | bench | fuzz | model | studio`.

mod bench;
mod check;
mod eval;
mod fuzz;
mod model;
mod needed;
mod package;
mod python;
mod shell;
mod studio;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tasks of the Pagemill workspace
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Flags {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Format, lints, docs: everything that must hold before tests are worth running
    Check,
    /// Install what the tests need, then run the checks, all tests and the evaluation
    Test,
    /// Quality on benchmark data, compared with the floors in eval/
    Eval {
        #[command(subcommand)]
        suite: Option<eval::Suite>,
    },
    /// Speed, as ratios against yardsticks measured in the same run
    Bench {
        #[command(subcommand)]
        room: bench::Room,
    },
    /// Look for pages that break a law of the parser
    Fuzz(fuzz::Flags),
    /// Train the models that are built into the command anew
    Model(model::Flags),
    /// Build the studio's front end, or try the studio in a browser
    Studio(studio::Flags),
}

fn main() -> ExitCode {
    let result = match Flags::parse().task {
        Task::Check => check::check(),
        Task::Test => check::test(),
        Task::Eval { suite } => eval::run(suite),
        Task::Bench { room } => bench::run_bench(&room),
        Task::Fuzz(flags) => fuzz::run(&flags),
        Task::Model(flags) => model::run(&flags),
        Task::Studio(flags) => studio::run(&flags),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
