//! From an induction to its machine.

use super::order::Seen;
use super::steps::{StepId, Steps};
use super::{Depths, Kind, Look, Machine, Node, Records, Spot, State, kind_of};
use crate::induce::{Built, Context};
use crate::name::snake;
use crate::schema::{Place, Reading, Shape, Slot, SlotId, Value};
use crate::twig::{Bough, Symbol, TwigId};
use page::DataType;
use std::collections::{BTreeMap, BTreeSet};

/// The machine of the slots of an induction, which are numbered, and of the values all pages have for them.
pub(crate) fn build(context: &Context<'_>, built: &Built) -> Machine {
    let mut builder = Builder::new(context, &built.slots);
    for (page, values) in built.values.iter().enumerate() {
        let mut pass = Pass::new(context, page);
        builder.visit(&mut pass, 0, &built.slots, values);
        builder.take_in(context, &pass);
    }
    builder.finish()
}

/// What is gathered of one slot.
#[derive(Default)]
struct Draft {
    parent: SlotId,
    shape: DraftShape,
    n_present: u32,
    seen: Seen,
    texts: Texts,
    hosts: BTreeSet<StepId>,
    /// The elements it is.
    own_steps: BTreeSet<StepId>,
    /// The label that it is, or that introduces it.
    label: Option<String>,
    /// How deep its parts have an element in common, how deep its records stand, how deep its texts.
    common: Depths,
    record_hosts: Depths,
    elements: Depths,
    members: BTreeSet<SlotId>,
    /// How deep records were, and how often.
    depths: BTreeMap<u16, usize>,
    starts: BTreeSet<SlotId>,
    has_long_records: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum DraftShape {
    #[default]
    Tuple,
    Set,
    Text(Reading),
}

/// What the texts of a state have in common.
#[derive(Default)]
struct Texts {
    n: u32,
    first: Option<String>,
    differ: bool,
    types: BTreeMap<DataType, u32>,
    shortest: Option<u32>,
    longest: u32,
}

impl Texts {
    fn add(&mut self, text: &str, data_type: DataType) {
        self.n += 1;
        match &self.first {
            None => self.first = Some(text.to_owned()),
            Some(first) => self.differ |= first != text,
        }
        *self.types.entry(data_type).or_default() += 1;
        let len = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        self.shortest = Some(self.shortest.map_or(len, |shortest| shortest.min(len)));
        self.longest = self.longest.max(len);
    }

    fn into_look(self, label: Option<&str>, elements: Depths) -> Look {
        let first = self.first.filter(|text| !self.differ && !text.is_empty());
        let is_said = |label: &str| first.as_deref().is_some_and(|it| snake(it) == snake(label));
        let is_label = label.is_some_and(is_said);
        // What was seen once may be anything, but for a label, which is known to be one.
        let text = first.filter(|_| is_label || self.n > 1);
        Look {
            n: self.n,
            is_label,
            elements,
            text,
            types: self.types.into_iter().collect(),
            shortest: self.shortest.unwrap_or_default(),
            longest: self.longest,
        }
    }
}

/// The records a leaf is part of, the outermost first: the set, and how deep they are if that can be told.
type InRecords = Vec<(SlotId, Option<u16>)>;
/// By state, for each of its leaves the records it is part of.
type States = BTreeMap<SlotId, Vec<InRecords>>;

/// One page on its way through.
struct Pass {
    page: usize,
    /// By leaf, its state and the records it is part of.
    labels: Vec<Option<(SlotId, InRecords)>>,
    /// The sets that are open.
    open: InRecords,
    runs: Vec<(SlotId, Place)>,
    /// Instances of slots that have parts, and the elements they are.
    elements: Vec<(SlotId, TwigId)>,
    /// By twig, the one it stands in, and how deep it is.
    parents: Vec<TwigId>,
    depths: Vec<u16>,
    /// By leaf, its twig.
    twigs: Vec<TwigId>,
}

impl Pass {
    fn new(context: &Context<'_>, page: usize) -> Pass {
        let bough = &context.boughs[page];
        let mut parents = vec![bough.root(); bough.twigs.len()];
        let mut depths: Vec<u16> = vec![0; bough.twigs.len()];
        let mut twigs = vec![bough.root(); bough.leaves.len()];
        for (index, twig) in bough.twigs.iter().enumerate() {
            for child in &twig.children {
                parents[child.index()] = TwigId(u32::try_from(index).unwrap_or(u32::MAX));
                depths[child.index()] = depths[index].saturating_add(1);
            }
            if let Some(leaf) = twig.leaf {
                twigs[leaf] = TwigId(u32::try_from(index).unwrap_or(u32::MAX));
            }
        }
        let labels = vec![None; bough.leaves.len()];
        Pass {
            page,
            labels,
            open: Vec::new(),
            runs: Vec::new(),
            elements: Vec::new(),
            parents,
            depths,
            twigs,
        }
    }

