//! Logistic regression with weights that are drawn to what was known before.

/// A block to learn from.
pub(super) struct Row {
    /// The first is 1.
    pub(super) values: Vec<f64>,
    pub(super) is_it: bool,
    pub(super) weight: f64,
}

/// More steps are never needed.
const N_STEPS: usize = 40;
/// Where steps are shorter, it is there.
const NEAR: f64 = 1e-6;
/// No step is longer: far from the best weights, the slope's own slope tells little.
const LONGEST_STEP: f64 = 2.0;
/// How the first weight is drawn, so that there is an answer where nothing is known.
const FREE: f64 = 1e-6;
/// Odds beyond are certain.
const CERTAIN: f64 = 30.0;

/// The weights that make these rows likely and are near those before. The first one is free: how much of a page is prose is
/// for its own pages to say.
///
/// By Newton's method: features overlap, and along what they have in common other methods take hundreds of steps.
pub(super) fn fit(rows: &[Row], before: &[f64], pull: f64) -> Vec<f64> {
    let mut weights = before.to_vec();
    for _ in 0..N_STEPS {
        let (slopes, curves) = slopes(rows, &weights, before, pull);
        let step = solve(curves, slopes);
        let len = step.iter().map(|it| it * it).sum::<f64>().sqrt();
        let scale = (LONGEST_STEP / len.max(NEAR)).min(1.0);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += scale * step);
        if len < NEAR {
            break;
        }
    }
    weights
}

/// How the likelihood rises with each weight, and how fast that falls with each pair of weights, as the rows of a square.
fn slopes(rows: &[Row], weights: &[f64], before: &[f64], pull: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = weights.len();
    let pull = |nth: usize| if nth == 0 { FREE } else { pull };
    let mut slopes: Vec<f64> = (0..n).map(|nth| pull(nth) * (before[nth] - weights[nth])).collect();
    let mut curves = vec![vec![0.0; n]; n];
    for row in rows {
        let odds: f64 = row.values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let share = 1.0 / (1.0 + (-odds.clamp(-CERTAIN, CERTAIN)).exp());
        let missing = row.weight * (f64::from(u8::from(row.is_it)) - share);
        let doubt = row.weight * share * (1.0 - share);
        for (nth, value) in row.values.iter().enumerate() {
            slopes[nth] += missing * value;
            // The other half is the same.
            let own = doubt * value;
            let others = curves[nth][..=nth].iter_mut().zip(&row.values);
            others.for_each(|(curve, other)| *curve += own * other);
        }
    }
    for (nth, curve) in curves.iter_mut().enumerate() {
        curve[nth] += pull(nth);
    }
    (slopes, curves)
}

/// The solution of linear equations, by Cholesky: of the square, which is symmetric and positive, the lower half is read.
fn solve(mut square: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let (first, rest) = square[column..].split_at_mut(1);
        let pivot = &mut first[0];
        let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let root = (pivot[column] - product(&pivot[..column], &pivot[..column])).max(FREE).sqrt();
        pivot[column] = root;
        right[column] = (right[column] - product(&pivot[..column], &right[..column])) / root;
        for row in rest {
            row[column] = (row[column] - product(&row[..column], &pivot[..column])) / root;
        }
    }
    for column in (0..n).rev() {
        right[column] /= square[column][column];
        let solved = right[column];
        for row in 0..column {
            right[row] -= square[column][row] * solved;
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        // The second value tells, the third is as often there as not.
        let row = |n: u32| {
            let is_it = n.is_multiple_of(4);
            let noise = if (n / 4).is_multiple_of(2) { 1.0 } else { -1.0 };
            let told = if is_it != n.is_multiple_of(7) { 1.0 } else { -1.0 };
            Row { values: vec![1.0, told, noise], is_it, weight: 1.0 }
        };
        (0..280).map(row).collect()
    }

    #[test]
    fn what_tells_gains_weight() {
        let weights = fit(&rows(), &[0.0; 3], 1.0);
        assert!(weights[1] > 0.5 && weights[1] > weights[2].abs(), "{weights:?}");
        let slopes = slopes(&rows(), &weights, &[0.0; 3], 1.0).0;
        assert!(slopes.iter().all(|slope| slope.abs() < 1e-5), "{slopes:?}");
    }

    #[test]
    fn what_was_known_stays_without_rows() {
        assert_eq!(fit(&[], &[0.0, 0.4, -1.0], 80.0), [0.0, 0.4, -1.0]);
        let strong = fit(&rows(), &[0.0, -1.0, 0.0], 1e6);
        assert!((strong[1] + 1.0).abs() < 0.01, "{strong:?}");
    }

    #[test]
    fn equations_are_solved() {
        let square = vec![vec![4.0, 9.0, 9.0], vec![2.0, 5.0, 9.0], vec![0.0, 1.0, 3.0]];
        let solved = solve(square, vec![8.0, 15.0, 11.0]);
        let close = solved.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(close, "{solved:?}");
    }
}
