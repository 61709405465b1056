//! Which address is next.

use crate::links::{self, Link};
use crate::plan::{Kind, Plan, words};
use crate::sets::{self, Set, Sets, contains};
use foldhash::fast::FixedState;
use page::{Leaves, Page};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use url::Url;

/// In which order addresses are asked for.
#[derive(Debug, Clone)]
pub enum Strategy {
    /// By a plan: what links say, and what pages show.
    Plan(Plan),
    /// Links of pages first that are most like the keywords.
    BestFirst(Vec<String>),
    /// As they are met, the nearest to the seeds first.
    Breadth,
}

/// A strategy at work.
pub(crate) struct Focus {
    strategy: Strategy,
    /// The words of all keywords.
    keywords: BTreeSet<String>,
    /// In how many pages each word was met, for similarities.
    seen: Mutex<Seen>,
}

/// Words of pages, counted.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) n_pages: u32,
    pub(crate) n_with: HashMap<String, u32, FixedState>,
}

impl Seen {
    /// How rare a word is.
    fn rarity(&self, word: &str) -> f64 {
        let n_with = self.n_with.get(word).copied().unwrap_or(0);
        (f64::from(self.n_pages + 1) / f64::from(n_with + 1)).ln() + 1.0
    }
}

/// What a page was found to be, and what its links are worth.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) kind: Option<String>,
    /// By link: how soon it is to be followed, and what is expected there.
    pub(crate) links: Vec<(f64, Option<String>)>,
    /// How large the set is that shows the kind.
    pub(crate) n_members: Option<usize>,
    /// The words that were counted, in order.
    pub(crate) words: Vec<String>,
}

impl Focus {
    /// A strategy that goes on with what it has seen.
    pub(crate) fn new(strategy: Strategy, seen: Seen) -> Focus {
        let keywords = match &strategy {
            Strategy::BestFirst(keywords) => keywords.iter().flat_map(|it| words(it)).collect(),
            _ => BTreeSet::new(),
        };
        Focus { strategy, keywords, seen: Mutex::new(seen) }
    }

    /// What a seed is worth, and what is expected there.
    pub(crate) fn seed(&self) -> (f64, Option<String>) {
        match &self.strategy {
            Strategy::Plan(plan) => (SEED, Some(plan.kinds[plan.start].name.clone())),
            _ => (SEED, None),
        }
    }

    /// What an address of a sitemap is worth, which nothing is known of but its words.
    pub(crate) fn listed(&self, url: &Url) -> (f64, Option<String>) {
        match &self.strategy {
            Strategy::Plan(plan) => score(plan, None, "", &name_of(url)),
            Strategy::BestFirst(_) => (0.0, None),
            Strategy::Breadth => (-1.0, None),
        }
    }

    pub(crate) fn judge(
        &self,
        page: (&Page, &Leaves),
        expected: Option<&str>,
        depth: u32,
        links: &[Link],
    ) -> Judgement {
        match &self.strategy {
            Strategy::Plan(plan) => judge_by_plan(plan, page, expected, links),
            Strategy::BestFirst(_) => {
                let (likeness, words) = self.similarity(page.1);
                let links = vec![(likeness, None); links.len()];
                Judgement { links, words, ..Judgement::default() }
            }
            Strategy::Breadth => {
                let worth = -f64::from(depth + 1);
                Judgement { links: vec![(worth, None); links.len()], ..Judgement::default() }
            }
        }
    }

