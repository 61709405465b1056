//! Which leaves of a page are the parts of texts that are known as a whole.
//!
//! A leaf of many letters is one if the texts have these letters in a row. Short ones (`the`, `12`) are somewhere in most texts: they
//! are parts where the text goes on with them right after, or right before, another part, as the cells of its tables do and the
//! lines of its lists; and where all around them is.

use crate::sheet::Sheet;
use crate::text;

/// A leaf of so many letters and digits is not in another's text by chance.
const TELLING: usize = 30;
/// Leaves on either side, of which one has to be a part.
const REACH: usize = 3;

/// By leaf: whether it is part of these texts.
pub(super) fn parts(texts: &[&str], sheet: &Sheet<'_>) -> Vec<bool> {
    let letters = Letters::of(texts, sheet);
    let mut is_part = letters.telling();
    // Texts that were copied from pages often begin with a byline, and nobody wants that for text.
    let first = is_part.iter().position(|it| *it).unwrap_or(is_part.len());
    let mut found = letters.going_back(&is_part);
    found.retain(|leaf| *leaf > first);
    found.extend(letters.going_on(&is_part));
    for leaf in found {
        is_part[leaf] = true;
    }
    letters.with_those_among(is_part, sheet)
}

/// The same without tables and lists of short lines: only what is sure by itself, and what is among that.
pub(super) fn long_parts(texts: &[&str], sheet: &Sheet<'_>) -> Vec<bool> {
    let letters = Letters::of(texts, sheet);
    letters.with_those_among(letters.telling(), sheet)
}

/// Letters and digits, of which texts and leaves are compared.
struct Letters {
    texts: String,
    leaves: Vec<String>,
}

impl Letters {
    fn of(texts: &[&str], sheet: &Sheet<'_>) -> Letters {
        Letters {
            texts: texts.iter().map(|text| text::key(text)).collect(),
            leaves: sheet.leaves.iter().map(|leaf| text::key(leaf.text)).collect(),
        }
    }

    fn are_known(&self, leaf: usize) -> bool {
        !self.leaves[leaf].is_empty() && self.texts.contains(&self.leaves[leaf])
    }

    fn telling(&self) -> Vec<bool> {
        let leaves = 0..self.leaves.len();
        leaves.map(|leaf| self.leaves[leaf].len() >= TELLING && self.are_known(leaf)).collect()
    }

    /// Those that show something.
    fn shown(&self) -> impl DoubleEndedIterator<Item = (usize, &str)> {
        let leaves = self.leaves.iter().map(String::as_str).enumerate();
        leaves.filter(|(_, letters)| !letters.is_empty())
    }

    /// The leaves with which the texts go on after known parts.
    fn going_on(&self, is_part: &[bool]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut rest = "";
        for (leaf, letters) in self.shown() {
            if is_part[leaf] {
                // What repeats is the next of its kind.
                let mut parted = [rest, &self.texts].into_iter();
                rest = parted.find_map(|it| it.split_once(letters)).map_or("", |it| it.1);
            } else if let Some(after) = rest.strip_prefix(letters) {
                rest = after;
                found.push(leaf);
            }
        }
        found
    }

    /// The same backwards: those with which they lead to known parts.
    fn going_back(&self, is_part: &[bool]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut rest = "";
        for (leaf, letters) in self.shown().rev() {
            if is_part[leaf] {
                let mut parted = [rest, &self.texts].into_iter();
                rest = parted.find_map(|it| it.rsplit_once(letters)).map_or("", |it| it.0);
            } else if let Some(before) = rest.strip_suffix(letters) {
                rest = before;
                found.push(leaf);
            }
        }
        found
    }

    /// With known leaves that are in one block with parts, or have some near on either side.
    fn with_those_among(&self, mut is_part: Vec<bool>, sheet: &Sheet<'_>) -> Vec<bool> {
        for block in &sheet.blocks {
            if block.leaves.clone().any(|it| is_part[it]) {
                for leaf in block.leaves.clone() {
                    is_part[leaf] = is_part[leaf] || self.are_known(leaf);
                }
            }
        }
        let shown: Vec<usize> = self.shown().map(|it| it.0).collect();
        for (nth, leaf) in shown.iter().enumerate() {
            if is_part[*leaf] || !self.are_known(*leaf) {
                continue;
            }
            let before = shown[nth.saturating_sub(REACH)..nth].iter().any(|it| is_part[*it]);
            let after = shown[nth + 1..].iter().take(REACH).any(|it| is_part[*it]);
            is_part[*leaf] = before && after;
        }
        is_part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Introductions;

    #[track_caller]
    fn check(html: &str, texts: &[&str], expected: &[&str]) {
        let page = page::parse(html.as_bytes());
        let sheet = Sheet::new(&page, &Introductions::default());
        let is_part = parts(texts, &sheet);
        let leaves = sheet.leaves.iter().zip(is_part).filter(|it| it.1);
        assert_eq!(leaves.map(|it| it.0.text).collect::<Vec<_>>(), expected);
    }

    const LONG: &str = "The council met on Monday and decided what the year will cost.";
    const MORE: &str = "Nobody was surprised when the mayor said that it is all spent already.";

    #[test]
    fn cells_and_lines_are_parts_where_the_text_has_them() {
        let html = format!(
            "<ul><li>1<li>Roads<li>12</ul><p>{LONG}<table><tr><td>Roads<td>12<td>1<tr><td>Schools<td>9<td>2<tr><td>Parks<td>3<td>3</table>
             <p>{MORE}<ul><li>Home<li>Schools<li>9</ul>"
        );
        let table = ["Roads", "12", "1", "Schools", "9", "2", "Parks", "3", "3"];
        let expected = [&[LONG], &table[..], &[MORE]].concat();
        let text = expected.join(" | ");
        check(&html, &[&text], &expected);
        check(&html, &[LONG, MORE], &[LONG, MORE]);
    }

    #[test]
    fn long_parts_are_those_that_tell() {
        let html = format!("<p>{LONG}<p>Roads<p>{MORE}<p>Schools<p>Parks<p>Rivers<p>Seas");
        let text = format!("{LONG} Roads {MORE} Schools Parks Rivers Seas");
        let page = page::parse(html.as_bytes());
        let sheet = Sheet::new(&page, &Introductions::default());
        assert_eq!(long_parts(&[&text], &sheet), [true, true, true, false, false, false, false]);
        assert!(parts(&[&text], &sheet).into_iter().all(|it| it));
    }

    #[test]
    fn what_stands_between_ends_nothing() {
        let html = format!("<p>{LONG}<p>Roads<div>Print</div><p>Schools<p>Parks<p>Rivers<p>{MORE}");
        let text = format!("{LONG} Roads Schools, by year: Parks Rivers {MORE}");
        check(&html, &[&text], &[LONG, "Roads", "Schools", "Parks", "Rivers", MORE]);
    }

    #[test]
    fn what_repeats_is_the_next_of_its_kind() {
        let html = format!("<p>{LONG}<p>One<p>{LONG}<p>Two<p>Home");
        let text = format!("{LONG} One {LONG} Two");
        check(&html, &[&text], &[LONG, "One", LONG, "Two"]);
    }

    #[test]
    fn bylines_are_no_parts() {
        let html = format!("<h1>Budget</h1><p>By <b>Ann Lee</b><p>{LONG}<p>One<p>Two");
        check(&html, &[&format!("Budget By Ann Lee {LONG} One Two")], &[LONG, "One", "Two"]);
    }

    #[test]
    fn pages_without_text_have_no_parts() {
        check("<p>Some text", &[], &[]);
        check("", &[LONG], &[]);
    }
}
