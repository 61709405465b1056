//! One object for each thing that records and pages of its own speak of.
//!
//! A mention says what one page has of a thing: its name, its address, values, what it is related to and what it stands in. Mentions of
//! one address are of one thing; where a class is told by names, or by names within a container, so are those of one name.

use super::mention::Place;
use super::name;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What a page says of a thing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mention {
    /// Its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its own page.
    pub url: Option<String>,
    /// Whether the page is about it.
    pub is_own: bool,
    /// Attributes, their values, and where these stand.
    pub values: Vec<(String, String, Place)>,
    /// Relationships, the numbers of the mentions that they lead to, and where that is said.
    pub relations: Vec<(String, usize, Place)>,
    /// The mention that it stands in, and how much that says.
    pub within: Option<(usize, u32)>,
    /// Where it stands.
    pub place: Place,
    /// How sure it is.
    pub confidence: f64,
}

/// What makes two mentions of a class those of one thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Same {
    /// Its address, and its name where it has none.
    #[default]
    Url,
    /// Its name.
    Name,
    /// Its address, or its name in what contains it.
    Place,
}

/// What is particular to a field.
#[derive(Debug, Clone, Default)]
pub struct ThingRules {
    /// By class.
    pub same: BTreeMap<String, Same>,
    /// Classes and those of their attributes that have one value.
    pub singles: BTreeSet<(String, String)>,
}

/// A thing, from all that is said of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thing {
    /// Its class.
    pub class: String,
    /// The name that its own page has, or most do.
    pub name: String,
    /// Its other names.
    pub aliases: Vec<String>,
    /// Its pages, its own first, and the places that lead there.
    pub urls: Vec<(String, Vec<Place>)>,
    /// What it is in; none if that is the root.
    pub container: Option<usize>,
    /// What else lists it, and is not around what it is in.
    pub elsewhere: Vec<(usize, Vec<Place>)>,
    /// Attributes, their values, and the places that say so.
    pub values: Vec<(String, String, Vec<Place>)>,
    /// Relationships, the numbers of the things they lead to, and the places that say so.
    pub relations: Vec<(String, usize, Vec<Place>)>,
    /// Where it was read.
    pub places: Vec<Place>,
    /// How sure it is.
    pub confidence: f64,
}

/// One thing for all mentions of it. What contains others stands before them.
pub fn things(mentions: &[Mention], rules: &ThingRules) -> Vec<Thing> {
    let mut groups = Groups::new(mentions.len());
    groups.join_by_url(mentions);
    groups.join_by_name(mentions, rules);
    // What joins may put others into one place, which then are one.
    for _ in 0..MAX_ROUNDS {
        let containers = containers(mentions, &mut groups);
        if !groups.join_by_place(mentions, rules, &containers) {
            break;
        }
    }
    let containers = containers(mentions, &mut groups);
    let order = by_depth(mentions.len(), &mut groups, &containers);
    let numbers: BTreeMap<usize, usize> =
        order.iter().enumerate().map(|(number, root)| (*root, number)).collect();
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for mention in 0..mentions.len() {
        members.entry(groups.root(mention)).or_default().push(mention);
    }
    let number = |groups: &mut Groups, mention: usize| numbers[&groups.root(mention)];
    let mut things = Vec::with_capacity(order.len());
    for root in &order {
        let draft = Draft { mentions, members: &members[root], rules };
        let mut thing = draft.thing();
        thing.container = containers.get(root).map(|container| numbers[container]);
        thing.relations = draft.relations(|mention| number(&mut groups, mention));
        thing.elsewhere = draft
            .lists(|mention| groups.root(mention))
            .into_iter()
            .filter(|(list, _)| list != root && !is_around(*list, *root, &containers))
            .map(|(list, places)| (numbers[&list], places))
            .collect();
        things.push(thing);
    }
    things
}

/// Joins that make others possible are rare, and long chains of them are no shop's.
const MAX_ROUNDS: usize = 4;
/// How deep containers are followed; what goes deeper is a ring.
const MAX_DEPTH: usize = 32;

/// Which mentions are of one thing: a forest in which each points to one of its own, roots to themselves.
struct Groups(Vec<usize>);

