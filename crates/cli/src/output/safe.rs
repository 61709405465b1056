//! Texts of strangers, made harmless for terminals.
//!
//! Pages, file names and URLs may hold what a terminal takes as commands: escape sequences that
//! recolour, retitle or type, and marks that reverse the order in which a line is shown.

use pagemill::wrapper::escape::is_harmful;
use std::borrow::Cow;
use std::fmt::Write;

/// The text with each harmful character replaced by one that shows what it was.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        push_shown(&mut shown, character);
    }
    Cow::Owned(shown)
}

fn push_shown(shown: &mut String, character: char) {
    let code = u32::from(character);
    match code {
        // Unicode has a picture for each of the old controls.
        0..0x20 => shown.extend(char::from_u32(0x2400 + code)),
        0x7F => shown.push('\u{2421}'),
        _ if is_harmful(character) => {
            let _ = write!(shown, "<U+{code:04X}>");
        }
        _ => shown.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(safe(text), expected);
        assert!(!safe(text).contains(is_harmful));
    }

    #[test]
    fn commands_to_terminals_become_visible() {
        check("plain, naïve, 日本語, שלום", "plain, naïve, 日本語, שלום");
        check("\x1B[31mred\x1B]0;title\x07", "␛[31mred␛]0;title␇");
        check("a\u{9B}31m", "a<U+009B>31m");
        check("tab\tline\r\n\0\x7F", "tab␉line␍␊␀␡");
        check("gpj.\u{202E}exe\u{2066}", "gpj.<U+202E>exe<U+2066>");
    }

    #[test]
    fn no_control_character_gets_through() {
        let all: String = ('\0'..='\u{FFFF}').filter(|it| is_harmful(*it)).collect();
        assert_eq!(all.chars().count(), 65 + 7 + 4);
        assert!(!safe(&all).contains(is_harmful));
    }
}
