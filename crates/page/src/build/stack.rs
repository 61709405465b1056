//! The stack of open elements (13.2.4.2).
//!
//! Entries say what they are, so that no search looks at the tree. Each search counts its looks: they are the work that
//! [`gate`](crate::gate) meters.

use super::Work;
use crate::arena::DOCUMENT;
use crate::names::TagName;
use crate::tag::{Tag, Traits};
use crate::tree::{NameId, Namespace, NodeId};

/// An element that is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) node: NodeId,
    pub(crate) name: NameId,
    pub(crate) traits: Traits,
    pub(crate) tag: Tag,
    pub(crate) namespace: Namespace,
}

impl Open {
    #[inline]
    pub(crate) fn html(node: NodeId, name: TagName) -> Open {
        let TagName { id: name, tag } = name;
        Open { node, name, traits: tag.traits(), tag, namespace: Namespace::Html }
    }

    #[inline]
    pub(crate) fn is(&self, one_of: Traits) -> bool {
        self.traits.any(one_of)
    }
}

/// What is the current node before there is any.
const NOTHING: Open = Open {
    node: DOCUMENT,
    name: NameId(u32::MAX),
    traits: Traits::NONE,
    tag: Tag::Other,
    namespace: Namespace::Html,
};

#[derive(Default)]
pub(crate) struct Stack {
    open: Vec<Open>,
}

impl Stack {
    /// A stack as it was, the root first.
    pub(super) fn of(open: impl Iterator<Item = Open>) -> Stack {
        Stack { open: open.collect() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    #[inline]
    pub(crate) fn current(&self) -> Open {
        self.open.last().copied().unwrap_or(NOTHING)
    }

    pub(crate) fn get(&self, index: usize) -> Option<Open> {
        self.open.get(index).copied()
    }

    /// The `<html>` element.
    pub(crate) fn root(&self) -> NodeId {
        self.open.first().map_or(DOCUMENT, |root| root.node)
    }

    /// The `<body>`, unless the page has frames.
    pub(crate) fn body(&self) -> Option<NodeId> {
        self.open.get(1).filter(|second| second.tag == Tag::Body).map(|body| body.node)
    }

    #[inline]
    pub(crate) fn push(&mut self, open: Open) {
        self.open.push(open);
    }

    /// Close the current element; the root stays.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Close all but the first so many.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.open.truncate(len.max(1));
    }

    pub(crate) fn insert(&mut self, index: usize, open: Open) {
        self.open.insert(index, open);
    }

    pub(crate) fn replace(&mut self, index: usize, open: Open) {
        self.open[index] = open;
    }

    pub(crate) fn remove_at(&mut self, index: usize) {
        self.open.remove(index);
    }

    pub(crate) fn remove(&mut self, node: NodeId, work: &mut Work) {
        if let Some(index) = self.position(node, work) {
            self.open.remove(index);
        }
    }

    /// From the current element on to the root.
    pub(crate) fn upwards(&self) -> impl Iterator<Item = &Open> {
        self.open.iter().rev()
    }

    /// Where an element is, if it is open.
    #[inline]
    pub(crate) fn position(&self, node: NodeId, work: &mut Work) -> Option<usize> {
        let found = self.open.iter().rposition(|open| open.node == node);
        work.add(self.open.len() - found.unwrap_or(0));
        found
    }

    /// The first element at or after `start` that is special.
    pub(crate) fn special_from(&self, start: usize, work: &mut Work) -> Option<usize> {
        let found = self.open[start..].iter().position(|open| open.is(Traits::SPECIAL));
        work.add(found.unwrap_or(self.open.len() - start));
        found.map(|found| start + found)
    }

    /// Whether an element is found before one with a trait of `border` above it.
    #[inline]
    fn has_within(
        &self,
        border: Traits,
        work: &mut Work,
        is_wanted: impl Fn(&Open) -> bool,
    ) -> bool {
        for (n_looks, open) in self.open.iter().rev().enumerate() {
            if is_wanted(open) {
                work.add(n_looks);
                return true;
            }
            if open.is(border) {
                work.add(n_looks);
                return false;
            }
        }
        false
    }

    #[inline]
    pub(crate) fn has_in_scope(&self, tag: Tag, work: &mut Work) -> bool {
        self.has_within(Traits::SCOPE, work, |open| open.tag == tag)
    }

    pub(crate) fn has_any_in_scope(&self, traits: Traits, work: &mut Work) -> bool {
        self.has_within(Traits::SCOPE, work, |open| open.is(traits))
    }

    pub(crate) fn has_node_in_scope(&self, node: NodeId, work: &mut Work) -> bool {
        self.has_within(Traits::SCOPE, work, |open| open.node == node)
    }

    #[inline]
    pub(crate) fn has_in_button_scope(&self, tag: Tag, work: &mut Work) -> bool {
        let border = Traits::SCOPE.and(Traits::BUTTON_SCOPE);
        self.has_within(border, work, |open| open.tag == tag)
    }

    pub(crate) fn has_in_list_scope(&self, tag: Tag, work: &mut Work) -> bool {
        let border = Traits::SCOPE.and(Traits::LIST_SCOPE);
        self.has_within(border, work, |open| open.tag == tag)
    }

    pub(crate) fn has_in_table_scope(&self, tag: Tag, work: &mut Work) -> bool {
        self.has_within(Traits::TABLE_SCOPE, work, |open| open.tag == tag)
    }

    pub(crate) fn has_any_in_table_scope(&self, tags: &[Tag], work: &mut Work) -> bool {
        self.has_within(Traits::TABLE_SCOPE, work, |open| tags.contains(&open.tag))
    }

    /// Whether an element of that name is open at all.
    pub(crate) fn has(&self, tag: Tag, work: &mut Work) -> bool {
        work.add(self.open.len());
        self.open.iter().any(|open| open.tag == tag)
    }

    /// Close elements whose end tags may be left out, but none of that name.
    #[inline]
    pub(crate) fn close_implied_but(&mut self, tag: Tag) {
        while self.current().is(Traits::IMPLIED_END) && self.current().tag != tag {
            self.pop();
        }
    }

    #[inline]
    pub(crate) fn close_implied(&mut self) {
        self.close_implied_but(Tag::Other);
    }

    /// The same at the end of a template, which also closes the parts of tables.
    pub(crate) fn close_all_implied(&mut self) {
        let implied = Traits::IMPLIED_END.and(Traits::IMPLIED_BY_TEMPLATE);
        while self.current().is(implied) {
            self.pop();
        }
    }

    /// Close elements up to one of that name, and that one too.
    #[inline]
    pub(crate) fn close(&mut self, tag: Tag) {
        while self.open.len() > 1 && self.open.pop().is_some_and(|open| open.tag != tag) {}
    }

    /// Close elements up to one with such a trait, and that one too.
    pub(crate) fn close_any(&mut self, traits: Traits) {
        while self.open.len() > 1 && self.open.pop().is_some_and(|open| !open.is(traits)) {}
    }

    /// Close elements until the current one has such a trait.
    pub(crate) fn clear_to(&mut self, traits: Traits) {
        while self.open.len() > 1 && !self.current().is(traits) {
            self.open.pop();
        }
    }
}
