//! Which leaves are units: those of a set.

use super::Unit;
use super::name::{self, UnitReading};
use crate::config::Config;
use crate::dictionary::fold::{Folded, fold};
use crate::dictionary::{Dictionary, UnitKind};
use crate::place::{PathsWith, Places, Rates, block, log_odds, probability};
use crate::title::{self, Rank};
use page::{Leaf, LeafKind, Leaves, Page, PathId, Paths};
use std::collections::HashMap;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// A leaf that is a unit's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    leaf: usize,
    n_bytes: usize,
    score: f64,
    group: usize,
    /// Whether its name says what kind of unit it is.
    says_both: bool,
    kind: Option<UnitKind>,
}

/// The rate of units among the texts of any page.
const BASE_RATE: f64 = 0.06;
/// What menus and footers list is not what the page is about, though it may be of the site.
const ASIDE_ODDS: f64 = -2.5;

/// By what each leaf says and what the others at its place are.
pub(super) fn graded(page: &Page, leaves: &Leaves, config: &Config) -> Vec<Found> {
    let mut folded = Folded::default();
    let mut read = |leaf: Leaf<'_>| {
        let is_text = leaf.kind == LeafKind::Text;
        is_text.then(|| name::read(leaf.text, &mut folded, &config.dictionary)).flatten()
    };
    let readings: Vec<Option<UnitReading>> = leaves.iter().map(&mut read).collect();
    if !readings.iter().flatten().any(|it| it.odds > 0.0) {
        return Vec::new();
    }
    let places = Places::of(page, leaves);
    let probabilities: Vec<f64> =
        readings.iter().map(|it| it.map_or(0.0, |it| probability(it.odds))).collect();
    let rates = Rates::of(&places, &probabilities, BASE_RATE);
    let headings = heading_odds(leaves, &config.dictionary);
    let mut asides = PathsWith::asides();
    let mut groups: Map<PathId, usize> = Map::default();
    let mut found = Vec::new();
    for (leaf, reading) in readings.iter().enumerate() {
        let (Some(reading), Some(place)) = (reading, places.get(leaf)) else { continue };
        let support = config.thresholds.regularity * rates.support(leaf, probabilities[leaf]);
        let aside = if asides.has(leaves, leaves.get(leaf).path) { ASIDE_ODDS } else { 0.0 };
        let odds = reading.odds + support + headings[leaf] + aside;
        if odds > log_odds(config.thresholds.names) {
            let n_groups = groups.len();
            let group = *groups.entry(place.block_path).or_insert(n_groups);
            let score = probability(odds);
            found.push(Found {
                leaf,
                n_bytes: reading.n_bytes,
                score,
                group,
                says_both: reading.says_both,
                kind: reading.kind,
            });
        }
    }
    without_small_sets(found, config)
}

/// So many make a set where all say that they are units.
const FEW_UNITS: usize = 3;

/// Without what is in no set: more than a few in blocks of one kind, or few that all say that they are units.
fn without_small_sets(found: Vec<Found>, config: &Config) -> Vec<Found> {
    let mut sizes: Map<usize, (usize, usize)> = Map::default();
    for it in &found {
        let size = sizes.entry(it.group).or_default();
        *size = (size.0 + 1, size.1 + usize::from(it.says_both));
    }
    let is_large = |n_units: usize| n_units > config.thresholds.min_units;
    let is_set = |it: &Found| {
        let (n_units, n_both) = sizes[&it.group];
        is_large(n_units) || n_both >= FEW_UNITS && n_both == n_units
    };
    found.iter().filter(|it| is_set(it)).copied().collect()
}

/// For each leaf, what the nearest heading above it says for units below it.
fn heading_odds(leaves: &Leaves, dictionary: &Dictionary) -> Vec<f64> {
    let mut is_heading: Vec<Option<bool>> = Vec::new();
    let mut odds = 0.0;
    let of_leaf = |leaf: Leaf<'_>| {
        if is_heading.len() <= leaf.path.index() {
            is_heading.resize(leaf.path.index() + 1, None);
        }
        let known = &mut is_heading[leaf.path.index()];
        let is_heading = *known.get_or_insert_with(|| is_heading_path(leaves.paths(), leaf.path));
        if is_heading && leaf.kind == LeafKind::Text && leaf.text.len() < 120 {
            // Letters of an alphabet are headings that say nothing.
            odds = said_by_heading(leaf.text, dictionary).unwrap_or(odds);
        }
        odds
    };
    leaves.iter().map(of_leaf).collect()
}

/// Whether the last three tags of a path have a heading's.
fn is_heading_path(paths: &Paths, path: PathId) -> bool {
    let near = [path, paths.parent(path), paths.parent(paths.parent(path))];
    near.iter()
        .any(|path| matches!(paths.tag(*path), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "title"))
}

/// Words of headings above lists that are of fields of study too, and not of units.
const OTHER_LISTS: [&str; 26] = [
    "research",
    "interests",
    "interest",
    "areas",
    "area",
    "topics",
    "courses",
    "course",
    "publications",
    "projects",
    "degrees",
    "keywords",
    "skills",
    "expertise",
    "forschung",
    "recherche",
    "investigacion",
    "ricerca",
    "specializations",
    "specialization",
    "requirements",
    "news",
    "events",
    "journals",
    "subjects",
    "related",
];

