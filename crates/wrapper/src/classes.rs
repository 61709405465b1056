//! Which children of all instances are of one kind.

use crate::induce::{Context, Forest};
use crate::twig::{Symbol, Twig, similarity};
use std::collections::BTreeMap;

/// The class of every child, by instance and position.
pub(crate) struct Classes {
    pub(crate) of: Vec<Vec<usize>>,
    pub(crate) n_classes: usize,
    /// By class, the label that picks it out.
    pub(crate) labels: Vec<Option<String>>,
}

impl Classes {
    /// By class, all its places, by instance and position.
    pub(crate) fn places(&self) -> Vec<Vec<At>> {
        let mut places = vec![Vec::new(); self.n_classes];
        for (instance, ids) in self.of.iter().enumerate() {
            for (position, id) in ids.iter().enumerate().filter(|(_, id)| **id != NONE) {
                places[*id].push((instance, position));
            }
        }
        places
    }
}

/// The class of children that are part of something else and looked at no more.
pub(crate) const NONE: usize = usize::MAX;

/// A child, by instance and position.
pub(crate) type At = (usize, usize);

/// Alike enough to be records of one set: the paper's threshold for siblings.
const SAME_KIND: f64 = 0.7;
/// Share of a smaller profile that a larger one must have for both to stay in one class.
const CONTAINED: f64 = 0.5;

#[derive(Debug)]
struct Group {
    tag: Symbol,
    class: Symbol,
    members: Vec<At>,
    profile: Vec<u32>,
    /// By instance that has one, how many.
    counts: BTreeMap<usize, usize>,
}

/// How many of some places in order are in each instance that has one.
pub(crate) fn counts(places: &[At]) -> Vec<(usize, usize)> {
    let mut counts: Vec<(usize, usize)> = Vec::with_capacity(places.len());
    for (instance, _) in places {
        match counts.last_mut().filter(|(last, _)| last == instance) {
            Some((_, n)) => *n += 1,
            None => counts.push((*instance, 1)),
        }
    }
    counts
}

/// The most that one instance has.
pub(crate) fn most(counts: &[(usize, usize)]) -> usize {
    counts.iter().map(|(_, n)| *n).max().unwrap_or_default()
}

impl Group {
    fn max_per_instance(&self) -> usize {
        self.counts.values().copied().max().unwrap_or_default()
    }

    /// How many instances both have something in.
    fn n_common(&self, other: &Group) -> usize {
        let (few, many) = match self.counts.len() < other.counts.len() {
            true => (&self.counts, &other.counts),
            false => (&other.counts, &self.counts),
        };
        few.keys().filter(|instance| many.contains_key(instance)).count()
    }

    /// Take over the members of another group; the profile stays.
    fn join(&mut self, other: Group) {
        self.members.extend(other.members);
        for (instance, n) in other.counts {
            *self.counts.entry(instance).or_default() += n;
        }
    }
}

pub(crate) fn classify(context: &Context<'_>, instances: &[Forest]) -> Classes {
    let groups = merge(context, instances, groups(context, instances));
    let groups = split(context, instances, groups);
    let mut classes = assign(instances, &groups);
    crate::label::apply(context, instances, &mut classes);
    classes
}

fn groups(context: &Context<'_>, instances: &[Forest]) -> Vec<Vec<At>> {
    let mut groups: BTreeMap<(Symbol, Symbol), Vec<At>> = BTreeMap::new();
    for (index, instance) in instances.iter().enumerate() {
        for (position, id) in instance.twigs.iter().enumerate() {
            let twig = context.boughs[instance.page].twig(*id);
            groups.entry((twig.tag, twig.class)).or_default().push((index, position));
        }
    }
    pool_rare(groups, instances.len())
}

/// So many cells, instances times classes, are looked at; it bounds memory.
const MAX_CELLS: usize = 2_000_000;
/// So many classes of one tag, each of which comes once, are no classes but names of single things.
const MANY_SINGLE: usize = 32;

/// Join the members of classes that are too rare to mean something, by tag: names made for one element only.
fn pool_rare(groups: BTreeMap<(Symbol, Symbol), Vec<At>>, n_instances: usize) -> Vec<Vec<At>> {
    let mut n_single: BTreeMap<Symbol, usize> = BTreeMap::new();
    for ((tag, _), members) in &groups {
        *n_single.entry(*tag).or_default() += usize::from(members.len() == 1);
    }
    let max_classes = (MAX_CELLS / n_instances.max(1)).max(1);
    let mut rare = 0;
    let n_kept = |rare: usize| groups.values().filter(|members| members.len() > rare).count();
    while n_kept(rare) > max_classes {
        rare = (rare * 2).max(1);
    }
    let is_rare = |tag: Symbol, members: &[At]| {
        members.len() <= rare || members.len() == 1 && n_single[&tag] >= MANY_SINGLE
    };
    let mut kept = Vec::new();
    let mut pools: BTreeMap<Symbol, Vec<At>> = BTreeMap::new();
    for ((tag, _), members) in groups {
        match is_rare(tag, &members) {
            true => pools.entry(tag).or_default().extend(members),
            false => kept.push(members),
        }
    }
    for mut pool in pools.into_values() {
        pool.sort_unstable();
        kept.push(pool);
    }
    kept
}

