//! Parts of programs beside the crate.

// What `cargo xtask eval render` compares by.
#[path = "../examples/survey/order.rs"]
mod order;
