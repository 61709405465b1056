//! Problems of many pages, by kind.

use super::ProblemGroup;
use std::collections::{BTreeMap, BTreeSet};

/// So many kinds are told.
const MAX_GROUPS: usize = 10;
/// So many pages are named for each.
const MAX_EXAMPLES: usize = 3;
/// More kinds are not kept apart: pages of other templates fit nowhere in ever new ways.
const MAX_KEPT: usize = 10_000;

/// So many texts are kept apart that stand where another should.
const MAX_SAID: usize = 100;
/// How problems tell what a text should say, and that there are more: both are written by `Problem`.
const EXPECTED: &str = " should say ";
const MORE: &str = "and … more";
const NEW: &str = " is new";

#[derive(Debug, Default)]
pub(super) struct Groups {
    by_kind: BTreeMap<String, Group>,
}

#[derive(Debug)]
struct Group {
    told: ProblemGroup,
    /// The pages that are partial.
    n_partial: usize,
    /// Where the template says something else: what it says instead, and on how many pages.
    said: BTreeMap<String, usize>,
}

impl Groups {
    /// Take the problems of a page into account, each kind once.
    pub(super) fn add(&mut self, page: &str, problems: &[String], is_partial: bool) {
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for problem in problems {
            let text_ends = problem.rfind(EXPECTED).or_else(|| problem.find(NEW));
            let said = text_ends.map(|at| problem[..at].to_owned());
            kinds.entry(kind(problem)).or_default().extend(said);
        }
        for (kind, said) in kinds {
            if self.by_kind.len() >= MAX_KEPT && !self.by_kind.contains_key(&kind) {
                continue;
            }
            let new = || ProblemGroup { problem: kind.clone(), n_pages: 0, examples: Vec::new() };
            let new = || Group { told: new(), n_partial: 0, said: BTreeMap::new() };
            let group = self.by_kind.entry(kind.clone()).or_insert_with(new);
            group.told.n_pages += 1;
            if group.told.examples.len() < MAX_EXAMPLES {
                group.told.examples.push(page.to_owned());
            }
            group.n_partial += usize::from(is_partial);
            for said in said.into_iter().filter(|_| is_partial) {
                if group.said.len() < MAX_SAID || group.said.contains_key(&said) {
                    *group.said.entry(said).or_default() += 1;
                }
            }
        }
    }

    /// How many partial pages have a problem in common, at most. Where a text says something else, and something else again on each
    /// page, it is data that was taken for part of the template.
    pub(super) fn n_alike(&self) -> usize {
        let told = self.by_kind.values().filter(|group| !group.told.problem.starts_with(MORE));
        let n_alike = |group: &Group| match group.told.problem.contains(EXPECTED) {
            true => group.said.values().copied().max().unwrap_or(0),
            false => group.n_partial,
        };
        told.map(n_alike).max().unwrap_or(0)
    }

    /// How many pages have the same new text at the same place, at most: a template that says something else, or more.
    pub(super) fn n_new(&self) -> usize {
        let new = self.by_kind.values().filter(|group| group.told.problem.contains(NEW));
        new.filter_map(|group| group.said.values().max().copied()).max().unwrap_or(0)
    }

    pub(super) fn commonest(self) -> Vec<ProblemGroup> {
        let mut groups: Vec<ProblemGroup> =
            self.by_kind.into_values().map(|group| group.told).collect();
        groups.sort_by(|a, b| b.n_pages.cmp(&a.n_pages).then(a.problem.cmp(&b.problem)));
        groups.truncate(MAX_GROUPS);
        groups
    }
}

/// A problem without what is of its page alone: texts in quotes and counts. What a text should say is of the template.
fn kind(problem: &str) -> String {
    let (said, expected) = match problem.rfind(EXPECTED) {
        Some(at) => problem.split_at(at),
        None => (problem, ""),
    };
    let mut kind = String::new();
    let mut characters = said.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                kind.push('…');
                while let Some(character) = characters.next() {
                    match character {
                        '\\' => drop(characters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            // A heading is an h1 on every page.
            '0'..='9' if !kind.ends_with(char::is_alphanumeric) => {
                kind.push('…');
                while characters.next_if(char::is_ascii_digit).is_some() {}
            }
            _ => kind.push(character),
        }
    }
    kind + expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_one_page_is_left_out() {
        let check = |problem, expected| assert_eq!(kind(problem), expected);
        check(
            r#""Sale: \"now\" 5" at html/body/h2 fits no place of the template"#,
            "… at html/body/h2 fits no place of the template",
        );
        check(r#""Cost" at html/b should say "Price 1""#, r#"… at html/b should say "Price 1""#);
        check(
            r#""a" at html/b must not stand right after "b""#,
            "… at html/b must not stand right after …",
        );
        check(
            "3 of 12 things are missing that every page had",
            "… of … things are missing that every page had",
        );
    }

    #[test]
    fn a_page_counts_once_for_a_kind() {
        let mut groups = Groups::default();
        let new = |text: &str| format!("{text:?} at html/p is new");
        groups.add("a", &[new("x"), new("y"), "the page shows nothing".into()], true);
        groups.add("b", &[new("z")], true);
        assert_eq!(groups.n_alike(), 2);
        let found = groups.commonest();
        assert_eq!((&*found[0].problem, found[0].n_pages), ("… at html/p is new", 2));
        assert_eq!(found[0].examples, ["a", "b"]);
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn what_differs_from_page_to_page_is_not_alike() {
        let mut groups = Groups::default();
        for (page, team) in [("a", "Bulls"), ("b", "Heat"), ("c", "Bulls"), ("d", "Nets")] {
            groups.add(page, &[format!("{team:?} at html/b should say \"Hawks\"")], true);
        }
        assert_eq!(groups.n_alike(), 2);
    }
}
