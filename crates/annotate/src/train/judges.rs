//! Fitting judges: from samples of spots to networks, with weights and thresholds.

use super::paths::KnownPaths;
use super::words::Tally;
use super::{Lesson, TrainConfig};
use crate::calibrate::{Calibration, Evidence};
use crate::context::Context;
use crate::feature::evidence::Evidence as Words;
use crate::feature::{Scale, Vectors};
use crate::interval::Intervals;
use crate::model::{Judge, Reading};
use crate::network::{Kind, Network, Rows};

/// A spot to learn from.
#[derive(Clone)]
pub(super) struct Sample<'v> {
    lesson: usize,
    site: usize,
    spot: usize,
    values: &'v [f32],
    class: u8,
    weight: f32,
    /// Bytes of its text.
    len: usize,
}

impl Sample<'_> {
    /// How much of prose it is.
    fn size(&self, by_length: bool) -> f32 {
        if by_length { (self.len as f32 / 60.0).clamp(0.5, 10.0) } else { 1.0 }
    }
}

/// The features of all spots of a lesson, by what other sites teach.
pub(super) fn values(lesson: &Lesson<'_>, tally: &Tally, paths: &KnownPaths) -> Vec<f32> {
    let words = lesson.words.iter().flatten().map(|it| it.1);
    let weights = tally.weights(Some(lesson.site), words);
    let stated = Words::new(&lesson.sheet, &[], false).stated();
    let stated = tally.weights(Some(lesson.site), stated.iter().copied()).best(stated.into_iter());
    let similarities = paths.similarities(lesson.sheet.leaves.paths(), lesson.site);
    let vectors = Vectors::new(&lesson.sheet, stated, similarities);
    let mut values = Vec::new();
    for (spot, words) in lesson.sheet.spots.iter().zip(&lesson.words) {
        vectors.push(spot, |said| weights.hear(words, said), &mut values);
    }
    values
}

/// All labelled spots, and some of the others: there are many, and most are alike.
pub(super) fn samples<'v>(
    lessons: &[Lesson<'_>],
    sheets: &'v [Vec<f32>],
    config: &TrainConfig,
) -> Vec<Sample<'v>> {
    let mut samples = Vec::new();
    for (number, lesson) in lessons.iter().enumerate() {
        let spots = &lesson.sheet.spots;
        let width = sheets[number].len() / spots.len().max(1);
        // Statements stand nowhere: what is known of them is who makes them.
        let stands = |nth: &usize| !spots[*nth].leaves.is_empty();
        let all: Vec<usize> = (0..spots.len()).filter(stands).collect();
        let n_others = all.iter().filter(|nth| lesson.classes[**nth] == 0).count();
        let step = (n_others as f32 / config.n_others as f32).max(1.0);
        let (mut seen, mut next) = (0.0, 0.0);
        for nth in all {
            let class = lesson.classes[nth];
            let mut weight = 1.0;
            if class == 0 {
                seen += 1.0;
                if seen <= next {
                    continue;
                }
                next += step;
                weight = step;
            }
            let values = &sheets[number][nth * width..(nth + 1) * width];
            let len = lesson.sheet.text(&spots[nth]).len();
            samples.push(Sample {
                lesson: number,
                site: lesson.site,
                spot: nth,
                values,
                class,
                weight,
                len,
            });
        }
    }
    samples
}

