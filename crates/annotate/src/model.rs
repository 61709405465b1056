//! A trained model, and what it makes of a page.

use crate::calibrate::Calibration;
use crate::columns::ColumnModel;
use crate::context::Context;
use crate::feature::evidence::{
    AGAINST, Evidence, FOR, Kind as WordKind, N_SIDES, STRONGEST, Weights, Word,
};
use crate::feature::{N_PLAIN, Plain, Scale, Surroundings, Vectors};
use crate::interval::Intervals;
use crate::network::Network;
use crate::panel::{BATCH, Desk, Panel};
use crate::path::Atlas;
use crate::prose::Prose;
use crate::sheet::{Origin, Sheet};
use crate::target::{Group, Target};
use crate::text::Introductions;
use std::collections::BTreeMap;

/// How a feature's values become few.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    Categories(usize),
    Numbers(Intervals),
}

impl Reading {
    pub(crate) fn arity(&self) -> usize {
        match self {
            Reading::Categories(n) => *n,
            Reading::Numbers(intervals) => intervals.len(),
        }
    }

    pub(crate) fn of(&self, value: f32) -> u8 {
        match self {
            // Categories are counted in small numbers.
            Reading::Categories(n) => (value as u8).min(u8::try_from(n - 1).unwrap_or(u8::MAX)),
            Reading::Numbers(intervals) => intervals.of(value),
        }
    }
}

/// What tells one element from everything else: features, each with how it is read, and what they say.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    pub(crate) readings: Vec<(usize, Reading)>,
    pub(crate) network: Network,
    pub(crate) calibration: Calibration,
    /// The odds above which it is taken for it.
    pub(crate) threshold: f32,
}

impl Judge {
    /// The features that count for an element. All are first the plain ones, then evidence by kind and element, then paths
    /// by element.
    pub(crate) fn features(target: &Target, element: usize) -> Vec<(usize, Scale)> {
        let n_elements = target.elements().len();
        let n_kinds = WordKind::OF_SPOTS.len();
        let plain = Plain::FEATURES.iter().enumerate().map(|(nth, it)| (nth, it.group, it.scale));
        // Of a single value the strongest word decides; of many, most are in doubt and words for and against are weighed.
        let repeats = target.elements()[element].cardinality.repeats();
        let sides: &[usize] = if repeats { &[FOR, AGAINST] } else { &[STRONGEST] };
        let words = (0..n_kinds).flat_map(|nth| {
            sides.iter().map(move |side| {
                let place = N_PLAIN + (nth * N_SIDES + side) * n_elements + element;
                (place, WordKind::OF_SPOTS[nth].group(), Scale::Numbers)
            })
        });
        let against = N_PLAIN + n_kinds * N_SIDES * n_elements + element;
        let path = against + n_elements;
        let all = plain.chain(words).chain([
            (against, Group::Metadata, Scale::Numbers),
            (path, Group::Structure, Scale::Numbers),
        ]);
        all.filter(|it| target.uses(it.1)).map(|(nth, _, scale)| (nth, scale)).collect()
    }

    /// How many features there are for all elements together.
    pub(crate) fn n_features(n_elements: usize) -> usize {
        N_PLAIN + (WordKind::OF_SPOTS.len() * N_SIDES + 2) * n_elements
    }

    /// What a feature is called.
    pub(crate) fn feature_name(feature: usize, n_elements: usize) -> String {
        let Some(other) = feature.checked_sub(N_PLAIN) else {
            return Plain::FEATURES[feature].name.to_owned();
        };
        let block = other / n_elements;
        match WordKind::OF_SPOTS.get(block / N_SIDES) {
            Some(kind) => {
                let side = ["strongest", "for", "against"][block % N_SIDES];
                format!("words {} {side}", kind.name())
            }
            None if block == WordKind::OF_SPOTS.len() * N_SIDES => {
                "contradicted by statements".to_owned()
            }
            None => "path".to_owned(),
        }
    }

    /// The logarithm of the odds that a spot of these values is the element.
    pub(crate) fn odds(&self, values: &[f32], codes: &mut Vec<u8>) -> f32 {
        codes.clear();
        codes.extend(self.readings.iter().map(|(feature, reading)| reading.of(values[*feature])));
        self.calibration.odds(self.network.prior_odds(), self.network.odds(codes))
    }
}

