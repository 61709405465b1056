//! What the values of a column usually look like, learnt from those it had; and values that look otherwise.
//!
//! A page may fit by its structure and not by its sense: a price that is `N/A`, two columns that changed places, another
//! currency. Such values are extracted as they are, and told.
//!
//! Only what all values had in common is taken as usual, and only from several of them: a warning that comes with every
//! tenth good page is read by nobody. Looking at a value takes one pass over its first bytes.

use crate::data::{Data, Value};
use crate::schema::{Column, Field, FieldPath, Schema, Set};
use compact_str::CompactString;
use page::DataType;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What all values of a column had in common, of at least some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usual {
    /// How many values there were.
    pub n: u32,
    /// The type of nearly all, if they have one.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none", with = "type_name")]
    pub data_type: Option<DataType>,
    /// The characters of the shortest and of the longest.
    pub lengths: (u32, u32),
    /// What kinds of characters there were.
    pub alphabet: Alphabet,
    /// Whether all had a digit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_digits: bool,
    /// What is left of the values with digits, without these, blanks and marks, if that is one of a few: currencies and
    /// units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
}

/// How many records pages, or records, had of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counts {
    /// How many pages or records there were.
    pub n: u32,
    /// The fewest that one had; none counts.
    pub fewest: u32,
    /// The most that one had.
    pub most: u32,
}

/// Kinds of characters, each named in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<String>", from = "Vec<String>")]
pub struct Alphabet(u16);

const KINDS: [&str; 14] = [
    "digits", "upper", "lower", "blanks", "marks", "currency", "latin", "greek", "cyrillic",
    "hebrew", "arabic", "han", "hangul", "letters",
];
const DIGITS: u16 = 1;
const UPPER: u16 = 1 << 1;
const LOWER: u16 = 1 << 2;
const BLANKS: u16 = 1 << 3;
const MARKS: u16 = 1 << 4;
const CURRENCY: u16 = 1 << 5;
const LATIN: u16 = 1 << 6;
/// Letters of some script.
const SCRIPTS: u16 = 0xFF << 6;

impl From<Alphabet> for Vec<String> {
    fn from(alphabet: Alphabet) -> Vec<String> {
        alphabet.names().map(str::to_owned).collect()
    }
}

impl From<Vec<String>> for Alphabet {
    /// Kinds that a newer version knows are left out.
    fn from(names: Vec<String>) -> Alphabet {
        let bit = |name: &String| KINDS.iter().position(|it| it == name).map(|it| 1 << it);
        Alphabet(names.iter().filter_map(bit).fold(0, |all, bit: u16| all | bit))
    }
}

impl Alphabet {
    /// The kinds of characters, by name.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let has = move |(bit, _): &(usize, &&str)| self.0 >> bit & 1 == 1;
        KINDS.iter().enumerate().filter(has).map(|(_, name)| *name)
    }

    /// The kinds of the first characters of a text.
    fn of(text: &str) -> Alphabet {
        let head = &text.as_bytes()[..text.len().min(MAX_LOOKED_AT)];
        if head.is_ascii() {
            return Alphabet(head.iter().fold(0, |all, byte| all | ASCII[usize::from(*byte)]));
        }
        Alphabet(text.chars().take(MAX_LOOKED_AT).fold(0, |all, character| all | kinds(character)))
    }
}

/// The kinds of the characters that nearly all values consist of.
static ASCII: [u16; 128] = {
    let mut table = [MARKS; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'0'..=b'9' => DIGITS,
            b'a'..=b'z' => LOWER | LATIN,
            b'A'..=b'Z' => UPPER | LATIN,
            b' ' => BLANKS,
            b'$' => CURRENCY,
            _ => MARKS,
        };
        byte += 1;
    }
    table
};

fn kinds(character: char) -> u16 {
    if character.is_ascii() {
        return ASCII[character as usize];
    }
    match character {
        '¢'..='¥' | '\u{20A0}'..='\u{20CF}' | '＄' | '￥' => CURRENCY,
        _ if character.is_alphabetic() => script(character),
        _ if character.is_numeric() => DIGITS,
        _ if character.is_whitespace() => BLANKS,
        _ => MARKS,
    }
}

fn script(letter: char) -> u16 {
    let script = match letter {
        '\u{AA}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => LATIN,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => 1 << 7,
        '\u{400}'..='\u{52F}' => 1 << 8,
        '\u{590}'..='\u{5FF}' => 1 << 9,
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' => 1 << 10,
        '\u{2E80}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' => 1 << 11,
        '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}' => 1 << 12,
        _ => 1 << 13,
    };
    script | if letter.is_uppercase() { UPPER } else { LOWER }
}

