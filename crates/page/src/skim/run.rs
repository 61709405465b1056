//! One page, from its first byte to its last.

use super::again::{Again, Bill, Track};
use super::automaton::{Automaton, EdgeId, Learn, Likely, Next, StateId};
use super::symbol::{Attributes, HREF, Value};
use super::{Eye, Place, Unfit};
use crate::build::{ContentModel, RawKind, Token};
use crate::leaf::{Leaves, Piece, Seam};
use crate::tag::Tag;
use crate::token::chars::{self, References};
use crate::token::{Construct, construct_at, markup, raw, stretch, tag};
use crate::tree::{Span, offset};
use memchr::memchr;
use std::ops::Range;

/// Work that a page may do ahead of its bytes: half of what [`gate`](crate::gate) gives it. So no token that is paid for by its
/// own bytes, and costs less than the other half, makes less of what is left there than here, and need not be counted.
const CREDIT_AT_START: i64 = 1 << 19;
/// What a byte pays, and what is charged for an attribute.
pub(super) const WORK_PER_BYTE: usize = 48;
pub(super) const ATTRIBUTE_WORK: usize = 24;
/// At most so much is charged for a tag that is reopened, by its bytes: an attribute has two of them or more.
const AGAIN_WORK_PER_BYTE: usize = ATTRIBUTE_WORK / 2 + 2;

/// A link that the next leaf is inside of.
pub(super) struct Link {
    depth: u16,
    pub(super) href: Value,
    /// Its text, once a leaf asked for it.
    pub(super) text: Option<Range<u32>>,
}

/// The text that the next may be a part of.
pub(super) struct OpenText {
    pub(super) is_open: bool,
    /// Whether it is the last leaf.
    pub(super) is_leaf: bool,
    pub(super) first: Stretch,
    /// All of its pieces, if there are several.
    pub(super) pieces: Vec<Piece<String>>,
    /// What was known before it.
    pub(super) was_apart: bool,
    pub(super) low: u16,
}

pub(super) struct Run<'a> {
    pub(super) automaton: &'a mut Automaton,
    pub(super) eye: &'a mut dyn Eye,
    pub(super) leaves: &'a mut Leaves,
    pub(super) places: &'a mut Vec<Place>,
    pub(super) attributes: &'a mut Attributes,
    pub(super) learnable: &'a mut u32,
    pub(super) source: &'a str,
    bytes: &'a [u8],
    pub(super) position: usize,
    pub(super) state: StateId,
    pub(super) links: Vec<Link>,
    pub(super) seam: Seam,
    pub(super) text: OpenText,
    /// The text that was decoded last.
    pub(super) decoded: String,
    /// How deep the elements go that the next leaf and the last one may have in common.
    pub(super) low: u16,
    pub(super) again: &'a mut Again,
    pub(super) track: Track,
    pub(super) bill: Bill,
}

/// A text of the page.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    pub(super) span: Span,
    /// Whether it has to be decoded.
    pub(super) is_special: bool,
    pub(super) references: References,
}

impl Stretch {
    const NONE: Stretch = Stretch {
        span: Span { start: 0, end: 0 },
        is_special: false,
        references: References::Keep,
    };
}

