//! `pagemill crawl`: from seeds to a store of pages.

pub(super) mod flags;
mod watch;

use super::{gathering, plan_file};
use crate::exit::Exit;
use crate::interrupt;
use crate::output::talk;
use anyhow::{Context, Result};
pub(super) use flags::Flags;
use pagemill::crawl::{
    Config, Files, Keep, Limits, Network, NetworkConfig, Politeness, SharedStore, Source, Store,
    StoreError, Strategy, Summary, agent, crawl, guard::Guard,
};
use pagemill::input::Recorded;
use std::sync::Arc;
use watch::Watch;

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let strategy = match strategy(flags) {
        Ok(strategy) => strategy,
        Err(exit) => return Ok(exit),
    };
    // What was named wrongly must not leave a store behind.
    let Some(source) = source(flags)? else { return Ok(Exit::Usage) };
    let recipe = match &strategy {
        Strategy::Plan(plan) => match gathering::recipe(plan) {
            Ok(recipe) => recipe,
            Err(exit) => return Ok(exit),
        },
        _ => None,
    };
    let store = match open(flags) {
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
    if let Some(url) = flags.shared().filter(|_| flags.fresh && recipe.is_some()) {
        pagemill::network::Network::open(url)?.clear()?;
    }
    let config = config(flags, strategy, source);
    let mut watch = Watch::new();
    let stop = interrupt::be_patient();
    let summary = crawl(store, &config, stop, |progress| watch.see(progress))?;
    drop(watch);
    tell(&summary, flags);
    if let Some(recipe) = recipe.filter(|_| summary.counts.pages > 0) {
        let store = gathering::name(&flags.store)?;
        gathering::run(store, store, &recipe)?;
    }
    Ok(match () {
        () if summary.is_stopped => Exit::Interrupted,
        () if summary.counts.pages == 0 => Exit::Nothing,
        () if !summary.given_up.is_empty() => Exit::SomeFailed,
        () => Exit::Found,
    })
}

/// The strategy that flags name: a plan if there is one, else by keywords if there are any, else breadth. One that is named has to
/// go with them.
fn strategy(flags: &Flags) -> Result<Strategy, Exit> {
    let keywords = &flags.keywords;
    let wrong = |what: &str| {
        talk::say(what);
        Err(Exit::Usage)
    };
    match (flags.strategy.as_deref(), &flags.plan) {
        (Some("plan"), None) => {
            wrong("--strategy plan needs a plan: --plan university, shop, news, or a file")
        }
        (Some("best-first"), _) if keywords.is_empty() => {
            wrong("--strategy best-first needs words to compare pages with: --keyword WORDS")
        }
        (Some("breadth"), plan) if plan.is_some() || !keywords.is_empty() => {
            wrong("--strategy breadth goes by neither --plan nor --keyword; leave them out")
        }
        (_, Some(plan)) => Ok(Strategy::Plan(plan_file::read(plan)?)),
        (_, None) if !keywords.is_empty() => Ok(Strategy::BestFirst(keywords.clone())),
        (_, None) => Ok(Strategy::Breadth),
    }
}

fn open(flags: &Flags) -> Result<Keep, StoreError> {
    let plan = flags.plan.clone().unwrap_or_default();
    let settled = [("plan", plan), ("keywords", flags.keywords.join(", "))];
    if let Some(url) = flags.shared() {
        let mut store = SharedStore::open(url, flags.lease, flags.fresh)?;
        for (what, value) in &settled {
            store.settle(what, value)?;
        }
        return Ok(store.into());
    }
    let store = Store::open(&flags.store, flags.fresh)?;
    for (what, value) in &settled {
        store.settle(what, value)?;
    }
    Ok(store.into())
}

/// Where answers come from; none if that was named wrongly, which is said.
fn source(flags: &Flags) -> Result<Option<Source>> {
    if let Some(path) = &flags.replay {
        let (recorded, damages) = match Recorded::read(path) {
            Ok(recorded) => recorded,
            Err(error) => {
                talk::say(error);
                return Ok(None);
            }
        };
        for damage in damages {
            talk::say(damage);
        }
        return Ok(Some(Source::Archive(Arc::new(recorded))));
    }
    let Some(authorities) = authorities(flags) else { return Ok(None) };
    let guard = Guard::new(flags.allow_private, flags.seeds.iter());
    guard.allow_proxies();
    let config = NetworkConfig {
        agent: agent(flags.contact.as_deref()),
        limits: flags.limits(),
        guard,
        is_plain: flags.https_as_http,
        authorities,
        files: Files::new(flags.seeds.iter()),
        proxy: None,
    };
    let network = Network::new(config).context("cannot go online")?;
    Ok(Some(Source::Network(Arc::new(network))))
}

/// The certificates that a user trusts beside those of the system.
fn authorities(flags: &Flags) -> Option<Vec<u8>> {
    let Some(path) = &flags.ca_file else { return Some(Vec::new()) };
    match std::fs::read(path) {
        Ok(bytes) if String::from_utf8_lossy(&bytes).contains("-----BEGIN CERTIFICATE-----") => {
            Some(bytes)
        }
        Ok(_) => {
            talk::say(format_args!("{path:?} has no certificate: PEM is expected"));
            None
        }
        Err(error) => {
            talk::say(format_args!("cannot read the certificates in {path:?}: {error}"));
            None
        }
    }
}

fn config(flags: &Flags, strategy: Strategy, source: Source) -> Config {
    let is_replay = matches!(source, Source::Archive(_));
    let politeness = Politeness {
        // Nobody is there who could be annoyed.
        gap: if is_replay { std::time::Duration::ZERO } else { flags.gap },
        per_host: if is_replay { flags.concurrency.get() } else { flags.per_host.get() },
        obeys_robots: !flags.ignore_robots,
        tries: flags.tries.get(),
        backoff: flags.backoff,
        ..Politeness::default()
    };
    let limits = Limits { depth: flags.max_depth, ..Limits::default() };
    Config {
        seeds: flags.seeds.clone(),
        reach: flags.scope,
        strategy,
        source,
        politeness,
        limits,
        concurrency: flags.concurrency.get(),
        max_pages: flags.max_pages,
        reads_sitemaps: flags.sitemaps,
        renews: flags.renew,
        max_unpacked: flags.limits().max_unpacked,
        n_threads: pagemill::pipeline::all_cores().get(),
    }
}

fn tell(summary: &Summary, flags: &Flags) {
    let counts = &summary.counts;
    let seconds = summary.took.as_secs_f64().max(0.001);
    talk::say(format_args!(
        "{} pages came in {seconds:.1} s ({:.1} a second); {} has {} pages, {} addresses wait",
        summary.run.pages,
        summary.run.pages as f64 / seconds,
        flags.store_name(),
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
