//! The classifier: Bayes networks over discrete features.
//!
//! Naive Bayes takes features to be independent given the class. Tree-augmented naive Bayes (Friedman, Geiger and
//! Goldszmidt, 1997) lets each feature depend on one other too: the tree of most conditional mutual information, by Chow and
//! Liu's method. Everything is counted in one pass over the rows, or one for each pair of features, smoothed, and kept as
//! logarithms.

use serde::{Deserialize, Serialize};

/// Which network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// All features depend on the class only.
    Naive,
    /// Each may depend on one other feature too.
    #[default]
    Tree,
}

/// So many rows of a wider distribution stand behind each estimate.
const SMOOTHING: f64 = 2.0;

/// Rows of discrete features, with classes.
pub(crate) struct Rows {
    n_classes: usize,
    /// How many values each feature has.
    arities: Vec<usize>,
    /// Feature by feature: a pair of features is counted from two slices.
    columns: Vec<Vec<u8>>,
    classes: Vec<u8>,
    /// How much each row counts.
    weights: Vec<f32>,
}

impl Rows {
    pub(crate) fn new(n_classes: usize, arities: Vec<usize>) -> Rows {
        let columns = vec![Vec::new(); arities.len()];
        Rows { n_classes, arities, columns, classes: Vec::new(), weights: Vec::new() }
    }

    pub(crate) fn push(&mut self, values: impl Iterator<Item = u8>, class: u8, weight: f32) {
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
        self.classes.push(class);
        self.weights.push(weight);
    }

    /// Let each row count this much.
    pub(crate) fn reweigh(&mut self, weights: Vec<f32>) {
        debug_assert_eq!(weights.len(), self.weights.len());
        self.weights = weights;
    }

    /// Weights of classes.
    fn prior(&self) -> Vec<f64> {
        let mut prior = vec![0.0; self.n_classes];
        for (class, weight) in self.classes.iter().zip(&self.weights) {
            prior[usize::from(*class)] += f64::from(*weight);
        }
        prior
    }

    /// Weights of `value` and class, at `value * n_classes + class`.
    fn single(&self, feature: usize) -> Vec<f64> {
        let mut counts = vec![0.0; self.arities[feature] * self.n_classes];
        for (row, value) in self.columns[feature].iter().enumerate() {
            let class = usize::from(self.classes[row]);
            counts[usize::from(*value) * self.n_classes + class] += f64::from(self.weights[row]);
        }
        counts
    }

    /// Weights of two values and class, at `(left * arity of right + right) * n_classes + class`.
    fn pair(&self, left: usize, right: usize) -> Vec<f64> {
        let n_right = self.arities[right];
        let mut counts = vec![0.0; self.arities[left] * n_right * self.n_classes];
        let values = self.columns[left].iter().zip(&self.columns[right]);
        for (row, (left, right)) in values.enumerate() {
            let cell = usize::from(*left) * n_right + usize::from(*right);
            let class = usize::from(self.classes[row]);
            counts[cell * self.n_classes + class] += f64::from(self.weights[row]);
        }
        counts
    }
}

/// What each class makes of each value of one feature, given the value of its parent.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Node {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    parent: Option<usize>,
    arity: usize,
    /// Logarithms, at `(parent's value * arity + value) * n_classes + class`.
    logs: Vec<f32>,
}

/// A network that was fitted to rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Network {
    /// Logarithms of how frequent classes are.
    prior: Vec<f32>,
    nodes: Vec<Node>,
}

impl Network {
    pub(crate) fn fit(rows: &Rows, kind: Kind) -> Network {
        let parents = match kind {
            Kind::Naive => vec![None; rows.arities.len()],
            Kind::Tree => tree(rows),
        };
        Network::count(rows, &parents)
    }

    /// The same dependencies, counted anew from other rows.
    pub(crate) fn refit(&self, rows: &Rows) -> Network {
        let parents: Vec<Option<usize>> = self.nodes.iter().map(|node| node.parent).collect();
        Network::count(rows, &parents)
    }

    fn count(rows: &Rows, parents: &[Option<usize>]) -> Network {
        let alike = vec![1.0 / rows.n_classes as f64; rows.n_classes];
        let prior = shares(&rows.prior(), &alike);
        let log = |share: &f64| rounded(share.ln());
        let node = |(feature, parent): (usize, &Option<usize>)| Node {
            parent: *parent,
            arity: rows.arities[feature],
            logs: match parent {
                None => single_logs(rows, feature),
                Some(parent) => pair_logs(rows, *parent, feature),
            },
        };
        Network {
            prior: prior.iter().map(log).collect(),
            nodes: parents.iter().enumerate().map(node).collect(),
        }
    }

    /// How many classes it tells apart.
    pub(crate) fn n_classes(&self) -> usize {
        self.prior.len()
    }

