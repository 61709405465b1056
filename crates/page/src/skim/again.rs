//! What comes again to the letter.
//!
//! Pages of one template have nine in ten of their bytes in common. So a few pages are kept as they are, with their leaves and
//! their [joints](Joint): the places between two tags where all that counts for what follows is known. A page that comes
//! to a joint as a kept one did, and goes on with the same bytes, does the same up to the last joint within these: its
//! leaves are copied, and what stands between is not looked at.
//!
//! Which pages are kept shows in time: those that others took nothing from make room for new ones.

use super::automaton::StateId;
use super::run::Run;
use super::{N_KEPT, Passage, Place};
use crate::leaf::{KeptLeaves, Leaves};
use crate::tree::offset;
use std::ops::Range;

/// A place between two tags where no link and no text is open. What else a run knows there, a joint tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    position: u32,
    stand: Stand,
    /// How many leaves are before it, and how many bytes of text they have.
    n_leaves: u32,
    n_text: u32,
    /// The place of its page among those that are kept.
    slot: u8,
    bill: Bill,
}

/// What the leaves that follow depend on; see [`Run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stand {
    state: StateId,
    low: u16,
    is_apart: bool,
}

/// What is looked at of a joint to tell whether a page goes on from it: most of those that are tried are not gone on from.
#[derive(Clone, Copy, Debug)]
struct Start {
    stand: Stand,
    position: u32,
    /// How many bytes it is to the next joint that is worth copying up to; where there is none, no page has as many.
    n_least: u32,
    /// The last of these bytes.
    tail: [u8; N_TAIL],
    /// The next one of the same hash, which mostly stands the same and has the same bytes after it.
    alike: u32,
}

/// What was charged for a page so far; see [`Run`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Bill {
    pub(super) credit: i64,
    /// What was charged beyond what the bytes paid, token by token.
    pub(super) spent: i64,
    /// The bytes of the longest tag that may be reopened, or of a longer one.
    pub(super) longest: usize,
    /// What is charged for the attributes that the root and the body got late.
    pub(super) late_work: usize,
    /// How many tokens were charged for by the longest tag or the late work.
    pub(super) n_dependent: u32,
}

impl Bill {
    pub(super) fn of_credit(credit: i64) -> Bill {
        Bill { credit, spent: 0, longest: 0, late_work: 0, n_dependent: 0 }
    }

    /// What a page is charged at most that does from here what another did between two places; none if it may be too much.
    fn after(&self, from: &Bill, to: &Bill) -> Option<Bill> {
        let is_dependent = to.n_dependent > from.n_dependent;
        let is_cheaper = self.longest <= from.longest && self.late_work <= from.late_work;
        let spent = to.spent - from.spent;
        if is_dependent && !is_cheaper || self.credit < spent {
            return None;
        }
        // Who has less at the start has at most so much less at the end.
        let less = (from.credit - self.credit).max(0);
        Some(Bill {
            credit: to.credit - less,
            spent: self.spent + spent,
            longest: self.longest.max(to.longest),
            late_work: self.late_work + to.late_work - from.late_work,
            n_dependent: self.n_dependent + to.n_dependent - from.n_dependent,
        })
    }
}

/// A page that is kept.
#[derive(Debug)]
struct Kept {
    source: Box<str>,
    leaves: KeptLeaves,
    places: Vec<Place>,
    /// Which of all joints are its own.
    joints: Range<usize>,
    /// How many bytes others took from it lately.
    n_taken: usize,
}

impl Kept {
    fn n_bytes(&self) -> usize {
        let Kept { source, leaves, places, .. } = self;
        source.len() + leaves.n_bytes() + size_of_val(&places[..])
    }
}

/// The pages that are kept.
#[derive(Debug, Default)]
pub(super) struct Again {
    kept: [Option<Kept>; N_KEPT],
    /// Those of all kept pages. After each page stands a joint of no state.
    joints: Vec<Joint>,
    /// By joint.
    starts: Vec<Start>,
    /// Their positions, near to each other for those who search.
    positions: Vec<u32>,
    /// The first joint by its hash.
    table: Vec<u32>,
    /// The joints of the page at hand, if it may be kept.
    draft: Vec<Joint>,
    /// What the page at hand took from others.
    pub(super) passages: Vec<Passage>,
    n_taken: usize,
    /// How many pages there were since it was last asked which ones are of use, and how many bytes they had.
    n_pages: u32,
    n_bytes: usize,
}

/// What a run knows of the kept pages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Track {
    /// The joint that likely is the next.
    expected: usize,
    is_drafting: bool,
    /// How many bytes may be compared yet.
    n_comparable: usize,
}

