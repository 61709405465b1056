//! The type of a value: what a text on a page is, seen by its form alone.
//!
//! In comes the collapsed text of one leaf, out comes one [`DataType`]. The whole text has to be
//! one value: a sentence that mentions a date is a string. Nothing is converted here; which day
//! `3/4/2024` means is left to those who know the site. Precision goes before recall, because two
//! columns of a site are told apart by path and type, and a title now and then taken for a quantity
//! would tear its column in two.
//!
//! The work has two steps. A filter over the bytes sends away what cannot be a value, which is
//! nearly every text of a page: all types but [`DataType::Url`] and [`DataType::Email`] need a
//! digit and are short. What remains is folded to a small array of characters (one kind of space,
//! dash, digit) and read by small grammars, each of them linear.
//!
//! Choices that the forms leave open:
//!
//! - A bare year is a number: `2024`. A marked one is a date: `2024年`, `2024 г.`
//! - Digits grouped in threes by blanks are a number (`12 345 678`) unless a `+` or a leading zero
//!   makes them a phone.
//! - Relative times (`2 days ago`, `vor 3 Stunden`) are dates: they share their slot with absolute
//!   ones.
//! - A clock form is a time even if it was meant as a length: `01:23:45`; only from 24 hours up it
//!   is a duration.
//! - A span keeps its type (`$10 - $20`, `9:00-17:00`, `3-5 kg`); only a span of bare numbers is a
//!   [`DataType::Range`].
//! - `#5`, `No. 5`, `1st` and `5.` count or name things and are strings.
//! - One pair of brackets around the text, and separators left at its ends, do not matter: `(12)`,
//!   `: 15 March 2024,`

mod calendar;
mod code;
mod contact;
mod date;
mod measure;
mod number;
mod scan;
#[cfg(test)]
mod tests;
mod time;
mod unit;
mod words;

use std::fmt;

use scan::{MAX_CHARS, Scan};

/// What kind of value a text is.
///
/// ```text
/// string ─┬─ number ─┬─ money      $1,299.00   12,99 €   US$ 5 - 10
///         │          ├─ percent    45 %   −3.2%
///         │          └─ quantity   12 kg   6'10"   23 x 15 x 3 cm   53 pages
///         │             └─ duration   1 h 30 min   PT1H30M   3分钟
///         ├─ range                 6-10   21/30   16:9
///         ├─ date                  15. März 2024   3/15/24   2024年3月15日   2 days ago
///         │  └─ datetime           2024-03-15T14:32Z   March 15, 2024 at 2:32 PM
///         ├─ time                  14:32   2 pm   14h32
///         └─ url   email   phone   postal_code   isbn
/// ```
///
/// ```
/// use page::DataType;
///
/// assert_eq!(DataType::classify("$1,299.00"), DataType::Money);
/// assert_eq!(DataType::classify("15. März 2024, 14:32 Uhr"), DataType::DateTime);
/// assert_eq!(DataType::classify("iPhone 15"), DataType::String);
/// assert!(DataType::Money.is_a(DataType::Number));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataType {
    /// Any text, and the type of whatever has no better one.
    String,
    /// One number, in the notation of any big language.
    Number,
    /// A number with a currency, or a span of such.
    Money,
    /// A number with a percent sign or word.
    Percent,
    /// A number with a unit or a counted noun, several of them, or a size with two or three sides.
    Quantity,
    /// An amount of time.
    Duration,
    /// Two or three bare numbers joined by one mark: a span, a score, a ratio.
    Range,
    /// A day, with or without its year, a month of a year, or a point in time relative to now.
    Date,
    /// A day and a time of day.
    DateTime,
    /// A time of day, or the span between two.
    Time,
    /// An address with a web scheme, with `www.`, or relative to the scheme.
    Url,
    /// One electronic mail address.
    Email,
    /// One telephone number with the punctuation of one.
    Phone,
    /// A postal code that cannot be taken for a number.
    PostalCode,
    /// A book number of ten or thirteen digits whose check digit is right.
    Isbn,
}

impl DataType {
    /// All types, each after its parent.
    pub const ALL: [DataType; 15] = [
        DataType::String,
        DataType::Number,
        DataType::Money,
        DataType::Percent,
        DataType::Quantity,
        DataType::Duration,
        DataType::Range,
        DataType::Date,
        DataType::DateTime,
        DataType::Time,
        DataType::Url,
        DataType::Email,
        DataType::Phone,
        DataType::PostalCode,
        DataType::Isbn,
    ];

