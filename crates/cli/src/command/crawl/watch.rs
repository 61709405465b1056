//! What a crawl is doing, on a line of the terminal.

use crate::output::safe::safe;
use indicatif::{ProgressBar, ProgressStyle};
use pagemill::crawl::Progress;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

pub(super) struct Watch {
    bar: ProgressBar,
    rate: Rate,
    last: Option<Instant>,
}

/// More often nobody reads it.
const PAUSE: Duration = Duration::from_millis(200);
/// The rate is that of so long.
const SPAN: Duration = Duration::from_secs(10);
/// Reasons that are told.
const N_REASONS: usize = 3;

impl Watch {
    pub(super) fn new() -> Watch {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(250));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        Watch { bar, rate: Rate::default(), last: None }
    }

    pub(super) fn see(&mut self, progress: &Progress) {
        if self.bar.is_hidden() || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        let now = Instant::now();
        self.last = Some(now);
        let rate = self.rate.at(now, progress.pages);
        self.bar.set_message(line(progress, rate));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How many pages came at some times, the oldest first.
#[derive(Default)]
struct Rate(VecDeque<(Instant, u64)>);

impl Rate {
    /// Pages a second of late.
    fn at(&mut self, now: Instant, pages: u64) -> f64 {
        self.0.push_back((now, pages));
        while self.0.len() > 2 && self.0.front().is_some_and(|(at, _)| now - *at > SPAN) {
            self.0.pop_front();
        }
        let (since, before) = self.0.front().copied().unwrap_or((now, pages));
        pages.saturating_sub(before) as f64 / (now - since).as_secs_f64().max(0.1)
    }
}

fn line(progress: &Progress, rate: f64) -> String {
    let Progress { pages, hosts, waiting, in_flight, failures, .. } = progress;
    let n_failed: u64 = failures.values().sum();
    let mut reasons: Vec<(&String, &u64)> = failures.iter().collect();
    // Those that are as often in the order of their names.
    reasons.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    let told: Vec<String> =
        reasons.iter().take(N_REASONS).map(|(why, n)| format!("{n} {}", safe(why))).collect();
    let more = if reasons.len() > N_REASONS { ", …" } else { "" };
    let told =
        if told.is_empty() { String::new() } else { format!(" ({}{more})", told.join(", ")) };
    format!(
        "{pages} pages of {hosts} hosts, {rate:.1}/s, {waiting} wait, {in_flight} under way, {n_failed} without a page{told}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_all() {
        let reasons = [("status 404", 2), ("took too long", 7), ("robots.txt", 1), ("a", 1)];
        let progress = Progress {
            pages: 12,
            waiting: 40,
            in_flight: 3,
            failures: reasons.into_iter().map(|(why, n)| (why.to_owned(), n)).collect(),
            hosts: 2,
            bytes: 9,
        };
        assert_eq!(
            line(&progress, 1.25),
            "12 pages of 2 hosts, 1.2/s, 40 wait, 3 under way, 11 without a page \
             (7 took too long, 2 status 404, 1 a, …)"
        );
        let none = Progress { failures: Default::default(), ..progress };
        assert!(line(&none, 0.0).ends_with("0 without a page"));
    }

    #[test]
    fn the_rate_is_that_of_late() {
        let (mut rate, start) = (Rate::default(), Instant::now());
        for second in 0..100 {
            rate.at(start + Duration::from_secs(second), second * 50);
        }
        let later = |seconds| start + Duration::from_secs(seconds);
        assert!((rate.at(later(100), 5000) - 50.0).abs() < 1.0);
        for second in 101..120 {
            rate.at(later(second), 5000);
        }
        assert!(rate.at(later(120), 5000) < 1.0);
    }
}
