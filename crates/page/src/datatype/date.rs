//! Days: by numbers, by the names of months, in the East Asian way, and relative to now.

use super::DataType;
use super::calendar::{MONTHS, NAMED_DAYS};
use super::scan::{Digits, Scan};
use super::unit::is_time_unit;

/// What has been read of a date.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    Full,
    /// The year is missing or comes after the time: `Fri Mar 15 14:32:05 2024`.
    WithoutYear,
}

/// A date with the weekday before or behind it, or a weekday alone.
pub(super) fn day(scan: &mut Scan<'_>) -> Option<Day> {
    let named = |s: &mut Scan<'_>| {
        named_day(s)?;
        calendar_day(s)
    };
    let day = scan.attempt(named).or_else(|| scan.attempt(calendar_day));
    if day.is_some() {
        scan.attempt(weekday_behind);
        return day;
    }
    named_day(scan).map(|()| Day::WithoutYear)
}

/// The rest of a span of days, to the end of the text.
pub(super) fn span_end(mut scan: Scan<'_>) -> bool {
    scan.eat('.');
    scan.blank();
    let has_dash = scan.eat_any("-~至").is_some();
    scan.blank();
    has_dash && day(&mut scan).is_some() && scan.is_done()
}

/// `08-15`, `11/01`: a day only if a time follows, else a range.
pub(super) fn short_day(scan: &mut Scan<'_>) -> Option<Day> {
    let first = scan.digits_up_to(2)?;
    scan.eat_any("-/")?;
    let second = scan.digits_up_to(2)?;
    let is_valid = is_month(first) && is_day(second) || is_day(first) && is_month(second);
    (is_valid && scan.blank()).then_some(Day::WithoutYear)
}

fn calendar_day(scan: &mut Scan<'_>) -> Option<Day> {
    let starts_with_digit = scan.peek()?.is_ascii_digit();
    if !starts_with_digit {
        return scan.attempt(month_first).or_else(|| scan.attempt(marked));
    }
    scan.attempt(numeric)
        .or_else(|| scan.attempt(marked))
        .or_else(|| scan.attempt(day_first))
        .or_else(|| scan.attempt(year_first))
}

/// `Friday, `, `Fr. `, `Yesterday `
fn named_day(scan: &mut Scan<'_>) -> Option<()> {
    scan.attempt(|s| {
        s.eat_listed(&NAMED_DAYS).then_some(())?;
        s.eat('.');
        s.eat(',');
        s.blank();
        s.eat_word(&["den", "the", "le", "el"]);
        s.blank();
        Some(())
    })
}

/// ` (Fri)`, `, Friday`, `（星期五）`, `(金)`
fn weekday_behind(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat(',');
    scan.blank();
    let is_open = scan.eat('(');
    let is_named = scan.eat_listed(&NAMED_DAYS);
    (is_named || east_asian_weekday(scan, is_open)).then_some(())?;
    scan.eat('.');
    (scan.eat(')') == is_open).then_some(())
}

fn east_asian_weekday(scan: &mut Scan<'_>, is_open: bool) -> bool {
    if scan.peek().is_none_or(|c| c.is_ascii()) {
        return false;
    }
    let has_head = ["星期", "周", "週", "礼拜"].iter().any(|head| scan.eat_exact(head));
    let has_name = scan.eat_any("日月火水木金土一二三四五六天월화수목금토일").is_some();
    let has_tail = scan.eat_exact("曜日") || scan.eat_exact("요일") || scan.eat('曜');
    has_name && (is_open || has_head || has_tail)
}

/// `3/15/2024`, `15.03.24`, `2024-03-15`, `3/2024`, `15.03.`
fn numeric(scan: &mut Scan<'_>) -> Option<Day> {
    let first = scan.digits_up_to(4)?;
    let mark = scan.eat_any("/.-")?;
    scan.blank();
    let second = scan.digits_up_to(4)?;
    let third = scan.attempt(|s| {
        s.eat(mark).then_some(())?;
        s.blank();
        s.digits_up_to(4)
    });
    match third {
        Some(third) if is_date(mark, first, second, third) => year_mark(scan),
        None if mark == '/' && is_month(first) && is_long_year(second) => {}
        None if mark == '.' && is_german_day(first, second) && scan.eat('.') => {
            return Some(Day::WithoutYear);
        }
        _ => return None,
    }
    Some(Day::Full)
}

fn is_date(mark: char, first: Digits, second: Digits, third: Digits) -> bool {
    if is_long_year(first) {
        return is_month(second) && is_day(third);
    }
    let is_day_first = is_day(first) && is_month(second);
    // Nobody puts the month first between full stops.
    let is_month_first = mark != '.' && is_month(first) && is_day(second);
    (is_day_first || is_month_first) && (is_long_year(third) || third.len == 2)
}

/// Both with two digits, or it may be the number of a section.
fn is_german_day(first: Digits, second: Digits) -> bool {
    first.len == 2 && second.len == 2 && is_day(first) && is_month(second)
}

fn is_day(digits: Digits) -> bool {
    digits.len <= 2 && (1..=31).contains(&digits.value)
}

fn is_month(digits: Digits) -> bool {
    digits.len <= 2 && (1..=12).contains(&digits.value)
}

fn is_long_year(digits: Digits) -> bool {
    digits.len == 4 && (1000..3000).contains(&digits.value)
}

/// `15 March 2024`, `15-Mar-24`, `15. März`, `15 de marzo de 2024`, `15th of March, 2024`, `15-17
/// March`
fn day_first(scan: &mut Scan<'_>) -> Option<Day> {
    month_day(scan)?;
    gap(scan);
    month(scan)?;
    Some(optional_year(scan))
}

