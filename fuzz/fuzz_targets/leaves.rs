//! Any bytes give leaves that know their place.
#![no_main]

#[path = "../../crates/page/tests/laws/mod.rs"]
#[allow(dead_code)]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::leaves_know_their_place(bytes));
