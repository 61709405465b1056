//! Fields before they have a name of their own: what each row has for them, and what the pages call them.
//!
//! A row is a page or a record. Only what a row has is kept, so that a thousand columns of which each row has a few cost
//! no more than these few.

use super::affix::Affixes;
use crate::induce::Context;
use crate::name;
use crate::schema::{Hints, Place, Reading, Shape, Slot, SlotId, Value};
use crate::text;
use page::{DataType, LeafKind};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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

/// Records built in one way, by row.
pub(super) struct Variant<'v> {
    pub(super) id: SlotId,
    pub(super) slots: &'v [Slot],
    pub(super) records: Vec<(usize, &'v [Vec<Value>])>,
}

/// The parts of some rows, in their order.
pub(super) type Rows<'v> = Vec<(usize, &'v [Value])>;
/// What some rows have for one field, in their order.
pub(super) type Cells = Vec<(usize, String)>;

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
    /// What it is read from.
    pub(super) slots: Vec<SlotId>,
    /// How many rows there are.
    n_rows: usize,
    pub(super) texts: Cells,
    pub(super) alts: Cells,
    pub(super) links: Cells,
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
        let has_tag = !matches!(&*hints.tag, "" | "#text") && !name::is_heading(self.tag);
        let names = match &*hints.tag {
            // What the whole page is called says nothing of its parts.
            "html" | "head" | "body" => None,
            _ if has_name => Some(hints),
            // A heading is a title, whatever it stands in.
            tag if name::is_heading(tag) => None,
            _ => self.hints,
        };
        Around { hints: names, tag: if has_tag { &hints.tag } else { self.tag } }
    }
}

/// All fields of some rows, of which there are `n_rows`, tuples within tuples flattened.
pub(super) fn drafts<'v>(
    context: &Context<'_>,
    slots: &'v [Slot],
    rows: &Rows<'v>,
    n_rows: usize,
    outside: Around<'v>,
    out: &mut Vec<Draft<'v>>,
) {
    for (index, slot) in slots.iter().enumerate() {
        let around = outside.inside(&slot.hints);
        let column = rows.iter().filter_map(|(row, parts)| Some((*row, parts.get(index)?)));
        let start = out.len();
        match &slot.shape {
            Shape::Set(slots) => {
                let called = name::of_set(&slot.hints, outside.hints);
                let records = column.filter_map(records_of).collect();
                out.push(Draft::Set(SetDraft {
                    is_called: called.is_some(),
                    name: called.unwrap_or_else(|| name::of_set_of(&slot.hints.tag)),
                    variants: vec![Variant { id: slot.id, slots, records }],
                }));
            }
            Shape::Tuple(slots) => {
                let rows: Rows<'v> = column.filter_map(parts_of).collect();
                drafts(context, slots, &rows, n_rows, around, out);
            }
            Shape::Text(reading) => {
                let places: Vec<(usize, &Place)> = column.filter_map(place_of).collect();
                let slots = vec![slot.id];
                let values = values(context, &places, n_rows, around, *reading);
                out.push(Draft::Values(Values { slots, ..values }));
            }
        }
        if let Some(label) = slot.hints.introduced_by() {
            name_by_label(&mut out[start..], label);
        }
    }
}

fn records_of((row, value): (usize, &Value)) -> Option<(usize, &[Vec<Value>])> {
    match value {
        Value::Set(records) => Some((row, records)),
        _ => None,
    }
}

fn parts_of((row, value): (usize, &Value)) -> Option<(usize, &[Value])> {
    match value {
        Value::Tuple(parts) => Some((row, parts)),
        _ => None,
    }
}