impl<'a> Run<'a> {
    #[allow(clippy::too_many_arguments, reason = "they are parts of the skimmer that live apart")]
    pub(super) fn new(
        source: &'a str,
        automaton: &'a mut Automaton,
        eye: &'a mut dyn Eye,
        leaves: &'a mut Leaves,
        places: &'a mut Vec<Place>,
        attributes: &'a mut Attributes,
        learnable: &'a mut u32,
        again: &'a mut Again,
    ) -> Run<'a> {
        leaves.start_written();
        places.clear();
        let track = again.start(source.len());
        Run {
            automaton,
            eye,
            leaves,
            places,
            attributes,
            learnable,
            source,
            bytes: source.as_bytes(),
            position: 0,
            state: 0,
            links: Vec::new(),
            seam: Seam { is_apart: true, is_apart_next: false },
            text: OpenText {
                is_open: false,
                is_leaf: false,
                first: Stretch::NONE,
                pieces: Vec::new(),
                was_apart: true,
                low: 0,
            },
            decoded: String::new(),
            low: 0,
            again,
            track,
            bill: Bill::of_credit(CREDIT_AT_START),
        }
    }

    /// Read the page to its end.
    pub(super) fn read(&mut self) -> Result<(), Unfit> {
        while self.position < self.bytes.len() {
            match self.automaton.states[self.state as usize].content {
                ContentModel::Markup => {
                    if self.text.is_open || !self.links.is_empty() || !self.at_joint() {
                        self.markup()?;
                    }
                }
                ContentModel::Raw(kind, Some(element)) => self.raw_text(kind, element)?,
                ContentModel::Raw(_, None) | ContentModel::Plaintext => return Err(Unfit::Token),
            }
        }
        Ok(())
    }

    /// Text up to the next markup, then that markup.
    #[inline]
    fn markup(&mut self) -> Result<(), Unfit> {
        let start = self.position;
        let mut search = start;
        let mut is_special = false;
        while let Some(text) = stretch::up_to(self.bytes, search, b'<') {
            is_special |= text.is_special;
            if let Some(construct) = construct_at(&self.bytes[text.end..]) {
                self.markup_text(start, text.end, is_special)?;
                self.position = text.end;
                return self.construct(construct);
            }
            search = text.end + 1;
        }
        let end = self.bytes.len();
        let is_special = chars::is_special(&self.bytes[start..], References::Decode);
        self.position = end;
        self.markup_text(start, end, is_special)
    }

    #[inline]
    fn markup_text(&mut self, start: usize, end: usize, is_special: bool) -> Result<(), Unfit> {
        if start == end {
            return Ok(());
        }
        if is_special && memchr(0, &self.bytes[start..end]).is_some() {
            return Err(Unfit::Token);
        }
        let span = Span::new(start, end);
        self.text(Stretch { span, is_special, references: References::Decode })
    }

    #[inline]
    fn construct(&mut self, construct: Construct) -> Result<(), Unfit> {
        match construct {
            Construct::StartTag | Construct::EndTag => {
                if let Some(likely) = self.likely() {
                    return self.take_likely(likely);
                }
                match construct {
                    Construct::StartTag => self.start_tag(),
                    _ => self.end_tag(),
                }
            }
            Construct::Nothing => {
                self.position += 3;
                Ok(())
            }
            Construct::Declaration => self.declaration(),
            Construct::BogusComment { skip } => self.bogus_comment(skip),
        }
    }

    /// A tag that came here before, to the letter.
    #[inline]
    fn likely(&self) -> Option<Likely> {
        let rest = &self.bytes[self.position..];
        let word = u64::from_le_bytes(*rest.first_chunk()?);
        for likely in &self.automaton.states[self.state as usize].likely {
            if likely.len == 0 {
                return None;
            }
            if word & likely.mask() == likely.head && self.automaton.is_as_expected(likely, rest) {
                return Some(*likely);
            }
        }
        None
    }

    #[inline]
    fn take_likely(&mut self, likely: Likely) -> Result<(), Unfit> {
        let len = usize::from(likely.len);
        self.position += len;
        if !likely.is_plain {
            return self.take(likely.edge, len, len / 2);
        }
        self.bill.longest = self.bill.longest.max(len);
        self.text.is_open &= !likely.ends_text;
        self.go(likely.to, likely.floor, likely.is_apart);
        Ok(())
    }

    fn start_tag(&mut self) -> Result<(), Unfit> {
        let open = self.position;
        let name_end = tag::name_end(self.bytes, open + 1);
        let symbols = &mut self.automaton.symbols;
        let end = symbols.scan(self.bytes, name_end, self.attributes).map_err(|()| Unfit::Limit)?;
        let Some(end) = end else {
            // A tag cut off by the end of the page is no tag.
            self.position = self.bytes.len();
            return Ok(());
        };
        let name = (open + 1, name_end);
        symbols.read(self.bytes, name, self.attributes);
        let state = self.state;
        let edge = match self.automaton.keyed(state, self.automaton.symbols.key()) {
            Some(edge) => edge,
            None => self.unexpected(name)?,
        };
        self.position = end;
        self.take(edge, end - open, self.attributes.n)?;
        let taken = self.automaton.edges[edge as usize];
        if taken.opens_link {
            let href = self.attributes.get(HREF).unwrap_or_default();
            let depth = self.automaton.element(taken.own).depth;
            self.links.push(Link { depth, href, text: None });
        } else if let Some(role) = taken.values {
            self.values(role, edge);
        } else {
            self.automaton.expect(state, &self.bytes[open..end], edge);
        }
        Ok(())
    }

    /// Where a tag leads that is read and was not expected.
    fn unexpected(&mut self, name: (usize, usize)) -> Result<EdgeId, Unfit> {
        let Automaton { symbols, replica, .. } = &mut *self.automaton;
        let symbol = symbols.start(self.source, name, self.attributes, self.eye, replica);
        let symbol = symbol.map_err(|()| Unfit::Limit)?;
        let Run { automaton, eye, leaves, learnable, state, .. } = self;
        let learn = Learn { eye: *eye, paths: leaves.paths_mut(), credit: learnable };
        let edge = automaton.start(*state, symbol, learn)?;
        automaton.expect_key(*state, edge);
        Ok(edge)
    }

    fn end_tag(&mut self) -> Result<(), Unfit> {
        let open = self.position;
        let name_end = tag::name_end(self.bytes, open + 2);
        let end = match self.bytes.get(name_end) {
            Some(b'>') => Some(name_end + 1),
            _ => tag::skip_attributes(self.bytes, name_end),
        };
        let Some(end) = end else {
            self.position = self.bytes.len();
            return Ok(());
        };
        let Automaton { symbols, replica, .. } = &mut *self.automaton;
        let name = symbols.end(&self.source[open + 2..name_end], replica);
        let name = name.map_err(|()| Unfit::Limit)?;
        let state = self.state;
        let Run { automaton, eye, leaves, learnable, .. } = self;
        let learn = Learn { eye: *eye, paths: leaves.paths_mut(), credit: learnable };
        let edge = automaton.end(state, name, learn)?;
        self.automaton.expect(state, &self.bytes[open..end], edge);
        self.position = end;
        self.take(edge, end - open, 0)
    }

    /// Go where a tag leads.
    #[inline]
    fn take(&mut self, edge: EdgeId, tag_len: usize, max_attrs: usize) -> Result<(), Unfit> {
        let edge = self.automaton.edges[edge as usize];
        let own = max_attrs * ATTRIBUTE_WORK;
        let mut work = edge.work as usize + own + self.work_again(edge.n_again);
        if edge.is_kept {
            self.bill.longest = self.bill.longest.max(tag_len);
        }
        if edge.adds_attributes {
            self.bill.late_work += own;
            work += self.bill.late_work;
        }
        self.bill.n_dependent += u32::from(edge.adds_attributes || edge.n_again > 0);
        self.pay(tag_len, work)?;
        self.text.is_open &= !edge.ends_text;
        self.go(edge.to, edge.floor, edge.is_apart);
        Ok(())
    }

    #[inline]
    fn go(&mut self, to: StateId, floor: u16, is_apart: bool) {
        self.seam.is_apart |= is_apart;
        self.low = self.low.min(floor);
        while self.links.last().is_some_and(|link| link.depth > floor) {
            self.links.pop();
        }
        self.state = to;
    }

    /// Go where a text or comment leads; says whether it begins something new.
    pub(super) fn take_other(&mut self, token: Token) -> Result<bool, Unfit> {
        let state = &self.automaton.states[self.state as usize];
        let skips_newline = state.skips_newline;
        let next = match token {
            Token::Space => state.space,
            Token::Ink => state.ink,
            _ => state.comment,
        };
        let edge = match next {
            Next::UNFIT => return Err(Unfit::Token),
            Next(edge) if next != Next::UNKNOWN => edge,
            _ => {
                let Run { automaton, eye, leaves, learnable, state, .. } = self;
                let learn = Learn { eye: *eye, paths: leaves.paths_mut(), credit: learnable };
                automaton.other(*state, token, learn)?
            }
        };
        let edge = &self.automaton.edges[edge as usize];
        if edge.n_again > 0 && token == Token::Space && skips_newline {
            // A newline may be all there is, and then nothing is reopened for it.
            return Err(Unfit::Token);
        }
        let (to, floor, is_apart, ends_text) = (edge.to, edge.floor, edge.is_apart, edge.ends_text);
        let n_again = edge.n_again;
        let work = edge.work as usize + self.work_again(n_again);
        self.bill.n_dependent += u32::from(n_again > 0);
        self.pay(0, work)?;
        self.go(to, floor, is_apart);
        Ok(ends_text)
    }

    /// What is charged at most for tags that are reopened.
    fn work_again(&self, n: u16) -> usize {
        usize::from(n) * self.bill.longest * AGAIN_WORK_PER_BYTE
    }

    #[inline]
    fn pay(&mut self, n_bytes: usize, work: usize) -> Result<(), Unfit> {
        let [paid, work] = [n_bytes * WORK_PER_BYTE, work].map(|it| i64::from(offset(it)));
        self.bill.spent += (work - paid).max(0);
        self.bill.credit = (self.bill.credit + paid - work).min(CREDIT_AT_START);
        if self.bill.credit < 0 || work > CREDIT_AT_START { Err(Unfit::Limit) } else { Ok(()) }
    }

    /// The content of `<script>`, `<style>`, `<title>` … up to its end tag.
    fn raw_text(&mut self, kind: RawKind, element: Tag) -> Result<(), Unfit> {
        let start = self.position;
        let end = match kind {
            RawKind::Script => raw::script_end(self.bytes, start, element.name()),
            RawKind::Rcdata | RawKind::Rawtext => raw::end_tag(self.bytes, start, element.name()),
        };
        let end = end.ok_or(Unfit::Token)?;
        if start < end && self.automaton.states[self.state as usize].is_open {
            let references = match kind {
                RawKind::Rcdata => References::Decode,
                RawKind::Rawtext | RawKind::Script => References::Keep,
            };
            let is_special = chars::is_special(&self.bytes[start..end], references);
            self.text(Stretch { span: Span::new(start, end), is_special, references })?;
        }
        self.position = end;
        match self.likely() {
            Some(likely) => self.take_likely(likely),
            None => self.end_tag(),
        }
    }

    fn declaration(&mut self) -> Result<(), Unfit> {
        let rest = &self.bytes[self.position + 2..];
        if rest.starts_with(b"--") {
            let start = self.position + 4;
            let (_, n_read) = markup::comment_len(&self.bytes[start..]);
            self.comment(start + n_read)
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.doctype()
        } else {
            self.bogus_comment(2)
        }
    }

    fn bogus_comment(&mut self, skip: usize) -> Result<(), Unfit> {
        let start = self.position + skip;
        let found = memchr(b'>', &self.bytes[start..]);
        self.comment(found.map_or(self.bytes.len(), |found| start + found + 1))
    }

    fn comment(&mut self, next: usize) -> Result<(), Unfit> {
        self.position = next;
        let ends_text = self.take_other(Token::Comment)?;
        self.text.is_open &= !ends_text;
        Ok(())
    }

    fn doctype(&mut self) -> Result<(), Unfit> {
        let start = self.position + "<!doctype".len();
        let found = memchr(b'>', &self.bytes[start..]);
        let end = found.map_or(self.bytes.len(), |found| start + found);
        let mut declaration = String::new();
        chars::push_decoded(&mut declaration, &self.source[start..end], References::Keep);
        let is_quirky = markup::doctype(&declaration, found.is_some()).asks_for_quirks();
        self.position = end + usize::from(found.is_some());
        let token = Token::Doctype { is_quirky };
        let state = self.state;
        let Run { automaton, eye, leaves, learnable, .. } = self;
        let learn = Learn { eye: *eye, paths: leaves.paths_mut(), credit: learnable };
        let edge = automaton.other(state, token, learn)?;
        let edge = self.automaton.edges[edge as usize];
        self.go(edge.to, edge.floor, edge.is_apart);
        Ok(())
    }
}
