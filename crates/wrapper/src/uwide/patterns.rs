//! Repeated patterns of a sequence of codes.
//!
//! In comes the sequence of one page; out come the sub-strings that occur at least twice, each with where it occurs. Only
//! maximal ones: a shorter one that occurs as often as a longer one around it says nothing that the longer one does not.
//!
//! A suffix automaton has one state for all sub-strings that end at the same places. The longest of a state cannot be
//! made longer to the left without losing occurrences; if no transition keeps the count, neither to the right.

use super::encode::{Code, number};
use std::cmp::Reverse;
use std::ops::Range;

/// A sub-string that repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) len: usize,
    /// How often it occurs.
    pub(super) frequency: usize,
    /// Where it starts, in order: the first of all, if they are very many.
    pub(super) starts: Vec<usize>,
}

/// Of one code alone, occurrences tell nothing; what says the same again and again is found by its content.
const MIN_LEN: usize = 2;
/// Patterns of one page that are looked at, the most frequent ones first. `ABABAB…` has a pattern for every length.
const MAX_PATTERNS: usize = 400;
/// Occurrences of a pattern that are looked at.
const MAX_STARTS: usize = 256;

/// The maximal patterns, the most frequent first, of equally frequent ones the longest.
pub(super) fn mine(codes: &[Code]) -> Vec<Pattern> {
    let automaton = Automaton::of(codes);
    let ends = automaton.ends();
    let count = |state: usize| ends.of[state].len();
    let is_maximal = |state: &usize| {
        let n = count(*state);
        let extended = |(_, next): &(Code, usize)| count(*next) == n;
        automaton.states[*state].len >= MIN_LEN
            && n > 1
            && !automaton.states[*state].next.iter().any(extended)
    };
    let mut found: Vec<usize> = (1..automaton.states.len()).filter(is_maximal).collect();
    found.sort_by_key(|state| (Reverse((count(*state), automaton.states[*state].len)), *state));
    found.truncate(MAX_PATTERNS);
    found.into_iter().map(|state| pattern(&automaton, &ends, state)).collect()
}

fn pattern(automaton: &Automaton, ends: &Ends, state: usize) -> Pattern {
    let len = automaton.states[state].len;
    let ends = &ends.order[ends.of[state].clone()];
    let mut starts: Vec<usize> = ends.iter().map(|end| end + 1 - len).collect();
    starts.sort_unstable();
    starts.truncate(MAX_STARTS);
    Pattern { len, frequency: ends.len(), starts }
}

#[derive(Clone, Debug, Default)]
struct State {
    /// Of the longest sub-string of the state.
    len: usize,
    /// The state of the longest suffix that ends at more places.
    link: usize,
    /// By code, sorted.
    next: Vec<(Code, usize)>,
    /// Where it ends, if it is a prefix of the whole.
    end: Option<usize>,
}

impl State {
    fn step(&self, code: Code) -> Option<usize> {
        let at = self.next.binary_search_by_key(&code, |(code, _)| *code).ok()?;
        Some(self.next[at].1)
    }

    fn set_step(&mut self, code: Code, state: usize) {
        match self.next.binary_search_by_key(&code, |(code, _)| *code) {
            Ok(at) => self.next[at].1 = state,
            Err(at) => self.next.insert(at, (code, state)),
        }
    }
}

struct Automaton {
    /// The first is the empty string.
    states: Vec<State>,
}

impl Automaton {
    fn of(codes: &[Code]) -> Automaton {
        let mut automaton = Automaton { states: vec![State::default()] };
        let mut last = 0;
        for (position, code) in codes.iter().enumerate() {
            last = automaton.append(last, position, *code);
        }
        automaton
    }

    fn append(&mut self, last: usize, position: usize, code: Code) -> usize {
        let new = self.states.len();
        let len = self.states[last].len + 1;
        self.states.push(State { len, link: 0, next: Vec::new(), end: Some(position) });
        let mut at = last;
        let stop = loop {
            match self.states[at].step(code) {
                Some(state) => break Some(state),
                None => self.states[at].set_step(code, new),
            }
            if at == 0 {
                break None;
            }
            at = self.states[at].link;
        };
        if let Some(state) = stop {
            self.states[new].link = self.split(at, state, code);
        }
        new
    }

    /// The state of exactly the sub-strings that end where those of `at`, continued by the code, do.
    fn split(&mut self, at: usize, state: usize, code: Code) -> usize {
        if self.states[at].len + 1 == self.states[state].len {
            return state;
        }
        let clone = self.states.len();
        let len = self.states[at].len + 1;
        self.states.push(State { len, end: None, ..self.states[state].clone() });
        self.states[state].link = clone;
        let mut at = at;
        while self.states[at].step(code) == Some(state) {
            self.states[at].set_step(code, clone);
            if at == 0 {
                break;
            }
            at = self.states[at].link;
        }
        clone
    }

    /// The places where states end. Those of a state are its own and those of the states that link to it.
    fn ends(&self) -> Ends {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (index, state) in self.states.iter().enumerate().skip(1) {
            children[state.link].push(number(index));
        }
        let mut ends = Ends { order: Vec::new(), of: vec![0..0; self.states.len()] };
        let mut open: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some((state, child)) = open.pop() {
            if child == 0 {
                ends.of[state].start = ends.order.len();
                ends.order.extend(self.states[state].end);
            }
            match children[state].get(child) {
                Some(next) => open.extend([(state, child + 1), (*next as usize, 0)]),
                None => ends.of[state].end = ends.order.len(),
            }
        }
        ends
    }
}

struct Ends {
    /// Places, those of a state side by side.
    order: Vec<usize>,
    /// By state.
    of: Vec<Range<usize>>,
}
