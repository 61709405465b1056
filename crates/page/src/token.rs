//! The tokenizer: HTML's lexical grammar at the speed of `memchr`.
//!
//! It follows the tokenization states of the HTML standard (13.2.5), but by construct instead of by
//! character: whatever ends a construct is searched for, and the stretch before it is handed on as it
//! stands in the source, without a copy, unless it holds a character reference, a carriage return or a
//! NUL. It reads decoded text to its end in one go, knows where everything stands, and feeds the
//! [`gate`](crate::gate).
//!
//! - `tag`: start tags and their attributes
//! - `markup`: comments, doctypes, CDATA
//! - `raw`: where the content of `<script>`, `<title>`, `<style>` … ends
//! - `chars`: character references, newlines and NUL in text; `named`: references by name
//! - `stretch`: how far a text or a value goes

pub(crate) mod chars;
pub(crate) mod markup;
mod named;
pub(crate) mod raw;
pub(crate) mod stretch;
pub(crate) mod tag;

use crate::arena::{Grown, Text};
use crate::build::{ContentModel, RawKind};
use crate::gate::Gate;
use crate::limits::Limits;
use crate::note::Note;
use crate::tag::Tag;
use crate::tree::Span;
use chars::{Nulls, References};
use memchr::memchr;

pub(crate) use tag::attribute_value;

pub(crate) struct Tokenizer<'t> {
    source: &'t str,
    bytes: &'t [u8],
    position: usize,
    content: ContentModel,
    gate: Gate<'t>,
    max_attributes: usize,
    n_attributes_cut: u32,
}

impl<'t> Tokenizer<'t> {
    /// `source` is what the gate's arena is built over.
    pub(crate) fn new(source: &'t str, gate: Gate<'t>, limits: Limits) -> Self {
        Tokenizer {
            source,
            bytes: source.as_bytes(),
            position: 0,
            content: ContentModel::Markup,
            gate,
            max_attributes: limits.attributes as usize,
            n_attributes_cut: 0,
        }
    }

    /// Start inside an element, as the fragment parsing algorithm does. No tag opened it, so none ends it.
    #[cfg(feature = "reference")]
    pub(crate) fn inside(mut self, content: ContentModel) -> Self {
        self.content = content;
        self
    }

    /// Read the page to its end.
    pub(crate) fn run(mut self) -> (Grown, Vec<Note>) {
        while self.position < self.bytes.len() {
            match self.content {
                ContentModel::Markup => self.markup(),
                ContentModel::Raw(kind, element) => self.raw_text(kind, element),
                ContentModel::Plaintext => self.plaintext(),
            }
        }
        let (arena, mut notes) = self.gate.finish();
        let tree = arena.finish();
        if self.n_attributes_cut > 0 {
            notes.push(Note::TooManyAttributes(self.n_attributes_cut));
        }
        if tree.n_names_refused > 0 {
            notes.push(Note::TooManyNames(tree.n_names_refused));
        }
        (tree, notes)
    }

    /// Text up to the next markup, then that markup.
    fn markup(&mut self) {
        let start = self.position;
        let mut search = start;
        let mut is_special = false;
        while let Some(text) = stretch::up_to(self.bytes, search, b'<') {
            is_special |= text.is_special;
            if let Some(construct) = construct_at(&self.bytes[text.end..]) {
                self.markup_text(start, text.end, is_special);
                self.position = text.end;
                self.construct(construct);
                return;
            }
            search = text.end + 1;
        }
        self.text(start, self.bytes.len(), References::Decode, Nulls::Token);
        self.position = self.bytes.len();
    }

    #[inline]
    fn markup_text(&mut self, start: usize, end: usize, is_special: bool) {
        if is_special {
            self.text_around_nulls(start, end, References::Decode);
        } else if start < end {
            self.gate.text(Text::written(start, end));
        }
    }

    fn construct(&mut self, construct: Construct) {
        match construct {
            Construct::StartTag => self.start_tag(),
            Construct::EndTag => self.end_tag(),
            Construct::Nothing => self.position += 3,
            Construct::Declaration => self.declaration(),
            Construct::BogusComment { skip } => self.bogus_comment(skip),
        }
    }

