//! Names for columns: from the label that introduces them, from what the markup calls them, else from what they are.

use crate::schema::Hints;
use page::DataType;
use std::collections::{HashMap, HashSet};

/// Longer names are cut: they come from labels that are sentences.
const MAX_NAME: usize = 40;

/// What the pages call a slot, in `snake_case`; none if they do not say.
pub(crate) fn from_hints(hints: &Hints) -> Option<String> {
    let label = hints.introduced_by().map(snake).filter(|name| is_name(name));
    let is_short = |words: &&str| words.split_whitespace().count() <= 3;
    let aria = || hints.aria.as_deref().filter(is_short).map(snake).filter(|name| is_name(name));
    label
        .or_else(aria)
        .or_else(|| hints.class.split(' ').map(snake).find(|name| is_name(name)))
        .or_else(|| Some(snake(&hints.id)).filter(|name| is_name(name)))
}

/// Words that say how something looks or is built, and single letters, are no names.
pub(crate) fn is_name(name: &str) -> bool {
    const LAYOUT: [&str; 24] = [
        "body",
        "box",
        "center",
        "clear",
        "col",
        "column",
        "container",
        "content",
        "float_left",
        "float_right",
        "grid",
        "inner",
        "item",
        "left",
        "main",
        "outer",
        "panel",
        "right",
        "row",
        "section",
        "span",
        "text",
        "wrap",
        "wrapper",
    ];
    name.chars().filter(|it| it.is_alphabetic()).count() > 1 && !LAYOUT.contains(&name)
}

/// Whether an element is a heading, which is a title whatever it stands in.
pub(crate) fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "title")
}

/// What a column is, if nobody calls it anything.
pub(crate) fn from_kind(tag: &str, data_type: DataType) -> String {
    match (tag, data_type) {
        (tag, _) if is_heading(tag) => "title".into(),
        ("@src" | "img", _) => "image".into(),
        (_, DataType::String) => match tag {
            "a" => "link".into(),
            "#text" | "" | "div" | "p" | "span" | "td" | "li" | "b" | "i" | "strong" | "em"
            | "font" | "dd" => "text".into(),
            "th" | "dt" => "label".into(),
            tag => snake(tag),
        },
        (_, data_type) => data_type.name().into(),
    }
}

/// What the pages call a set of such things: many of what one is called, or what they stand in.
pub(crate) fn of_set(one: &Hints, around: Option<&Hints>) -> Option<String> {
    let plural = |name: String| if name.ends_with('s') { name } else { format!("{name}s") };
    from_hints(one).map(plural).or_else(|| around.and_then(from_hints))
}

/// What a set is called, if nobody calls it anything.
pub(crate) fn of_set_of(tag: &str) -> String {
    let name = match tag {
        "tr" => "rows",
        "p" => "paragraphs",
        "a" => "links",
        "img" | "@src" => "images",
        "#text" => "lines",
        "div" | "section" | "article" => "records",
        _ => "items",
    };
    name.into()
}

/// Letters and digits, joined by underscores.
pub(crate) fn snake(text: &str) -> String {
    let mut out = String::new();
    let mut was_lower = false;
    for character in text.chars() {
        if character.is_alphanumeric() {
            if character.is_uppercase() && was_lower {
                out.push('_');
            }
            was_lower = character.is_lowercase();
            out.extend(character.to_lowercase());
        } else {
            was_lower = false;
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
        }
        if out.len() >= MAX_NAME {
            break;
        }
    }
    out.trim_matches('_').to_owned()
}

/// Names that were given already, and what to call the next of its kind.
#[derive(Default)]
pub(crate) struct Names {
    used: HashSet<String>,
    /// By name, the number to try next.
    next: HashMap<String, usize>,
}

impl Names {
    pub(crate) fn unique(&mut self, name: &str) -> String {
        if self.used.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{name}_{next}");
            *next += 1;
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_joined_by_underscores() {
        for (text, name) in [
            ("ISBN-13:", "isbn_13"),
            ("Publication date", "publication_date"),
            ("productTitle", "product_title"),
            ("  Größe (cm)", "größe_cm"),
            ("出版社：", "出版社"),
            ("***", ""),
        ] {
            assert_eq!(snake(text), name);
        }
    }

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::default();
        assert_eq!(["a", "a", "b", "a"].map(|it| names.unique(it)), ["a", "a_2", "b", "a_3"]);
    }
}
