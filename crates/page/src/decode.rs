//! Bytes to text: which encoding a page is in, and where each decoded character came from.
//!
//! The order is that of browsers: byte order mark, HTTP's label, the page's own `<meta>`; then, where nothing
//! is declared, valid UTF-8 is UTF-8, and the rest is guessed from a stretch around the first byte
//! that is not ASCII. Guessing reads at 30 MB/s, a tenth of the speed of parsing, so it never sees a whole page.

mod prescan;

use crate::limits::Limits;
use crate::note::Note;
use crate::tree::offset;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding, UTF_8};
use std::borrow::Cow;

pub(crate) use prescan::prescan;

/// How many bytes the guess is made from.
const GUESS_LEN: usize = 16 << 10;
/// ASCII before the first other byte that the guess sees as well: a word or two of context.
const GUESS_CONTEXT: usize = 64;

pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) encoding: &'static Encoding,
    pub(crate) bom_len: usize,
    pub(crate) notes: Vec<Note>,
}

/// Decode a page. `label` is the charset that came with it from outside, such as HTTP's.
pub(crate) fn decode<'a>(bytes: &'a [u8], label: Option<&str>, max_bytes: u32) -> Decoded<'a> {
    let mut notes = Vec::new();
    let labelled = label.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    if label.is_some() && labelled.is_none() {
        notes.push(Note::UnknownLabel);
    }
    let (encoding, bom_len) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (labelled.unwrap_or_else(|| sniff(bytes)), 0),
    };
    let mut body = &bytes[bom_len..];
    let max_bytes = max_bytes.min(Limits::UNBOUNDED.bytes) as usize;
    if body.len() > max_bytes {
        notes.push(Note::TooLong);
        body = &body[..floor_boundary(body, max_bytes, encoding)];
    }
    let (text, had_errors) = encoding.decode_without_bom_handling(body);
    if had_errors {
        notes.push(Note::BadBytes);
    }
    Decoded { text, encoding, bom_len, notes }
}

/// The encoding of a page that came with neither mark nor label.
fn sniff(bytes: &[u8]) -> &'static Encoding {
    if let Some(declared) = prescan(bytes) {
        return declared;
    }
    if let Some(escape) = memchr::memmem::find(bytes, b"\x1B$") {
        // The one encoding of the web that is all ASCII: Japanese mail's.
        return guess(bytes, escape);
    }
    let first = Encoding::ascii_valid_up_to(bytes);
    if Encoding::utf8_valid_up_to(&bytes[first..]) == bytes.len() - first {
        return UTF_8;
    }
    guess(bytes, first)
}

fn guess(bytes: &[u8], first_odd: usize) -> &'static Encoding {
    let start = first_odd.saturating_sub(GUESS_CONTEXT);
    let end = bytes.len().min(first_odd + GUESS_LEN);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[start..end], end == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// Do not cut UTF-8 in the middle of a character. Other encodings may get one bad character at the cut.
fn floor_boundary(bytes: &[u8], max: usize, encoding: &'static Encoding) -> usize {
    let is_continuation = |index: usize| encoding == UTF_8 && bytes[index] & 0xC0 == 0x80;
    (max.saturating_sub(3)..=max).rev().find(|index| !is_continuation(*index)).unwrap_or(max)
}

/// From places in the decoded text back to places in the bytes as they came.
///
/// ```
/// let bytes = b"<meta charset=latin1><p>caf\xE9 <b>x</b>";
/// let page = page::parse(bytes);
/// let x = page.leaves().get(1).span;
/// assert_eq!(&bytes[page.raw_map(bytes).range(x)], b"x");
/// ```
#[derive(Clone, Debug)]
pub struct RawMap {
    /// `(place in the text, place in the bytes)` wherever the distance between the two changes.
    steps: Vec<(u32, u32)>,
    len: u32,
}

impl RawMap {
    pub(crate) fn new(
        encoding: &'static Encoding,
        bom_len: usize,
        text_len: usize,
        raw: &[u8],
    ) -> RawMap {
        let body = raw.get(bom_len..).unwrap_or_default();
        let start = offset(bom_len);
        let len = offset(raw.len());
        // As long as bytes are text, distances stay; checked in one sweep for the common case.
        if encoding == UTF_8 && Encoding::utf8_valid_up_to(body) >= text_len {
            return RawMap { steps: vec![(0, start)], len };
        }
        RawMap { steps: steps(encoding, body, start), len }
    }

    /// The bytes that a span was decoded from.
    pub fn range(&self, span: crate::Span) -> std::ops::Range<usize> {
        self.raw(span.start)..self.raw(span.end)
    }

