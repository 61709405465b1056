//! Exit codes: a contract with scripts.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// There was something to give.
    Found,
    /// All went well, and there was nothing.
    Nothing,
    /// All went well, and pages are not as they were.
    Drift,
    /// The command line makes no sense.
    Usage,
    /// Some inputs could not be read, or the output could not be written.
    SomeFailed,
    /// Stopped by the user.
    Interrupted,
}

impl Exit {
    /// What a command that gives things comes to.
    pub(crate) fn of(n_found: usize, n_failed: usize) -> Exit {
        match (n_found, n_failed) {
            (_, 1..) => Exit::SomeFailed,
            (0, 0) => Exit::Nothing,
            _ => Exit::Found,
        }
    }

    pub(crate) fn code(self) -> i32 {
        match self {
            Exit::Found => 0,
            Exit::Nothing | Exit::Drift => 1,
            Exit::Usage => 2,
            Exit::SomeFailed => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(u8::try_from(exit.code()).unwrap_or(u8::MAX))
    }
}
