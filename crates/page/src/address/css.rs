//! Selectors of the form `#id > div:nth-of-type(2) > :nth-child(3)`.

use super::{Addresses, NodeId};
use crate::tree::{NodeKind, Page};
use std::fmt::Write;

impl Addresses<'_> {
    /// From the nearest element with an id of its own, or from the root.
    pub(super) fn selector(&self, element: NodeId) -> String {
        let mut steps = Vec::new();
        let mut node = element;
        while self.page.kind(node) == NodeKind::Element {
            if let Some(id) = self.own_id(node) {
                steps.push(format!("#{}", escape(id)));
                break;
            }
            steps.push(self.step(node));
            let Some(parent) = self.page.parent(node) else { break };
            node = parent;
        }
        steps.reverse();
        steps.join(" > ")
    }

    fn own_id(&self, node: NodeId) -> Option<&str> {
        let id = self.page.attr(node, "id")?;
        (self.ids.get(id) == Some(&Some(node))).then_some(id)
    }

    fn step(&self, node: NodeId) -> String {
        let place = self.place(node);
        let tag = self.page.tag(node).unwrap_or("*");
        match (self.is_plain(node), place.has_twin) {
            (true, false) => tag.to_owned(),
            (true, true) => format!("{tag}:nth-of-type({})", place.of_kind),
            (false, _) => format!(":nth-child({})", place.of_elements),
        }
    }

    /// The element at a selector of the kind written here.
    pub fn find_element(&self, selector: &str) -> Option<NodeId> {
        let mut steps = selector.split(" > ").peekable();
        let mut node = match steps.next_if(|step| step.starts_with('#')) {
            Some(id) => {
                let id = unescape(&id[1..])?;
                (*self.ids.get(&*id)?)?
            }
            None => self.page.document(),
        };
        for step in steps {
            node = self.page.children(node).find(|child| self.is_selected(*child, step))?;
        }
        Some(node)
    }

    fn is_selected(&self, node: NodeId, step: &str) -> bool {
        if self.page.kind(node) != NodeKind::Element {
            return false;
        }
        let place = self.place(node);
        if let Some(position) = argument(step, ":nth-child(") {
            return position == place.of_elements;
        }
        let (tag, position) = match step.split_once(":nth-of-type(") {
            Some((tag, _)) => (tag, argument(step, ":nth-of-type(")),
            None => (step, Some(1)),
        };
        is_tag(self.page, node, tag) && position == Some(place.of_kind)
    }
}

fn is_tag(page: &Page, node: NodeId, tag: &str) -> bool {
    page.tag(node) == Some(tag)
}

fn argument(step: &str, function: &str) -> Option<u32> {
    let (_, argument) = step.split_once(function)?;
    argument.strip_suffix(')')?.parse().ok()
}

/// An identifier as CSS writes it: "serialize an identifier" of the CSSOM standard. A space is escaped by its number
/// here, so that ` > ` never stands inside an identifier.
fn escape(identifier: &str) -> String {
    let mut out = String::with_capacity(identifier.len());
    for (index, character) in identifier.chars().enumerate() {
        let is_leading_digit =
            character.is_ascii_digit() && (index == 0 || index == 1 && identifier.starts_with('-'));
        let is_plain = character.is_ascii_alphanumeric()
            || matches!(character, '_' | '-')
            || !character.is_ascii();
        match character {
            '\0' => out.push('\u{FFFD}'),
            '-' if identifier == "-" => out.push_str("\\-"),
            _ if is_leading_digit || character.is_ascii_control() || character == ' ' => {
                let _ = write!(out, "\\{:x} ", u32::from(character));
            }
            _ if is_plain => out.push(character),
            _ => {
                out.push('\\');
                out.push(character);
            }
        }
    }
    out
}

fn unescape(identifier: &str) -> Option<String> {
    let mut out = String::with_capacity(identifier.len());
    let mut rest = identifier.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        let digits: String = rest.clone().take_while(char::is_ascii_hexdigit).take(6).collect();
        if digits.is_empty() {
            out.push(rest.next()?);
            continue;
        }
        out.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
        rest.nth(digits.len() - 1)?;
        rest = rest.as_str().strip_prefix(' ').unwrap_or(rest.as_str()).chars();
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_survive_escaping() {
        for id in ["main", "2col", "-1", "-", "a b", "x > y", "a.b:c", "ünïcode", "a\\b", "tab\t"]
        {
            assert_eq!(unescape(&escape(id)).as_deref(), Some(id));
        }
        assert_eq!(escape("2col"), "\\32 col");
        assert_eq!(escape("a.b"), "a\\.b");
    }
}
