//! Calendar days in texts: where they stand and which day they name.
//!
//! Unlike a data type, which says what a whole text is, this looks inside texts (`Posted on 3 May 2024 by …`) and converts.

use regex::{Captures, Regex};
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

/// One day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// Of the common calendar.
    pub year: u16,
    /// From 1.
    pub month: u8,
    /// Of the month, from 1.
    pub day: u8,
}

impl fmt::Display for Day {
    /// As ISO 8601 has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// What `3/4/2024` means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    DayFirst,
    MonthFirst,
}

impl Order {
    /// By the language of a page: who writes American English puts the month first.
    pub(crate) fn of_language(language: &str) -> Order {
        let language = language.trim().to_lowercase();
        let is_english = language.is_empty()
            || language == "en"
            || language.starts_with("en-us")
            || language.starts_with("en_us");
        if is_english { Order::MonthFirst } else { Order::DayFirst }
    }
}

impl Day {
    fn new(year: u32, month: u32, day: u32) -> Option<Day> {
        let days = match month {
            2 if year.is_multiple_of(4) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_day = (1000..3000).contains(&year) && (1..=days).contains(&day);
        let day = Day {
            year: u16::try_from(year).ok()?,
            month: u8::try_from(month).ok()?,
            day: u8::try_from(day).ok()?,
        };
        is_day.then_some(day)
    }
}

/// Longer texts are prose: the days in them are not theirs.
const MAX_CHARS: usize = 400;

/// The names of months in the languages that many sites have, each by what all its forms begin with.
const MONTHS: [(&str, u32); 117] = [
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("may", 5),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
    // German, Dutch, Nordic
    ("jän", 1),
    ("mär", 3),
    ("maer", 3),
    ("mrz", 3),
    ("mai", 5),
    ("okt", 10),
    ("dez", 12),
    ("maart", 3),
    ("mrt", 3),
    ("mei", 5),
    ("maj", 5),
    ("des", 12),
    ("helmik", 2),
    ("tammik", 1),
    ("maalisk", 3),
    ("huhtik", 4),
    ("toukok", 5),
    ("kesäk", 6),
    ("heinäk", 7),
    ("elok", 8),
    ("syysk", 9),
    ("lokak", 10),
    ("marrask", 11),
    ("jouluk", 12),
    // French
    ("janv", 1),
    ("fév", 2),
    ("fev", 2),
    ("avr", 4),
    ("juin", 6),
    ("juil", 7),
    ("aoû", 8),
    ("aou", 8),
    ("déc", 12),
    // Spanish, Portuguese, Italian
    ("ene", 1),
    ("abr", 4),
    ("mayo", 5),
    ("ago", 8),
    ("set", 9),
    ("dic", 12),
    ("out", 10),
    ("gen", 1),
    ("mag", 5),
    ("giu", 6),
    ("lug", 7),
    ("ott", 10),
    // Polish, Czech
    ("sty", 1),
    ("lut", 2),
    ("kwi", 4),
    ("cze", 6),
    ("lip", 7),
    ("sie", 8),
    ("wrz", 9),
    ("paź", 10),
    ("lis", 11),
    ("gru", 12),
    ("led", 1),
    ("úno", 2),
    ("bře", 3),
    ("dub", 4),
    ("kvě", 5),
    ("červenc", 7),
    ("čer", 6),
    ("srp", 8),
    ("zář", 9),
    ("říj", 10),
    ("pro", 12),
    // Russian
    ("янв", 1),
    ("фев", 2),
    ("мар", 3),
    ("апр", 4),
    ("мая", 5),
    ("май", 5),
    ("июн", 6),
    ("июл", 7),
    ("авг", 8),
    ("сен", 9),
    ("окт", 10),
    ("ноя", 11),
    ("дек", 12),
    // Turkish, Greek, Hungarian, Romanian
    ("oca", 1),
    ("şub", 2),
    ("nis", 4),
    ("haz", 6),
    ("tem", 7),
    ("ağu", 8),
    ("eyl", 9),
    ("eki", 10),
    ("kas", 11),
    ("ara", 12),
    ("ιαν", 1),
    ("φεβ", 2),
    ("μαρ", 3),
    ("απρ", 4),
    ("μαΐ", 5),
    ("μαι", 5),
    ("ιουν", 6),
    ("ιουλ", 7),
    ("αυγ", 8),
    ("σεπ", 9),
    ("οκτ", 10),
    ("νοε", 11),
    ("δεκ", 12),
    ("márc", 3),
    ("ápr", 4),
    ("máj", 5),
];

/// The month of this name, in any language at hand.
fn month(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let name = name.trim_end_matches('.');
    if name.chars().count() > 10 {
        return None;
    }
    let longest =
        MONTHS.iter().filter(|(head, _)| name.starts_with(head)).max_by_key(|(head, _)| head.len());
    longest.map(|(_, month)| *month)
}

/// The forms of days. Where a number has to end is asked of ASCII alone, because an automaton that minds the letters of all
/// scripts is many times slower; those are minded afterwards.
static FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = concat!(
        r"(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})",
        r"|(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?[-/.]\s?(\d{4}|\d{2})(?-u:\b)",
        r"|(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s\-/.]{0,2}(?:of |de |di )?(\p{L}{3,10})\.?[\s\-/.,]{0,2}(?:de |del |')?(\d{4}|\d{2}(?-u:\b))",
        r"|(\p{L}{3,10})\.?[\s\-/.]{0,2}(\d{1,2})(?:st|nd|rd|th|\.)?,?[\s\-/.]{1,2}'?(\d{4})",
        r"|(\d{4})[\s\-/.]{1,2}(\p{L}{3,10})\.?[\s\-/.]{1,2}(\d{1,2})(?-u:\b)",
        r"|(?-u:\b)(20[0-4]\d)(0[1-9]|1[0-2])([0-3]\d)(?:T\d{4,6}Z?)?(?-u:\b)",
    );
    Regex::new(forms).ok()
});

