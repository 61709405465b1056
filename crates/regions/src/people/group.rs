//! Which candidates are people: by what stands at the same place of other records.
//!
//! What the places say is added to what the text itself says. So a name that no dictionary has is one among names, and `Summer Hall` is none
//! in a menu.

use super::candidate::Candidate;
use crate::config::{Config, Rule};
use crate::place::{PathsWith, Place, Places, Rates, log_odds, probability};
use page::Leaves;
use std::collections::HashMap;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// The rate of names among the texts of any page.
const BASE_RATE: f64 = 0.12;
/// What speaks against a name in a menu or a footer: somebody else's news, or who made the page.
const ASIDE_ODDS: f64 = -2.0;

/// Judge all candidates.
pub(super) fn judge(
    leaves: &Leaves,
    places: &Places,
    candidates: &mut [Candidate],
    config: &Config,
) {
    match config.thresholds.rule {
        Rule::Graded => judge_each(leaves, places, candidates, config),
        Rule::Paper => judge_by_share(leaves, places, candidates, config),
    }
}

/// By the paper's rule: a set counts as a whole, if it has more than three names and these are most of it. Its records are the leaves
/// of one path that stand in line.
fn judge_by_share(leaves: &Leaves, places: &Places, candidates: &mut [Candidate], config: &Config) {
    const MIN_NAMES: usize = 4;
    let set = |leaf: usize| places.get(leaf).map(Place::finest).unwrap_or_default();
    let mut n_leaves: Map<u64, usize> = Map::default();
    for leaf in 0..leaves.len() {
        *n_leaves.entry(set(leaf)).or_default() += 1;
    }
    let mut n_names: Map<u64, usize> = Map::default();
    for candidate in candidates.iter().filter(|it| it.text_odds > 0.0) {
        *n_names.entry(set(candidate.leaf)).or_default() += 1;
    }
    for candidate in candidates.iter_mut().filter(|it| it.text_odds > 0.0) {
        let set = set(candidate.leaf);
        let share = n_names[&set] as f64 / n_leaves[&set].max(1) as f64;
        candidate.is_person = n_names[&set] >= MIN_NAMES && share > config.thresholds.people;
    }
}

/// Each by what it says and what the others at its place are.
fn judge_each(leaves: &Leaves, places: &Places, candidates: &mut [Candidate], config: &Config) {
    let mut named = vec![0.0; leaves.len()];
    for candidate in candidates.iter() {
        named[candidate.leaf] = probability(candidate.text_odds);
    }
    let rates = Rates::of(places, &named, BASE_RATE);
    let threshold = log_odds(config.thresholds.names);
    let mut asides = PathsWith::asides();
    let mut groups: Map<u64, usize> = Map::default();
    for candidate in candidates {
        let support = rates.support(candidate.leaf, named[candidate.leaf]);
        let aside =
            if asides.has(leaves, leaves.get(candidate.leaf).path) { ASIDE_ODDS } else { 0.0 };
        candidate.odds = candidate.text_odds + config.thresholds.regularity * support + aside;
        candidate.is_person = candidate.odds > threshold;
        if candidate.is_person
            && let Some(place) = places.get(candidate.leaf)
        {
            let n_groups = groups.len();
            candidate.group = *groups.entry(place.levels[1]).or_insert(n_groups);
        }
    }
}
