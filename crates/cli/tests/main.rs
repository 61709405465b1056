//! The binary as users meet it.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod harness;

// Archives of any size.
#[cfg(unix)]
mod crawl;

// What leaves look like, as JSON and as a table.
mod leaves;
mod regions;

// What pages look like, as pictures.
mod render;

// What is learnt, and where it goes.
mod learn;

// What a wrapper finds on other pages, and how it is written.
mod extract;

// What is there when it is killed while it writes.
#[cfg(unix)]
mod kill;

// How much memory it takes.
#[cfg(unix)]
mod memory;

// Where values come from, and why some do not.
mod why;

// What comes of pages without any set-up.
mod get;

// Labels, models, and what they find on pages of other sites.
mod annotate;
mod columns;

// What is done with a wrapper: listing, editing, checking, repairing.
mod wrapper;

// Networks: queries, statements, exports, pictures.
mod network;

// How the studio starts; what it does is tested in its own crate and in a browser.
mod studio;

// The servers that are crawled, plain and with TLS.
#[cfg(unix)]
#[path = "../../crawl/tests/secure/mod.rs"]
mod secure;
#[cfg(unix)]
#[path = "../../crawl/tests/hostile/mod.rs"]
mod server;

// From a home page to a network.
#[cfg(unix)]
mod shop;
#[cfg(unix)]
mod university;

// What becomes of a site: crawling, killed at any time; stores and archives.
#[cfg(unix)]
mod site;

// Addresses of the web as inputs.
mod web;

// Who else looks at a crawl, and how it is stopped.
#[cfg(unix)]
mod running;

// Proxies and certificates that are named from outside.
#[cfg(unix)]
mod proxy;

// One crawl, several processes, in a PostgreSQL server of our own.
#[cfg(unix)]
#[path = "../../network/tests/postgres.rs"]
mod postgres;
#[cfg(unix)]
mod shared;

// What hostile servers cost, as Linux tells it.
#[cfg(target_os = "linux")]
mod bounds;

// Exit codes, and what is said on the way.
mod exit;

// What hostile pages and file names may do to a terminal: nothing.
mod hostile;

// Files, folders, lists and archives.
mod inputs;

// Help, version and completions.
mod help;

// What the README promises.
mod readme;
