//! The old wrapper in new clothes: often a site changes what its elements are called, or puts all into one more, and
//! nothing else. Then nothing needs to be learnt again, and what is on none of the pages at hand is not forgotten.

use super::structure::Tree;
use crate::extract::{Extractor, Wrapper};
use crate::machine::{Machine, Misfit, Step, Wardrobe};
use crate::schema::{Column, Field, Schema, SlotId};
use crate::twig::Roles;
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};

/// Wrappers that may fit the pages better, the least changed first.
pub(super) fn dressed(old: &Wrapper, pages: &[Page]) -> Vec<Wrapper> {
    let dress = Dress::new(pages);
    let mut found: Vec<Wrapper> = dress.renamed(old).into_iter().collect();
    if let Some(alike) = dress.alike(old) {
        let renamed = dress.renamed(&alike);
        found.push(alike);
        found.extend(renamed);
    }
    for shelled in dress.shelled(old) {
        let renamed = dress.renamed(&shelled);
        found.push(shelled);
        found.extend(renamed);
    }
    found
}

/// How pages are dressed.
struct Dress<'p> {
    pages: &'p [Page],
    /// Words of roles that come on several pages; others name single elements.
    words: BTreeSet<String>,
}

/// Elements are renamed in so many rounds: what is found by new names tells more of them.
const N_ROUNDS: usize = 3;
/// A text that only one place of the template says tells more of its elements than a leaf that was assigned to its place,
/// because elements had a part in that.
const ANCHORED: usize = 20;
const ASSIGNED: usize = 1;
/// A role has one of the names that at least one in so many speaks for, against the first.
const MIN_VOTES: usize = 4;
/// Elements deeper than this are not those that hold a whole page.
const MAX_SHELLS: usize = 6;

impl<'p> Dress<'p> {
    fn new(pages: &'p [Page]) -> Dress<'p> {
        let mut roles = Roles::default();
        let mut n_pages: BTreeMap<String, usize> = BTreeMap::new();
        for page in pages {
            let mut words = BTreeSet::new();
            let leaves = page.leaves();
            let mut seen = vec![false; page.n_nodes()];
            for leaf in 0..leaves.len() {
                let mut next = Some(leaves.get(leaf).element);
                while let Some(node) = next.filter(|it| !seen[it.index()]) {
                    seen[node.index()] = true;
                    words.extend(roles.of(page, node).split_whitespace().map(str::to_owned));
                    next = page.parent(node);
                }
            }
            words.into_iter().for_each(|word| *n_pages.entry(word).or_default() += 1);
        }
        let is_common = |n: usize| n > 1 || pages.len() == 1;
        let words = n_pages.into_iter().filter(|(_, n)| is_common(*n)).map(|(word, _)| word);
        Dress { pages, words: words.collect() }
    }

    /// The tag and the role of an element, of words that mean something.
    fn look<'a>(&self, page: &'a Page, element: NodeId, roles: &mut Roles) -> (&'a str, String) {
        let words = roles.of(page, element).split_whitespace();
        let words: Vec<&str> = words.filter(|word| self.words.contains(*word)).collect();
        (page.tag(element).unwrap_or_default(), words.join(" "))
    }

    /// With the names that elements have now, and what the template says now.
    fn renamed(&self, old: &Wrapper) -> Option<Wrapper> {
        let mut wrapper = old.clone();
        let mut is_changed = false;
        for _ in 0..N_ROUNDS {
            let votes = self.votes(&wrapper)?;
            let machine = votes.renamed(wrapper.machine())?;
            is_changed |= votes.is_change();
            wrapper = wrapper.with_machine(machine)?;
        }
        is_changed.then_some(wrapper)
    }

    /// With the names of those elements that are built alike.
    fn alike(&self, old: &Wrapper) -> Option<Wrapper> {
        let anchors = anchors(old.learnt());
        let was = Tree::of(old.machine(), &anchors);
        let mut roles = Roles::default();
        let mut leaves = Vec::new();
        for page in self.pages {
            for leaf in page.leaves().iter() {
                let look = |node: &NodeId| {
                    let (tag, role) = self.look(page, *node, &mut roles);
                    (tag.to_owned(), role)
                };
                let elements = path(page, leaf.element).iter().map(look).collect();
                leaves.push((elements, leaf.text.to_owned()));
            }
        }
        let is = Tree::grow(leaves.into_iter(), self.pages.len(), &anchors);
        let mut votes = Votes::default();
        for (role, now, weight) in was.roles_in(&is) {
            votes.vote(role, &now, (weight * 100.0) as usize);
        }
        let machine = votes.renamed(old.machine())?;
        votes.is_change().then(|| old.with_machine(machine))?
    }