    /// Whether every look-up for features of these arities finds something: files may come from strangers.
    pub(crate) fn is_sound(&self, arities: &[usize]) -> bool {
        let is_sound = |(node, arity): (&Node, &usize)| {
            let outer = match node.parent {
                None => Some(1),
                Some(parent) => arities.get(parent).copied(),
            };
            let n_logs = outer.map(|outer| outer * arity * self.prior.len());
            node.arity == *arity && n_logs == Some(node.logs.len())
        };
        self.nodes.len() == arities.len()
            && self.nodes.iter().zip(arities).all(is_sound)
            && self.nodes.iter().all(|node| node.logs.iter().all(|log| log.is_finite()))
            && self.prior.iter().all(|log| log.is_finite())
    }

    /// What each feature says for the second of two classes and against the first: logarithms of odds.
    pub(crate) fn odds<'n>(&'n self, values: &'n [u8]) -> impl Iterator<Item = f32> + 'n {
        self.nodes.iter().zip(values).map(|(node, value)| {
            let outer = node.parent.map_or(0, |parent| usize::from(values[parent]));
            let start = (outer * node.arity + usize::from(*value)) * self.prior.len();
            node.logs[start + 1] - node.logs[start]
        })
    }

    /// The same for all values: of each feature its parent, how many values it has, and the odds at
    /// `parent's value * arity + value`.
    pub(crate) fn tables(
        &self,
    ) -> impl Iterator<Item = (Option<usize>, usize, impl Iterator<Item = f32>)> {
        self.nodes.iter().map(|node| {
            let cells = node.logs.chunks_exact(self.prior.len());
            (node.parent, node.arity, cells.map(|cell| cell[1] - cell[0]))
        })
    }

    /// The logarithm of the odds of the second of two classes, before anything is known.
    pub(crate) fn prior_odds(&self) -> f32 {
        self.prior[1] - self.prior[0]
    }
}

/// How much each value speaks for each class, at `value * n_classes + class`.
fn single_logs(rows: &Rows, feature: usize) -> Vec<f32> {
    let prior = shares(&rows.prior(), &vec![1.0 / rows.n_classes as f64; rows.n_classes]);
    let counts = rows.single(feature);
    let cells = counts.chunks(rows.n_classes);
    cells.flat_map(|cell| logs_over(&shares(cell, &prior), &prior)).collect()
}

/// How much each value speaks for each class beyond what its parent's value says, at
/// `(parent's value * arity + value) * n_classes + class`.
fn pair_logs(rows: &Rows, parent: usize, feature: usize) -> Vec<f32> {
    let n_classes = rows.n_classes;
    let prior = shares(&rows.prior(), &vec![1.0 / n_classes as f64; n_classes]);
    let alone: Vec<Vec<f64>> =
        rows.single(feature).chunks(n_classes).map(|cell| shares(cell, &prior)).collect();
    let outer: Vec<Vec<f64>> =
        rows.single(parent).chunks(n_classes).map(|cell| shares(cell, &prior)).collect();
    let counts = rows.pair(parent, feature);
    let arity = rows.arities[feature];
    let cells = counts.chunks(n_classes).enumerate();
    let logs = cells.flat_map(|(cell, counts)| {
        let (given, value) = (&outer[cell / arity], &alone[cell % arity]);
        // Where both are hardly ever seen together, each speaks for itself.
        let odds = value
            .iter()
            .zip(given)
            .zip(&prior)
            .map(|((value, given), prior)| value * given / prior);
        let wide = normal(odds.collect());
        logs_over(&shares(counts, &wide), given)
    });
    logs.collect()
}

/// The share of each class among some rows, smoothed towards shares known otherwise. Smoothing what a value says of the class
/// instead of how frequent the value is keeps rare classes from being taken for certain after a few rows.
fn shares(counts: &[f64], wide: &[f64]) -> Vec<f64> {
    normal(counts.iter().zip(wide).map(|(count, wide)| count + SMOOTHING * wide).collect())
}

fn normal(weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| (weight / total).max(1e-9)).collect()
}

/// Three digits are more than counts can tell, and a file that people can read.
fn rounded(log: f64) -> f32 {
    (log * 1e3).round() as f32 / 1e3
}

/// By Bayes' rule what a value says of a class is how much it changes the class's share; what all classes have in common
/// makes no difference.
fn logs_over<'a>(shares: &[f64], before: &'a [f64]) -> impl Iterator<Item = f32> + use<'a> {
    let logs: Vec<f32> =
        shares.iter().zip(before).map(|(share, before)| rounded((share / before).ln())).collect();
    logs.into_iter()
}

