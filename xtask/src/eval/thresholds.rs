//! `cargo xtask eval thresholds`: what the share W, from which on a set counts, does to what is found.
//!
//! The paper's Figure 9, over the pages of the suites `people` and `units`, by its own rule; what the engine reaches by grades stands
//! beside it as a line. Writes `target/thresholds.svg`.

use super::people::{self, Counts};
use super::units;
use crate::shell::root;
use anyhow::{Context, Result};
use pagemill::regions::{Config, Thresholds};
use std::fmt::Write;
use std::path::Path;

/// From half to all of a set.
const SHARES: [f64; 11] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99];
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 56.0;

/// One line of the drawing: F1 by share.
struct Curve {
    label: String,
    colour: &'static str,
    values: Vec<f64>,
}

pub(crate) fn run(data: &Path) -> Result<()> {
    let pages = people::read(&data.join(people::FOLDER))?;
    let listings = units::read(&data.join(units::SITE))?;
    let of_people = |thresholds: Thresholds| {
        let names = people::by(Config { thresholds, ..Config::default() });
        let all = pages.iter().map(|it| Counts::of(&it.wanted, &names(&it.page)));
        all.fold(Counts::default(), Counts::plus).f1()
    };
    let of_units = |thresholds: Thresholds| {
        let config = Config { thresholds, ..Config::default() };
        let all = listings.iter().map(|it| it.judge(&config).0);
        all.fold(Counts::default(), Counts::plus).f1()
    };
    let by_share = |of: &dyn Fn(f64) -> f64| SHARES.iter().map(|share| of(*share)).collect();
    let flat = |value: f64| vec![value; SHARES.len()];
    let paper = Thresholds::paper();
    let curves = [
        curve(
            "people, by the share of names",
            "#1f6feb",
            by_share(&|people| of_people(Thresholds { people, ..paper })),
        ),
        curve("people, graded", "#9ec1f7", flat(of_people(Thresholds::default()))),
        curve(
            "units, by the share of known words",
            "#b35900",
            by_share(&|units| of_units(Thresholds { units, ..paper })),
        ),
        curve("units, graded", "#f0bd8a", flat(of_units(Thresholds::default()))),
    ];
    print!("{}", table(&curves));
    let file = root().join("target/thresholds.svg");
    std::fs::write(&file, drawing(&curves)).with_context(|| format!("cannot write {file:?}"))?;
    println!("drawn: target/thresholds.svg");
    Ok(())
}

fn curve(label: &str, colour: &'static str, values: Vec<f64>) -> Curve {
    Curve { label: label.to_owned(), colour, values }
}

fn table(curves: &[Curve]) -> String {
    let mut table = format!("{:<36}", "W");
    for share in SHARES {
        let _ = write!(table, "{share:>7.2}");
    }
    for curve in curves {
        let _ = write!(table, "\n{:<36}", curve.label);
        for value in &curve.values {
            let _ = write!(table, "{value:>7.3}");
        }
    }
    table.push('\n');
    table
}

/// Where a share and an F1 stand in the drawing.
fn point(share: f64, value: f64) -> (f64, f64) {
    let (first, last) = (SHARES[0], 1.0);
    let x = MARGIN + (share - first) / (last - first) * (WIDTH - 2.0 * MARGIN);
    let y = HEIGHT - MARGIN - value * (HEIGHT - 2.0 * MARGIN);
    (x, y)
}

fn drawing(curves: &[Curve]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    push_axes(&mut svg);
    for (nth, curve) in curves.iter().enumerate() {
        let points = SHARES.iter().zip(&curve.values).map(|(share, value)| point(*share, *value));
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (colour, label) = (curve.colour, &curve.label);
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        // Right of the middle, where no curve is.
        let (x, middle) = point(0.68, 0.5);
        let y = middle + 16.0 * nth as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"3\" fill=\"{colour}\"/>",
            x,
            y - 5.0
        );
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{y:.1}\">{label}</text>", x + 18.0);
    }
    svg.push_str("</svg>\n");
    svg
}

fn push_axes(svg: &mut String) {
    for value in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let ((left, y), (right, _)) = (point(SHARES[0], value), point(1.0, value));
        let _ = writeln!(
            svg,
            "<line x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>"
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.1}</text>",
            left - 6.0,
            y + 4.0
        );
    }
    for share in [0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
        let (x, y) = point(share, 0.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{share:.1}</text>",
            y + 18.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">share W from which on a set counts</text>",
        WIDTH / 2.0,
        HEIGHT - 14.0
    );
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{:.1}\">F1 of names</text>", MARGIN - 14.0);
}
