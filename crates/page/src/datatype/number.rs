//! One number: sign, digits grouped in the manner of some country, decimals, and a word or letter
//! for its scale.

use super::scan::Scan;
use super::words::Words;

/// A number with its sign: `-1,234.5`, `~50`, `1.2K`, `10,000+`, `3 млн`.
pub(super) fn number(scan: &mut Scan<'_>) -> Option<()> {
    scan.attempt(|s| {
        s.eat_if(|c| matches!(c, '+' | '-' | '±' | '~' | '≈' | '<' | '>' | '≤' | '≥'));
        unsigned(s)
    })
}

/// A number without a sign before it.
fn unsigned(scan: &mut Scan<'_>) -> Option<()> {
    if scan.attempt(grouped).is_none() {
        plain(scan)?;
    }
    scan.eat_if(|c| matches!(c, '¼'..='¾' | '⅓'..='⅞'));
    scale(scan);
    scan.eat('+');
    Some(())
}

/// `1,234.5`, `1.234,5`, `1 234,5`, `1'234.50`, `12,34,567`: the groups have three digits, in India
/// two before the last.
fn grouped(scan: &mut Scan<'_>) -> Option<()> {
    let starts_with_zero = scan.peek() == Some('0');
    let head = scan.digits_up_to(3).filter(|_| !starts_with_zero)?;
    let mark = scan.peek().filter(|c| matches!(c, ',' | '.' | '\'' | ' '))?;
    let n_pairs = if mark == ',' && head.len <= 2 { groups(scan, mark, 2) } else { 0 };
    let n_triples = groups(scan, mark, 3);
    let is_valid = if n_pairs > 0 { n_triples == 1 } else { n_triples > 0 };
    is_valid.then(|| decimals(scan, Some(mark)))
}

/// Takes all groups of that many digits, and counts them.
fn groups(scan: &mut Scan<'_>, mark: char, len: usize) -> usize {
    let group =
        || scan.attempt(|s| s.eat(mark).then(|| s.digits())?.filter(|digits| digits.len == len));
    std::iter::from_fn(group).count()
}

/// `12`, `12.5`, `12,5`, `.5`
fn plain(scan: &mut Scan<'_>) -> Option<()> {
    if scan.digits().is_some() {
        decimals(scan, None);
        return Some(());
    }
    scan.attempt(|s| s.eat('.').then(|| s.digits())?.map(drop))
}

/// The decimals if there are any, after a mark that does not group.
fn decimals(scan: &mut Scan<'_>, grouping: Option<char>) {
    scan.attempt(|s| {
        s.eat_any(".,").filter(|mark| Some(*mark) != grouping)?;
        s.digits()
    });
}

/// `1.2K`, `5 million`, `3 Mio.`, `1.2万`. The single letters only directly after the digits and,
/// but for the k, as capitals: `5 m` is a length.
fn scale(scan: &mut Scan<'_>) {
    if let ['K' | 'k' | 'M' | 'B'] = scan.peek_letters() {
        scan.eat_if(char::is_alphabetic);
        return;
    }
    scan.attempt(|s| {
        s.blank();
        if s.eat_if(|c| matches!(c, '万' | '萬' | '亿' | '億' | '만' | '억')).is_some() {
            return Some(());
        }
        s.eat_listed(&SCALES).then(|| s.eat('.')).map(drop)
    });
}

#[rustfmt::skip]
pub(super) static SCALES: Words = Words::new(&[
    "billion", "billions", "bn", "crore", "lakh", "mil", "milliarden", "milliards", "million",
    "millionen", "millions", "millones", "mio", "mln", "mrd", "thousand", "trillion", "tsd",
    "млн", "млрд", "тыс",
]);
