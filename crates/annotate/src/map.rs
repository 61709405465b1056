//! From the odds of spots to a valid mapping: what is taken for each element.
//!
//! An element that is there once gets the best spot. An element that repeats gets all good ones; and because its parts stand
//! together, which ones are good is decided together: [`Clusters`] names the ways.

mod cluster;

use crate::calibrate::probability;
use crate::columns::Choice;
use crate::day::{self, Day, Order};
use crate::model::{Model, Phase};
use crate::sheet::{Origin, Sheet, Spot};
use crate::target::Target;
use crate::text::key;
use page::{Leaf, NodeId, Page, Span};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::ops::Range;

/// How the parts of an element that repeats are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clusters {
    /// Each leaf for itself: those more likely than not.
    None,
    /// The paper's Algorithm 1: of the stretches between the leaves that are surely something else, the likeliest; in it, leaves
    /// more likely than not.
    Unit,
    /// The paper's Algorithm 2: of each stretch the lowest ancestor that outweighs what is beside it so many times; all leaves
    /// below the weightiest of these.
    Ancestor(f32),
    /// Block by block, by what prose is like everywhere and on the pages learnt from; models of many sites ask what is made of
    /// the leaves too.
    Blocks,
    /// The region that holds most of the text, and in it the leaves that are about as likely as most there; outside of it,
    /// those that are likely by themselves.
    Region,
}

impl Clusters {
    /// As schemas write them.
    pub(crate) const NAMES: [&str; 5] = ["none", "unit", "ancestor", "blocks", "region"];

    /// The way of a name, for a schema that has checked it.
    fn from_name(name: &str, dominance: f32) -> Clusters {
        match name {
            "none" => Clusters::None,
            "unit" => Clusters::Unit,
            "ancestor" => Clusters::Ancestor(dominance),
            "region" => Clusters::Region,
            _ => Clusters::Blocks,
        }
    }
}

/// How many times an element outweighs those beside it, unless a schema says otherwise: the paper's example.
const DOMINANCE: f32 = 30.0;

/// How to map.
///
/// ```
/// use annotate::{Clusters, MapConfig, Target};
///
/// let target = Target::parse(
///     "<!ELEMENT news (title, content*)> <?pagemill mapping clusters='ancestor' dominance='30'?>",
/// )?;
/// assert_eq!(MapConfig::of(&target).clusters, Clusters::Ancestor(30.0));
/// # Ok::<(), annotate::DtdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapConfig {
    /// For elements that repeat.
    pub clusters: Clusters,
}

impl MapConfig {
    /// As the schema says.
    pub fn of(target: &Target) -> MapConfig {
        let option = |name: &str| target.options().get(name).map(String::as_str);
        let dominance = option("dominance").and_then(|it| it.parse().ok()).unwrap_or(DOMINANCE);
        let clusters = option("clusters")
            .map_or(Clusters::Blocks, |name| Clusters::from_name(name, dominance));
        MapConfig { clusters }
    }
}

/// Where a value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In these leaves, by their numbers in the page.
    Leaves(Range<usize>),
    /// In what the page says to machines: `meta:og:title`, `ld:author.name`.
    Statement(String),
}

/// A value found.
#[derive(Clone, Debug)]
pub struct Value {
    /// The number of its element.
    pub element: usize,
    /// As it stands on the page; days as ISO 8601 writes them.
    pub text: String,
    /// How sure it is.
    pub probability: f32,
    /// Where it was found.
    pub place: Place,
    /// The bytes of the page's source that it comes from.
    pub span: Span,
    /// The element of the page that holds it.
    pub node: NodeId,
}

/// What was found on a page.
#[derive(Clone, Debug, Default)]
pub struct Annotation {
    /// In the order of elements, then of the page.
    pub values: Vec<Value>,
}

/// An optional element is left out if its best spot is less likely.
const LEAST: f32 = 0.5;
/// Values of one element that are looked for beside the best: no page has more, and each is compared with all others.
const MAX_OTHERS: usize = 300;
/// The same of one that was chosen among all.
const LIKELY: f32 = 0.3;
/// One that should be there is what is likeliest, unless that is nothing at all.
const NOTHING: f32 = 0.001;

impl Model {
    /// Map a page to the schema, as the schema says.
    pub fn annotate(&self, page: &Page) -> Annotation {
        self.annotate_with(page, &MapConfig::of(self.target()))
    }

    /// Map a page to the schema.
    pub fn annotate_with(&self, page: &Page, config: &MapConfig) -> Annotation {
        self.annotate_watched(page, config, &mut |_| {})
    }

