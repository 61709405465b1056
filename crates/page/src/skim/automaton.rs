//! What was found out so far: which token leads from which state to which.

use super::run::{ATTRIBUTE_WORK, WORK_PER_BYTE};
use super::symbol::{Symbol, SymbolId, Symbols};
use super::{Eye, Unfit};
use crate::build::{Config, ContentModel, Made, Maker, Outcome, Replica, Token};
use crate::leaf::is_inline;
use crate::leaf::role::Role;
use crate::names::TagName;
use crate::path::{PathId, Paths};
use crate::tag::{Tag, Traits};
use crate::tree::{Name, NameId, Namespace, offset};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::sync::Arc;

type Map<K, V> = HashMap<K, V, FixedState>;

pub(super) type ElementId = u32;
pub(super) type StateId = u32;
pub(super) type EdgeId = u32;

/// No element was made for a tag.
pub(super) const NO_ELEMENT: ElementId = ElementId::MAX;

/// An element that pages have, known by those that it stands in.
#[derive(Clone, Debug)]
pub(super) struct Element {
    parent: ElementId,
    name: TagName,
    pub(super) depth: u16,
    pub(super) mark: u32,
    pub(super) path: PathId,
    role: Role,
    is_inline: bool,
    /// Whether it is met on the way through the page.
    is_met: bool,
    /// Whether it is shown.
    is_shown: bool,
    /// Whether what is in it is shown.
    is_open: bool,
}

/// What tree construction knows, and the elements from the root to where the next node goes.
///
/// As small as it can be: of a page's time, most is spent on waiting for the next one.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct State {
    pub(super) mark: u32,
    pub(super) path: PathId,
    pub(super) depth: u16,
    /// Whether white space changes nothing, and whether other text does not.
    pub(super) space_stays: bool,
    pub(super) ink_stays: bool,
    /// Whether text here is shown.
    pub(super) is_open: bool,
    pub(super) skips_newline: bool,
    pub(super) content: ContentModel,
    pub(super) space: Next,
    pub(super) ink: Next,
    pub(super) comment: Next,
    pub(super) likely: [Likely; N_LIKELY],
}

/// So many tags are tried before one is looked up.
pub(super) const N_LIKELY: usize = 4;
/// The same of tags that are known by what they mean.
const N_KEYED: usize = 2;

/// A tag that came here, as it was written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Likely {
    /// Its first bytes.
    pub(super) head: u64,
    /// Where the others are among the tags that are kept.
    start: u32,
    pub(super) edge: EdgeId,
    /// How many there are in all; of no tag, none.
    pub(super) len: u16,
    /// What the edge does, at hand.
    pub(super) is_plain: bool,
    pub(super) is_apart: bool,
    pub(super) ends_text: bool,
    pub(super) floor: u16,
    pub(super) to: StateId,
}

/// What a tag says that came here.
#[derive(Clone, Copy, Debug, Default)]
struct Keyed {
    start: u32,
    /// Of no tag, none.
    len: u32,
    edge: EdgeId,
}

/// Where a token leads, as far as that is known: an edge, or one of two numbers that none has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next(pub(super) EdgeId);

impl Next {
    pub(super) const UNKNOWN: Next = Next(EdgeId::MAX);
    /// Nobody can tell without the page.
    pub(super) const UNFIT: Next = Next(EdgeId::MAX - 1);

    pub(super) fn edge(self) -> Result<EdgeId, Unfit> {
        if self == Next::UNKNOWN || self == Next::UNFIT { Err(Unfit::Token) } else { Ok(self.0) }
    }
}

impl Edge {
    /// Whether the bytes of its tag pay for it.
    fn is_paid(&self, len: usize) -> bool {
        let own = len / 2 * ATTRIBUTE_WORK;
        let is_small = self.work as usize + own <= len * WORK_PER_BYTE;
        is_small && self.n_again == 0 && !self.adds_attributes
    }

    /// Whether a text that it is for changes nothing in a state, and any byte pays for it.
    fn is_nothing(&self, state: StateId) -> bool {
        self.to == state
            && self.is_paid(1)
            && self.own == NO_ELEMENT
            && !self.is_apart
            && !self.ends_text
    }
}

impl Likely {
    /// The bits of its first bytes.
    #[inline]
    pub(super) fn mask(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.len.min(8))
    }
}