/// What people do not see has to be this much surer than what they do: nobody looks over what a page tells machines.
const UNSEEN: f32 = 1.0;

/// The parts of the work on a page, for those who want to know what each costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Collecting the page's leaves.
    Leaves,
    /// Laying it out in spots.
    Sheet,
    /// What is known of each spot.
    Features,
    /// What each element's judge makes of that.
    Judging,
    /// The second look.
    Context,
    /// Choosing values.
    Mapping,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Phase; 6] = [
        Phase::Leaves,
        Phase::Sheet,
        Phase::Features,
        Phase::Judging,
        Phase::Context,
        Phase::Mapping,
    ];
}

/// What training gathered, by name.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) words: BTreeMap<(WordKind, String), Vec<f32>>,
    /// By element: tags from the root.
    pub(crate) paths: Vec<Vec<Vec<String>>>,
    pub(crate) introductions: Introductions,
    /// By element: the logarithm of the odds of any spot.
    pub(crate) base: Vec<f32>,
    /// By element: whether its values are days.
    pub(crate) is_day: Vec<bool>,
    /// By element: whether it is text of many parts.
    pub(crate) is_prose: Vec<bool>,
    /// By element: whether too few pages had it for it to be looked for.
    pub(crate) is_open: Vec<bool>,
    /// By element: the share of pages that had it, where they were few; else nothing.
    pub(crate) usual: Vec<f32>,
}

/// A trained model.
pub struct Model {
    target: Target,
    facts: Facts,
    /// By element.
    judges: Vec<Judge>,
    /// By element: those of the second look, of prose alone.
    second: Vec<Option<Judge>>,
    /// The judges of the first look, side by side.
    panel: Panel,
    /// By element: the judge of the second look, of prose alone.
    prose: Vec<Option<Panel>>,
    weights: Weights,
    paths: Atlas,
    columns: Option<ColumnModel>,
    /// By element: what tells its blocks, if it is prose.
    blocks: Vec<Option<Prose>>,
}

impl Model {
    pub(crate) fn new(
        target: Target,
        facts: Facts,
        judges: Vec<Judge>,
        second: Vec<Option<Judge>>,
    ) -> Model {
        let mut weights = Weights::new(target.elements().len());
        for ((kind, text), values) in &facts.words {
            weights.insert(Word::new(*kind, text), values);
        }
        let paths = Atlas::new(&facts.paths);
        let panel = Panel::new(judges.iter());
        let of_prose =
            |judge: &Option<Judge>| judge.as_ref().map(|it| Panel::new(std::iter::once(it)));
        let prose = second.iter().map(of_prose).collect();
        let blocks = vec![None; judges.len()];
        Model { target, facts, judges, second, panel, prose, weights, paths, columns: None, blocks }
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) fn judges(&self) -> &[Judge] {
        &self.judges
    }

    pub(crate) fn second(&self) -> &[Option<Judge>] {
        &self.second
    }

    /// The same, with what tells the columns of sites apart.
    #[must_use]
    pub fn with_columns(mut self, columns: ColumnModel) -> Model {
        self.columns = Some(columns);
        self
    }

    /// The same, with what tells blocks of prose, by element.
    pub(crate) fn with_blocks(mut self, blocks: Vec<Option<Prose>>) -> Model {
        self.blocks = blocks;
        self
    }

    /// What tells blocks of prose of an element, if it was learnt.
    pub(crate) fn blocks(&self, element: usize) -> Option<&Prose> {
        self.blocks.get(element).and_then(Option::as_ref)
    }

    /// What tells the columns of sites apart, if there were sites of several pages to learn it from.
    pub fn columns(&self) -> Option<&ColumnModel> {
        self.columns.as_ref()
    }

    /// What it maps to.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The odds above which a spot is taken for an element that repeats.
    pub(crate) fn threshold(&self, element: usize) -> f32 {
        self.second[element].as_ref().map_or(0.0, |judge| judge.threshold)
    }

    /// Whether an element is text of many parts.
    pub(crate) fn is_prose(&self, element: usize) -> bool {
        self.facts.is_prose[element]
    }

