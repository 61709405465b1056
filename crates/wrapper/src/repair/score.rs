//! How much speaks for it that a column of the new pages is a column of the old ones.
//!
//! Scores add up, and what is worth nothing scores nothing. A value that the old wrapper still reads in the same place says
//! most; then names and labels, then looks. The weights were tried on sites that were changed in known ways
//! (`cargo xtask eval changes`).

use super::evidence::{Element, Side, n_common};
use crate::name;
use crate::schema::{Column, Field, Reads, Set, SlotId};
use page::DataType;

/// What is read from one place: its value, and what goes with it.
pub(super) struct Unit<'s> {
    pub(super) slots: &'s [SlotId],
    pub(super) columns: Vec<&'s Column>,
    /// Where among its like it stands, from 0 to 1.
    place: f64,
}

impl<'s> Unit<'s> {
    /// The column that stands for it.
    pub(super) fn main(&self) -> &'s Column {
        self.columns[0]
    }

    /// The column that gives one thing of it.
    pub(super) fn reading(&self, reads: Reads) -> Option<&'s Column> {
        self.columns.iter().find(|column| column.reads == reads).copied()
    }

    pub(super) fn is_template(&self) -> bool {
        self.columns.iter().all(|column| column.is_template)
    }
}

/// The columns of a page or record by what they are read from, in their order.
pub(super) fn units(fields: &[Field]) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    for field in fields {
        let Field::Column(column) = field else { continue };
        match units.last_mut().filter(|unit| unit.slots == column.slots) {
            Some(unit) => unit.columns.push(column),
            None => {
                let slots = &column.slots;
                units.push(Unit { slots, columns: vec![column], place: 0.0 });
            }
        }
    }
    let n = units.len().max(1) as f64;
    for (index, unit) in units.iter_mut().enumerate() {
        unit.place = index as f64 / n;
    }
    units
}

/// Below this, what is alike may be so by chance.
pub(super) const MIN_SCORE: f64 = 3.4;
/// Below this, somebody should look at it.
pub(super) const MIN_SURE: f64 = 5.0;

/// How much speaks for two places being one, if anything can.
pub(super) fn of_units(
    old: &Side<'_>,
    new: &Side<'_>,
    within: (&str, &str),
    (was, is): (&Unit<'_>, &Unit<'_>),
) -> Option<f64> {
    let (left, right) = (was.main(), is.main());
    if (left.reads == Reads::Whole) != (right.reads == Reads::Whole) {
        return None;
    }
    let paths = (format!("{}{}", within.0, left.name), format!("{}{}", within.1, right.name));
    let looks = of_types(left, right)
        + of_places(old, new, was.slots, is.slots)
        + (1.0 - (was.place - is.place).abs())
        + 0.5 * (1.0 - (f64::from(left.density) - f64::from(right.density)).abs() / 1000.0);
    let template = if is.is_template() { -1.0 } else { 0.0 };
    Some(looks + template + of_names(left, right) + of_values(old, new, left, &paths.0, &paths.1))
}

fn of_types(left: &Column, right: &Column) -> f64 {
    match (left.data_type, right.data_type) {
        (DataType::String, DataType::String) => 0.7,
        // Prices and dates are few.
        (left, right) if left == right => 1.7,
        (left, right) if left.is_a(right) || right.is_a(left) => 0.0,
        _ => -1.5,
    }
}

fn of_names(left: &Column, right: &Column) -> f64 {
    let label = |column: &Column| column.label.as_deref().map(name::snake);
    let of_labels = match (label(left), label(right)) {
        (Some(left), Some(right)) if left == right => 2.0,
        (Some(left), Some(right)) => 1.5 * words_in_common(&left, &right) - 0.3,
        _ => 0.0,
    };
    let of_names = match (&*left.name, &*right.name) {
        (left, right) if left == right => 2.0,
        (left, right) => words_in_common(unnumbered(left), unnumbered(right)),
    };
    let affixes = |column: &Column| !column.prefix.is_empty() || !column.suffix.is_empty();
    let is_same = left.prefix == right.prefix && left.suffix == right.suffix;
    let of_affixes = if affixes(left) && is_same { 1.0 } else { 0.0 };
    of_labels + of_names + of_affixes
}

