//! White space as a reader sees it.

/// Append `text` with runs of white space made one space and characters that have no width left out. A space
/// at the seam appears only where `out`, from `start` on, already has something.
pub(crate) fn push_collapsed(out: &mut String, start: usize, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let needs_space = out.len() > start && !out.ends_with(' ');
        let (plain, gap) = plain_len(rest, needs_space);
        out.push_str(&rest[..plain]);
        rest = &rest[plain + gap..];
        if gap > 0 {
            if out.len() > start && !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        let Some(character) = rest.chars().next() else { return };
        push_character(out, start, character);
        rest = &rest[character.len_utf8()..];
    }
}

fn push_character(out: &mut String, start: usize, character: char) {
    if !is_blank(character) {
        out.push(character);
    } else if character.is_whitespace() && out.len() > start && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// How much of the start is copied as it stands, ASCII words with single spaces between them, and how long the run of
/// white space after it is.
fn plain_len(text: &str, may_start_with_space: bool) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut last_space = if may_start_with_space { 0 } else { 0x80 };
    let mut len = 0;
    for word in bytes.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*word);
        let spaces = spaces(word);
        if spaces & (spaces << 8 | last_space) != 0 || has_other(word) {
            break;
        }
        last_space = spaces >> 56;
        len += 8;
    }
    let mut after_space = last_space != 0;
    while let Some(byte) = bytes.get(len) {
        let is_word = (0x21..0x80).contains(byte);
        if !is_word && (*byte != b' ' || after_space) {
            break;
        }
        after_space = !is_word;
        len += 1;
    }
    let gap = bytes[len..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (len, gap)
}

/// Whether a text needs no collapsing: ASCII words with single spaces between them.
pub(crate) fn is_plain(text: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last_space = 0x80;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let spaces = spaces(word);
        let is_doubled = spaces & (spaces << 8 | last_space) != 0;
        if is_doubled || has_other(word) {
            return false;
        }
        last_space = spaces >> 56;
    }
    let mut is_after_space = last_space != 0;
    rest.iter().all(|byte| {
        let is_word = (0x21..0x80).contains(byte);
        let is_plain = is_word || *byte == b' ' && !is_after_space;
        is_after_space = !is_word;
        is_plain
    })
}

/// The high bits of those of eight bytes that are spaces.
fn spaces(word: u64) -> u64 {
    let others = word ^ repeat(b' ');
    !((others & repeat(0x7f)).wrapping_add(repeat(0x7f)) | others) & repeat(0x80)
}

/// Whether one of eight bytes is no ASCII, or a control character.
fn has_other(word: u64) -> bool {
    (word | word.wrapping_sub(repeat(b' '))) & repeat(0x80) != 0
}

const fn repeat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Whether a text is white space of ASCII, and nothing else.
pub(crate) fn is_space(text: &[u8]) -> bool {
    let (words, rest) = text.as_chunks::<8>();
    let is_indent = |word: &[u8; 8]| u64::from_le_bytes(*word) == repeat(b' ');
    words.iter().all(|word| is_indent(word) || word.iter().all(u8::is_ascii_whitespace))
        && rest.iter().all(u8::is_ascii_whitespace)
}

/// Whether a character shows nothing: white space, or without width and without meaning. Joiners, which
/// change how letters are drawn, are not blank.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// A text without the blanks at its ends.
pub(crate) fn trimmed(text: &str) -> &str {
    let (head, tail) = blank_ends(text);
    &text[head..text.len() - tail.min(text.len() - head)]
}

/// How many bytes of blanks stand at the start and at the end.
pub(crate) fn blank_ends(text: &str) -> (usize, usize) {
    let is_ink = |byte: Option<&u8>| byte.is_some_and(|byte| (0x21..0x80).contains(byte));
    if is_ink(text.as_bytes().first()) && is_ink(text.as_bytes().last()) {
        return (0, 0);
    }
    let head = text.len() - text.trim_start_matches(is_blank).len();
    let tail = text.len() - text.trim_end_matches(is_blank).len();
    (head, tail)
}

/// The same for markup in which blanks may be written as references.
pub(crate) fn blank_written_ends(written: &str) -> (usize, usize) {
    const BLANKS: [&str; 6] = ["&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "&nbsp", "&#32;"];
    let mut rest = written.trim_start_matches(is_blank);
    while let Some(after) = BLANKS.iter().find_map(|blank| rest.strip_prefix(blank)) {
        rest = after.trim_start_matches(is_blank);
    }
    let head = written.len() - rest.len();
    rest = rest.trim_end_matches(is_blank);
    while let Some(before) = BLANKS.iter().find_map(|blank| rest.strip_suffix(blank)) {
        rest = before.trim_end_matches(is_blank);
    }
    (head, written.len() - head - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut out = String::from("x ");
        push_collapsed(&mut out, 2, text);
        assert_eq!(out[2..].trim_end(), expected);
    }

    #[test]
    fn white_space_is_collapsed_at_any_place() {
        for len in 0..40 {
            for gap in [" ", "  ", "\n\t", "\u{a0}", "é", " \u{200b} ", "\u{1}"] {
                for at in 0..=len {
                    let text = "x".repeat(at) + gap + &"y z".repeat(len - at);
                    let mut slow = String::new();
                    text.chars().for_each(|it| push_character(&mut slow, 0, it));
                    let mut out = String::new();
                    push_collapsed(&mut out, 0, &text);
                    assert_eq!(out, slow, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn plain_texts_are_told_at_any_length() {
        let slow = |text: &str| {
            let is_ink = |byte: u8| (0x21..0x80).contains(&byte);
            let mut before = b' ';
            text.bytes().all(|byte| {
                let is_plain = is_ink(byte) || byte == b' ' && before != b' ';
                before = byte;
                is_plain
            })
        };
        for len in 0..40 {
            for at in 0..=len {
                for inside in ["x", " ", "  ", "\n", "\u{7f}", "\x1f", "é", "x y", "!"] {
                    let text = "a".repeat(at) + inside + &"b".repeat(len - at);
                    assert_eq!(is_plain(&text), slow(&text), "{text:?}");
                    let blank = " ".repeat(at) + inside + &"\n".repeat(len - at);
                    let is_blank = blank.bytes().all(|byte| byte.is_ascii_whitespace());
                    assert_eq!(is_space(blank.as_bytes()), is_blank, "{blank:?}");
                }
            }
        }
    }

    #[test]
    fn white_space_is_collapsed() {
        check("  a  b\n\tc ", "a b c");
        check("a\u{A0}\u{A0}b\u{3000}c", "a b c");
        check("\u{FEFF}so\u{AD}ft \u{200B} gap\u{200B}", "soft gap");
        check(" \u{A0}\u{200B}\n", "");
        check("値 段  é", "値 段 é");
        check("a b", "a b");
    }
}