    /// The twig at a depth that a leaf is in.
    fn at_depth(&self, leaf: usize, depth: u16) -> TwigId {
        let mut twig = self.twigs[leaf];
        while self.depths[twig.index()] > depth {
            twig = self.parents[twig.index()];
        }
        twig
    }

    /// How deep the elements are that some records consist of: one below what they all stand in.
    fn depth_of_records(&self, firsts: &[usize]) -> Option<u16> {
        let (first, rest) = firsts.split_first()?;
        let mut common = self.twigs[*first];
        for leaf in rest {
            let depth = self.depths[common.index()];
            let mut other = self.at_depth(*leaf, depth);
            while self.depths[common.index()] > self.depths[other.index()] {
                common = self.parents[common.index()];
            }
            while common != other {
                common = self.parents[common.index()];
                other = self.parents[other.index()];
            }
        }
        (!rest.is_empty()).then(|| self.depths[common.index()] + 1)
    }
}

struct Builder {
    drafts: Vec<Draft>,
    steps: Steps,
    spots: BTreeMap<(StepId, u8), States>,
    follows: BTreeMap<(SlotId, SlotId), u32>,
}

impl Builder {
    fn new(context: &Context<'_>, slots: &[Slot]) -> Builder {
        let mut steps = Steps::new();
        let mut roles: BTreeMap<Symbol, usize> = BTreeMap::new();
        for twig in context.boughs.iter().flat_map(|bough| &bough.twigs) {
            *roles.entry(twig.class).or_default() += 1;
        }
        steps.learn_words(context.symbols, &roles, context.boughs.len());
        let mut drafts = vec![Draft::default()];
        prepare(slots, 0, &mut drafts);
        Builder { drafts, steps, spots: BTreeMap::new(), follows: BTreeMap::new() }
    }

    /// Go through the values of an instance. Where each part begins comes back by way of the order seen.
    fn visit(
        &mut self,
        pass: &mut Pass,
        container: SlotId,
        slots: &[Slot],
        values: &[Value],
    ) -> Option<usize> {
        let mut starts: Vec<(usize, SlotId)> = Vec::new();
        for (slot, value) in slots.iter().zip(values) {
            match (value, &slot.shape) {
                (Value::Basic(place), Shape::Text(Reading::Run)) => {
                    self.drafts[slot.id].n_present += 1;
                    pass.runs.push((slot.id, place.clone()));
                }
                (Value::Basic(place), Shape::Text(_)) => {
                    self.drafts[slot.id].n_present += 1;
                    starts.push((place.leaves.start, slot.id));
                    for leaf in place.leaves.clone() {
                        pass.labels[leaf] = Some((slot.id, pass.open.clone()));
                    }
                }
                (Value::Tuple(parts), Shape::Tuple(inner)) => {
                    self.drafts[slot.id].n_present += 1;
                    let start = self.visit(pass, slot.id, inner, parts);
                    starts.extend(start.map(|start| (start, slot.id)));
                }
                (Value::Set(records), Shape::Set(inner)) => {
                    self.drafts[slot.id].n_present += 1;
                    starts.extend(
                        self.records(pass, slot.id, inner, records)
                            .into_iter()
                            .map(|it| (it, slot.id)),
                    );
                }
                _ => {}
            }
        }
        starts.sort_unstable();
        for pair in starts.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
            if let Some(depth) = pass.depth_of_records(&[pair[0].0, pair[1].0]) {
                self.drafts[container].common.add(depth - 1);
                pass.elements.push((container, pass.at_depth(pair[0].0, depth - 1)));
            }
        }
        let sequence: Vec<SlotId> = starts.iter().map(|(_, slot)| *slot).collect();
        self.drafts[container].seen.add(&sequence);
        starts.first().map(|(start, _)| *start)
    }

