//! Ways to reach someone: web and mail addresses, telephone numbers.

use super::DataType;
use super::scan::Scan;

/// `https://host/…`, `www.host.tld`, `//host.tld/…`. Names without scheme or `www.` would need a
/// list of all top-level domains to be told from file names.
pub(super) fn is_url(text: &str) -> bool {
    // The first and the fourth byte tell nearly all other texts.
    let bytes = text.as_bytes();
    let may_be_url = match (bytes.first(), bytes.get(3)) {
        (Some(b'h' | b'H' | b'f' | b'F'), fourth) => {
            matches!(fourth, Some(b'p' | b'P' | b':' | b's'))
        }
        (Some(b'w' | b'W'), fourth) => fourth == Some(&b'.'),
        (first, _) => first == Some(&b'/'),
    };
    if !may_be_url {
        return false;
    }
    let host_start =
        URL_HEADS.iter().find(|head| starts_with(text, head)).map_or(0, |head| head.len());
    host_start > 0 && is_host_and_path(&text[host_start..])
}

const URL_HEADS: [&str; 6] = ["https://", "http://", "www.", "//", "ftp://", "ftps://"];

fn starts_with(text: &str, head: &str) -> bool {
    text.as_bytes()
        .get(..head.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(head.as_bytes()))
}

fn is_host_and_path(rest: &str) -> bool {
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let starts_well = host.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    let is_host = host.contains(['.', ':']) || host == "localhost";
    starts_well && is_host && !rest.contains(char::is_whitespace)
}

/// `name@host.tld`, with `mailto:` or without; one address, no display name.
pub(super) fn is_email(text: &str) -> bool {
    if !text.as_bytes().contains(&b'@') {
        return false;
    }
    let address = if starts_with(text, "mailto:") { &text["mailto:".len()..] } else { text };
    match address.split_once('@') {
        Some((local, domain)) => {
            is_local_part(local) && is_domain(domain.trim_end_matches(['.', ',', ';']))
        }
        None => false,
    }
}

/// RFC 5321 allows 64 characters.
const MAX_LOCAL: usize = 64;

fn is_local_part(local: &str) -> bool {
    let is_allowed = |c: char| c.is_alphanumeric() || "._%+-'&".contains(c);
    (1..=MAX_LOCAL).contains(&local.len())
        && local.chars().all(is_allowed)
        && !local.starts_with('.')
        && !local.ends_with('.')
}

fn is_domain(domain: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let last = domain.rsplit('.').next().unwrap_or_default();
    let has_top_level =
        last.len() >= 2 && last.len() < domain.len() && last.chars().all(char::is_alphabetic);
    has_top_level && domain.split('.').all(is_label)
}

/// `+49 30 123456`, `+4930123456`: a plus and more digits than a signed number has.
pub(super) fn international_phone(mut scan: Scan<'_>) -> Option<DataType> {
    scan.eat_exact("tel:");
    if scan.peek() != Some('+') {
        return None;
    }
    phone_groups(scan).filter(|groups| groups.n_digits() >= 9).map(|_| DataType::Phone)
}

/// `(619) 534-2230`, `030/123456`, `8 800 555-35-35`: a bracketed area, a leading zero, or groups
/// of a known shape.
///
/// Numbers written by blanks in threes are not seen here, as they are read as numbers before.
pub(super) fn phone(mut scan: Scan<'_>) -> Option<DataType> {
    let is_marked = scan.eat_exact("tel:");
    let groups = phone_groups(scan)?;
    let is_phone =
        is_marked || groups.has_area || groups.is_national() || SHAPES.contains(&groups.lens());
    (is_phone && (7..=15).contains(&groups.n_digits())).then_some(DataType::Phone)
}

/// Numbers of digits per group: North America with and without country code, China, Russia.
const SHAPES: [&[u8]; 6] =
    [&[3, 4], &[3, 3, 4], &[1, 3, 3, 4], &[3, 4, 4], &[1, 3, 3, 2, 2], &[3, 3, 2, 2]];

/// The digits of a text that holds nothing but digits and telephone punctuation.
struct Groups {
    lens: [u8; MAX_GROUPS],
    len: usize,
    starts_with_zero: bool,
    has_area: bool,
}

const MAX_GROUPS: usize = 8;

impl Groups {
    fn lens(&self) -> &[u8] {
        &self.lens[..self.len]
    }

    fn n_digits(&self) -> u32 {
        self.lens().iter().map(|len| u32::from(*len)).sum()
    }

    /// `020 7946 0958`, `01 23 45 67 89`. Groups of one digit would let article numbers in.
    fn is_national(&self) -> bool {
        self.starts_with_zero
            && self.len > 1
            && self.n_digits() >= 9
            && self.lens().iter().all(|len| *len > 1)
    }
}

fn phone_groups(mut scan: Scan<'_>) -> Option<Groups> {
    let mut groups =
        Groups { lens: [0; MAX_GROUPS], len: 0, starts_with_zero: false, has_area: false };
    scan.eat('+');
    groups.starts_with_zero = matches!(scan.rest(), ['0', ..] | ['(', '0', ..]);
    loop {
        let is_area = scan.eat('(');
        let digits = scan.digits_up_to(15)?;
        *groups.lens.get_mut(groups.len)? = u8::try_from(digits.len).ok()?;
        groups.len += 1;
        if is_area && !scan.eat(')') {
            return None;
        }
        groups.has_area |= is_area && groups.len <= 2;
        extension(&mut scan);
        if scan.rest().is_empty() {
            return Some(groups);
        }
        let has_mark = phone_mark(&mut scan) || is_area || scan.peek() == Some('(');
        has_mark.then_some(())?;
    }
}

/// One mark between two groups, blanks around it or not.
fn phone_mark(scan: &mut Scan<'_>) -> bool {
    let has_blank = scan.blank();
    let has_mark = scan.eat_any("-./").is_some();
    scan.blank() || has_blank || has_mark
}

/// `x123`, `ext. 123` at the end; its digits do not count.
fn extension(scan: &mut Scan<'_>) {
    scan.attempt(|s| {
        s.eat(',');
        s.blank();
        s.eat_word(&["x", "ext"]).then_some(())?;
        s.eat('.');
        s.blank();
        s.digits_up_to(6)?;
        s.rest().is_empty().then_some(())
    });
}