/// Nothing is usual of fewer values.
const MIN_VALUES: usize = 8;
/// No more of a text is looked at: prose has everything anyway.
const MAX_LOOKED_AT: usize = 64;
/// More units than this are words. Each must have come several times.
const MAX_UNITS: usize = 3;
const MIN_OF_UNIT: usize = 4;
/// Longer ones are words.
const MAX_UNIT: usize = 12;
/// Values have a usual length if the longest is no more than so many times as long as the shortest.
const MAX_SPREAD: u32 = 3;
/// A value may be so many times longer or shorter than any before.
const MAX_STRETCH: u32 = 4;
/// Between texts that are so short, lengths are no matter.
const SHORT: u32 = 10;
/// A set may have so many times more or fewer records than any before, and so many more.
const MAX_GROWTH: u32 = 5;
const MIN_MORE: u32 = 20;
/// What so many pages had is missed where it is not; of records there must be more, because those of a page are alike.
const MIN_ALWAYS: u32 = 10;
const MIN_ALWAYS_IN_RECORDS: u32 = 50;

impl Usual {
    /// What is usual of some values; none if they are too few.
    pub(crate) fn of<'a>(values: impl ExactSizeIterator<Item = &'a str> + Clone) -> Option<Usual> {
        if values.len() < MIN_VALUES {
            return None;
        }
        let lengths = values.clone().map(length);
        let alphabets = values.clone().map(|value| Alphabet::of(value).0);
        let has_digits = alphabets.clone().all(|it| it & DIGITS != 0);
        let n_values = values.len();
        let mut types = values.clone().map(DataType::classify);
        let first = types.next().filter(|it| *it != DataType::String);
        Some(Usual {
            n: u32::try_from(values.len()).unwrap_or(u32::MAX),
            data_type: first.filter(|first| types.all(|it| it == *first)),
            lengths: (lengths.clone().min()?, lengths.max()?),
            alphabet: Alphabet(alphabets.fold(0, |all, it| all | it)),
            has_digits,
            units: units(values.filter(|value| Alphabet::of(value).0 & DIGITS != 0), n_values),
        })
    }

    /// What is unusual of a value.
    fn doubt(&self, value: &str, data_type: impl FnOnce() -> DataType) -> Option<WarningKind> {
        let is_plain = value.len() <= MAX_LOOKED_AT && value.is_ascii();
        let alphabet = match is_plain && !self.asks_for_ascii() {
            true => Alphabet::default(),
            false => Alphabet::of(value),
        };
        if self.has_digits && alphabet.0 & DIGITS == 0 {
            return Some(WarningKind::NoDigits);
        }
        if !self.units.is_empty() && alphabet.0 & DIGITS != 0 {
            let unit = unit(value);
            if !self.units.iter().any(|it| *it == unit) {
                let (usual, found) = (self.units.clone(), unit.into());
                return Some(WarningKind::Unit { usual, found });
            }
        }
        let new_scripts = Alphabet(alphabet.0 & SCRIPTS & !self.alphabet.0);
        if let Some(script) = new_scripts.names().next() {
            return Some(WarningKind::Letters { found: script });
        }
        if self.has_usual_length() {
            let found = if is_plain { value.len() as u32 } else { length(value) };
            if self.is_odd_length(found) {
                return Some(WarningKind::Length { usual: self.lengths, found });
            }
        }
        let usual = self.data_type?;
        let found = data_type();
        let is_kin = found.is_a(usual) || usual.is_a(found) && found != DataType::String;
        (!is_kin).then_some(WarningKind::Type { usual, found })
    }
}

impl Counts {
    /// What is usual of some rows, of which those are given that have any records; none if they are too few.
    pub(crate) fn of(counts: &[(usize, usize)], n_rows: usize) -> Option<Counts> {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let n_records = counts.iter().map(|(_, n)| number(*n));
        let fewest = if counts.len() < n_rows { 0 } else { n_records.clone().min()? };
        let counts = Counts { n: number(n_rows), fewest, most: n_records.max()? };
        (n_rows >= MIN_VALUES).then_some(counts)
    }

    fn is_odd(self, found: u32) -> bool {
        found > self.most.saturating_mul(MAX_GROWTH).saturating_add(MIN_MORE)
            || found.saturating_mul(MAX_GROWTH) < self.fewest
    }
}

impl Usual {
    /// Whether it counts what a text in ASCII consists of: not if it need not have digits and may have letters.
    fn asks_for_ascii(&self) -> bool {
        self.has_digits || !self.units.is_empty() || self.alphabet.0 & LATIN == 0
    }

    /// Texts of which some are three times as long as others may have any length.
    fn has_usual_length(&self) -> bool {
        let (shortest, longest) = self.lengths;
        longest <= shortest.saturating_mul(MAX_SPREAD).saturating_add(SHORT)
    }