    fn votes(&self, wrapper: &Wrapper) -> Option<Votes> {
        let wardrobe = Wardrobe::of(wrapper.machine());
        let anchors = anchors(wrapper.learnt());
        let mut extractor = Extractor::new(wrapper);
        let mut votes = Votes::default();
        let mut roles = Roles::default();
        for page in self.pages {
            let leaves = page.leaves();
            let assigned = extractor.assign(page, &leaves);
            for (leaf, label) in assigned.labels.iter().enumerate() {
                let anchor = anchors.get(leaves.get(leaf).text).copied();
                if label.is_none() && anchor.is_none() {
                    continue;
                }
                let path = path(page, leaves.get(leaf).element);
                let is: Vec<(&str, String)> =
                    path.iter().map(|node| self.look(page, *node, &mut roles)).collect();
                let tags: Vec<&str> = is.iter().map(|(tag, _)| *tag).collect();
                if let Some(was) = anchor.and_then(|slot| wardrobe.path_of(slot, &tags)) {
                    votes.add(&was, &is, ANCHORED);
                } else if let Some(was) =
                    label.as_ref().and_then(|it| wardrobe.path_of(it.slot, &tags))
                {
                    votes.add(&was, &is, ASSIGNED);
                }
            }
            for misfit in &assigned.misfits {
                if let Misfit::Reworded { leaf, slot } = misfit {
                    let said = votes.said.entry(*slot).or_default();
                    *said.entry(leaves.get(*leaf).text.to_owned()).or_default() += 1;
                }
            }
        }
        votes.said.retain(|_, said| said.values().sum::<usize>() * 2 > self.pages.len());
        Some(votes)
    }

    /// With an element that now holds all that another held.
    fn shelled(&self, old: &Wrapper) -> Vec<Wrapper> {
        let wardrobe = Wardrobe::of(old.machine());
        let trunk = wardrobe.trunk();
        let now = self.trunk();
        let mut found = Vec::new();
        for (depth, step) in trunk.iter().enumerate().take(MAX_SHELLS) {
            let holds_alike = |depth: usize| {
                now.get(depth).is_some_and(|(tag, _)| *tag == wardrobe.clothes(trunk[depth]).tag)
            };
            if !(0..=depth).all(holds_alike) {
                break;
            }
            if let Some((tag, role)) = now.get(depth + 1)
                && let Some(machine) = old.machine().with_shell(*step, tag, role)
            {
                found.extend(old.with_machine(machine));
            }
        }
        found
    }

    /// The elements that hold nearly all of most pages, the outermost first.
    fn trunk(&self) -> Vec<(String, String)> {
        let mut counts: BTreeMap<Vec<(String, String)>, usize> = BTreeMap::new();
        let mut roles = Roles::default();
        for page in self.pages {
            let leaves = page.leaves();
            let mut n_within: BTreeMap<NodeId, usize> = BTreeMap::new();
            for leaf in 0..leaves.len() {
                let path = path(page, leaves.get(leaf).element);
                path.into_iter().for_each(|node| *n_within.entry(node).or_default() += 1);
            }
            let mut held: Vec<(usize, NodeId)> = n_within
                .into_iter()
                .filter(|(_, n)| n * 10 >= leaves.len() * 8)
                .map(|(node, _)| (page.ancestors(node).count(), node))
                .collect();
            held.sort_unstable();
            let looks = held.into_iter().map(|(_, node)| {
                let (tag, role) = self.look(page, node, &mut roles);
                (tag.to_owned(), role)
            });
            let looks: Vec<(String, String)> = looks.collect();
            for n in 1..=looks.len() {
                *counts.entry(looks[..n].to_vec()).or_default() += 1;
            }
        }
        let most = counts.into_iter().filter(|(_, n)| n * 2 > self.pages.len());
        most.map(|(trunk, _)| trunk).max_by_key(Vec::len).unwrap_or_default()
    }
}

