//! Calendar days in texts: where they stand and which day they name.
//!
//! Unlike a data type, which says what a whole text is, this looks inside texts (`Posted on 3 May 2024 by …`) and converts.

use regex::Regex;
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

static FORMS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = concat!(
        r"(?P<y>\d{4})\s?[-/.年년]\s?(?P<m>\d{1,2})\s?[-/.月월]\s?(?P<d>\d{1,2})",
        r"|(?P<a>\d{1,2})\s?(?P<mark>[-/.])\s?(?P<b>\d{1,2})\s?[-/.]\s?(?P<y2>\d{4}|\d{2})\b",
        r"|(?P<d3>\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s\-/.]{0,2}(?:of |de |di )?(?P<m3>\p{L}{3,10})\.?[\s\-/.,]{0,2}(?:de |del |')?(?P<y3>\d{4}|\d{2}\b)",
        r"|(?P<m4>\p{L}{3,10})\.?[\s\-/.]{0,2}(?P<d4>\d{1,2})(?:st|nd|rd|th|\.)?,?[\s\-/.]{1,2}'?(?P<y4>\d{4})",
        r"|(?P<y5>\d{4})[\s\-/.]{1,2}(?P<m5>\p{L}{3,10})\.?[\s\-/.]{1,2}(?P<d5>\d{1,2})\b",
        r"|\b(?P<y6>20[0-4]\d)(?P<m6>0[1-9]|1[0-2])(?P<d6>[0-3]\d)(?:T\d{4,6}Z?)?\b",
    );
    Regex::new(forms).ok()
});

/// All days that a short text names, each with its place.
pub(crate) fn days(text: &str, order: Order) -> Vec<(Range<usize>, Day)> {
    let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
    let (Some(forms), true) = (&*FORMS, n_digits >= 3 && text.len() <= MAX_CHARS) else {
        return Vec::new();
    };
    let mut days = Vec::new();
    for found in forms.captures_iter(text) {
        let number = |name: &str| found.name(name)?.as_str().parse::<u32>().ok();
        let named = |name: &str| month(found.name(name)?.as_str());
        let day = if let Some(year) = number("y") {
            Day::new(year, number("m").unwrap_or(0), number("d").unwrap_or(0))
        } else if let (Some(a), Some(b), Some(year)) = (number("a"), number("b"), number("y2")) {
            let is_dotted = found.name("mark").is_some_and(|mark| mark.as_str() == ".");
            numeric(a, b, long(year), if is_dotted { Order::DayFirst } else { order })
        } else if let Some(day) = number("d3") {
            named("m3").and_then(|month| Day::new(long(number("y3")?), month, day))
        } else if let Some(day) = number("d4") {
            named("m4").and_then(|month| Day::new(number("y4")?, month, day))
        } else if let Some(day) = number("d5") {
            named("m5").and_then(|month| Day::new(number("y5")?, month, day))
        } else {
            number("y6").and_then(|year| Day::new(year, number("m6")?, number("d6")?))
        };
        let whole = found.get(0).map_or(0..0, |it| it.range());
        // Not inside a longer number.
        let digit_before = text[..whole.start].ends_with(|c: char| c.is_ascii_digit());
        let digit_after = text[whole.end..].starts_with(|c: char| c.is_ascii_digit());
        if let Some(day) = day.filter(|_| !digit_before && !digit_after) {
            days.push((whole, day));
        }
    }
    days
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
    }

    #[test]
    fn the_order_is_that_of_the_language() {
        let day = |order| days("3/4/2024", order)[0].1.to_string();
        assert_eq!(day(Order::of_language("en-US")), "2024-03-04");
        assert_eq!(day(Order::of_language("en-GB")), "2024-04-03");
    }
}