    fn is_odd_length(&self, found: u32) -> bool {
        let (shortest, longest) = self.lengths;
        found > longest.saturating_mul(MAX_STRETCH).saturating_add(SHORT)
            || found.saturating_mul(MAX_STRETCH) < shortest
    }
}

fn length(value: &str) -> u32 {
    u32::try_from(value.chars().count()).unwrap_or(u32::MAX)
}

/// The letters and currency signs of a text.
fn unit(value: &str) -> CompactString {
    let is_part = |it: &char| kinds(*it) & (SCRIPTS | CURRENCY) != 0;
    value.chars().filter(is_part).take(MAX_UNIT + 1).collect()
}

/// The units of those of some values that have digits, if that is nearly all of them and all are amounts: what a part number
/// has beside its digits is no unit.
fn units<'a>(values: impl Iterator<Item = &'a str>, n_values: usize) -> Vec<String> {
    let mut units: Vec<String> = Vec::new();
    let mut n = 0;
    for value in values {
        n += 1;
        let unit = unit(value);
        // To compare nothing with nothing takes longer than one would think.
        if !units.iter().any(|it| it.is_empty() && unit.is_empty() || *it == unit) {
            units.push(unit.into());
        }
        if units.len() > MAX_UNITS || !DataType::classify(value).is_a(DataType::Number) {
            return Vec::new();
        }
    }
    let are_usual = n * 10 >= n_values * 8 && n >= units.len() * MIN_OF_UNIT;
    let are_short = units.iter().all(|unit| unit.chars().count() <= MAX_UNIT);
    units.sort_unstable();
    if are_usual && are_short { units } else { Vec::new() }
}

/// Something on a page that fits by structure and looks otherwise than it ever did.
///
/// ```
/// use wrapper::{Extractor, Status, learn};
///
/// let page = |n: usize, price: &str| {
///     page::parse(format!("<h1>Book {n}</h1><p class=price>{price}</p>").as_bytes())
/// };
/// let pages = (0..10).map(|n| page(n, &format!("${n}.99"))).collect();
/// let wrapper = learn(pages, &Default::default())?.wrapper;
///
/// let found = Extractor::new(&wrapper).extract(&page(11, "N/A"));
/// assert_eq!((found.status, &found.data["price"]), (Status::Verified, &"N/A".into()));
/// let warning = found.warnings[0].to_string();
/// assert_eq!(warning, "price is \"N/A\", without a digit, which all 10 values had");
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// Which value.
    pub field: FieldPath,
    /// The value, or its start; none if there is none.
    pub value: Option<String>,
    /// From how many values, or pages, it is known what is usual.
    pub n: u32,
    /// What is unusual.
    pub kind: WarningKind,
}

/// What is unusual of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// It has no digit, as all had.
    NoDigits,
    /// It has another unit or currency than any.
    Unit {
        /// The units that there were; an empty one is none.
        usual: Vec<String>,
        /// The one that it has.
        found: String,
    },
    /// It has letters of a script, or letters at all, that none had.
    Letters {
        /// The script.
        found: &'static str,
    },
    /// It is far longer or shorter than any.
    Length {
        /// The characters of the shortest and of the longest.
        usual: (u32, u32),
        /// How many it has.
        found: u32,
    },
    /// It is of another type.
    Type {
        /// The type of all.
        usual: DataType,
        /// Its own.
        found: DataType,
    },
    /// There is none, where all had one.
    Empty,
    /// A set has far more or fewer records than ever.
    Records {
        /// The fewest and the most that there were.
        usual: (u32, u32),
        /// How many there are.
        found: u32,
    },
}

impl WarningKind {
    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            WarningKind::NoDigits => "no_digits",
            WarningKind::Unit { .. } => "unit",
            WarningKind::Letters { .. } => "letters",
            WarningKind::Length { .. } => "length",
            WarningKind::Type { .. } => "type",
            WarningKind::Empty => "empty",
            WarningKind::Records { .. } => "records",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Warning { field, value, n, kind } = self;
        write!(f, "{field}")?;
        if let Some(value) = value {
            write!(f, " is {value:?}, ")?;
        }
        match kind {
            WarningKind::NoDigits => write!(f, "without a digit, which all {n} values had"),
            WarningKind::Unit { usual, found } => {
                let name = |unit: &String| match &**unit {
                    "" => "none".to_owned(),
                    unit => format!("{unit:?}"),
                };
                let usual: Vec<String> = usual.iter().map(name).collect();
                let (usual, found) = (usual.join(" or "), name(found));
                write!(f, "of unit {found}, where all {n} values had {usual}")
            }
            WarningKind::Letters { found } => {
                write!(f, "with {found} letters, which none of {n} had")
            }
            WarningKind::Length { usual: (least, most), found } => {
                write!(f, "of {found} characters, where {n} values had {least} to {most}")
            }
            WarningKind::Type { usual, found } => {
                write!(f, "of type {}, where all {n} values were {}", found.name(), usual.name())
            }
            WarningKind::Empty => write!(f, " is empty, where all {n} had something"),
            WarningKind::Records { usual: (least, most), found } => {
                write!(f, " has {found} records, where {n} pages had {least} to {most}")
            }
        }
    }
}