/// `March 15, 2024`, `Mar 15-17`, `March 2024`
fn month_first(scan: &mut Scan<'_>) -> Option<Day> {
    month(scan)?;
    let mark = gap(scan);
    if scan.attempt(month_day).is_some() {
        return Some(optional_year(scan));
    }
    year_behind(scan, mark).map(|()| Day::Full)
}

/// `2024 March 15`, `2024-Mar-15`, `2010 May`
fn year_first(scan: &mut Scan<'_>) -> Option<Day> {
    scan.digits().filter(|digits| is_long_year(*digits))?;
    gap(scan);
    month(scan)?;
    scan.attempt(|s| {
        gap(s);
        month_day(s)
    });
    Some(Day::Full)
}

/// A day of the month with its ordinal ending, or two days with a dash.
fn month_day(scan: &mut Scan<'_>) -> Option<()> {
    ordinal(scan)?;
    scan.attempt(|s| {
        s.blank();
        s.eat('-').then_some(())?;
        s.blank();
        ordinal(s)
    });
    Some(())
}

fn ordinal(scan: &mut Scan<'_>) -> Option<()> {
    scan.digits_up_to(2).filter(|digits| is_day(*digits))?;
    // A colon makes it the hour of a time.
    if scan.peek() == Some(':') {
        return None;
    }
    scan.eat_word(&["st", "nd", "rd", "th", "er", "º", "o"]);
    scan.eat('.');
    Some(())
}

fn month(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat_listed(&MONTHS).then(|| scan.eat('.')).map(drop)
}

/// What stands between the parts of a date, and its mark if there is one.
fn gap(scan: &mut Scan<'_>) -> Option<char> {
    scan.blank();
    let mark = scan.eat_any("-/.,");
    scan.blank();
    if scan.eat_word(&["of", "de", "del"]) {
        scan.blank();
    }
    mark
}

fn optional_year(scan: &mut Scan<'_>) -> Day {
    let year = scan.attempt(|s| {
        let mark = gap(s);
        year_behind(s, mark)
    });
    year.map_or(Day::WithoutYear, |()| Day::Full)
}

/// A year of four digits, or one of two after a mark that asks for it.
fn year_behind(scan: &mut Scan<'_>, mark: Option<char>) -> Option<()> {
    if scan.attempt(year).is_some() {
        return Some(());
    }
    let is_short = scan.eat('\'') || matches!(mark, Some('-' | '/' | '.'));
    scan.digits_up_to(2).filter(|digits| is_short && digits.len == 2)?;
    (scan.peek() != Some(':')).then_some(())
}

/// A year of four digits: `2024`, `2024 г.`
pub(super) fn year(scan: &mut Scan<'_>) -> Option<()> {
    scan.digits_up_to(4).filter(|digits| is_long_year(*digits))?;
    year_mark(scan);
    Some(())
}

fn year_mark(scan: &mut Scan<'_>) {
    scan.attempt(|s| {
        s.blank();
        s.eat_word(&["г", "года", "год"]).then(|| s.eat('.'))
    });
}

/// `2024年3月15日`, `令和6年3月`, `3月15日`, `2024년 3월 15일`, `2024 г.`
fn marked(scan: &mut Scan<'_>) -> Option<Day> {
    let has_year = scan.attempt(marked_year).is_some();
    scan.blank();
    let has_month = scan.attempt(|s| marked_part(s, "月월", is_month)).is_some();
    scan.blank();
    let has_day = has_month && scan.attempt(|s| marked_part(s, "日号號일", is_day)).is_some();
    match (has_year, has_day) {
        (true, _) => Some(Day::Full),
        (false, true) => Some(Day::WithoutYear),
        (false, false) => None,
    }
}

const ERAS: [&str; 7] = ["令和", "平成", "昭和", "大正", "明治", "民國", "民国"];

fn marked_year(scan: &mut Scan<'_>) -> Option<()> {
    let has_era = !scan.peek()?.is_ascii() && ERAS.iter().any(|era| scan.eat_exact(era));
    if has_era && scan.eat_exact("元年") {
        return Some(());
    }
    let year = scan.digits_up_to(4)?;
    scan.blank();
    let is_marked = scan.eat_any("年년").is_some() || scan.eat_word(&["г", "года", "год"]);
    (is_marked && (has_era || is_long_year(year))).then(|| scan.eat('.')).map(drop)
}

fn marked_part(scan: &mut Scan<'_>, marks: &str, is_valid: fn(Digits) -> bool) -> Option<()> {
    scan.digits_up_to(2).filter(|digits| is_valid(*digits))?;
    scan.blank();
    scan.eat_any(marks).map(drop)
}

/// `2 days ago`, `vor 3 Stunden`, `il y a 5 jours`, `3小时前`, the whole text.
pub(super) fn relative(mut scan: Scan<'_>) -> Option<DataType> {
    let is_ahead = scan.eat_word(&["vor", "hace", "in"])
        || scan.eat_exact("il y a")
        || scan.eat_exact("Il y a");
    scan.blank();
    scan.digits_up_to(3)?;
    scan.blank();
    let is_past = match scan.peek_letters() {
        [unit @ .., '前'] => is_time_unit(unit) && scan.rest().len() == unit.len() + 1,
        unit => is_time_unit(unit) && ends_in_past(Scan::new(&scan.rest()[unit.len()..]), is_ahead),
    };
    is_past.then_some(DataType::Date)
}

fn ends_in_past(mut scan: Scan<'_>, is_ahead: bool) -> bool {
    scan.eat('.');
    scan.blank();
    let is_behind = scan.eat_word(&["ago", "назад", "前"]);
    is_behind != is_ahead && scan.is_done()
}
