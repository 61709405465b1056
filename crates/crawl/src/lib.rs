//! A crawler that is polite, safe and never loses a page.

pub mod address;
pub mod cookies;
pub mod guard;
pub mod robots;
pub mod simhash;
pub mod sitemap;
pub mod traps;
pub mod unpack;