/// Types by their names, or none.
mod type_name {
    use page::DataType;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        data_type: &Option<DataType>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        data_type.map(DataType::name).serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<DataType>, D::Error> {
        let Some(name) = Option::<String>::deserialize(input)? else { return Ok(None) };
        let unknown = || D::Error::custom(format_args!("no type is called {name:?}"));
        DataType::from_name(&name).ok_or_else(unknown).map(Some)
    }
}

/// Nobody reads more.
const MAX_WARNINGS: usize = 20;
/// So much of a value is told.
const MAX_TOLD: usize = 60;

/// What is unusual of the data of a page.
pub(crate) fn check(schema: &Schema, data: &Data) -> Vec<Warning> {
    let mut checker = Checker::default();
    checker.record(&schema.fields, data);
    checker.finish()
}

/// Looks at the data of a page, best while it is read.
#[derive(Default)]
pub(crate) struct Checker<'s> {
    /// The sets and records on the way to the record at hand.
    way: Vec<(&'s str, usize)>,
    warnings: Vec<Warning>,
}

impl<'s> Checker<'s> {
    /// What was unusual.
    pub(crate) fn finish(self) -> Vec<Warning> {
        self.warnings
    }

    fn record(&mut self, fields: &'s [Field], data: &Data) {
        for field in fields.iter().filter(|field| !field.is_template()) {
            match (field, data.get(field.name())) {
                (Field::Column(column), Some(Value::Text(value))) => self.value(column, value),
                (Field::Column(column), _) if column.density == 1000 => self.nothing(column),
                (Field::Column(_), _) => {}
                (Field::Set(set), value) => {
                    let records = value.and_then(Value::as_records).unwrap_or_default();
                    self.records(set, records.len());
                    for (index, record) in records.iter().enumerate() {
                        self.enter(set, index);
                        self.record(&set.fields, record);
                        self.leave();
                    }
                }
            }
        }
    }

    /// A record of a set begins.
    pub(crate) fn enter(&mut self, set: &'s Set, index: usize) {
        self.way.push((&set.name, index));
    }

    pub(crate) fn leave(&mut self) {
        self.way.pop();
    }

    /// Look at what a record has for a column.
    pub(crate) fn value(&mut self, column: &Column, value: &str) {
        self.typed_value(column, value, || DataType::classify(value));
    }

    /// The same where its type may be known.
    pub(crate) fn typed_value(
        &mut self,
        column: &Column,
        value: &str,
        data_type: impl FnOnce() -> DataType,
    ) {
        if let Some(usual) = &column.usual
            && let Some(kind) = usual.doubt(value, data_type)
        {
            self.warn(&column.name, Some(value), usual.n, kind);
        }
    }

    /// A record has nothing for a column that nearly all have.
    pub(crate) fn nothing(&mut self, column: &Column) {
        if let Some(usual) = column.usual.as_ref().filter(|usual| self.is_missed(usual.n)) {
            self.warn(&column.name, None, usual.n, WarningKind::Empty);
        }
    }

    /// Look at how many records there are of a set.
    pub(crate) fn records(&mut self, set: &Set, n: usize) {
        let found = u32::try_from(n).unwrap_or(u32::MAX);
        if let Some(usual) = set.usual
            && usual.is_odd(found)
            && (found > 0 || self.is_missed(usual.n))
        {
            let kind = WarningKind::Records { usual: (usual.fewest, usual.most), found };
            self.warn(&set.name, None, usual.n, kind);
        }
    }

    /// Whether what so many had is missed where it is not.
    fn is_missed(&self, n: u32) -> bool {
        n >= if self.way.is_empty() { MIN_ALWAYS } else { MIN_ALWAYS_IN_RECORDS }
    }

    fn warn(&mut self, name: &str, value: Option<&str>, n: u32, kind: WarningKind) {
        if self.warnings.len() >= MAX_WARNINGS {
            return;
        }
        let way = self.way.iter();
        let field =
            way.fold(FieldPath::default(), |path, (set, record)| path.with(set, Some(*record)));
        let value = value.map(|value| match value.char_indices().nth(MAX_TOLD) {
            Some((end, _)) => format!("{}…", &value[..end]),
            None => value.to_owned(),
        });
        self.warnings.push(Warning { field: field.with(name, None), value, n, kind });
    }
}
