//! Start and end tags.

use super::chars::{self, References};
use super::stretch::{self, Stretch};
use super::{ENDS_ATTRIBUTE, ENDS_NAME, ENDS_VALUE, Tokenizer, ends_with, is_space};
use crate::arena::AttrRange;
use crate::build::StartTag;
use crate::tree::{Attr, Slice, Span, offset};

impl Tokenizer<'_> {
    /// The cursor stands on `<` and a letter.
    pub(super) fn start_tag(&mut self) {
        let open = self.position;
        let name_end = name_end(self.bytes, open + 1);
        let name = self.gate.arena().names.tag(self.source, open + 1, name_end);
        let Some((attrs, end)) = self.attributes(name_end) else {
            // A tag cut off by the end of the page is no tag.
            self.position = self.bytes.len();
            return;
        };
        self.position = end.position;
        let Some(name) = name else { return };
        let span = Span::new(open, end.position);
        let is_self_closing = end.is_self_closing;
        self.content = self.gate.start_tag(&StartTag { name, attrs, is_self_closing, span });
    }

    /// The cursor stands on `</` and a letter.
    pub(super) fn end_tag(&mut self) {
        let open = self.position;
        let name_end = name_end(self.bytes, open + 2);
        let name = self.gate.arena().names.tag(self.source, open + 2, name_end);
        let end = match self.bytes.get(name_end) {
            Some(b'>') => Some(name_end + 1),
            _ => skip_attributes(self.bytes, name_end),
        };
        let Some(end) = end else {
            self.position = self.bytes.len();
            return;
        };
        self.position = end;
        if let Some(name) = name {
            self.gate.end_tag(name, Span::new(open, end));
        }
    }

    /// The attributes after a tag's name, and where the tag ends; none if it does not.
    #[inline]
    fn attributes(&mut self, start: usize) -> Option<(AttrRange, TagEnd)> {
        let first = self.gate.arena().attrs.len();
        let mut position = start;
        loop {
            let attribute = match next_part(self.bytes, position)? {
                Part::Attribute(attribute) => attribute,
                Part::End(end) => {
                    let len = offset(self.gate.arena().attrs.len() - first);
                    return Some((AttrRange { start: offset(first), len }, end));
                }
            };
            position = attribute.next;
            self.attribute(first, attribute);
        }
    }

    #[inline]
    fn attribute(&mut self, first: usize, attribute: AttributePlace) {
        let arena = self.gate.arena();
        if arena.attrs.len() - first >= self.max_attributes {
            self.n_attributes_cut += 1;
            return;
        }
        let (start, end) = attribute.name;
        let Some(name) = arena.names.attribute(self.source, start, end) else { return };
        if arena.attrs[first..].iter().any(|known| known.name == name) {
            return;
        }
        let (start, end) = attribute.value;
        let value = if attribute.is_special {
            chars::decode(arena, start, end, References::DecodeInAttribute)
        } else {
            Slice { start: offset(start), len: offset(end - start) }
        };
        arena.attrs.push(Attr { name, value });
    }
}

pub(crate) struct TagEnd {
    /// After the `>`.
    pub(crate) position: usize,
    is_self_closing: bool,
}

/// Where an attribute stands. Its value is without quotes, and empty if it has none.
pub(crate) struct AttributePlace {
    pub(crate) name: (usize, usize),
    pub(crate) value: (usize, usize),
    /// Whether the value has to be decoded.
    pub(crate) is_special: bool,
    pub(crate) next: usize,
}

pub(crate) enum Part {
    Attribute(AttributePlace),
    End(TagEnd),
}

/// The next attribute of a tag, or its end; none if the page ends first.
#[inline(always)]
pub(crate) fn next_part(bytes: &[u8], start: usize) -> Option<Part> {
    let mut position = start;
    loop {
        match *bytes.get(position)? {
            b'>' => {
                let is_self_closing = false;
                return Some(Part::End(TagEnd { position: position + 1, is_self_closing }));
            }
            b'/' if bytes.get(position + 1) == Some(&b'>') => {
                let is_self_closing = true;
                return Some(Part::End(TagEnd { position: position + 2, is_self_closing }));
            }
            b'/' => position += 1,
            byte if is_space(byte) => position += 1,
            _ => return attribute(bytes, position).map(Part::Attribute),
        }
    }
}

/// The attribute whose name starts here. An equals sign at its start is part of the name.
#[inline(always)]
fn attribute(bytes: &[u8], start: usize) -> Option<AttributePlace> {
    let name_end = stretch::name_end(bytes, start + 1, |byte| ends_with(byte, ENDS_ATTRIBUTE));
    let name = (start, name_end);
    let equals = skip_space(bytes, name_end)?;
    let plain = |value, next| AttributePlace { name, value, is_special: false, next };
    if bytes[equals] != b'=' {
        return Some(plain((equals, equals), equals));
    }
    let value = skip_space(bytes, equals + 1)?;
    match bytes[value] {
        quote @ (b'"' | b'\'') => {
            let start = value + 1;
            let Stretch { end, is_special } = stretch::up_to(bytes, start, quote)?;
            Some(AttributePlace { is_special, ..plain((start, end), end + 1) })
        }
        b'>' => Some(plain((value, value), value)),
        _ => {
            let ends_value = |byte: &u8| ends_with(*byte, ENDS_VALUE);
            let end = value + bytes[value..].iter().position(ends_value)?;
            let is_special = chars::is_special(&bytes[value..end], References::DecodeInAttribute);
            Some(AttributePlace { is_special, ..plain((value, end), end) })
        }
    }
}

#[inline]
pub(crate) fn name_end(bytes: &[u8], start: usize) -> usize {
    stretch::name_end(bytes, start, |byte| ends_with(byte, ENDS_NAME))
}

#[inline]
fn skip_space(bytes: &[u8], start: usize) -> Option<usize> {
    Some(start + bytes.get(start..)?.iter().position(|byte| !is_space(*byte))?)
}

/// Where a tag ends, its attributes passed over.
pub(crate) fn skip_attributes(bytes: &[u8], start: usize) -> Option<usize> {
    let mut position = start;
    loop {
        match next_part(bytes, position)? {
            Part::End(end) => return Some(end.position),
            Part::Attribute(attribute) => position = attribute.next,
        }
    }
}

/// Where the value of an attribute stands in the start tag that `tag` spans.
pub(crate) fn attribute_value(source: &str, tag: Span, name: &str) -> Option<Span> {
    let bytes = source.as_bytes().get(..tag.end as usize)?;
    let mut position = name_end(bytes, tag.start as usize + 1);
    while let Part::Attribute(attribute) = next_part(bytes, position)? {
        let written = &source[attribute.name.0..attribute.name.1];
        if written.eq_ignore_ascii_case(name) {
            return Some(Span::new(attribute.value.0, attribute.value.1));
        }
        position = attribute.next;
    }
    None
}