    /// Whether an element is not looked for, because too few pages had it.
    pub(crate) fn is_open(&self, element: usize) -> bool {
        self.facts.is_open[element]
    }

    /// The share of pages that had an element, where they were few.
    pub(crate) fn usual(&self, element: usize) -> f32 {
        self.facts.usual[element]
    }

    /// Whether values of an element are days.
    pub fn is_day(&self, element: usize) -> bool {
        self.facts.is_day[element]
    }

    pub(crate) fn introductions(&self) -> &Introductions {
        &self.facts.introductions
    }

    /// The logarithm of the odds of each element for each spot: `spot * n_elements + element`.
    pub(crate) fn odds(&self, sheet: &Sheet<'_>, watch: &mut dyn FnMut(Phase)) -> Vec<f32> {
        let first = self.first_odds(sheet, watch);
        let odds = self.second_odds(sheet, first);
        watch(Phase::Context);
        odds
    }

    fn first_odds(&self, sheet: &Sheet<'_>, watch: &mut dyn FnMut(Phase)) -> Vec<f32> {
        let n_elements = self.judges.len();
        let mut evidence = Evidence::new(sheet, self.target.patterns(), false);
        let mut surroundings = Surroundings::new(sheet, &self.weights);
        let stated = self.weights.best(evidence.stated().into_iter());
        let similarities = self.paths.similarities(sheet.leaves.paths(), |_| true);
        let vectors = Vectors::new(sheet, stated, similarities);
        let width = Judge::n_features(n_elements);
        let mut all = vec![0.0; sheet.spots.len() * n_elements];
        let (mut values, mut words, mut desk) = (Vec::new(), Vec::new(), Desk::default());
        let (standing, stated) = sheet.spots.split_at(sheet.n_standing());
        let (of_standing, of_stated) = all.split_at_mut(standing.len() * n_elements);
        for (spots, odds) in standing.chunks(BATCH).zip(of_standing.chunks_mut(BATCH * n_elements))
        {
            values.clear();
            for spot in spots {
                let say = |said: &mut [f32]| {
                    surroundings.of(spot, said);
                    words.clear();
                    evidence.texts(spot, &mut words);
                    self.weights.hear(&words, said);
                };
                vectors.push(spot, say, &mut values);
            }
            watch(Phase::Features);
            self.panel.odds(&mut desk, &values, width, odds);
            watch(Phase::Judging);
        }
        for (spot, odds) in stated.iter().zip(of_stated.chunks_mut(n_elements)) {
            if let Origin::Statement(nth) = spot.origin {
                self.stated_odds(evidence.statement(nth), odds);
            }
        }
        all
    }

    /// Those of a statement, of which is known who makes it and nothing else.
    fn stated_odds(&self, statement: Word, odds: &mut [f32]) {
        let weights = self.weights.get(statement);
        for (element, odds) in odds.iter_mut().enumerate() {
            let weight = weights.map_or(0.0, |it| it[element]);
            *odds = self.facts.base[element] + weight - UNSEEN;
        }
    }

    /// Those of prose, by what was first made of the page around it.
    fn second_odds(&self, sheet: &Sheet<'_>, first: Vec<f32>) -> Vec<f32> {
        if self.prose.iter().all(Option::is_none) {
            return first;
        }
        let n_elements = self.judges.len();
        let context = Context::new(sheet, &first, n_elements, |it| self.is_prose(it));
        let (mut values, mut desk) = (Vec::new(), Desk::default());
        let mut odds = first.clone();
        let width = Context::n_features(n_elements);
        let standing: Vec<usize> = (0..sheet.n_standing()).collect();
        for (element, panel) in self.prose.iter().enumerate() {
            let Some(panel) = panel else { continue };
            for spots in standing.chunks(BATCH) {
                values.clear();
                spots.iter().for_each(|nth| context.of(*nth, element, &mut values));
                let mut batch = [0.0; BATCH];
                panel.odds(&mut desk, &values, width, &mut batch);
                for (nth, new) in spots.iter().zip(batch) {
                    odds[nth * n_elements + element] = new;
                }
            }
        }
        odds
    }
}
