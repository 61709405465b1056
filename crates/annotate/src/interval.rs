//! Numbers to intervals, chosen so that they tell classes apart: the supervised method of Fayyad and Irani (1993).
//!
//! A cut is made where it lowers the entropy of the classes most, and only if that is worth more than it costs to write
//! the cut down (minimum description length). What tells nothing gets no cut.

use serde::{Deserialize, Serialize};

/// More intervals than this are the noise of large samples.
const MAX_CUTS: usize = 15;

/// The cuts of one feature, in order. A value's interval is the number of cuts at or below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Intervals {
    cuts: Vec<f32>,
}

impl Intervals {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.cuts.len() + 1
    }

    /// The one that a value is in.
    pub(crate) fn of(&self, value: f32) -> u8 {
        // There are few, so a search by halves would only cost branches.
        let number = self.cuts.iter().filter(|cut| value >= **cut).count();
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    /// Where one ends and the next starts, in order.
    pub(crate) fn cuts(&self) -> &[f32] {
        &self.cuts
    }

    /// Whether these can be looked up: as a file of strangers may hold anything.
    pub(crate) fn is_sound(&self) -> bool {
        self.cuts.len() <= MAX_CUTS
            && self.cuts.is_sorted()
            && self.cuts.iter().all(|it| it.is_finite())
    }

    /// The intervals that best tell the classes of these values apart. Values are changed in their order.
    pub(crate) fn learn(values: &mut [(f32, u8)], n_classes: usize) -> Intervals {
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut open = vec![Stretch::new(values, 0, values.len(), n_classes)];
        let mut cuts: Vec<f32> = Vec::new();
        // The stretch with most to gain is cut first, so that the limit leaves out what matters least.
        while cuts.len() < MAX_CUTS {
            let best = (0..open.len())
                .filter_map(|nth| Some((nth, open[nth].cut.clone()?)))
                .max_by(|a, b| a.1.gain.total_cmp(&b.1.gain).then(b.0.cmp(&a.0)));
            let Some((nth, cut)) = best else { break };
            let stretch = open.swap_remove(nth);
            cuts.push(between(values[cut.at - 1].0, values[cut.at].0));
            open.push(Stretch::new(values, stretch.start, cut.at, n_classes));
            open.push(Stretch::new(values, cut.at, stretch.end, n_classes));
        }
        cuts.sort_unstable_by(f32::total_cmp);
        cuts.dedup();
        Intervals { cuts }
    }
}

/// A number above `low` and not above `high`, with few digits where that is possible.
fn between(low: f32, high: f32) -> f32 {
    let middle = low + (high - low) / 2.0;
    if middle > low { middle } else { high }
}

/// Sorted values that no cut parts yet, and the best cut of them that pays.
struct Stretch {
    start: usize,
    end: usize,
    cut: Option<Cut>,
}

#[derive(Clone)]
struct Cut {
    at: usize,
    /// Bits saved over all values.
    gain: f64,
}

impl Stretch {
    fn new(values: &[(f32, u8)], start: usize, end: usize, n_classes: usize) -> Stretch {
        Stretch { start, end, cut: best_cut(&values[start..end], start, n_classes) }
    }
}

fn best_cut(values: &[(f32, u8)], offset: usize, n_classes: usize) -> Option<Cut> {
    let mut right = vec![0u32; n_classes];
    for (_, class) in values {
        right[usize::from(*class)] += 1;
    }
    let all = Counted::of(&right);
    let mut left = vec![0u32; n_classes];
    let mut best: Option<(f64, usize, Counted, Counted)> = None;
    let mut at = 0;
    while at < values.len() {
        // All of one value go to the same side.
        let value = values[at].0;
        while at < values.len() && values[at].0 == value {
            let class = usize::from(values[at].1);
            left[class] += 1;
            right[class] -= 1;
            at += 1;
        }
        if at == values.len() {
            break;
        }
        let (low, high) = (Counted::of(&left), Counted::of(&right));
        let bits = low.bits + high.bits;
        if best.as_ref().is_none_or(|best| bits < best.0) {
            best = Some((bits, at, low, high));
        }
    }
    let (bits, at, low, high) = best?;
    let gain = all.bits - bits;
    (gain > price(&all, &low, &high)).then_some(Cut { at: at + offset, gain })
}

/// How often each class is there, and what it takes to say so of each value.
struct Counted {
    n: f64,
    n_classes: f64,
    /// Entropy times `n`.
    bits: f64,
}

impl Counted {
    fn of(counts: &[u32]) -> Counted {
        let n: f64 = counts.iter().map(|count| f64::from(*count)).sum();
        let there = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count));
        let bits = there.clone().map(|count| -count * (count / n).log2()).sum();
        Counted { n, n_classes: there.count() as f64, bits }
    }

    fn entropy(&self) -> f64 {
        if self.n > 0.0 { self.bits / self.n } else { 0.0 }
    }
}

/// The bits to write down a cut: where it is, and the classes on its sides.
fn price(all: &Counted, low: &Counted, high: &Counted) -> f64 {
    let sides = low.n_classes * low.entropy() + high.n_classes * high.entropy();
    let delta = (3f64.powf(all.n_classes) - 2.0).log2() - (all.n_classes * all.entropy() - sides);
    (all.n - 1.0).log2() + delta
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_where_classes_part() {
        let mut values: Vec<(f32, u8)> = (0..50).map(|n| (n as f32, u8::from(n >= 20))).collect();
        let intervals = Intervals::learn(&mut values, 2);
        assert_eq!(intervals.cuts, [19.5]);
        assert_eq!((intervals.of(19.0), intervals.of(20.0), intervals.of(f32::NAN)), (0, 1, 0));
    }

    #[test]
    fn noise_gets_no_cut() {
        let mut values: Vec<(f32, u8)> =
            (0..200u8).map(|n| (f32::from(n % 10), n / 10 % 2)).collect();
        assert_eq!(Intervals::learn(&mut values, 2).len(), 1);
        assert_eq!(Intervals::learn(&mut [], 2).len(), 1);
    }

    #[test]
    fn several_classes_have_several_cuts() {
        let mut values: Vec<(f32, u8)> = (0..90u8).map(|n| (f32::from(n), n / 30)).collect();
        assert_eq!(Intervals::learn(&mut values, 3).cuts, [29.5, 59.5]);
    }
}
