//! From labelled pages to a model.
//!
//! Pages become lessons. What their words are worth is tallied (`words`), the paths of labelled spots are gathered (`paths`),
//! and judges are fitted to samples of spots (`judges`). Nothing that a site teaches is used to judge that site's own spots while
//! training, so what is learnt is what carries over to other sites.

pub(crate) mod judges;
mod paths;
pub(crate) mod words;

use crate::feature::evidence::{Evidence as Words, Kind as WordKind, TYPE, Word};
use crate::labels::Labels;
use crate::model::{Facts, Judge, Model};
use crate::network::Kind;
use crate::prose::{self, Known, Prose};
use crate::sheet::{Origin, Sheet};
use crate::target::Target;
use crate::text::{Introductions, Map, Set, phrase};
use judges::{is_long, judges, samples, second_look, values};
use page::Page;
use paths::KnownPaths;
use std::collections::BTreeMap;
use words::{Tally, logit};

/// A page with what is known of it.
pub struct Example<'p> {
    /// The page.
    pub page: &'p Page,
    /// Which site it is of: pages of one site share a template, and should not vouch for each other.
    pub site: String,
    /// What is where.
    pub labels: Labels,
}

/// How to train.
#[derive(Clone, Debug)]
pub struct TrainConfig {
    /// The network; none for the one that suits the number of sites.
    pub kind: Option<Kind>,
    /// Unlabelled spots taken of each page; the others are like them.
    pub n_others: usize,
    /// Whether long texts count by their length; else a leaf is a leaf.
    pub by_length: bool,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig { kind: None, n_others: 250, by_length: true }
    }
}

/// A page of training, with all that is asked of it more than once.
struct Lesson<'p> {
    sheet: Sheet<'p>,
    site: usize,
    /// By spot: 0, or the number of its element plus one.
    classes: Vec<u8>,
    /// By spot.
    words: Vec<Vec<(WordKind, Word)>>,
}

