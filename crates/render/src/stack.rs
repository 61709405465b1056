//! Places for leaves that have none: one below the other, so that there is something to draw.

use crate::look::{Area, Look};
use page::Leaves;

const MARGIN: f32 = 8.0;
/// How wide most letters are, of their size.
const LETTER_WIDTH: f32 = 0.5;
const LINE_HEIGHT: f32 = 1.35;

/// Give each visible leaf a place: below the one before, or beside it where nothing parts the two.
pub fn stack(leaves: &Leaves, looks: &mut [Look], width: u32) {
    let right = (width as f32 - MARGIN).max(MARGIN * 2.0);
    let mut last = Area { x: MARGIN, y: MARGIN, width: 0.0, height: 0.0 };
    for (leaf, look) in leaves.iter().zip(looks).filter(|(_, look)| look.is_visible) {
        let text_width = leaf.text.chars().count() as f32 * look.size * LETTER_WIDTH;
        let text_width = text_width.max(look.size);
        let x = last.x + last.width;
        let fits_beside = !leaf.is_apart && x + text_width <= right;
        let (x, y) = if fits_beside { (x, last.y) } else { (MARGIN, last.y + last.height) };
        let n_lines = (text_width / (right - x)).ceil().max(1.0);
        let height =
            (n_lines * look.size * LINE_HEIGHT).max(if fits_beside { last.height } else { 0.0 });
        last = Area { x, y, width: text_width.min(right - x), height };
        look.area = Some(last);
    }
}
