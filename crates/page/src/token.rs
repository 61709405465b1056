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
//! - `chars`: character references, newlines and NUL in text
//! - `names`: tag and attribute names

mod chars;
mod markup;
mod names;
mod raw;
mod tag;

use crate::gate::{ContentModel, Gate};
use crate::limits::Limits;
use crate::note::Note;
use crate::sink::{MAX_BY_VALUE, Sink};
use crate::tree::Span;
use chars::{Nulls, References};
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use memchr::memchr;
use names::Names;

pub(crate) use tag::attribute_value;

pub(crate) struct Tokenizer<'t, 'n> {
    /// The page; text tokens are parts of it that share its buffer.
    source: &'t StrTendril,
    bytes: &'t [u8],
    position: usize,
    content: ContentModel,
    /// The element whose raw text is being read.
    raw_element: Option<LocalName>,
    names: Names<'t>,
    gate: Gate<'n, 't>,
    limits: Limits,
    n_attributes_cut: u32,
}

impl<'t, 'n> Tokenizer<'t, 'n> {
    pub(crate) fn new(source: &'t StrTendril, gate: Gate<'n, 't>, limits: Limits) -> Self {
        Tokenizer {
            source,
            bytes: source.as_bytes(),
            position: 0,
            content: ContentModel::Markup,
            raw_element: None,
            names: Names::new(&limits),
            gate,
            limits,
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
    pub(crate) fn run(mut self) -> (Sink<'n, 't>, Vec<Note>) {
        while self.position < self.bytes.len() {
            match self.content {
                ContentModel::Markup => self.markup(),
                ContentModel::Raw(kind) => self.raw_text(kind),
                ContentModel::Plaintext => self.plaintext(),
            }
        }
        let (sink, mut notes) = self.gate.finish();
        if self.n_attributes_cut > 0 {
            notes.push(Note::TooManyAttributes(self.n_attributes_cut));
        }
        if self.names.n_refused() > 0 {
            notes.push(Note::TooManyNames(self.names.n_refused()));
        }
        (sink, notes)
    }

    /// Text up to the next markup, then that markup.
    fn markup(&mut self) {
        let start = self.position;
        let mut search = start;
        while let Some(found) = memchr(b'<', &self.bytes[search..]) {
            let open = search + found;
            if let Some(construct) = construct_at(&self.bytes[open..]) {
                self.text(start, open, References::Decode, Nulls::Token);
                self.position = open;
                self.construct(construct);
                return;
            }
            search = open + 1;
        }
        self.text(start, self.bytes.len(), References::Decode, Nulls::Token);
        self.position = self.bytes.len();
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
    fn raw_text(&mut self, kind: RawKind) {
        let start = self.position;
        let end = self.raw_element.take().and_then(|name| match kind {
            RawKind::ScriptData | RawKind::ScriptDataEscaped(_) => {
                raw::script_end(self.bytes, start, &name)
            }
            RawKind::Rcdata | RawKind::Rawtext => raw::end_tag(self.bytes, start, &name),
        });
        let references = match kind {
            RawKind::Rcdata => References::Decode,
            _ => References::Keep,
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

    /// Part of the source, sharing its buffer; a few bytes are copied, which is cheaper.
    fn share(&self, start: usize, end: usize) -> StrTendril {
        if end - start <= MAX_BY_VALUE {
            return StrTendril::from_slice(&self.source[start..end]);
        }
        let Span { start, end } = Span::new(start, end);
        self.source.subtendril(start, end - start)
    }

    /// The source between two places, as text of the page.
    fn text(&mut self, start: usize, end: usize, references: References, nulls: Nulls) {
        if start == end {
            return;
        }
        let raw = &self.source[start..end];
        if !chars::is_special(raw, references) {
            return self.gate.text(self.share(start, end), Span::new(start, end), false);
        }
        match nulls {
            Nulls::Replace => {
                let text = chars::decode(raw, references);
                self.gate.text(text.into(), Span::new(start, end), true);
            }
            Nulls::Token => self.text_around_nulls(start, end, references),
        }
    }

    /// Between tags, NUL is a token of its own: where it may stay is for tree construction to say.
    fn text_around_nulls(&mut self, start: usize, end: usize, references: References) {
        let mut start = start;
        while start < end {
            let null = memchr(0, &self.bytes[start..end]).map_or(end, |found| start + found);
            if start < null {
                let text = chars::decode(&self.source[start..null], references);
                self.gate.text(text.into(), Span::new(start, null), true);
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
enum Construct {
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
fn construct_at(bytes: &[u8]) -> Option<Construct> {
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
