//! White space as a reader sees it.

/// Append `text` with runs of white space made one space and characters that have no width left out. A space
/// at the seam appears only where `out`, from `start` on, already has something.
pub(crate) fn push_collapsed(out: &mut String, start: usize, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let plain = plain_len(rest);
        out.push_str(&rest[..plain]);
        rest = &rest[plain..];
        let Some(character) = rest.chars().next() else { return };
        if is_blank(character) {
            if character.is_whitespace() && out.len() > start && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push(character);
        }
        rest = &rest[character.len_utf8()..];
    }
}

/// How much of the start is ASCII that is copied as it stands: words, with single spaces between them.
fn plain_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut len = 0;
    while let Some(byte) = bytes.get(len) {
        let is_word = (0x21..0x80).contains(byte);
        let is_gap = *byte == b' '
            && len > 0
            && bytes.get(len + 1).is_some_and(|next| (0x21..0x80).contains(next));
        if !is_word && !is_gap {
            break;
        }
        len += 1;
    }
    len
}

/// Whether a character shows nothing: white space, or without width and without meaning. Joiners, which
/// change how letters are drawn, are not blank.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// How many bytes of blanks stand at the start and at the end.
pub(crate) fn blank_ends(text: &str) -> (usize, usize) {
    let head = text.len() - text.trim_start_matches(is_blank).len();
    let tail = text.len() - text.trim_end_matches(is_blank).len();
    (head, tail)
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
    fn white_space_is_collapsed() {
        check("  a  b\n\tc ", "a b c");
        check("a\u{A0}\u{A0}b\u{3000}c", "a b c");
        check("\u{FEFF}so\u{AD}ft \u{200B} gap\u{200B}", "soft gap");
        check(" \u{A0}\u{200B}\n", "");
        check("値 段  é", "値 段 é");
        check("a b", "a b");
    }
}
