//! The finite state machine of a wrapper: one state for each place of the template that holds leaves.
//!
//! `build` makes it from an induction, `adapt` renames its elements, `steps` knows the elements that leaves sit in, `order` which state may follow
//! which, `tables` what is looked up often, `candidates` the states that a leaf may have, `beam` follows the best ways from leaf to leaf, `assign` goes
//! through a page with it, `recall` spares it what earlier pages had to the letter, `records` finds the records that leaves are part of, and `read` turns all that into data. `check` looks over a machine that comes from a file. `names` says what states are called, `tell` what does
//! not fit, `trace` how the state of a leaf was found and which others there were.

mod adapt;
mod assign;
mod beam;
mod build;
mod candidates;
mod check;
mod lists;
mod names;
mod order;
mod read;
mod recall;
mod records;
mod steps;
mod tables;
mod tell;
mod trace;

pub(crate) use adapt::Wardrobe;
pub(crate) use assign::{Assigned, Misfit, Scratch};
pub(crate) use build::build;
pub(crate) use names::Names;
pub(crate) use read::{Cell, CellLeaves, Plan, Reader};
pub(crate) use records::Labelled;
pub(crate) use steps::Step;
pub(crate) use tables::Tables;
pub(crate) use tell::Teller;
pub(crate) use trace::{Absence, Choice, Chooser};

use crate::schema::SlotId;
use order::Order;
use page::DataType;
use serde::{Deserialize, Serialize};
use steps::{StepId, Steps};

/// All that is needed to label the leaves of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Machine {
    steps: Steps,
    /// By slot, the page itself first.
    nodes: Vec<Node>,
    /// Where leaves were seen, sorted by element and kind.
    spots: Vec<Spot>,
    /// How often one state came right after another, sorted. Slot 0 is the start and the end of a page.
    follows: Vec<(SlotId, SlotId, u32)>,
}

/// A slot of the template.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Node {
    parent: SlotId,
    kind: Kind,
    /// How many instances of its parent have it.
    n_present: u32,
    /// How deep in the page its parts have an element in common.
    #[serde(default)]
    depths: Depths,
    /// The elements it is, in which something new may stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    elements: Vec<StepId>,
    /// Whether its parts come and go, so that anything new in it is no surprise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_free: bool,
}

/// The depths that something was seen at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Depths(Option<(u16, u16)>);

impl Depths {
    fn add(&mut self, depth: u16) {
        let (least, most) = self.0.unwrap_or((depth, depth));
        self.0 = Some((least.min(depth), most.max(depth)));
    }

    /// Whether something may be at a depth; anywhere, if it never was.
    fn contains(self, depth: u16) -> bool {
        self.0.is_none_or(|(least, most)| (least..=most).contains(&depth))
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// One leaf.
    Leaf(Look),
    /// A stretch of leaves, with whatever markup inside. It stands in these elements.
    Prose(Look, Vec<StepId>),
    /// The text of a stretch of leaves that have states of their own.
    Run(Vec<SlotId>),
    Tuple(Order),
    Set(Order, Records),
}

impl Kind {
    /// What its leaves look like, if it is a state.
    fn look(&self) -> Option<&Look> {
        match self {
            Kind::Leaf(look) | Kind::Prose(look, _) => Some(look),
            _ => None,
        }
    }
}

/// How records of a set are told apart.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Records {
    /// How deep in the page the elements are that records consist of, most often.
    depth: u16,
    /// How deep the elements are that records stand in.
    #[serde(default)]
    hosts: Depths,
    /// The states that a record may begin with, if it consists of several elements; else any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    starts: Vec<SlotId>,
}

/// What the leaves of a state look like.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Look {
    n: u32,
    /// What it says, if it says the same wherever it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Whether that is the label of something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_label: bool,
    /// How deep the elements are that it stands in.
    #[serde(default)]
    elements: Depths,
    /// How often a leaf was of each type.
    #[serde(with = "types")]
    types: Vec<(DataType, u32)>,
    /// The lengths of its texts.
    shortest: u32,
    longest: u32,
}

/// Leaves of one kind in one kind of element.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Spot {
    step: StepId,
    kind: u8,
    states: Vec<State>,
}

/// A state that leaves of a spot have had.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    slot: SlotId,
    n: u32,
    /// How deep the records are that it was part of, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depths: Vec<u16>,
}

/// What a leaf is made of, as a number; by the attribute that holds its value, if one does.
fn kind_of(attribute: Option<&str>) -> u8 {
    match attribute {
        None => 0,
        Some("datetime") => 1,
        Some("value") => 2,
        Some("content") => 3,
        Some(_) => 4,
    }
}

