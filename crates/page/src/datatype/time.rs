//! Times of day, and lengths of time in the notation of ISO 8601 or of a clock.

use super::DataType;
use super::scan::Scan;

/// `14:32`, `2:32 pm`, `14:32:05.123+01:00`, `14.32 Uhr`, `14h32`, `14時32分`
pub(super) fn time(scan: &mut Scan<'_>) -> Option<()> {
    scan.attempt(|s| {
        if !s.peek()?.is_ascii() && HALVES.iter().any(|half| s.eat_exact(half)) {
            s.blank();
        }
        clock(s)?;
        zone(s);
        Some(())
    })
}

/// The rest of a span of times, to the end of the text.
pub(super) fn span_end(mut scan: Scan<'_>) -> bool {
    scan.blank();
    let has_dash = scan.eat('-');
    scan.blank();
    has_dash && time(&mut scan).is_some() && scan.is_done()
}

/// The halves of the day where they come first.
const HALVES: [&str; 8] = ["上午", "下午", "晚上", "凌晨", "午前", "午後", "오전", "오후"];

fn clock(scan: &mut Scan<'_>) -> Option<()> {
    let hour = scan.digits_up_to(2).filter(|hour| hour.value <= 24)?;
    if scan.attempt(colon_minutes).is_some() || scan.attempt(east_asian_minutes).is_some() {
        meridiem(scan);
        hour_word(scan);
        return Some(());
    }
    if scan.attempt(h_minutes).is_some() {
        return Some(());
    }
    scan.attempt(|s| s.eat('.').then(|| sixtieth(s))?);
    (meridiem(scan) && hour.value <= 12 || hour_word(scan)).then_some(())
}

fn sixtieth(scan: &mut Scan<'_>) -> Option<()> {
    scan.digits().filter(|digits| digits.len == 2 && digits.value < 60).map(drop)
}

/// `:32`, `:32:05`, `:32:05.123`
fn colon_minutes(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat(':').then(|| sixtieth(scan))??;
    scan.attempt(|s| s.eat(':').then(|| sixtieth(s))?);
    scan.attempt(|s| s.eat_any(".,").and_then(|_| s.digits()));
    // A third colon, or a ratio that goes on.
    (scan.peek() != Some(':')).then_some(())
}

/// `時32分05秒`, `点`, `시 32분`
fn east_asian_minutes(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat_any("時时点點시")?;
    for mark in ["分분", "秒초"] {
        scan.blank();
        scan.attempt(|s| s.digits_up_to(2).filter(|digits| digits.value < 60).and(s.eat_any(mark)));
    }
    Some(())
}

/// `h32`, ` h 32`
fn h_minutes(scan: &mut Scan<'_>) -> Option<()> {
    scan.blank();
    scan.eat('h').then(|| scan.blank())?;
    sixtieth(scan)?;
    // `1h30m` is a duration.
    scan.peek_letters().is_empty().then_some(())
}

/// `pm`, ` p.m.`, ` P.M`
fn meridiem(scan: &mut Scan<'_>) -> bool {
    let read = |s: &mut Scan<'_>| {
        s.blank();
        s.eat_any("aApP")?;
        s.eat('.');
        s.eat_any("mM")?;
        s.eat('.');
        s.peek_letters().is_empty().then_some(())
    };
    scan.attempt(read).is_some()
}

fn hour_word(scan: &mut Scan<'_>) -> bool {
    let read = |s: &mut Scan<'_>| {
        s.blank();
        s.eat_word(&["uhr", "ч", "час", "hrs"]).then_some(())
    };
    scan.attempt(read).is_some()
}

/// `Z`, ` EST`, ` (UTC+8)`, `+01:00`, ` -0500`, all optional.
fn zone(scan: &mut Scan<'_>) {
    scan.attempt(|s| {
        s.blank();
        let is_open = s.eat('(');
        let is_named = zone_name(s);
        if !(s.attempt(|s| offset(s, is_named)).is_some() || is_named) {
            return None;
        }
        (s.eat(')') == is_open).then_some(())
    });
}

/// Only in capitals: `et` is a word.
fn zone_name(scan: &mut Scan<'_>) -> bool {
    let letters = scan.peek_letters();
    let found = letters.first().is_some_and(char::is_ascii_uppercase)
        && ZONES.iter().any(|zone| zone.chars().eq(letters.iter().copied()));
    if found {
        scan.skip(letters.len());
    }
    found
}

fn offset(scan: &mut Scan<'_>, is_named: bool) -> Option<()> {
    scan.eat_any("+-")?;
    let hours = scan.digits_up_to(4)?;
    scan.attempt(|s| s.eat(':').then(|| sixtieth(s))?);
    let is_valid = match hours.len {
        1 => is_named,
        2 => hours.value <= 14,
        _ => hours.value <= 1400,
    };
    // A word behind it makes it the end of a span: `9:00-12:00 Uhr`.
    let has_word = matches!(scan.rest(), [c, ..] | [' ', c, ..] if c.is_alphabetic());
    (is_valid && !has_word).then_some(())
}

#[rustfmt::skip]
const ZONES: [&str; 38] = [
    "UTC", "GMT", "Z", "ET", "EST", "EDT", "CT", "CST", "CDT", "MT", "MST", "MDT", "PT", "PST", "PDT",
    "AKST", "AKDT", "HST", "BST", "WET", "WEST", "CET", "CEST", "MEZ", "MESZ", "EET", "EEST", "MSK",
    "IST", "JST", "KST", "HKT", "SGT", "AEST", "AEDT", "ACST", "AWST", "NZST",
];

/// `PT1H30M`, `P3DT4H`, `P2W`, and clock forms of a day and longer: `36:12:05`
pub(super) fn iso_duration(mut scan: Scan<'_>) -> Option<DataType> {
    let is_duration = if scan.eat('P') { iso_parts(&mut scan) } else { long_clock(&mut scan) };
    (is_duration && scan.rest().is_empty()).then_some(DataType::Duration)
}

fn iso_parts(scan: &mut Scan<'_>) -> bool {
    let n_date_parts = iso_run(scan, "YMWD");
    let n_time_parts = if scan.eat('T') { iso_run(scan, "HMS") } else { 0 };
    n_date_parts + n_time_parts > 0
}

fn iso_run(scan: &mut Scan<'_>, marks: &str) -> usize {
    let part = || {
        scan.attempt(|s| {
            s.digits()?;
            s.attempt(|s| s.eat_any(".,").and_then(|_| s.digits()));
            s.eat_any(marks)
        })
    };
    std::iter::from_fn(part).count()
}

fn long_clock(scan: &mut Scan<'_>) -> bool {
    let read = |s: &mut Scan<'_>| {
        s.digits_up_to(3).filter(|hours| hours.value >= 24)?;
        s.eat(':').then(|| sixtieth(s))??;
        s.eat(':').then(|| sixtieth(s))?
    };
    scan.attempt(read).is_some()
}
