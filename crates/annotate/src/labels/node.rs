//! The leaves at an address that people or tools wrote.

use super::lines::NodeAddress;
use crate::text::Map;
use page::{Addresses, Leaves, NodeId, NodeKind, Page};

/// A page's leaves by node.
pub(super) struct Nodes<'p> {
    page: &'p Page,
    addresses: Addresses<'p>,
    leaves: Map<NodeId, Vec<usize>>,
}

impl<'p> Nodes<'p> {
    pub(super) fn new(page: &'p Page, leaves: &'p Leaves) -> Nodes<'p> {
        let mut by_node: Map<NodeId, Vec<usize>> = Map::default();
        for leaf in leaves.iter() {
            by_node.entry(leaf.node).or_default().push(leaf.position);
        }
        Nodes { page, addresses: page.addresses(leaves), leaves: by_node }
    }

    /// The leaf at an address, or all below the elements there.
    pub(super) fn at(&self, address: &NodeAddress) -> Vec<usize> {
        match address {
            NodeAddress::XPath(xpath) => match self.addresses.find(xpath) {
                Some(leaf) => vec![leaf.position],
                None => self.addresses.find_node(xpath).map_or(Vec::new(), |it| self.below(it)),
            },
            NodeAddress::Selector(selector, Some(nth)) => {
                let leaf = self.addresses.find_selector(selector, *nth);
                leaf.map(|leaf| leaf.position).into_iter().collect()
            }
            NodeAddress::Selector(selector, None) => match self.addresses.find_element(selector) {
                Some(element) => self.below(element),
                None => self.selected(selector),
            },
        }
    }

    fn below(&self, node: NodeId) -> Vec<usize> {
        let nodes = std::iter::once(node).chain(self.page.descendants(node));
        nodes.filter_map(|it| self.leaves.get(&it)).flatten().copied().collect()
    }

    fn selected(&self, selector: &str) -> Vec<usize> {
        let Some(steps) = steps(selector) else { return Vec::new() };
        let all = self.page.descendants(self.page.document());
        let chosen = all.filter(|node| self.is_selected(*node, &steps));
        let mut leaves: Vec<usize> = chosen.flat_map(|node| self.below(node)).collect();
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// Whether an element is what the last step names, below what those before it name.
    fn is_selected(&self, node: NodeId, steps: &[Step<'_>]) -> bool {
        let Some((last, before)) = steps.split_last() else { return true };
        if !last.names(self.page, node) {
            return false;
        }
        // Each earlier step takes the nearest ancestor that it can, which leaves most to those before it.
        let mut ancestors = self.page.ancestors(node);
        let mut is_child = last.is_child;
        for step in before.iter().rev() {
            let found = match is_child {
                true => ancestors.next().filter(|it| step.names(self.page, *it)),
                false => ancestors.find(|it| step.names(self.page, *it)),
            };
            if found.is_none() {
                return false;
            }
            is_child = step.is_child;
        }
        true
    }
}

/// One part of a selector: a tag, ids and classes.
#[derive(Default)]
struct Step<'s> {
    tag: &'s str,
    id: Option<&'s str>,
    classes: Vec<&'s str>,
    /// Whether it is right below the step before it.
    is_child: bool,
}

impl Step<'_> {
    fn names(&self, page: &Page, node: NodeId) -> bool {
        let has_class = |class: &&str| {
            page.attr(node, "class")
                .is_some_and(|it| it.split_ascii_whitespace().any(|it| it == *class))
        };
        page.kind(node) == NodeKind::Element
            && (matches!(self.tag, "" | "*") || page.tag(node) == Some(self.tag))
            && self.id.is_none_or(|id| page.attr(node, "id") == Some(id))
            && self.classes.iter().all(has_class)
    }
}

/// A selector of tags, classes and ids; none if there is more in it.
fn steps(selector: &str) -> Option<Vec<Step<'_>>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut is_child = false;
    for part in selector.split_ascii_whitespace() {
        if part == ">" {
            is_child = true;
            continue;
        }
        let mut step = Step { is_child: std::mem::take(&mut is_child), ..Step::default() };
        let mut rest = part;
        while !rest.is_empty() {
            let is_mark = |c: char| matches!(c, '.' | '#');
            let end = rest[1..].find(is_mark).map_or(rest.len(), |it| it + 1);
            let (piece, after) = rest.split_at_checked(end)?;
            match piece.strip_prefix('.') {
                Some(class) => step.classes.push(class),
                None => match piece.strip_prefix('#') {
                    Some(id) => step.id = Some(id),
                    None => step.tag = piece,
                },
            }
            rest = after;
        }
        let is_plain = |it: &str| !it.contains(['[', ']', ':', '(', ')', '\\', ',', '+', '~', '>']);
        if !is_plain(part) {
            return None;
        }
        steps.push(step);
    }
    (!steps.is_empty()).then_some(steps)
}
