//! Places where a crawl would never end.
//!
//! Two things tell a trap. [`Limits`] look at one address: its depth, its length, its repetitions, its dates. [`Yield`] looks
//! at what addresses of one [shape](crate::address::pattern) brought so far: where fifty pages had nothing new, the next
//! one will not either. Neither reads a clock or the network, so the same crawl falls into the same traps.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use url::Url;

mod date;

/// Why an address is not worth asking for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Trap {
    /// Too many links away from the seeds.
    TooDeep,
    /// A longer address than people make.
    TooLong,
    /// Too many folders.
    TooManySegments,
    /// The same folders again and again, as relative links make them.
    Repeating,
    /// Too many parameters: filters on top of filters.
    TooManyParameters,
    /// A calendar far from today.
    Calendar,
    /// Addresses of this shape bring nothing new.
    Barren,
}

impl fmt::Display for Trap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Trap::TooDeep => "too many links away from the seeds",
            Trap::TooLong => "its address is too long",
            Trap::TooManySegments => "its path has too many folders",
            Trap::Repeating => "its path repeats itself",
            Trap::TooManyParameters => "its query has too many parameters",
            Trap::Calendar => "a calendar far from today",
            Trap::Barren => "addresses of this shape bring nothing new",
        })
    }
}

/// What addresses may look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Links from a seed. Lists that are paged through are long chains, so this is generous.
    pub depth: u32,
    /// Bytes of an address.
    pub len: usize,
    /// Folders of a path.
    pub segments: usize,
    /// How often one folder may be in a path. Numbers may be there more often: days and months look alike.
    pub repeats: usize,
    /// Parameters of a query.
    pub parameters: usize,
    /// The year it is; calendars are not judged without.
    pub year: Option<u16>,
    /// Years into the future that a calendar is followed.
    pub years_ahead: u16,
    /// Years into the past. Archives are long, and [`Yield`] sees where they are empty.
    pub years_back: u16,
    /// Pages of one shape, nothing new among them, after which there is no more of it: see [`Yield`].
    pub per_pattern: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 50,
            len: 1_000,
            segments: 16,
            repeats: 2,
            parameters: 10,
            year: None,
            years_ahead: 2,
            years_back: 40,
            per_pattern: 50,
        }
    }
}

impl Limits {
    /// What speaks against an address, found so many links away from the seeds.
    ///
    /// ```
    /// # use url::Url;
    /// # use crawl::traps::{Limits, Trap};
    /// let url = Url::parse("http://shop.example/a/b/a/b/a/b")?;
    /// assert_eq!(Limits::default().judge(&url, 3), Some(Trap::Repeating));
    /// # Ok::<(), url::ParseError>(())
    /// ```
    pub fn judge(&self, url: &Url, depth: u32) -> Option<Trap> {
        let is_date_far = || self.year.is_some_and(|year| self.is_far(url, year));
        if depth > self.depth {
            Some(Trap::TooDeep)
        } else if url.as_str().len() > self.len {
            Some(Trap::TooLong)
        } else if segments(url).count() > self.segments {
            Some(Trap::TooManySegments)
        } else if self.is_repeating(url) {
            Some(Trap::Repeating)
        } else if parameters(url).count() > self.parameters {
            Some(Trap::TooManyParameters)
        } else if is_date_far() {
            Some(Trap::Calendar)
        } else {
            None
        }
    }

    /// Costs the square of the folders, which are few by now.
    fn is_repeating(&self, url: &Url) -> bool {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let named: Vec<&str> = segments(url).filter(|segment| !is_number(segment)).collect();
        let n_times = |name: &str| named.iter().filter(|other| **other == name).count();
        named.iter().any(|name| n_times(name) > self.repeats)
    }

    fn is_far(&self, url: &Url, year: u16) -> bool {
        let is_far = |date: date::Date| {
            let is_future = date.year > year.saturating_add(self.years_ahead);
            // A year alone may be one of a catalogue, and the past is full of those.
            is_future || (date.has_month && date.year < year.saturating_sub(self.years_back))
        };
        date::in_path(segments(url)).into_iter().chain(date::in_query(parameters(url))).any(is_far)
    }
}

