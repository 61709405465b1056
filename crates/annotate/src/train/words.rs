//! What words are worth: how often each stands at each element, by site.

use super::Lesson;
use crate::feature::evidence::{Kind as WordKind, Weights, Word};
use crate::text::{Map, Set};
use std::collections::BTreeMap;

/// How often each word stands at each element, by site.
pub(crate) struct Tally {
    n_elements: usize,
    /// The share of spots at large that are of each element.
    pub(crate) base: Vec<f32>,
    /// By word: how many sites have it, and the sums over sites of the shares of its spots that are of each element.
    words: Map<Word, (f32, Vec<f32>)>,
    /// The same of each site alone.
    own: Vec<Map<Word, Vec<f32>>>,
    /// Words that were not counted, but told.
    heard: Set<Word>,
}

/// So much do spots at large weigh beside what is known of a word, in sites.
const PRIOR: f32 = 2.0;

/// What stands somewhere: how much it counts, what it is, and its words.
pub(crate) struct Seen<'a> {
    pub(crate) site: usize,
    pub(crate) weight: f32,
    /// 0, or the number of its element plus one.
    pub(crate) class: u8,
    pub(crate) words: &'a [(WordKind, Word)],
}

impl Tally {
    pub(super) fn of_spots(lessons: &[Lesson<'_>], n_elements: usize) -> Tally {
        let spots = lessons.iter().flat_map(|lesson| {
            let spots = lesson.classes.iter().zip(&lesson.words);
            spots.map(|(class, words)| Seen {
                site: lesson.site,
                weight: 1.0,
                class: *class,
                words,
            })
        });
        Tally::of(spots, n_elements)
    }

    pub(crate) fn of<'a>(all: impl Iterator<Item = Seen<'a>>, n_elements: usize) -> Tally {
        let mut base = vec![0.0; n_elements];
        let mut n_seen = 0.0;
        let mut own: Vec<Map<Word, Vec<f32>>> = Vec::new();
        for seen in all {
            if own.len() <= seen.site {
                own.resize_with(seen.site + 1, Map::default);
            }
            let site = &mut own[seen.site];
            let class = usize::from(seen.class);
            n_seen += seen.weight;
            if let Some(element) = class.checked_sub(1) {
                base[element] += seen.weight;
            }
            for (_, word) in seen.words {
                let counts = site.entry(*word).or_insert_with(|| vec![0.0; n_elements + 1]);
                counts[class] += seen.weight;
            }
        }
        for share in &mut base {
            *share = f32::max(*share, 0.5) / f32::max(n_seen, 1.0);
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
        Tally { n_elements, base, words, own, heard: Set::default() }
    }

    /// Hear that a word stands at an element, as if from a site of its own.
    pub(crate) fn hear(&mut self, word: Word, element: usize) {
        let none = || (0.0, vec![0.0; self.n_elements]);
        let (n_sites, sums) = self.words.entry(word).or_insert_with(none);
        *n_sites += 1.0;
        sums[element] += 1.0;
        self.heard.insert(word);
    }

    /// What words are worth, to a site that did not teach it itself.
    pub(crate) fn weights(
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
    pub(crate) fn named(
        &self,
        names: &Map<Word, (WordKind, String)>,
    ) -> BTreeMap<(WordKind, String), Vec<f32>> {
        let least = if self.own.len() > 30 { 2.5 } else { 0.5 };
        let mut named = BTreeMap::new();
        for (word, (n_sites, sums)) in &self.words {
            let is_kept = *n_sites > least || self.heard.contains(word);
            let Some(name) = names.get(word).filter(|_| is_kept) else { continue };
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

pub(crate) fn logit(share: f32) -> f32 {
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    (share / (1.0 - share)).ln()
}
