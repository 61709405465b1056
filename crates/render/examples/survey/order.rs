//! Whether two orders of the same things agree.

/// The rank of each value, equal ones sharing theirs.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for same in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let rank = start as f64 + (same.len() - 1) as f64 / 2.0;
        same.iter().for_each(|index| ranks[*index] = rank);
        start += same.len();
    }
    ranks
}

/// Pearson's; of ranks, Spearman's.
pub(crate) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        a.iter().zip(b).map(|(x, y)| of(x - mean_a, y - mean_b)).sum::<f64>()
    };
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    if spread == 0.0 { 0.0 } else { sum(&|x, y| x * y) / spread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shared_by_equals() {
        assert_eq!(ranks(&[30.0, 10.0, 20.0, 10.0]), [3.0, 0.5, 2.0, 0.5]);
    }

    #[test]
    fn correlation_is_about_order() {
        let rank = |values: &[f64]| ranks(values);
        let ours = rank(&[1.0, 2.0, 50.0, 51.0]);
        assert_eq!(correlation(&ours, &rank(&[1.0, 2.0, 3.0, 4.0])), 1.0);
        assert_eq!(correlation(&ours, &rank(&[4.0, 3.0, 2.0, 1.0])), -1.0);
        assert_eq!(correlation(&ours, &rank(&[4.0, 4.0, 4.0, 4.0])), 0.0);
    }
}
