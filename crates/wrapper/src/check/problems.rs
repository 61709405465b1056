//! Problems of many pages, by kind.

use super::ProblemGroup;
use std::collections::BTreeMap;

/// So many kinds are told.
const MAX_GROUPS: usize = 10;
/// So many pages are named for each.
const MAX_EXAMPLES: usize = 3;
/// More kinds are not kept apart: pages of other templates fit nowhere in ever new ways.
const MAX_KEPT: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Groups {
    by_kind: BTreeMap<String, ProblemGroup>,
}

impl Groups {
    /// Take the problems of a page into account, each kind once.
    pub(super) fn add(&mut self, page: &str, problems: &[String]) {
        let mut kinds: Vec<String> = problems.iter().map(|problem| kind(problem)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            if self.by_kind.len() >= MAX_KEPT && !self.by_kind.contains_key(&kind) {
                continue;
            }
            let new = || ProblemGroup { problem: kind.clone(), n_pages: 0, examples: Vec::new() };
            let group = self.by_kind.entry(kind.clone()).or_insert_with(new);
            group.n_pages += 1;
            if group.examples.len() < MAX_EXAMPLES {
                group.examples.push(page.to_owned());
            }
        }
    }

    pub(super) fn commonest(self) -> Vec<ProblemGroup> {
        let mut groups: Vec<ProblemGroup> = self.by_kind.into_values().collect();
        groups.sort_by(|a, b| b.n_pages.cmp(&a.n_pages).then(a.problem.cmp(&b.problem)));
        groups.truncate(MAX_GROUPS);
        groups
    }
}

/// A problem without what is of its page alone: texts in quotes and counts. What a text should say is of the template.
fn kind(problem: &str) -> String {
    const EXPECTED: &str = " should say ";
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
        groups.add("a", &[new("x"), new("y"), "the page shows nothing".into()]);
        groups.add("b", &[new("z")]);
        let found = groups.commonest();
        assert_eq!((&*found[0].problem, found[0].n_pages), ("… at html/p is new", 2));
        assert_eq!(found[0].examples, ["a", "b"]);
        assert_eq!(found.len(), 2);
    }
}