const NO_STATE: StateId = StateId::MAX;
const NO_JOINT: u32 = u32::MAX;
const NEVER: u32 = u32::MAX;
/// What is shorter is not worth copying.
const MIN_PASSAGE: usize = 48;
/// So many bytes are compared before the others: those that come last, as the first ones are what joints are found by.
const N_TAIL: usize = 8;
/// So many joints are compared for the longest passage.
const MAX_TRIES: usize = 3;
/// A passage that need not be longer.
const LONG_PASSAGE: u32 = 400;
const TABLE_LEN: usize = 1 << 14;
/// So often a page is compared at most: what is the same and cannot be copied is compared again.
const MAX_COMPARED: usize = 8;
/// Larger pages are not kept.
const MAX_SOURCE: usize = 1 << 20;
/// A page of which less than this is new to the kept ones, one in so many bytes, is not kept.
const NEW_SHARE: usize = 20;
/// So often it is asked which kept pages are of use: those that gave one byte in so many.
const PAGES_A_LOOK: u32 = 64;
const USEFUL_SHARE: usize = 50;

impl Again {
    /// Begin with a page.
    pub(super) fn start(&mut self, n_bytes: usize) -> Track {
        self.draft.clear();
        self.passages.clear();
        self.n_taken = 0;
        self.n_pages += 1;
        self.n_bytes += n_bytes;
        if self.n_pages >= PAGES_A_LOOK {
            self.drop_useless();
        }
        let has_room = self.kept.iter().any(Option::is_none);
        let is_drafting = has_room && n_bytes <= MAX_SOURCE;
        Track { expected: 0, is_drafting, n_comparable: n_bytes.saturating_mul(MAX_COMPARED) }
    }

    /// Keep the page that was read, if much of it is new; says where.
    pub(super) fn keep(
        &mut self,
        track: Track,
        source: &str,
        leaves: &Leaves,
        places: &[Place],
    ) -> Option<usize> {
        let n_new = source.len() - self.n_taken;
        if !track.is_drafting || n_new < MIN_PASSAGE || n_new < source.len() / NEW_SHARE {
            return None;
        }
        let slot = self.kept.iter().position(Option::is_none)?;
        self.kept[slot] = Some(Kept {
            source: source.into(),
            leaves: leaves.kept(),
            places: places.to_vec(),
            joints: 0..0,
            n_taken: 0,
        });
        let draft = std::mem::take(&mut self.draft);
        self.index(slot, &draft);
        self.draft = draft;
        Some(slot)
    }

