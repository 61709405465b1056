//! What parsing had to say: never an error, always a count.

use std::fmt;

/// Something the parser changed, cut or could not read. A page with notes is still a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Note {
    /// Some bytes are not valid in the page's encoding and became U+FFFD.
    BadBytes,
    /// The charset that came with the page is not one that browsers know; the page's own signs were used.
    UnknownLabel,
    /// The page is longer than [`Limits::bytes`](crate::Limits::bytes); the rest was left out.
    TooLong,
    /// Start tags nested deeper than [`Limits::depth`](crate::Limits::depth) were left out.
    TooDeep(u32),
    /// Formatting tags (`<b>`, `<font>` …) open at once beyond
    /// [`Limits::formatting`](crate::Limits::formatting) were left out.
    TooMuchFormatting(u32),
    /// Attributes beyond [`Limits::attributes`](crate::Limits::attributes) of one tag were left out.
    TooManyAttributes(u32),
    /// Tags or attributes with yet another new name, beyond [`Limits::names`](crate::Limits::names), or tags with a
    /// name longer than [`Limits::tag_name`](crate::Limits::tag_name), were left out.
    TooManyNames(u32),
    /// Tags that would have cost more than [`Limits::work_per_byte`](crate::Limits::work_per_byte)
    /// allows were left out; their text was kept.
    TooMuchWork(u32),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::BadBytes => write!(f, "some bytes are not valid in the page's encoding"),
            Note::UnknownLabel => write!(f, "the charset that came with the page is unknown"),
            Note::TooLong => write!(f, "the page is too long and was cut"),
            Note::TooDeep(n) => write!(f, "{n} tags nested too deep were left out"),
            Note::TooMuchFormatting(n) => {
                write!(f, "{n} formatting tags too many at once were left out")
            }
            Note::TooManyAttributes(n) => write!(f, "{n} attributes too many were left out"),
            Note::TooManyNames(n) => write!(f, "{n} tags or attributes of new names were left out"),
            Note::TooMuchWork(n) => write!(f, "{n} tags too costly to place were left out"),
        }
    }
}
