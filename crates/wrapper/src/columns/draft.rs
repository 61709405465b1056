//! Fields before they have a name of their own: what each instance has for them, and what the pages call them.

use super::affix::Affixes;
use crate::induce::Context;
use crate::name;
use crate::schema::{Hints, Place, Shape, Slot, Value};
use page::{DataType, Leaf, LeafKind};
use std::collections::BTreeMap;

pub(super) enum Draft<'v> {
    Values(Values),
    Set(SetDraft<'v>),
}

/// A set, of which pages may show one of several variants.
pub(super) struct SetDraft<'v> {
    /// What to call it, if nothing else is called so.
    pub(super) name: String,
    /// Whether the pages call it so, or only we.
    is_called: bool,
    pub(super) variants: Vec<Variant<'v>>,
}

/// Records built in one way, by instance.
pub(super) struct Variant<'v> {
    pub(super) slots: &'v [Slot],
    pub(super) records: Vec<&'v [Vec<Value>]>,
}

/// What the leaves of one slot show.
pub(super) struct Values {
    /// What to call it, if nothing else is called so.
    pub(super) name: String,
    /// Whether the pages call it so, or only we.
    is_called: bool,
    pub(super) label: Option<String>,
    /// Whether it is a label itself.
    is_label: bool,
    is_heading: bool,
    pub(super) reading: Reading,
    pub(super) data_type: DataType,
    pub(super) affixes: Affixes,
    pub(super) texts: Vec<Option<String>>,
    pub(super) alts: Vec<Option<String>>,
    pub(super) links: Vec<Option<String>>,
}

/// How a slot's leaves are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// One leaf, one value.
    Leaf,
    /// All leaves of a stretch as one text, which has no other parts.
    Prose,
    /// The same, beside its parts.
    Run,
}

/// What the markup around a slot says.
#[derive(Clone, Copy, Default)]
pub(super) struct Around<'a> {
    /// The nearest that give a name.
    hints: Option<&'a Hints>,
    /// The nearest tag.
    tag: &'a str,
}

impl<'a> Around<'a> {
    /// What is said nearest to a leaf is said best.
    fn inside(self, hints: &'a Hints) -> Around<'a> {
        let has_name = name::from_hints(hints).is_some();
        // A link or a span in a heading is the heading.
        let has_tag = !matches!(&*hints.tag, "" | "#text") && !is_heading(self.tag);
        let names = match &*hints.tag {
            // What the whole page is called says nothing of its parts.
            "html" | "head" | "body" => None,
            _ if has_name => Some(hints),
            // A heading is a title, whatever it stands in.
            tag if is_heading(tag) => None,
            _ => self.hints,
        };
        Around { hints: names, tag: if has_tag { &hints.tag } else { self.tag } }
    }
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "title")
}

/// All fields of a page or record, tuples within tuples flattened.
pub(super) fn drafts<'v>(
    context: &Context<'_>,
    slots: &'v [Slot],
    rows: &[Vec<&'v Value>],
    outside: Around<'v>,
    out: &mut Vec<Draft<'v>>,
) {
    for (index, slot) in slots.iter().enumerate() {
        let around = outside.inside(&slot.hints);
        let column: Vec<&Value> =
            rows.iter().map(|row| row.get(index).copied().unwrap_or(&Value::Missing)).collect();
        let start = out.len();
        match &slot.shape {
            Shape::Leaf => out.push(Draft::Values(values(context, &column, around, Reading::Leaf))),
            Shape::Prose => {
                out.push(Draft::Values(values(context, &column, around, Reading::Prose)));
            }
            Shape::Joined => {
                out.push(Draft::Values(values(context, &column, around, Reading::Run)))
            }
            Shape::Set(slots) => {
                let records = column.into_iter().map(records_of).collect();
                let called = name::of_set(&slot.hints, outside.hints);
                out.push(Draft::Set(SetDraft {
                    is_called: called.is_some(),
                    name: called.unwrap_or_else(|| name::of_set_of(&slot.hints.tag)),
                    variants: vec![Variant { slots, records }],
                }));
            }
            Shape::Tuple(slots) => {
                let rows: Vec<Vec<&Value>> = column.into_iter().map(parts_of).collect();
                drafts(context, slots, &rows, around, out);
            }
        }
        if let Some(label) = slot.hints.introduced_by() {
            name_by_label(&mut out[start..], label);
        }
    }
}

fn records_of(value: &Value) -> &[Vec<Value>] {
    match value {
        Value::Set(records) => records,
        _ => &[],
    }
}

