//! The command line of Pagemill.
//!
//! Data goes to stdout, talk to stderr. On a terminal data is a table, in a pipe JSON lines.

mod command;
mod exit;
mod interrupt;
mod output;

use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use command::Flags;
use exit::Exit;
use mimalloc::MiMalloc;
use output::talk;
use pagemill::SinkError;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// What is extracted is many small texts, which are made and freed page after page.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    interrupt::watch();
    // Bugs are told like everything else: what they say may have texts of pages in it.
    std::panic::set_hook(Box::new(|bug| talk::say(format_args!("a bug: {bug}"))));
    let exit = match Flags::try_parse() {
        Ok(flags) => command::run(&flags).unwrap_or_else(|error| failed(&error)),
        Err(error) => usage(&error),
    };
    exit.into()
}

/// The one place where an error that ended a command is told.
fn failed(error: &anyhow::Error) -> Exit {
    let io_kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let is_closed_sink = error.downcast_ref::<SinkError>().is_some_and(SinkError::is_closed_pipe);
    // Who closes the pipe has seen enough.
    if io_kind == Some(io::ErrorKind::BrokenPipe) || is_closed_sink {
        return Exit::Found;
    }
    talk::say(format_args!("{error:#}"));
    Exit::SomeFailed
}

/// Help, version, or flags that are wrong.
fn usage(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        let _ = error.print();
        return Exit::Found;
    }
    talk::say_block(&error.render().to_string());
    if let Some(ContextValue::String(input)) = error.get(ContextKind::InvalidSubcommand) {
        tell_missing_command(input);
    }
    Exit::Usage
}

/// `pagemill page.html` is what one tries first.
fn tell_missing_command(input: &str) {
    if Path::new(input).exists() {
        talk::say(format_args!("to see what is in {input:?}, run pagemill leaves {input:?}"));
    }
}