impl Groups {
    fn new(n: usize) -> Groups {
        Groups((0..n).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// The first of both stays the root, so that order tells nothing but which came first.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        let (first, last) = (one.min(other), one.max(other));
        self.0[last] = first;
        first != last
    }

    fn join_by_url(&mut self, mentions: &[Mention]) {
        let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (number, mention) in mentions.iter().enumerate() {
            let Some(url) = &mention.url else { continue };
            let first = *known.entry((&mention.class, url)).or_insert(number);
            self.join(first, number);
        }
    }

    /// Those told by their names; of others, those that have no address go with the one of their name that has.
    fn join_by_name(&mut self, mentions: &[Mention], rules: &ThingRules) {
        let mut known: BTreeMap<(&str, String), usize> = BTreeMap::new();
        let with_url = mentions.iter().enumerate().filter(|(_, it)| it.url.is_some());
        let without = mentions.iter().enumerate().filter(|(_, it)| it.url.is_none());
        for (number, mention) in with_url.chain(without) {
            let same = rules.same.get(&mention.class).copied().unwrap_or_default();
            if same == Same::Place {
                continue;
            }
            let first = *known.entry((&mention.class, key(&mention.name))).or_insert(number);
            if same == Same::Name || mention.url.is_none() {
                self.join(first, number);
            }
        }
    }

    fn join_by_place(
        &mut self,
        mentions: &[Mention],
        rules: &ThingRules,
        containers: &BTreeMap<usize, usize>,
    ) -> bool {
        let mut known: BTreeMap<(&str, String, Option<usize>), usize> = BTreeMap::new();
        let mut is_changed = false;
        for (number, mention) in mentions.iter().enumerate() {
            if rules.same.get(&mention.class) != Some(&Same::Place) {
                continue;
            }
            let container = containers.get(&self.root(number)).copied();
            let name = (mention.class.as_str(), key(&mention.name), container);
            let first = *known.entry(name).or_insert(number);
            is_changed |= self.join(first, number);
        }
        is_changed
    }
}

fn key(name: &str) -> String {
    let short = name::key(name, &super::Rules::default());
    if short.is_empty() { name.to_owned() } else { short }
}

/// What each thing is in: what says most; of several that are in each other the innermost.
fn containers(mentions: &[Mention], groups: &mut Groups) -> BTreeMap<usize, usize> {
    let mut said: BTreeMap<usize, BTreeMap<usize, u32>> = BTreeMap::new();
    for (number, mention) in mentions.iter().enumerate() {
        let Some((within, weight)) = mention.within else { continue };
        let (own, within) = (groups.root(number), groups.root(within));
        if own != within {
            *said.entry(own).or_default().entry(within).or_default() += weight;
        }
    }
    let most = |all: &BTreeMap<usize, u32>| {
        all.iter().max_by_key(|(at, n)| (**n, std::cmp::Reverse(**at))).map(|(at, _)| *at)
    };
    let first: BTreeMap<usize, usize> =
        said.iter().filter_map(|(own, all)| Some((*own, most(all)?))).collect();
    let innermost = |(own, all): (&usize, &BTreeMap<usize, u32>)| {
        let has_inner = |outer: &usize| all.keys().any(|it| is_around(*outer, *it, &first));
        let inner = all.iter().filter(|(at, _)| !has_inner(at)).map(|(at, n)| (*at, *n));
        Some((*own, most(&inner.collect()).or_else(|| most(all))?))
    };
    let mut containers: BTreeMap<usize, usize> = said.iter().filter_map(innermost).collect();
    // What would contain itself is in the root.
    for own in said.keys() {
        if is_around(*own, *own, &containers) {
            containers.remove(own);
        }
    }
    containers
}

/// Whether a thing contains another, at any depth.
fn is_around(outer: usize, inner: usize, containers: &BTreeMap<usize, usize>) -> bool {
    let above = std::iter::successors(containers.get(&inner), |at| containers.get(at));
    above.take(MAX_DEPTH).any(|at| *at == outer)
}

/// The roots of all groups, containers first; else in the order in which they were met.
fn by_depth(n: usize, groups: &mut Groups, containers: &BTreeMap<usize, usize>) -> Vec<usize> {
    let depth = |root: usize| {
        let above = std::iter::successors(containers.get(&root), |at| containers.get(at));
        above.take(MAX_DEPTH).count()
    };
    let roots: BTreeSet<usize> = (0..n).map(|mention| groups.root(mention)).collect();
    let mut order: Vec<(usize, usize)> =
        roots.into_iter().map(|root| (depth(root), root)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, root)| root).collect()
}

/// All mentions of one thing.
struct Draft<'a> {
    mentions: &'a [Mention],
    members: &'a [usize],
    rules: &'a ThingRules,
}

