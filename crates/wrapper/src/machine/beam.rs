//! The ways through a page, a few of them at a time.
//!
//! From leaf to leaf the best ways are followed, each with its last state and how far it is behind the best one. Such a
//! [`Beam`] and the [`Sight`] of the next leaf tell all about the next beam, so each step is worked out once and then
//! looked up: pages of one template take the same steps again and again.

use super::Machine;
use super::assign::Label;
use super::candidates::{Candidate, Finder, How, Sight};
use super::tables::Tables;
use crate::schema::SlotId;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

/// So many ways are followed from leaf to leaf, if they are not much worse than the best.
const MAX_WAYS: usize = 6;
const MAX_WORSE: f32 = 30.0;
/// A leaf is taken as new only where that is not much worse than any state.
const MAX_WORSE_NEW: f32 = 12.0;
/// From so many ways a leaf may be new.
const MAX_NEW: usize = 3;

/// What it costs to take a leaf as new: where anything may stand, elsewhere, and where states are known that it could have.
const FREELY: f32 = -9.0;
const INSERTED: f32 = -10.0;
const INSERTED_AMONG_KNOWN: f32 = -16.0;
/// What it costs more for each leaf that follows a new one.
const MORE_NEW: f32 = -5.0;

/// More steps than this are those of pages that are all different, and not worth keeping.
const MAX_KEPT: usize = 40_000;

/// A way through the page so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The state of the last leaf, or of the last one before it that has one. Slot 0 is the start of the page.
    pub(super) slot: SlotId,
    /// Whether the last leaf has none.
    is_new: bool,
    /// How deep the elements go that the leaves since that state have in common.
    since: u16,
    /// How much worse it is than the best.
    behind: f32,
}

impl PartialEq for Way {
    fn eq(&self, other: &Way) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Way {}

impl Hash for Way {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl Way {
    fn parts(&self) -> (SlotId, bool, u16, u32) {
        (self.slot, self.is_new, self.since, self.behind.to_bits())
    }
}

/// The ways that are followed, the best first: a range of all ways.
#[derive(Clone, Copy, Debug)]
struct Beam {
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BeamId(u32);

/// The last step of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// The way before it, by its place in the beam.
    pub(super) before: usize,
    pub(super) label: Label,
    pub(super) how: How,
    /// Whether the machine allows it.
    pub(super) is_allowed: bool,
}

/// Where a page ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The best way there, by its place in the beam.
    pub(super) way: usize,
    /// Its last state.
    pub(super) slot: SlotId,
    /// Whether the page may end there.
    pub(super) is_allowed: bool,
}

/// A step from one beam to the next.
#[derive(Clone, Copy, Debug)]
struct Turn {
    from: BeamId,
    sight: Sight,
    to: BeamId,
    /// Where its moves start, one for each way of the next beam.
    moves: usize,
    /// The turn that was taken last after this one: likely the next to be taken, and likely near by.
    next: TurnId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnId(u32);

impl TurnId {
    /// To the start of the page, before its first leaf.
    pub(super) const START: TurnId = TurnId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// All steps that were worked out so far.
pub(super) struct Turns {
    beams: Vec<Beam>,
    ways: Vec<Way>,
    /// By the hash of their ways, or the next free number after it.
    beam_ids: HashMap<u64, BeamId, FixedState>,
    turns: Vec<Turn>,
    turn_ids: HashMap<(BeamId, Sight), TurnId, FixedState>,
    moves: Vec<Move>,
    draft: Draft,
}

/// The ways to one leaf while they are found.
#[derive(Default)]
struct Draft {
    candidates: Vec<Candidate>,
    ways: Vec<(Way, Move)>,
    /// The ways alone.
    plain: Vec<Way>,
    known: Known,
}

/// What steps from state to state cost, as it was found lately.
#[derive(Default)]
struct Known {
    recent: Vec<Cost>,
}

#[derive(Clone, Copy)]
struct Cost {
    slots: (u32, u32),
    depth: u16,
    is_allowed: bool,
    cost: f32,
}

const N_RECENT: usize = 4096;

impl Known {
    /// As [`Tables::transition`] tells.
    #[inline]
    fn transition(
        &mut self,
        machine: &Machine,
        tables: &Tables,
        slots: (SlotId, SlotId),
        depth: u16,
    ) -> (f32, bool) {
        if self.recent.is_empty() {
            let nothing = Cost { slots: (u32::MAX, 0), depth: 0, is_allowed: false, cost: 0.0 };
            self.recent = vec![nothing; N_RECENT];
        }
        let own = (number(slots.0), number(slots.1));
        let key = u64::from(own.0) << 36 ^ u64::from(own.1) << 12 ^ u64::from(depth);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - N_RECENT.ilog2());
        let recent = &mut self.recent[hash as usize];
        if recent.slots != own || recent.depth != depth {
            let (cost, is_allowed) = tables.transition(machine, slots, depth);
            *recent = Cost { slots: own, depth, is_allowed, cost };
        }
        (recent.cost, recent.is_allowed)
    }
}

impl Default for Turns {
    fn default() -> Turns {
        let mut turns = Turns {
            beams: Vec::new(),
            ways: Vec::new(),
            beam_ids: HashMap::default(),
            turns: Vec::new(),
            turn_ids: HashMap::default(),
            moves: Vec::new(),
            draft: Draft::default(),
        };
        let (to, nowhere) = (turns.intern(&[START]), BeamId(u32::MAX));
        let (sight, next) = (Sight::NONE, TurnId::START);
        turns.turns.push(Turn { from: nowhere, sight, to, moves: 0, next });
        turns
    }
}

const START: Way = Way { slot: 0, is_new: false, since: u16::MAX, behind: 0.0 };

impl Turns {
    /// Forget the steps of earlier pages, if there are too many; says whether it did.
    pub(super) fn tidy(&mut self) -> bool {
        let is_full = self.turns.len() > MAX_KEPT;
        if is_full {
            *self = Turns::default();
        }
        is_full
    }