    /// Go through the records of a set, and give the first leaf of each.
    fn records(
        &mut self,
        pass: &mut Pass,
        set: SlotId,
        slots: &[Slot],
        records: &[Vec<Value>],
    ) -> Vec<usize> {
        let firsts: Vec<usize> = records.iter().filter_map(|record| first_leaf(record)).collect();
        let depth = pass.depth_of_records(&firsts);
        if let Some(depth) = depth {
            *self.drafts[set].depths.entry(depth).or_default() += 1;
            self.drafts[set].record_hosts.add(depth - 1);
        }
        pass.open.push((set, depth));
        for record in records {
            self.visit(pass, set, slots, record);
            if let Some(depth) = depth {
                self.note_starts(pass, set, record, depth);
            }
        }
        pass.open.pop();
        firsts
    }

    /// Which states the first element of a record has, and whether there are more elements.
    fn note_starts(&mut self, pass: &Pass, set: SlotId, record: &[Value], depth: u16) {
        let mut leaves = Vec::new();
        leaves_of(record, &mut leaves);
        let Some(first) = leaves.iter().min().map(|leaf| pass.at_depth(*leaf, depth)) else {
            return;
        };
        for leaf in leaves {
            if pass.at_depth(leaf, depth) != first {
                self.drafts[set].has_long_records = true;
            } else if let Some((slot, _)) = &pass.labels[leaf] {
                self.drafts[set].starts.insert(*slot);
            }
        }
    }

    /// Take in the leaves of a page, now that all have their states.
    fn take_in(&mut self, context: &Context<'_>, pass: &Pass) {
        let bough = &context.boughs[pass.page];
        let steps = self.steps_of(context, bough);
        let mut last = 0;
        for (position, label) in pass.labels.iter().enumerate() {
            let Some((slot, records)) = label else { continue };
            let leaf = bough.leaf(position);
            let twig = pass.twigs[position];
            let step = steps[pass.parents[twig.index()].index()];
            let draft = &mut self.drafts[*slot];
            let text = if leaf.text.is_empty() { leaf.src.unwrap_or_default() } else { leaf.text };
            draft.texts.add(text, leaf.data_type());
            draft.elements.add(pass.depths[twig.index()].saturating_sub(1));
            let states = self.spots.entry((step, kind_of(leaf.attribute))).or_default();
            states.entry(*slot).or_default().push(records.clone());
            *self.follows.entry((last, *slot)).or_default() += 1;
            last = *slot;
        }
        *self.follows.entry((last, 0)).or_default() += 1;
        self.note_prose(pass, &steps);
        for (slot, twig) in &pass.elements {
            self.drafts[*slot].own_steps.insert(steps[twig.index()]);
        }
        for (run, place) in &pass.runs {
            let members = pass.labels[place.leaves.clone()].iter().flatten().map(|(slot, _)| *slot);
            self.drafts[*run].members.extend(members);
        }
    }

    /// Where prose stands: in the element that all leaves of a stretch have in common.
    fn note_prose(&mut self, pass: &Pass, steps: &[StepId]) {
        let mut start = 0;
        while start < pass.labels.len() {
            let slot = pass.labels[start].as_ref().map(|(slot, _)| *slot);
            let same = |label: &Option<(SlotId, _)>| label.as_ref().map(|(slot, _)| *slot) == slot;
            let end = start + pass.labels[start..].iter().take_while(|label| same(label)).count();
            if let Some(slot) = slot
                && self.drafts[slot].shape == DraftShape::Text(Reading::Prose)
            {
                let leaves: Vec<usize> = (start..end).collect();
                let host = match pass.depth_of_records(&leaves) {
                    Some(depth) => pass.at_depth(start, depth - 1),
                    None => pass.parents[pass.twigs[start].index()],
                };
                self.drafts[slot].hosts.insert(steps[host.index()]);
            }
            start = end.max(start + 1);
        }
    }

    /// By twig of a page, its step.
    fn steps_of(&mut self, context: &Context<'_>, bough: &Bough) -> Vec<StepId> {
        let mut steps = vec![0; bough.twigs.len()];
        for (index, twig) in bough.twigs.iter().enumerate() {
            for child in &twig.children {
                let inner = bough.twig(*child);
                if inner.leaf.is_none() {
                    let role = self.steps.meaning(context.symbols.name(inner.class));
                    let tag = context.symbols.name(inner.tag);
                    steps[child.index()] = self.steps.intern(steps[index], tag, &role);
                }
            }
        }
        steps
    }