fn parts_of(value: &Value) -> Vec<&Value> {
    match value {
        Value::Tuple(parts) => parts.iter().collect(),
        _ => Vec::new(),
    }
}

/// A label names the one value that stands beside it, whatever the markup calls that: `class="value"` is no name.
fn name_by_label(drafts: &mut [Draft<'_>], label: &str) {
    let name = name::snake(label);
    if !name::is_name(&name) {
        return;
    }
    let is_value = |draft: &&mut Draft<'_>| match draft {
        Draft::Values(values) => values.reading != Reading::Run && !values.is_template(),
        Draft::Set(_) => true,
    };
    let mut found: Vec<&mut Draft<'_>> = drafts.iter_mut().filter(is_value).collect();
    if let [Draft::Values(values)] = &mut found[..] {
        values.label = Some(label.to_owned());
        values.name = name;
        values.is_called = true;
    }
}

fn values(
    context: &Context<'_>,
    column: &[&Value],
    around: Around<'_>,
    reading: Reading,
) -> Values {
    let place = |value: &&Value| match value {
        Value::Basic(place) => Some(place.clone()),
        _ => None,
    };
    let places: Vec<Option<Place>> = column.iter().map(place).collect();
    let first = |place: &Place| context.boughs[place.page].leaf(place.leaves.start);
    let all = |read: &dyn Fn(&Place) -> Option<String>| -> Vec<Option<String>> {
        places.iter().map(|place| place.as_ref().and_then(read)).collect()
    };
    let is_image = reading == Reading::Leaf
        && places.iter().flatten().any(|place| first(place).kind == LeafKind::Image);
    let texts = all(&|place| match is_image {
        true => first(place).src.map(str::to_owned),
        false => Some(text(context, place)),
    });
    let alt =
        |place: &Place| Some(first(place).text.to_owned()).filter(|it| is_image && !it.is_empty());
    // The links of a run are those of its parts.
    let link =
        |place: &Place| first(place).link.filter(|_| reading != Reading::Run).map(str::to_owned);
    let types = places.iter().flatten().map(|place| first(place).data_type);
    let data_type = if reading == Reading::Leaf { most(types) } else { DataType::String };
    let affixes = match is_image || reading == Reading::Run {
        true => Affixes::default(),
        false => Affixes::of(texts.iter().flatten().map(String::as_str), data_type),
    };
    let label = around.hints.and_then(|hints| hints.introduced_by()).map(str::to_owned);
    let is_label = label.as_deref().is_some_and(|label| {
        texts.iter().flatten().all(|text| name::snake(text) == name::snake(label))
    });
    let introduced =
        || label_before(context, &places).or_else(|| affixes.label().map(str::to_owned));
    let label = label.or_else(introduced);
    let called = label
        .as_deref()
        .map(name::snake)
        .filter(|name| name::is_name(name))
        .or_else(|| around.hints.and_then(name::from_hints));
    Values {
        is_called: called.is_some(),
        name: name_of(called, reading, is_label, around.tag, data_type),
        label,
        is_label,
        is_heading: is_heading(around.tag),
        reading,
        data_type,
        affixes,
        texts,
        alts: all(&alt),
        links: all(&link),
    }
}

fn name_of(
    called: Option<String>,
    reading: Reading,
    is_label: bool,
    tag: &str,
    data_type: DataType,
) -> String {
    match (called, reading) {
        (Some(name), _) if is_label => format!("{name}_label"),
        (Some(name), Reading::Run) => format!("{name}_text"),
        (Some(name), _) => name,
        (None, Reading::Run) => "text".into(),
        (None, _) => name::from_kind(tag, data_type),
    }
}

/// The words with a colon that stand right before nearly all of some places.
fn label_before(context: &Context<'_>, places: &[Option<Place>]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut n_places = 0;
    for place in places.iter().flatten() {
        n_places += 1;
        let Some(before) = place.leaves.start.checked_sub(1) else { continue };
        let text = context.boughs[place.page].leaf(before).text;
        if let Some(label) = text.strip_suffix([':', '：']) {
            *counts.entry(label.trim_end()).or_default() += 1;
        }
    }
    let (label, n) = counts.into_iter().max_by_key(|(label, n)| (*n, std::cmp::Reverse(*label)))?;
    (n > 1 && n * 10 >= n_places * 8).then(|| label.to_owned())
}

