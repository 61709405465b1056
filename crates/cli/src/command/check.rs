//! `pagemill check`: whether a wrapper still fits the pages of its site.

use super::inputs::{self, Inputs};
use super::wrapper_file;
use crate::exit::Exit;
use crate::output::progress::Progress;
use crate::output::safe::safe;
use crate::output::{CANNOT_WRITE, talk};
use anyhow::{Context, Result};
use clap::Args;
use pagemill::pipeline;
use pagemill::wrapper::escape::Escaping;
use pagemill::wrapper::{Check, CheckConfig, Oddity, Report};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  pagemill check shop.json new/                    does it still fit?
  pagemill check shop.json new/ --max-unfit 5%     be strict
  pagemill check shop.json new/ --json | jq .columns
  pagemill check shop.json new/ || pagemill repair shop.json new/ -o shop.json

Pages are verified, partial or failed, as in pagemill extract; nothing is extracted. What counts is
what pages have in common: a problem that most pages share, a column that is there at least 10 points
more or less often than when it was learnt, or that has values of another type or unit, each by more
than chance explains for so many pages. Pages that do not fit each in its own way are no change, only
more various than those learnt from.

Exit codes: 0 the pages fit, 1 they have changed, 2 wrong usage, 3 some inputs could not be read";

/// Check whether a wrapper still fits: which pages, which columns, and what does not
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Flags {
    /// What pagemill learn -o has written
    wrapper: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    /// The share of pages that may fail, or share a problem, before it counts as a change; if not given, 50%
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_unfit: Option<f64>,

    /// Print the report as JSON
    #[arg(long)]
    json: bool,

    /// How many threads extract; if not given, one a core
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(super) fn run(flags: &Flags) -> Result<Exit> {
    let wrapper = match wrapper_file::read(&flags.wrapper) {
        Ok(wrapper) => wrapper,
        Err(exit) => return Ok(exit),
    };
    let config = CheckConfig::default();
    let config = flags.max_unfit.map_or(config, |share| config.with_max_unfit(share));
    let mut check = Check::new(&wrapper, config);
    let mut n_unreadable = 0;
    let progress = Progress::pages("checking");
    let n_threads = flags.threads.unwrap_or_else(pipeline::all_cores);
    pipeline::extract(&wrapper, flags.inputs.read(), n_threads, |found| {
        progress.advance();
        match found {
            Ok(found) => {
                check.add(&found.page, found.status, found.data.as_ref(), &found.problems);
            }
            Err(error) => {
                n_unreadable += 1;
                progress.pause(|| inputs::tell(&error));
            }
        }
        Ok::<(), anyhow::Error>(())
    })?;
    drop(progress);
    let report = check.report();
    let mut out = io::stdout().lock();
    let shown = match flags.json {
        true => show_json(&report, n_unreadable, &mut out),
        false => show(&report, n_unreadable, &mut out),
    };
    shown.and_then(|()| out.flush()).context(CANNOT_WRITE)?;
    drop(out);
    if report.is_drift {
        talk::say("the pages have changed: pagemill repair learns them again, under the old names");
    }
    Ok(exit(&report, n_unreadable))
}

fn exit(report: &Report, n_unreadable: usize) -> Exit {
    match (n_unreadable, report.n_pages(), report.is_drift) {
        (1.., ..) => Exit::SomeFailed,
        (_, 0, _) => Exit::Nothing,
        (_, _, true) => Exit::Drift,
        _ => Exit::Found,
    }
}

fn show_json(report: &Report, n_unreadable: usize, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Whole<'r> {
        #[serde(flatten)]
        report: &'r Report,
        n_unreadable: usize,
    }
    let whole = Whole { report, n_unreadable };
    whole.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
    out.write_all(b"\n")
}

fn show(report: &Report, n_unreadable: usize, out: &mut dyn Write) -> io::Result<()> {
    let Report { n_verified, n_partial, n_failed, .. } = report;
    let unreadable = match n_unreadable {
        0 => String::new(),
        n => format!(", {n} could not be read"),
    };
    let n_pages = report.n_pages();
    writeln!(
        out,
        "{n_pages} pages: {n_verified} verified, {n_partial} partial, {n_failed} failed{unreadable}"
    )?;
    if !report.columns.is_empty() {
        writeln!(out, "\nColumns there more or less often than when they were learnt:")?;
        let width = report.columns.iter().map(|it| it.path.chars().count()).max().unwrap_or(0);
        for fill in &report.columns {
            let (learnt, now) = (percent(fill.learnt), percent(fill.now));
            let line = format!(
                "  {:width$}  {learnt:>4} then, {now:>4} now, of {}",
                fill.path, fill.n_rows
            );
            writeln!(out, "{}", safe(&line))?;
        }
    }
    if !report.odd.is_empty() {
        writeln!(out, "\nColumns with values of another type or unit than when they were learnt:")?;
        for Oddity { path, n_pages, of } in &report.odd {
            writeln!(out, "{}", safe(&format!("  {path}  on {n_pages} of {of} pages")))?;
        }
    }
    if !report.problems.is_empty() {
        writeln!(out, "\nWhat does not fit, by the pages that have it:")?;
        for group in &report.problems {
            writeln!(out, "{}", safe(&format!("  {:>5}  {}", group.n_pages, group.problem)))?;
            writeln!(out, "{}", safe(&format!("         {}", group.examples.join(", "))))?;
        }
    }
    match report.is_drift {
        true => writeln!(out, "\nChanged: {}", safe(&report.reasons.join("; "))),
        false if n_pages == 0 => Ok(()),
        false if (n_partial + n_failed) * 3 > n_pages => writeln!(
            out,
            "\nNot changed: {} of {n_pages} pages do not fit, but not in the same way. Learn from more pages.",
            n_partial + n_failed
        ),
        false => writeln!(out, "\nIt fits."),
    }
}

/// `30%`
fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// `5%`, or `0.05`
fn share(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percents) => percents.trim().parse::<f64>().map(|it| it / 100.0),
        None => text.parse(),
    };
    let share = number.ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a percentage such as 5%, or a number from 0 to 1".into())
}