/// The first group of each form, in their order.
const FIRST_GROUPS: [usize; 6] = [1, 4, 8, 11, 14, 17];

/// All days that a short text names, each with its place.
pub(crate) fn days(text: &str, order: Order) -> Vec<(Range<usize>, Day)> {
    let (Some(forms), true) = (&*FORMS, text.len() <= MAX_CHARS && may_name_days(text)) else {
        return Vec::new();
    };
    let found = forms.captures_iter(text).filter_map(|found| {
        let whole = found.get(0)?.range();
        // Not inside a longer number.
        let digit_before = text[..whole.start].ends_with(|c: char| c.is_ascii_digit());
        let digit_after = text[whole.end..].starts_with(|c: char| c.is_ascii_digit());
        let is_apart = !digit_before && !digit_after;
        Some((whole, read(&found, text, order).filter(|_| is_apart)?))
    });
    found.collect()
}

/// The day that a form names.
fn read(found: &Captures<'_>, text: &str, order: Order) -> Option<Day> {
    let form = FIRST_GROUPS.iter().position(|it| found.get(*it).is_some())?;
    let part = |nth: usize| found.get(FIRST_GROUPS[form] + nth).map_or("", |it| it.as_str());
    let number = |nth: usize| part(nth).parse::<u32>().ok();
    let whole = found.get(0)?;
    let is_end = || !text[whole.end()..].starts_with(char::is_alphanumeric);
    let is_start = || !text[..whole.start()].ends_with(char::is_alphanumeric);
    match form {
        0 => Day::new(number(0)?, number(1)?, number(2)?),
        1 if is_end() => {
            let order = if part(1) == "." { Order::DayFirst } else { order };
            numeric(number(0)?, number(2)?, long(number(3)?), order)
        }
        2 if part(2).len() > 2 || is_end() => {
            Day::new(long(number(2)?), month(part(1))?, number(0)?)
        }
        3 => Day::new(number(2)?, month(part(0))?, number(1)?),
        4 if is_end() => Day::new(number(0)?, month(part(1))?, number(2)?),
        5 if is_start() && is_end() => Day::new(number(0)?, number(1)?, number(2)?),
        _ => None,
    }
}

/// The first day that a short text names.
pub(crate) fn first(text: &str, order: Order) -> Option<Day> {
    days(text, order).first().map(|(_, day)| *day)
}

/// More bytes than any form has between two of its numbers.
const MAX_GAP: usize = 64;