    /// About how much memory they hold, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        let kept = self.kept.iter().flatten().map(Kept::n_bytes).sum::<usize>();
        let a_joint = size_of::<Joint>() + size_of::<Start>() + size_of::<u32>();
        let draft = self.draft.capacity() * size_of::<Joint>();
        kept + self.joints.capacity() * a_joint + draft + size_of_val(&self.table[..])
    }

    /// Make room by dropping what others take nothing from.
    #[cold]
    fn drop_useless(&mut self) {
        let least = self.n_bytes / USEFUL_SHARE;
        (self.n_pages, self.n_bytes) = (0, 0);
        let n_kept = self.kept.iter().flatten().count();
        for kept in &mut self.kept {
            *kept = kept.take().filter(|it| it.n_taken >= least);
            kept.iter_mut().for_each(|it| it.n_taken = 0);
        }
        if self.kept.iter().flatten().count() < n_kept {
            self.index_all();
        }
    }

    /// Make the joints of a kept page known.
    fn index(&mut self, slot: usize, joints: &[Joint]) {
        let Some(kept) = &mut self.kept[slot] else { return };
        let start = self.joints.len();
        self.joints.extend(joints.iter().map(|joint| Joint { slot: slot as u8, ..*joint }));
        let own = start..self.joints.len();
        kept.joints = own.clone();
        self.joints.push(Joint::NONE);
        self.positions.extend(self.joints[start..].iter().map(|joint| joint.position));
        self.table.resize(TABLE_LEN, NO_JOINT);
        let bytes = kept.source.as_bytes();
        self.starts.extend(own.clone().map(|at| start_of(&self.joints[at..own.end], bytes)));
        self.starts.push(Start::NONE);
        for at in own.rev() {
            let Start { stand, position, n_least, .. } = self.starts[at];
            if n_least != NEVER
                && let Some(hash) = hash(stand, &bytes[position as usize..])
            {
                self.starts[at].alike = std::mem::replace(&mut self.table[hash], offset(at));
            }
        }
    }

    /// Forget all joints but those of pages that are kept.
    fn index_all(&mut self) {
        let joints = std::mem::take(&mut self.joints);
        self.starts.clear();
        self.positions.clear();
        self.table.clear();
        for slot in 0..N_KEPT {
            if let Some(kept) = &self.kept[slot] {
                self.index(slot, &joints[kept.joints.clone()]);
            }
        }
    }

    /// The joint that a page does best to go on from with some bytes, and the joint that it gets to.
    #[inline]
    fn find(&self, stand: Stand, rest: &[u8], track: &mut Track) -> Option<(usize, usize)> {
        let expected = track.expected;
        if self.may_start(expected, stand, rest)
            && let Some((to, _)) = self.reach(expected, rest, track)
        {
            return Some((expected, to));
        }
        let mut at = *self.table.get(hash(stand, rest)?)? as usize;
        let mut best: Option<(usize, usize)> = None;
        // Where the best one differs.
        let mut n_same = 0;
        for _ in 0..MAX_TRIES {
            let Some(start) = self.starts.get(at) else { break };
            if start.is_likely(stand, rest)
                && self.byte(at, n_same) == rest.get(n_same)
                && let Some((to, n)) = self.reach(at, rest, track)
                && best.is_none_or(|best| self.len(best) < self.len((at, to)))
            {
                best = Some((at, to));
                n_same = n;
            }
            if best.is_some_and(|best| self.len(best) >= LONG_PASSAGE) {
                break;
            }
            at = start.alike as usize;
        }
        best
    }

    fn may_start(&self, at: usize, stand: Stand, rest: &[u8]) -> bool {
        self.starts.get(at).is_some_and(|start| start.is_likely(stand, rest))
    }

    /// A byte after a joint, on its page.
    fn byte(&self, at: usize, nth: usize) -> Option<&u8> {
        let Joint { slot, position, .. } = self.joints[at];
        self.kept[usize::from(slot)].as_ref()?.source.as_bytes().get(position as usize + nth)
    }

    fn bill(&self, at: usize) -> &Bill {
        &self.joints[at].bill
    }

    /// How many bytes are between two joints.
    fn len(&self, (from, to): (usize, usize)) -> u32 {
        self.positions[to] - self.positions[from]
    }

    /// The last joint that the bytes after another one reach if a page goes on with some, and how many of these are the same.
    fn reach(&self, at: usize, rest: &[u8], track: &mut Track) -> Option<(usize, usize)> {
        let from = &self.joints[at];
        let kept = self.kept[usize::from(from.slot)].as_ref()?;
        let start = from.position as usize;
        let rest = &rest[..rest.len().min(track.n_comparable)];
        let n_same = common_prefix(&kept.source.as_bytes()[start..], rest);
        track.n_comparable -= n_same;
        if n_same < self.starts[at].n_least as usize {
            return None;
        }
        let to = last_up_to(&self.positions[..kept.joints.end], at, offset(start + n_same));
        Some((to, n_same))
    }
}

impl Start {
    const NONE: Start = Start {
        stand: Joint::NONE.stand,
        position: Joint::NONE.position,
        n_least: NEVER,
        tail: [0; N_TAIL],
        alike: NO_JOINT,
    };

    /// Whether a page that stands the same may go on from here with some bytes.
    #[inline]
    fn is_likely(&self, stand: Stand, rest: &[u8]) -> bool {
        let end = self.n_least as usize;
        self.stand == stand
            && rest.get(..end).and_then(<[u8]>::last_chunk).is_some_and(|tail| *tail == self.tail)
    }
}

/// What is looked at of the first one of some joints of a page.
fn start_of(joints: &[Joint], bytes: &[u8]) -> Start {
    let Joint { position, stand, .. } = joints[0];
    let far = |joint: &&Joint| (joint.position - position) as usize >= MIN_PASSAGE;
    let tail = |to: &Joint| {
        let tail = bytes.get(..to.position as usize)?.last_chunk()?;
        Some((to.position - position, *tail))
    };
    let next = joints.iter().find(far).and_then(tail);
    let (n_least, tail) = next.unwrap_or((Start::NONE.n_least, Start::NONE.tail));
    Start { stand, position, n_least, tail, alike: NO_JOINT }
}

impl Joint {
    const NONE: Joint = Joint {
        position: u32::MAX,
        stand: Stand { state: NO_STATE, low: 0, is_apart: false },
        n_leaves: 0,
        n_text: 0,
        slot: 0,
        bill: Bill { credit: 0, spent: 0, longest: 0, late_work: 0, n_dependent: 0 },
    };

