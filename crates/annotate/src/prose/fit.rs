//! Logistic regression with weights that are drawn to what was known before.

/// A block to learn from.
pub(super) struct Row {
    /// The first is 1.
    pub(super) values: Vec<f64>,
    pub(super) is_it: bool,
    pub(super) weight: f64,
}

const N_STEPS: usize = 120;
const FIRST_STEP: f64 = 0.05;
const LARGEST_STEP: f64 = 0.5;

/// The weights that make these rows likely and are near those before. The first one is free: how much of a page is prose is
/// for its own pages to say.
///
/// By resilient propagation (Riedmiller and Braun, 1993): a weight's step grows while its slope keeps its sign. The slope has
/// one zero, so where it starts makes no difference.
pub(super) fn fit(rows: &[Row], before: &[f64], pull: f64) -> Vec<f64> {
    let mut weights = before.to_vec();
    let mut steps = vec![FIRST_STEP; before.len()];
    let mut last = vec![0.0; before.len()];
    for _ in 0..N_STEPS {
        let slopes = slopes(rows, &weights, before, pull);
        for (nth, slope) in slopes.into_iter().enumerate() {
            let turn = slope * last[nth];
            if turn < 0.0 {
                steps[nth] *= 0.5;
                last[nth] = 0.0;
                continue;
            }
            if turn > 0.0 {
                steps[nth] = (steps[nth] * 1.2).min(LARGEST_STEP);
            }
            weights[nth] += slope.signum() * steps[nth].min(slope.abs());
            last[nth] = slope;
        }
    }
    weights
}

/// How the likelihood rises with each weight.
fn slopes(rows: &[Row], weights: &[f64], before: &[f64], pull: f64) -> Vec<f64> {
    let mut slopes: Vec<f64> =
        weights.iter().zip(before).map(|(weight, before)| pull * (before - weight)).collect();
    if let Some(first) = slopes.first_mut() {
        *first = 0.0;
    }
    for row in rows {
        let odds: f64 = row.values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let missing = f64::from(u8::from(row.is_it)) - 1.0 / (1.0 + (-odds).exp());
        for (slope, value) in slopes.iter_mut().zip(&row.values) {
            *slope += row.weight * missing * value;
        }
    }
    slopes
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
        let slopes = slopes(&rows(), &weights, &[0.0; 3], 1.0);
        assert!(slopes.iter().all(|slope| slope.abs() < 0.1), "{slopes:?}");
    }

    #[test]
    fn what_was_known_stays_without_rows() {
        assert_eq!(fit(&[], &[0.0, 0.4, -1.0], 80.0), [0.0, 0.4, -1.0]);
        let strong = fit(&rows(), &[0.0, -1.0, 0.0], 1e6);
        assert!((strong[1] + 1.0).abs() < 0.01, "{strong:?}");
    }
}