    /// The same, for those who hold a clock: `watch` is told of each [`Phase`] when it, or a part of it, is done.
    pub fn annotate_watched(
        &self,
        page: &Page,
        config: &MapConfig,
        watch: &mut dyn FnMut(Phase),
    ) -> Annotation {
        let leaves = page.leaves();
        watch(Phase::Leaves);
        let sheet = Sheet::of(page, leaves, self.introductions());
        watch(Phase::Sheet);
        let odds = self.odds(&sheet, watch);
        let choices = self.columns().map(|columns| columns.choose_spots(&sheet));
        let found = Found { model: self, sheet: &sheet, odds: &odds, choices, config };
        let elements = 0..self.target().elements().len();
        let values = elements.flat_map(|element| found.values(element)).collect();
        watch(Phase::Mapping);
        Annotation { values }
    }
}

/// The odds on a page, to choose from.
struct Found<'m, 'p> {
    model: &'m Model,
    sheet: &'m Sheet<'p>,
    /// `spot * n_elements + element`.
    odds: &'m [f32],
    /// What is chosen by what is known of columns, if anything is: of few sites that tells more.
    choices: Option<Vec<Choice>>,
    config: &'m MapConfig,
}

impl Found<'_, '_> {
    fn odds(&self, spot: usize, element: usize) -> f32 {
        self.odds[spot * self.model.target().elements().len() + element]
    }

    fn values(&self, element: usize) -> Vec<Value> {
        if self.model.is_open(element) {
            return Vec::new();
        }
        let cardinality = self.model.target().elements()[element].cardinality;
        if cardinality.repeats() && self.model.is_prose(element) {
            let taken = cluster::leaves(self, element).into_iter();
            return taken
                .map(|(spot, odds)| self.chosen(spot, element, probability(odds)))
                .collect();
        }
        let is_chosen = self.model.columns().is_some_and(|columns| columns.knows(element));
        if let Some(choices) = self.choices.as_ref().filter(|_| is_chosen) {
            let least = if cardinality.is_required() { NOTHING } else { LIKELY };
            let own = choices.iter().filter(|it| it.element == element && it.probability > least);
            return own.map(|it| self.chosen(it.column, element, it.probability)).collect();
        }
        let least = if cardinality.is_required() { NOTHING } else { LEAST };
        let best = self.best(element).map(|spot| {
            let alone = probability(self.odds(spot, element));
            self.chosen(spot, element, alone.max(self.among_days(spot, element)))
        });
        let mut values: Vec<Value> = best.filter(|it| it.probability > least).into_iter().collect();
        if cardinality.repeats() {
            self.others(element, &mut values);
        }
        values
    }

    /// How likely the best spot is among all days of the page, if values of the element are days and little was learnt of them: of few
    /// pages it is not known how rare such spots are, but that most pages have one, and that it is a day.
    fn among_days(&self, best: usize, element: usize) -> f32 {
        let usual = self.model.usual(element);
        if usual <= 0.0 || !self.model.is_day(element) {
            return 0.0;
        }
        let mut days: BTreeMap<Day, f32> = BTreeMap::new();
        for (nth, spot) in self.sheet.spots.iter().enumerate() {
            let Some(day) = spot.day else { continue };
            let odds = (self.odds(nth, element) - self.odds(best, element)).min(0.0);
            let known = days.entry(day).or_insert(odds);
            *known = known.max(odds);
        }
        usual / days.values().map(|odds| odds.exp()).sum::<f32>().max(1.0)
    }

    /// Whatever else is likely and stands with the best, each text once.
    fn others(&self, element: usize, values: &mut Vec<Value>) {
        let Some(best) = self.best(element) else { return };
        let mut keys: Vec<String> = values.iter().map(|value| key(&value.text)).collect();
        for spot in 0..self.sheet.spots.len() {
            if self.odds(spot, element) <= 0.0 || !self.is_with(spot, best) {
                continue;
            }
            let value = self.value(spot, element);
            let key = key(&value.text);
            // A part of what is known, or the whole that it is part of, is the same once more.
            if !keys.iter().any(|known| known.contains(&key) || key.contains(known.as_str())) {
                keys.push(key);
                values.push(value);
            }
            if keys.len() > MAX_OTHERS {
                break;
            }
        }
    }

