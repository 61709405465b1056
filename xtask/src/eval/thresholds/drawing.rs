//! Curves as a picture: panels beside each other, each with its legend below.

use anyhow::Result;
use std::fmt::Write;

/// A line of a panel.
pub(super) struct Curve {
    pub(super) label: &'static str,
    colour: &'static str,
    /// F1 at each place of the panel; only one where it is the same everywhere.
    pub(super) values: Vec<f64>,
}

/// What one threshold does.
pub(super) struct Panel {
    pub(super) title: &'static str,
    /// What the threshold is called.
    pub(super) sign: &'static str,
    /// Where it was tried.
    pub(super) at: &'static [f64],
    pub(super) curves: Vec<Curve>,
}

impl Curve {
    pub(super) fn of(
        label: &'static str,
        colour: &'static str,
        at: &[f64],
        value: impl Fn(f64) -> f64,
    ) -> Curve {
        Curve { label, colour, values: at.iter().map(|it| value(*it)).collect() }
    }

    pub(super) fn try_of(
        label: &'static str,
        colour: &'static str,
        at: &[f64],
        value: impl Fn(f64) -> Result<f64>,
    ) -> Result<Curve> {
        let values = at.iter().map(|it| value(*it)).collect::<Result<_>>()?;
        Ok(Curve { label, colour, values })
    }

    pub(super) fn flat(label: &'static str, colour: &'static str, value: f64) -> Curve {
        Curve { label, colour, values: vec![value] }
    }

    fn is_flat(&self) -> bool {
        self.values.len() == 1
    }
}

/// Of a panel, in pixels.
const WIDTH: f64 = 440.0;
const PLOT_HEIGHT: f64 = 260.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 56.0;
/// From the plot to the legend: numbers and the sign of the threshold.
const BELOW: f64 = 52.0;
const LINE: f64 = 20.0;
/// Thresholds that axes go from and to.
const FIRST: f64 = 0.5;
const LAST: f64 = 1.0;

pub(super) fn svg(panels: &[Panel]) -> String {
    let n_lines = panels.iter().map(|it| it.curves.len()).max().unwrap_or(0);
    let width = WIDTH * panels.len() as f64;
    let height = TOP + PLOT_HEIGHT + BELOW + LINE * n_lines as f64 + 8.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#24292f\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (nth, panel) in panels.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate({} 0)\">", WIDTH * nth as f64);
        panel.push_axes(&mut svg);
        panel.curves.iter().for_each(|curve| panel.push_curve(&mut svg, curve));
        panel.push_legend(&mut svg);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// Where a threshold and an F1 stand.
fn point(at: f64, value: f64) -> (f64, f64) {
    let x = LEFT + (at - FIRST) / (LAST - FIRST) * (WIDTH - LEFT - RIGHT);
    (x, TOP + (1.0 - value) * PLOT_HEIGHT)
}

impl Panel {
    fn push_axes(&self, svg: &mut String) {
        let title = self.title;
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"22\" font-size=\"14\" font-weight=\"bold\">{title}</text>\n\
             <text x=\"{LEFT}\" y=\"44\" fill=\"#57606a\">F1</text>"
        );
        for value in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
            let ((left, y), (right, _)) = (point(FIRST, value), point(LAST, value));
            let _ = writeln!(
                svg,
                "<line x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"#d8dee4\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.1}</text>",
                left - 8.0,
                y + 4.0
            );
        }
        for at in [0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let (x, y) = point(at, 0.0);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{at:.1}</text>",
                y + 18.0
            );
        }
        let ((left, y), (right, _)) = (point(FIRST, 0.0), point(LAST, 0.0));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-style=\"italic\">{}</text>",
            (left + right) / 2.0,
            y + 36.0,
            self.sign
        );
    }

    fn push_curve(&self, svg: &mut String, curve: &Curve) {
        let colour = curve.colour;
        let points: Vec<(f64, f64)> = match curve.values[..] {
            [value] => vec![point(FIRST, value), point(LAST, value)],
            _ => self.at.iter().zip(&curve.values).map(|(at, it)| point(*at, *it)).collect(),
        };
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dashes = dashes(curve);
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
            line.join(" ")
        );
        for (x, y) in points.iter().filter(|_| !curve.is_flat()) {
            let _ =
                writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>");
        }
    }

    fn push_legend(&self, svg: &mut String) {
        for (nth, curve) in self.curves.iter().enumerate() {
            let y = TOP + PLOT_HEIGHT + BELOW + LINE * nth as f64 + 4.0;
            let (colour, label, dashes) = (curve.colour, curve.label, dashes(curve));
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                LEFT + 26.0,
                LEFT + 34.0,
                y + 4.0
            );
        }
    }
}

/// What does not depend on the threshold is drawn in dashes.
fn dashes(curve: &Curve) -> &'static str {
    if curve.is_flat() { " stroke-dasharray=\"5 4\"" } else { "" }
}