impl<'a> Draft<'a> {
    fn members(&self) -> impl Iterator<Item = &'a Mention> {
        self.members.iter().map(|member| &self.mentions[*member])
    }

    fn thing(&self) -> Thing {
        let name = self.name();
        let names: BTreeSet<&str> = self.members().map(|it| it.name.as_str()).collect();
        Thing {
            class: self.members().next().map_or_else(String::new, |it| it.class.clone()),
            aliases: names
                .into_iter()
                .filter(|it| *it != name && !it.is_empty())
                .map(str::to_owned)
                .collect(),
            name,
            urls: self.urls(),
            values: self.values(),
            places: distinct(self.members().map(|it| &it.place)),
            confidence: self.members().map(|it| it.confidence).fold(0.0, f64::max),
            ..Thing::default()
        }
    }

    /// What its own page calls it, else what most do.
    fn name(&self) -> String {
        let mut names: BTreeMap<&str, (bool, u32)> = BTreeMap::new();
        for mention in self.members().filter(|it| !it.name.is_empty()) {
            let known = names.entry(&mention.name).or_default();
            *known = (known.0 | mention.is_own, known.1 + 1);
        }
        let best = names.iter().max_by_key(|(name, worth)| (**worth, std::cmp::Reverse(**name)));
        best.map_or_else(String::new, |(name, _)| (*name).to_owned())
    }

    fn urls(&self) -> Vec<(String, Vec<Place>)> {
        // Its own page comes first.
        let all = self.members().filter(|it| it.is_own);
        let all = all.chain(self.members().filter(|it| !it.is_own));
        let mut places: InOrder<&str, Vec<&Place>> = InOrder::default();
        for mention in all {
            if let Some(url) = &mention.url {
                places.of(url.as_str()).push(&mention.place);
            }
        }
        places.into_iter().map(|(url, at)| (url.to_owned(), distinct(at.into_iter()))).collect()
    }

    /// All values; of an attribute that has one, what its own page says, else what most do, else what was met first.
    fn values(&self) -> Vec<(String, String, Vec<Place>)> {
        let mut said: InOrder<(&str, &str), (bool, Vec<&Place>)> = InOrder::default();
        for mention in self.members() {
            for (property, value, place) in &mention.values {
                let known = said.of((property, value));
                known.0 |= mention.is_own;
                known.1.push(place);
            }
        }
        let said: Vec<_> = said.into_iter().collect();
        let mut best: BTreeMap<&str, ((bool, usize), usize)> = BTreeMap::new();
        for (nth, ((property, _), (is_own, places))) in said.iter().enumerate() {
            let worth = (*is_own, places.len());
            let known = best.entry(property).or_insert((worth, nth));
            if worth > known.0 {
                *known = (worth, nth);
            }
        }
        let class = self.members().next().map_or("", |it| it.class.as_str());
        let is_single =
            |property: &str| self.rules.singles.contains(&(class.to_owned(), property.to_owned()));
        let kept = said.into_iter().enumerate().filter(|(nth, ((property, _), _))| {
            best.get(property).is_some_and(|(_, best)| best == nth) || !is_single(property)
        });
        kept.map(|(_, ((property, value), (_, places)))| {
            (property.to_owned(), value.to_owned(), distinct(places.into_iter()))
        })
        .collect()
    }

    fn relations(
        &self,
        mut number: impl FnMut(usize) -> usize,
    ) -> Vec<(String, usize, Vec<Place>)> {
        let mut all: InOrder<(&str, usize), Vec<&Place>> = InOrder::default();
        for mention in self.members() {
            for (property, target, place) in &mention.relations {
                all.of((property, number(*target))).push(place);
            }
        }
        let written = |((property, target), places): ((&str, usize), Vec<&Place>)| {
            (property.to_owned(), target, distinct(places.into_iter()))
        };
        all.into_iter().map(written).collect()
    }

    /// Everything that it was met in, with where.
    fn lists(&self, mut root: impl FnMut(usize) -> usize) -> BTreeMap<usize, Vec<Place>> {
        let mut lists: BTreeMap<usize, Vec<&Place>> = BTreeMap::new();
        for mention in self.members() {
            if let Some((within, _)) = mention.within {
                lists.entry(root(within)).or_default().push(&mention.place);
            }
        }
        lists.into_iter().map(|(list, at)| (list, distinct(at.into_iter()))).collect()
    }
}

/// What belongs to some keys, in the order in which these were met.
struct InOrder<K, V> {
    numbers: BTreeMap<K, usize>,
    all: Vec<(K, V)>,
}

impl<K, V> Default for InOrder<K, V> {
    fn default() -> InOrder<K, V> {
        InOrder { numbers: BTreeMap::new(), all: Vec::new() }
    }
}

impl<K: Ord + Copy, V: Default> InOrder<K, V> {
    fn of(&mut self, key: K) -> &mut V {
        let next = self.all.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.all.push((key, V::default()));
        }
        &mut self.all[number].1
    }

    fn into_iter(self) -> impl Iterator<Item = (K, V)> {
        self.all.into_iter()
    }
}

/// Each place once, in order. A large category is met on as many pages as it has products.
fn distinct<'p>(places: impl Iterator<Item = &'p Place>) -> Vec<Place> {
    let mut known: HashSet<&Place> = HashSet::new();
    places.filter(|place| known.insert(place)).cloned().collect()
}

#[cfg(test)]
mod tests;
