//! What is known of a page: which nodes, or which values, are which elements.
//!
//! It comes from files of labels (`lines`), from markup that labels itself (`spans`), or from someone who says what is on the page
//! (`by_text`).

mod by_text;
mod lines;
mod node;
mod selector;
mod spans;

pub use by_text::{NotFound, TextPlace, find_text};
pub use lines::{LabelError, LabelProblem, LabelledPage};
pub use spans::{SpanError, Spans};

use crate::day;
use crate::sheet::{Origin, Sheet, Spot};
use crate::target::Target;
use crate::text::{self, Map};
use page::Page;

/// One thing known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// The leaf of this number is of the element of that number.
    Leaf(usize, usize),
    /// The page has this value of the element; where, is to be found out.
    Value(usize, String),
}

/// All that is known of a page.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    labels: Vec<Label>,
}

/// Texts of so many bytes are prose that several leaves share.
pub(crate) const PROSE: usize = 80;
/// A leaf of so many letters and digits is not in another's text by chance.
const TELLING: usize = 30;

impl Labels {
    /// From a list.
    pub fn new(labels: Vec<Label>) -> Labels {
        Labels { labels }
    }

    /// How many things are known.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// All that is known, in its order.
    pub fn iter(&self) -> impl Iterator<Item = &Label> {
        self.labels.iter()
    }

    /// The class of each spot: 0, or the number of its element plus one.
    pub(crate) fn classes(&self, target: &Target, sheet: &Sheet<'_>) -> Vec<u8> {
        let mut classes = vec![0u8; sheet.spots.len()];
        let class = |element: usize| u8::try_from(element + 1).unwrap_or(0);
        for (element, it) in target.elements().iter().enumerate() {
            let values = self.values(element);
            let is_prose =
                it.cardinality.repeats() && values.iter().any(|value| value.len() > PROSE);
            if is_prose {
                let is_inside = prose(&values, sheet);
                mark(&mut classes, sheet, class(element), |spot| {
                    !spot.leaves.is_empty() && spot.leaves.clone().all(|it| is_inside[it])
                });
            } else {
                let keys: Vec<String> = values.iter().map(|value| text::key(value)).collect();
                let days: Vec<_> = values
                    .iter()
                    .filter(|value| value.len() < 40)
                    .filter_map(|value| {
                        day::days(value, day::Order::MonthFirst).first().map(|it| it.1)
                    })
                    .collect();
                mark(&mut classes, sheet, class(element), |spot| {
                    let text = sheet.text(spot);
                    let is_day = spot.day.is_some_and(|day| days.contains(&day)) && text.len() < 60;
                    is_day || text.len() <= 4 * PROSE && keys.contains(&text::key(text))
                });
            }
        }
        self.mark_leaves(&mut classes, sheet);
        classes
    }

    /// Mark the leaves that are named, the blocks that they make up, and what the page says of itself in the same words.
    fn mark_leaves(&self, classes: &mut [u8], sheet: &Sheet<'_>) {
        let of_leaf = self.classes_of_leaves(sheet.leaves.len());
        let mut keys: Map<String, u8> = Map::default();
        for (known, spot) in classes.iter_mut().zip(&sheet.spots) {
            if *known == 0 && matches!(spot.origin, Origin::Leaf | Origin::Block) {
                // A block is what all its leaves are; a byline is not its author.
                let shown = |leaf: &usize| !sheet.leaves.get(*leaf).text.is_empty();
                let mut of_shown = spot.leaves.clone().filter(shown).map(|leaf| of_leaf[leaf]);
                let first = of_shown.next().unwrap_or(0);
                *known = if of_shown.all(|class| class == first) { first } else { 0 };
                let text = sheet.text(spot);
                if *known != 0 && text.len() <= 4 * PROSE {
                    keys.insert(text::key(text), *known);
                    keys.extend(spot.day.map(|day| (text::key(&day.to_string()), *known)));
                }
            }
        }
        for (known, spot) in classes.iter_mut().zip(&sheet.spots) {
            if *known == 0 && matches!(spot.origin, Origin::Statement(_)) {
                let day = spot.day.map(|day| text::key(&day.to_string()));
                let same = keys.get(&text::key(sheet.text(spot)));
                let same = same.or_else(|| keys.get(&day?));
                *known = same.copied().unwrap_or(0);
            }
        }
    }

