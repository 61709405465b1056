//! Our parser and html5ever give the same tree.
#![no_main]

#[path = "../../crates/page/tests/laws/mod.rs"]
#[allow(dead_code)]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::same_tree_as_html5ever(bytes));
