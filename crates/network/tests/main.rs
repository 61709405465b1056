//! The network on real databases: each test that writes runs on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod harness;
mod postgres;

// What the language says, and what follows from it.
mod checks;
mod derived;
mod language;
mod queries;

// What is printed, read again.
mod laws;

// Provenance, updates, joins, views, several writers.
mod writing;

// Other tools read what is exported.
mod exports;

// What the guide shows.
mod guide;

// What networks look like.
mod drawing;
