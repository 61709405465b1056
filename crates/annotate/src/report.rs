//! How well a model does on sites that it has not seen: cross-validation.
//!
//! Sites are dealt into folds; the pages of each fold are annotated by a model of the others. A value is right if its letters and
//! digits are those of one that is known, or if both name the same day; of prose each word counts for itself.

use crate::day::{self, Day, Order};
use crate::labels::{Label, Labels, PROSE};
use crate::sheet::{Sheet, join};
use crate::target::Target;
use crate::text::{self, Introductions};
use crate::train::{Example, TrainConfig, train};
use page::Page;
use std::collections::BTreeMap;

/// How many values of one element were known, found and right; of prose, how many words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// On the pages.
    pub n_known: usize,
    /// By the model.
    pub n_found: usize,
    /// Of those found.
    pub n_right: usize,
    /// Of those known.
    pub n_recalled: usize,
}

impl Score {
    /// The share of what was found that is right; none if nothing was found.
    pub fn precision(&self) -> Option<f64> {
        (self.n_found > 0).then(|| self.n_right as f64 / self.n_found as f64)
    }

    /// The share of what is known that was found; none if nothing is known.
    pub fn recall(&self) -> Option<f64> {
        (self.n_known > 0).then(|| self.n_recalled as f64 / self.n_known as f64)
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> Option<f64> {
        let (precision, recall) = (self.precision()?, self.recall()?);
        let sum = precision + recall;
        Some(if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 })
    }

    fn add(&mut self, other: &Score) {
        self.n_known += other.n_known;
        self.n_found += other.n_found;
        self.n_right += other.n_right;
        self.n_recalled += other.n_recalled;
    }
}

/// Train and annotate so many times, each time without the pages of some sites, and give the score of each element.
pub fn cross_validate(
    target: &Target,
    examples: &[Example<'_>],
    config: &TrainConfig,
    n_folds: usize,
) -> Vec<Score> {
    cross_validate_by(target, examples, n_folds, |others, held| {
        let model = train(target, others, config);
        let values = |it: &&Example<'_>| model.annotate(it.page).into_texts().collect();
        held.iter().map(values).collect()
    })
}

/// The same by any way to learn from some examples and annotate the pages of others: `annotate` gives the values of each page held
/// back, with the numbers of their elements.
pub fn cross_validate_by<'p>(
    target: &Target,
    examples: &[Example<'p>],
    n_folds: usize,
    mut annotate: impl FnMut(&[Example<'p>], &[&Example<'p>]) -> Vec<Vec<(usize, String)>>,
) -> Vec<Score> {
    let folds = folds(examples, n_folds.max(2));
    let mut scores = vec![Score::default(); target.elements().len()];
    for fold in 0..n_folds.max(2) {
        let dealt = || examples.iter().zip(&folds);
        let held: Vec<&Example<'p>> = dealt().filter(|it| *it.1 == fold).map(|it| it.0).collect();
        let others = dealt().filter(|it| *it.1 != fold).map(|(it, _)| Example {
            page: it.page,
            site: it.site.clone(),
            labels: it.labels.clone(),
        });
        let others: Vec<Example<'p>> = others.collect();
        if held.is_empty() || others.is_empty() {
            continue;
        }
        for (example, found) in held.iter().zip(annotate(&others, &held)) {
            for (score, of_page) in scores.iter_mut().zip(score(target, example, &found)) {
                score.add(&of_page);
            }
        }
    }
    scores
}

/// The fold of each example: sites in the order of their names are dealt out; pages, where all are of one site.
fn folds(examples: &[Example<'_>], n_folds: usize) -> Vec<usize> {
    let mut names: Vec<&str> = examples.iter().map(|it| it.site.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 {
        return (0..examples.len()).map(|nth| nth % n_folds).collect();
    }
    let fold = |it: &Example<'_>| names.binary_search(&it.site.as_str()).unwrap_or(0) % n_folds;
    examples.iter().map(fold).collect()
}

fn score(target: &Target, example: &Example<'_>, found: &[(usize, String)]) -> Vec<Score> {
    let known = known_texts(target, example.page, &example.labels);
    let elements = target.elements().iter().enumerate();
    elements
        .map(|(nth, element)| {
            let values = found.iter().filter(|value| value.0 == nth);
            let found: Vec<&str> = values.map(|value| value.1.as_str()).collect();
            let repeats = element.cardinality.repeats();
            match repeats && known[nth].iter().any(|text| text.len() > PROSE) {
                true => by_words(&known[nth], &found),
                false => by_values(&known[nth], &found, repeats),
            }
        })
        .collect()
}

/// By element: the texts that labels name, neighbouring leaves of a block as one.
fn known_texts(target: &Target, page: &Page, labels: &Labels) -> Vec<Vec<String>> {
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); target.elements().len()];
    let mut leaves: Vec<(usize, usize)> = Vec::new();
    for label in labels.iter() {
        match label {
            Label::Value(element, text) => texts[*element].push(text.clone()),
            Label::Leaf(leaf, element) => leaves.push((*element, *leaf)),
        }
    }
    if leaves.is_empty() {
        return texts;
    }
    leaves.sort_unstable();
    leaves.dedup();
    let sheet = Sheet::new(page, &Introductions::default());
    let is_on = |a: &(usize, usize), b: &(usize, usize)| {
        let block = |leaf: usize| sheet.block_of.get(leaf);
        a.0 == b.0 && a.1 + 1 == b.1 && block(a.1) == block(b.1)
    };
    for run in leaves.chunk_by(is_on) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        if last.1 < sheet.leaves.len() {
            texts[first.0].push(match run.len() {
                1 => sheet.leaves.get(first.1).text.to_owned(),
                _ => join(&sheet.leaves, first.1..last.1 + 1),
            });
        }
    }
    texts
}

