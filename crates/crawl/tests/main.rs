//! The crawler over HTTP, against servers that do what servers do to crawlers.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod harness;
mod hostile;
mod secure;

// What the hostile server does by itself.
mod server;

// Sites as a whole: resuming, budgets, stores, sitemaps, plans.
mod whole;

// Hostile answers and traps: reasons, deadlines, who else suffers.
mod answers;

// Robots, gaps, patience.
mod polite;

// Private addresses, and files.
mod inside;

// TLS and HTTP/2.
mod tls;
