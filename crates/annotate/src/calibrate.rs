//! Probabilities that mean what they say.
//!
//! A Bayes network adds up the logarithms of the odds that its features give. Features that say the same twice are then
//! counted twice, and the sum is far too sure. So each feature has a weight, found by logistic regression over what the features
//! say about the training rows: with all weights 1 the network is as it was counted. The less is known, the nearer weights stay to
//! one common weight.

use serde::{Deserialize, Serialize};

/// What each feature's word counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Calibration {
    pub(crate) offset: f32,
    pub(crate) weights: Vec<f32>,
}

/// Rows to fit to: what each feature said, and whether it was right.
pub(crate) struct Evidence {
    pub(crate) n_features: usize,
    /// Row by row, the prior first.
    pub(crate) odds: Vec<f32>,
    pub(crate) is_it: Vec<bool>,
    pub(crate) weights: Vec<f32>,
}

/// Where weights are drawn to: features overlap, so each says less than it seems.
const COMMON: f64 = 0.4;
/// How strongly they are drawn there, in rows of the rarer class.
const PULL: f64 = 3.0;
const N_STEPS: usize = 12;
const N_HALVES: i32 = 8;
/// Times that features are left out.
const MAX_ROUNDS: usize = 3;

impl Calibration {
    /// Weights for these rows. A feature whose weight would be negative only corrects others; it gets none.
    pub(crate) fn fit(rows: &mut Evidence) -> Calibration {
        for _ in 0..MAX_ROUNDS {
            let fitted = Calibration::fit_once(rows);
            let negative: Vec<usize> =
                (0..rows.n_features).filter(|it| fitted.weights[*it] < 0.0).collect();
            if negative.is_empty() {
                return fitted;
            }
            for row in rows.odds.chunks_mut(rows.n_features + 1) {
                negative.iter().for_each(|it| row[it + 1] = 0.0);
            }
        }
        let mut fitted = Calibration::fit_once(rows);
        fitted.weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
        fitted
    }

    fn fit_once(rows: &Evidence) -> Calibration {
        let n = rows.n_features + 1;
        let mut beta = vec![COMMON; n];
        beta[0] = 0.0;
        let mut worth = worth(rows, &beta, n);
        for _ in 0..N_STEPS {
            let (gradient, hessian) = slope(rows, &beta, n);
            let Some(step) = solve(hessian, gradient) else { break };
            // A whole step, or as much of it as does not overshoot.
            let tried = (0..N_HALVES).find_map(|half| {
                let scale = 0.5f64.powi(half);
                let next: Vec<f64> = beta.iter().zip(&step).map(|(b, s)| b + scale * s).collect();
                let next_worth = self::worth(rows, &next, n);
                (next_worth > worth).then_some((next, next_worth))
            });
            let Some((next, next_worth)) = tried else { break };
            let gain = next_worth - worth;
            (beta, worth) = (next, next_worth);
            if gain < 1e-3 {
                break;
            }
        }
        let round = |value: &f64| (value * 1e4).round() as f32 / 1e4;
        Calibration { offset: round(&beta[0]), weights: beta[1..].iter().map(round).collect() }
    }

    /// The logarithm of the odds by all features together.
    pub(crate) fn odds(&self, prior: f32, odds: impl Iterator<Item = f32>) -> f32 {
        let sum: f32 = odds.zip(&self.weights).map(|(odds, weight)| odds * weight).sum();
        prior + self.offset + sum
    }
}

pub(crate) fn probability(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The logarithm of the likelihood of all rows, less the pull on weights.
fn worth(rows: &Evidence, beta: &[f64], n: usize) -> f64 {
    let mut worth = 0.0;
    for (row, (odds, is_it)) in rows.odds.chunks(n).zip(&rows.is_it).enumerate() {
        let inner: f64 = odds[1..].iter().zip(&beta[1..]).map(|(x, b)| f64::from(*x) * b).sum();
        let sum = f64::from(odds[0]) + beta[0] + inner;
        let sum = if *is_it { sum } else { -sum };
        // ln(1 / (1 + exp(-sum))), without overflow.
        let log = if sum > 0.0 { -(-sum).exp().ln_1p() } else { sum - sum.exp().ln_1p() };
        worth += f64::from(rows.weights[row]) * log;
    }
    let pulls = beta.iter().enumerate().map(|(i, b)| {
        let (pull, towards) = pull(i);
        pull * (b - towards) * (b - towards) / 2.0
    });
    worth - pulls.sum::<f64>()
}

/// How strongly a weight is drawn, and where to.
fn pull(i: usize) -> (f64, f64) {
    if i == 0 { (0.1, 0.0) } else { (PULL, COMMON) }
}

/// Gradient and negated second derivative of the penalised likelihood.
fn slope(rows: &Evidence, beta: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut gradient = vec![0.0; n];
    let mut hessian = vec![0.0; n * n];
    let mut x = vec![1.0; n];
    for (row, (odds, is_it)) in rows.odds.chunks(n).zip(&rows.is_it).enumerate() {
        let weight = f64::from(rows.weights[row]);
        for (to, from) in x[1..].iter_mut().zip(&odds[1..]) {
            *to = f64::from(*from);
        }
        let sum: f64 = f64::from(odds[0]) + x.iter().zip(beta).map(|(x, b)| x * b).sum::<f64>();
        let p = 1.0 / (1.0 + (-sum).exp());
        let error = weight * (f64::from(u8::from(*is_it)) - p);
        let curve = weight * p * (1.0 - p);
        for i in 0..n {
            gradient[i] += error * x[i];
            if curve > 1e-7 {
                let scaled = curve * x[i];
                for j in 0..=i {
                    hessian[i * n + j] += scaled * x[j];
                }
            }
        }
    }
    for i in 0..n {
        let (pull, towards) = pull(i);
        gradient[i] -= pull * (beta[i] - towards);
        hessian[i * n + i] += pull;
    }
    (gradient, hessian)
}

/// Solve a symmetric positive system, given by its lower half, by Cholesky's method.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - sum;
            if i == j {
                if rest <= 0.0 {
                    return None;
                }
                a[i * n + i] = rest.sqrt();
            } else {
                a[i * n + j] = rest / a[j * n + j];
            }
        }
    }
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        let x = solve(vec![4.0, 0.0, 2.0, 3.0], vec![10.0, 11.0]).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] - 3.0).abs() < 1e-9, "{x:?}");
        assert!(solve(vec![-1.0], vec![1.0]).is_none());
    }

    #[test]
    fn what_is_said_twice_counts_once() {
        let mut rows =
            Evidence { n_features: 2, odds: Vec::new(), is_it: Vec::new(), weights: Vec::new() };
        for n in 0..1000 {
            let is_it = n % 10 < 8;
            // Eight of ten are it; both features say so, each with the odds of four to one.
            rows.odds.extend([0.0, 4f32.ln(), 4f32.ln()]);
            rows.is_it.push(is_it);
            rows.weights.push(1.0);
        }
        let fitted = Calibration::fit(&mut rows);
        let odds = fitted.odds(0.0, [4f32.ln(), 4f32.ln()].into_iter());
        assert!((probability(odds) - 0.8).abs() < 0.01);
    }
}
