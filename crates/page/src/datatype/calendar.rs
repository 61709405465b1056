//! Points in time: a date, a time of day, or both, and spans of each. The words of the calendar are
//! at the end.

use super::DataType;
use super::date::{self, Day};
use super::scan::Scan;
use super::time;
use super::words::Words;

/// A text that is one date, time of day, moment, or span between two.
pub(super) fn moment(scan: Scan<'_>) -> Option<DataType> {
    if !scan.peek()?.is_alphanumeric() || !has_parts(scan.rest()) {
        return None;
    }
    dated(scan)
        .or_else(|| timed(scan))
        .or_else(|| time::iso_duration(scan))
        .or_else(|| date::relative(scan))
}

/// Whether there is a word, or the marks of a date or time by numbers.
fn has_parts(text: &[char]) -> bool {
    let n_dots = text.iter().filter(|c| matches!(c, '.' | '-')).count();
    n_dots >= 2 || text.iter().any(|c| matches!(c, ':' | '/') || c.is_alphabetic())
}

/// `15 March 2024`, `15.03. - 17.03.2024`, `Friday, March 15, 2024 at 2:32 PM EST`
fn dated(mut scan: Scan<'_>) -> Option<DataType> {
    scan.attempt(|s| (s.eat_word(&DATE_PREPOSITIONS) && s.blank()).then_some(()));
    let day = date::day(&mut scan).or_else(|| scan.attempt(date::short_day))?;
    if scan.is_done() || date::span_end(scan) {
        return Some(DataType::Date);
    }
    join(&mut scan);
    time::time(&mut scan)?;
    if day == Day::WithoutYear {
        scan.attempt(|s| s.blank().then(|| date::year(s))?);
    }
    (scan.is_done() || time::span_end(scan)).then_some(DataType::DateTime)
}

/// `14:32`, `9:00 - 17:00`, `14:32, 15 March 2024`
fn timed(mut scan: Scan<'_>) -> Option<DataType> {
    time::time(&mut scan)?;
    if scan.is_done() || time::span_end(scan) {
        return Some(DataType::Time);
    }
    join(&mut scan);
    date::day(&mut scan)?;
    scan.is_done().then_some(DataType::DateTime)
}

/// What stands between a date and a time: `T`, `, `, ` - `, ` at `, ` a las `
fn join(scan: &mut Scan<'_>) {
    if let ['T', '0'..='9', ..] = scan.rest() {
        scan.eat('T');
        return;
    }
    scan.blank();
    scan.eat_any(",-|@/;•·");
    scan.blank();
    while scan.eat_word(&TIME_PREPOSITIONS) {
        scan.blank();
    }
}

const DATE_PREPOSITIONS: [&str; 7] = ["on", "am", "den", "der", "le", "du", "el"];

const TIME_PREPOSITIONS: [&str; 8] = ["at", "um", "gegen", "à", "a", "las", "в", "on"];

/// English, German, French, Spanish and Russian, and the full names of some neighbours.
#[rustfmt::skip]
pub(super) static MONTHS: Words = Words::new(&[
    "abr", "abril", "ago", "agosto", "aout", "août", "apr", "april", "aprile", "aug", "august",
    "augustus", "avr", "avril", "dec", "december", "decembre", "dez", "dezember", "dezembro",
    "dic", "dicembre", "diciembre", "déc", "décembre", "ene", "enero", "feb", "febbraio",
    "feber", "febrero", "februar", "februari", "february", "fevereiro", "fevrier", "fév",
    "févr", "février", "gennaio", "giugno", "jan", "janeiro", "januar", "januari", "january",
    "janv", "janvier", "juil", "juillet", "juin", "jul", "julho", "juli", "julio", "july",
    "jun", "june", "junho", "juni", "junio", "jänner", "luglio", "maart", "maggio", "mai",
    "maio", "mar", "march", "mars", "marzo", "março", "may", "mayo", "mei", "mrz", "mär",
    "märz", "nov", "november", "novembre", "novembro", "noviembre", "oct", "october", "octobre",
    "octubre", "okt", "oktober", "ottobre", "outubro", "sep", "sept", "september", "septembre",
    "septiembre", "setembro", "setiembre", "settembre", "авг", "август", "августа", "апр",
    "апрель", "апреля", "дек", "декабрь", "декабря", "июл", "июль", "июля", "июн", "июнь",
    "июня", "май", "мар", "март", "марта", "мая", "ноя", "нояб", "ноябрь", "ноября", "окт",
    "октябрь", "октября", "сен", "сент", "сентябрь", "сентября", "фев", "февр", "февраль",
    "февраля", "янв", "январь", "января",
]);

/// Weekdays, and days relative to today.
#[rustfmt::skip]
pub(super) static NAMED_DAYS: Words = Words::new(&[
    "ayer", "di", "dienstag", "dim", "dimanche", "do", "dom", "domingo", "donnerstag", "fr",
    "freitag", "fri", "friday", "gestern", "heute", "hier", "hoy", "jeu", "jeudi", "jue",
    "jueves", "lun", "lundi", "lunes", "mar", "mardi", "martes", "mer", "mercredi", "mi",
    "miercoles", "mittwoch", "mié", "miércoles", "mo", "mon", "monday", "montag", "morgen",
    "sa", "sabado", "sam", "samedi", "samstag", "sat", "saturday", "so", "sonnabend", "sonntag",
    "sun", "sunday", "sáb", "sábado", "thu", "thur", "thurs", "thursday", "today", "tomorrow",
    "tue", "tues", "tuesday", "ven", "vendredi", "vie", "viernes", "wed", "wednesday",
    "yesterday", "воскресенье", "вс", "вт", "вторник", "вчера", "завтра", "пн", "понедельник",
    "пт", "пятница", "сб", "сегодня", "ср", "среда", "суббота", "четверг", "чт", "今天", "今日",
    "前天", "昨天", "昨日",
]);
