//! `pagemill crawl`: from seeds to a store of pages.

pub(super) mod flags;
mod watch;

use super::gathering;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::talk;
use anyhow::Result;
pub(super) use flags::Flags;
use pagemill::crawl::{StoreError, Strategy, Summary, crawl};
use pagemill::fetching::Job;
use watch::Watch;

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let job = flags.job();
    // What was named wrongly must not leave a store behind.
    let config = match job.config(talk::say) {
        Err(error) if error.is_usage() => {
            talk::say(&error);
            return Ok(Exit::Usage);
        }
        config => config?,
    };
    let recipe = match &config.strategy {
        Strategy::Plan(plan) => match gathering::recipe(plan) {
            Ok(recipe) => recipe,
            Err(exit) => return Ok(exit),
        },
        _ => None,
    };
    let store = match job.open() {
        Err(
            error @ (StoreError::Busy { .. }
            | StoreError::Other { .. }
            | StoreError::Foreign { .. }
            | StoreError::Shared(_)),
        ) => {
            talk::say(&error);
            return Ok(Exit::Usage);
        }
        store => store?,
    };
    // In a file it went with the pages.
    if let Some(url) = job.shared().filter(|_| job.fresh && recipe.is_some()) {
        pagemill::network::Network::open(url)?.clear()?;
    }
    let mut watch = Watch::new();
    let stop = interrupt::be_patient();
    let summary = crawl(store, &config, stop, |progress| watch.see(progress))?;
    drop(watch);
    tell(&summary, &job);
    if let Some(recipe) = recipe.filter(|_| summary.counts.pages > 0) {
        let store = gathering::name(&job.store)?;
        gathering::run(store, store, &recipe)?;
    }
    Ok(match () {
        () if summary.is_stopped => Exit::Interrupted,
        () if summary.counts.pages == 0 => Exit::Nothing,
        () if !summary.given_up.is_empty() => Exit::SomeFailed,
        () => Exit::Found,
    })
}

fn tell(summary: &Summary, job: &Job) {
    let counts = &summary.counts;
    let seconds = summary.took.as_secs_f64().max(0.001);
    talk::say(format_args!(
        "{} pages came in {seconds:.1} s ({:.1} a second); {} has {} pages, {} addresses wait",
        summary.run.pages,
        summary.run.pages as f64 / seconds,
        job.store_name(),
        counts.pages,
        counts.waiting,
    ));
    for (reason, n) in &summary.run.failures {
        talk::say(format_args!("{n} addresses gave no page: {reason}"));
    }
    for host in &summary.given_up {
        talk::say(format_args!(
            "{host} does not answer, or asks for patience; its addresses wait for the next run"
        ));
    }
    if counts.waiting > 0 {
        talk::say("the same command goes on where it was");
    }
}
