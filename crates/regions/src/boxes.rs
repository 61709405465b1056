//! Where leaves stand on the page, for those who know: how regularly records stand.

use std::ops::Range;

/// A rectangle on the page, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Its left side.
    pub x: f32,
    /// Its top.
    pub y: f32,
    /// From its left to its right.
    pub width: f32,
    /// From its top to its bottom.
    pub height: f32,
}

/// By leaf, where it stands; none if it is not seen.
pub type Boxes = [Option<Rect>];

/// Places that differ by no more pixels than this are the same.
const TOLERANCE: f32 = 3.0;

/// The share of records that stand in a row or a column with another: equal x, or equal y (Definition 1 of WEB-UIE). Where a
/// record stands is where its first leaf does. None if too few are seen.
pub(crate) fn alignment(boxes: &Boxes, records: &[Range<usize>]) -> Option<f64> {
    let first = |leaves: &Range<usize>| boxes.get(leaves.clone())?.iter().flatten().next().copied();
    let places: Vec<Rect> = records.iter().filter_map(first).collect();
    if places.len() < 2 || places.len() * 2 < records.len() {
        return None;
    }
    let aligned = |of: fn(&Rect) -> f32| {
        let mut sides: Vec<f32> = places.iter().map(of).filter(|it| it.is_finite()).collect();
        sides.sort_by(f32::total_cmp);
        let alone = |index: usize| {
            let near = |other: Option<&f32>| {
                other.is_some_and(|other| (other - sides[index]).abs() <= TOLERANCE)
            };
            !near(index.checked_sub(1).and_then(|it| sides.get(it))) && !near(sides.get(index + 1))
        };
        (0..sides.len()).filter(|index| !alone(*index)).count()
    };
    let n_aligned = aligned(|it| it.x).max(aligned(|it| it.y));
    Some(n_aligned as f64 / places.len() as f64)
}
