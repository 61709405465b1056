//! E-mail addresses and telephone numbers, also as people write them to hide from machines.

use std::borrow::Cow;

/// The e-mail address in a text or in a `mailto:` link, as one that works.
///
/// `eva [at] example [dot] org`, `eva(at)example.org`, `eva AT example DOT org` and `eva @ example.org` are read.
pub(crate) fn email(text: &str) -> Option<String> {
    if !may_hold_address(text) {
        return None;
    }
    let plain = text.trim();
    let plain = strip_prefix_ignoring_case(plain, "mailto:").unwrap_or(plain);
    let plain = plain.split(['?', '&']).next().unwrap_or_default();
    let plain = decode_percent(plain);
    address_in(&plain).or_else(|| address_in(&reveal(&plain)?))
}

/// Whether a text has an `@` or the word for it: nearly all have neither, and need no closer look.
fn may_hold_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    if text.len() > MAX_BYTES {
        return text.contains('@');
    }
    let is_word = |place: usize| {
        let before = place.checked_sub(1).and_then(|it| bytes.get(it));
        let after = bytes.get(place + 2);
        ![before, after].into_iter().flatten().any(u8::is_ascii_alphanumeric)
    };
    let is_at = |place: usize| match bytes[place] {
        b'@' | b'%' => true,
        b'a' | b'A' => matches!(bytes.get(place + 1), Some(b't' | b'T')) && is_word(place),
        // `ät`, and the wide sign of Chinese and Japanese keyboards.
        0xc3 | 0xef => true,
        b'(' | b'[' => matches!(bytes.get(place + 1), Some(b'a' | b'A')),
        _ => false,
    };
    (0..bytes.len()).any(is_at)
}

/// The longest text that is searched for hidden addresses.
const MAX_BYTES: usize = 200;

fn strip_prefix_ignoring_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| text.get(prefix.len()..))?
}

/// `%40` is what links may have for `@`.
fn decode_percent(text: &str) -> Cow<'_, str> {
    match text.contains('%') {
        true => Cow::Owned(text.replace("%40", "@").replace("%20", " ").replace("%2E", ".")),
        false => Cow::Borrowed(text),
    }
}

fn address_in(text: &str) -> Option<String> {
    text.match_indices('@').find_map(|(at, _)| {
        let user_start = text[..at]
            .rfind(|letter: char| !is_user_letter(letter))
            .map_or(0, |place| place + text[place..].chars().next().map_or(1, char::len_utf8));
        let after = &text[at + 1..];
        let host_end = after.find(|letter: char| !is_host_letter(letter)).unwrap_or(after.len());
        let user = text[user_start..at].trim_matches('.');
        let host = after[..host_end].trim_matches(['.', '-']);
        is_address(user, host).then(|| [user, "@", host].concat())
    })
}

fn is_user_letter(letter: char) -> bool {
    letter.is_alphanumeric() || "._%+-'".contains(letter)
}

fn is_host_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '.' || letter == '-'
}

fn is_address(user: &str, host: &str) -> bool {
    let ending = host.rsplit('.').next().unwrap_or_default();
    !user.is_empty()
        && host.contains('.')
        && ending.len() >= 2
        && ending.chars().all(char::is_alphabetic)
}

/// Put `@` and `.` where they are spelt out. Nothing without a sign for `@` is touched.
fn reveal(text: &str) -> Option<String> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let at_signs = [
        "[at]", "(at)", "{at}", "<at>", "_at_", " at ", "[@]", "(@)", " @ ", "@ ", " @", "&#64;",
        " [ät] ", "(ät)", "-at-", "（at）", "[a]", "(a)", " at-", "＠",
    ];
    let at = at_signs
        .iter()
        .filter_map(|sign| lower.find(sign).map(|place| (place, sign.len())))
        .min()?;
    let (user, host) = (text.get(..at.0)?, text.get(at.0 + at.1..)?);
    let user = user.trim_end().rsplit([' ', ':', ',']).find(|word| !word.is_empty())?;
    let host = dots(host.trim_start());
    let user = dots(user);
    Some(format!("{user}@{}", host.split([' ', ',', ';']).next().unwrap_or_default()))
}

