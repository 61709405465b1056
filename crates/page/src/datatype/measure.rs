//! Numbers that measure: money, percentages, quantities, durations, and several numbers joined.
//!
//! A measure is a row of items, `number [unit]`, with marks between them. What the row is follows
//! from the kinds of its items: `$10 - $20` is money, `6 ft 3 in (1.91 m)` a quantity, `1 h 30 m` a
//! duration, `21/30` a range.

use super::DataType;
use super::number;
use super::scan::Scan;
use super::unit::{self, Kind};

/// A text that is one number, bare or with a unit: the most common values, tried first.
pub(super) fn single(mut scan: Scan<'_>) -> Option<DataType> {
    let text = scan.rest();
    let kind = item(&mut scan)?;
    match kind {
        // No full stop here: "5." is a place in a list.
        Kind::Plain => scan.rest().is_empty().then_some(DataType::Number),
        // Of the foreign units some are marks of dates: `2024年`, `2024 г.`
        _ if !scan.is_done() || is_decade(text) || !text.iter().all(|c| is_latin(*c)) => None,
        _ => kind.data_type(),
    }
}

fn is_latin(c: char) -> bool {
    c < '\u{370}' || !c.is_alphabetic()
}

/// A text that is one row of measured or joined numbers.
pub(super) fn measure(mut scan: Scan<'_>) -> Option<DataType> {
    if is_decade(scan.rest()) {
        return None;
    }
    let mut row = Row { kind: item(&mut scan)?, n_items: 1, mark: None };
    while !scan.is_done() && row.n_items < MAX_ITEMS {
        if scan.attempt(|s| bracket(s, row.kind)).is_some() {
            break;
        }
        let join = Join::read(&mut scan);
        let kind = item(&mut scan)?;
        row.add(join, kind)?;
    }
    scan.is_done().then(|| row.data_type())?
}

/// More than a size with three sides and a unit to each has.
const MAX_ITEMS: usize = 6;

struct Row {
    kind: Kind,
    n_items: usize,
    /// The mark between bare numbers.
    mark: Option<char>,
}

impl Row {
    fn add(&mut self, join: Join, kind: Kind) -> Option<()> {
        if join == Join::Next && !(self.kind.is_measured() && kind.is_measured()) {
            return None;
        }
        if let Join::Mark(mark) = join {
            (self.mark.is_none_or(|before| before == mark)).then_some(())?;
            self.mark = Some(mark);
        }
        self.kind = self.kind.with(kind)?;
        self.n_items += 1;
        Some(())
    }

    fn data_type(&self) -> Option<DataType> {
        self.kind.data_type().or_else(|| self.is_range().then_some(DataType::Range))
    }

    /// Three numbers only with an x between them: `45/67/2024` is a wrong date rather than a range.
    fn is_range(&self) -> bool {
        self.n_items == 2 || self.n_items == 3 && self.mark == Some('x')
    }
}

/// `1990s`, `80s`, or they would be seconds.
fn is_decade(text: &[char]) -> bool {
    matches!(text, ['1' | '2', _, _, '0', 's'] | ['2'..='9', '0', 's'])
}

/// What stands between two items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// Dash, slash, colon, or the x of a size.
    Mark(char),
    /// Nothing, a blank, a comma or `and`: only between numbers that have units.
    Next,
}

impl Join {
    fn read(scan: &mut Scan<'_>) -> Join {
        scan.eat(',');
        scan.blank();
        let mark = scan.eat_any("-/:xX");
        if mark.is_none() {
            scan.eat_word(&["and", "und", "et", "y", "и"]);
        }
        scan.blank();
        mark.map_or(Join::Next, |mark| Join::Mark(mark.to_ascii_lowercase()))
    }
}

/// The same in another unit, to the end: `220 lb (100 kg)`
fn bracket(scan: &mut Scan<'_>, kind: Kind) -> Option<()> {
    scan.blank();
    scan.eat('(').then_some(())?;
    let inner = item(scan)?;
    kind.with(inner)?;
    (kind.is_measured() && inner.is_measured() && scan.eat(')') && scan.is_done()).then_some(())
}

/// One number with its currency or unit.
fn item(scan: &mut Scan<'_>) -> Option<Kind> {
    if let Some(kind) = scan.attempt(money_ahead) {
        return Some(kind);
    }
    number::number(scan)?;
    if scan.attempt(no_cents).is_some() {
        scan.attempt(money_behind);
        return Some(Kind::Money);
    }
    Some(scan.attempt(money_behind).or_else(|| scan.attempt(unit::unit)).unwrap_or(Kind::Plain))
}

/// `$5`, `-$5`, `$-5`, `US $5`, `CHF 5.-`, `$5 USD`, `$5/mo`
fn money_ahead(scan: &mut Scan<'_>) -> Option<Kind> {
    scan.eat_any("+-~<>");
    unit::currency_ahead(scan)?;
    scan.blank();
    number::number(scan)?;
    scan.attempt(no_cents);
    if scan.attempt(money_behind).is_none() {
        scan.attempt(per_unit);
    }
    Some(Kind::Money)
}

/// `5 €`, `5 руб./кг`
fn money_behind(scan: &mut Scan<'_>) -> Option<Kind> {
    scan.blank();
    unit::currency_behind(scan)?;
    scan.attempt(per_unit);
    Some(Kind::Money)
}

/// `12,-` and `12.–` are prices even without a currency.
fn no_cents(scan: &mut Scan<'_>) -> Option<()> {
    scan.eat_any(".,")?;
    scan.eat('-').then_some(())?;
    scan.eat('-');
    (!scan.peek().is_some_and(|c| c.is_ascii_digit())).then_some(())
}

/// `/mo`, ` / kg`
fn per_unit(scan: &mut Scan<'_>) -> Option<()> {
    scan.blank();
    scan.eat('/').then(|| scan.blank())?;
    unit::unit(scan).map(drop)
}
