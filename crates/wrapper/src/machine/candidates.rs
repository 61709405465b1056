//! What a leaf shows to the machine, and the states that it may have by that.

use super::assign::Label;
use super::steps::{Place, StepId};
use super::tables::{GroupId, Member, Tables, TextId};
use super::{Machine, kind_of};
use crate::schema::SlotId;
use foldhash::fast::FixedState;
use page::{DataType, Leaf, Leaves};
use std::hash::{BuildHasher, Hash, Hasher};

/// All of a leaf that the machine looks at. Leaves of the same sight that come after the same ways go on the same ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    /// The states of leaves in such elements, by tags and roles, else by tags alone.
    group: Option<GroupId>,
    how: How,
    /// The innermost element around it that is known, if its own is not: prose may stand there.
    around: StepId,
    /// Whether it stands where anything may stand.
    pub(super) is_free: bool,
    /// How deep the elements go that it has in common with the leaf before.
    pub(super) depth: u16,
    /// What it says and what type that is of, if the group has several states.
    said: Option<TextId>,
    data_type: DataType,
}

/// How a leaf was found to have its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// In an element of the same tags and roles.
    Exactly,
    /// In an element of the same tags.
    ByTags,
    /// Somewhere in prose.
    InProse,
    /// It has none: it is new where anything may stand,
    Freely,
    /// or where nothing like it ever stood.
    Inserted,
}

impl How {
    pub(super) fn is_new(self) -> bool {
        matches!(self, How::Freely | How::Inserted)
    }
}

/// A state that a leaf may have.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) label: Label,
    pub(super) how: How,
    /// What the leaf itself says for it.
    pub(super) own: f32,
}

/// What candidates cost that were found by less than all there is.
pub(super) const BY_TAGS: f32 = -3.0;
pub(super) const IN_PROSE: f32 = -2.0;
/// A leaf that fits a state this well, and comes after one that it was seen to come after, needs no other candidates.
const GOOD: f32 = -6.0;
/// Else so many states of its group are looked at.
const MAX_STATES: usize = 8;

/// In two words, because it is done for every leaf.
impl Hash for Sight {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let word = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let [how, data_type] = [self.how as u8, self.data_type as u8].map(u32::from);
        let rest =
            u32::from(self.depth) << 16 | data_type << 8 | how << 1 | u32::from(self.is_free);
        state.write_u64(word(self.group.map_or(0, |it| it + 1), self.around));
        state.write_u64(word(self.said.map_or(0, |it| it + 1), rest));
    }
}

impl Sight {
    /// That of nothing.
    pub(super) const NONE: Sight = Sight {
        group: None,
        how: How::Inserted,
        around: 0,
        is_free: false,
        depth: 0,
        said: None,
        data_type: DataType::String,
    };

    pub(super) fn of(
        tables: &Tables,
        sayings: &mut Sayings,
        leaves: &Leaves,
        position: usize,
        Place { found, common: depth }: Place,
    ) -> Sight {
        let kind = kind_of(leaves.attribute(position));
        let exact = tables.exactly(found, kind);
        let (group, how, around) = match exact {
            Some(_) => (exact, How::Exactly, 0),
            None => (tables.by_tags(found, kind), How::ByTags, found.step),
        };
        let mut sight = Sight { group, how, around, is_free: found.is_free, depth, ..Sight::NONE };
        if group.is_some_and(|group| tables.group(group).len() > 1) {
            (sight.said, sight.data_type) = sayings.of(tables, &leaves.get(position));
        }
        sight
    }

    /// Whether leaves were seen in such an element.
    pub(super) fn is_known(&self) -> bool {
        self.how == How::Exactly
    }
}

/// What was said lately: pages of one template say much again.
#[derive(Default)]
pub(super) struct Sayings {
    recent: Vec<Saying>,
}

/// What a text says, and what type it is of.
#[derive(Clone, Copy)]
struct Saying {
    text: [u8; MAX_SAYING],
    len: usize,
    said: Option<TextId>,
    data_type: DataType,
}

/// Longer texts are rarely said again.
const MAX_SAYING: usize = 32;
const N_SAYINGS: usize = 512;