/// False only if no form can match: all have eight digits in a row, or two numbers of the lengths of a day and a year (or a
/// month) near to each other, with nothing between them but letters and the marks of dates. That sends away nearly all texts at
/// a fraction of what the forms cost.
fn may_name_days(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut before: Option<Range<usize>> = None;
    let mut n_digits = 0;
    let mut start = 0;
    let (mut has_eight, mut has_pair) = (false, false);
    while let Some(found) = bytes[start..].iter().position(u8::is_ascii_digit) {
        start += found;
        let rest = bytes[start..].iter();
        let end = start + rest.take_while(|it| it.is_ascii_digit()).count();
        n_digits += end - start;
        has_eight |= end - start == 8;
        has_pair |= before.is_some_and(|before| {
            let is_length = |n: usize| matches!(n, 1 | 2 | 4);
            let gap = &bytes[before.end..start];
            is_length(before.len())
                && is_length(end - start)
                && before.len() + end - start < 8
                && gap.len() <= MAX_GAP
                && gap.iter().all(|it| is_of_date(*it))
        });
        before = Some(start..end);
        start = end;
    }
    has_eight || has_pair && n_digits >= 3
}

/// Whether a byte may stand between the numbers of a date.
fn is_of_date(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
        || !byte.is_ascii()
        || matches!(byte, b'\t'..=b'\r' | b' ' | b'-' | b'/' | b'.' | b',' | b'\'')
}

fn numeric(a: u32, b: u32, year: u32, order: Order) -> Option<Day> {
    let (day_first, month_first) = (Day::new(year, b, a), Day::new(year, a, b));
    match order {
        Order::DayFirst => day_first.or(month_first),
        Order::MonthFirst => month_first.or(day_first),
    }
}

/// The year that two digits mean.
fn long(year: u32) -> u32 {
    match year {
        0..50 => 2000 + year,
        50..100 => 1900 + year,
        _ => year,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        days(text, Order::MonthFirst)
            .iter()
            .map(|(place, day)| format!("{day} {}", &text[place.clone()]))
            .collect()
    }

    #[test]
    fn days_are_found_in_texts() {
        let cases = [
            ("Posted on May 3, 2024 by Ann", "2024-05-03 May 3, 2024"),
            ("2019-10-19T16:21:00Z", "2019-10-19 2019-10-19"),
            ("Samstag, 19. Oktober 2019, 16:21 Uhr", "2019-10-19 19. Oktober 2019"),
            ("19.10.2019", "2019-10-19 19.10.2019"),
            ("3/4/2024", "2024-03-04 3/4/2024"),
            ("23/4/24", "2024-04-23 23/4/24"),
            ("15 de marzo de 2024", "2024-03-15 15 de marzo de 2024"),
            ("2005年5月7日", "2005-05-07 2005年5月7"),
            ("le 1er août 2020", "2020-08-01 1er août 2020"),
            ("3rd of March, 2021", "2021-03-03 3rd of March, 2021"),
            ("12 июля 2018 г.", "2018-07-12 12 июля 2018"),
            ("20191019", "2019-10-19 20191019"),
            ("15-Mar-24", "2024-03-15 15-Mar-24"),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), [expected], "{text}");
        }
    }

    #[test]
    fn other_numbers_are_no_days() {
        for text in
            ["Version 1.2.3", "call 555-12-34567", "30 Feb 2020", "2019-13-45", "1234567890123", ""]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        // Letters of any script end no number.
        for text in ["1.2.24abc", "1.2.24год", "a20191019", "年20191019"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn most_texts_are_sent_away_unread() {
        for text in
            ["", "12", "10:20:30", "$12", "1234 of 5678", "(3) [44]", "1 2", "95 % of 200 %"]
        {
            assert!(!may_name_days(text), "{text}");
        }
        for text in ["3 May 24", "1/2/24", "on 20240503", "12 de diciembre del 1999"] {
            assert!(may_name_days(text), "{text}");
        }
    }

    #[test]
    fn the_order_is_that_of_the_language() {
        let day = |order| days("3/4/2024", order)[0].1.to_string();
        assert_eq!(day(Order::of_language("en-US")), "2024-03-04");
        assert_eq!(day(Order::of_language("en-GB")), "2024-04-03");
    }
}
