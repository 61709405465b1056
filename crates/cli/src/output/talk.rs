//! Messages on stderr. A closed stderr is no reason to stop.

use super::safe::safe;
use std::fmt::Display;
use std::io::Write;

/// One message on one line.
pub(crate) fn say(message: impl Display) {
    let message = message.to_string();
    let _ = writeln!(std::io::stderr(), "pagemill: {}", safe(&message));
}

/// A message of several lines, as clap writes them.
pub(crate) fn say_block(message: &str) {
    let mut stderr = std::io::stderr().lock();
    for line in message.lines() {
        let _ = writeln!(stderr, "{}", safe(line));
    }
}