fn place_of((row, value): (usize, &Value)) -> Option<(usize, &Place)> {
    match value {
        Value::Basic(place) => Some((row, place)),
        _ => None,
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
    places: &[(usize, &Place)],
    n_rows: usize,
    around: Around<'_>,
    reading: Reading,
) -> Values {
    let first = |place: &Place| context.boughs[place.page].leaf(place.leaves.start);
    let all = |read: &dyn Fn(&Place) -> Option<String>| -> Cells {
        places.iter().filter_map(|(row, place)| Some((*row, read(place)?))).collect()
    };
    let is_image = reading == Reading::Leaf
        && places.iter().any(|(_, place)| first(place).kind == LeafKind::Image);
    let texts = all(&|place| match is_image {
        true => first(place).src.map(str::to_owned),
        false => Some(text(context, place)),
    });
    let alt =
        |place: &Place| Some(first(place).text.to_owned()).filter(|it| is_image && !it.is_empty());
    // The links of a run are those of its parts.
    let link =
        |place: &Place| first(place).link.filter(|_| reading != Reading::Run).map(str::to_owned);
    let types = places.iter().map(|(_, place)| first(place).data_type());
    let data_type = if reading == Reading::Leaf { most(types) } else { DataType::String };
    let affixes = match is_image || reading == Reading::Run {
        true => Affixes::default(),
        false => Affixes::of(texts.iter().map(|(_, text)| &**text), data_type),
    };
    let label = around.hints.and_then(|hints| hints.introduced_by()).map(str::to_owned);
    let is_label = label
        .as_deref()
        .is_some_and(|label| texts.iter().all(|(_, text)| name::snake(text) == name::snake(label)));
    let introduced =
        || label_before(context, places).or_else(|| affixes.label().map(str::to_owned));
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
        is_heading: name::is_heading(around.tag),
        reading,
        data_type,
        affixes,
        slots: Vec::new(),
        n_rows,
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
fn label_before(context: &Context<'_>, places: &[(usize, &Place)]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, place) in places {
        let Some(before) = place.leaves.start.checked_sub(1) else { continue };
        let text = context.boughs[place.page].leaf(before).text;
        if let Some(label) = text.strip_suffix([':', '：']) {
            *counts.entry(label.trim_end()).or_default() += 1;
        }
    }
    let (label, n) = counts.into_iter().max_by_key(|(label, n)| (*n, std::cmp::Reverse(*label)))?;
    (n > 1 && n * 10 >= places.len() * 8).then(|| label.to_owned())
}

/// The text of a place.
fn text(context: &Context<'_>, place: &Place) -> String {
    let bough = &context.boughs[place.page];
    text::joined(place.leaves.clone().map(|leaf| bough.leaf(leaf)))
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
    /// What comes more often than this under one name is not alternatives.
    const MAX_TWINS: usize = 20;
    let mut merged: Vec<Draft<'_>> = Vec::new();
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for draft in drafts {
        let called = by_name.entry(draft.name().to_owned()).or_default();
        let mut twins = called.iter().take(MAX_TWINS).copied();
        match twins.find(|index| are_alternatives(&merged[*index], &draft)) {
            Some(index) => take_over(&mut merged[index], draft),
            None => {
                called.push(merged.len());
                merged.push(draft);
            }
        }
    }
    merged
}

impl Draft<'_> {
    fn name(&self) -> &str {
        match self {
            Draft::Values(values) => &values.name,
            Draft::Set(set) => &set.name,
        }
    }
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
    fn is_alternative_to(&self, other: &SetDraft<'_>) -> bool {
        let rows = |set: &SetDraft<'_>| -> BTreeSet<usize> {
            set.variants.iter().flat_map(|it| it.records.iter().map(|(row, _)| *row)).collect()
        };
        self.is_called
            && other.is_called
            && self.name == other.name
            && rows(self).is_disjoint(&rows(other))
    }
}

impl Values {
    /// Whether it says the same everywhere. What only some have tells these from the others, unless it is a heading or a
    /// mere mark.
    pub(super) fn is_template(&self) -> bool {
        let is_telling = self.texts.len() < self.n_rows && !self.is_heading;
        let is_same = !is_telling && is_constant(&self.texts) || !has_words(&self.texts);
        self.is_label || is_same
    }

    fn is_alternative_to(&self, other: &Values) -> bool {
        self.is_called
            && other.is_called
            && self.name == other.name
            && self.data_type == other.data_type
            && self.is_label == other.is_label
            && self.reading == other.reading
            && have_no_row_in_common(&self.texts, &other.texts)
    }

    fn take_over(&mut self, other: Values) {
        let fill = |into: &mut Cells, from: Cells| {
            into.extend(from);
            into.sort_by_key(|(row, _)| *row);
        };
        self.slots.extend(other.slots);
        fill(&mut self.texts, other.texts);
        fill(&mut self.alts, other.alts);
        fill(&mut self.links, other.links);
        if self.reading != Reading::Run {
            let texts = self.texts.iter().map(|(_, text)| &**text);
            self.affixes = Affixes::of(texts, self.data_type);
        }
    }
}

fn have_no_row_in_common(left: &Cells, right: &Cells) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        match left[i].0.cmp(&right[j].0) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => return false,
        }
    }
    true
}

fn has_words(values: &Cells) -> bool {
    values.iter().any(|(_, value)| value.contains(char::is_alphanumeric))
}

/// Whether there are several values and all are the same.
pub(super) fn is_constant(values: &Cells) -> bool {
    match values.as_slice() {
        [] => true,
        [_] => false,
        [(_, first), rest @ ..] => rest.iter().all(|(_, value)| value == first),
    }
}
