//! Models as files: versioned JSON that a person can read.
//!
//! A file may come from strangers, so everything that is looked up later is checked when it is read.

use crate::calibrate::Calibration;
use crate::columns::{ColumnModel, ModelFile as ColumnsFile};
use crate::feature::evidence::Kind as WordKind;
use crate::feature::{N_PLAIN, Plain, Scale};
use crate::interval::Intervals;
use crate::model::{Facts, Judge, Model, Reading};
use crate::network::Network;
use crate::prose::{Prose, Worth};
use crate::target::{DtdError, Target};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// What this program writes.
const VERSION: u32 = 1;
/// Models are smaller.
const MAX_BYTES: usize = 256 << 20;

/// Why a model file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is no JSON, or not that of a model.
    #[error("not a model file: {0}")]
    Json(#[from] serde_json::Error),
    /// It was written by a newer program.
    #[error("the model has version {0}, this program reads up to {VERSION}; update pagemill")]
    Version(u32),
    /// Its schema cannot be read.
    #[error("the schema in the model: {0}")]
    Schema(#[from] DtdError),
    /// Something in it does not fit the rest.
    #[error("the model is damaged: {0}; train it again")]
    Damaged(&'static str),
}

#[derive(Serialize, Deserialize)]
struct File {
    pagemill_model: u32,
    schema: String,
    elements: Vec<ElementFile>,
    introductions: Vec<String>,
    /// By kind, word, then a weight for each element.
    words: BTreeMap<String, BTreeMap<String, Vec<f32>>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    columns: Option<ColumnsFile>,
}

#[derive(Serialize, Deserialize)]
struct ElementFile {
    name: String,
    base: f32,
    is_day: bool,
    is_prose: bool,
    #[serde(default)]
    is_open: bool,
    #[serde(default)]
    usual: f32,
    /// Tags from the root, with `/` between them.
    paths: Vec<String>,
    first: JudgeFile,
    /// Of prose alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    second: Option<JudgeFile>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    blocks: Option<ProseFile>,
}

/// What tells blocks of prose.
#[derive(Serialize, Deserialize)]
struct ProseFile {
    /// Whether leaves are not asked.
    is_alone: bool,
    /// What counts for every block, on each look.
    start: [f32; 2],
    /// By name.
    features: BTreeMap<String, WorthFile>,
}

/// What is known of a feature of prose.
#[derive(Serialize, Deserialize)]
struct WorthFile {
    mean: f32,
    spread: f32,
    /// On each look.
    weights: [f32; 2],
}

impl ProseFile {
    fn of(prose: &Prose) -> ProseFile {
        let features = prose.named().map(|(name, worth)| {
            let Worth { mean, spread, weights } = *worth;
            (name.to_owned(), WorthFile { mean, spread, weights })
        });
        ProseFile { is_alone: prose.is_alone, start: prose.start, features: features.collect() }
    }

    fn read(self) -> Result<Prose, ModelError> {
        let worth = |name: &str| {
            let WorthFile { mean, spread, weights } = *self.features.get(name)?;
            Some(Worth { mean, spread, weights })
        };
        let prose = Prose::from_named(self.is_alone, self.start, worth);
        prose.ok_or(ModelError::Damaged("prose without its weights"))
    }
}

#[derive(Serialize, Deserialize)]
struct JudgeFile {
    threshold: f32,
    readings: Vec<ReadingFile>,
    network: Network,
    calibration: Calibration,
}

#[derive(Serialize, Deserialize)]
struct ReadingFile {
    feature: usize,
    /// For people.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    categories: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cuts: Option<Intervals>,
}

impl Model {
    /// As a file.
    pub fn to_json(&self) -> String {
        let facts = self.facts();
        let elements = self.target().elements().iter().enumerate();
        let elements = elements.map(|(nth, element)| ElementFile {
            name: element.full_name(),
            base: facts.base[nth],
            is_day: facts.is_day[nth],
            is_prose: facts.is_prose[nth],
            is_open: facts.is_open[nth],
            usual: facts.usual[nth],
            paths: facts.paths[nth].iter().map(|tags| tags.join("/")).collect(),
            first: self.judge_file(&self.judges()[nth], true),
            second: self.second()[nth].as_ref().map(|judge| self.judge_file(judge, false)),
            blocks: self.blocks(nth).map(ProseFile::of),
        });
        let mut introductions: Vec<String> = facts.introductions.iter().cloned().collect();
        introductions.sort_unstable();
        let mut words: BTreeMap<String, BTreeMap<String, Vec<f32>>> = BTreeMap::new();
        for ((kind, word), weights) in &facts.words {
            words.entry(kind.name().to_owned()).or_default().insert(word.clone(), weights.clone());
        }
        let file = File {
            pagemill_model: VERSION,
            schema: self.target().source().to_owned(),
            elements: elements.collect(),
            introductions,
            words,
            columns: self.columns().map(ColumnModel::to_file),
        };
        // Numbers and texts always can be written.
        serde_json::to_string(&file).unwrap_or_default() + "\n"
    }

    fn judge_file(&self, judge: &Judge, is_first: bool) -> JudgeFile {
        let reading = |(feature, reading): &(usize, Reading)| ReadingFile {
            feature: *feature,
            name: if is_first { self.feature_name(*feature) } else { format!("context {feature}") },
            categories: match reading {
                Reading::Categories(n) => Some(*n),
                Reading::Numbers(_) => None,
            },
            cuts: match reading {
                Reading::Categories(_) => None,
                Reading::Numbers(intervals) => Some(intervals.clone()),
            },
        };
        JudgeFile {
            threshold: judge.threshold,
            readings: judge.readings.iter().map(reading).collect(),
            network: judge.network.clone(),
            calibration: judge.calibration.clone(),
        }
    }

    /// Read a file.
    pub fn from_json(text: &str) -> Result<Model, ModelError> {
        if text.len() > MAX_BYTES {
            return Err(ModelError::Damaged("it is too large"));
        }
        #[derive(Deserialize)]
        struct Head {
            pagemill_model: u32,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.pagemill_model != VERSION {
            return Err(ModelError::Version(head.pagemill_model));
        }
        let file: File = serde_json::from_str(text)?;
        let target = Target::parse(&file.schema)?;
        let n_elements = target.elements().len();
        let names = target.elements().iter().map(|it| it.full_name());
        if !names.eq(file.elements.iter().map(|it| it.name.clone())) {
            return Err(ModelError::Damaged("its elements are not those of its schema"));
        }
        let mut words = BTreeMap::new();
        for (kind, list) in file.words {
            let kind = WordKind::from_name(&kind).filter(|it| WordKind::OF_SPOTS.contains(it));
            let kind = kind.ok_or(ModelError::Damaged("an unknown kind of word"))?;
            for (word, weights) in list {
                if weights.len() != n_elements || !weights.iter().all(|it| it.is_finite()) {
                    return Err(ModelError::Damaged("a word without its weights"));
                }
                words.insert((kind, word), weights);
            }
        }
        let mut facts = Facts {
            words,
            paths: Vec::new(),
            introductions: file.introductions.into_iter().collect(),
            base: Vec::new(),
            is_day: Vec::new(),
            is_prose: Vec::new(),
            is_open: Vec::new(),
            usual: Vec::new(),
        };
        let (mut judges, mut second, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for (nth, element) in file.elements.into_iter().enumerate() {
            facts.base.push(element.base);
            facts.is_day.push(element.is_day);
            let is_prose = element.is_prose && target.elements()[nth].cardinality.repeats();
            facts.is_prose.push(is_prose);
            facts.is_open.push(element.is_open);
            facts.usual.push(element.usual);
            let paths = element.paths.iter().map(|it| it.split('/').map(str::to_owned).collect());
            facts.paths.push(paths.collect());
            judges.push(element.first.read(&Judge::scales(n_elements))?);
            let again = element.second.filter(|_| is_prose);
            let again = again.map(|it| it.read(&Judge::second_scales(n_elements))).transpose()?;
            if is_prose && again.is_none() {
                return Err(ModelError::Damaged("prose without its second look"));
            }
            second.push(again);
            blocks.push(element.blocks.map(ProseFile::read).transpose()?);
        }
        let model = Model::new(target, facts, judges, second).with_blocks(blocks);
        let Some(columns) = file.columns else { return Ok(model) };
        let columns = ColumnModel::from_file(columns, n_elements);
        Ok(model.with_columns(columns.ok_or(ModelError::Damaged("columns that do not fit"))?))
    }

    fn feature_name(&self, feature: usize) -> String {
        Judge::feature_name(feature, self.target().elements().len())
    }
}

impl JudgeFile {
    /// The judge, if every look-up in it finds something.
    fn read(self, scales: &[Scale]) -> Result<Judge, ModelError> {
        let mut readings = Vec::new();
        for it in self.readings {
            let reading = match (it.categories, it.cuts, scales.get(it.feature)) {
                (Some(n), None, Some(Scale::Categories(known))) if n == *known => {
                    Reading::Categories(n)
                }
                (None, Some(cuts), Some(Scale::Numbers)) if cuts.is_sound() => {
                    Reading::Numbers(cuts)
                }
                _ => return Err(ModelError::Damaged("a feature that is read in an unknown way")),
            };
            readings.push((it.feature, reading));
        }
        let arities: Vec<usize> = readings.iter().map(|it| it.1.arity()).collect();
        let calibration = self.calibration;
        let is_sound = self.network.is_sound(&arities)
            && self.network.n_classes() == 2
            && calibration.weights.len() == readings.len();
        if !is_sound {
            return Err(ModelError::Damaged("a network that does not fit its features"));
        }
        Ok(Judge { readings, network: self.network, calibration, threshold: self.threshold })
    }
}

impl Judge {
    /// How all features of the first look are read, by number.
    fn scales(n_elements: usize) -> Vec<Scale> {
        let plain = Plain::FEATURES.iter().map(|it| it.scale);
        let n_rest = Judge::n_features(n_elements) - N_PLAIN;
        plain.chain(std::iter::repeat_n(Scale::Numbers, n_rest)).collect()
    }

    fn second_scales(n_elements: usize) -> Vec<Scale> {
        vec![Scale::Numbers; crate::context::Context::n_features(n_elements)]
    }
}
