//! What tells the columns of sites apart, and what is chosen by it.

use super::habits::{Bins, Habits, Odds};
use super::lesson::Lesson;
use super::portrait::{FORM, N_FEATURES, Portrait, feature_names, portraits, scales};
use super::weigh::{Case, fit};
use super::{Cell, Column, Site};
use crate::feature::evidence::{Kind as WordKind, N_SIDES, STRONGEST, Weights, Word};
use crate::sheet::{Sheet, Spot};
use crate::target::Target;
use crate::text::{self, Introductions, Map};
use crate::train::words::{Seen, Tally};
use page::Page;
use std::collections::{BTreeMap, BTreeSet};

/// A column that was found to be an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number of the element.
    pub element: usize,
    /// The number of the column.
    pub column: usize,
    /// How sure it is.
    pub probability: f32,
}

/// What tells the columns of sites apart.
pub struct ColumnModel {
    pub(super) n_elements: usize,
    /// By element: whether any site had a column of it.
    pub(super) is_known: Vec<bool>,
    pub(super) knowledge: Knowledge,
    /// What each kind of evidence is worth: features, kinds of words, then the common habit of forms.
    pub(super) worths: Vec<f32>,
    pub(super) words: BTreeMap<(WordKind, String), Vec<f32>>,
}

/// What evidence says, before it is weighed.
pub(super) struct Knowledge {
    pub(super) bins: Vec<Bins>,
    /// By feature.
    pub(super) odds: Vec<Odds>,
    /// What each form says of any element.
    pub(super) forms: Vec<f32>,
    pub(super) weights: Weights,
}

const N_KINDS: usize = WordKind::ALL.len();
pub(super) const N_WORTHS: usize = N_FEATURES + N_KINDS + 1;

impl ColumnModel {
    /// Learn from sites. Of one alone, what evidence is worth is what is worth believing before.
    pub fn train(target: &Target, lessons: &[&Lesson]) -> ColumnModel {
        let n_elements = target.elements().len();
        let mut tally = tally(lessons, n_elements);
        let mut names = names(lessons);
        for element in 0..n_elements {
            for (kind, text) in words_of_schema(target, element) {
                let word = Word::new(kind, &text);
                tally.hear(word, element);
                names.insert(word, (kind, text));
            }
        }
        let bins = bins(lessons);
        let habits = Habits::of(lessons, &bins, n_elements);
        let words = tally.named(&names);
        let worths = fit(&cases(lessons, &tally, &habits, &bins, n_elements), &before());
        let weights = weights(&words, n_elements);
        let knowledge = Knowledge::new(&habits, bins, weights, None);
        let is_known = (0..n_elements).map(|it| habits.is_known_anywhere(it)).collect();
        ColumnModel { n_elements, is_known, knowledge, worths, words }
    }

    /// Whether an element had a column on any of the sites; else nothing can be said of it.
    pub fn knows(&self, element: usize) -> bool {
        self.is_known[element]
    }

    /// For each known element the best column of a site; each column is one element at most.
    pub fn choose(&self, site: &Site<'_>) -> Vec<Choice> {
        self.choose_by(&portraits(site, None))
    }

    /// The same, of a site that was looked at before.
    pub fn choose_again(&self, lesson: &Lesson) -> Vec<Choice> {
        self.choose_by(&lesson.portraits)
    }

    /// The same of a page alone, with the words that introduce values: which of its spots is which element, by their numbers.
    pub(crate) fn choose_spots(&self, sheet: &Sheet<'_>) -> Vec<Choice> {
        self.choose(&alone(sheet))
    }

    /// The values of a page alone, by element.
    pub fn choose_alone(&self, page: &Page) -> Vec<(Choice, String)> {
        let site = alone(&Sheet::new(page, &Introductions::default()));
        let choices = self.choose(&site).into_iter();
        choices.map(|choice| (choice, site.columns[choice.column].cells[0].text.clone())).collect()
    }