/// What a token does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: StateId,
    /// The steps of tree construction, without those for attributes.
    pub(super) work: u32,
    /// The element that was made for the tag.
    pub(super) own: ElementId,
    /// How many elements of the path stay.
    pub(super) floor: u16,
    /// How many formatting elements were reopened.
    pub(super) n_again: u16,
    /// Whether an element that is no part of a line of text begins or ends.
    pub(super) is_apart: bool,
    pub(super) ends_text: bool,
    pub(super) opens_link: bool,
    /// Whether the root or the body gets more attributes, or is made with some.
    pub(super) adds_attributes: bool,
    /// Whether the tag may be reopened.
    pub(super) is_kept: bool,
    /// What the tag's attributes show.
    pub(super) values: Option<Role>,
}

/// More than this is not worth keeping; a template has some thousands.
const MAX_SIZE: usize = 400_000;
/// What all the rest takes, for each that is counted.
const BYTES_A_SIZE: usize = 16;
const MAX_RAW: usize = 1 << 20;
/// Tags longer than this are not compared.
const MAX_LIKELY: usize = 200;

pub(super) struct Automaton {
    pub(super) replica: Replica,
    pub(super) symbols: Symbols,
    pub(super) states: Vec<State>,
    pub(super) edges: Vec<Edge>,
    /// By state, all that is known in it.
    known: Vec<Arc<(ElementId, Config)>>,
    elements: Vec<Element>,
    children: Map<(ElementId, NameId, u32, bool), ElementId>,
    state_ids: Map<Arc<(ElementId, Config)>, StateId>,
    edge_ids: Map<(StateId, u32), Next>,
    /// By state.
    keyed: Vec<[Keyed; N_KEYED]>,
    /// Tags as they are written, and what others say.
    raw: Vec<u8>,
    size: usize,
}

impl Automaton {
    pub(super) fn new(eye: &dyn Eye) -> Automaton {
        let root = Element {
            parent: 0,
            name: TagName { id: NameId(0), tag: Tag::Other },
            depth: 0,
            mark: 0,
            path: PathId::ROOT,
            role: Role::Plain,
            is_inline: true,
            is_met: true,
            is_shown: true,
            is_open: true,
        };
        let mut automaton = Automaton {
            replica: Replica::new(),
            symbols: Symbols::new(eye),
            states: Vec::new(),
            edges: Vec::new(),
            known: Vec::new(),
            elements: vec![root],
            children: Map::default(),
            state_ids: Map::default(),
            edge_ids: Map::default(),
            keyed: Vec::new(),
            raw: Vec::new(),
            size: 0,
        };
        automaton.state(0, Config::start());
        automaton
    }

    /// Whether it holds so much that it is better to start over.
    pub(super) fn is_full(&self) -> bool {
        self.size + self.symbols.len() > MAX_SIZE
    }

