//! The leaves at an address that people or tools wrote.

use super::selector::{Selector, Unknown};
use crate::text::Map;
use page::{Addresses, Leaves, NodeId, Page};
use std::fmt;

/// Where a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NodeAddress {
    XPath(String),
    /// With the number of a leaf among those of its element, if it is one.
    Selector(Selector, Option<usize>),
}

impl NodeAddress {
    /// An XPath of the kind that `pagemill label` writes or that browsers copy: names, places and ids. Others would select
    /// nothing, so they are refused.
    pub(super) fn xpath(xpath: String) -> Result<NodeAddress, Unknown> {
        match unknown_step(&xpath) {
            None => Ok(NodeAddress::XPath(xpath)),
            Some(at) => {
                let step = xpath[at..].split('/').next().unwrap_or_default();
                let what = match step {
                    "" => format!("something is missing; {KNOWN}"),
                    step => format!("{step:?} is not understood; {KNOWN}"),
                };
                Err(Unknown { column: xpath[..at].chars().count() + 1, what })
            }
        }
    }
}

const KNOWN: &str = "known are paths from the root or from an id, such as /html/body/p[2]/text() and //*[@id=\"main\"]/h1";

/// Where a step starts that is none of those known.
fn unknown_step(xpath: &str) -> Option<usize> {
    let mut rest = xpath;
    if let Some(by_id) = xpath.strip_prefix("//*[@id=") {
        let quote = by_id.chars().next().filter(|it| matches!(it, '"' | '\''));
        let after = quote.and_then(|quote| by_id[1..].split_once(quote)?.1.strip_prefix(']'));
        let Some(after) = after else { return Some(2) };
        rest = after;
        if rest.is_empty() {
            return None;
        }
    }
    let Some(steps) = rest.strip_prefix('/') else { return Some(xpath.len() - rest.len()) };
    let mut at = xpath.len() - steps.len();
    for step in steps.split('/') {
        if !is_step(step) {
            return Some(at);
        }
        at += step.len() + 1;
    }
    None
}

fn is_step(step: &str) -> bool {
    let (test, place) = match step.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((test, place)) => (test, place),
        None => (step, "1"),
    };
    let name = test.strip_prefix('@').unwrap_or(test);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_known = matches!(test, "text()" | "*") || !name.is_empty() && name.chars().all(is_name);
    is_known && place.parse::<u32>().is_ok_and(|it| it > 0)
}

impl fmt::Display for NodeAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeAddress::XPath(path) => write!(f, "XPath {path:?}"),
            NodeAddress::Selector(selector, None) => write!(f, "selector {selector}"),
            NodeAddress::Selector(selector, Some(nth)) => {
                write!(f, "selector {selector}, leaf {nth}")
            }
        }
    }
}

/// A page's leaves by node.
pub(super) struct Nodes<'p> {
    page: &'p Page,
    all: &'p Leaves,
    addresses: Addresses<'p>,
    leaves: Map<NodeId, Vec<usize>>,
}

impl<'p> Nodes<'p> {
    pub(super) fn new(page: &'p Page, leaves: &'p Leaves) -> Nodes<'p> {
        let mut by_node: Map<NodeId, Vec<usize>> = Map::default();
        for leaf in leaves.iter() {
            by_node.entry(leaf.node).or_default().push(leaf.position);
        }
        Nodes { page, all: leaves, addresses: page.addresses(leaves), leaves: by_node }
    }

    /// The leaf at an address, or all below the elements there.
    pub(super) fn at(&self, address: &NodeAddress) -> Vec<usize> {
        match address {
            NodeAddress::XPath(xpath) => match self.addresses.find(xpath) {
                Some(leaf) => vec![leaf.position],
                None => self.addresses.find_node(xpath).map_or(Vec::new(), |it| self.below(it)),
            },
            NodeAddress::Selector(selector, Some(nth)) => {
                let elements = selector.select(self.page);
                let own = |element: &NodeId| {
                    let mut own = self.all.iter().filter(|leaf| leaf.element == *element);
                    own.nth(*nth).map(|leaf| leaf.position)
                };
                elements.first().and_then(own).into_iter().collect()
            }
            NodeAddress::Selector(selector, None) => {
                let elements = selector.select(self.page).into_iter();
                let mut leaves: Vec<usize> = elements.flat_map(|it| self.below(it)).collect();
                leaves.sort_unstable();
                leaves.dedup();
                leaves
            }
        }
    }

    fn below(&self, node: NodeId) -> Vec<usize> {
        let nodes = std::iter::once(node).chain(self.page.descendants(node));
        nodes.filter_map(|it| self.leaves.get(&it)).flatten().copied().collect()
    }
}
