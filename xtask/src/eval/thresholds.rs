//! `cargo xtask eval thresholds`: what the paper's two thresholds do to what is found (its Figures 9 and 10).
//!
//! W is the share of a set that the dictionary must know before the set counts; S is how alike trees must be to be repetitions of one
//! unit. Both are turned over the pages of the suites `people`, `units` and `regions`, with what the engine reaches by grades beside
//! them as a line. Writes `target/thresholds.svg`.

mod drawing;

use super::people::{self, Counts, Listed};
use super::units::{self, Listing};
use super::{mdr, regions, sites};
use crate::shell::root;
use anyhow::{Context, Result};
use drawing::{Curve, Panel};
use page::Page;
use pagemill::regions::{Config, RepeatConfig, SetConfig, Thresholds};
use std::fmt::Write;
use std::path::Path;

/// From half of a set to all of it.
const SHARES: [f64; 11] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99];
/// From trees of which half is the same to those that are equal but for a twig.
const LIKENESSES: [f64; 10] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

const BLUE: &str = "#1f6feb";
const ORANGE: &str = "#b35900";
const GREEN: &str = "#1a7f37";
const GREY: &str = "#6e7781";

pub(crate) fn run(shared: &Path, data: &Path) -> Result<()> {
    let pages = people::read(&data.join(people::FOLDER))?;
    let listings = units::read(&data.join(units::SITE))?;
    let panels = [by_share(&pages, &listings), by_likeness(&pages, shared, data)?];
    panels.iter().for_each(|panel| print!("{}", table(panel)));
    let file = root().join("target/thresholds.svg");
    std::fs::write(&file, drawing::svg(&panels))
        .with_context(|| format!("cannot write {file:?}"))?;
    println!("drawn: target/thresholds.svg");
    Ok(())
}

/// The paper's Figure 9.
fn by_share(pages: &[Listed], listings: &[Listing]) -> Panel {
    let people = |thresholds: Thresholds| {
        let names = people::by(Config { thresholds, ..Config::default() });
        f1_of(pages, |page| names(page))
    };
    let units = |thresholds: Thresholds| {
        let config = Config { thresholds, ..Config::default() };
        let all = listings.iter().map(|it| it.judge(&config).0);
        all.fold(Counts::default(), Counts::plus).f1()
    };
    let paper = Thresholds::paper();
    let curves = vec![
        Curve::of("people, by the share of names", BLUE, &SHARES, |it| {
            people(Thresholds { people: it, ..paper })
        }),
        Curve::flat("people, as the engine grades them", BLUE, people(Thresholds::default())),
        Curve::of("units, by the share of known words", ORANGE, &SHARES, |it| {
            units(Thresholds { units: it, ..paper })
        }),
        Curve::flat("units, as the engine grades them", ORANGE, units(Thresholds::default())),
    ];
    Panel { title: "W: the share of a set that must be known", sign: "W", at: &SHARES, curves }
}

/// The paper's Figure 10.
fn by_likeness(pages: &[Listed], shared: &Path, data: &Path) -> Result<Panel> {
    let config = Config::default();
    let lists = sites::find(&data.join(regions::FOLDER), &[], None)?;
    let records = |similarity: f64, looks_at_classes: bool| {
        let usual = RepeatConfig::default();
        let similarity_of_role =
            if looks_at_classes { usual.similarity_of_role } else { similarity };
        let repeat = RepeatConfig { similarity, similarity_of_role, ..usual };
        regions::records_by(&lists, shared, &SetConfig { repeat, ..SetConfig::default() })
    };
    let curves = vec![
        Curve::of("people, by repeating units (Algorithm 1)", BLUE, &LIKENESSES, |it| {
            f1_of(pages, |page| mdr::people_by_units(page, &config, it))
        }),
        Curve::of("people, by MDR", GREY, &LIKENESSES, |it| {
            f1_of(pages, |page| mdr::people(page, &config, it))
        }),
        Curve::try_of("records, as the engine finds them", GREEN, &LIKENESSES, |it| {
            records(it, true)
        })?,
        Curve::try_of("records, classes not looked at", ORANGE, &LIKENESSES, |it| {
            records(it, false)
        })?,
    ];
    Ok(Panel { title: "S: how alike repetitions must be", sign: "S", at: &LIKENESSES, curves })
}

/// F1 over the names of all pages.
fn f1_of(pages: &[Listed], names: impl Fn(&Page) -> Vec<String>) -> f64 {
    let all = pages.iter().map(|it| Counts::of(&it.wanted, &names(&it.page)));
    all.fold(Counts::default(), Counts::plus).f1()
}

fn table(panel: &Panel) -> String {
    let mut table = format!("{:<44}", panel.sign);
    for at in panel.at {
        let _ = write!(table, "{at:>7.2}");
    }
    for curve in &panel.curves {
        let _ = write!(table, "\n{:<44}", curve.label);
        for value in &curve.values {
            let _ = write!(table, "{value:>7.3}");
        }
    }
    table + "\n\n"
}
