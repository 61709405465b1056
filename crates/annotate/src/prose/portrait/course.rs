//! Where in the course of a page a block stands: after the title, in the first run of prose, after comments begin.

use super::super::block::Text;
use super::{flag, ln};
use crate::sheet::{Sheet, join};
use crate::text::phrase;

pub(super) struct Course {
    /// By block: words of prose before it; one more for all.
    prose: Vec<usize>,
    /// By block: words from the first paragraph on before it.
    words: Vec<usize>,
    /// By block: prose of the run that it is in.
    runs: Vec<usize>,
    /// By block: how many others are between it and the last prose, and the next.
    from: Vec<usize>,
    to: Vec<usize>,
    /// By block: times named before it, after the first paragraph; one more for all.
    times: Vec<usize>,
    /// By block: whether comments were announced.
    is_announced: Vec<bool>,
    title: Option<usize>,
    /// The first paragraph after the title.
    pub(super) first: usize,
}

/// Blocks further away are far.
const FAR: usize = 30;
/// A run of prose ends where so many blocks are none.
const BREAK: usize = 3;
/// Blocks on either side that are near.
const NEAR: usize = 4;
/// Longer texts are no title.
const MAX_TITLE: usize = 40;
/// A text that has less in common with the window's title is not the page's.
const LEAST_ALIKE: f32 = 0.45;
/// How much more a heading is like a title, and a link less.
const HEADING: f32 = 0.1;
const LINK: f32 = 0.15;

impl Course {
    pub(super) fn of(sheet: &Sheet<'_>, texts: &[Text]) -> Course {
        let title = title(sheet, texts);
        let paragraphs = || (0..texts.len()).filter(|nth| texts[*nth].is_paragraph());
        let after = paragraphs().find(|nth| title.is_none_or(|title| *nth > title));
        let first = after.or_else(|| paragraphs().next()).unwrap_or(0);
        let prose: Vec<usize> = texts.iter().map(Text::prose).collect();
        let backwards: Vec<usize> = prose.iter().rev().copied().collect();
        let mut to = distances(&backwards);
        to.reverse();
        let is_after = |nth: usize| nth > first;
        let times = texts.iter().enumerate();
        let times = times.map(|(nth, text)| usize::from(is_after(nth) && text.names_time));
        let words = texts.iter().enumerate();
        let words = words.map(|(nth, text)| if nth >= first { text.n_words } else { 0 });
        let mut is_announced = Vec::with_capacity(texts.len());
        let mut is_seen = false;
        for (nth, text) in texts.iter().enumerate() {
            is_seen = is_seen || is_after(nth) && text.announces_comments(sheet);
            is_announced.push(is_seen);
        }
        Course {
            runs: runs(&prose),
            from: distances(&prose),
            to,
            prose: running(prose.into_iter()),
            words: running(words),
            times: running(times),
            is_announced,
            title,
            first,
        }
    }

    pub(super) fn push(&self, nth: usize, values: &mut Vec<f32>) {
        let n = self.runs.len();
        let total = self.prose[n].max(1) as f32;
        let before = self.prose[nth] as f32 / total;
        let after = (self.prose[n] - self.prose[nth + 1]) as f32 / total;
        let far = FAR as f32;
        let near = nth.saturating_sub(NEAR)..(nth + NEAR + 1).min(n);
        let from_title = match self.title {
            None => 0.0,
            Some(title) if nth > title => -ln(nth - title),
            Some(_) => BEFORE_TITLE,
        };
        values.extend([
            before,
            after,
            self.runs[nth] as f32 / total,
            self.from[nth] as f32,
            self.to[nth] as f32,
            (nth as f32 - self.first as f32).clamp(-far, far),
            ln(self.words[nth]),
            flag(nth >= self.first),
            from_title,
            flag(self.title.is_some_and(|title| nth > title)),
            // A time often stands below the text that it is of.
            ln(self.times[(nth + 2).min(n)]),
            ln(self.times[near.end] - self.times[near.start]),
            flag(self.is_announced[nth]),
            before * flag(self.is_announced[nth]),
        ]);
    }
}

/// As far from the title as can be.
const BEFORE_TITLE: f32 = -5.0;

/// The sums of all before each, then of all.
fn running(counts: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sum = 0;
    let mut sums = vec![0];
    sums.extend(counts.map(|count| {
        sum += count;
        sum
    }));
    sums
}

/// How many blocks are between each and the last prose before it.
fn distances(prose: &[usize]) -> Vec<usize> {
    let mut distance = FAR;
    let next = |prose: &usize| {
        let here = distance.min(FAR);
        distance = if *prose > 0 { 0 } else { distance + 1 };
        here
    };
    prose.iter().map(next).collect()
}

/// The prose of the run that each block is in; none for what is in no run.
fn runs(prose: &[usize]) -> Vec<usize> {
    let mut runs = vec![0; prose.len()];
    let mut start = 0;
    while start < prose.len() {
        if prose[start] == 0 {
            start += 1;
            continue;
        }
        let (mut end, mut sum) = (start, 0);
        for (nth, prose) in prose.iter().enumerate().skip(start) {
            if nth > end + BREAK {
                break;
            }
            if *prose > 0 {
                (end, sum) = (nth, sum + prose);
            }
        }
        runs[start..=end].fill(sum);
        start = end + 1;
    }
    runs
}

/// The block that is most like the title of the window.
fn title(sheet: &Sheet<'_>, texts: &[Text]) -> Option<usize> {
    let page = sheet.page;
    let title = phrase(&page.text_content(page.find(page.document(), "title")?));
    let wanted = words(&title);
    let mut best = (LEAST_ALIKE, None);
    for (nth, text) in texts.iter().enumerate().filter(|it| it.1.n_words <= MAX_TITLE) {
        let phrase = phrase(&join(&sheet.leaves, text.leaves.clone()));
        let found = words(&phrase);
        if found.len() < 2 || wanted.is_empty() {
            continue;
        }
        let n_same = found.iter().filter(|word| wanted.binary_search(word).is_ok()).count();
        let mut alike = 2.0 * n_same as f32 / (found.len() + wanted.len()) as f32;
        if matches!(page.tag(text.element), Some("h1" | "h2" | "h3")) {
            alike += HEADING;
        }
        if text.n_linked * 2 > text.n_words {
            alike -= LINK;
        }
        if alike > best.0 {
            best = (alike, Some(nth));
        }
    }
    best.1
}

/// The words of a phrase, each once, sorted.
fn words(phrase: &str) -> Vec<&str> {
    let mut words: Vec<&str> = phrase.split(' ').filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_bridge_what_is_short() {
        assert_eq!(runs(&[0, 5, 0, 0, 7, 0, 0, 0, 0, 3, 0]), [0, 12, 12, 12, 12, 0, 0, 0, 0, 3, 0]);
        assert_eq!(distances(&[0, 5, 0, 0]), [FAR, FAR, 0, 1]);
        assert_eq!(running([1, 2].into_iter()), [0, 1, 3]);
    }
}
