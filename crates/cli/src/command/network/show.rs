//! One object whole.

use super::json_line;
use crate::exit::Exit;
use crate::output::safe::safe;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use pagemill::network::{Network, Profile, ProfileContext, ProfileFact, Seen};
use pagemill::warc;
use std::io::{self, Write};

pub(super) fn show(store: &str, name: &str, is_json: bool) -> Result<Exit> {
    let mut network = Network::open_existing(store)?;
    let profiles = match name.starts_with('#') {
        true => {
            let id = network.object(name)?;
            network.look(|facts| {
                let row = facts.object(id)?;
                row.iter().map(|row| facts.profile(row)).collect()
            })?
        }
        false => network.profiles(name)?,
    };
    let mut out = io::stdout().lock();
    for (idx, profile) in profiles.iter().enumerate() {
        let written = match is_json {
            true => json_line(&profile.to_json(), &mut out),
            false => text(profile, idx > 0, &mut out),
        };
        written.context(CANNOT_WRITE)?;
    }
    if profiles.is_empty() {
        talk::say(format_args!("nothing is called {name:?}"));
    }
    Ok(Exit::of(profiles.len(), 0))
}

fn text(profile: &Profile, has_others: bool, out: &mut dyn Write) -> io::Result<()> {
    if has_others {
        writeln!(out)?;
    }
    writeln!(out, "{} {}  #{}", profile.class, safe(&profile.name), profile.id.0)?;
    for (class, name) in &profile.containers {
        writeln!(out, "  in {class} {}", safe(name))?;
    }
    for alias in &profile.aliases {
        writeln!(out, "  also called {}", safe(alias))?;
    }
    seen(&profile.seen, 2, out)?;
    facts(&profile.facts, 2, out)?;
    for (by, class, name) in &profile.parts {
        writeln!(out, "  {by}: {class} {}", safe(name))?;
    }
    contexts("in", &profile.contexts, out)?;
    contexts("has", &profile.players, out)
}

fn facts(all: &[ProfileFact], indent: usize, out: &mut dyn Write) -> io::Result<()> {
    for fact in all {
        writeln!(out, "{:indent$}{}: {}", "", fact.name, safe(&fact.value))?;
        seen(&fact.seen, indent + 2, out)?;
    }
    Ok(())
}

fn contexts(word: &str, all: &[ProfileContext], out: &mut dyn Write) -> io::Result<()> {
    for context in all {
        writeln!(out, "  {word} {}: {}", safe(&context.other), context.role)?;
        facts(&context.facts, 4, out)?;
        seen(&context.seen, 4, out)?;
    }
    Ok(())
}

/// Pages, places, and when.
fn seen(seen: &Seen, indent: usize, out: &mut dyn Write) -> io::Result<()> {
    for source in seen.sources.iter().filter(|source| !source.page.is_empty()) {
        let place = if source.place.is_empty() {
            String::new()
        } else {
            format!(" at {}", safe(&source.place))
        };
        let wrapper = if source.wrapper.is_empty() {
            String::new()
        } else {
            format!(", read by {}", safe(&source.wrapper))
        };
        let sure = if source.confidence < 1.0 {
            format!(", {:.2} sure", source.confidence)
        } else {
            String::new()
        };
        writeln!(out, "{:indent$}from {}{place}{wrapper}{sure}", "", safe(&source.page))?;
    }
    match seen.gone {
        Some(_) => writeln!(out, "{:indent$}gone, last seen {}", "", warc::date(seen.last)),
        None => Ok(()),
    }
}
