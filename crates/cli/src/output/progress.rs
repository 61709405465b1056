//! How far a long command is: one line on a terminal, nothing elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::time::Duration;

/// A line on stderr that counts pages, gone when the command is done. Indicatif shows it on terminals only.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn pages(doing: &'static str) -> Progress {
        let bar = ProgressBar::new_spinner().with_message(doing);
        // Commands that are done within the first tick show nothing.
        bar.enable_steady_tick(Duration::from_millis(250));
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {msg}: {pos} pages, {per_sec}, {elapsed}")
        {
            bar.set_style(style);
        }
        Progress(bar)
    }

    /// For commands whose data goes to the terminal.
    pub(crate) fn hidden() -> Progress {
        Progress(ProgressBar::hidden())
    }

    /// Say something without the line in between.
    pub(crate) fn pause(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }

    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }

    /// Go over to something of which no end is known.
    pub(crate) fn now(&self, doing: impl Into<Cow<'static, str>>) {
        self.0.set_message(doing);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