    fn choose_by(&self, portraits: &[Portrait]) -> Vec<Choice> {
        let scores = self.scores(portraits);
        let mut all: Vec<Choice> = Vec::new();
        for element in (0..self.n_elements).filter(|it| self.is_known[*it]) {
            let own = scores.iter().map(|it| it[element]);
            let most = own.clone().fold(f32::NEG_INFINITY, f32::max);
            let total: f32 = own.clone().map(|score| (score - most).exp()).sum();
            all.extend(own.enumerate().map(|(column, score)| Choice {
                element,
                column,
                probability: (score - most).exp() / total,
            }));
        }
        all.sort_by(|a, b| {
            let order = b.probability.total_cmp(&a.probability);
            order.then((a.element, a.column).cmp(&(b.element, b.column)))
        });
        let mut choices: Vec<Choice> = Vec::new();
        for choice in all {
            let is_free = |it: &Choice| it.element != choice.element && it.column != choice.column;
            if choices.iter().all(is_free) && portraits[choice.column].is_seen {
                choices.push(choice);
            }
        }
        choices.sort_by_key(|it| it.element);
        choices
    }

    /// By column, then by element: how much speaks for it.
    ///
    /// Columns that are read from the same leaves are the same thing in several forms: with and without its label. What it is,
    /// is told by the form that tells it best; which form is meant, by what forms were labelled.
    fn scores(&self, portraits: &[Portrait]) -> Vec<Vec<f32>> {
        let (form, common) = (FORM, N_WORTHS - 1);
        let n = self.n_elements;
        let mut contents = vec![vec![f32::NEG_INFINITY; n]; portraits.len()];
        let mut forms = Vec::with_capacity(portraits.len());
        for portrait in portraits {
            let said = self.knowledge.said(portrait, n);
            let weighed = said.iter().map(|row| -> (f32, f32) {
                let all: Vec<f32> = row.iter().zip(&self.worths).map(|(x, w)| x * w).collect();
                let of_form = all[form] + all[common];
                (all.iter().sum::<f32>() - of_form, of_form)
            });
            let weighed: Vec<(f32, f32)> = weighed.collect();
            for (best, (content, _)) in contents[portrait.place].iter_mut().zip(&weighed) {
                *best = f32::max(*best, *content);
            }
            forms.push(weighed);
        }
        let score = |(portrait, forms): (&Portrait, &Vec<(f32, f32)>)| {
            let contents = contents[portrait.place].iter().zip(forms);
            contents.map(|(content, (_, form))| content + form).collect()
        };
        portraits.iter().zip(&forms).map(score).collect()
    }
}

impl Knowledge {
    /// What was learnt from all sites, or from all but one.
    fn new(
        habits: &Habits,
        bins: Vec<Bins>,
        weights: Weights,
        without: Option<usize>,
    ) -> Knowledge {
        let odds = (0..bins.len()).map(|feature| habits.odds(feature, without)).collect();
        let forms = habits.common_odds(FORM, without);
        Knowledge { bins, odds, forms, weights }
    }

    /// What each kind of evidence says of a column, by element.
    fn said(&self, portrait: &Portrait, n_elements: usize) -> Vec<Vec<f32>> {
        let words = strongest(portrait, &self.weights, n_elements);
        let codes: Vec<usize> =
            self.bins.iter().zip(&portrait.values).map(|(bins, value)| bins.of(*value)).collect();
        let of = |element: usize| {
            let features = self.odds.iter().zip(&codes).map(|(odds, code)| odds[element][*code]);
            let kinds =
                (0..N_KINDS).map(|kind| words[(kind * N_SIDES + STRONGEST) * n_elements + element]);
            features.chain(kinds).chain([self.forms[codes[FORM]]]).collect()
        };
        (0..n_elements).map(of).collect()
    }
}

/// A page as a site of its own: each spot that stands somewhere is a column.
fn alone<'p>(sheet: &Sheet<'p>) -> Site<'p> {
    let spots = sheet.spots[..sheet.n_standing()].iter();
    let column = |spot: &Spot| Column {
        path: String::new(),
        label: None,
        is_in_set: false,
        cells: vec![Cell {
            page: 0,
            leaves: spot.leaves.clone(),
            intro: sheet.intro(spot).to_owned(),
            text: sheet.text(spot).to_owned(),
        }],
    };
    Site { pages: vec![sheet.page], columns: spots.map(column).collect() }
}

/// For each kind and element what the strongest word of a value says, in the mean over values.
fn strongest(portrait: &Portrait, weights: &Weights, n_elements: usize) -> Vec<f32> {
    let mut values = vec![0.0; N_KINDS * N_SIDES * n_elements];
    let share = 1.0 / portrait.words.len().max(1) as f32;
    let mut said = Vec::new();
    for words in &portrait.words {
        said.clear();
        said.resize(values.len(), 0.0);
        weights.hear(words, &mut said);
        for (sum, said) in values.iter_mut().zip(&said) {
            *sum += said * share;
        }
    }
    values
}