/// The elements from the root to one.
fn path(page: &Page, element: NodeId) -> Vec<NodeId> {
    let mut path = vec![element];
    path.extend(page.ancestors(element).filter(|it| *it != page.document()));
    path.reverse();
    path
}

/// The texts that one place of the template says, and no other.
fn anchors(schema: &Schema) -> BTreeMap<&str, SlotId> {
    let mut slots: BTreeMap<&str, BTreeSet<SlotId>> = BTreeMap::new();
    for (_, field) in schema.paths() {
        if let Field::Column(Column { is_template: true, slots: of, examples, .. }) = field
            && let [text] = &examples[..]
        {
            slots.entry(text).or_default().extend(of);
        }
    }
    let only = slots.into_iter().filter(|(_, slots)| slots.len() == 1);
    only.filter_map(|(text, slots)| Some((text, slots.into_iter().next()?))).collect()
}

/// What elements and words of the template are now.
#[derive(Default)]
struct Votes {
    /// By role, which roles its elements have now, and how often.
    roles: BTreeMap<String, BTreeMap<String, usize>>,
    /// By word of a role, the same.
    words: BTreeMap<String, BTreeMap<String, usize>>,
    /// By slot of the template, what it says now where it says something else.
    said: BTreeMap<SlotId, BTreeMap<String, usize>>,
}

impl Votes {
    fn add(&mut self, was: &[&Step], is: &[(&str, String)], n: usize) {
        for (was, (_, is)) in was.iter().zip(is) {
            if !was.role.is_empty() {
                self.vote(&was.role, is, n);
            }
        }
    }

    fn vote(&mut self, was: &str, is: &str, n: usize) {
        let roles = self.roles.entry(was.to_owned()).or_default();
        *roles.entry(is.to_owned()).or_default() += n;
        for word in was.split(' ') {
            let words = self.words.entry(word.to_owned()).or_default();
            is.split(' ').for_each(|is| *words.entry(is.to_owned()).or_default() += n);
        }
    }

    fn is_change(&self) -> bool {
        let is_other = |(was, is): (&String, &BTreeMap<String, usize>)| most(is) != Some(was);
        !self.said.is_empty() || self.roles.iter().any(is_other)
    }

    fn renamed(&self, machine: &Machine) -> Option<Machine> {
        let said = self.said.iter().filter_map(|(slot, said)| Some((*slot, most(said)?.clone())));
        let roles = self.one_to_one();
        machine.with_words(&said.collect()).with_roles(|role| self.role(&roles, role))
    }

    /// What roles are called now: each something else, if enough speaks for it. What most of its leaves say of a role may
    /// be wrong where leaves were taken for others, and then it is another role that is called so.
    fn one_to_one(&self) -> BTreeMap<&str, &str> {
        let mut pairs: Vec<(usize, &str, &str)> = Vec::new();
        for (was, votes) in &self.roles {
            let top = votes.values().max().copied().unwrap_or(0);
            let likely = votes.iter().filter(|(_, n)| **n * MIN_VOTES >= top);
            pairs.extend(likely.map(|(is, n)| (*n, &**was, &**is)));
        }
        pairs.sort_by_key(|(n, was, is)| (std::cmp::Reverse(*n), *was, *is));
        let mut roles: BTreeMap<&str, &str> = BTreeMap::new();
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        for (_, was, is) in &pairs {
            if !roles.contains_key(was) && (is.is_empty() || taken.insert(is)) {
                roles.insert(was, is);
            }
        }
        // Two may be one now.
        for (_, was, is) in pairs {
            roles.entry(was).or_insert(is);
        }
        roles
    }

    /// What a role is called now; one that was not met, by its words.
    fn role(&self, roles: &BTreeMap<&str, &str>, role: &str) -> String {
        if let Some(now) = roles.get(role) {
            return (*now).to_owned();
        }
        let word = |word: &str| match self.words.get(word).and_then(most) {
            Some(now) => now.clone(),
            None => word.to_owned(),
        };
        let mut words: Vec<String> = role.split(' ').map(word).collect();
        words.sort_unstable();
        words.dedup();
        words.join(" ")
    }
}

/// What most say; of several the first.
fn most(votes: &BTreeMap<String, usize>) -> Option<&String> {
    votes.iter().max_by_key(|(name, n)| (**n, std::cmp::Reverse(*name))).map(|(name, _)| name)
}
