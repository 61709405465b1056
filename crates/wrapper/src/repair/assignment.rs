//! Who goes with whom, so that all together fit best.

/// Larger problems are solved step by step, the best pair first: nearly as good, and quick.
const MAX_EXACT: usize = 300;

/// For each row the column that it goes with, or none. Each column goes with one row at most. Pairs are scored; those without
/// a score, or below nothing, go together never.
pub(super) fn assign(scores: &[Vec<Option<f64>>], n_columns: usize) -> Vec<Option<usize>> {
    match scores.len().max(n_columns) {
        0 => Vec::new(),
        n if n <= MAX_EXACT => exact(scores, n_columns),
        _ => greedy(scores, n_columns),
    }
}

fn greedy(scores: &[Vec<Option<f64>>], n_columns: usize) -> Vec<Option<usize>> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (row, scores) in scores.iter().enumerate() {
        let scored =
            scores.iter().enumerate().filter_map(|(column, score)| Some((column, (*score)?)));
        pairs.extend(scored.filter(|it| it.1 > 0.0).map(|(column, score)| (score, row, column)));
    }
    pairs.sort_by(|left, right| {
        right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)).then(left.2.cmp(&right.2))
    });
    let (mut of_row, mut is_taken) = (vec![None; scores.len()], vec![false; n_columns]);
    for (_, row, column) in pairs {
        if of_row[row].is_none() && !is_taken[column] {
            of_row[row] = Some(column);
            is_taken[column] = true;
        }
    }
    of_row
}

/// The Hungarian method, by shortest augmenting paths. A row may also go with one of as many columns that stand for none.
fn exact(scores: &[Vec<Option<f64>>], n_columns: usize) -> Vec<Option<usize>> {
    let n_rows = scores.len();
    let width = n_columns + n_rows;
    let cost = |row: usize, column: usize| match scores[row].get(column) {
        Some(Some(score)) if *score > 0.0 => -score,
        Some(_) => 1.0,
        None => 0.0,
    };
    // Numbers of rows and columns start at 1; 0 is a place to start from.
    let (mut of_rows, mut of_columns) = (vec![0.0; n_rows + 1], vec![0.0; width + 1]);
    let mut row_of = vec![0; width + 1];
    for row in 1..=n_rows {
        row_of[0] = row;
        let mut column = 0;
        let mut least = vec![f64::INFINITY; width + 1];
        let mut before = vec![0; width + 1];
        let mut is_used = vec![false; width + 1];
        while row_of[column] != 0 {
            is_used[column] = true;
            let from = row_of[column];
            let (mut step, mut next) = (f64::INFINITY, 0);
            for other in (1..=width).filter(|it| !is_used[*it]) {
                let reduced = cost(from - 1, other - 1) - of_rows[from] - of_columns[other];
                if reduced < least[other] {
                    (least[other], before[other]) = (reduced, column);
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=width {
                if is_used[other] {
                    of_rows[row_of[other]] += step;
                    of_columns[other] -= step;
                } else {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[before[column]];
            column = before[column];
        }
    }
    let mut of_row = vec![None; n_rows];
    for column in 0..n_columns {
        if let Some(row) = row_of[column + 1].checked_sub(1)
            && cost(row, column) < 0.0
        {
            of_row[row] = Some(column);
        }
    }
    of_row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_together_fit_best() {
        // Each for itself, the first row would take column 0, and leave nothing to the second.
        let scores = vec![vec![Some(5.0), Some(4.0)], vec![Some(4.5), None]];
        assert_eq!(assign(&scores, 2), [Some(1), Some(0)]);
        assert_eq!(greedy(&scores, 2), [Some(0), None]);
    }

    #[test]
    fn what_fits_nothing_stays_alone() {
        let scores =
            vec![vec![Some(-1.0), None], vec![Some(2.0), Some(3.0)], vec![None, Some(1.0)]];
        assert_eq!(assign(&scores, 2), [None, Some(0), Some(1)]);
        assert_eq!(assign(&[], 3), []);
        assert_eq!(assign(&[vec![], vec![]], 0), [None, None]);
    }

    #[test]
    fn the_best_of_all_ways_is_found() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 60) as f64
        };
        for _ in 0..200 {
            let scores: Vec<Vec<Option<f64>>> =
                (0..4).map(|_| (0..4).map(|_| Some(next() - 4.0)).collect()).collect();
            let sum = |of_row: &[Option<usize>]| -> f64 {
                of_row.iter().enumerate().filter_map(|(row, it)| scores[row][(*it)?]).sum()
            };
            assert_eq!(sum(&assign(&scores, 4)), best(&scores, 0, &mut [false; 4]));
        }
    }

    fn best(scores: &[Vec<Option<f64>>], row: usize, is_taken: &mut [bool; 4]) -> f64 {
        if row == scores.len() {
            return 0.0;
        }
        let mut found = best(scores, row + 1, is_taken);
        for column in 0..4 {
            if !is_taken[column] {
                is_taken[column] = true;
                let score = scores[row][column].unwrap_or(f64::NEG_INFINITY);
                found = found.max(score + best(scores, row + 1, is_taken));
                is_taken[column] = false;
            }
        }
        found
    }
}