/// The text of a place. Leaves are joined as they stand on the page, with a blank only where there is one.
fn text(context: &Context<'_>, place: &Place) -> String {
    let bough = &context.boughs[place.page];
    // A value for machines beside the text for people would say it twice.
    let is_said = |leaf: &Leaf<'_>| place.leaves.len() == 1 || leaf.kind != LeafKind::Value;
    let mut out = String::new();
    for leaf in place.leaves.clone().map(|leaf| bough.leaf(leaf)).filter(is_said) {
        if leaf.is_apart && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(leaf.text);
    }
    out
}

/// The most frequent type; of equally frequent ones the first in their order.
pub(super) fn most(types: impl Iterator<Item = DataType>) -> DataType {
    let mut counts: BTreeMap<DataType, usize> = BTreeMap::new();
    for data_type in types {
        *counts.entry(data_type).or_default() += 1;
    }
    let best = counts.into_iter().max_by_key(|(data_type, n)| (*n, std::cmp::Reverse(*data_type)));
    best.map_or(DataType::String, |(data_type, _)| data_type)
}

/// Join what the pages call by one name and never have twice: alternatives, of which each page shows one.
pub(super) fn merge_alternatives(drafts: Vec<Draft<'_>>) -> Vec<Draft<'_>> {
    let mut merged: Vec<Draft<'_>> = Vec::new();
    for draft in drafts {
        match merged.iter_mut().find(|other| are_alternatives(other, &draft)) {
            Some(twin) => take_over(twin, draft),
            None => merged.push(draft),
        }
    }
    merged
}

fn are_alternatives(left: &Draft<'_>, right: &Draft<'_>) -> bool {
    match (left, right) {
        (Draft::Values(left), Draft::Values(right)) => left.is_alternative_to(right),
        (Draft::Set(left), Draft::Set(right)) => left.is_alternative_to(right),
        _ => false,
    }
}

fn take_over<'v>(twin: &mut Draft<'v>, draft: Draft<'v>) {
    match (twin, draft) {
        (Draft::Values(twin), Draft::Values(values)) => twin.take_over(values),
        (Draft::Set(twin), Draft::Set(set)) => twin.variants.extend(set.variants),
        _ => {}
    }
}

impl SetDraft<'_> {
    /// How many records an instance has.
    pub(super) fn n_records(&self, instance: usize) -> usize {
        self.variants.iter().map(|variant| variant.records[instance].len()).sum()
    }

    fn is_alternative_to(&self, other: &SetDraft<'_>) -> bool {
        let n_instances = self.variants[0].records.len();
        self.is_called
            && other.is_called
            && self.name == other.name
            && (0..n_instances).all(|it| self.n_records(it) == 0 || other.n_records(it) == 0)
    }
}

impl Values {
    /// Whether it says the same everywhere. What only some have tells these from the others, unless it is a heading or a
    /// mere mark.
    pub(super) fn is_template(&self) -> bool {
        let is_telling = self.texts.iter().any(Option::is_none) && !self.is_heading;
        let is_same = !is_telling && is_constant(&self.texts) || !has_words(&self.texts);
        self.is_label || is_same
    }

    fn is_alternative_to(&self, other: &Values) -> bool {
        let never_both = || {
            let mut pairs = self.texts.iter().zip(&other.texts);
            pairs.all(|(left, right)| left.is_none() || right.is_none())
        };
        self.is_called
            && other.is_called
            && self.name == other.name
            && self.data_type == other.data_type
            && self.is_label == other.is_label
            && self.reading == other.reading
            && never_both()
    }

    fn take_over(&mut self, other: Values) {
        let fill = |into: &mut Vec<Option<String>>, from: Vec<Option<String>>| {
            for (into, from) in into.iter_mut().zip(from) {
                *into = into.take().or(from);
            }
        };
        fill(&mut self.texts, other.texts);
        fill(&mut self.alts, other.alts);
        fill(&mut self.links, other.links);
        if self.reading != Reading::Run {
            let texts = self.texts.iter().flatten().map(String::as_str);
            self.affixes = Affixes::of(texts, self.data_type);
        }
    }
}

fn has_words(values: &[Option<String>]) -> bool {
    values.iter().flatten().any(|value| value.contains(char::is_alphanumeric))
}

/// Whether there are several values and all are the same.
pub(super) fn is_constant(values: &[Option<String>]) -> bool {
    let mut present = values.iter().flatten();
    let Some(first) = present.next() else { return true };
    let mut n = 1;
    present.all(|value| {
        n += 1;
        value == first
    }) && n > 1
}
