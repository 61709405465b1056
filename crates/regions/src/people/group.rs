//! Which candidates are people: by what stands at the same place of other records.
//!
//! What the places say is added to what the text itself says. So a name that no dictionary has is one among names, and `Summer Hall` is none
//! in a menu.

use super::candidate::Candidate;
use crate::config::Config;
use crate::place::{Asides, Places, Rates, log_odds, probability};
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
    let mut named = vec![0.0; leaves.len()];
    for candidate in candidates.iter() {
        named[candidate.leaf] = probability(candidate.text_odds);
    }
    let rates = Rates::of(places, &named, BASE_RATE);
    let threshold = log_odds(config.thresholds.names);
    let mut asides = Asides::default();
    let mut groups: Map<u64, usize> = Map::default();
    for candidate in candidates {
        let support = rates.support(candidate.leaf, named[candidate.leaf]);
        let aside = if asides.has(leaves, candidate.leaf) { ASIDE_ODDS } else { 0.0 };
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