    /// The content of `<script>`, `<style>`, `<title>` … up to its end tag.
    fn raw_text(&mut self, kind: RawKind, element: Option<Tag>) {
        let start = self.position;
        let end = element.and_then(|element| match kind {
            RawKind::Script => raw::script_end(self.bytes, start, element.name()),
            RawKind::Rcdata | RawKind::Rawtext => raw::end_tag(self.bytes, start, element.name()),
        });
        let references = match kind {
            RawKind::Rcdata => References::Decode,
            RawKind::Rawtext | RawKind::Script => References::Keep,
        };
        self.text(start, end.unwrap_or(self.bytes.len()), references, Nulls::Replace);
        self.content = ContentModel::Markup;
        self.position = end.unwrap_or(self.bytes.len());
        if end.is_some() {
            self.end_tag();
        }
    }

    fn plaintext(&mut self) {
        self.text(self.position, self.bytes.len(), References::Keep, Nulls::Replace);
        self.position = self.bytes.len();
    }

    /// The source between two places, as text of the page.
    fn text(&mut self, start: usize, end: usize, references: References, nulls: Nulls) {
        if start == end {
            return;
        }
        if !chars::is_special(&self.bytes[start..end], references) {
            self.gate.text(Text::written(start, end));
        } else if nulls == Nulls::Replace {
            self.decoded_text(start, end, references);
        } else {
            self.text_around_nulls(start, end, references);
        }
    }

    fn decoded_text(&mut self, start: usize, end: usize, references: References) {
        let slice = chars::decode(self.gate.arena(), start, end, references);
        self.gate.text(Text { slice, span: Span::new(start, end) });
    }

    /// Between tags, NUL is a token of its own: where it may stay is for tree construction to say.
    fn text_around_nulls(&mut self, start: usize, end: usize, references: References) {
        let mut start = start;
        while start < end {
            let null = memchr(0, &self.bytes[start..end]).map_or(end, |found| start + found);
            if start < null {
                self.decoded_text(start, null, references);
            }
            if null < end {
                self.gate.null();
            }
            start = null + 1;
        }
    }
}

/// What a `<` opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Construct {
    StartTag,
    EndTag,
    /// `</>`
    Nothing,
    /// `<!`
    Declaration,
    /// The comment's text starts that many bytes on.
    BogusComment {
        skip: usize,
    },
}

/// What opens here, if this `<` is not just text.
pub(crate) fn construct_at(bytes: &[u8]) -> Option<Construct> {
    match bytes.get(1)? {
        byte if byte.is_ascii_alphabetic() => Some(Construct::StartTag),
        b'/' => match bytes.get(2)? {
            byte if byte.is_ascii_alphabetic() => Some(Construct::EndTag),
            b'>' => Some(Construct::Nothing),
            _ => Some(Construct::BogusComment { skip: 2 }),
        },
        b'!' => Some(Construct::Declaration),
        b'?' => Some(Construct::BogusComment { skip: 1 }),
        _ => None,
    }
}

/// What a byte may end, as bits: one look tells, where comparing would take five.
static ENDS: [u8; 256] = ends();
const SPACE: u8 = 1;
/// White space, `/`, `>`
const ENDS_NAME: u8 = 2;
/// White space, `/`, `>`, `=`
const ENDS_ATTRIBUTE: u8 = 4;
/// White space, `>`
const ENDS_VALUE: u8 = 8;

const fn ends() -> [u8; 256] {
    let mut table = [0; 256];
    let spaces = *b"\t\n\x0C\r ";
    let mut index = 0;
    while index < spaces.len() {
        table[spaces[index] as usize] = SPACE | ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE;
        index += 1;
    }
    table[b'/' as usize] = ENDS_NAME | ENDS_ATTRIBUTE;
    table[b'>' as usize] = ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE;
    table[b'=' as usize] = ENDS_ATTRIBUTE;
    table
}

#[inline]
fn ends_with(byte: u8, kind: u8) -> bool {
    ENDS[byte as usize] & kind != 0
}

#[inline]
fn is_space(byte: u8) -> bool {
    ends_with(byte, SPACE)
}