    /// The same joint on a page that came to another one before it by other ways.
    fn moved(&self, from: &Joint, to: &Joint) -> Option<Joint> {
        let bill = to.bill.after(&from.bill, &self.bill)?;
        let moved = |own: u32, from: u32, to: u32| to + (own - from);
        Some(Joint {
            position: moved(self.position, from.position, to.position),
            n_leaves: moved(self.n_leaves, from.n_leaves, to.n_leaves),
            n_text: moved(self.n_text, from.n_text, to.n_text),
            bill,
            ..*self
        })
    }

    fn leaves(&self, to: &Joint) -> Range<usize> {
        self.n_leaves as usize..to.n_leaves as usize
    }

    fn text(&self, to: &Joint) -> Range<usize> {
        self.n_text as usize..to.n_text as usize
    }
}

impl Run<'_> {
    /// Between two tags: copy what follows, if a kept page goes on the same way from here. Says whether it did.
    #[inline]
    pub(super) fn at_joint(&mut self) -> bool {
        if self.track.is_drafting {
            let joint = self.joint();
            self.again.draft.push(joint);
        }
        let (expected, stand) = (self.track.expected, self.stand());
        let rest = &self.source.as_bytes()[self.position..];
        if let Some((at, to)) = self.again.find(stand, rest, &mut self.track)
            && let Some(bill) = self.bill.after(self.again.bill(at), self.again.bill(to))
        {
            self.copy(at, to);
            self.bill = bill;
            return true;
        }
        let is_in_step = |joint: &Joint| joint.stand.state == stand.state;
        self.track.expected += usize::from(self.again.joints.get(expected).is_some_and(is_in_step));
        false
    }

    fn stand(&self) -> Stand {
        Stand { state: self.state, low: self.low, is_apart: self.seam.is_apart }
    }

    fn joint(&self) -> Joint {
        Joint {
            position: offset(self.position),
            stand: self.stand(),
            n_leaves: offset(self.leaves.len()),
            n_text: offset(self.leaves.n_text()),
            slot: 0,
            bill: self.bill,
        }
    }

    /// Do what a kept page did from one joint to another.
    fn copy(&mut self, at: usize, to_at: usize) {
        let [from, to] = [at, to_at].map(|at| self.again.joints[at]);
        let here = self.joint();
        let Some(kept) = &mut self.again.kept[usize::from(from.slot)] else { return };
        let n_bytes = (to.position - from.position) as usize;
        kept.n_taken += n_bytes;
        self.again.n_taken += n_bytes;
        let leaves = from.leaves(&to);
        if !leaves.is_empty() {
            let moved = here.position.wrapping_sub(from.position);
            self.leaves.copy(&kept.leaves, leaves.clone(), from.text(&to), moved);
            self.places.extend_from_slice(&kept.places[leaves.clone()]);
            let own = here.n_leaves as usize..self.leaves.len();
            let slot = usize::from(from.slot);
            self.again.passages.push(Passage { slot, first: leaves.start, leaves: own });
        }
        if self.track.is_drafting {
            // The last one is where the run goes on, which notes it itself.
            let Again { draft, joints, .. } = &mut *self.again;
            draft.extend(joints[at + 1..to_at].iter().filter_map(|it| it.moved(&from, &here)));
        }
        self.position += n_bytes;
        let Stand { state, low, is_apart } = to.stand;
        (self.state, self.low, self.seam.is_apart) = (state, low, is_apart);
        self.track.expected = to_at + 1;
    }
}

/// The last one of some positions in order, from one on that is not past the end, which is likely near.
fn last_up_to(positions: &[u32], from: usize, end: u32) -> usize {
    let (mut low, mut step) = (from, 1);
    while positions.get(low + step).is_some_and(|it| *it <= end) {
        low += step;
        step *= 2;
    }
    let high = positions.len().min(low + step);
    low + positions[low..high].partition_point(|it| *it <= end) - 1
}

/// A hash of where a page stands and the bytes after it, as a place in a table; none if these are too few for a passage.
#[inline]
fn hash(stand: Stand, rest: &[u8]) -> Option<usize> {
    const ODD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
    let bytes: &[u8; MIN_PASSAGE] = rest.first_chunk()?;
    // Pairs are multiplied at the same time. What is told apart wrongly costs a look, and nothing else.
    let pair = |nth: usize| {
        let [left, right] = [0, 1].map(|it| bytes.as_chunks::<8>().0[2 * nth + it]);
        folded(u64::from_le_bytes(left) ^ ODD[0], u64::from_le_bytes(right) ^ ODD[1])
    };
    let text = pair(0) ^ pair(1).rotate_left(21) ^ pair(2).rotate_left(42);
    let Stand { state, low, is_apart } = stand;
    let stand = u64::from(state) << 32 | u64::from(low) << 1 | u64::from(is_apart);
    Some(folded(text ^ ODD[1], stand ^ ODD[0]) as usize % TABLE_LEN)
}