    /// The class of each leaf that is named; the first that names it counts.
    fn classes_of_leaves(&self, n_leaves: usize) -> Vec<u8> {
        let mut classes = vec![0u8; n_leaves];
        for label in &self.labels {
            if let Label::Leaf(position, element) = label
                && let Some(class @ 0) = classes.get_mut(*position)
            {
                *class = u8::try_from(element + 1).unwrap_or(0);
            }
        }
        classes
    }

    fn leaves(&self, element: usize) -> impl Iterator<Item = usize> {
        self.labels.iter().filter_map(move |label| match label {
            Label::Leaf(leaf, of) if *of == element => Some(*leaf),
            _ => None,
        })
    }

    fn values<'a>(&'a self, element: usize) -> Vec<&'a str> {
        let value = |label: &'a Label| match label {
            Label::Value(of, value) if *of == element => Some(value.as_str()),
            _ => None,
        };
        self.labels.iter().filter_map(value).collect()
    }

    /// The keys of an element's values on a page.
    pub(crate) fn keys(&self, element: usize, page: &Page) -> Vec<String> {
        let mut keys: Vec<String> = self.values(element).into_iter().map(text::key).collect();
        let named: Vec<usize> = self.leaves(element).collect();
        if !named.is_empty() {
            let leaves = page.leaves();
            let known = named.into_iter().filter(|it| *it < leaves.len());
            keys.extend(known.map(|it| text::key(leaves.get(it).text)));
        }
        keys.retain(|key| !key.is_empty());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The words that stand before values inside their leaves.
    pub(crate) fn introductions(&self, target: &Target, sheet: &Sheet<'_>) -> Vec<String> {
        const MAX_WORDS: usize = 3;
        let mut found = Vec::new();
        for element in 0..target.elements().len() {
            for value in self.values(element) {
                if value.len() > PROSE || text::key(value).len() < 3 {
                    continue;
                }
                for spot in &sheet.spots {
                    let text = sheet.text(spot);
                    if text.len() > value.len() + 60 || spot.leaves.is_empty() {
                        continue;
                    }
                    let Some(place) = text.find(value) else { continue };
                    let intro = text::phrase(&text[..place]);
                    let n_words = intro.split(' ').count();
                    let is_apart = text[..place].ends_with(|c: char| !c.is_alphanumeric());
                    let has_digit = intro.bytes().any(|c| c.is_ascii_digit());
                    if is_apart && !intro.is_empty() && n_words <= MAX_WORDS && !has_digit {
                        found.push(intro);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn mark(classes: &mut [u8], sheet: &Sheet<'_>, class: u8, is_it: impl Fn(&Spot) -> bool) {
    for (known, spot) in classes.iter_mut().zip(&sheet.spots) {
        if *known == 0 && is_it(spot) {
            *known = class;
        }
    }
}

/// By leaf: whether it is part of these texts.
fn prose(values: &[&str], sheet: &Sheet<'_>) -> Vec<bool> {
    let all: String = values.iter().map(|value| text::key(value)).collect();
    let keys: Vec<String> = sheet.leaves.iter().map(|leaf| text::key(leaf.text)).collect();
    let is_known = |key: &String| !key.is_empty() && all.contains(key.as_str());
    let mut is_inside: Vec<bool> =
        keys.iter().map(|key| key.len() >= TELLING && is_known(key)).collect();
    // Short ones are, where what is around them is.
    for block in &sheet.blocks {
        if block.leaves.clone().any(|it| is_inside[it]) {
            for position in block.leaves.clone() {
                is_inside[position] |= is_known(&keys[position]);
            }
        }
    }
    let shown: Vec<usize> = (0..keys.len()).filter(|it| !keys[*it].is_empty()).collect();
    const REACH: usize = 3;
    for (nth, position) in shown.iter().enumerate() {
        if is_inside[*position] || !is_known(&keys[*position]) {
            continue;
        }
        let before = shown[nth.saturating_sub(REACH)..nth].iter().any(|it| is_inside[*it]);
        let after = shown[nth + 1..].iter().take(REACH).any(|it| is_inside[*it]);
        is_inside[*position] = before && after;
    }
    is_inside
}
