//! Types of values.

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueType {
    /// Any text.
    String,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A year, month or day: `2026`, `2026-11`, `2026-11-18`.
    Date,
    /// An address that starts with its scheme.
    Url,
    /// An address of mail.
    Email,
}

impl ValueType {
    /// All types.
    pub const ALL: [ValueType; 7] = [
        ValueType::String,
        ValueType::Int,
        ValueType::Number,
        ValueType::Bool,
        ValueType::Date,
        ValueType::Url,
        ValueType::Email,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::String => "string",
            ValueType::Int => "int",
            ValueType::Number => "number",
            ValueType::Bool => "bool",
            ValueType::Date => "date",
            ValueType::Url => "url",
            ValueType::Email => "email",
        }
    }

    /// The type of a name.
    pub fn named(name: &str) -> Option<ValueType> {
        ValueType::ALL.into_iter().find(|value| value.name() == name)
    }

    /// Whether values are compared as numbers.
    pub fn is_number(self) -> bool {
        matches!(self, ValueType::Int | ValueType::Number)
    }

    /// Whether a text is a value of this type.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            ValueType::String => true,
            ValueType::Int => text.parse::<i64>().is_ok(),
            ValueType::Number => text.parse::<f64>().is_ok_and(f64::is_finite),
            ValueType::Bool => matches!(text, "true" | "false"),
            ValueType::Date => is_date(text),
            ValueType::Url => is_url(text),
            ValueType::Email => is_email(text),
        }
    }

    /// What is expected of a text, for messages.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            ValueType::String => "a text",
            ValueType::Int => "a whole number",
            ValueType::Number => "a number",
            ValueType::Bool => "true or false",
            ValueType::Date => "a date such as 2026-11-18, 2026-11 or 2026",
            ValueType::Url => "an address such as https://example.org/",
            ValueType::Email => "a mail address such as ann@example.org",
        }
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let number = |idx: usize| parts.get(idx).and_then(|part: &&str| part.parse::<u32>().ok());
    let is_shaped = matches!(lengths[..], [4] | [4, 2] | [4, 2, 2]);
    is_shaped
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        && number(1).is_none_or(|month| (1..=12).contains(&month))
        && number(2).is_none_or(|day| (1..=31).contains(&day))
}

fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    !rest.is_empty()
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        && !text.contains(char::is_whitespace)
}

fn is_email(text: &str) -> bool {
    let is_whole = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.split_once('@')
        .is_some_and(|(who, host)| is_whole(who) && is_whole(host) && !host.contains('@'))
}
