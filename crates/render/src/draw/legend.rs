//! What the colours mean, below the page.

use super::marks::{Kind, Marks};
use super::text::escape;
use super::{Placed, put};

/// Room for one line, with what is above and below all.
const LINE_HEIGHT: f32 = 22.0;
const MARGIN: f32 = 12.0;
/// A box, and what is between it and its words, and between these and the next box.
const BOX_WIDTH: f32 = 34.0;
/// Letters of the legend are about as wide.
const LETTER_WIDTH: f32 = 7.0;
const LEFT: f32 = 10.0;
/// Names may come from pages, and have no end.
const MAX_LETTERS: usize = 60;

pub(super) struct Legend<'m> {
    entries: Vec<Entry<'m>>,
    n_lines: usize,
}

struct Entry<'m> {
    kind: &'m Kind,
    words: String,
    x: f32,
    line: usize,
}

impl<'m> Legend<'m> {
    /// The kinds that are there, as many a line as fit.
    pub(super) fn new(marks: &'m Marks, placed: &[Placed<'_>], width: f32) -> Legend<'m> {
        let (mut x, mut line) = (LEFT, 0);
        let mut entries = Vec::new();
        for (kind, n_leaves) in marks.counted(placed.iter().map(|it| it.leaf.position)) {
            let words = format!("{} {n_leaves}", shortened(&kind.name));
            let entry_width = BOX_WIDTH + LETTER_WIDTH * words.chars().count() as f32;
            if x > LEFT && x + entry_width > width {
                (x, line) = (LEFT, line + 1);
            }
            entries.push(Entry { kind, words, x, line });
            x += entry_width;
        }
        Legend { entries, n_lines: line + 1 }
    }

    pub(super) fn height(&self) -> f32 {
        MARGIN + LINE_HEIGHT * self.n_lines as f32
    }

    pub(super) fn draw(&self, svg: &mut String, top: f32) {
        svg.push_str("<g stroke-width=\"2\">\n");
        for Entry { kind, words, x, line } in &self.entries {
            let y = top + LINE_HEIGHT * *line as f32;
            let (box_y, text_x, text_y) = (y + 10.0, x + 18.0, y + 20.5);
            put(
                svg,
                format_args!(
                    "<rect x=\"{x}\" y=\"{box_y:.1}\" width=\"12\" height=\"12\" {}/>\n\
                     <text x=\"{text_x}\" y=\"{text_y:.1}\" font-size=\"12\">",
                    kind.pen
                ),
            );
            escape(svg, words);
            svg.push_str("</text>\n");
        }
        svg.push_str("</g>\n");
    }
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
