//! Doubts, and what is decided about them.

use super::json_line;
use crate::exit::Exit;
use crate::output::{CANNOT_WRITE, rows, talk};
use anyhow::{Context, Result};
use pagemill::network::{DoubtRow, Error, Facts, Network, ObjectId};
use serde_json::json;
use std::io::{self, IsTerminal};

pub(super) fn list(store: &str, all: bool, is_json: bool) -> Result<Exit> {
    let mut network = Network::open_existing(store)?;
    let mut doubts = network.doubts()?;
    doubts.retain(|doubt| all || doubt.state == "open");
    let mut out = io::stdout().lock();
    let names: Vec<(String, String)> = network.look(|facts| {
        doubts
            .iter()
            .map(|doubt| Ok((named(facts, Some(doubt.a))?, named(facts, doubt.b)?)))
            .collect()
    })?;
    if is_json || !io::stdout().is_terminal() {
        for (doubt, (a, b)) in doubts.iter().zip(&names) {
            json_line(&as_json(doubt, a, b), &mut out).context(CANNOT_WRITE)?;
        }
    } else {
        let columns = ["doubt", "kind", "a", "b", "sure", "state", "reason"].map(str::to_owned);
        let texts: Vec<Vec<String>> = doubts
            .iter()
            .zip(names)
            .map(|(doubt, (a, b))| {
                let sure = format!("{:.2}", doubt.confidence);
                vec![
                    doubt.id.to_string(),
                    doubt.kind.clone(),
                    a,
                    b,
                    sure,
                    doubt.state.clone(),
                    doubt.reason.clone(),
                ]
            })
            .collect();
        rows::show(&columns, &texts, &mut out).context(CANNOT_WRITE)?;
    }
    Ok(Exit::of(doubts.len(), 0))
}

fn as_json(doubt: &DoubtRow, a: &str, b: &str) -> serde_json::Value {
    json!({
        "doubt": doubt.id, "kind": doubt.kind, "a": a, "b": b, "confidence": doubt.confidence,
        "state": doubt.state, "reason": doubt.reason,
    })
}

/// Number and name; what was joined is there no more.
fn named(facts: &mut Facts<'_>, object: Option<ObjectId>) -> Result<String, Error> {
    let Some(object) = object else { return Ok(String::new()) };
    let row = facts.object(object)?;
    Ok(row.map_or_else(|| format!("#{}", object.0), |row| format!("#{} {}", object.0, row.name)))
}

pub(super) fn join(store: &str, a: &str, b: &str) -> Result<Exit> {
    let mut network = Network::open_existing(store)?;
    let (one, other) = (network.object(a)?, network.object(b)?);
    let doubt = network.join(one, other)?;
    talk::say(format_args!("{a:?} and {b:?} are one; to undo it: split {doubt}"));
    Ok(Exit::Found)
}

pub(super) fn split(store: &str, what: &str, page: Option<&str>) -> Result<Exit> {
    let mut network = Network::open_existing(store)?;
    if let Some(page) = page {
        let one = network.object(what)?;
        let other = network.split_off(one, page)?;
        talk::say(format_args!("what {page} says is of another {what:?} now, #{}", other.0));
        return Ok(Exit::Found);
    }
    let Ok(doubt) = what.parse() else {
        talk::say(format_args!(
            "{what:?} is no number of a doubt; to make two of one object, name a --page"
        ));
        return Ok(Exit::Usage);
    };
    network.split(doubt)?;
    talk::say(format_args!("they are two"));
    Ok(Exit::Found)
}
