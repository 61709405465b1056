//! `cargo xtask bench`: placeholder until rooms are measured.
use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Room {
    /// Bytes to leaves
    Page,
}

pub(crate) fn run(room: &Room) -> Result<()> {
    match room {
        Room::Page => Ok(()),
    }
}