/// Of members in order.
fn describe(context: &Context<'_>, instances: &[Forest], members: Vec<At>) -> Group {
    let first = twig_at(context, instances, members[0]);
    Group {
        tag: first.tag,
        class: first.class,
        profile: common_profile(context, instances, &members),
        counts: counts(&members).into_iter().collect(),
        members,
    }
}

/// The paths that at least half of some twigs have.
pub(crate) fn common_profile(
    context: &Context<'_>,
    instances: &[Forest],
    members: &[At],
) -> Vec<u32> {
    let mut n_by_path: BTreeMap<u32, usize> = BTreeMap::new();
    let mut count = |profile: &[u32], n: usize| {
        for path in profile {
            *n_by_path.entry(*path).or_default() += n;
        }
    };
    // Most are like the one before.
    let (mut last, mut n_last): (&[u32], usize) = (&[], 0);
    for at in members {
        let profile = profile_at(context, instances, *at);
        if profile != last {
            count(last, n_last);
            (last, n_last) = (profile, 0);
        }
        n_last += 1;
    }
    count(last, n_last);
    let is_common = |(_, n): &(u32, usize)| n * 2 >= members.len();
    n_by_path.into_iter().filter(is_common).map(|(path, _)| path).collect()
}

/// Join groups of one tag whose classes differ without meaning.
fn merge(context: &Context<'_>, instances: &[Forest], groups: Vec<Vec<At>>) -> Vec<Vec<At>> {
    let mut groups: Vec<Group> =
        groups.into_iter().map(|members| describe(context, instances, members)).collect();
    // Large groups first: the rest is measured by them.
    groups.sort_by_key(|group| (std::cmp::Reverse(group.members.len()), group.tag, group.class));
    let mut merged: Vec<Group> = Vec::new();
    for group in groups {
        let found = merged.iter().take(MAX_COMPARED).position(|other| {
            other.tag == group.tag && are_one(context, instances.len(), other, &group)
        });
        match found {
            Some(index) if merged[index].members.len() < MAX_DESCRIBED => {
                let known = &mut merged[index];
                let mut members = std::mem::take(&mut known.members);
                members.extend(group.members);
                members.sort_unstable();
                let (tag, class) = (known.tag, known.class);
                *known = Group { tag, class, ..describe(context, instances, members) };
            }
            Some(index) => merged[index].join(group),
            None => merged.push(group),
        }
    }
    for group in &mut merged {
        group.members.sort_unstable();
    }
    merged.into_iter().map(|group| group.members).collect()
}

/// Up to this size a group is described anew when another joins it.
const MAX_DESCRIBED: usize = 2000;
/// A place with more kinds of children than this is no template's: the rest is compared with the largest only.
const MAX_COMPARED: usize = 100;

/// One tag and class is not used for more kinds of things than this.
const MAX_CLUSTERS: usize = 32;

/// Whether two groups of one tag are one kind after all.
fn are_one(context: &Context<'_>, n_instances: usize, left: &Group, right: &Group) -> bool {
    let alike = similarity(&left.profile, &right.profile);
    let n_both = left.n_common(right);
    let is_role = |group: &Group| {
        group.max_per_instance() == 1 && group.counts.len() * 2 >= n_instances && n_instances > 1
    };
    let (left_words, right_words) = (words(context, left.class), words(context, right.class));
    let shares_word = left_words.iter().any(|word| right_words.contains(word))
        || left_words.is_empty()
        || right_words.is_empty();
    if n_both == 0 {
        return alike >= 0.3 && shares_word || alike >= SAME_KIND && left.profile.len() > 2;
    }
    if is_role(left) && is_role(right) {
        return false;
    }
    let is_repeated = left.max_per_instance() > 1 || right.max_per_instance() > 1;
    let has_structure = left.profile.len() > 2;
    if is_repeated {
        return alike > SAME_KIND && (shares_word || has_structure)
            || alike > 0.5 && shares_word && has_structure;
    }
    // Classes of their own for each: not roles, if the structure is more than a text.
    has_structure
        && !is_role(left)
        && !is_role(right)
        && (alike > SAME_KIND || alike > 0.5 && shares_word)
}

fn words<'a>(context: &Context<'a>, class: Symbol) -> Vec<&'a str> {
    context.symbols.name(class).split(' ').filter(|word| !word.is_empty()).collect()
}