/// All bits of a product on top of each other.
#[inline]
fn folded(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// How many bytes two texts have in common from their start.
#[inline]
fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let blocks = left.as_chunks().0.iter().zip(right.as_chunks().0);
    let same = BLOCK * blocks.take_while(|(left, right)| is_same(left, right)).count();
    let [left, right] = [left, right].map(|it| &it[same..]);
    let [left_words, right_words] = [left, right].map(|it| it.as_chunks::<8>().0);
    for (nth, (left, right)) in left_words.iter().zip(right_words).enumerate() {
        let differences = u64::from_le_bytes(*left) ^ u64::from_le_bytes(*right);
        if differences != 0 {
            return same + 8 * nth + differences.trailing_zeros() as usize / 8;
        }
    }
    let same_words = 8 * left_words.len().min(right_words.len());
    let rest = left[same_words..].iter().zip(&right[same_words..]);
    same + same_words + rest.take_while(|(left, right)| left == right).count()
}

/// So many bytes are compared at once.
const BLOCK: usize = 64;

/// Written so that it becomes some wide instructions, where `==` would be a call.
#[inline]
fn is_same(left: &[u8; BLOCK], right: &[u8; BLOCK]) -> bool {
    let [left, right] = [left, right].map(|it| it.as_chunks::<8>().0);
    let differences = left
        .iter()
        .zip(right)
        .fold(0, |all, (left, right)| all | u64::from_ne_bytes(*left) ^ u64::from_ne_bytes(*right));
    differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_at_the_first_difference() {
        let left: Vec<u8> = (0..2000_u32).map(|it| (it % 251) as u8).collect();
        for at in [0, 1, 7, 8, 31, 32, 33, 100, 511, 512, 513, 1030, 1999] {
            let mut right = left.clone();
            right[at] ^= 1;
            assert_eq!(common_prefix(&left, &right), at);
            assert_eq!(common_prefix(&left, &left[..at]), at);
        }
    }

    #[test]
    fn the_last_position_is_found_however_far_it_is() {
        let positions: Vec<u32> = (0..100).map(|it| it * 10).collect();
        for from in [0, 1, 50, 99] {
            for end in (positions[from]..1005).step_by(3) {
                let expected = (end as usize / 10).min(99);
                assert_eq!(last_up_to(&positions, from, end), expected, "{from} {end}");
            }
        }
    }

    /// Keep a page of which nothing is known but that a tag comes again and again, and joints at two places of it.
    fn keep(again: &mut Again, tag: &str) -> Option<usize> {
        let source = tag.repeat(1000);
        let joints = [0, 2700].map(|position| Joint { position, stand: STAND, ..Joint::NONE });
        let track = again.start(source.len());
        again.draft.extend(joints);
        again.keep(track, &source, &Leaves::default(), &[])
    }

    const STAND: Stand = Stand { state: 1, low: 0, is_apart: false };

    #[test]
    fn pages_that_others_take_nothing_from_make_room() {
        let mut again = Again::default();
        for (slot, tag) in ["<a>", "<b>", "<p>", "<q>"].iter().enumerate() {
            assert_eq!(keep(&mut again, tag), Some(slot));
        }
        assert_eq!(keep(&mut again, "<i>"), None);
        again.kept.iter_mut().flatten().skip(2).for_each(|kept| kept.n_taken = 1 << 20);
        (again.n_pages, again.n_bytes) = (PAGES_A_LOOK, 1 << 20);
        assert_eq!(keep(&mut again, "<i>"), Some(0));
        let mut find = |tag: &str| {
            let page = tag.repeat(1000);
            let mut track = Track { expected: usize::MAX, ..again.start(page.len()) };
            let (from, to) = again.find(STAND, page.as_bytes(), &mut track)?;
            Some((again.joints[from].slot, again.len((from, to))))
        };
        let found = ["<a>", "<b>", "<p>", "<q>", "<i>"].map(&mut find);
        assert_eq!(found, [None, None, Some((2, 2700)), Some((3, 2700)), Some((0, 2700))]);
    }

    #[test]
    fn what_is_compared_is_bounded() {
        let mut again = Again::default();
        keep(&mut again, "<p>").expect("it is all new");
        let source = "<p>".repeat(1000);
        let mut track = again.start(source.len());
        let n_found = (0..100)
            .filter(|_| again.find(STAND, source.as_bytes(), &mut track) == Some((0, 1)))
            .count();
        assert!((2..=MAX_COMPARED).contains(&n_found), "{n_found}");
    }
}
