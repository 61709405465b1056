//! XPaths of the form `/html/body/div[2]/*[1]/text()[2]` and `/html/body/img/@src`.

use super::{Addresses, NodeId};
use crate::leaf::ATTRIBUTES;
use crate::tree::NodeKind;
use std::fmt::Write;

/// One step down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step<'a> {
    test: Test<'a>,
    /// Counted from one.
    position: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test<'a> {
    Text,
    Any,
    Named(&'a str),
}

pub(super) struct Target<'a> {
    pub(super) steps: Vec<Step<'a>>,
    pub(super) attribute: Option<&'static str>,
}

impl Addresses<'_> {
    pub(super) fn xpath(&self, node: NodeId, attribute: Option<&str>) -> String {
        let mut nodes: Vec<NodeId> =
            std::iter::once(node).chain(self.page.ancestors(node)).collect();
        nodes.pop();
        let mut xpath = String::new();
        for node in nodes.into_iter().rev() {
            self.push_step(&mut xpath, node);
        }
        if let Some(attribute) = attribute {
            let _ = write!(xpath, "/@{attribute}");
        }
        xpath
    }

    fn push_step(&self, xpath: &mut String, node: NodeId) {
        let place = self.place(node);
        xpath.push('/');
        if self.page.kind(node) == NodeKind::Text {
            xpath.push_str("text()");
        } else if self.is_plain(node) {
            xpath.push_str(self.page.tag(node).unwrap_or("*"));
        } else {
            let _ = write!(xpath, "*[{}]", place.of_elements);
            return;
        }
        if place.has_twin {
            let _ = write!(xpath, "[{}]", place.of_kind);
        }
    }

    pub(super) fn is_step(&self, node: NodeId, step: &Step<'_>) -> bool {
        let place = self.place(node);
        match step.test {
            Test::Text => self.page.kind(node) == NodeKind::Text && place.of_kind == step.position,
            Test::Any => place.of_elements == step.position,
            Test::Named(tag) => {
                self.is_plain(node)
                    && self.page.tag(node) == Some(tag)
                    && place.of_kind == step.position
            }
        }
    }
}

pub(super) fn parse(xpath: &str) -> Option<Target<'_>> {
    let path = xpath.strip_prefix('/')?;
    let (path, attribute) = match path.rsplit_once("/@") {
        Some((path, name)) => (path, Some(ATTRIBUTES.into_iter().find(|known| *known == name)?)),
        None => (path, None),
    };
    let steps = path.split('/').map(parse_step).collect::<Option<_>>()?;
    Some(Target { steps, attribute })
}

fn parse_step(step: &str) -> Option<Step<'_>> {
    let (test, position) = match step.strip_suffix(']') {
        Some(step) => {
            let (test, position) = step.split_once('[')?;
            (test, position.parse().ok()?)
        }
        None => (step, 1),
    };
    let test = match test {
        "text()" => Test::Text,
        "*" => Test::Any,
        name => Test::Named(name),
    };
    Some(Step { test, position })
}
