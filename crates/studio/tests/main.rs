//! The studio as browsers and forgers meet it. What people see is tested in a real browser, by `cargo xtask studio --test`.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod desk;
mod forged;
mod front_end;
mod harness;
mod table;