    fn raw(&self, place: u32) -> usize {
        let after = self.steps.partition_point(|(text, _)| *text <= place);
        let (text, raw) = self.steps[after.saturating_sub(1)];
        (raw + (place - text)).min(self.len) as usize
    }
}

/// Decode byte by byte and note where text and bytes drift apart.
fn steps(encoding: &'static Encoding, body: &[u8], start: u32) -> Vec<(u32, u32)> {
    const REPLACEMENT: u32 = '\u{FFFD}'.len_utf8() as u32;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut drift = Drift { steps: vec![(0, start)], text: 0 };
    let mut buffer = [0; 32];
    for index in 0..body.len() {
        let raw = start + offset(index + 1);
        let mut rest = &body[index..=index];
        loop {
            let (result, n_read, n_written) =
                decoder.decode_to_utf8_without_replacement(rest, &mut buffer, false);
            rest = &rest[n_read..];
            drift.add(offset(n_written), raw);
            let DecoderResult::Malformed(_, n_after) = result else { break };
            // What was read beyond the bad bytes is read again, as the next character.
            drift.add(REPLACEMENT, raw - u32::from(n_after) - offset(rest.len()));
        }
    }
    drift.steps
}

struct Drift {
    steps: Vec<(u32, u32)>,
    text: u32,
}

impl Drift {
    /// So much text was made, of the bytes up to here.
    fn add(&mut self, n_text: u32, raw: u32) {
        if n_text == 0 {
            return;
        }
        self.text += n_text;
        let (last_text, last_raw) = self.steps[self.steps.len() - 1];
        if raw.wrapping_sub(self.text) != last_raw.wrapping_sub(last_text) {
            self.steps.push((self.text, raw));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], label: Option<&str>, encoding: &str, text: &str) {
        let decoded = decode(bytes, label, u32::MAX);
        assert_eq!((decoded.encoding.name(), &*decoded.text), (encoding, text));
    }

    #[test]
    fn signs_are_taken_in_the_order_of_browsers() {
        check(b"\xEF\xBB\xBFa\xC3\xA9", Some("koi8-r"), "UTF-8", "aé");
        check(b"<meta charset=utf-8>\xE9", Some("latin1"), "windows-1252", "<meta charset=utf-8>é");
        check(b"<meta charset=koi8-r>\xC1", None, "KOI8-R", "<meta charset=koi8-r>а");
        check("plain ASCII".as_bytes(), None, "UTF-8", "plain ASCII");
        check("naïve".as_bytes(), None, "UTF-8", "naïve");
        check(b"\xFF\xFEh\0i\0", None, "UTF-16LE", "hi");
    }

    #[test]
    fn an_unknown_label_is_noted_and_passed_over() {
        let decoded = decode("é".as_bytes(), Some("no-such-charset"), u32::MAX);
        assert_eq!((&*decoded.text, decoded.notes), ("é", vec![Note::UnknownLabel]));
    }

    #[test]
    fn undeclared_bytes_are_guessed() {
        let text = "Привет, это страница на русском языке без объявления кодировки.";
        let (bytes, ..) = encoding_rs::WINDOWS_1251.encode(text);
        check(&bytes, None, "windows-1251", text);
        let text = "这是一个没有声明编码的中文网页，内容是关于书店的。";
        let (bytes, ..) = encoding_rs::GBK.encode(text);
        check(&bytes, None, "GBK", text);
    }

    #[test]
    fn a_long_page_is_cut_between_characters() {
        let decoded = decode("aéé".as_bytes(), None, 4);
        assert_eq!((&*decoded.text, decoded.notes), ("aé", vec![Note::TooLong]));
    }

    #[test]
    fn places_lead_back_to_the_bytes() {
        let text = "価格は１２円です";
        let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(text);
        let map = RawMap::new(encoding_rs::SHIFT_JIS, 0, text.len(), &bytes);
        for (start, character) in text.char_indices() {
            let range = map.range(crate::Span::new(start, start + character.len_utf8()));
            let (back, ..) = encoding_rs::SHIFT_JIS.decode(&bytes[range]);
            assert_eq!(back, character.to_string());
        }
    }

    #[test]
    fn bad_bytes_keep_their_places() {
        let bytes = b"a\xE2<b>x\xFF</b>";
        let text = "a\u{FFFD}<b>x\u{FFFD}</b>";
        let map = RawMap::new(UTF_8, 0, text.len(), bytes);
        let raw = |part: &str| {
            let start = text.find(part).unwrap();
            &bytes[map.range(crate::Span::new(start, start + part.len()))]
        };
        assert_eq!(raw("a\u{FFFD}"), b"a\xE2");
        assert_eq!(raw("<b>"), b"<b>");
        assert_eq!(raw("x\u{FFFD}"), b"x\xFF");
        assert_eq!(raw("</b>"), b"</b>");
    }
}
