//! A picture of a page: its leaves where they stand, each outlined in the colour of its type or of the field that it is.
//!
//! What is drawn is what the engine believes, not the page as a designer wants it: no pictures, no borders, one family of
//! letters, each line stretched to the width it was given. Texts of pages are hostile and go into the SVG escaped.

mod legend;
mod marks;
mod palette;
mod text;

use crate::look::{Area, Line, Look, Rgb};
use legend::Legend;
use page::{Leaf, LeafKind, Leaves};
use std::fmt::Write as _;
use text::{cut, escape};

pub use marks::Marks;
pub use palette::outline;

/// A page drawn as SVG.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The text of an SVG file.
    pub svg: String,
    /// How wide it is in pixels.
    pub width: u32,
    /// How high it is in pixels.
    pub height: u32,
    /// How many leaves are in it; those without a place are not.
    pub n_leaves: usize,
}

/// No wall is higher; layouts that are come from style sheets gone wrong.
const MAX_SIDE: f32 = 200_000.0;

/// Draw leaves by their looks. `lines` has those of each leaf, where they are known; a leaf without any is drawn by its
/// area. `marks` tells their outlines. `width` is that of the window; leaves beside it make the picture wider, up to twice
/// as wide.
pub fn draw(
    leaves: &Leaves,
    looks: &[Look],
    lines: &[Vec<Line>],
    marks: &Marks,
    width: u32,
) -> Drawing {
    let placed: Vec<_> = placed(leaves, looks, lines).collect();
    let areas = placed.iter().map(|it| it.area);
    let right = areas.clone().map(|it| it.x + it.width).fold(width as f32, f32::max);
    let bottom = areas.map(|it| it.y + it.height).fold(0.0, f32::max).min(MAX_SIDE);
    let (width, page_height) = (right.min(width as f32 * 2.0).ceil(), bottom.ceil() + 8.0);
    let legend = Legend::new(marks, &placed, width);
    let height = page_height + legend.height();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for leaf in &placed {
        leaf.ground(&mut svg);
    }
    for leaf in &placed {
        leaf.outline(&mut svg, marks);
        leaf.words(&mut svg);
    }
    legend.draw(&mut svg, page_height);
    svg.push_str("</svg>\n");
    Drawing { svg, width: width as u32, height: height as u32, n_leaves: placed.len() }
}

const FAMILY: &str = "Liberation Sans, Arial, Helvetica, sans-serif";

struct Placed<'a> {
    leaf: Leaf<'a>,
    look: &'a Look,
    area: Area,
    lines: &'a [Line],
}

fn placed<'a>(
    leaves: &'a Leaves,
    looks: &'a [Look],
    lines: &'a [Vec<Line>],
) -> impl Iterator<Item = Placed<'a>> {
    leaves.iter().zip(looks).filter_map(|(leaf, look)| {
        let area = look.area.filter(|area| look.is_visible && is_drawable(*area))?;
        let lines = lines.get(leaf.position).map_or(&[][..], Vec::as_slice);
        Some(Placed { leaf, look, area, lines })
    })
}

fn is_drawable(area: Area) -> bool {
    let sides = [area.x, area.y, area.width, area.height];
    !area.is_empty() && sides.iter().all(|side| side.is_finite() && side.abs() < MAX_SIDE)
}

impl Placed<'_> {
    fn rectangle(&self, svg: &mut String, area: Area, paint: std::fmt::Arguments<'_>) {
        let Area { x, y, width, height } = area;
        put(
            svg,
            format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {paint}/>\n"
            ),
        );
    }

    /// The lines it has, or all of it as one.
    fn areas(&self) -> impl Iterator<Item = Area> {
        let whole = self.lines.is_empty().then_some(self.area);
        self.lines.iter().map(|line| line.area).chain(whole)
    }

    fn ground(&self, svg: &mut String) {
        let is_picture = self.leaf.kind == LeafKind::Image;
        let colour = self.look.background.map(|colour| colour.to_string());
        let colour = match colour {
            _ if is_picture => Some("#e8e8e8".to_owned()),
            // White letters are meant for a picture that is not drawn.
            None if is_light(self.look.colour) => Some("#787878".to_owned()),
            colour => colour,
        };
        if let Some(colour) = colour {
            for area in self.areas() {
                self.rectangle(svg, area, format_args!("fill=\"{colour}\""));
            }
        }
    }

    fn outline(&self, svg: &mut String, marks: &Marks) {
        let pen = marks.pen(self.leaf.position);
        for area in self.areas() {
            self.rectangle(svg, area, format_args!("{pen}"));
        }
    }

    fn words(&self, svg: &mut String) {
        let size = if self.leaf.kind == LeafKind::Image { 11.0 } else { self.look.size };
        if self.lines.is_empty() {
            for (words, area) in text::wrap(self.leaf.text, self.area, size) {
                self.line(svg, words, area, size, None);
            }
            return;
        }
        let mut rest = self.leaf.text;
        for line in self.lines {
            let words;
            (words, rest) = cut(rest, line.n_letters);
            self.line(svg, words, line.area, size, Some(line.area.width));
        }
    }

    /// One line of text, stretched to a width if one is given.
    fn line(&self, svg: &mut String, words: &str, area: Area, size: f32, width: Option<f32>) {
        if words.is_empty() || size <= 0.0 {
            return;
        }
        // Letters of most fonts stand on a line that has a fifth of them below.
        let (x, y) = (area.x, area.y + area.height / 2.0 + size * 0.35);
        let Look { weight, is_italic, colour, .. } = self.look;
        put(
            svg,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" fill=\"{colour}\""
            ),
        );
        if *weight != 400 {
            put(svg, format_args!(" font-weight=\"{weight}\""));
        }
        if *is_italic {
            svg.push_str(" font-style=\"italic\"");
        }
        if let Some(width) = width.filter(|_| words.chars().nth(1).is_some()) {
            put(svg, format_args!(" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\""));
        }
        svg.push_str(" xml:space=\"preserve\">");
        escape(svg, words);
        svg.push_str("</text>\n");
    }
}

fn is_light(colour: Rgb) -> bool {
    colour.red.min(colour.green).min(colour.blue) > 200
}

fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    // Strings take all that is written.
    let _ = svg.write_fmt(text);
}

#[cfg(test)]
mod tests;
