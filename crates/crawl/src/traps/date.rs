//! Dates in addresses, as calendars write them.

/// A year, maybe with a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: u16,
    pub(super) has_month: bool,
}

/// Names of parameters, or their ends: `calendar_year`.
const YEARS: [&str; 6] = ["year", "yr", "jahr", "annee", "anno", "ano"];
const MONTHS: [&str; 5] = ["month", "monat", "mois", "mese", "mes"];
const DAYS: [&str; 5] = ["date", "day", "datum", "fecha", "calendar"];

/// Dates in a path: `/2031/05/` or `/2031-05-12/`.
pub(super) fn in_path<'u>(segments: impl Iterator<Item = &'u str>) -> Vec<Date> {
    let mut dates = Vec::new();
    let mut last = None;
    for segment in segments {
        dates.extend(dashed(segment));
        if let Some(year) = last
            && is_month(segment)
        {
            dates.push(Date { year, has_month: true });
        }
        // Two numbers that nothing says are a date may be those of other things.
        last = year(segment).filter(|year| (1800..2200).contains(year));
    }
    dates
}

/// Dates in a query: `?year=2031&month=5`, `?from=2031-05-12` or `?date=20310512`.
pub(super) fn in_query<'u>(parameters: impl Iterator<Item = (&'u str, &'u str)>) -> Vec<Date> {
    let mut dates = Vec::new();
    let mut years = Vec::new();
    let mut has_month = false;
    for (name, value) in parameters {
        let name = name.to_ascii_lowercase();
        let is = |names: &[&str]| names.iter().any(|end| name.ends_with(end));
        dates.extend(dashed(value));
        if is(&DAYS) {
            dates.extend(joined(value));
        } else if is(&YEARS) || name == "y" {
            years.extend(year(value));
        } else if is(&MONTHS) || name == "m" {
            has_month |= is_month(value);
        }
    }
    dates.extend(years.into_iter().map(|year| Date { year, has_month }));
    dates
}

/// Four digits.
fn year(text: &str) -> Option<u16> {
    let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_year)
}

fn is_month(text: &str) -> bool {
    let is_short = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_short && text.parse().is_ok_and(|month: u8| (1..=12).contains(&month))
}

/// `2031-05` and longer ones: `2031-05-12`, `2031-05-12T08:00`.
fn dashed(text: &str) -> Option<Date> {
    let year = year(text.get(..4)?)?;
    let rest = text.get(4..)?.strip_prefix('-')?;
    let month = rest.split('-').next()?;
    // A day, if there is something behind: an article may begin with a number too.
    let day = rest.get(month.len()..)?;
    let is_day = day.is_empty() || day.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    (month.len() == 2 && is_month(month) && is_day).then_some(Date { year, has_month: true })
}

/// `20310512` and `203105`.
fn joined(text: &str) -> Option<Date> {
    let is_number = matches!(text.len(), 6 | 8) && text.bytes().all(|byte| byte.is_ascii_digit());
    let year = year(text.get(..4)?)?;
    (is_number && is_month(text.get(4..6)?)).then_some(Date { year, has_month: true })
}
