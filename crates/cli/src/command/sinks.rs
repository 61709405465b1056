//! What all commands do that write the data of pages.

use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::talk;
use anyhow::Result;
use pagemill::sink::SinkError;

/// What data goes to. Where the command line is wrong, that is told, and how the command ends.
pub(super) fn opened<T>(sink: Result<T, SinkError>) -> Result<Result<T, Exit>> {
    match sink {
        Err(error) if is_usage(&error) => {
            talk::say(&error);
            Ok(Err(Exit::Usage))
        }
        sink => Ok(Ok(sink?)),
    }
}

/// Whether the command line is wrong, not the disk.
pub(super) fn is_usage(error: &SinkError) -> bool {
    use SinkError::{NoSets, TooManyColumns, UnknownFormat, UnknownSet};
    matches!(error, UnknownFormat { .. } | UnknownSet { .. } | NoSets | TooManyColumns { .. })
}

/// How far it is; hidden where lines of data go to the same terminal meanwhile.
pub(super) fn progress(has_lines: bool, doing: &'static str) -> Progress {
    if has_lines { Progress::hidden() } else { Progress::pages(doing) }
}
