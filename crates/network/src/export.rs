//! The network as a file, for other programs: a format a module, over the same walk through all objects.
//!
//! What is gone is left out. Objects come in the order in which they were found, a thousand at a time, so that no network is too
//! large.

mod csv;
mod graphml;
mod inm;
mod jsonl;
mod turtle;
mod walk;

pub(crate) use graphml::escaped;

use crate::error::Error;
use crate::network::Network;
use std::io::Write;

/// What a network can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A JSON object a line: one for each unit, one for each role of a player.
    JsonLines,
    /// The same as a table.
    Csv,
    /// A graph for Gephi, yEd, networkx and the like.
    GraphMl,
    /// RDF.
    Turtle,
    /// Statements that make the same network.
    Inm,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] =
        [Format::JsonLines, Format::Csv, Format::GraphMl, Format::Turtle, Format::Inm];

    /// What it is called, and how names of its files end.
    pub fn name(self) -> &'static str {
        match self {
            Format::JsonLines => "jsonl",
            Format::Csv => "csv",
            Format::GraphMl => "graphml",
            Format::Turtle => "ttl",
            Format::Inm => "inm",
        }
    }

    /// The format of a name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Network {
    /// Write the whole network.
    pub fn export(&mut self, format: Format, out: &mut dyn Write) -> Result<(), ExportError> {
        self.look(|facts| {
            let written = match format {
                Format::JsonLines => jsonl::write(facts, out),
                Format::Csv => csv::write(facts, out),
                Format::GraphMl => graphml::write(facts, out),
                Format::Turtle => turtle::write(facts, out),
                Format::Inm => inm::write(facts, out),
            };
            Ok(written)
        })?
    }
}

/// Why an export came to no end.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The network could not be read.
    #[error(transparent)]
    Network(#[from] Error),
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
}
