//! What the markup says of elements' roles: classes and the names of microdata and form fields, without numbers and states.

use page::{AttrKeys, NodeId, Page};
use std::ops::Range;

/// More classes than this say nothing more.
const MAX_WORDS: usize = 30;

/// The attributes that roles are made from: names of microdata and form fields, and at last the classes.
pub(crate) const ROLE_ATTRIBUTES: [&str; 4] = ["itemprop", "property", "name", "class"];

/// The same as a page knows them.
pub(crate) type RoleKeys = AttrKeys<4>;

/// Reads what the markup says of elements' roles.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    role: String,
    /// Classes without numbers, one after the other, and where each stands.
    words: String,
    places: Vec<Range<usize>>,
}

impl Roles {
    /// The role of an element: names of microdata and form fields, then classes, each word once.
    pub(crate) fn of(&mut self, page: &Page, element: NodeId) -> &str {
        let mut values = [None; ROLE_ATTRIBUTES.len()];
        for (name, value) in page.attrs(element) {
            if let Some(place) = ROLE_ATTRIBUTES.iter().position(|it| *it == name) {
                values[place] = Some(value);
            }
        }
        self.made_of(&values)
    }

    /// The role that some [attributes](ROLE_ATTRIBUTES) make.
    pub(crate) fn made_of(&mut self, values: &[Option<&str>]) -> &str {
        self.role.clear();
        let Some((class, names)) = values.split_last() else { return &self.role };
        for name in names.iter().flatten() {
            self.role.push_str(name);
            self.role.push(' ');
        }
        if let Some(class) = class {
            self.push_classes(class);
        }
        &self.role
    }

    pub(crate) fn keys(page: &Page) -> RoleKeys {
        page.attr_keys(ROLE_ATTRIBUTES)
    }

    /// Add all that an element's tag and role are made from, as it is written.
    pub(crate) fn push_markup(page: &Page, keys: &RoleKeys, element: NodeId, out: &mut Vec<u8>) {
        out.extend_from_slice(page.tag(element).unwrap_or_default().as_bytes());
        for (place, value) in page.attrs_by(element, keys) {
            // No text of a page has these bytes.
            out.extend_from_slice(&[0xff, place as u8]);
            out.extend_from_slice(value.as_bytes());
        }
    }

    /// A name with its runs of digits made one mark: `post-123` and `post-7` are the same.
    pub(super) fn without_numbers(&mut self, name: &str) -> &str {
        self.words.clear();
        push_without_numbers(&mut self.words, name);
        &self.words
    }

    fn push_classes(&mut self, class: &str) {
        let mut words = class.split_ascii_whitespace().take(MAX_WORDS).filter(|it| !is_state(it));
        let (Some(first), second) = (words.next(), words.next()) else { return };
        let Some(second) = second else {
            push_without_numbers(&mut self.role, first);
            return;
        };
        self.words.clear();
        self.places.clear();
        for word in [first, second].into_iter().chain(words) {
            let start = self.words.len();
            push_without_numbers(&mut self.words, word);
            self.places.push(start..self.words.len());
        }
        let text = &self.words;
        self.places.sort_unstable_by(|a, b| text[a.clone()].cmp(&text[b.clone()]));
        self.places.dedup_by(|a, b| text[a.clone()] == text[b.clone()]);
        for (index, place) in self.places.iter().enumerate() {
            if index > 0 {
                self.role.push(' ');
            }
            self.role.push_str(&text[place.clone()]);
        }
    }
}

/// Classes that tell which of its kind an element is, not what it is.
fn is_state(word: &str) -> bool {
    const STATES: [&str; 14] = [
        "active", "alt", "current", "even", "first", "hidden", "hover", "last", "odd", "open",
        "selected", "visible", "clearfix", "expanded",
    ];
    STATES.iter().any(|state| word.eq_ignore_ascii_case(state))
}

/// Runs of digits made one mark.
fn push_without_numbers(out: &mut String, name: &str) {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        out.push_str(name);
        return;
    }
    let mut was_digit = false;
    for character in name.chars() {
        let is_digit = character.is_ascii_digit();
        if !is_digit || !was_digit {
            out.push(if is_digit { '#' } else { character });
        }
        was_digit = is_digit;
    }
}
