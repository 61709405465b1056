//! Tag paths as numbers.
//!
//! A path is the tags from the root to a leaf, `html/body/p`; a leaf that is an attribute's value has one step
//! more, `html/body/img/@src`. Paths live in a trie, so that two are equal when their numbers are, and parents
//! and common ancestors are a step or a few away.

use crate::tree::offset;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::fmt;

/// A path in one [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(u32);

impl PathId {
    /// The empty path.
    pub const ROOT: PathId = PathId(0);

    /// The path's number, counted from zero in the order of first use.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tag in one [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TagId(u32);

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: PathId,
    tag: TagId,
    depth: u32,
    /// The child asked for last, which siblings of one kind ask for again; the root stands for none.
    newest_child: PathId,
}

/// A set of paths.
///
/// ```
/// use page::{PathId, Paths};
///
/// let mut paths = Paths::default();
/// let body = ["html", "body"].iter().fold(PathId::ROOT, |path, tag| paths.child(path, tag));
/// let p = paths.child(body, "p");
/// let td = paths.child(body, "td");
/// assert_eq!(paths.common_ancestor(p, td), body);
/// assert_eq!(paths.display(p).to_string(), "html/body/p");
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    entries: Vec<Entry>,
    tags: Vec<Box<str>>,
    tag_ids: HashMap<Box<str>, TagId, FixedState>,
    children: HashMap<(PathId, TagId), PathId, FixedState>,
}

impl Default for Paths {
    fn default() -> Self {
        let root =
            Entry { parent: PathId::ROOT, tag: TagId(0), depth: 0, newest_child: PathId::ROOT };
        Paths {
            entries: vec![root],
            tags: vec![Box::from("")],
            tag_ids: HashMap::default(),
            children: HashMap::default(),
        }
    }
}

impl Paths {
    /// How many paths there are, the empty one included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none but the empty one.
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 1
    }

    /// All paths, each after its parent.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = PathId> + '_ {
        (0..self.entries.len()).map(|index| PathId(offset(index)))
    }

    /// The path one step longer.
    pub fn child(&mut self, parent: PathId, tag: &str) -> PathId {
        let tag = self.tag_id(tag);
        self.child_by_id(parent, tag)
    }

    pub(crate) fn child_by_id(&mut self, parent: PathId, tag: TagId) -> PathId {
        let newest = self.entries[parent.index()].newest_child;
        if newest != PathId::ROOT && self.entries[newest.index()].tag == tag {
            return newest;
        }
        let next = PathId(offset(self.entries.len()));
        let child = *self.children.entry((parent, tag)).or_insert(next);
        if child == next {
            let depth = self.entries[parent.index()].depth + 1;
            self.entries.push(Entry { parent, tag, depth, newest_child: PathId::ROOT });
        }
        self.entries[parent.index()].newest_child = child;
        child
    }

    pub(crate) fn tag_id(&mut self, tag: &str) -> TagId {
        if let Some(id) = self.tag_ids.get(tag) {
            return *id;
        }
        let id = TagId(offset(self.tags.len()));
        self.tags.push(Box::from(tag));
        self.tag_ids.insert(Box::from(tag), id);
        id
    }

    /// The path one step shorter; the empty path's is itself.
    pub fn parent(&self, path: PathId) -> PathId {
        self.entries[path.index()].parent
    }

    /// The last step.
    pub fn tag(&self, path: PathId) -> &str {
        &self.tags[self.entries[path.index()].tag.0 as usize]
    }

    /// How many steps the path has.
    pub fn depth(&self, path: PathId) -> usize {
        self.entries[path.index()].depth as usize
    }

    /// The longest path that both start with.
    pub fn common_ancestor(&self, left: PathId, right: PathId) -> PathId {
        let (mut left, mut right) = (left, right);
        while left != right {
            if self.depth(left) >= self.depth(right) {
                left = self.parent(left);
            } else {
                right = self.parent(right);
            }
        }
        left
    }

    /// Take over the paths of another set. The answer gives for each of them its number here.
    pub fn absorb(&mut self, other: &Paths) -> Vec<PathId> {
        let tags: Vec<TagId> = other.tags.iter().map(|tag| self.tag_id(tag)).collect();
        let mut here = vec![PathId::ROOT];
        for entry in &other.entries[1..] {
            let parent = here[entry.parent.index()];
            here.push(self.child_by_id(parent, tags[entry.tag.0 as usize]));
        }
        here
    }

    /// The steps from the root on.
    pub fn steps(&self, path: PathId) -> Vec<&str> {
        let mut steps = Vec::with_capacity(self.depth(path));
        let mut path = path;
        while path != PathId::ROOT {
            steps.push(self.tag(path));
            path = self.parent(path);
        }
        steps.reverse();
        steps
    }

    /// The path as people write it.
    pub fn display(&self, path: PathId) -> impl fmt::Display + '_ {
        DisplayPath { paths: self, path }
    }
}

struct DisplayPath<'a> {
    paths: &'a Paths,
    path: PathId,
}

impl fmt::Display for DisplayPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.paths.steps(self.path).join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(paths: &mut Paths, text: &str) -> PathId {
        text.split('/').fold(PathId::ROOT, |path, tag| paths.child(path, tag))
    }

    #[test]
    fn equal_paths_have_equal_numbers() {
        let mut paths = Paths::default();
        let first = path(&mut paths, "html/body/p");
        assert_ne!(path(&mut paths, "html/body/div/p"), first);
        assert_eq!(path(&mut paths, "html/body/p"), first);
        assert_eq!((paths.len(), paths.depth(first), paths.tag(first)), (6, 3, "p"));
    }

    #[test]
    fn absorbing_translates() {
        let mut left = Paths::default();
        let here = path(&mut left, "html/body/p");
        let mut right = Paths::default();
        let other = path(&mut right, "html/head/title");
        let there = path(&mut right, "html/body/p");
        let translated = left.absorb(&right);
        assert_eq!(translated[there.index()], here);
        assert_eq!(left.display(translated[other.index()]).to_string(), "html/head/title");
        assert_eq!(left.common_ancestor(here, translated[other.index()]), path(&mut left, "html"));
    }
}
