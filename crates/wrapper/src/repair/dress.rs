//! The old wrapper in new clothes: often a site changes what its elements are called, or puts all into one more, and
//! nothing else. Then nothing needs to be learnt again, and what is on none of the pages at hand is not forgotten.

use crate::extract::{Extractor, Wrapper};
use crate::machine::{Machine, Misfit, Step, Wardrobe};
use crate::schema::SlotId;
use crate::twig::Roles;
use page::{NodeId, Page};
use std::collections::{BTreeMap, BTreeSet};

/// Wrappers that may fit the pages better, the least changed first.
pub(super) fn dressed(old: &Wrapper, pages: &[Page]) -> Vec<Wrapper> {
    let dress = Dress::new(pages);
    let mut found: Vec<Wrapper> = dress.renamed(old).into_iter().collect();
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
const N_ROUNDS: usize = 2;
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

    fn votes(&self, wrapper: &Wrapper) -> Option<Votes> {
        let wardrobe = Wardrobe::of(wrapper.machine());
        let mut extractor = Extractor::new(wrapper);
        let mut votes = Votes::default();
        let mut roles = Roles::default();
        for page in self.pages {
            let leaves = page.leaves();
            let assigned = extractor.assign(page, &leaves);
            for (leaf, label) in assigned.labels.iter().enumerate() {
                let Some(label) = label else { continue };
                let path = path(page, leaves.get(leaf).element);
                let is: Vec<(&str, String)> =
                    path.iter().map(|node| self.look(page, *node, &mut roles)).collect();
                let tags: Vec<&str> = is.iter().map(|(tag, _)| *tag).collect();
                if let Some(was) = wardrobe.path_of(label.slot, &tags) {
                    votes.add(&was, &is);
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
    fn add(&mut self, was: &[&Step], is: &[(&str, String)]) {
        for (was, (_, is)) in was.iter().zip(is) {
            if was.role.is_empty() {
                continue;
            }
            *self.roles.entry(was.role.clone()).or_default().entry(is.clone()).or_default() += 1;
            for word in was.role.split(' ') {
                let words = self.words.entry(word.to_owned()).or_default();
                is.split(' ').for_each(|is| *words.entry(is.to_owned()).or_default() += 1);
            }
        }
    }

    fn is_change(&self) -> bool {
        let is_other = |(was, is): (&String, &BTreeMap<String, usize>)| most(is) != Some(was);
        !self.said.is_empty() || self.roles.iter().any(is_other)
    }

    fn renamed(&self, machine: &Machine) -> Option<Machine> {
        let said = self.said.iter().filter_map(|(slot, said)| Some((*slot, most(said)?.clone())));
        machine.with_words(&said.collect()).with_roles(|role| self.role(role))
    }

    /// What a role is called now; one that was not met, by its words.
    fn role(&self, role: &str) -> String {
        if let Some(now) = self.roles.get(role).and_then(most) {
            return now.clone();
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
