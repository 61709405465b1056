//! Names of values: `price`, `books[3].price`.

use std::fmt;
use std::str::FromStr;

/// Which value of a page, or which values: the names of sets and of a column, and which records.
///
/// Records are counted from zero, as in the data. Without a number, all records are meant.
///
/// ```
/// use wrapper::FieldPath;
///
/// let prices: FieldPath = "books.price".parse()?;
/// let one: FieldPath = "books[3].price".parse()?;
/// assert!(prices.matches(&one) && !one.matches(&prices));
/// assert_eq!((one.to_string(), one.columns()), ("books[3].price".into(), "books.price".into()));
/// assert!("books[three]".parse::<FieldPath>().is_err());
/// # Ok::<(), wrapper::FieldPathError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Vec<(String, Option<usize>)>);

/// Why a text is no name of values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no field: write names with points between them, and records by number, such as books[3].price"
)]
pub struct FieldPathError(String);

impl FieldPath {
    /// A field of what this path leads to.
    pub(crate) fn with(&self, name: &str, record: Option<usize>) -> FieldPath {
        let mut parts = self.0.clone();
        parts.push((name.to_owned(), record));
        FieldPath(parts)
    }

    /// The names on the way, from the page to the value.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// The names on the way, each with the number of the record where it is one.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = (&str, Option<usize>)> {
        self.0.iter().map(|(name, record)| (&**name, *record))
    }

    /// The names with points between them, without the numbers of records: `books.price`.
    pub fn columns(&self) -> String {
        self.names().collect::<Vec<_>>().join(".")
    }

    /// Whether another path leads to (something in) what this one means. A path without numbers means all records.
    pub fn matches(&self, other: &FieldPath) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() <= other.0.len()
            && pairs.all(|((name, record), (other, of_other))| {
                name == other && (record.is_none() || record == of_other)
            })
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, record)) in self.0.iter().enumerate() {
            let point = if index == 0 { "" } else { "." };
            write!(f, "{point}{name}")?;
            if let Some(record) = record {
                write!(f, "[{record}]")?;
            }
        }
        Ok(())
    }
}

impl FromStr for FieldPath {
    type Err = FieldPathError;

    fn from_str(text: &str) -> Result<FieldPath, FieldPathError> {
        let parts: Option<Vec<_>> = text.split('.').map(part).collect();
        parts.map(FieldPath).ok_or_else(|| FieldPathError(text.to_owned()))
    }
}

fn part(text: &str) -> Option<(String, Option<usize>)> {
    let (name, record) = match text.split_once('[') {
        Some((name, rest)) => (name, Some(rest.strip_suffix(']')?.parse().ok()?)),
        None => (text, None),
    };
    let is_name = !name.is_empty() && !name.contains([']', '[']);
    is_name.then(|| (name.to_owned(), record))
}
