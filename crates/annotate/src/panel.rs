//! Judges side by side: what all of them make of many spots at a time.
//!
//! A judge alone reads one feature of one spot after another. Here spots come in batches, and what a batch has of one feature
//! stands together: a cut is compared with all of it by a few instructions, and a feature is laid out once for all judges
//! that ask for it. The odds are those of each judge to the last bit, because features are added up in the same order.

use crate::model::{Judge, Reading};

/// So many spots are judged at a time: their features stay in the processor's nearest memory.
pub(crate) const BATCH: usize = 32;

/// What a batch has of one feature.
type Column = [f32; BATCH];
/// The same, read by one judge. Wide enough for the number of a pair of codes, and narrow, so that many are done at a time.
type Codes = [u16; BATCH];

/// Some judges.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// What is read of each feature, and by whom.
    asked: Vec<Asked>,
    seats: Vec<Seat>,
    /// Codes of a batch, those of the first being zeros: what has no parent has this one.
    n_codes: usize,
}

#[derive(Clone, Debug)]
struct Asked {
    feature: usize,
    /// How each judge reads it, and which codes become of it.
    readings: Vec<(Reading, usize)>,
}

/// One judge.
#[derive(Clone, Debug)]
struct Seat {
    /// Odds before anything is known.
    start: f32,
    tables: Vec<Table>,
}

/// What a judge makes of one feature.
#[derive(Clone, Debug)]
struct Table {
    codes: usize,
    parent: usize,
    arity: u16,
    /// Weighed odds, at `parent's code * arity + code`.
    odds: Box<[f32]>,
}

/// The codes of a batch, kept from one to the next.
#[derive(Default)]
pub(crate) struct Desk(Vec<Codes>);

impl Panel {
    pub(crate) fn new<'j>(judges: impl Iterator<Item = &'j Judge>) -> Panel {
        let mut panel = Panel { asked: Vec::new(), seats: Vec::new(), n_codes: 1 };
        for judge in judges {
            panel.seat(judge);
        }
        panel.asked.sort_by_key(|it| it.feature);
        panel
    }

    fn seat(&mut self, judge: &Judge) {
        let first = self.n_codes;
        for (feature, reading) in &judge.readings {
            let asked = match self.asked.iter_mut().find(|it| it.feature == *feature) {
                Some(known) => known,
                None => {
                    self.asked.push(Asked { feature: *feature, readings: Vec::new() });
                    let last = self.asked.len() - 1;
                    &mut self.asked[last]
                }
            };
            asked.readings.push((reading.clone(), self.n_codes));
            self.n_codes += 1;
        }
        let weighed = judge.network.tables().zip(&judge.calibration.weights).enumerate();
        let tables = weighed.map(|(nth, ((parent, arity, odds), weight))| Table {
            codes: first + nth,
            parent: parent.map_or(0, |parent| first + parent),
            // A feature has at most as many values as a byte.
            arity: u16::try_from(arity).unwrap_or_default(),
            odds: odds.map(|odds| odds * weight).collect(),
        });
        let start = judge.network.prior_odds() + judge.calibration.offset;
        self.seats.push(Seat { start, tables: tables.collect() });
    }

    /// The logarithm of the odds by each judge for each spot of a batch, at `spot * n_judges + judge`. Features come spot by spot, so
    /// many of each.
    pub(crate) fn odds(&self, desk: &mut Desk, values: &[f32], width: usize, odds: &mut [f32]) {
        desk.0.resize(self.n_codes, [0; BATCH]);
        for asked in &self.asked {
            let mut column: Column = [0.0; BATCH];
            for (value, row) in column.iter_mut().zip(values.chunks_exact(width)) {
                *value = row[asked.feature];
            }
            for (reading, codes) in &asked.readings {
                read(reading, &column, &mut desk.0[*codes]);
            }
        }
        for (nth, seat) in self.seats.iter().enumerate() {
            let sums = seat.sums(&desk.0);
            for (odds, sum) in odds.iter_mut().skip(nth).step_by(self.seats.len()).zip(sums) {
                *odds = seat.start + sum;
            }
        }
    }
}

fn read(reading: &Reading, column: &Column, codes: &mut Codes) {
    match reading {
        Reading::Categories(_) => {
            for (code, value) in codes.iter_mut().zip(column) {
                *code = u16::from(reading.of(*value));
            }
        }
        Reading::Numbers(intervals) => {
            // As wide as what is compared: so it is done by whole registers.
            let mut counts = [0u32; BATCH];
            for cut in intervals.cuts() {
                for (count, value) in counts.iter_mut().zip(column) {
                    *count += u32::from(value >= cut);
                }
            }
            for (code, count) in codes.iter_mut().zip(counts) {
                *code = count as u16;
            }
        }
    }
}

impl Seat {
    fn sums(&self, desk: &[Codes]) -> Column {
        let mut sums: Column = [0.0; BATCH];
        for table in &self.tables {
            let mut cells = desk[table.codes];
            for (cell, parent) in cells.iter_mut().zip(&desk[table.parent]) {
                *cell = parent.wrapping_mul(table.arity).wrapping_add(*cell);
            }
            for (sum, cell) in sums.iter_mut().zip(cells) {
                // Models are checked when they are read, so that every look-up finds something.
                *sum += table.odds.get(usize::from(cell)).copied().unwrap_or_default();
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::Calibration;
    use crate::interval::Intervals;
    use crate::network::{Kind, Network, Rows};

    /// A judge of two features of three, fitted to rows that are made for it.
    fn judge(features: [usize; 2], turn: u32) -> Judge {
        let mut values: Vec<(f32, u8)> =
            (0..200).map(|n| ((n % 50) as f32, u8::from(n % 50 > 20 + turn))).collect();
        let intervals = Intervals::learn(&mut values, 2);
        let readings =
            vec![(features[0], Reading::Categories(3)), (features[1], Reading::Numbers(intervals))];
        let mut rows = Rows::new(2, readings.iter().map(|it| it.1.arity()).collect());
        for n in 0..200u8 {
            let class = u8::from(n % 3 == 0) ^ u8::from(n % 2 == 0);
            rows.push([n % 3, n % 2].into_iter(), class, 1.0);
        }
        let calibration = Calibration { offset: 0.25, weights: vec![0.7, 0.3 + turn as f32] };
        Judge { readings, network: Network::fit(&rows, Kind::Tree), calibration, threshold: 0.0 }
    }

    #[test]
    fn a_panel_says_what_its_judges_say() {
        let judges = [judge([0, 1], 0), judge([2, 1], 3)];
        let panel = Panel::new(judges.iter());
        let mut desk = Desk::default();
        for n_spots in [1, 7, BATCH] {
            let rows = (0..n_spots).flat_map(|n| [(n % 4) as f32, n as f32 * 1.7, (n % 2) as f32]);
            let values: Vec<f32> = rows.collect();
            let mut odds = vec![0.0; n_spots * 2];
            panel.odds(&mut desk, &values, 3, &mut odds);
            let mut codes = Vec::new();
            let alone = values
                .chunks(3)
                .flat_map(|row| [0, 1].map(|nth: usize| judges[nth].odds(row, &mut codes)));
            assert_eq!(odds, alone.collect::<Vec<_>>());
        }
    }
}
