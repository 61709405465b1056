//! Models of columns as they are kept in files.
//!
//! A file may come from strangers, so everything that is looked up later is checked when it is read.

use super::habits::{Bins, Odds};
use super::model::{ColumnModel, Knowledge, N_WORTHS, weights};
use super::portrait::{FORM, N_FEATURES, feature_names};
use crate::feature::evidence::Kind as WordKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A model of columns as it is kept in a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct ModelFile {
    /// By element.
    known: Vec<bool>,
    features: Vec<FeatureFile>,
    /// By kind.
    word_worths: BTreeMap<String, f32>,
    /// By kind, word, then a weight for each element.
    words: BTreeMap<String, BTreeMap<String, Vec<f32>>>,
    forms: Vec<f32>,
    form_worth: f32,
}

/// What one feature says, and what that is worth.
#[derive(Serialize, Deserialize)]
pub(crate) struct FeatureFile {
    name: String,
    worth: f32,
    bins: Bins,
    /// By element, then by bin.
    odds: Odds,
}

impl ColumnModel {
    pub(crate) fn to_file(&self) -> ModelFile {
        let Knowledge { bins, odds, forms, .. } = &self.knowledge;
        let features = feature_names().zip(bins).zip(odds).zip(&self.worths);
        let features = features.map(|(((name, bins), odds), worth)| FeatureFile {
            name: name.to_owned(),
            worth: *worth,
            bins: bins.clone(),
            odds: odds.clone(),
        });
        let mut words: BTreeMap<String, BTreeMap<String, Vec<f32>>> = BTreeMap::new();
        for ((kind, word), weights) in &self.words {
            words.entry(kind.name().to_owned()).or_default().insert(word.clone(), weights.clone());
        }
        let kinds = WordKind::ALL.iter().zip(&self.worths[N_FEATURES..]);
        ModelFile {
            known: self.is_known.clone(),
            features: features.collect(),
            word_worths: kinds.map(|(kind, worth)| (kind.name().to_owned(), *worth)).collect(),
            words,
            forms: forms.clone(),
            form_worth: self.worths[N_WORTHS - 1],
        }
    }

    /// From a file, if all of it fits.
    pub(crate) fn from_file(file: ModelFile, n_elements: usize) -> Option<ColumnModel> {
        if file.features.len() != N_FEATURES
            || !file.features.iter().all(|it| it.is_sound(n_elements))
        {
            return None;
        }
        if file.known.len() != n_elements || file.features[FORM].bins.len() != file.forms.len() {
            return None;
        }
        let mut words = BTreeMap::new();
        for (kind, own) in file.words {
            let kind = WordKind::from_name(&kind)?;
            for (word, weights) in own {
                let is_sound =
                    weights.len() == n_elements && weights.iter().all(|it| it.is_finite());
                words.insert((kind, word), is_sound.then_some(weights)?);
            }
        }
        let mut worths: Vec<f32> = file.features.iter().map(|it| it.worth).collect();
        for kind in WordKind::ALL {
            worths.push(*file.word_worths.get(kind.name())?);
        }
        worths.push(file.form_worth);
        if !worths.iter().chain(&file.forms).all(|it| it.is_finite()) {
            return None;
        }
        let (bins, odds) = file.features.into_iter().map(|it| (it.bins, it.odds)).unzip();
        let weights = weights(&words, n_elements);
        let knowledge = Knowledge { bins, odds, forms: file.forms, weights };
        Some(ColumnModel { n_elements, is_known: file.known, knowledge, worths, words })
    }
}

impl FeatureFile {
    fn is_sound(&self, n_elements: usize) -> bool {
        let is_whole =
            |odds: &Vec<f32>| odds.len() == self.bins.len() && odds.iter().all(|it| it.is_finite());
        self.bins.is_sound() && self.odds.len() == n_elements && self.odds.iter().all(is_whole)
    }
}