pub(super) fn judges(
    features: &[Vec<(usize, Scale)>],
    samples: &[Sample<'_>],
    config: &TrainConfig,
) -> Vec<Judge> {
    let judge = |(element, features): (usize, &Vec<(usize, Scale)>)| {
        judge(features, element, samples, config)
    };
    features.iter().enumerate().map(judge).collect()
}

/// So many parts are sites cut into, each to be judged by what the others taught.
const N_PARTS: usize = 3;

/// Judges of what the first look makes of pages it did not learn from, for elements that are prose: others are not looked at again.
pub(super) fn second_look(
    lessons: &[Lesson<'_>],
    sheets: &[Vec<f32>],
    features: &[Vec<(usize, Scale)>],
    samples: &[Sample<'_>],
    is_prose: &[bool],
    config: &TrainConfig,
) -> Vec<Option<Judge>> {
    let n_elements = features.len();
    if !is_prose.contains(&true) {
        return vec![None; n_elements];
    }
    let mut odds: Vec<Vec<f32>> = vec![Vec::new(); lessons.len()];
    for part in 0..N_PARTS {
        let others: Vec<Sample<'_>> = samples
            .iter()
            .filter(|it| lessons[it.lesson].site % N_PARTS != part)
            .cloned()
            .collect();
        let judges = judges(features, &others, config);
        let mut codes = Vec::new();
        for (nth, lesson) in lessons.iter().enumerate().filter(|it| it.1.site % N_PARTS == part) {
            let width = sheets[nth].len() / lesson.sheet.spots.len().max(1);
            let spots = sheets[nth].chunks(width.max(1));
            odds[nth] = spots
                .flat_map(|values| {
                    judges.iter().map(|it| it.odds(values, &mut codes)).collect::<Vec<_>>()
                })
                .collect();
        }
    }
    let contexts: Vec<Context<'_, '_>> = lessons
        .iter()
        .zip(&odds)
        .map(|(lesson, odds)| Context::new(&lesson.sheet, odds, n_elements, |it| is_prose[it]))
        .collect();
    let scales: Vec<(usize, Scale)> =
        (0..Context::n_features(n_elements)).map(|it| (it, Scale::Numbers)).collect();
    let judge = |element: usize| {
        let mut values = Vec::new();
        for sample in samples {
            contexts[sample.lesson].of(sample.spot, element, &mut values);
        }
        let rows = values.chunks(scales.len()).zip(samples);
        let seconds: Vec<Sample<'_>> =
            rows.map(|(values, sample)| Sample { values, ..sample.clone() }).collect();
        judge(&scales, element, &seconds, config)
    };
    (0..n_elements).map(|element| is_prose[element].then(|| judge(element))).collect()
}

/// What tells one element from everything else.
fn judge(
    features: &[(usize, Scale)],
    element: usize,
    samples: &[Sample<'_>],
    config: &TrainConfig,
) -> Judge {
    let is_prose = is_long(element, samples);
    let by_length = is_prose && config.by_length;
    let is_it = |sample: &Sample<'_>| u8::from(usize::from(sample.class) == element + 1);
    let reading = |(feature, scale): &(usize, Scale)| match scale {
        Scale::Categories(n) => Reading::Categories(*n),
        Scale::Numbers => {
            let mut values: Vec<(f32, u8)> =
                samples.iter().map(|sample| (sample.values[*feature], is_it(sample))).collect();
            Reading::Numbers(Intervals::learn(&mut values, 2))
        }
    };
    let readings: Vec<(usize, Reading)> =
        features.iter().map(|it| (it.0, reading(it))).filter(|it| it.1.arity() > 1).collect();
    let mut rows = Rows::new(2, readings.iter().map(|it| it.1.arity()).collect());
    let codes = |sample: &Sample<'_>| -> Vec<u8> {
        readings.iter().map(|(feature, reading)| reading.of(sample.values[*feature])).collect()
    };
    let weights: Vec<f32> = samples.iter().map(|it| it.weight * it.size(by_length)).collect();
    for (sample, weight) in samples.iter().zip(&weights) {
        rows.push(codes(sample).into_iter(), is_it(sample), *weight);
    }
    let network = Network::fit(&rows, config.kind.unwrap_or_else(|| kind_for(samples)));
    let odds = unseen_odds(&network, &mut rows, samples, &weights, is_prose, &codes);
    let width = readings.len() + 1;
    // As many of each as weights need; more would only cost time.
    const MANY: f32 = 12_000.0;
    let counts = samples.iter().fold([0.0f32; 2], |mut counts, sample| {
        counts[usize::from(is_it(sample))] += 1.0;
        counts
    });
    let strides = counts.map(|count| (count / MANY).max(1.0));
    let (mut seen, mut next) = ([0.0; 2], [0.0; 2]);
    let mut evidence = Evidence {
        n_features: readings.len(),
        odds: Vec::new(),
        is_it: Vec::new(),
        weights: Vec::new(),
    };
    for (nth, sample) in samples.iter().enumerate() {
        let side = usize::from(is_it(sample));
        seen[side] += 1.0;
        if seen[side] <= next[side] {
            continue;
        }
        next[side] += strides[side];
        evidence.odds.extend(&odds[nth * width..(nth + 1) * width]);
        evidence.is_it.push(is_it(sample) == 1);
        evidence.weights.push(weights[nth] * strides[side]);
    }
    let calibration = Calibration::fit(&mut evidence);
    let mut judge = Judge { readings, network, calibration, threshold: 0.0 };
    if is_prose {
        let sums =
            odds.chunks(width).map(|it| judge.calibration.odds(it[0], it[1..].iter().copied()));
        judge.threshold = threshold(&sums.collect::<Vec<_>>(), element, samples, by_length);
    }
    judge
}

/// Which features depend on each other has to be learnt too; from few sites it is that of these sites only.
fn kind_for(samples: &[Sample<'_>]) -> Kind {
    const FEW_SITES: usize = 20;
    let mut sites: Vec<usize> = samples.iter().map(|it| it.site).collect();
    sites.sort_unstable();
    sites.dedup();
    if sites.len() < FEW_SITES { Kind::Naive } else { Kind::Tree }
}

/// What each feature says of each sample, prior first, as counted from the samples of other sites: what was counted from a row
/// itself speaks too well of it.
fn unseen_odds(
    network: &Network,
    rows: &mut Rows,
    samples: &[Sample<'_>],
    weights: &[f32],
    is_prose: bool,
    codes: &impl Fn(&Sample<'_>) -> Vec<u8>,
) -> Vec<f32> {
    let mut sites: Vec<usize> = samples.iter().map(|it| it.site).collect();
    sites.sort_unstable();
    sites.dedup();
    // Of many sites each has so little to say that a single value is judged better by all of them.
    let n_parts =
        if is_prose || sites.len() < MANY_SITES { sites.len().clamp(1, MAX_PARTS) } else { 1 };
    let part_of = |sample: &Sample<'_>| sites.binary_search(&sample.site).unwrap_or(0) % n_parts;
    let mut odds: Vec<Vec<f32>> = vec![Vec::new(); samples.len()];
    for part in 0..n_parts {
        let is_other = |it: &Sample<'_>| n_parts == 1 || part_of(it) != part;
        let others = samples
            .iter()
            .zip(weights)
            .map(|(it, weight)| if is_other(it) { *weight } else { 0.0 });
        rows.reweigh(others.collect());
        let taught = network.refit(rows);
        for (odds, sample) in odds.iter_mut().zip(samples).filter(|it| part_of(it.1) == part) {
            odds.push(taught.prior_odds());
            odds.extend(taught.odds(&codes(sample)));
        }
    }
    odds.concat()
}

/// Sites are cut into so many parts at most, each judged by what the others taught.
const MAX_PARTS: usize = 5;
const MANY_SITES: usize = 60;

/// Whether the texts of an element are long, in the mean.
pub(super) fn is_long(element: usize, samples: &[Sample<'_>]) -> bool {
    let lens = samples.iter().filter(|it| usize::from(it.class) == element + 1).map(|it| it.len);
    lens.clone().sum::<usize>() > LONG * lens.count().max(1)
}

/// A mean of so many bytes is that of prose.
const LONG: usize = 60;

/// The odds above which most of what is taken is right and most of what is right is taken: of the best mean of both.
fn threshold(odds: &[f32], element: usize, samples: &[Sample<'_>], by_length: bool) -> f32 {
    let mut scored: Vec<(f32, f32, bool)> = samples
        .iter()
        .zip(odds)
        .map(|(it, odds)| {
            let weight = it.weight * if by_length { it.len as f32 } else { 1.0 };
            (*odds, weight, usize::from(it.class) == element + 1)
        })
        .collect();
    scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let total: f32 = scored.iter().filter(|it| it.2).map(|it| it.1).sum();
    let (mut right, mut taken) = (0.0, 0.0);
    let (mut best, mut above, mut below) = (0.0, 0.0, 0.0);
    let mut is_open = false;
    for (odds, weight, is_it) in scored {
        if std::mem::take(&mut is_open) {
            below = odds;
        }
        taken += weight;
        right += if is_it { weight } else { 0.0 };
        let f1 = 2.0 * right / (taken + total);
        if f1 > best {
            (best, above, below, is_open) = (f1, odds, odds, true);
        }
    }
    // Between the last that is taken and the first that is not; and the fewer there were to tell, the nearer to even odds.
    let n = samples.iter().filter(|it| usize::from(it.class) == element + 1).count() as f32;
    (above + below) / 2.0 * n / (n + FEW)
}

/// So many parts of prose are few.
const FEW: f32 = 200.0;
