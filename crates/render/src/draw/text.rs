//! Texts for drawing: cut into lines, and made safe.

use crate::look::Area;

/// The first so many characters that are not white space, and what follows them.
pub(super) fn cut(text: &str, n_letters: usize) -> (&str, &str) {
    let mut n_left = n_letters;
    let end = text.char_indices().find(|(_, letter)| {
        let is_over = n_left == 0;
        n_left -= usize::from(!is_over && !letter.is_whitespace());
        is_over
    });
    let (line, rest) = text.split_at(end.map_or(text.len(), |(place, _)| place));
    (line.trim(), rest)
}

/// A text in an area whose lines are not known: as many as fit, cut at words by the width that letters mostly have.
pub(super) fn wrap(text: &str, area: Area, size: f32) -> Vec<(&str, Area)> {
    let pitch = (size * 1.35).max(1.0);
    let n_lines = (area.height / pitch).round().max(1.0);
    let height = area.height / n_lines;
    let mut rest = text;
    let mut lines = Vec::new();
    let mut y = area.y;
    while !rest.is_empty() && y + height <= area.y + area.height + 0.5 {
        let (line, after) = rest.split_at(line_end(rest, area.width, size));
        lines.push((line.trim(), Area { y, height, ..area }));
        (rest, y) = (after, y + height);
    }
    lines
}

/// Where to break so that what is before fits; at a blank if there is one.
fn line_end(text: &str, width: f32, size: f32) -> usize {
    let mut x = 0.0;
    let mut blank = None;
    for (place, letter) in text.char_indices() {
        // Letters of East Asia and what comes after them are squares.
        x += if letter >= '\u{2e80}' { size } else { size * 0.5 };
        if letter == ' ' {
            blank = Some(place);
        }
        if x > width && place > 0 {
            return blank.map_or(place, |blank| blank + 1);
        }
    }
    text.len()
}

/// Write a text so that it is nothing but text, in any XML.
pub(super) fn escape(svg: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => svg.push_str("&amp;"),
            '<' => svg.push_str("&lt;"),
            '>' => svg.push_str("&gt;"),
            '"' => svg.push_str("&quot;"),
            '\'' => svg.push_str("&#39;"),
            // XML has no way to write these.
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => svg.push(' '),
            _ => svg.push(letter),
        }
    }
}
