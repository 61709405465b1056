//! What somebody may have meant who wrote something else.

use crate::schema::SEPARATOR;
use std::cmp::Reverse;

/// So many are named.
const N_NAMED: usize = 3;
/// Longer texts are compared by their beginnings.
const MAX_COMPARED: usize = 80;

/// The paths most like another, or with a last name that is, the nearest first; none that have hardly anything in common
/// with it.
pub(crate) fn nearest<'t>(path: &str, among: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let last = |path: &'t str| path.rsplit(SEPARATOR).next().unwrap_or(path);
    let own = path.rsplit(SEPARATOR).next().unwrap_or(path);
    let rank = |other| (likeness(path, other).max(likeness(own, last(other))), other);
    let mut ranked: Vec<(u32, &str)> = among.map(rank).filter(|it| it.0 >= 500).collect();
    ranked.sort_by_key(|(likeness, other)| (Reverse(*likeness), other.len(), *other));
    ranked.dedup();
    ranked.into_iter().take(N_NAMED).map(|(_, other)| other).collect()
}

/// How much two texts are alike, in thousandths: by the letters to change, or because one has the other in it.
pub(crate) fn likeness(left: &str, right: &str) -> u32 {
    let letters = |text: &str| -> Vec<char> {
        text.chars().flat_map(char::to_lowercase).take(MAX_COMPARED).collect()
    };
    let (left, right) = (letters(left), letters(right));
    let longest = left.len().max(right.len()).max(1);
    let alike = (longest - distance(&left, &right)) * 1000 / longest;
    let (short, long) = if left.len() < right.len() { (left, right) } else { (right, left) };
    let is_within = short.len() > 2 && long.windows(short.len()).any(|part| part == short);
    let within = if is_within { 500 + short.len() * 400 / longest } else { 0 };
    u32::try_from(alike.max(within)).unwrap_or(1000)
}

/// How many letters to put in, take out or change.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first() {
        let names = ["price", "old_price", "title", "books.price", "publisher"];
        let near = |text| nearest(text, names.into_iter());
        assert_eq!(near("prize"), ["price", "books.price"]);
        assert_eq!(near("pric"), ["price", "books.price", "old_price"]);
        assert_eq!(near("Price")[..2], ["price", "books.price"]);
        assert_eq!(near("tilte"), ["title"]);
        assert!(near("xyz").is_empty());
    }

    #[test]
    fn distances_are_those_of_letters() {
        let distance = |left: &str, right: &str| {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            distance(&letters(left), &letters(right))
        };
        assert_eq!(
            [distance("kitten", "sitting"), distance("", "abc"), distance("a", "a")],
            [3, 3, 0]
        );
    }
}