    /// Whether two spots are of one list: near each other in elements of the same tags, or statements of the same kind. What is
    /// said of something else, further down, is as likely as the best by itself.
    fn is_with(&self, one: usize, other: usize) -> bool {
        const NEAR: usize = 12;
        let (one, other) = (&self.sheet.spots[one], &self.sheet.spots[other]);
        if let (Origin::Statement(one), Origin::Statement(other)) = (one.origin, other.origin) {
            let key = |nth: u32| &self.sheet.items[nth as usize].key;
            return key(one) == key(other);
        }
        let stand = !one.leaves.is_empty() && !other.leaves.is_empty();
        let path = |spot: &Spot| self.sheet.leaves.get(spot.leaves.start).path;
        stand && one.leaves.start.abs_diff(other.leaves.start) <= NEAR && path(one) == path(other)
    }

    /// The best spot for an element; of equals the first.
    fn best(&self, element: usize) -> Option<usize> {
        let is_day = self.model.is_day(element);
        let may_be = |nth: &usize| !is_day || self.sheet.spots[*nth].day.is_some();
        let all = (0..self.sheet.spots.len()).filter(may_be);
        all.max_by(|a, b| self.odds(*a, element).total_cmp(&self.odds(*b, element)).then(b.cmp(a)))
    }

    fn value(&self, nth: usize, element: usize) -> Value {
        self.chosen(nth, element, probability(self.odds(nth, element)))
    }

    fn chosen(&self, nth: usize, element: usize, probability: f32) -> Value {
        let sheet = self.sheet;
        let spot = &sheet.spots[nth];
        let text = self.model.written(element, sheet.text(spot), spot.day);
        let (place, span, node) = place(sheet, spot);
        Value { element, text, probability, place, span, node }
    }
}

fn place(sheet: &Sheet<'_>, spot: &Spot) -> (Place, Span, NodeId) {
    if let Origin::Statement(nth) = spot.origin {
        let item = &sheet.items[nth as usize];
        return (Place::Statement(item.key.clone()), item.span, item.element);
    }
    let leaves: Vec<Leaf<'_>> = spot.leaves.clone().map(|it| sheet.leaves.get(it)).collect();
    let span = leaves.iter().map(|leaf| leaf.span).reduce(Span::hull).unwrap_or_default();
    let node = leaves.first().map_or(sheet.page.document(), |leaf| leaf.element);
    (Place::Leaves(spot.leaves.clone()), span, node)
}

impl Annotation {
    /// The values as texts, with the numbers of their elements.
    pub fn into_texts(self) -> impl Iterator<Item = (usize, String)> {
        self.values.into_iter().map(|value| (value.element, value.text))
    }

    /// The values as data: nested as the schema is, lists for what repeats.
    pub fn data(&self, target: &Target) -> Json {
        target.data(self.values.iter().map(|value| (value.element, value.text.clone())))
    }
}

impl Target {
    /// Texts, with the numbers of their elements, as data: nested as the schema is, lists for what repeats.
    pub fn data(&self, values: impl Iterator<Item = (usize, String)>) -> Json {
        let mut data = Map::new();
        for (number, text) in values {
            let element = &self.elements()[number];
            put(&mut data, &element.path, element.cardinality.repeats(), text);
        }
        Json::Object(data)
    }
}

impl Model {
    /// A value as it is given: days as ISO 8601 writes them, others without the marks beside them.
    pub fn value_of(&self, element: usize, text: &str) -> String {
        self.written(element, text, day::first(text, Order::MonthFirst))
    }

    fn written(&self, element: usize, text: &str, day: Option<Day>) -> String {
        match day {
            Some(day) if self.is_day(element) => day.to_string(),
            // A value is not its separators; prose keeps every character.
            _ if !self.is_prose(element) => bare(text).to_owned(),
            _ => text.to_owned(),
        }
    }
}

/// Put a text where its path leads. Recursion is bounded by how deep schemas are.
fn put(data: &mut Map<String, Json>, path: &[String], repeats: bool, text: String) {
    let Some((name, rest)) = path.split_first() else { return };
    let entry = data.entry(name.clone());
    if !rest.is_empty() {
        if let Json::Object(inner) = entry.or_insert_with(|| Json::Object(Map::new())) {
            put(inner, rest, repeats, text);
        }
    } else if !repeats {
        entry.or_insert(Json::String(text));
    } else if let Json::Array(list) = entry.or_insert_with(|| Json::Array(Vec::new())) {
        list.push(Json::String(text));
    }
}

/// Without the marks that part it from what is beside it.
fn bare(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '|' | ')' | '·' | '•')
    });
    text.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '|' | '(' | '·' | '•')
    })
}
