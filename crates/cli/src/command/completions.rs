//! `pagemill completions`: a script that teaches a shell our flags.

use crate::exit::Exit;
use crate::output::CANNOT_WRITE;
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  pagemill completions bash > ~/.local/share/bash-completion/completions/pagemill
  pagemill completions zsh  > ~/.zfunc/_pagemill
  pagemill completions fish > ~/.config/fish/completions/pagemill.fish";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// Which shell
    shell: Shell,
}

pub(super) fn run(flags: &Flags) -> anyhow::Result<Exit> {
    // Written at once at the end, because the generator panics where a pipe was closed.
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut super::Flags::command(), "pagemill", &mut script);
    std::io::stdout().write_all(&script).context(CANNOT_WRITE)?;
    Ok(Exit::Found)
}
