//! Finding what is meant on a page by its text.

use crate::sheet::{Origin, Sheet};
use crate::text::{self, Introductions};
use page::Page;
use thiserror::Error;

/// Where a text was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPlace {
    /// These leaves say just this, all together if there are several.
    Leaves(Vec<usize>),
    /// It is part of what this leaf says.
    Inside(usize),
}

/// No leaf of a page has a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotFound {
    /// But another has one much like it.
    #[error("no text of the page is {value:?}; the nearest is {nearest:?}")]
    Nearest {
        /// What was looked for.
        value: String,
        /// What is there.
        nearest: String,
    },
    /// Nor anything like it.
    #[error("no text of the page is {value:?}, or like it; pagemill leaves shows what is there")]
    Nothing {
        /// What was looked for.
        value: String,
    },
}

/// The places where a page says something: whole leaves, else several leaves that make up one text, else leaves that have
/// it as a part. Only letters and digits are compared.
///
/// ```
/// use annotate::{TextPlace, find_text};
///
/// let page = page::parse(b"<h1>Dune</h1><p>By <b>Ann</b> Lee</p>");
/// assert_eq!(find_text(&page, "dune")?, [TextPlace::Leaves(vec![0])]);
/// assert_eq!(find_text(&page, "By Ann Lee")?, [TextPlace::Leaves(vec![1, 2, 3])]);
/// assert!(find_text(&page, "Emma").is_err());
/// # Ok::<(), annotate::NotFound>(())
/// ```
pub fn find_text(page: &Page, value: &str) -> Result<Vec<TextPlace>, NotFound> {
    let sheet = Sheet::new(page, &Introductions::default());
    let is_it = |text: &str| match text::key(value) {
        key if key.is_empty() => text.trim() == value.trim(),
        key => text::key(text) == key,
    };
    for origin in [Origin::Leaf, Origin::Block] {
        let spots = sheet.spots.iter().filter(|spot| spot.origin == origin);
        let found: Vec<TextPlace> = spots
            .filter(|spot| is_it(sheet.text(spot)))
            .map(|spot| TextPlace::Leaves(spot.leaves.clone().collect()))
            .collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let phrase = format!(" {} ", text::phrase(value));
    let has_it = |text: &str| format!(" {} ", text::phrase(text)).contains(&phrase);
    let leaves = sheet.leaves.iter().filter(|leaf| phrase.trim() != "" && has_it(leaf.text));
    let inside: Vec<TextPlace> = leaves.map(|leaf| TextPlace::Inside(leaf.position)).collect();
    match inside.is_empty() {
        true => Err(nearest(&sheet, value)),
        false => Ok(inside),
    }
}

/// The text that shares the largest part of its words with the one looked for.
fn nearest(sheet: &Sheet<'_>, value: &str) -> NotFound {
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = text::words(text).map(str::to_lowercase).collect();
        words.sort_unstable();
        words.dedup();
        words
    };
    let wanted = words(value);
    let mut best: (f32, &str) = (0.0, "");
    for leaf in sheet.leaves.iter() {
        let own = words(leaf.text);
        let n_shared = own.iter().filter(|word| wanted.binary_search(word).is_ok()).count();
        let share = 2.0 * n_shared as f32 / (own.len() + wanted.len()).max(1) as f32;
        if share > best.0 {
            best = (share, leaf.text);
        }
    }
    let value = value.to_owned();
    match best.1 {
        "" => NotFound::Nothing { value },
        text => NotFound::Nearest { value, nearest: shortened(text) },
    }
}

fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_are_found_and_parts_come_last() {
        let page = page::parse(b"<p>$5</p><p>Dune</p><b>DUNE!</b><p>By Ann Lee, 1999</p><p>-</p>");
        let found = |value: &str| find_text(&page, value).unwrap();
        assert_eq!(found("Dune"), [TextPlace::Leaves(vec![1]), TextPlace::Leaves(vec![2])]);
        assert_eq!(found("ann lee"), [TextPlace::Inside(3)]);
        assert_eq!(found("-"), [TextPlace::Leaves(vec![4])]);
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let page = page::parse(b"<h1>The long way home</h1><p>Other things</p>");
        let error = |value: &str| find_text(&page, value).unwrap_err().to_string();
        assert_eq!(
            error("The long road home"),
            "no text of the page is \"The long road home\"; the nearest is \"The long way home\""
        );
        assert!(error("zebra").contains("or like it"));
    }
}