impl Machine {
    fn node(&self, slot: SlotId) -> &Node {
        &self.nodes[slot]
    }

    fn look(&self, slot: SlotId) -> Option<&Look> {
        self.nodes[slot].kind.look()
    }

    fn order(&self, slot: SlotId) -> Option<&Order> {
        match &self.nodes[slot].kind {
            Kind::Tuple(order) | Kind::Set(order, _) => Some(order),
            _ => None,
        }
    }

    /// Whether a slot may go on over leaves that have elements in common down to a depth: prose goes on, and so does a text
    /// with markup inside.
    fn is_stretch(&self, slot: SlotId, depth: u16) -> bool {
        match &self.nodes[slot].kind {
            Kind::Prose(..) => true,
            Kind::Leaf(look) => look.elements.0.is_some_and(|(least, _)| depth >= least),
            _ => false,
        }
    }

    /// Whether a slot is a state that every page had, outside of records.
    fn is_always(&self, slot: SlotId) -> bool {
        let is_in_all = |slot: &SlotId| {
            let Node { parent, n_present, kind, .. } = self.node(*slot);
            let n = self.order(*parent).map_or(0, Order::n_instances);
            *n_present == n && !matches!(kind, Kind::Set(..))
        };
        self.look(slot).is_some() && self.chain(slot).iter().skip(1).all(is_in_all)
    }

    /// How many pages it was learnt from.
    pub(crate) fn n_pages(&self) -> usize {
        self.order(0).map_or(0, |order| order.n_instances() as usize)
    }

    /// The elements that the leaves of slots stand in, from the root, as tags and classes: by slot, where most were first.
    pub(crate) fn elements(&self) -> Vec<(SlotId, Vec<(String, String)>)> {
        let steps = self.steps.all();
        let mut seen: Vec<(SlotId, u32, StepId)> = Vec::new();
        for spot in &self.spots {
            seen.extend(spot.states.iter().map(|state| (state.slot, state.n, spot.step)));
        }
        seen.sort_by_key(|(slot, n, step)| (*slot, std::cmp::Reverse(*n), *step));
        let path = |step: StepId| {
            let mut path = Vec::new();
            let mut step = step as usize;
            while let Some(it) = steps.get(step).filter(|_| step != 0) {
                path.push((it.tag.clone(), it.role.clone()));
                step = it.parent as usize;
            }
            path.reverse();
            path
        };
        seen.into_iter().map(|(slot, _, step)| (slot, path(step))).collect()
    }

    /// The first slot within a slot, or of its parts, that has leaves of its own.
    pub(crate) fn first_leaf(&self, slot: SlotId) -> Option<SlotId> {
        if let Kind::Run(members) = &self.node(slot).kind {
            return members.first().copied();
        }
        let is_within = |inner: &SlotId| self.chain(*inner).contains(&slot);
        (slot..self.nodes.len()).filter(|it| self.look(*it).is_some()).find(is_within)
    }

    /// How many leaves, or stretches of them, it was learnt from.
    pub(crate) fn n_seen(&self, slot: SlotId) -> u64 {
        let node = self.node(slot);
        u64::from(self.look(slot).map_or(node.n_present, |look| look.n))
    }

    /// The slots that a slot stands in, the page first, itself last.
    fn chain(&self, slot: SlotId) -> Vec<SlotId> {
        let mut chain = vec![slot];
        let mut slot = slot;
        while slot != 0 {
            slot = self.nodes[slot].parent;
            chain.push(slot);
        }
        chain.reverse();
        chain
    }

    /// The sets that a slot stands in, the outermost first.
    fn sets(&self, slot: SlotId) -> Vec<SlotId> {
        let is_set = |slot: &SlotId| matches!(self.nodes[*slot].kind, Kind::Set(..));
        self.chain(slot).into_iter().filter(is_set).collect()
    }
}

/// Types by their names.
mod types {
    use page::DataType;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        types: &[(DataType, u32)],
        out: S,
    ) -> Result<S::Ok, S::Error> {
        let named: Vec<(&str, u32)> = types.iter().map(|(it, n)| (it.name(), *n)).collect();
        named.serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Vec<(DataType, u32)>, D::Error> {
        let named: Vec<(String, u32)> = Vec::deserialize(input)?;
        let typed = |(name, n): (String, u32)| {
            let unknown = || D::Error::custom(format_args!("no type is called {name:?}"));
            Ok((DataType::from_name(&name).ok_or_else(unknown)?, n))
        };
        named.into_iter().map(typed).collect()
    }
}