impl Sayings {
    fn of(&mut self, tables: &Tables, leaf: &Leaf<'_>) -> (Option<TextId>, DataType) {
        let text = leaf.text.as_bytes();
        if leaf.src.is_some() || !(1..=MAX_SAYING).contains(&text.len()) {
            return (tables.said(leaf), leaf.data_type());
        }
        if self.recent.is_empty() {
            let nothing =
                Saying { text: [0; MAX_SAYING], len: 0, said: None, data_type: DataType::String };
            self.recent = vec![nothing; N_SAYINGS];
        }
        let recent = &mut self.recent[FixedState::default().hash_one(text) as usize % N_SAYINGS];
        if recent.len == text.len() && recent.text[..text.len()] == *text {
            leaf.take_type(recent.data_type);
        } else {
            recent.text[..text.len()].copy_from_slice(text);
            recent.len = text.len();
            recent.said = tables.said(leaf);
            recent.data_type = leaf.data_type();
        }
        (recent.said, recent.data_type)
    }
}

/// Finds candidates.
pub(super) struct Finder<'a> {
    pub(super) machine: &'a Machine,
    pub(super) tables: &'a Tables,
    pub(super) sight: &'a Sight,
}

impl Finder<'_> {
    /// The states that a leaf may have after some others.
    pub(super) fn find(&self, after: impl Iterator<Item = SlotId>, out: &mut Vec<Candidate>) {
        out.clear();
        if let Some(group) = self.sight.group {
            self.add_group(group, after, out);
        }
        if self.sight.is_known() {
            return;
        }
        let mut around = self.sight.around;
        while around != 0 && out.len() < 2 * MAX_STATES {
            for slot in self.tables.hosts.get(&around).into_iter().flatten().take(MAX_STATES) {
                if !has(out, *slot) {
                    let label = Label::in_prose(*slot);
                    out.push(Candidate { label, how: How::InProse, own: IN_PROSE });
                }
            }
            around = self.machine.steps.parent(around);
        }
    }

    /// Add the states of a group that may be a leaf's.
    fn add_group(
        &self,
        group: GroupId,
        after: impl Iterator<Item = SlotId>,
        out: &mut Vec<Candidate>,
    ) {
        let members = self.tables.group(group);
        let base = if self.sight.how == How::ByTags { BY_TAGS } else { 0.0 };
        let candidate = |own: f32, nth: usize| Candidate {
            label: Label::in_group(members[nth].slot, group, nth),
            how: self.sight.how,
            own: base + own,
        };
        if members.len() == 1 {
            out.push(candidate(0.0, 0));
            return;
        }
        let mut best = f32::NEG_INFINITY;
        for slot in after.flat_map(|slot| self.tables.next(slot)) {
            if let Ok(nth) = members.binary_search_by_key(slot, |it| it.slot)
                && !has(out, *slot)
            {
                let own = self.fit(&members[nth]);
                best = best.max(own);
                out.push(candidate(own, nth));
            }
        }
        if best >= GOOD {
            return;
        }
        for (own, nth) in self.best_of(members) {
            if !has(out, members[nth].slot) {
                out.push(candidate(own, nth));
            }
        }
    }

    /// The states that fit a leaf best by themselves.
    fn best_of(&self, members: &[Member]) -> Vec<(f32, usize)> {
        let mut own: Vec<(f32, usize)> =
            members.iter().enumerate().map(|(nth, member)| (self.fit(member), nth)).collect();
        if own.len() > MAX_STATES {
            own.select_nth_unstable_by(MAX_STATES - 1, |left, right| {
                right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
            });
            own.truncate(MAX_STATES);
        }
        own
    }

    /// How well a state of a group fits a leaf by itself.
    fn fit(&self, member: &Member) -> f32 {
        let Sight { said, data_type, .. } = *self.sight;
        let words = self.tables.words(member.slot, said);
        member.share + words + self.tables.fit(member.slot, data_type)
    }
}

fn has(candidates: &[Candidate], slot: SlotId) -> bool {
    candidates.iter().any(|it| it.label.slot == slot)
}
