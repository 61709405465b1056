//! Fisher's exact test, which holds for few as for many.

/// How likely two samples of some that have something and some that do not differ by as much or more, if they are from one
/// whole, two-sided; and how likely the greatest difference is that such samples could have.
pub(super) fn fisher((a, b): (u32, u32), (c, d): (u32, u32)) -> (f64, f64) {
    let n = a + b + c + d;
    let mut ln_factorials = vec![0.0; n as usize + 1];
    for i in 1..=n as usize {
        ln_factorials[i] = ln_factorials[i - 1] + (i as f64).ln();
    }
    let ln = |n: u32| ln_factorials[n as usize];
    let (left, right, full, empty) = (a + b, c + d, a + c, b + d);
    let chance = |a: u32| {
        let (b, c) = (left - a, full - a);
        let d = right - c;
        (ln(left) + ln(right) + ln(full) + ln(empty) - ln(n) - ln(a) - ln(b) - ln(c) - ln(d)).exp()
    };
    let (fewest, most) = (full.saturating_sub(right), full.min(left));
    let as_unlikely = |here: f64| -> f64 {
        let all = (fewest..=most).map(chance);
        all.filter(|it| *it <= here * (1.0 + 1e-9)).sum::<f64>().min(1.0)
    };
    (as_unlikely(chance(a)), as_unlikely(chance(fewest).min(chance(most))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_is_that_of_the_books() {
        let check = |left, right, expected: f64| {
            let (found, least) = fisher(left, right);
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
            assert!(least <= found);
        };
        // The lady tasting tea, and Agresti's table of blood clots.
        check((3, 1), (1, 3), 0.4857);
        check((8, 2), (1, 5), 0.0350);
        check((20, 0), (0, 4), 1.0 / 10626.0);
        check((5, 5), (5, 5), 1.0);
    }

    #[test]
    fn what_is_rare_cannot_differ_much() {
        assert!(fisher((1, 11), (0, 12)).1 > 0.9);
        assert!(fisher((12, 0), (11, 1)).1 > 0.9);
        assert!(fisher((6, 6), (6, 6)).1 < 1e-5);
    }
}