    /// About how much memory they hold, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        let Turns { beams, ways, beam_ids, turns, turn_ids, moves, draft } = self;
        let beams = beams.capacity() * size_of::<Beam>()
            + ways.capacity() * size_of::<Way>()
            + beam_ids.capacity() * size_of::<(u64, BeamId)>();
        let turns = turns.capacity() * size_of::<Turn>()
            + moves.capacity() * size_of::<Move>()
            + turn_ids.capacity() * size_of::<((BeamId, Sight), TurnId)>();
        beams + turns + size_of_val(&draft.known.recent[..])
    }

    /// Whether a turn starts where another one ended.
    pub(super) fn leads_on(&self, before: TurnId, turn: TurnId) -> bool {
        self.turns[before.index()].to == self.turns[turn.index()].from
    }

    /// Go on to the next leaf; after a turn, or from the start of the page.
    #[inline]
    pub(super) fn turn(
        &mut self,
        machine: &Machine,
        tables: &Tables,
        after: TurnId,
        sight: &Sight,
    ) -> TurnId {
        let Turn { to: from, next, .. } = self.turns[after.index()];
        let likely = &self.turns[next.index()];
        if likely.from == from && likely.sight == *sight {
            return next;
        }
        let next = match self.turn_ids.get(&(from, *sight)) {
            Some(id) => *id,
            None => self.work_out(machine, tables, from, sight),
        };
        self.turns[after.index()].next = next;
        next
    }

    /// What a turn did for a way of the beam after it.
    pub(super) fn last_move(&self, turn: TurnId, way: usize) -> Move {
        self.moves[self.turns[turn.index()].moves + way]
    }

    /// The state that a way had before a turn.
    pub(super) fn slot_before(&self, turn: TurnId, way: usize) -> SlotId {
        self.beam(self.turns[turn.index()].from)[way].slot
    }

    /// The best way to the end of the page.
    pub(super) fn end(&self, machine: &Machine, tables: &Tables, after: TurnId) -> End {
        let mut best = (f32::NEG_INFINITY, End { way: 0, slot: 0, is_allowed: false });
        let at = self.turns[after.index()].to;
        for (index, way) in self.beam(at).iter().enumerate() {
            let (cost, is_allowed) = tables.transition(machine, (way.slot, 0), 0);
            if cost - way.behind > best.0 {
                best = (cost - way.behind, End { way: index, slot: way.slot, is_allowed });
            }
        }
        best.1
    }