/// Part what has one tag and class but is of different kinds, such as the heading row of a table and its other rows.
fn split(context: &Context<'_>, instances: &[Forest], groups: Vec<Vec<At>>) -> Vec<Vec<At>> {
    let mut parts = Vec::new();
    for members in groups {
        if most(&counts(&members)) < 2 {
            parts.push(members);
            continue;
        }
        for part in cluster(context, instances, &members) {
            parts.extend(by_period(context, instances, part));
        }
    }
    parts
}

/// Part siblings of one class that take turns: a line with the date, a line with the title, and so on.
fn by_period(context: &Context<'_>, instances: &[Forest], members: Vec<At>) -> Vec<Vec<At>> {
    const MAX_PERIOD: usize = 4;
    let profile = |at: &At| {
        let twig = twig_at(context, instances, *at);
        let first = context.boughs[instances[at.0].page].leaf(twig.leaves.start);
        let is_word = first.text.chars().any(char::is_alphanumeric);
        let profile = profile_at(context, instances, *at);
        crate::twig::hash(&(profile, first.data_type(), is_word, first.link.is_some()))
    };
    let kinds: Vec<u64> = members.iter().map(profile).collect();
    let is_same_instance = |i: usize, j: usize| members[i].0 == members[j].0;
    for period in 2..=MAX_PERIOD {
        if members.len() < 3 * period {
            break;
        }
        let pairs = (0..members.len() - period).filter(|i| is_same_instance(*i, i + period));
        let (mut n_pairs, mut n_equal) = (0, 0);
        for i in pairs {
            n_pairs += 1;
            n_equal += usize::from(kinds[i] == kinds[i + period]);
        }
        let neighbours = (0..members.len() - 1).filter(|i| is_same_instance(*i, i + 1));
        let (mut n_neighbours, mut n_alike) = (0, 0);
        for i in neighbours {
            n_neighbours += 1;
            n_alike += usize::from(kinds[i] == kinds[i + 1]);
        }
        if n_pairs >= 2 * period && n_equal * 10 >= n_pairs * 8 && n_alike * 10 <= n_neighbours * 3
        {
            let mut parts: BTreeMap<u64, Vec<At>> = BTreeMap::new();
            for (at, kind) in members.iter().zip(&kinds) {
                parts.entry(*kind).or_default().push(*at);
            }
            return parts.into_values().collect();
        }
    }
    vec![members]
}

fn cluster(context: &Context<'_>, instances: &[Forest], members: &[At]) -> Vec<Vec<At>> {
    // Equal profiles are common: each different one is looked at once.
    let mut by_profile: BTreeMap<&[u32], Vec<At>> = BTreeMap::new();
    for at in members {
        by_profile.entry(profile_at(context, instances, *at)).or_default().push(*at);
    }
    let mut profiles: Vec<(&[u32], Vec<At>)> = by_profile.into_iter().collect();
    profiles.sort_by_key(|(profile, members)| {
        (std::cmp::Reverse(members.len() * profile.len()), *profile)
    });
    let mut clusters: Vec<(&[u32], Vec<At>)> = Vec::new();
    for (profile, members) in profiles {
        let found = clusters.iter().position(|(leader, _)| contained(leader, profile) >= CONTAINED);
        match found {
            Some(index) => clusters[index].1.extend(members),
            None if clusters.len() < MAX_CLUSTERS => clusters.push((profile, members)),
            // Siblings of which each is built differently are nothing more than siblings.
            None => clusters[MAX_CLUSTERS - 1].1.extend(members),
        }
    }
    clusters
        .into_iter()
        .map(|(_, mut members)| {
            members.sort_unstable();
            members
        })
        .collect()
}

/// The share of the smaller set that the larger one has.
fn contained(left: &[u32], right: &[u32]) -> f64 {
    let smaller = left.len().min(right.len());
    if smaller == 0 {
        return 1.0;
    }
    let common = right.iter().filter(|path| left.binary_search(path).is_ok()).count();
    common as f64 / smaller as f64
}

fn assign(instances: &[Forest], groups: &[Vec<At>]) -> Classes {
    let mut of: Vec<Vec<usize>> =
        instances.iter().map(|instance| vec![0; instance.twigs.len()]).collect();
    for (class, members) in groups.iter().enumerate() {
        for (instance, position) in members {
            of[*instance][*position] = class;
        }
    }
    Classes { of, n_classes: groups.len(), labels: vec![None; groups.len()] }
}

pub(crate) fn twig_at<'a>(context: &Context<'a>, instances: &[Forest], at: At) -> &'a Twig {
    let instance = &instances[at.0];
    context.boughs[instance.page].twig(instance.twigs[at.1])
}

/// The profile of a child.
pub(crate) fn profile_at<'a>(context: &Context<'a>, instances: &[Forest], at: At) -> &'a [u32] {
    context.boughs[instances[at.0].page].profile(twig_at(context, instances, at))
}