/// The parent of each feature in the tree of most conditional mutual information; none for its root.
fn tree(rows: &Rows) -> Vec<Option<usize>> {
    let n = rows.arities.len();
    let mut parents = vec![None; n];
    if n == 0 {
        return parents;
    }
    // Prim's method. Of equals the first is taken, so the same rows give the same tree.
    let mut is_in = vec![false; n];
    let mut nearest: Vec<(f64, usize)> = vec![(f64::NEG_INFINITY, 0); n];
    let mut newest = 0;
    for _ in 1..n {
        is_in[newest] = true;
        for other in (0..n).filter(|other| !is_in[*other]) {
            let gain = information(rows, newest, other);
            if gain > nearest[other].0 {
                nearest[other] = (gain, newest);
            }
        }
        let outside = (0..n).filter(|other| !is_in[*other]);
        let best = outside.reduce(
            |best, other| {
                if nearest[other].0 > nearest[best].0 { other } else { best }
            },
        );
        let Some(best) = best else { break };
        // What adds nothing beyond chance stays on its own: a parent would only thin out the counts.
        parents[best] = Some(nearest[best].1).filter(|_| nearest[best].0 > 0.0);
        newest = best;
    }
    parents
}

/// Conditional mutual information of two features given the class, in nats over all rows, less what it costs. Each
/// class counts the same, because most rows are of the class that nobody asks for.
fn information(rows: &Rows, left: usize, right: usize) -> f64 {
    let (n_left, n_right, n_classes) = (rows.arities[left], rows.arities[right], rows.n_classes);
    if n_left < 2 || n_right < 2 {
        return 0.0;
    }
    let counts = rows.pair(left, right);
    let at = |l: usize, r: usize, class: usize| counts[(l * n_right + r) * n_classes + class];
    let mut information = 0.0;
    for class in 0..n_classes {
        let of_left: Vec<f64> =
            (0..n_left).map(|l| (0..n_right).map(|r| at(l, r, class)).sum()).collect();
        let of_right: Vec<f64> =
            (0..n_right).map(|r| (0..n_left).map(|l| at(l, r, class)).sum()).collect();
        let total: f64 = of_left.iter().sum();
        if total < 1.0 {
            continue;
        }
        let mut nats = 0.0;
        for (l, left) in of_left.iter().enumerate() {
            for (r, right) in of_right.iter().enumerate() {
                let both = at(l, r, class);
                if both > 0.0 {
                    nats += both * (both * total / (left * right)).ln();
                }
            }
        }
        let there = |counts: &[f64]| counts.iter().filter(|count| **count > 0.0).count() as f64;
        // What it costs to write down the numbers that a parent adds: half a logarithm of the rows for each (Schwarz 1978).
        let free = (there(&of_left) - 1.0) * (there(&of_right) - 1.0);
        let by_chance = free * total.ln().max(1.0) / 2.0;
        information += (nats - by_chance) / total;
    }
    information
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Class is the exclusive or of two features: naive Bayes cannot see it, a tree can.
    fn exclusive_or() -> Rows {
        let mut rows = Rows::new(2, vec![2, 2]);
        for n in 0..400u32 {
            let (a, b) = (u8::from(n % 2 == 1), u8::from(n / 2 % 2 == 1));
            rows.push([a, b].into_iter(), a ^ b, 1.0);
        }
        rows
    }

    fn best(network: &Network, values: &[u8]) -> (usize, f32) {
        let odds = network.prior_odds() + network.odds(values).sum::<f32>();
        (usize::from(odds > 0.0), odds.abs())
    }

    #[test]
    fn a_tree_sees_what_naive_bayes_cannot() {
        let rows = exclusive_or();
        let naive = Network::fit(&rows, Kind::Naive);
        let tree = Network::fit(&rows, Kind::Tree);
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            assert!(best(&naive, &[a, b]).1 < 0.01);
            let (class, margin) = best(&tree, &[a, b]);
            assert_eq!(class, usize::from(a ^ b));
            assert!(margin > 3.0);
        }
        assert!(tree.is_sound(&[2, 2]) && !tree.is_sound(&[2, 3]) && !tree.is_sound(&[2]));
    }

    #[test]
    fn features_without_relation_stay_apart() {
        let mut rows = Rows::new(2, vec![2, 2]);
        for n in 0..400u32 {
            rows.push(
                [u8::from(n % 2 == 1), u8::from(n / 2 % 2 == 1)].into_iter(),
                u8::from(n >= 200),
                1.0,
            );
        }
        assert_eq!(tree(&rows), [None, None]);
    }

    #[test]
    fn what_was_never_seen_is_not_impossible() {
        let mut rows = Rows::new(2, vec![3]);
        rows.push([0].into_iter(), 0, 1.0);
        rows.push([1].into_iter(), 1, 1.0);
        let network = Network::fit(&rows, Kind::Naive);
        assert!(best(&network, &[2]).1.is_finite());
        assert_eq!(best(&network, &[1]).0, 1);
    }
}