fn said_by_heading(text: &str, dictionary: &Dictionary) -> Option<f64> {
    let folded = fold(text);
    if text.chars().filter(|letter| letter.is_alphabetic()).count() < 4 {
        return None;
    }
    let says_unit = (0..folded.len())
        .any(|word| dictionary.phrase(&folded, word).is_some_and(|(_, it)| it.unit.is_some()));
    let says_other = folded.words().any(|word| OTHER_LISTS.contains(&word));
    Some(match (says_unit, says_other) {
        (true, false) => 0.7,
        (false, true) => -1.5,
        _ => 0.0,
    })
}

/// By the paper's rule: leaves of one path that stand in line, more than a few, whose names the dictionary covers by a share. Every one
/// of them counts.
pub(super) fn by_share(page: &Page, leaves: &Leaves, config: &Config) -> Vec<Found> {
    let places = Places::of(page, leaves);
    let mut sets: Map<u64, Vec<usize>> = Map::default();
    for leaf in 0..leaves.len() {
        if let Some(place) = places.get(leaf) {
            sets.entry(place.finest()).or_default().push(leaf);
        }
    }
    let mut sets: Vec<Vec<usize>> =
        sets.into_values().filter(|set| set.len() > config.thresholds.min_units).collect();
    sets.sort_unstable();
    let mut folded = Folded::default();
    let mut found = Vec::new();
    let mut n_groups = 0;
    for set in sets {
        let mut read =
            |leaf: &usize| name::read(leaves.get(*leaf).text, &mut folded, &config.dictionary);
        let readings: Vec<Option<UnitReading>> = set.iter().map(&mut read).collect();
        let n_covered = readings.iter().flatten().filter(|it| it.is_covered).count();
        let score = n_covered as f64 / set.len() as f64;
        if score > config.thresholds.units {
            let member = |(leaf, reading): (usize, Option<UnitReading>)| Found {
                leaf,
                n_bytes: name::n_bytes(leaves.get(leaf).text),
                score,
                group: n_groups,
                says_both: false,
                kind: reading.and_then(|it| it.kind),
            };
            found.extend(set.into_iter().zip(readings).map(member));
            n_groups += 1;
        }
    }
    found.sort_by_key(|it| it.leaf);
    found
}

/// What a page says of a unit; `end` is the leaf where the next one starts.
pub(super) fn unit(
    page: &Page,
    leaves: &Leaves,
    found: &Found,
    end: usize,
    dictionary: &Dictionary,
) -> Unit {
    let leaf = leaves.get(found.leaf);
    let name = leaf.text.get(..found.n_bytes).unwrap_or(leaf.text);
    let beside = beside(page, leaves, leaf, end);
    let near = || beside.iter().find_map(|other| other.link.filter(|link| leads_on(link)));
    let is_people = |other: &&Leaf<'_>| other.link.is_some() && says_people(other.text, dictionary);
    Unit {
        name: name.to_owned(),
        url: leaf.link.filter(|link| !link.is_empty()).or_else(near).map(str::to_owned),
        people_url: beside.iter().find(is_people).and_then(|other| other.link).map(str::to_owned),
        kind: found.kind,
        leaf: found.leaf,
        node: leaf.node,
        span: leaf.span,
        score: found.score,
        group: found.group,
    }
}

impl Found {
    pub(super) fn leaf(&self) -> usize {
        self.leaf
    }
}

fn leads_on(link: &str) -> bool {
    let schemes = ["#", "mailto:", "javascript:", "tel:"];
    !link.is_empty() && !schemes.iter().any(|scheme| link.starts_with(scheme))
}

/// The leaves that follow a name in its block; if none of them is a link, those in up to two elements around that.
fn beside<'l>(page: &Page, leaves: &'l Leaves, leaf: Leaf<'_>, end: usize) -> Vec<Leaf<'l>> {
    const MAX_LEAVES: usize = 24;
    const MAX_DEPTH: usize = 8;
    let Some(block) = block(page, leaf.element) else { return Vec::new() };
    let after = leaf.position + 1
        ..(leaf.position + 1 + MAX_LEAVES).min(leaves.len()).min(end.max(leaf.position + 1));
    let mut near = Vec::new();
    for around in std::iter::once(block).chain(page.ancestors(block)).take(3) {
        let is_inside = |other: &Leaf<'_>| {
            let mut above =
                std::iter::once(other.element).chain(page.ancestors(other.element)).take(MAX_DEPTH);
            above.any(|node| node == around)
        };
        near = after.clone().map(|position| leaves.get(position)).take_while(is_inside).collect();
        if near.iter().any(|other: &Leaf<'_>| other.link.is_some_and(leads_on)) {
            break;
        }
    }
    near
}

/// Whether a link says that it leads to people: `Faculty`, `Staff`, `Our people`.
fn says_people(text: &str, dictionary: &Dictionary) -> bool {
    let reading = title::read(&fold(text), dictionary);
    reading.is_some_and(|it| {
        it.share >= 0.5
            && matches!(
                it.rank,
                Rank::Member | Rank::Professor | Rank::Staff | Rank::Lecturer | Rank::Researcher
            )
    })
}
