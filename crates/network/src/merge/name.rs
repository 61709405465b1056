//! Which names are the same.

use super::Rules;

/// The words of a name: letters and digits in lower case, `&` as `and`.
pub(super) fn words(text: &str) -> Vec<String> {
    let text = text.replace('&', " and ").to_lowercase();
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let cut = |part: &str| part.replace(['\'', '’'], "");
    parts.map(cut).filter(|part| !part.is_empty()).collect()
}

/// A name as it would be said: `Management, Rady School of` is `Rady School of Management`.
pub(super) fn upright(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((last, first)) = name.rsplit_once(", ") else { return name };
    let ends_open = words(first).last().is_some_and(|word| OPEN_ENDS.contains(&word.as_str()));
    if ends_open { format!("{first} {last}") } else { name }
}

/// Words that no name ends with.
const OPEN_ENDS: &[&str] =
    &["of", "for", "in", "the", "für", "de", "des", "di", "do", "da", "van", "voor"];

/// What is the same for all names of one thing.
pub(super) fn key(name: &str, rules: &Rules) -> String {
    let name = without_brackets(&upright(name));
    let mut words = words(&name);
    for loose in &rules.loose_words {
        cut_phrase(&mut words, &self::words(loose));
    }
    words.retain(|word| word != "the");
    words.join(" ")
}

/// A short form in brackets comes and goes: `Computer Science (CS)`.
fn without_brackets(name: &str) -> String {
    let Some((before, rest)) = name.split_once(['(', '[']) else { return name.to_owned() };
    let after = rest.split_once([')', ']']).map_or("", |(_, after)| after);
    let outside = format!("{before} {after}");
    if words(&outside).is_empty() { name.to_owned() } else { outside }
}

/// Cut a phrase out of some words, unless nothing would be left.
fn cut_phrase(words: &mut Vec<String>, phrase: &[String]) {
    if phrase.is_empty() || phrase.len() >= words.len() {
        return;
    }
    if let Some(at) = words.windows(phrase.len()).position(|window| window == phrase) {
        words.drain(at..at + phrase.len());
    }
}

/// What a heading may name: each of its parts, without the words that only say what kind of page it is.
pub(super) fn candidates(heading: &str, rules: &Rules) -> Vec<String> {
    let parts = heading.split(['|', '–', '—', ':', '·', '•', '»', '›', '/']);
    let parts = parts.flat_map(|part| part.split(" - ")).map(str::trim).filter(|it| !it.is_empty());
    let whole = std::iter::once(heading.trim());
    let mut found: Vec<String> = Vec::new();
    for part in whole.chain(parts) {
        for form in [part.to_owned(), without_page_words(part, rules)] {
            if !form.is_empty() && !found.contains(&form) {
                found.push(form);
            }
        }
    }
    found
}

/// A heading without the words at its ends that say what kind of page it is.
pub(super) fn without_page_words(heading: &str, rules: &Rules) -> String {
    let mut parts: Vec<&str> = heading.split_whitespace().collect();
    let is_page_word = |part: &str| {
        let words = words(part);
        words.is_empty()
            || (words.len() == 1
                && rules.page_words.iter().any(|it| it.eq_ignore_ascii_case(&words[0])))
    };
    while parts.last().is_some_and(|it| is_page_word(it) || is_joint(it) && parts.len() > 1) {
        parts.pop();
    }
    let n_cut = parts.iter().take_while(|it| is_page_word(it)).count();
    let rest = &parts[n_cut..];
    // `Faculty of Law` is a name, and `People of the Department of Law` is not.
    if n_cut > 0 && rest.first().is_some_and(|it| is_joint(it)) {
        return parts.join(" ");
    }
    rest.join(" ").trim_matches([',', '–', '—', '-', ':', '|', ' ']).to_owned()
}

/// Words that join others.
fn is_joint(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "and" | "&" | "of" | "for" | "und" | "y" | "et" | "e" | "für"
    )
}

/// The words of a person's name in any order, without marks over letters.
pub(super) fn person_key(name: &str) -> String {
    let mut words = words(name);
    words.sort_unstable();
    words.join(" ")
}

/// Whether two names of people may be the same person's: the same last word, and first names that agree as far as they go.
pub(super) fn may_be_same(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let (Some((last, firsts)), Some((other_last, other_firsts))) =
        (one.split_last(), other.split_last())
    else {
        return false;
    };
    if last != other_last || firsts.is_empty() || other_firsts.is_empty() || one == other {
        return false;
    }
    let agree = |a: &String, b: &String| a.starts_with(b.as_str()) || b.starts_with(a.as_str());
    let initial = |word: &String| word.chars().count() == 1;
    let are_short = |a: &String, b: &String| a == b || initial(a) || initial(b);
    let first_fits = agree(&firsts[0], &other_firsts[0]) && are_short(&firsts[0], &other_firsts[0]);
    let mut middles = firsts[1..].iter().zip(&other_firsts[1..]);
    first_fits && middles.all(|(a, b)| agree(a, b) && are_short(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        let all = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect();
        Rules {
            page_words: all(&["faculty", "people", "staff"]),
            loose_words: all(&["department of", "department"]),
            ..Rules::default()
        }
    }

    #[test]
    fn names_of_one_thing_have_one_key() {
        let same = [
            "Department of Chemistry",
            "Chemistry",
            "chemistry department",
            "Chemistry (CHEM)",
            "Chemistry, Department of",
        ];
        for name in same {
            assert_eq!(key(name, &rules()), "chemistry", "{name}");
        }
        assert_eq!(key("School of Chemistry", &rules()), "school of chemistry");
        assert_eq!(key("Arts & Letters", &rules()), "arts and letters");
        assert_eq!(key("Department", &rules()), "department");
    }

    #[test]
    fn names_are_turned_upright() {
        assert_eq!(upright("Management, Rady School of"), "Rady School of Management");
        assert_eq!(upright("Arts, Letters and Music"), "Arts, Letters and Music");
    }

    #[test]
    fn headings_lose_what_pages_are_called() {
        let cut = |heading: &str| without_page_words(heading, &rules());
        assert_eq!(cut("History Faculty and Staff"), "History");
        assert_eq!(cut("Faculty of Law"), "Faculty of Law");
        assert_eq!(cut("People"), "");
        assert_eq!(cut("Staff – Nutrition"), "Nutrition");
    }

    #[test]
    fn initials_may_be_names() {
        assert!(may_be_same("J. Smith", "John Smith"));
        assert!(may_be_same("Robert Engle", "Robert F. Engle"));
        assert!(!may_be_same("Sandra A. Brown", "Sandra J. Brown"));
        assert!(!may_be_same("John Smith", "Johnny Smith"));
        assert!(!may_be_same("John Smith", "John Smith"));
    }
}
