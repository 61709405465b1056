//! Pages that say the same, told by 64 bits of each.
//!
//! A simhash (Charikar 2002; for crawlers Manku, Jain and Das Sarma 2007) is a sum of what a page says: texts that share most of
//! their phrases differ in few bits. Three bits of 64 are about one phrase in a hundred. [`Near`] finds such neighbours
//! without looking at all pages.
//!
//! By itself that is too coarse for the pages of one site. Where nine words of ten are menus and footers, one page in a
//! hundred is by chance within three bits of any other, so among thousands nearly all would have a neighbour. [`Usual`]
//! hashes what the site has not said again and again.

use page::{Leaves, Page};
use std::collections::BTreeSet;
use std::collections::hash_map::{Entry, HashMap};

/// Up to this many bits apart, pages say the same.
pub const MAX_DISTANCE: u32 = 3;
/// Words of one phrase.
const SHINGLE_LEN: usize = 3;
/// Pages of one block that are looked at, the latest ones. In a crawl of millions some dozens share a block; only
/// pages made for it would be more.
const MAX_BUCKET: usize = 4_096;
/// One block more than bits that may differ: one block at least is equal.
const N_BLOCKS: usize = MAX_DISTANCE as usize + 1;
const BLOCK_BITS: usize = 64 / N_BLOCKS;

/// What a page says, in 64 bits. Nothing said is zero.
///
/// ```
/// use crawl::simhash::simhash;
/// let (one, two) = (page::parse(b"<p>The same words."), page::parse(b"<div>the <b>same</b> words</div>"));
/// assert_eq!(simhash(&one), simhash(&two));
/// ```
pub fn simhash(page: &Page) -> u64 {
    let leaves = page.leaves();
    let mut sketch = Sketch::default();
    leaves.iter().for_each(|leaf| sketch.add(leaf.text));
    sketch.finish()
}

/// What pages of one site usually say, learned as they come.
///
/// ```
/// # use crawl::simhash::Usual;
/// let mut usual = Usual::default();
/// for title in ["Dune", "Emma", "Persuasion", "Middlemarch", "Villette"] {
///     assert!(usual.hash(&page::parse(format!("<nav>Home</nav><p>{title}").as_bytes())).is_some());
/// }
/// // Nothing that was not said before.
/// assert_eq!(usual.hash(&page::parse(b"<nav>Home</nav>")), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Usual {
    /// On how many pages a text was, up to the number that makes it usual.
    n_pages: HashMap<Text, u8>,
}

/// A text, told by 32 bits of its hash: they are stored, and of as many texts as are remembered one in twenty thousand is taken for
/// another.
pub type Text = u32;

/// What there is to know of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Study {
    /// What it says beyond the usual, in 64 bits; none if it says nothing else.
    pub hash: Option<u64>,
    /// What was learned from it, in order.
    pub texts: Vec<Text>,
}

/// A text on so many pages before is part of the template.
const USUAL: u8 = 4;
/// Texts that differ from the usual in their numbers only: so many are data, fewer a date or a counter of visitors.
const MIN_NUMBERS: usize = 8;
/// Different texts that are remembered of a site; what is beyond counts as new.
const MAX_TEXTS: usize = 200_000;

impl Usual {
    /// What a page says beyond the usual, in 64 bits; none if it says nothing else. The page is learned from.
    pub fn hash(&mut self, page: &Page) -> Option<u64> {
        self.study(&page.leaves()).hash
    }

    /// The same by the leaves of a page, with what was learned.
    pub fn study(&mut self, leaves: &Leaves) -> Study {
        let mut sketch = Sketch::default();
        let mut texts = BTreeSet::new();
        let (mut has_own, mut n_numbers) = (false, 0);
        for leaf in leaves.iter().filter(|leaf| leaf.text.contains(char::is_alphanumeric)) {
            let (text, shape) = (text_key(leaf.text), shape_key(leaf.text));
            if self.is_usual(text) {
                continue;
            }
            sketch.add(leaf.text);
            has_own |= !self.is_usual(shape);
            n_numbers += usize::from(texts.insert(text));
            texts.insert(shape);
        }
        let texts: Vec<Text> = texts.into_iter().filter(|text| self.learn(*text)).collect();
        Study { hash: (has_own || n_numbers >= MIN_NUMBERS).then(|| sketch.finish()), texts }
    }

    /// Learn what was learned from a page once.
    pub fn learn_all(&mut self, texts: impl Iterator<Item = Text>) {
        texts.for_each(|text| _ = self.learn(text));
    }

    /// Undo what was learned from a page, which is about to be looked at again.
    pub fn forget(&mut self, texts: impl Iterator<Item = Text>) {
        for text in texts {
            if let Entry::Occupied(mut place) = self.n_pages.entry(text) {
                match place.get() {
                    0 | 1 => drop(place.remove()),
                    n_pages => _ = place.insert(n_pages - 1),
                }
            }
        }
    }

    fn is_usual(&self, text: Text) -> bool {
        self.n_pages.get(&text).is_some_and(|n_pages| *n_pages >= USUAL)
    }

    /// Count a text. Whether there was something to count: what is usual stays so.
    fn learn(&mut self, text: Text) -> bool {
        let has_room = self.n_pages.len() < MAX_TEXTS;
        match self.n_pages.entry(text) {
            Entry::Occupied(mut place) if *place.get() < USUAL => *place.get_mut() += 1,
            Entry::Vacant(place) if has_room => _ = place.insert(1),
            _ => return false,
        }
        true
    }
}