fn dots(text: &str) -> String {
    let mut shown = text.to_owned();
    for sign in [
        "[dot]", "(dot)", "{dot}", "<dot>", "_dot_", " dot ", " DOT ", "[DOT]", "(DOT)", " Dot ",
        "[.]", "(.)", "[punkt]", "(punkt)", "[point]", "[punto]",
    ] {
        while let Some(place) = shown.find(sign) {
            let head = shown[..place].trim_end().to_owned();
            let tail = shown[place + sign.len()..].trim_start().to_owned();
            shown = format!("{head}.{tail}");
        }
    }
    shown
}

/// A telephone number in a text or in a `tel:` link, as written.
pub(crate) fn phone(text: &str) -> Option<&str> {
    // Room numbers have three digits, and most texts none.
    if text.bytes().filter(u8::is_ascii_digit).count() < 4 {
        return None;
    }
    let text = strip_prefix_ignoring_case(text.trim(), "tel:").unwrap_or(text.trim());
    let start =
        text.find(|letter: char| letter.is_ascii_digit() || letter == '+' || letter == '(')?;
    let body = &text[start..];
    let end = body.find(|letter: char| !is_phone_letter(letter)).unwrap_or(body.len());
    let number = body[..end].trim_end_matches([' ', '-', '.', '/', '(', '\u{2013}', '\u{a0}']);
    let n_digits = number.bytes().filter(u8::is_ascii_digit).count();
    let is_grouped = number.contains(['-', ' ', '.', '(', '+', '/', '\u{2013}', '\u{a0}']);
    let is_named = start > 0 && names_a_phone(&text[..start]);
    // Years and numbers of rooms have fewer digits, and ranges of years no more than eight.
    let is_years =
        n_digits == 8 && number.len() <= 11 && number.starts_with(['1', '2']) && !is_named;
    (n_digits <= 15 && (n_digits >= 7 && is_grouped && !is_years || is_named && n_digits >= 4))
        .then_some(number)
}

fn is_phone_letter(letter: char) -> bool {
    letter.is_ascii_digit()
        || matches!(
            letter,
            '+' | '-'
                | '('
                | ')'
                | '.'
                | '/'
                | ' '
                | '\u{a0}'
                | '\u{2013}'
                | '\u{2010}'
                | '\u{2011}'
        )
}

fn names_a_phone(before: &str) -> bool {
    let before = before.to_lowercase();
    ["phone", "tel", "call", "ext", "fon", "tlf", "telefon", "тел", "电话", "電話", "전화"]
        .iter()
        .any(|word| before.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(email(text).as_deref(), expected, "{text}")
        };
        check("eva.berg@example.org", Some("eva.berg@example.org"));
        check("mailto:eva@example.org?subject=Hello", Some("eva@example.org"));
        check("MAILTO:eva%40example.org", Some("eva@example.org"));
        check("E-mail: eva@cs.example.org.", Some("eva@cs.example.org"));
        check("eva [at] example [dot] org", Some("eva@example.org"));
        check("eva(at)example(dot)org", Some("eva@example.org"));
        check("eva AT example DOT org", Some("eva@example.org"));
        check("eva @ example.org", Some("eva@example.org"));
        check("Email: e.berg [ at ] example.org", None);
        check("eva_at_example.org", Some("eva@example.org"));
        check("look at me", None);
        check("@handle", None);
        check("eva@localhost", None);
        check("", None);
    }

    #[test]
    fn numbers_are_read() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(phone(text), expected, "{text}");
        check("(555) 123-4567", Some("(555) 123-4567"));
        check("Phone: 555-0134 (office)", Some("555-0134"));
        check("tel:+49-89-1234567", Some("+49-89-1234567"));
        check("Tel. 4432", Some("4432"));
        check("+1 555 123 4567 x12", Some("+1 555 123 4567"));
        check("2004-2011", None);
        check("Room 1234567", None);
        check("since 1999", None);
        check("", None);
    }
}
