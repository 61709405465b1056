//! The adoption agency algorithm (13.2.6.4.7): what an end tag of a formatting element does where the markup is not
//! nested, as in `<b><p></b>`. The steps are numbered as in the standard.

use super::Builder;
use super::formatting::Entry;
use super::stack::Open;
use crate::arena::Place;
use crate::names::TagName;
use crate::tag::Tag;
use crate::tree::NodeId;

/// How often one end tag starts over.
const N_OUTER: usize = 8;
/// How many formatting elements are kept between the one that ends and the block inside it.
const N_INNER: usize = 3;

impl Builder<'_> {
    pub(super) fn adopt(&mut self, subject: TagName) {
        let current = self.stack.current();
        let is_listed = |builder: &mut Self| {
            builder.formatting.find_node(current.node, &mut builder.work).is_some()
        };
        if current.name == subject.id && !is_listed(self) {
            return self.stack.pop();
        }
        for _ in 0..N_OUTER {
            if !self.adopt_once(subject) {
                return;
            }
        }
    }

    /// One round; says whether to go on.
    fn adopt_once(&mut self, subject: TagName) -> bool {
        let Some((listed_at, formatting)) = self.formatting.find(subject.tag, &mut self.work)
        else {
            self.close_any_other(subject);
            return false;
        };
        let Some(open_at) = self.stack.position(formatting.node, &mut self.work) else {
            self.formatting.remove(listed_at);
            return false;
        };
        if !self.stack.has_node_in_scope(formatting.node, &mut self.work) {
            return false;
        }
        let Some(block_at) = self.stack.special_from(open_at, &mut self.work) else {
            self.stack.truncate(open_at);
            self.formatting.remove(listed_at);
            return false;
        };
        self.move_block_out(formatting, open_at, block_at);
        true
    }

    /// Steps 11 to 19: the furthest block leaves the formatting element, and its content gets a new one.
    fn move_block_out(&mut self, formatting: Entry, open_at: usize, block_at: usize) {
        let [Some(block), Some(ancestor)] =
            [Some(block_at), open_at.checked_sub(1)].map(|at| self.stack.get(at?))
        else {
            return;
        };
        let (last, bookmark) = self.rebuild_between(formatting.node, block, block_at);
        self.arena.detach(last);
        let place = self.place_in(ancestor);
        self.arena.attach(place, last);

        let node = self.create_again(&formatting);
        let n_moved = self.arena.move_children(block.node, node);
        self.work.add(n_moved as usize);
        self.arena.attach(Place::last_in(block.node), node);
        self.list_at_bookmark(formatting, Entry { node, ..formatting }, bookmark);

        self.stack.remove(formatting.node, &mut self.work);
        if let Some(block_at) = self.stack.position(block.node, &mut self.work) {
            self.stack.insert(block_at + 1, Open::html(node, formatting.name));
        }
    }

    /// Step 13: the elements between the formatting element and the block are made anew around the block, if they are
    /// formatting themselves, and closed if not. The answer is the outermost of them, and the innermost new one.
    fn rebuild_between(
        &mut self,
        formatting: NodeId,
        block: Open,
        block_at: usize,
    ) -> (NodeId, Option<NodeId>) {
        let mut last = block.node;
        let mut bookmark = None;
        let mut n_inner = 0;
        for at in (0..block_at).rev() {
            let Some(open) = self.stack.get(at).filter(|open| open.node != formatting) else {
                break;
            };
            n_inner += 1;
            let listed = self.formatting.find_node(open.node, &mut self.work);
            let Some((listed_at, entry)) = listed else {
                self.stack.remove_at(at);
                continue;
            };
            if n_inner > N_INNER {
                self.formatting.remove(listed_at);
                self.stack.remove_at(at);
                continue;
            }
            let node = self.create_again(&entry);
            self.stack.replace(at, Open::html(node, entry.name));
            self.formatting.replace(listed_at, Entry { node, ..entry });
            bookmark = bookmark.or(Some(node));
            self.arena.detach(last);
            self.arena.attach(Place::last_in(node), last);
            last = node;
        }
        (last, bookmark)
    }

    /// Step 18: the new element takes the old one's place in the list, or one after the bookmark.
    fn list_at_bookmark(&mut self, old: Entry, new: Entry, bookmark: Option<NodeId>) {
        let found = bookmark.and_then(|node| self.formatting.find_node(node, &mut self.work));
        match found {
            Some((index, _)) => {
                self.formatting.insert(index + 1, new);
                self.formatting.remove_node(old.node, &mut self.work);
            }
            None => {
                if let Some((index, _)) = self.formatting.find_node(old.node, &mut self.work) {
                    self.formatting.replace(index, new);
                }
            }
        }
    }

    /// A link in a link ends it.
    pub(super) fn end_open_link(&mut self, link: TagName) {
        let Some((_, open)) = self.formatting.find(Tag::A, &mut self.work) else { return };
        self.adopt(link);
        self.formatting.remove_node(open.node, &mut self.work);
        self.stack.remove(open.node, &mut self.work);
    }
}
