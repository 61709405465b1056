//! Named character references, as in `&eacute;`.
//!
//! `named.txt` is the list of the HTML standard (<https://html.spec.whatwg.org/entities.json>), a line a name, sorted
//! by bytes, with the numbers of one or two characters after it. Names that may do without a semicolon are there
//! twice.

use std::sync::LazyLock;

struct Named {
    name: &'static str,
    first: char,
    second: Option<char>,
}

static NAMED: LazyLock<Vec<Named>> =
    LazyLock::new(|| include_str!("named.txt").lines().filter_map(Named::read).collect());

impl Named {
    fn read(line: &'static str) -> Option<Named> {
        let mut words = line.split(' ');
        let name = words.next()?;
        let mut characters =
            words.filter_map(|word| char::from_u32(u32::from_str_radix(word, 16).ok()?));
        Some(Named { name, first: characters.next()?, second: characters.next() })
    }
}

/// The longest name that `rest` starts with: its length, and what it stands for.
pub(super) fn longest(rest: &str) -> Option<(usize, impl Iterator<Item = char>)> {
    let mut rest = rest.as_bytes();
    loop {
        // All names that start as `rest` does stand before it. If the last of these is not one, whatever is starts
        // with no more than the two have in common.
        let n_before = NAMED.partition_point(|named| named.name.as_bytes() <= rest);
        let last = &NAMED[n_before.checked_sub(1)?];
        if rest.starts_with(last.name.as_bytes()) {
            return Some((last.name.len(), std::iter::once(last.first).chain(last.second)));
        }
        let common = last.name.bytes().zip(rest).take_while(|(left, right)| left == *right);
        rest = &rest[..common.count()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rest: &str, expected: Option<(usize, &str)>) {
        let found = longest(rest).map(|(len, characters)| (len, characters.collect::<String>()));
        assert_eq!(found.as_ref().map(|(len, text)| (*len, &**text)), expected);
    }

    #[test]
    fn the_longest_name_counts() {
        assert_eq!(NAMED.len(), 2231);
        assert!(NAMED.is_sorted_by_key(|named| named.name));
        check("amp", Some((3, "&")));
        check("amp;x", Some((4, "&")));
        check("notit;", Some((3, "¬")));
        check("notin;", Some((6, "∉")));
        check("acE;", Some((4, "\u{223E}\u{333}")));
        check("zwnj;", Some((5, "\u{200C}")));
        check("Aacute", Some((6, "Á")));
        check("nothing of the kind", Some((3, "¬")));
        check("xyz", None);
        check("", None);
        check("A", None);
    }
}