fn text_key(text: &str) -> Text {
    short(text.bytes().fold(FNV_START, |hash, byte| fnv(hash, byte.into())))
}

fn short(hash: u64) -> Text {
    let hash = mix(hash);
    Text::try_from(hash >> 32).unwrap_or_default()
}

/// The same for texts that differ in numbers.
fn shape_key(text: &str) -> Text {
    let mut last = 0;
    short(text.bytes().fold(!FNV_START, |hash, byte| {
        let byte = if byte.is_ascii_digit() { b'#' } else { byte };
        let is_same = byte == b'#' && last == b'#';
        last = byte;
        if is_same { hash } else { fnv(hash, byte.into()) }
    }))
}

/// In how many bits two hashes differ.
pub fn distance(one: u64, two: u64) -> u32 {
    (one ^ two).count_ones()
}

/// Pages that were seen, to be found again by the hashes of their neighbours.
#[derive(Clone, Debug, Default)]
pub struct Near {
    /// The first page with each hash.
    seen: HashMap<u64, i64>,
    /// By the place of a block and what is in it.
    buckets: HashMap<(u8, u16), Vec<u64>>,
}

impl Near {
    /// The page nearest to a hash, if there is one near enough.
    pub fn find(&self, hash: u64) -> Option<i64> {
        if let Some(id) = self.seen.get(&hash) {
            return Some(*id);
        }
        let buckets = blocks(hash).filter_map(|block| self.buckets.get(&block));
        let candidates = buckets.flat_map(|bucket| bucket.iter().rev().take(MAX_BUCKET));
        let near = candidates.filter(|other| distance(hash, **other) <= MAX_DISTANCE);
        let nearest = near.min_by_key(|other| (distance(hash, **other), **other))?;
        self.seen.get(nearest).copied()
    }

    /// Remember a page by its hash. Of pages with one hash, the first one is kept.
    pub fn insert(&mut self, hash: u64, id: i64) {
        if let Entry::Vacant(place) = self.seen.entry(hash) {
            place.insert(id);
            blocks(hash).for_each(|block| self.buckets.entry(block).or_default().push(hash));
        }
    }

    /// How many different ones there are.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }
}

fn blocks(hash: u64) -> impl Iterator<Item = (u8, u16)> {
    (0_u8..).take(N_BLOCKS).map(move |place| {
        let block = hash >> (usize::from(place) * BLOCK_BITS) & u64::from(u16::MAX);
        (place, u16::try_from(block).unwrap_or_default())
    })
}

/// A hash under construction.
struct Sketch {
    /// For each bit, how many more phrases have it than not.
    sums: [i32; 64],
    /// The last words, the latest at the end.
    words: [u64; SHINGLE_LEN],
    n_words: usize,
}

impl Default for Sketch {
    fn default() -> Sketch {
        Sketch { sums: [0; 64], words: [0; SHINGLE_LEN], n_words: 0 }
    }
}

impl Sketch {
    /// Phrases go on from leaf to leaf: where a sentence is cut by markup is no part of what it says.
    fn add(&mut self, text: &str) {
        let mut word = None;
        for character in text.chars() {
            let is_part = character.is_alphanumeric();
            // Scripts without blanks between words: each character for itself.
            let is_word = character >= '\u{2E80}';
            if (!is_part || is_word)
                && let Some(word) = word.take()
            {
                self.push(word);
            }
            if is_part {
                let start = word.unwrap_or(FNV_START);
                word = Some(character.to_lowercase().fold(start, |hash, it| fnv(hash, it.into())));
            }
        }
        if let Some(word) = word {
            self.push(word);
        }
    }

    fn push(&mut self, word: u64) {
        self.words.rotate_left(1);
        self.words[SHINGLE_LEN - 1] = word;
        self.n_words = self.n_words.saturating_add(1);
        if self.n_words >= SHINGLE_LEN {
            self.count(phrase(&self.words));
        }
    }

    fn count(&mut self, phrase: u64) {
        for (bit, sum) in self.sums.iter_mut().enumerate() {
            let has_bit = phrase >> bit & 1 == 1;
            *sum = sum.saturating_add(if has_bit { 1 } else { -1 });
        }
    }

    fn finish(mut self) -> u64 {
        if (1..SHINGLE_LEN).contains(&self.n_words) {
            self.count(phrase(&self.words));
        }
        let bits = self.sums.iter().enumerate();
        bits.filter(|(_, sum)| **sum > 0).fold(0, |hash, (bit, _)| hash | 1 << bit)
    }
}

const FNV_START: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01B3;

/// FNV-1a over numbers: the same on every machine and in every version, because hashes are stored.
fn fnv(hash: u64, number: u32) -> u64 {
    number
        .to_le_bytes()
        .iter()
        .fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

/// The bits of FNV are not all equally good, and here each one votes: so they are mixed once more (SplitMix64).
fn phrase(words: &[u64]) -> u64 {
    let mixed = words.iter().fold(FNV_START, |hash, word| mix(hash ^ word));
    mix(mixed)
}

fn mix(hash: u64) -> u64 {
    let hash = hash.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests;