    /// The type of which the whole text is one value; [`DataType::String`] if there is no better
    /// one.
    #[must_use]
    pub fn classify(text: &str) -> DataType {
        let text = text.trim_ascii();
        if is_count(text) {
            return DataType::Number;
        }
        if contact::is_url(text) {
            return DataType::Url;
        }
        if text.len() > MAX_BYTES || !may_be_value(text) {
            return DataType::String;
        }
        classify_short(text)
    }

    /// The next wider type; none for [`DataType::String`].
    #[must_use]
    pub fn parent(self) -> Option<DataType> {
        match self {
            DataType::String => None,
            DataType::Money | DataType::Percent | DataType::Quantity => Some(DataType::Number),
            DataType::Duration => Some(DataType::Quantity),
            DataType::DateTime => Some(DataType::Date),
            _ => Some(DataType::String),
        }
    }

    /// Whether every value of this type is one of the other, too. A type is itself.
    #[must_use]
    pub fn is_a(self, other: DataType) -> bool {
        std::iter::successors(Some(self), |ty| ty.parent()).any(|ty| ty == other)
    }

    /// The name in files and messages. Names do not change.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DataType::String => "string",
            DataType::Number => "number",
            DataType::Money => "money",
            DataType::Percent => "percent",
            DataType::Quantity => "quantity",
            DataType::Duration => "duration",
            DataType::Range => "range",
            DataType::Date => "date",
            DataType::DateTime => "datetime",
            DataType::Time => "time",
            DataType::Url => "url",
            DataType::Email => "email",
            DataType::Phone => "phone",
            DataType::PostalCode => "postal_code",
            DataType::Isbn => "isbn",
        }
    }

    /// The type with this name, as [`DataType::name`] gives it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<DataType> {
        DataType::ALL.into_iter().find(|ty| ty.name() == name)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Longer texts are strings (addresses of the web excepted): [`scan::MAX_CHARS`] characters of at
/// most four bytes.
const MAX_BYTES: usize = 4 * MAX_CHARS;

/// Whether the text has a digit or an at sign, eight bytes at a time.
fn may_be_value(text: &str) -> bool {
    let bytes = text.as_bytes();
    // The last eight bytes overlap the others.
    let last =
        bytes.last_chunk::<8>().map_or_else(|| short_word(bytes), |last| u64::from_le_bytes(*last));
    let (words, _) = bytes.as_chunks::<8>();
    let (mut found, mut all) = (signals(last), last);
    for word in words {
        let word = u64::from_le_bytes(*word);
        found |= signals(word);
        all |= word;
    }
    let is_ascii = all & repeat(0x80) == 0;
    found != 0 || !is_ascii && bytes.iter().any(|byte| is_foreign_lead(*byte))
}

/// The lead bytes of Arabic-Indic, extended Arabic-Indic and full-width digits. Other characters
/// share them, which lets a few texts too many through.
fn is_foreign_lead(byte: u8) -> bool {
    matches!(byte, 0xD9 | 0xDB | 0xEF)
}

/// Fewer than eight bytes in one word, some of them twice.
fn short_word(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Not zero if one of the eight bytes is a digit or an at sign.
fn signals(word: u64) -> u64 {
    has_less(word ^ repeat(b'0'), 10) | has_less(word ^ repeat(b'@'), 1)
}

/// Not zero if one of the eight bytes is below the limit (Anderson, "Bit Twiddling Hacks",
/// "Determine if a word has a byte less than n").
const fn has_less(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(repeat(limit)) & !word & repeat(0x80)
}

const fn repeat(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Apart from [`DataType::classify`], whose way for plain words is shorter without the buffer.
#[inline(never)]
/// Whether a text is a few digits, as most cells of tables are: longer ones may be telephones or codes.
fn is_count(text: &str) -> bool {
    (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn classify_short(text: &str) -> DataType {
    if contact::is_email(text) {
        return DataType::Email;
    }
    let mut buffer = ['\0'; MAX_CHARS];
    let chars = scan::fold(text, &mut buffer).map(scan::undecorated);
    chars.and_then(classify_folded).unwrap_or(DataType::String)
}

/// The grammars, from the most common and strict to the loosest: `619-534-2230` would be a range if
/// it were no phone.
fn classify_folded(chars: &[char]) -> Option<DataType> {
    if !chars.iter().any(char::is_ascii_digit) || !words::are_known(chars) {
        return None;
    }
    let scan = Scan::new(chars);
    code::isbn(scan)
        .or_else(|| contact::international_phone(scan))
        .or_else(|| measure::single(scan))
        .or_else(|| calendar::moment(scan))
        .or_else(|| code::postal_code(scan))
        .or_else(|| contact::phone(scan))
        .or_else(|| measure::measure(scan))
}