    #[cold]
    fn work_out(
        &mut self,
        machine: &Machine,
        tables: &Tables,
        from: BeamId,
        sight: &Sight,
    ) -> TurnId {
        let mut draft = std::mem::take(&mut self.draft);
        draft.find(machine, tables, self.beam(from), sight);
        draft.plain.clear();
        draft.plain.extend(draft.ways.iter().map(|(way, _)| *way));
        let to = self.intern(&draft.plain);
        let start = self.moves.len();
        self.moves.extend(draft.ways.iter().map(|(_, last)| *last));
        self.draft = draft;
        let id = TurnId(number(self.turns.len()));
        self.turns.push(Turn { from, sight: *sight, to, moves: start, next: TurnId::START });
        self.turn_ids.insert((from, *sight), id);
        id
    }

    fn beam(&self, beam: BeamId) -> &[Way] {
        let Beam { start, end } = self.beams[beam.0 as usize];
        &self.ways[start as usize..end as usize]
    }

    fn intern(&mut self, ways: &[Way]) -> BeamId {
        let mut hash = FixedState::default().hash_one(ways);
        while let Some(id) = self.beam_ids.get(&hash) {
            if self.beam(*id) == ways {
                return *id;
            }
            hash = hash.wrapping_add(1);
        }
        let id = BeamId(number(self.beams.len()));
        let start = number(self.ways.len());
        self.ways.extend_from_slice(ways);
        self.beams.push(Beam { start, end: number(self.ways.len()) });
        self.beam_ids.insert(hash, id);
        id
    }
}

/// There are far fewer: slots, and at most one of what is kept for each leaf of a page and those before it.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl Draft {
    /// Find the best ways to a leaf, the best first.
    fn find(&mut self, machine: &Machine, tables: &Tables, before: &[Way], sight: &Sight) {
        let Draft { candidates, ways, known, .. } = self;
        ways.clear();
        let finder = Finder { machine, tables, sight };
        finder.find(before.iter().map(|way| way.slot), candidates);
        for Candidate { label, how, own } in candidates.iter().copied() {
            let mut nearest: Option<(Way, Move)> = None;
            for (index, from) in before.iter().enumerate() {
                let depth = from.since.min(sight.depth);
                let slots = (from.slot, label.slot);
                let (cost, is_allowed) = known.transition(machine, tables, slots, depth);
                let behind = from.behind - cost - own;
                if nearest.as_ref().is_none_or(|(best, _)| behind < best.behind) {
                    let way = Way { slot: label.slot, is_new: false, since: u16::MAX, behind };
                    nearest = Some((way, Move { before: index, label, how, is_allowed }));
                }
            }
            ways.extend(nearest);
        }
        self.add_new(before, sight);
        self.prune();
    }

    /// Add the ways on which a leaf is new, if they are not much worse.
    fn add_new(&mut self, before: &[Way], sight: &Sight) {
        let known = self.ways.iter().map(|(way, _)| way.behind).fold(f32::INFINITY, f32::min);
        let (how, first) = match sight.is_free {
            true => (How::Freely, FREELY),
            false if sight.is_known() => (How::Inserted, INSERTED_AMONG_KNOWN),
            false => (How::Inserted, INSERTED),
        };
        for (index, from) in before.iter().enumerate().take(MAX_NEW) {
            let behind = from.behind - if from.is_new { MORE_NEW } else { first };
            if behind < known + MAX_WORSE_NEW {
                let since = from.since.min(sight.depth);
                let way = Way { slot: from.slot, is_new: true, since, behind };
                let label = Label::in_prose(from.slot);
                self.ways.push((way, Move { before: index, label, how, is_allowed: true }));
            }
        }
    }

    /// Keep the best ways.
    fn prune(&mut self) {
        self.ways.sort_unstable_by(|(left, left_move), (right, right_move)| {
            let by_slot = left.slot.cmp(&right.slot);
            let by_way = left_move.before.cmp(&right_move.before);
            left.behind.total_cmp(&right.behind).then(by_slot).then(by_way)
        });
        let best = self.ways.first().map_or(0.0, |(way, _)| way.behind);
        self.ways.truncate(MAX_WAYS);
        self.ways.retain(|(way, _)| way.behind <= best + MAX_WORSE);
        for (way, _) in &mut self.ways {
            way.behind -= best;
        }
    }
}