    /// The cosine between a page and the keywords, words weighed by how rare they are among the pages so far; and the words that
    /// were counted for it.
    fn similarity(&self, leaves: &Leaves) -> (f64, Vec<String>) {
        let mut counts: HashMap<String, u32, FixedState> = HashMap::default();
        for leaf in leaves.iter() {
            for word in words(leaf.text) {
                *counts.entry(word).or_default() += 1;
            }
        }
        // Nothing panics while these are held.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.n_pages += 1;
        for word in counts.keys() {
            *seen.n_with.entry(word.clone()).or_default() += 1;
        }
        // Sums in the order of words, so that they come out the same every time.
        let mut counts: Vec<(String, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        let weight = |word: &str, n: u32| (1.0 + f64::from(n).ln()) * seen.rarity(word);
        let length = |sum: f64| sum.sqrt().max(f64::MIN_POSITIVE);
        let of_page = length(counts.iter().map(|(word, n)| weight(word, *n).powi(2)).sum());
        let asked = self.keywords.iter();
        let of_keywords = length(asked.map(|word| seen.rarity(word).powi(2)).sum());
        let shared = counts.iter().filter(|(word, _)| self.keywords.contains(word));
        let dot: f64 = shared.map(|(word, n)| weight(word, *n) * seen.rarity(word)).sum();
        (dot / (of_page * of_keywords), counts.into_iter().map(|(word, _)| word).collect())
    }
}

/// Seeds come first.
const SEED: f64 = 1e6;
/// A link to a kind from a page of a kind that is not said to lead there counts so much.
const UNFORESEEN: f64 = 0.6;
/// Words in an address count so much of what they do in a text.
const IN_ADDRESS: f64 = 0.5;
/// A link of a page that was expected to be of a kind but did not show it counts so much.
const UNCONFIRMED: f64 = 0.5;
/// A member of a set counts as a link with words of this weight.
const MEMBER: f64 = 3.0;
/// A link of which nothing is known.
const UNKNOWN: f64 = 0.01;

fn judge_by_plan(
    plan: &Plan,
    page: (&Page, &Leaves),
    expected: Option<&str>,
    links: &[Link],
) -> Judgement {
    let of_name = |name: &str| plan.kinds.iter().position(|kind| kind.name == name);
    let expected = expected.and_then(of_name);
    let found = confirm(plan, page, expected);
    let (kind, set) = match found {
        Some((kind, set)) => (Some(kind), set),
        None => (None, None),
    };
    let from = kind.or(expected);
    let trust = if kind.is_some() || expected.is_none() { 1.0 } else { UNCONFIRMED };
    let members = set.as_ref().map(|set| set.first.index()..=set.last.index());
    let worth = |link: &Link| {
        let by_words = score(plan, from, &link.text, &name_of(&link.url));
        let is_member = members.as_ref().is_some_and(|it| it.contains(&link.node.index()));
        let next = kind
            .filter(|_| is_member)
            .and_then(|kind| plan.kinds.iter().find(|it| it.members_of.contains(&kind)));
        let by_set = next.map(|next| (MEMBER * next.worth, Some(next.name.clone())));
        let (worth, expected) = by_set.filter(|it| it.0 > by_words.0).unwrap_or(by_words);
        (worth * trust, expected)
    };
    Judgement {
        kind: kind.map(|kind| plan.kinds[kind].name.clone()),
        links: links.iter().map(worth).collect(),
        n_members: set.map(|set| set.n),
        words: Vec::new(),
    }
}

/// What a page is: what is expected of it if it shows that, else any kind that it shows.
fn confirm(
    plan: &Plan,
    (page, leaves): (&Page, &Leaves),
    expected: Option<usize>,
) -> Option<(usize, Option<Set>)> {
    let sets = Sets::of(page, leaves);
    let heading = links::heading(page).or_else(|| links::title(page));
    let title = heading.map_or_else(Vec::new, |title| words(&title));
    let test = |number: usize| {
        let kind: &Kind = &plan.kinds[number];
        if kind.not.iter().any(|it| contains(&title, it)) {
            return None;
        }
        let Some(confirm) = &kind.confirm else {
            return (expected == Some(number)).then_some((number, None));
        };
        let set = sets.find(&confirm.likeness)?;
        (set.n >= confirm.at_least).then_some((number, Some(set)))
    };
    // What is nearer to what is wanted says more of a page than what leads there; and a page at the end of the way is not
    // taken for one that leads to it.
    let is_further = |number: &usize| expected.is_none_or(|expected| *number > expected);
    let with_test = |number: &usize| plan.kinds[*number].confirm.is_some();
    let others = (0..plan.kinds.len()).rev().filter(|it| is_further(it) && with_test(it));
    let with_set = expected.filter(|it| plan.kinds[*it].confirm.is_some());
    let plain = expected.filter(|it| plan.kinds[*it].confirm.is_none());
    // What was expected to show something and does not is whatever it shows: words promise too much at times.
    let earlier = (0..with_set.unwrap_or(0)).rev().filter(with_test);
    with_set.into_iter().chain(others).chain(plain).chain(earlier).find_map(test)
}

/// What a link's words say: how much it is worth, and the kind it leads to.
fn score(
    plan: &Plan,
    from: Option<usize>,
    text: &str,
    address: &[String],
) -> (f64, Option<String>) {
    let is_name = sets::is_name(text);
    let text = &words(text);
    let mut best = (UNKNOWN, None);
    for kind in &plan.kinds {
        if kind.not.iter().any(|it| contains(text, it)) {
            continue;
        }
        let by_name = if is_name { kind.named } else { 0.0 };
        let in_text = f64::max(strongest(kind, text) / brevity(text.len()), by_name);
        let in_address = strongest(kind, address) * IN_ADDRESS;
        let is_foreseen = kind.from.is_empty() || from.is_some_and(|it| kind.from.contains(&it));
        let reach = if is_foreseen { 1.0 } else { UNFORESEEN };
        let worth = f64::max(in_text, in_address) * reach * kind.worth;
        if worth > best.0 {
            best = (worth, Some(kind.name.clone()));
        }
    }
    best
}

/// The words of the last part of an address that says something. The folders above it say what it belongs to, and so do those
/// of everything else in them.
fn name_of(url: &Url) -> Vec<String> {
    let says = |part: &&str| {
        let name = part.split('.').next().unwrap_or("").to_ascii_lowercase();
        !matches!(name.as_str(), "" | "index" | "default" | "home" | "welcome" | "main")
    };
    let parts: Vec<&str> = url.path().split('/').collect();
    parts.into_iter().rev().find(says).map(words).unwrap_or_default()
}

fn strongest(kind: &Kind, text: &[String]) -> f64 {
    let found = kind.words.iter().filter(|(phrase, _)| contains(text, phrase));
    found.map(|(_, weight)| *weight).fold(0.0, f64::max)
}

/// A word says more in a short text.
fn brevity(n_words: usize) -> f64 {
    (n_words.max(1) as f64).powf(0.3)
}
