//! The leaves of a page that is skimmed, to the letter those that [`leaf`](crate::leaf) finds in its tree.

use super::automaton::EdgeId;
use super::run::{Run, Stretch};
use super::symbol::decoded;
use super::{Place, Unfit};
use crate::build::Token;
use crate::leaf::role::{self, InputKind, Role};
use crate::leaf::{LeafKind, Piece, Written};
use crate::path::PathId;
use crate::text;
use crate::token::chars;
use crate::tree::Span;
use std::borrow::Cow;
use std::ops::Range;

/// Values of attributes by their names.
type Values<'v> = Vec<(&'static str, Cow<'v, str>)>;

/// A text that markup breaks more often is for the tree.
const MAX_PIECES: usize = 16;

/// Where an element stands whose attributes are leaves.
#[derive(Clone, Copy)]
struct Owner {
    depth: u16,
    mark: u32,
    path: PathId,
}

impl Run<'_> {
    /// A text of the page.
    #[inline]
    pub(super) fn text(&mut self, text: Stretch) -> Result<(), Unfit> {
        let written = &self.source.as_bytes()[text.span.range()];
        let is_space = text::is_space(written);
        let begins_with_reference =
            text.is_special && !is_space && written.trim_ascii_start()[0] == b'&';
        if begins_with_reference && text::is_space(self.decode(text).as_bytes()) {
            // Where a text begins that begins with blanks as references depends on what is part of it.
            return Err(Unfit::Token);
        }
        let state = &self.automaton.states[self.state as usize];
        let is_new = match is_space {
            true if state.space_stays => false,
            false if state.ink_stays => false,
            true => self.take_other(Token::Space)?,
            false => self.take_other(Token::Ink)?,
        };
        if !self.automaton.states[self.state as usize].is_open {
            self.text.is_open = false;
        } else if self.text.is_open && !is_new {
            self.more_text(text)?;
        } else if is_space {
            // What follows it may be a part of the same text; that shows the same.
            self.text.is_open = false;
            self.seam.is_apart = true;
        } else {
            self.new_text(text);
        }
        Ok(())
    }

    #[inline]
    fn new_text(&mut self, text: Stretch) {
        self.text.is_open = true;
        self.text.first = text;
        self.text.pieces.clear();
        self.text.was_apart = self.seam.is_apart;
        self.text.low = self.low;
        let plain = match text.is_special {
            false => self.leaves.plain_text(self.source, text.span, &mut self.seam),
            true => None,
        };
        let shown = plain.unwrap_or_else(|| {
            if text.is_special {
                self.decode(text);
            }
            let decoded = text.is_special.then_some(&self.decoded);
            let piece = Piece { span: text.span, decoded };
            self.leaves.any_text(self.source, &[piece], &mut self.seam)
        });
        self.text.is_leaf = shown.is_some();
        if let Some(shown) = shown {
            self.text_leaf(shown);
        }
    }

    /// Markup that made nothing stands within a text: the leaf is made again of all its pieces.
    #[cold]
    fn more_text(&mut self, text: Stretch) -> Result<(), Unfit> {
        // Each piece makes the text anew, so a text of very many would take their square.
        if self.text.pieces.len() >= MAX_PIECES {
            return Err(Unfit::Limit);
        }
        if self.text.pieces.is_empty() {
            let first = self.piece(self.text.first);
            self.text.pieces.push(first);
        }
        let piece = self.piece(text);
        self.text.pieces.push(piece);
        self.seam.is_apart = self.text.was_apart;
        if self.text.is_leaf {
            self.leaves.pop_written();
            self.places.pop();
            self.low = self.text.low;
        }
        let shown = self.leaves.any_text(self.source, &self.text.pieces, &mut self.seam);
        self.text.is_leaf = shown.is_some();
        if let Some(shown) = shown {
            self.text_leaf(shown);
        }
        Ok(())
    }

    fn piece(&mut self, text: Stretch) -> Piece<String> {
        let decoded = text.is_special.then(|| self.decode(text).to_owned());
        Piece { span: text.span, decoded }
    }

    fn decode(&mut self, text: Stretch) -> &str {
        self.decoded.clear();
        let written = &self.source[text.span.range()];
        chars::push_decoded(&mut self.decoded, written, text.references);
        &self.decoded
    }

    #[inline]
    fn text_leaf(&mut self, (text, span): (Range<u32>, Span)) {
        let is_apart = std::mem::replace(&mut self.seam.is_apart, self.seam.is_apart_next);
        let link = self.link();
        let state = &self.automaton.states[self.state as usize];
        self.places.push(Place { mark: state.mark, common: self.low.min(state.depth) });
        self.low = state.depth;
        self.leaves.push_written(Written {
            text,
            link,
            src: None,
            path: state.path,
            span,
            kind: LeafKind::Text,
            attribute: None,
            is_apart,
        });
    }

    /// Where the link leads that the next leaf is inside of.
    fn link(&mut self) -> Option<Range<u32>> {
        let link = self.links.last_mut()?;
        if link.text.is_none() {
            let written = &self.source[link.href.start as usize..link.href.end as usize];
            link.text = Some(match link.href.is_special {
                true => self.leaves.keep_decoded(written),
                false => self.leaves.keep(written),
            });
        }
        link.text.clone()
    }

    /// What the element of the tag at hand shows by its attributes.
    pub(super) fn values(&mut self, role: Role, edge: EdgeId) {
        let own = self.automaton.element(self.automaton.edges[edge as usize].own);
        let owner = Owner { depth: own.depth, mark: own.mark, path: own.path };
        let source = self.source;
        let values: Values<'_> = self
            .attributes
            .iter()
            .map(|(slot, value)| {
                let written = &source[value.start as usize..value.end as usize];
                let value = match value.is_special {
                    true => Cow::Owned(decoded(source, value)),
                    false => Cow::Borrowed(written),
                };
                (self.automaton.symbols.attribute(slot), value)
            })
            .collect();
        match role {
            Role::Image => self.image(owner, &values),
            Role::Input => match role::input_kind(get(&values, "type")) {
                InputKind::Shown => self.attribute(owner, &values, LeafKind::Field, "value"),
                InputKind::Image => self.image(owner, &values),
                InputKind::Silent => {}
            },
            Role::Time => self.attribute(owner, &values, LeafKind::Value, "datetime"),
            Role::Data | Role::Gauge => self.attribute(owner, &values, LeafKind::Value, "value"),
            Role::Meta if role::is_subject_meta(|name| get(&values, name)) => {
                self.attribute(owner, &values, LeafKind::Meta, "content");
            }
            _ => {}
        }
    }

    fn image(&mut self, owner: Owner, values: &Values<'_>) {
        let attr = |name: &str| get(values, name);
        if role::is_spacer(attr) {
            return;
        }
        let Some((attribute, src)) = role::picture(attr) else {
            return self.attribute(owner, values, LeafKind::Image, "alt");
        };
        let src = self.leaves.keep(src);
        let alt = attr("alt").unwrap_or_default();
        let text = self.leaves.keep_collapsed(alt).unwrap_or(src.end..src.end);
        self.value_leaf(owner, LeafKind::Image, attribute, text, Some(src));
    }

    /// A leaf for an attribute's value, if it has one.
    fn attribute(&mut self, owner: Owner, values: &Values<'_>, kind: LeafKind, name: &'static str) {
        let Some(value) = get(values, name) else { return };
        let Some(text) = self.leaves.keep_collapsed(value) else { return };
        self.value_leaf(owner, kind, name, text, None);
    }

    fn value_leaf(
        &mut self,
        owner: Owner,
        kind: LeafKind,
        attribute: &'static str,
        text: Range<u32>,
        src: Option<Range<u32>>,
    ) {
        let link = self.link();
        let path = self.leaves.paths_mut().child(owner.path, role::attribute_step(attribute));
        let slot = self.automaton.symbols.slot(attribute);
        let written = slot.and_then(|slot| self.attributes.get(slot)).unwrap_or_default();
        let span = Span { start: written.start, end: written.end };
        self.places.push(Place { mark: owner.mark, common: self.low.min(owner.depth) });
        self.low = owner.depth.min(self.automaton.states[self.state as usize].depth);
        let (attribute, is_apart) = (Some(attribute), self.seam.is_apart);
        self.leaves.push_written(Written {
            text,
            link,
            src,
            path,
            span,
            kind,
            attribute,
            is_apart,
        });
    }
}

fn get<'v>(values: &'v Values<'_>, name: &str) -> Option<&'v str> {
    values.iter().find(|(own, _)| *own == name).map(|(_, value)| &**value)
}