    fn finish(self) -> Machine {
        let depths: Vec<u16> = self.drafts.iter().map(|draft| most(&draft.depths)).collect();
        let spots = self
            .spots
            .into_iter()
            .map(|((step, kind), states)| {
                let states = states.into_iter().map(|(slot, seen)| state(slot, &seen, &depths));
                Spot { step, kind, states: states.collect() }
            })
            .collect();
        let follows = self.follows.into_iter().map(|((a, b), n)| (a, b, n)).collect();
        let nodes = self.drafts.into_iter().map(Draft::into_node).collect();
        Machine { steps: self.steps, nodes, spots, follows }
    }
}

/// A state of a spot: how often, and how deep its records mostly are.
fn state(slot: SlotId, seen: &[InRecords], depths: &[u16]) -> State {
    let n_sets = seen.first().map_or(0, Vec::len);
    let depth_of = |level: usize| {
        let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
        for (_, depth) in seen.iter().filter_map(|records| records.get(level)) {
            if let Some(depth) = depth {
                *counts.entry(*depth).or_default() += 1;
            }
        }
        let set = seen.first().map_or(0, |records| records[level].0);
        if counts.is_empty() { depths[set] } else { most(&counts) }
    };
    let n = u32::try_from(seen.len()).unwrap_or(u32::MAX);
    State { slot, n, depths: (0..n_sets).map(depth_of).collect() }
}

impl Draft {
    fn into_node(self) -> Node {
        let is_deep = self.common.0.is_some_and(|(least, _)| least > PAGE_DEPTH);
        let is_free = is_deep && self.seen.is_ragged();
        let elements = if is_free { self.own_steps.into_iter().collect() } else { Vec::new() };
        let kind = match self.shape {
            DraftShape::Tuple => Kind::Tuple(self.seen.into_order()),
            DraftShape::Set => {
                let starts = if self.has_long_records { self.starts } else { BTreeSet::new() };
                let depth = most(&self.depths);
                let starts = starts.into_iter().collect();
                let records = Records { depth, hosts: self.record_hosts, starts };
                Kind::Set(self.seen.into_order(), records)
            }
            DraftShape::Text(Reading::Run) => Kind::Run(self.members.into_iter().collect()),
            DraftShape::Text(Reading::Leaf) => {
                Kind::Leaf(self.texts.into_look(self.label.as_deref(), self.elements))
            }
            DraftShape::Text(Reading::Prose) => {
                let look = self.texts.into_look(None, self.elements);
                Kind::Prose(look, self.hosts.into_iter().collect())
            }
        };
        Node {
            parent: self.parent,
            kind,
            n_present: self.n_present,
            depths: self.common,
            elements,
            is_free,
        }
    }
}

/// What is no deeper than this is the frame of a page, which is there even where its parts come and go.
const PAGE_DEPTH: u16 = 3;

fn prepare(slots: &[Slot], parent: SlotId, drafts: &mut Vec<Draft>) {
    for slot in slots {
        let shape = match &slot.shape {
            Shape::Text(reading) => DraftShape::Text(*reading),
            Shape::Tuple(_) => DraftShape::Tuple,
            Shape::Set(_) => DraftShape::Set,
        };
        let label = slot.hints.label.clone().or_else(|| drafts[parent].label.clone());
        if slot.hints.label.is_some() {
            drafts[parent].seen.add_labelled(slot.id);
        }
        drafts.push(Draft { parent, shape, label, ..Draft::default() });
        if let Shape::Tuple(inner) | Shape::Set(inner) = &slot.shape {
            prepare(inner, slot.id, drafts);
        }
    }
}

fn most(counts: &BTreeMap<u16, usize>) -> u16 {
    counts.iter().max_by_key(|(depth, n)| (**n, **depth)).map_or(0, |(depth, _)| *depth)
}

fn first_leaf(values: &[Value]) -> Option<usize> {
    let mut leaves = Vec::new();
    leaves_of(values, &mut leaves);
    leaves.into_iter().min()
}

/// All leaves of some values, those of runs left out, which others have too.
fn leaves_of(values: &[Value], out: &mut Vec<usize>) {
    for value in values {
        match value {
            Value::Missing => {}
            Value::Basic(place) => out.extend(place.leaves.clone()),
            Value::Tuple(parts) => leaves_of(parts, out),
            Value::Set(records) => {
                for record in records {
                    leaves_of(record, out);
                }
            }
        }
    }
}
