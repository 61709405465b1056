//! How much each kind of evidence is worth when one column of many is chosen.
//!
//! A conditional logit model: the right column's share among all columns of its site, each weighing by what speaks for it, is to
//! be large. Sites to learn from are few, so weights stay near what is worth believing before.

/// One choice: what each kind of evidence says of each column, and which columns are right.
pub(super) struct Case {
    pub(super) rows: Vec<Vec<f32>>,
    pub(super) is_it: Vec<bool>,
}

/// How strongly weights are drawn to those before, in choices. Found on sites of five kinds: with less, what is learnt from a
/// few sites does not hold on others.
const PULL: f32 = 50.0;
const N_STEPS: usize = 60;
/// The first step changes a weight by so much at most; later ones by ever less.
const STEP: f32 = 0.05;

/// The weights that make the right choices likely, none below zero.
pub(super) fn fit(cases: &[Case], before: &[f32]) -> Vec<f32> {
    let mut weights = before.to_vec();
    let mut squares = vec![1e-6f32; before.len()];
    for step in 0..N_STEPS {
        let mut gradient: Vec<f32> =
            weights.iter().zip(before).map(|(weight, before)| PULL * (before - weight)).collect();
        for case in cases {
            slope(case, &weights, &mut gradient);
        }
        let step = STEP / (1.0 + step as f32 / 10.0);
        for ((weight, gradient), square) in weights.iter_mut().zip(&gradient).zip(&mut squares) {
            *square = 0.9 * *square + 0.1 * gradient * gradient;
            *weight = (*weight + step * gradient / square.sqrt()).max(0.0);
        }
    }
    weights.iter().map(|weight| (weight * 1e3).round() / 1e3).collect()
}

/// Add how the likelihood of a case rises with each weight.
fn slope(case: &Case, weights: &[f32], gradient: &mut [f32]) {
    let score = |row: &Vec<f32>| row.iter().zip(weights).map(|(x, w)| x * w).sum();
    let scores: Vec<f32> = case.rows.iter().map(score).collect();
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let total: f32 = shares.iter().sum();
    let right: f32 = shares.iter().zip(&case.is_it).filter(|it| *it.1).map(|it| it.0).sum();
    for ((row, share), is_it) in case.rows.iter().zip(&shares).zip(&case.is_it) {
        let due = if *is_it { share / right.max(1e-20) } else { 0.0 };
        let gain = due - share / total;
        for (gradient, value) in gradient.iter_mut().zip(row) {
            *gradient += gain * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_the_right_one_gains_weight() {
        // The first kind of evidence is right every time, the second as often wrong as right.
        let case = |noise: f32| Case {
            rows: vec![vec![2.0, noise], vec![-2.0, -noise], vec![-2.0, 0.0]],
            is_it: vec![true, false, false],
        };
        let cases: Vec<Case> = (0..40).map(|n| case(if n % 2 == 0 { 2.0 } else { -2.0 })).collect();
        let weights = fit(&cases, &[0.2, 0.2]);
        assert!(weights[0] > 0.3 && weights[1] < 0.2, "{weights:?}");
        assert_eq!(fit(&[], &[0.2, 0.7]), [0.2, 0.7]);
    }
}