/// The share of words that two names have in common.
fn words_in_common(left: &str, right: &str) -> f64 {
    let words = |name| -> Vec<&str> { str::split(name, '_').collect() };
    let (left, right) = (words(left), words(right));
    let n = left.iter().filter(|word| right.contains(word)).count();
    2.0 * n as f64 / (left.len() + right.len()) as f64
}

/// A name without the number that tells it from others of its name.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((base, number)) if number.bytes().all(|it| it.is_ascii_digit()) => base,
        _ => name,
    }
}

/// What the values say: those that the old wrapper still reads from the pages, and those it was learnt from.
fn of_values(old: &Side<'_>, new: &Side<'_>, left: &Column, was: &str, is: &str) -> f64 {
    let (before, now) = (old.seen.values(was), new.seen.values(is));
    let n_both = n_common(before, now);
    let share = 2.0 * n_both as f64 / (before.len() + now.len()).max(1) as f64;
    let sure = before.len() as f64 / (before.len() + 1) as f64;
    // What says the same on many pages says little about which one it is.
    let is_telling = before.windows(2).any(|pair| pair[0].1 != pair[1].1);
    let still_read = match before.is_empty() || now.is_empty() {
        true => 0.0,
        false => (if is_telling { 6.0 } else { 2.0 }) * share * sure - 0.5 * sure,
    };
    let n_known = left.examples.iter().filter(|it| new.seen.has(is, it)).count();
    // The pages at hand need not be those that were learnt from: one value in common says most of it.
    let known = 2.5 * (n_known as f64 / left.examples.len().max(1) as f64).sqrt();
    still_read + known
}

/// How alike the elements are that two places stand in.
fn of_places(old: &Side<'_>, new: &Side<'_>, was: &[SlotId], is: &[SlotId]) -> f64 {
    let of = |side: &Side<'_>, slot: SlotId| -> Option<Vec<Element>> {
        side.elements.of_slot(side.machine, slot).cloned()
    };
    let best = was.iter().filter_map(|slot| of(old, *slot)).flat_map(|was| {
        let others = is.iter().filter_map(|slot| of(new, *slot));
        others.map(move |is| likeness(&was, &is)).collect::<Vec<_>>()
    });
    best.fold(0.0, f64::max)
}

/// By tags and classes in their order, and by what is nearest to the leaf.
fn likeness(left: &[Element], right: &[Element]) -> f64 {
    let all = (left.len() + right.len()).max(1) as f64;
    let tags = 2.0 * common(left, right, |a, b| a.0 == b.0) as f64 / all;
    let whole = 2.0 * common(left, right, |a, b| a == b) as f64 / all;
    let nearest = match (left.last(), right.last()) {
        (Some(a), Some(b)) if a == b && !a.1.is_empty() => 1.0,
        (Some(a), Some(b)) if a.0 == b.0 => 0.3,
        _ => 0.0,
    };
    tags + 0.5 * whole + nearest
}

/// The length of the longest sequence that two have in common.
fn common(left: &[Element], right: &[Element], same: fn(&Element, &Element) -> bool) -> usize {
    let mut row = vec![0; right.len() + 1];
    for a in left {
        let mut diagonal = 0;
        for (j, b) in right.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if same(a, b) { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[right.len()]
}

/// How much speaks for two sets being one, besides their columns.
pub(super) fn of_sets(left: &Set, right: &Set, places: (f64, f64)) -> f64 {
    let of_names = match (&*left.name, &*right.name) {
        (left, right) if left == right => 2.0,
        (left, right) if unnumbered(left) == unnumbered(right) => 1.0,
        _ => 0.0,
    };
    let densities = (f64::from(left.density) - f64::from(right.density)).abs() / 1000.0;
    of_names + (1.0 - (places.0 - places.1).abs()) + 0.5 * (1.0 - densities)
}

/// Below this, two sets have not enough in common.
pub(super) const MIN_SET_SCORE: f64 = 3.0;