/// Learn which spots are which elements.
pub fn train(target: &Target, examples: &[Example<'_>], config: &TrainConfig) -> Model {
    let sites = sites(examples);
    let introductions = introductions(target, examples);
    let mut names = Map::default();
    let lessons: Vec<Lesson<'_>> = examples
        .iter()
        .zip(&sites)
        .map(|(example, site)| lesson(target, example, *site, &introductions, &mut names))
        .collect();
    let n_elements = target.elements().len();
    let mut tally = Tally::of_spots(&lessons, n_elements);
    hear_schema(target, &mut tally, &mut names);
    let paths = KnownPaths::of(&lessons, n_elements);
    let sheets: Vec<Vec<f32>> =
        lessons.iter().map(|lesson| values(lesson, &tally, &paths)).collect();
    let samples = samples(&lessons, &sheets, config);
    let features: Vec<_> = (0..n_elements).map(|it| Judge::features(target, it)).collect();
    let judges = judges(&features, &samples, config);
    let is_prose: Vec<bool> = (0..n_elements)
        .map(|it| target.elements()[it].cardinality.repeats() && is_long(it, &samples))
        .collect();
    let second = second_look(&lessons, &sheets, &features, &samples, &is_prose, config);
    let base = tally.base.iter().map(|share| logit(*share)).collect();
    let facts = Facts {
        words: tally.named(&names),
        paths: paths.kept(),
        introductions,
        base,
        is_day: (0..n_elements).map(|it| names_days(&lessons, it)).collect(),
        is_prose,
        is_open: (0..n_elements).map(|it| is_open(target, it, &lessons)).collect(),
        usual: (0..n_elements).map(|it| usual(it, &lessons)).collect(),
    };
    let blocks = blocks(&lessons, &facts.is_prose);
    Model::new(target.clone(), facts, judges, second).with_blocks(blocks)
}

/// Let what the schema says of its elements count: the texts that introduce them, and types of its own that are called like them.
fn hear_schema(target: &Target, tally: &mut Tally, names: &mut Map<Word, (WordKind, String)>) {
    for (element, it) in target.elements().iter().enumerate() {
        let introductions = target.introductions(element).iter();
        let labels = introductions.map(|it| (WordKind::Label, format!("={}", phrase(it))));
        let types = target.patterns().iter().filter(|pattern| pattern.name == it.name());
        let types = types.map(|pattern| (WordKind::Own, format!("{TYPE}{}", pattern.name)));
        for (kind, text) in labels.chain(types) {
            let word = Word::new(kind, &text);
            tally.hear(word, element);
            names.insert(word, (kind, text));
        }
    }
}

/// Whether an element that may be missing is left open: where so few pages have it, what stands in its place on others is not
/// known, and what is guessed is mostly wrong.
fn is_open(target: &Target, element: usize, lessons: &[Lesson<'_>]) -> bool {
    let is_required = target.elements()[element].cardinality.is_required();
    !is_required && n_labelled(element, lessons) * FEW < lessons.len()
}

/// The share of pages that have an element, if these are few.
fn usual(element: usize, lessons: &[Lesson<'_>]) -> f32 {
    match lessons.len() < FEW {
        true => (n_labelled(element, lessons) as f32 + 0.5) / (lessons.len() as f32 + 1.0),
        false => 0.0,
    }
}

fn n_labelled(element: usize, lessons: &[Lesson<'_>]) -> usize {
    let class = u8::try_from(element + 1).unwrap_or(0);
    lessons.iter().filter(|it| it.classes.contains(&class)).count()
}

/// An element that fewer than one page in so many has is on few; and fewer pages are few.
const FEW: usize = 20;

/// Of so many sites the judges of single leaves tell as much as what is known of prose everywhere.
const MANY_SITES: usize = 60;

/// By element: what tells its blocks, if it is prose.
fn blocks(lessons: &[Lesson<'_>], is_prose: &[bool]) -> Vec<Option<Prose>> {
    let mut sites: Vec<usize> = lessons.iter().map(|lesson| lesson.site).collect();
    sites.sort_unstable();
    sites.dedup();
    let is_few = sites.len() < MANY_SITES;
    let learn = |element: usize| Prose::learn(&known(lessons, element), is_few);
    let elements = is_prose.iter().enumerate();
    elements.map(|(element, is_prose)| is_prose.then(|| learn(element))).collect()
}

fn known<'l, 'p>(lessons: &'l [Lesson<'p>], element: usize) -> Vec<Known<'l, 'p>> {
    let known = lessons.iter().map(|lesson| {
        let mut is_it = vec![false; lesson.sheet.leaves.len()];
        for (spot, class) in lesson.sheet.spots.iter().zip(&lesson.classes) {
            if spot.origin == Origin::Leaf && usize::from(*class) == element + 1 {
                is_it[spot.leaves.start] = true;
            }
        }
        Known { sheet: &lesson.sheet, is_it, site: lesson.site }
    });
    known.collect()
}

/// What the prose of these pages is like, as the table of it that is built in. Only for those who build it in.
#[doc(hidden)]
pub fn prose_prior(target: &Target, examples: &[Example<'_>], element: usize) -> String {
    let mut names = Map::default();
    let introductions = Introductions::default();
    let sites = sites(examples);
    let lessons: Vec<Lesson<'_>> = examples
        .iter()
        .zip(&sites)
        .map(|(example, site)| lesson(target, example, *site, &introductions, &mut names))
        .collect();
    let mut pages = known(&lessons, element);
    pages.retain(|page| page.is_it.contains(&true));
    prose::prior_of(&pages)
}

/// Whether values of an element are days, and nothing else.
fn names_days(lessons: &[Lesson<'_>], element: usize) -> bool {
    let (mut n, mut n_days) = (0, 0);
    for lesson in lessons {
        for (spot, class) in lesson.sheet.spots.iter().zip(&lesson.classes) {
            if usize::from(*class) == element + 1 {
                n += 1;
                n_days += usize::from(spot.day.is_some());
            }
        }
    }
    n > 0 && n_days * 10 >= n * 9
}

/// A number for each site. Where all pages are of one, each is taken for itself.
fn sites(examples: &[Example<'_>]) -> Vec<usize> {
    let mut names: Vec<&str> = examples.iter().map(|example| example.site.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 {
        return (0..examples.len()).collect();
    }
    examples.iter().map(|it| names.binary_search(&it.site.as_str()).unwrap_or(0)).collect()
}

/// The words before labelled values inside their leaves, and those of the schema.
fn introductions(target: &Target, examples: &[Example<'_>]) -> Introductions {
    let mut introductions: Set<String> = (0..target.elements().len())
        .flat_map(|element| target.introductions(element).iter().cloned())
        .collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for example in examples {
        let sheet = Sheet::new(example.page, &Introductions::default());
        let found = example.labels.introductions(target, &sheet);
        for intro in found {
            *counts.entry(intro).or_default() += 1;
        }
    }
    let least = if examples.len() > 20 { 2 } else { 1 };
    introductions.extend(counts.into_iter().filter(|it| it.1 >= least).map(|it| it.0));
    introductions
}

fn lesson<'p>(
    target: &Target,
    example: &Example<'p>,
    site: usize,
    introductions: &Introductions,
    names: &mut Map<Word, (WordKind, String)>,
) -> Lesson<'p> {
    let sheet = Sheet::new(example.page, introductions);
    let classes = example.labels.classes(target, &sheet);
    let mut evidence = Words::new(&sheet, target.patterns(), true);
    let words = sheet.spots.iter().map(|spot| {
        let mut words = evidence.of(spot);
        words.sort_unstable();
        words.dedup();
        words
    });
    let words = words.collect();
    names.extend(evidence.into_names());
    Lesson { sheet, site, classes, words }
}
