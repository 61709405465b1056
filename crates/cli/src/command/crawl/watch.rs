//! What a crawl is doing, on a line of the terminal.

use indicatif::{ProgressBar, ProgressStyle};
use pagemill::crawl::Progress;
use std::time::{Duration, Instant};

pub(super) struct Watch {
    bar: ProgressBar,
    start: Instant,
    last: Option<Instant>,
}

/// More often nobody reads it.
const PAUSE: Duration = Duration::from_millis(200);

impl Watch {
    pub(super) fn new() -> Watch {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(250));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        Watch { bar, start: Instant::now(), last: None }
    }

    pub(super) fn see(&mut self, progress: &Progress) {
        if self.bar.is_hidden() || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let rate = progress.pages as f64 / self.start.elapsed().as_secs_f64().max(0.1);
        let n_failed: u64 = progress.failures.values().sum();
        let worst = progress.failures.iter().max_by_key(|(_, n)| **n);
        let worst = worst.map_or(String::new(), |(reason, _)| format!(", most: {reason}"));
        self.bar.set_message(format!(
            "{} pages of {} hosts, {rate:.1}/s, {} wait, {} under way, {n_failed} failed{worst}",
            progress.pages, progress.hosts, progress.waiting, progress.in_flight
        ));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