    /// About how much memory it holds, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        let a_state = size_of::<State>() + size_of::<[Keyed; N_KEYED]>();
        let states = self.states.capacity() * a_state;
        let edges = self.edges.capacity() * size_of::<Edge>();
        states + edges + self.raw.capacity() + BYTES_A_SIZE * (self.size + self.symbols.len())
    }

    pub(super) fn element(&self, element: ElementId) -> &Element {
        &self.elements[element as usize]
    }

    /// Where a start tag leads.
    #[inline]
    pub(super) fn start(
        &mut self,
        from: StateId,
        symbol: SymbolId,
        learn: Learn<'_>,
    ) -> Result<EdgeId, Unfit> {
        match self.edge_ids.get(&(from, symbol << 1)) {
            Some(next) => next.edge(),
            None => {
                let Symbol { name, is_hidden_input, is_late, .. } = self.symbols.get(symbol);
                let token = Token::Start { name, symbol, is_hidden_input, is_late };
                let next = self.work_out(from, token, learn)?;
                self.edge_ids.insert((from, symbol << 1), next);
                next.edge()
            }
        }
    }

    /// Where an end tag leads.
    #[inline]
    pub(super) fn end(
        &mut self,
        from: StateId,
        name: TagName,
        learn: Learn<'_>,
    ) -> Result<EdgeId, Unfit> {
        match self.edge_ids.get(&(from, name.id.0 << 1 | 1)) {
            Some(next) => next.edge(),
            None => {
                let next = self.work_out(from, Token::End(name), learn)?;
                self.edge_ids.insert((from, name.id.0 << 1 | 1), next);
                next.edge()
            }
        }
    }

    /// Where a text or a comment leads.
    #[cold]
    pub(super) fn other(
        &mut self,
        from: StateId,
        token: Token,
        learn: Learn<'_>,
    ) -> Result<EdgeId, Unfit> {
        let next = self.work_out(from, token, learn)?;
        let stays = next.edge().is_ok_and(|edge| self.edges[edge as usize].is_nothing(from));
        let state = &mut self.states[from as usize];
        match token {
            Token::Space => (state.space, state.space_stays) = (next, stays),
            Token::Ink => (state.ink, state.ink_stays) = (next, stays),
            Token::Comment => state.comment = next,
            _ => {}
        }
        next.edge()
    }

    /// Take a tag as one that will come here again, as it is written.
    pub(super) fn expect(&mut self, state: StateId, written: &[u8], edge: EdgeId) {
        if written.len() > MAX_LIKELY || self.raw.len() > MAX_RAW {
            return;
        }
        let likely = &mut self.states[state as usize].likely;
        let Some(free) = likely.iter_mut().find(|it| it.len == 0) else { return };
        let mut head = [0; 8];
        let n_head = written.len().min(8);
        head[..n_head].copy_from_slice(&written[..n_head]);
        let Edge { to, floor, is_apart, ends_text, .. } = self.edges[edge as usize];
        *free = Likely {
            head: u64::from_le_bytes(head),
            start: offset(self.raw.len()),
            len: written.len() as u16,
            edge,
            is_plain: self.edges[edge as usize].is_paid(written.len()),
            is_apart,
            ends_text,
            floor,
            to,
        };
        self.raw.extend_from_slice(written);
    }

    /// Where a tag leads that says what one said that came here.
    #[inline]
    pub(super) fn keyed(&self, state: StateId, key: &[u8]) -> Option<EdgeId> {
        let is_key = |it: &&Keyed| {
            let (start, len) = (it.start as usize, it.len as usize);
            len == key.len() && self.raw[start..start + len] == *key
        };
        self.keyed[state as usize].iter().find(is_key).map(|keyed| keyed.edge)
    }

    /// Take a tag as one that will come here again, by what it says.
    pub(super) fn expect_key(&mut self, state: StateId, edge: EdgeId) {
        let key = self.symbols.key();
        if key.len() > MAX_LIKELY || self.raw.len() > MAX_RAW {
            return;
        }
        let free = self.keyed[state as usize].iter_mut().find(|it| it.len == 0);
        if let Some(free) = free {
            *free = Keyed { start: offset(self.raw.len()), len: offset(key.len()), edge };
            self.raw.extend_from_slice(key);
        }
    }

    /// Whether a tag whose first bytes are as expected goes on as expected.
    #[inline]
    pub(super) fn is_as_expected(&self, likely: &Likely, bytes: &[u8]) -> bool {
        let (start, len) = (likely.start as usize, usize::from(likely.len));
        len <= 8 && bytes.len() >= len || bytes.starts_with(&self.raw[start..start + len])
    }

    /// Ask tree construction.
    fn work_out(&mut self, from: StateId, token: Token, learn: Learn<'_>) -> Result<Next, Unfit> {
        let Learn { eye, paths, credit } = learn;
        *credit = credit.checked_sub(1).ok_or(Unfit::New)?;
        let known = Arc::clone(&self.known[from as usize]);
        let (element, config) = &*known;
        let names = self.names(*element);
        self.size += 1;
        let Some(outcome) = self.replica.step(config, &names, token) else {
            return Ok(Next::UNFIT);
        };
        Ok(self.edge(*element, token, outcome, eye, paths))
    }

    /// The names of the elements from the root to one.
    fn names(&self, element: ElementId) -> Vec<TagName> {
        let mut names = Vec::new();
        let mut at = element;
        while at != 0 {
            names.push(self.element(at).name);
            at = self.element(at).parent;
        }
        names.reverse();
        names
    }

    fn edge(
        &mut self,
        from: ElementId,
        token: Token,
        outcome: Outcome,
        eye: &mut dyn Eye,
        paths: &mut Paths,
    ) -> Next {
        let mut at = from;
        let mut edge = Edge {
            to: 0,
            work: u32::try_from(outcome.work).unwrap_or(u32::MAX),
            own: NO_ELEMENT,
            floor: self.element(from).depth,
            n_again: 0,
            is_apart: false,
            ends_text: outcome.ends_text,
            opens_link: false,
            adds_attributes: false,
            is_kept: false,
            values: None,
        };
        for made in &outcome.made {
            at = self.leave(at, made.under, &mut edge);
            let symbol = self.symbol(made, token, eye);
            if let Maker::Again(_) = made.by {
                edge.n_again += 1;
                // Where it leads is not known any more.
                if symbol.has_href {
                    return Next::UNFIT;
                }
            }
            at = self.child(at, made.name, &symbol, eye, paths);
            let element = &self.elements[at as usize];
            // Attributes that come late could show a page that is hidden.
            if element.is_met && !element.is_shown && element.depth <= 2 {
                return Next::UNFIT;
            }
            edge.is_apart |= element.is_met && !element.is_inline;
            if made.by == Maker::Tag {
                edge.own = at;
                let role = Some(element.role).filter(|_| element.is_shown);
                edge.opens_link = role == Some(Role::Link) && symbol.has_href;
                edge.values = role.filter(|it| it.has_values() && !symbol.is_hidden_input);
            }
        }
        if let Token::Start { name, .. } = token {
            edge.adds_attributes = matches!(name.tag, Tag::Html | Tag::Body);
            edge.is_kept = name.tag.is(Traits::FORMATTING);
        }
        at = self.leave(at, outcome.depth, &mut edge);
        edge.to = self.state(at, outcome.config);
        self.edges.push(edge);
        Next((self.edges.len() - 1) as EdgeId)
    }

    /// Go up to a depth, and note what is left on the way.
    fn leave(&self, from: ElementId, depth: u16, edge: &mut Edge) -> ElementId {
        let mut at = from;
        while self.element(at).depth > depth {
            let element = self.element(at);
            edge.is_apart |= element.is_open && !element.is_inline;
            at = element.parent;
        }
        edge.floor = edge.floor.min(depth);
        at
    }

    fn symbol(&mut self, made: &Made, token: Token, eye: &mut dyn Eye) -> Symbol {
        match (made.by, token) {
            (Maker::Again(symbol), _) | (Maker::Tag, Token::Start { symbol, .. }) => {
                self.symbols.get(symbol)
            }
            _ => self.symbols.implied(made.name, eye),
        }
    }

    /// An element within another.
    fn child(
        &mut self,
        parent: ElementId,
        name: TagName,
        symbol: &Symbol,
        eye: &mut dyn Eye,
        paths: &mut Paths,
    ) -> ElementId {
        let around = self.elements[parent as usize].clone();
        let local = self.replica.local(name).to_owned();
        let depth = around.depth + 1;
        let mark = if around.is_open { eye.mark(around.mark, &local, symbol.meaning) } else { 0 };
        // Scripts that hide the page until it is ready hide all of it.
        let is_hidden = symbol.hides || symbol.hides_by_style && depth > 2;
        if let Some(known) = self.children.get(&(parent, name.id, mark, is_hidden)) {
            return *known;
        }
        let path = if around.is_open { paths.child(around.path, &local) } else { around.path };
        let full_name = Name { namespace: Namespace::Html, local: local.into() };
        let role = Role::of(&full_name);
        let is_met = around.is_open && role != Role::Skip;
        let is_shown = is_met && !is_hidden;
        let element = Element {
            parent,
            name,
            depth,
            mark,
            path,
            role,
            is_inline: is_inline(&full_name),
            is_met,
            is_shown,
            // A gauge shows its value; what is written inside is for those who cannot draw it.
            is_open: is_shown && role != Role::Gauge,
        };
        let id = self.elements.len() as ElementId;
        self.elements.push(element);
        self.children.insert((parent, name.id, mark, is_hidden), id);
        self.size += 1;
        id
    }

    fn state(&mut self, element: ElementId, config: Config) -> StateId {
        let known = Arc::new((element, config));
        if let Some(state) = self.state_ids.get(&known) {
            return *state;
        }
        let at = self.element(element);
        let config = &known.1;
        let state = State {
            mark: at.mark,
            path: at.path,
            depth: at.depth,
            space_stays: false,
            ink_stays: false,
            is_open: at.is_open,
            skips_newline: config.skips_newline(),
            content: config.content(),
            space: Next::UNKNOWN,
            ink: Next::UNKNOWN,
            comment: Next::UNKNOWN,
            likely: [Likely::default(); N_LIKELY],
        };
        // Beside what it knows, a state has some memory of its own.
        self.size += 20 + config.len();
        let id = self.states.len() as StateId;
        self.states.push(state);
        self.known.push(Arc::clone(&known));
        self.keyed.push([Keyed::default(); N_KEYED]);
        self.state_ids.insert(known, id);
        id
    }
}

impl Role {
    /// Whether attributes of such elements are leaves.
    fn has_values(self) -> bool {
        matches!(
            self,
            Role::Image | Role::Input | Role::Time | Role::Data | Role::Gauge | Role::Meta
        )
    }
}

/// What is needed to find out something new.
pub(super) struct Learn<'a> {
    pub(super) eye: &'a mut dyn Eye,
    pub(super) paths: &'a mut Paths,
    /// How much more may be found out.
    pub(super) credit: &'a mut u32,
}
