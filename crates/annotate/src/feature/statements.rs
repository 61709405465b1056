//! What a page says to machines, to be looked up by what people see.

use crate::day::Day;
use crate::sheet::{Origin, Sheet};
use crate::text::{self, Map};

/// A longer text is not looked up.
const MAX_STATEMENT: usize = 400;
/// A text of fewer bytes starts many a title by chance.
const MIN_TITLE: usize = 12;

/// The statements of a page.
pub(super) struct Statements {
    /// By the key of what they say.
    by_key: Map<String, Vec<u32>>,
    by_day: Map<Day, Vec<u32>>,
    /// Those that are titles, with the keys of what they say.
    titles: Vec<(u32, String)>,
    heads: Heads,
}

/// How a statement is like a text.
#[derive(Clone, Copy)]
pub(super) enum Alike {
    /// It says the same.
    Same(u32),
    /// It is a title that starts with it: a title is often part of what the metadata says.
    Start(u32),
}

impl Statements {
    pub(super) fn of(sheet: &Sheet<'_>) -> Statements {
        let mut by_key: Map<String, Vec<u32>> = Map::default();
        let mut titles = Vec::new();
        let mut heads = Heads::default();
        for (nth, item) in sheet.items.iter().enumerate() {
            let nth = u32::try_from(nth).unwrap_or(u32::MAX);
            let key = text::key(&item.text);
            heads.insert(&key);
            if item.key.contains("title") || item.key.ends_with("headline") {
                titles.push((nth, key.clone()));
            }
            by_key.entry(key).or_default().push(nth);
        }
        let mut by_day: Map<Day, Vec<u32>> = Map::default();
        for spot in &sheet.spots {
            if let (Some(day), Origin::Statement(nth)) = (spot.day, spot.origin) {
                by_day.entry(day).or_default().push(nth);
            }
        }
        Statements { by_key, by_day, titles, heads }
    }

    /// Append those that are like a text, whose key is written into `key`.
    pub(super) fn find(
        &self,
        text: &str,
        day: Option<Day>,
        key: &mut String,
        found: &mut Vec<Alike>,
    ) {
        if text.len() > MAX_STATEMENT {
            return;
        }
        let same_day = day.and_then(|day| self.by_day.get(&day));
        if !self.heads.may_have(text) {
            found.extend(same_day.into_iter().flatten().copied().map(Alike::Same));
            return;
        }
        text::write_key(text, key);
        let same = self.by_key.get(key.as_str()).into_iter().flatten();
        found.extend(same.chain(same_day.into_iter().flatten()).copied().map(Alike::Same));
        if key.len() < MIN_TITLE {
            return;
        }
        let starts = |whole: &str| whole.len() > key.len() && whole.starts_with(key.as_str());
        let titles = self.titles.iter().filter(|(_, whole)| starts(whole));
        found.extend(titles.map(|(nth, _)| Alike::Start(*nth)));
    }
}

/// The first bytes of all keys, as bits of a small set. Hardly any text of a page is a statement, and nearly all are told by
/// this without reading on.
struct Heads([u64; Heads::N_WORDS]);

impl Default for Heads {
    fn default() -> Heads {
        Heads([0; Heads::N_WORDS])
    }
}

impl Heads {
    const N_WORDS: usize = 64;
    /// Bytes of a key that are looked at.
    const LEN: usize = 4;

    fn insert(&mut self, key: &str) {
        let (word, bit) = Heads::place(key.bytes().take(Heads::LEN));
        self.0[word] |= bit;
    }

    /// False only if no key starts as that of a text does.
    fn may_have(&self, text: &str) -> bool {
        let start = text.as_bytes().iter().take_while(|it| it.is_ascii());
        let mut head = start.filter(|it| it.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase);
        let head = [head.next(), head.next(), head.next(), head.next()];
        // Beyond the first bytes that are not ASCII, what belongs to a key is not told by bytes.
        if head.contains(&None) && !text.is_ascii() {
            return true;
        }
        let (word, bit) = Heads::place(head.into_iter().flatten());
        self.0[word] & bit != 0
    }

    fn place(head: impl Iterator<Item = u8>) -> (usize, u64) {
        let number = head.fold(0u32, |number, byte| number << 8 | u32::from(byte));
        let hash = number.wrapping_mul(0x9e37_79b1) >> 20;
        ((hash >> 6) as usize % Heads::N_WORDS, 1 << (hash % 64))
    }
}