fn tally(lessons: &[&Lesson], n_elements: usize) -> Tally {
    let columns = lessons.iter().enumerate().flat_map(|(site, lesson)| {
        lesson.columns().map(move |(portrait, class)| (site, portrait, class))
    });
    let values = columns.flat_map(|(site, portrait, class)| {
        let weight = 1.0 / portrait.words.len().max(1) as f32;
        portrait.words.iter().map(move |words| Seen { site, weight, class, words })
    });
    Tally::of(values, n_elements)
}

/// The words that the schema itself has for an element, as labels and as names of page elements would have them: of its name,
/// and of what is said to introduce it.
fn words_of_schema(target: &Target, element: usize) -> BTreeSet<(WordKind, String)> {
    let name = target.elements()[element].name();
    let introductions = target.introductions(element).iter().map(String::as_str);
    let mut phrase = String::new();
    let mut words = BTreeSet::new();
    for text in std::iter::once(name).chain(introductions) {
        text::write_phrase(&text.replace(['_', '-'], " "), &mut phrase);
        words.insert((WordKind::Label, format!("={phrase}")));
        for part in phrase.split(' ').filter(|part| part.len() > 1) {
            words.insert((WordKind::Label, part.to_owned()));
            words.insert((WordKind::Near, part.to_owned()));
            words.insert((WordKind::Near, format!("itemprop {part}")));
        }
    }
    words
}

fn bins(lessons: &[&Lesson]) -> Vec<Bins> {
    let learn = |(feature, scale)| {
        let all = lessons.iter().flat_map(|lesson| &lesson.portraits);
        Bins::learn(scale, all.map(|portrait| portrait.values[feature]).collect())
    };
    scales().enumerate().map(learn).collect()
}

fn names(lessons: &[&Lesson]) -> Map<Word, (WordKind, String)> {
    let mut names = Map::default();
    for lesson in lessons {
        names.extend(lesson.names.iter().map(|(word, name)| (*word, name.clone())));
    }
    names
}

pub(super) fn weights(
    words: &BTreeMap<(WordKind, String), Vec<f32>>,
    n_elements: usize,
) -> Weights {
    let mut weights = Weights::new(n_elements);
    for ((kind, text), values) in words {
        weights.insert(Word::new(*kind, text), values);
    }
    weights
}

/// The choices that each site would have to make by what the others teach.
fn cases(
    lessons: &[&Lesson],
    tally: &Tally,
    habits: &Habits,
    bins: &[Bins],
    n_elements: usize,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for (site, lesson) in lessons.iter().enumerate() {
        let is_case = |element: &usize| {
            habits.is_known(site, *element) && habits.is_known_elsewhere(site, *element)
        };
        let elements: Vec<usize> = (0..n_elements).filter(is_case).collect();
        if elements.is_empty() {
            continue;
        }
        let words = lesson.portraits.iter().flat_map(|it| it.words.iter().flatten());
        let weights = tally.weights(Some(site), words.map(|it| it.1));
        let knowledge = Knowledge::new(habits, bins.to_vec(), weights, Some(site));
        let said: Vec<(Vec<Vec<f32>>, u8)> =
            lesson.columns().map(|(it, class)| (knowledge.said(it, n_elements), class)).collect();
        cases.extend(elements.into_iter().map(|element| Case {
            rows: said.iter().map(|it| it.0[element].clone()).collect(),
            is_it: said.iter().map(|it| usize::from(it.1) == element + 1).collect(),
        }));
    }
    cases
}

/// What evidence is worth before anything is known. Words of labels say most; features of looks and places say little each, and
/// overlap. Found on sites of five kinds.
fn before() -> Vec<f32> {
    let feature = |name: &str| match name {
        "origin" | "values that differ" => 0.4,
        "pages with it" => 0.5,
        "from heading" => 0.2,
        _ => 0.1,
    };
    let kind = |kind: &WordKind| match kind {
        WordKind::Label => 0.8,
        WordKind::Own | WordKind::Shape => 0.5,
        WordKind::Near => 0.4,
        WordKind::Statement => 0.3,
        WordKind::Far => 0.2,
    };
    let common_form = 0.6;
    feature_names()
        .map(feature)
        .chain(WordKind::ALL.iter().map(kind))
        .chain([common_form])
        .collect()
}
