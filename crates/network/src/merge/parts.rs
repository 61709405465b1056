//! Objects that contain each other, from what was said of them.

use super::mention::{Evidence, Rules};
use super::name;
use super::subject::{About, Draft, MAX_DEPTH, Number, ROOT, folder};
use super::{Doubt, DoubtKind, Merged, PartObject};
use std::collections::{BTreeMap, BTreeSet};

/// The lists that an object stands in: pages, and which of their lists.
pub(super) type Lists = BTreeSet<(usize, usize)>;

/// The tree of containers, and what each page is about.
pub(super) struct Parts {
    pub(super) objects: Vec<PartObject>,
    /// By page: the number of an object.
    pub(super) subjects: Vec<usize>,
    /// By object: the lists that have it.
    pub(super) lists: Vec<Lists>,
    pub(super) doubts: Vec<Doubt>,
}

pub(super) fn finish(about: About, evidence: &Evidence, rules: &Rules) -> Parts {
    let About { drafts, subjects } = about;
    let mut doubts = Vec::new();
    let mut containers = choose_containers(&drafts, &mut doubts);
    open_rings(&mut containers);
    let order = by_depth(&containers);
    let mut place_of = vec![0; drafts.len()];
    order.iter().enumerate().for_each(|(at, number)| place_of[*number] = at);
    let object = |number: &Number| {
        let draft = &drafts[*number];
        let name = best_name(draft, rules);
        PartObject {
            class: draft.class.clone(),
            aliases: draft.names.keys().filter(|it| **it != name).cloned().collect(),
            name,
            url: draft.urls.first().cloned(),
            container: containers[*number].map(|it| place_of[it]),
            places: draft.places.clone(),
            confidence: draft.confidence,
        }
    };
    let objects = order.iter().map(object).collect();
    debug_assert_eq!(subjects.len(), evidence.pages.len());
    let lists = order.iter().map(|number| drafts[*number].lists.clone()).collect();
    Parts { objects, subjects: subjects.iter().map(|it| place_of[*it]).collect(), lists, doubts }
}

/// What most say; of equals, what the address says.
fn choose_containers(drafts: &[Draft], doubts: &mut Vec<Doubt>) -> Vec<Option<Number>> {
    let choose = |number: Number| {
        if number == ROOT {
            return None;
        }
        let draft = &drafts[number];
        let is_below = |container: Number| {
            let folders = drafts[container].urls.iter().map(|it| folder(it));
            let own = draft.urls.iter();
            container != ROOT
                && folders.into_iter().any(|it| own.clone().any(|url| url.starts_with(&it)))
        };
        let worth = |(container, n): (&Number, &u32)| {
            let is_special = *container != ROOT;
            (is_below(*container), is_special, *n, std::cmp::Reverse(*container))
        };
        let best = draft.containers.iter().max_by_key(|it| worth(*it));
        Some(best.map_or(ROOT, |(container, _)| *container))
    };
    let chosen: Vec<Option<Number>> = (0..drafts.len()).map(choose).collect();
    for (draft, chosen) in drafts.iter().zip(&chosen) {
        let others = draft.containers.keys().filter(|it| **it != ROOT && Some(**it) != *chosen);
        for other in others {
            let (one, other) = (draft.first_name.clone(), drafts[*other].first_name.clone());
            let reason = format!("{other:?} lists it too");
            doubts.push(Doubt {
                kind: DoubtKind::MaybeElsewhere,
                one,
                other: Some(other),
                reason,
                confidence: 0.6,
            });
        }
    }
    chosen
}

/// What would contain itself is put into the root.
fn open_rings(containers: &mut [Option<Number>]) {
    for start in 1..containers.len() {
        let mut at = start;
        for step in 0.. {
            match containers[at] {
                Some(above) if step < MAX_DEPTH => at = above,
                Some(_) => {
                    containers[start] = Some(ROOT);
                    break;
                }
                None => break,
            }
        }
    }
}

/// Containers before what they contain; else in the order in which they were met.
fn by_depth(containers: &[Option<Number>]) -> Vec<Number> {
    let depth = |mut at: Number| {
        let mut depth = 0;
        while let Some(above) = containers[at] {
            (at, depth) = (above, depth + 1);
        }
        depth
    };
    let mut order: Vec<(usize, Number)> = (0..containers.len()).map(|it| (depth(it), it)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}

/// The name that most places have; of equals the one that says most, as short forms are made of long ones.
fn best_name(draft: &Draft, rules: &Rules) -> String {
    let without_loose = |name: &str| {
        let full = name::words(name).join(" ");
        full == name::key(name, rules)
    };
    let worth = |(name, n): (&String, &u32)| {
        let is_first = **name == draft.first_name;
        (*n, !without_loose(name), is_first, std::cmp::Reverse(name.len()))
    };
    let best = draft.names.iter().max_by_key(|it| worth(*it));
    best.map_or_else(|| draft.first_name.clone(), |(name, _)| name.clone())
}

/// Where most of a list leads to someone, what does not may be something else; and where other lists lead to someone, so may all of
/// a list that hardly does.
pub(super) fn doubt_the_barren(
    merged: &mut Merged,
    lists: &[Lists],
    subjects: &[usize],
    rules: &Rules,
) {
    let read: BTreeSet<&usize> = subjects.iter().collect();
    let alive = alive(merged);
    if alive.len() < MANY {
        return;
    }
    let mut members: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
    for (number, lists) in lists.iter().enumerate() {
        for list in lists {
            let (n_alive, n) = members.entry(*list).or_default();
            *n_alive += usize::from(alive.contains(&number));
            *n += 1;
        }
    }
    let share = |list: &(usize, usize)| {
        members.get(list).map_or(0.0, |(n_alive, n)| *n_alive as f64 / *n as f64)
    };
    for number in (1..merged.parts.len()).filter(|it| !alive.contains(it)) {
        let best = lists[number].iter().map(share).fold(0.0, f64::max);
        let container = merged.parts[number].container.map(|it| &merged.parts[it]);
        let reason = match best {
            _ if container.is_some_and(|it| it.confidence <= BARREN) => {
                "so is what it is in".to_owned()
            }
            _ if best >= rules.most => {
                format!("{:.0} % of its list lead to someone, and it does not", best * 100.0)
            }
            _ if best < rules.few => "its list leads to nobody, and others do".to_owned(),
            _ if merged.parts[number].confidence < SURE => "its name says little".to_owned(),
            _ if !read.contains(&number) => "no page of its own was read".to_owned(),
            _ => continue,
        };
        let part = &mut merged.parts[number];
        part.confidence = part.confidence.min(BARREN);
        let one = part.name.clone();
        let confidence = BARREN;
        merged.doubts.push(Doubt {
            kind: DoubtKind::MaybeNone,
            one,
            other: None,
            reason,
            confidence,
        });
    }
}

/// Objects in which someone has a role, or in what they contain.
fn alive(merged: &Merged) -> BTreeSet<usize> {
    let mut alive: BTreeSet<usize> = merged.roles.iter().map(|role| role.part).collect();
    for number in (0..merged.parts.len()).rev() {
        if alive.contains(&number) {
            alive.extend(merged.parts[number].container);
        }
    }
    alive
}

/// So many objects with someone in them tell what is usual.
const MANY: usize = 5;
/// A name that says less than this is not enough by itself.
const SURE: f64 = 0.7;
/// How sure it is that something is of its class that leads to nobody, where its like do.
const BARREN: f64 = 0.4;
