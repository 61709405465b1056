//! What words are worth: how often each stands at each element, by site.

use super::Lesson;
use crate::feature::evidence::{Kind as WordKind, Weights, Word};
use crate::text::Map;
use std::collections::BTreeMap;

/// How often each word stands at each element, by site.
pub(super) struct Tally {
    n_elements: usize,
    /// The share of spots at large that are of each element.
    pub(super) base: Vec<f32>,
    /// By word: how many sites have it, and the sums over sites of the shares of its spots that are of each element.
    words: Map<Word, (f32, Vec<f32>)>,
    /// The same of each site alone.
    own: Vec<Map<Word, Vec<f32>>>,
}

/// So much do spots at large weigh beside what is known of a word, in sites.
const PRIOR: f32 = 2.0;

impl Tally {
    pub(super) fn of(lessons: &[Lesson<'_>], n_elements: usize) -> Tally {
        let n_sites = lessons.iter().map(|lesson| lesson.site + 1).max().unwrap_or(0);
        let mut base = vec![0.0; n_elements];
        let mut n_spots = 0.0;
        let mut own: Vec<Map<Word, Vec<f32>>> = vec![Map::default(); n_sites];
        for lesson in lessons {
            let site = &mut own[lesson.site];
            for (class, words) in lesson.classes.iter().zip(&lesson.words) {
                n_spots += 1.0;
                if let Some(element) = usize::from(*class).checked_sub(1) {
                    base[element] += 1.0;
                }
                for (_, word) in words {
                    let counts = site.entry(*word).or_insert_with(|| vec![0.0; n_elements + 1]);
                    counts[usize::from(*class)] += 1.0;
                }
            }
        }
        for share in &mut base {
            *share = f32::max(*share, 0.5) / f32::max(n_spots, 1.0);
        }
        let mut words: Map<Word, (f32, Vec<f32>)> = Map::default();
        for site in &mut own {
            for (word, counts) in site {
                let n: f32 = counts.iter().sum();
                let shares: Vec<f32> = counts[1..].iter().map(|count| count / n).collect();
                let entry = words.entry(*word).or_insert_with(|| (0.0, vec![0.0; n_elements]));
                entry.0 += 1.0;
                for (sum, share) in entry.1.iter_mut().zip(&shares) {
                    *sum += share;
                }
                *counts = shares;
            }
        }
        Tally { n_elements, base, words, own }
    }

    /// What words are worth, to a site that did not teach it itself.
    pub(super) fn weights(
        &self,
        site: Option<usize>,
        words: impl Iterator<Item = Word>,
    ) -> Weights {
        let mut weights = Weights::new(self.n_elements);
        for word in words {
            let Some((n_sites, sums)) = self.words.get(&word) else { continue };
            let own = site.and_then(|site| self.own[site].get(&word));
            let n = n_sites - if own.is_some() { 1.0 } else { 0.0 };
            if n < 0.5 {
                continue;
            }
            let values: Vec<f32> = (0..self.n_elements)
                .map(|element| {
                    let sum = sums[element] - own.map_or(0.0, |own| own[element]);
                    worth(f32::max(sum, 0.0), n, self.base[element])
                })
                .collect();
            weights.insert(word, &values);
        }
        weights
    }

    /// The words worth keeping, by name.
    pub(super) fn named(
        &self,
        names: &Map<Word, (WordKind, String)>,
    ) -> BTreeMap<(WordKind, String), Vec<f32>> {
        let least = if self.own.len() > 30 { 2.5 } else { 0.5 };
        let mut named = BTreeMap::new();
        for (word, (n_sites, sums)) in &self.words {
            let Some(name) = names.get(word).filter(|_| *n_sites > least) else { continue };
            let values: Vec<f32> = sums
                .iter()
                .zip(&self.base)
                .map(|(sum, base)| worth(*sum, *n_sites, *base))
                .collect();
            // What says little is left out.
            if values.iter().any(|value| value.abs() > 0.7) {
                named.insert(
                    name.clone(),
                    values.iter().map(|it| (it * 100.0).round() / 100.0).collect(),
                );
            }
        }
        named
    }
}

/// How much likelier an element is at a word that so many sites have, whose shares of it are this sum, than anywhere.
fn worth(sum: f32, n_sites: f32, base: f32) -> f32 {
    logit((sum + PRIOR * base) / (n_sites + PRIOR)) - logit(base)
}

pub(super) fn logit(share: f32) -> f32 {
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    (share / (1.0 - share)).ln()
}