fn segments(url: &Url) -> impl Iterator<Item = &str> {
    url.path().split('/').filter(|segment| !segment.is_empty())
}

fn parameters(url: &Url) -> impl Iterator<Item = (&str, &str)> {
    let query = url.query().unwrap_or_default();
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    parameters.map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
}

/// A shape is barren when less than one page of this many was new.
const MIN_SHARE: u32 = 20;
/// Shapes of one host that are told apart; the rest counts as one.
const MAX_PATTERNS: u32 = 1_000;

/// What addresses of each shape brought.
///
/// Later pages count more: whenever twice the limit were fetched, both counts are halved, so that a calendar is seen to
/// be empty although its first years were not.
#[derive(Clone, Debug)]
pub struct Yield {
    per_pattern: u32,
    counts: BTreeMap<String, Count>,
    /// How many shapes each host has.
    n_patterns: HashMap<String, u32>,
}

/// Pages of one shape, the later ones counted more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Pages that were fetched.
    pub fetched: u32,
    /// Those among them with something new: no near-duplicates, or with new links.
    pub new: u32,
}

impl Count {
    /// Halved until it is below twice the limit.
    fn faded(self, per_pattern: u32) -> Count {
        let mut count = self;
        while count.fetched >= per_pattern.saturating_mul(2) {
            count = Count { fetched: count.fetched / 2, new: count.new / 2 };
        }
        count
    }
}

impl Yield {
    /// Nothing is known yet.
    pub fn new(limits: &Limits) -> Yield {
        Yield {
            per_pattern: limits.per_pattern.max(1),
            counts: BTreeMap::new(),
            n_patterns: HashMap::new(),
        }
    }

    /// Go on from counts that were stored: a shape, its fetched pages, and the new ones among them.
    pub fn from_counts(
        counts: impl IntoIterator<Item = (String, u32, u32)>,
        limits: &Limits,
    ) -> Yield {
        let mut found = Yield::new(limits);
        for (pattern, fetched, new) in counts {
            let count = Count { fetched, new }.faded(found.per_pattern);
            *found.count_mut(pattern) = count;
        }
        found
    }

    /// A page of a shape was fetched, and it had something new or not.
    pub fn count(&mut self, pattern: &str, is_new: bool) {
        let per_pattern = self.per_pattern;
        let pattern = self.counted(pattern).into_owned();
        let count = self.count_mut(pattern);
        let fetched = count.fetched.saturating_add(1);
        let new = count.new.saturating_add(u32::from(is_new));
        *count = Count { fetched, new }.faded(per_pattern);
    }

    /// Whether addresses of a shape brought almost nothing for too long: each one is a [`Trap::Barren`].
    pub fn is_barren(&self, pattern: &str) -> bool {
        let count = self.counts.get(&*self.counted(pattern)).copied().unwrap_or_default();
        count.fetched >= self.per_pattern && count.new.saturating_mul(MIN_SHARE) < count.fetched
    }

    /// All counts, in the order of their shapes: what to store.
    pub fn counts(&self) -> impl Iterator<Item = (&str, Count)> {
        self.counts.iter().map(|(pattern, count)| (pattern.as_str(), *count))
    }

    /// The shape that an address counts for: its own, or that of all the rest of its host.
    fn counted<'p>(&self, pattern: &'p str) -> Cow<'p, str> {
        let host = host_of(pattern);
        let is_full = self.n_patterns.get(host).is_some_and(|n| *n >= MAX_PATTERNS);
        if is_full && !self.counts.contains_key(pattern) {
            return Cow::Owned(format!("{host}/*"));
        }
        Cow::Borrowed(pattern)
    }

    fn count_mut(&mut self, pattern: String) -> &mut Count {
        if !self.counts.contains_key(&pattern) {
            *self.n_patterns.entry(host_of(&pattern).to_owned()).or_default() += 1;
        }
        self.counts.entry(pattern).or_default()
    }
}

fn host_of(pattern: &str) -> &str {
    pattern.split(['/', '?']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
