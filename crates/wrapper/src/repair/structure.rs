//! What roles are called now, by structure alone: the elements of the template and those of the pages are two trees. Where
//! all roles have changed, leaves are easily taken for others, but tags, texts of the template and how many leaves stand where
//! tell which element is which.

use super::assignment::assign;
use crate::machine::Machine;
use crate::schema::SlotId;
use crate::twig::hash;
use std::collections::BTreeMap;

/// Elements by what they stand in, with their leaves.
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// Elements of one tag and role in those of another. The first node is what holds the whole page.
struct Node {
    tag: String,
    role: String,
    /// In the order in which they came.
    children: Vec<usize>,
    /// How many leaves a page has within it.
    weight: f64,
    /// The same by the tags on the way to them; and the texts of the template.
    profile: BTreeMap<u64, f64>,
}

/// A text of the template says as much as so many leaves.
const TEXT: f64 = 5.0;
/// Elements that have less in common are others.
const MIN_LIKENESS: f64 = 0.2;
/// What says that elements stand in another order.
const ORDER: f64 = 0.1;
/// Other places where leaves of a slot stood were rare.
const RARE: f64 = 0.2;

impl Tree {
    fn new() -> Tree {
        let root = Node {
            tag: String::new(),
            role: String::new(),
            children: Vec::new(),
            weight: 0.0,
            profile: BTreeMap::new(),
        };
        Tree { nodes: vec![root] }
    }

    /// The elements of a template, with what its slots say.
    pub(super) fn of(machine: &Machine, texts: &BTreeMap<&str, SlotId>) -> Tree {
        let mut tree = Tree::new();
        let texts: BTreeMap<SlotId, &str> =
            texts.iter().map(|(text, slot)| (*slot, *text)).collect();
        let mut last = None;
        for (slot, elements) in machine.elements() {
            let n = machine.n_seen(slot) as f64 / machine.n_pages().max(1) as f64;
            let weight = if last == Some(slot) { n * RARE } else { n };
            last = Some(slot);
            let path = elements.iter().map(|(tag, role)| (&**tag, &**role));
            tree.add(path, weight, texts.get(&slot).copied());
        }
        tree
    }

    /// The same of pages: nothing but the elements of leaves, and those texts that the template says.
    pub(super) fn grow(
        leaves: impl Iterator<Item = (Vec<(String, String)>, String)>,
        n_pages: usize,
        texts: &BTreeMap<&str, SlotId>,
    ) -> Tree {
        let mut tree = Tree::new();
        for (elements, text) in leaves {
            let text = texts.get_key_value(&*text).map(|(text, _)| *text);
            let path = elements.iter().map(|(tag, role)| (&**tag, &**role));
            tree.add(path, 1.0 / n_pages.max(1) as f64, text);
        }
        tree
    }

    fn add<'a>(
        &mut self,
        path: impl Iterator<Item = (&'a str, &'a str)>,
        weight: f64,
        text: Option<&str>,
    ) {
        let mut way = vec![0];
        for (tag, role) in path {
            let at = *way.last().unwrap_or(&0);
            way.push(self.child(at, tag, role));
        }
        let mut tags = 0;
        for node in way.into_iter().rev() {
            let node = &mut self.nodes[node];
            node.weight += weight;
            *node.profile.entry(tags).or_default() += weight;
            if let Some(text) = text {
                *node.profile.entry(hash(&text)).or_default() += weight * TEXT;
            }
            tags = hash(&(tags, &*node.tag));
        }
    }

    fn child(&mut self, parent: usize, tag: &str, role: &str) -> usize {
        let is_it = |it: &usize| self.nodes[*it].tag == tag && self.nodes[*it].role == role;
        if let Some(found) = self.nodes[parent].children.iter().copied().find(is_it) {
            return found;
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            tag: tag.to_owned(),
            role: role.to_owned(),
            ..Tree::new().nodes.remove(0)
        });
        self.nodes[parent].children.push(node);
        node
    }

    /// Which role of this tree is which of another, and how much speaks for it.
    pub(super) fn roles_in(&self, other: &Tree) -> Vec<(&str, String, f64)> {
        let mut roles = Vec::new();
        let mut open = vec![(0, 0)];
        while let Some((left, right)) = open.pop() {
            for (a, b, likeness) in self.pairs(left, other, right) {
                let (was, is) = (&self.nodes[a], &other.nodes[b]);
                if !was.role.is_empty() {
                    roles.push((&*was.role, is.role.clone(), was.weight * likeness));
                }
                open.push((a, b));
            }
        }
        roles
    }

    /// The children of two nodes that go together.
    fn pairs(&self, left: usize, other: &Tree, right: usize) -> Vec<(usize, usize, f64)> {
        let (was, is) = (&self.nodes[left].children, &other.nodes[right].children);
        let place = |index: usize, n: usize| index as f64 / n.max(1) as f64;
        let score = |(i, a): (usize, &usize), (j, b): (usize, &usize)| {
            let (a, b) = (&self.nodes[*a], &other.nodes[*b]);
            let likeness = (a.tag == b.tag).then(|| likeness(a, b))?;
            let order = ORDER * (place(i, was.len()) - place(j, is.len())).abs();
            Some(likeness - order - MIN_LIKENESS)
        };
        let row = |a: (usize, &usize)| -> Vec<Option<f64>> {
            is.iter().enumerate().map(|b| score(a, b)).collect()
        };
        let scores: Vec<Vec<Option<f64>>> = was.iter().enumerate().map(row).collect();
        let of_row = assign(&scores, is.len()).into_iter().enumerate();
        let pair = |(i, j): (usize, Option<usize>)| {
            let j = j?;
            Some((was[i], is[j], scores[i][j]? + MIN_LIKENESS))
        };
        of_row.filter_map(pair).collect()
    }
}

/// The share of leaves and texts that two have in common.
fn likeness(left: &Node, right: &Node) -> f64 {
    let common = |(key, n): (&u64, &f64)| right.profile.get(key).map_or(0.0, |other| n.min(*other));
    let n_common: f64 = left.profile.iter().map(common).sum();
    let n = |node: &Node| node.profile.values().sum::<f64>();
    2.0 * n_common / (n(left) + n(right)).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_known_by_what_is_in_them() {
        let texts: BTreeMap<&str, SlotId> = [("Price", 3)].into();
        let leaf = |path: &str, text: &str| {
            let step = |it: &str| -> (String, String) {
                it.split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap_or_default()
            };
            (path.split('/').map(step).collect::<Vec<_>>(), text.to_owned())
        };
        let tree = |names: [&str; 4]| {
            let [a, b, c, d] = names;
            let leaves = [
                leaf(&format!("div.{a}/p.{c}"), "Dune"),
                leaf(&format!("div.{a}/p.{c}"), "Emma"),
                leaf(&format!("div.{b}/p.{d}"), "Price"),
                leaf(&format!("div.{b}/p.{c}"), "$5"),
            ];
            Tree::grow(leaves.into_iter(), 1, &texts)
        };
        let (old, new) = (tree(["books", "prices", "cell", "label"]), tree(["w", "x", "y", "z"]));
        let mut roles: Vec<(&str, String)> =
            old.roles_in(&new).into_iter().map(|(was, is, _)| (was, is)).collect();
        roles.sort_unstable();
        roles.dedup();
        let expected = [("books", "w"), ("cell", "y"), ("label", "z"), ("prices", "x")];
        assert_eq!(roles, expected.map(|(was, is)| (was, is.to_owned())));
    }
}