/// What a text is compared by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(String, Option<Day>);

impl Key {
    fn of(text: &str) -> Key {
        // A longer text that names a day is not that day.
        const MAX_DATE: usize = 40;
        let days = day::days(text, Order::MonthFirst);
        let day = days.first().map(|it| it.1).filter(|_| text.len() < MAX_DATE);
        Key(text::key(text), day)
    }

    fn is(&self, other: &Key) -> bool {
        self.0 == other.0 || self.1.is_some() && self.1 == other.1
    }
}

fn by_values(known: &[String], found: &[&str], repeats: bool) -> Score {
    let mut known: Vec<Key> = known.iter().map(|text| Key::of(text)).collect();
    known.sort_unstable();
    known.dedup_by(|a, b| a.is(b));
    let found: Vec<Key> = found.iter().map(|text| Key::of(text)).collect();
    let n_right = found.iter().filter(|it| known.iter().any(|known| known.is(it))).count();
    let n_recalled = known.iter().filter(|it| found.iter().any(|found| found.is(it))).count();
    let mut score = Score { n_known: known.len(), n_found: found.len(), n_right, n_recalled };
    if !repeats {
        // What is there once and known in several forms is found in any of them.
        score.n_known = score.n_known.min(1);
        score.n_recalled = score.n_recalled.min(1);
    }
    score
}

fn by_words(known: &[String], found: &[&str]) -> Score {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_known, mut n_found, mut n_right) = (0, 0, 0);
    for word in known.iter().flat_map(|text| text::words(text)) {
        *counts.entry(word.to_lowercase()).or_default() += 1;
        n_known += 1;
    }
    for word in found.iter().flat_map(|text| text::words(text)) {
        n_found += 1;
        if let Some(n) = counts.get_mut(&word.to_lowercase()).filter(|n| **n > 0) {
            *n -= 1;
            n_right += 1;
        }
    }
    Score { n_known, n_found, n_right, n_recalled: n_right }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(known: &[&str], found: &[&str], repeats: bool) -> (usize, usize, usize, usize) {
        let known: Vec<String> = known.iter().map(|it| (*it).to_owned()).collect();
        let Score { n_known, n_found, n_right, n_recalled } = by_values(&known, found, repeats);
        (n_known, n_found, n_right, n_recalled)
    }

    #[test]
    fn letters_digits_and_days_count() {
        assert_eq!(values(&["Ann Lee"], &["ann lee!"], false), (1, 1, 1, 1));
        assert_eq!(values(&["4 March 2024"], &["2024-03-04"], false), (1, 1, 1, 1));
        assert_eq!(values(&["Ann", "Bob"], &["Bob", "Eve"], true), (2, 2, 1, 1));
        assert_eq!(values(&["Dune", "DUNE: a novel"], &["Dune"], false), (1, 1, 1, 1));
        assert_eq!(values(&[], &["Dune"], false), (0, 1, 0, 0));
        assert_eq!(values(&["Dune"], &[], false), (1, 0, 0, 0));
    }

    #[test]
    fn of_prose_words_count() {
        let score = by_words(&["one two two three".to_owned()], &["Two", "two two four"]);
        assert_eq!((score.n_known, score.n_found, score.n_right), (4, 4, 2));
        assert_eq!(
            (score.precision(), score.recall(), score.f1()),
            (Some(0.5), Some(0.5), Some(0.5))
        );
    }

    #[test]
    fn sites_stay_together() {
        let page = page::parse(b"");
        let example =
            |site: &str| Example { page: &page, site: site.to_owned(), labels: Labels::default() };
        let examples = ["b", "a", "b", "c"].map(example);
        assert_eq!(folds(&examples, 2), [1, 0, 1, 0]);
        let examples = ["b", "b", "b"].map(example);
        assert_eq!(folds(&examples, 2), [0, 1, 0]);
    }
}
