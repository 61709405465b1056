//! Learning what prose is like, from pages whose prose is known.
//!
//! The second look goes by what the first makes of a page. While learning, that is what pages of other sites made of it: a page
//! that was learnt from is judged too well.

use super::again::Around;
use super::block::Text;
use super::fit::{Row, fit};
use super::portrait::{N_FEATURES, Portraits};
use super::prior::PRIOR;
use super::{Look, N_ALL, Prose, Worth, names};
use crate::sheet::Sheet;
use std::fmt::Write;

/// A page to learn from.
pub(crate) struct Known<'s, 'p> {
    pub(crate) sheet: &'s Sheet<'p>,
    /// By leaf: whether it is of the element.
    pub(crate) is_it: Vec<bool>,
    /// Which site it is of: all pages of one count as one.
    pub(crate) site: usize,
}

/// How strongly weights are drawn to what is known of articles everywhere, in leaves; of many sites, to nothing.
const PULL: f64 = 200.0;
const PULL_OF_MANY: f64 = 10.0;
/// The same while that is learnt.
const PULL_OF_PRIOR: f64 = 40.0;
/// Each page counts as if it had so many leaves of prose, or long ones would be all that is learnt from.
const USUAL: f64 = 20.0;
/// Of fewer it is not known what the page is like.
const LEAST: usize = 3;
/// The least usual distance from the mean: what is hardly ever there says little when it is.
const LEAST_SPREAD: f64 = 0.05;
/// Into so many parts sites are dealt, each to be looked at first by what the others taught.
const N_PARTS: usize = 5;

impl Prose {
    /// Learn from pages, of few sites or of many.
    pub(crate) fn learn(pages: &[Known<'_, '_>], is_few: bool) -> Prose {
        let pull = if is_few { PULL } else { PULL_OF_MANY };
        let known = |it: &Worth| if is_few { *it } else { Worth { weights: [0.0; 2], ..*it } };
        let worths = PRIOR.iter().map(known).collect();
        let before = Prose { start: [0.0; 2], worths, is_alone: is_few };
        let mut lessons = Lesson::all(pages);
        let first = before.fitted(Look::First, &lessons, |_| true, pull);
        let odds = before.unseen_odds(&lessons, &first, pull);
        lessons.iter_mut().zip(&odds).for_each(|(lesson, odds)| lesson.look_again(odds));
        first.fitted(Look::Second, &lessons, |_| true, pull)
    }

    /// The same, with weights of a look that make some lessons likely and are near those that it has.
    fn fitted(
        &self,
        look: Look,
        lessons: &[Lesson<'_, '_>],
        is_used: impl Fn(&Lesson<'_, '_>) -> bool,
        pull: f64,
    ) -> Prose {
        let nth = look as usize;
        let used = lessons.iter().filter(|it| is_used(it));
        let rows: Vec<Row> = used.flat_map(|it| it.rows(&self.worths)).collect();
        let n_features = if nth == 0 { N_FEATURES } else { N_ALL };
        let own = self.worths[..n_features].iter().map(|it| f64::from(it.weights[nth]));
        let weights = fit(&rows, &std::iter::once(0.0).chain(own).collect::<Vec<_>>(), pull);
        let mut prose = self.clone();
        prose.start[nth] = rounded(weights[0]);
        for (worth, weight) in prose.worths.iter_mut().zip(&weights[1..]) {
            worth.weights[nth] = rounded(*weight);
        }
        prose
    }

    /// By page and block: the odds of the first look by what other sites teach; by what all teach, where there is one alone.
    fn unseen_odds(&self, lessons: &[Lesson<'_, '_>], all: &Prose, pull: f64) -> Vec<Vec<f32>> {
        let mut sites: Vec<usize> = lessons.iter().map(|it| it.site).collect();
        sites.sort_unstable();
        sites.dedup();
        let n_parts = sites.len().clamp(1, N_PARTS);
        let part = |it: &Lesson<'_, '_>| sites.binary_search(&it.site).unwrap_or(0) % n_parts;
        let taught = |own: usize| match n_parts {
            1 => all.clone(),
            _ => self.fitted(Look::First, lessons, |it| part(it) != own, pull),
        };
        let taught: Vec<Prose> = (0..n_parts).map(taught).collect();
        let odds = |it: &Lesson<'_, '_>| {
            let blocks = it.values.iter();
            blocks.map(|values| taught[part(it)].odds(Look::First, values.iter())).collect()
        };
        lessons.iter().map(odds).collect()
    }
}

/// A page that is learnt from.
struct Lesson<'s, 'p> {
    site: usize,
    portraits: Portraits<'s, 'p>,
    /// By block: its features, those of the second look once it was made.
    values: Vec<Vec<f32>>,
    /// By block: whether it is of the element, and how much it counts.
    truths: Vec<(bool, f64)>,
}

impl<'s, 'p> Lesson<'s, 'p> {
    fn all(pages: &[Known<'s, 'p>]) -> Vec<Lesson<'s, 'p>> {
        let n_of_site = |site: usize| pages.iter().filter(|it| it.site == site).count();
        pages.iter().map(|page| Lesson::of(page, n_of_site(page.site))).collect()
    }

    /// A page of a site of which so many are learnt from.
    fn of(page: &Known<'s, 'p>, n_of_site: usize) -> Lesson<'s, 'p> {
        let portraits = Portraits::of(page.sheet);
        let n_of_it = page.is_it.iter().filter(|is_it| **is_it).count().max(LEAST);
        let truth = |text: &Text| {
            let len = |leaf: usize| page.sheet.leaves.get(leaf).text.len();
            let all: usize = text.shown(page.sheet).map(len).sum();
            let own: usize = text.shown(page.sheet).filter(|it| page.is_it[*it]).map(len).sum();
            (own * 2 > all, text.n_leaves as f64 * USUAL / (n_of_it * n_of_site.max(1)) as f64)
        };
        let truths = portraits.texts.iter().map(truth).collect();
        let values = portraits.iter().map(|values| values.to_vec()).collect();
        Lesson { site: page.site, portraits, values, truths }
    }

    fn look_again(&mut self, odds: &[f32]) {
        let Portraits { sheet, crumbs, texts } = &self.portraits;
        let around = Around::of(sheet, crumbs, texts, odds);
        for (nth, values) in self.values.iter_mut().enumerate() {
            values.extend(around.get(nth));
        }
    }

    fn rows<'l>(&'l self, worths: &'l [Worth]) -> impl Iterator<Item = Row> + 'l {
        self.values.iter().zip(&self.truths).map(move |(values, (is_it, weight))| {
            let distances = values.iter().zip(worths).map(|(value, worth)| worth.distance(*value));
            Row {
                values: std::iter::once(1.0).chain(distances).collect(),
                is_it: *is_it,
                weight: *weight,
            }
        })
    }
}

/// What prose is like on these pages, as a table to be built in.
pub(crate) fn prior_of(pages: &[Known<'_, '_>]) -> String {
    let mut lessons = Lesson::all(pages);
    let mut prose = Prose { start: [0.0; 2], worths: usual(&lessons), is_alone: true };
    let first = prose.fitted(Look::First, &lessons, |_| true, PULL_OF_PRIOR);
    let odds = prose.unseen_odds(&lessons, &first, PULL_OF_PRIOR);
    lessons.iter_mut().zip(&odds).for_each(|(lesson, odds)| lesson.look_again(odds));
    prose = Prose { worths: usual(&lessons), ..first.clone() };
    for (worth, first) in prose.worths.iter_mut().zip(&first.worths) {
        worth.weights = first.weights;
    }
    prose = prose.fitted(Look::Second, &lessons, |_| true, PULL_OF_PRIOR);
    let mut table = String::new();
    for (name, worth) in names().zip(&prose.worths) {
        let Worth { mean, spread, weights: [first, second] } = worth;
        // A text takes everything that is written to it.
        let _ = writeln!(
            table,
            "    Worth {{ mean: {mean:.3}, spread: {spread:.3}, weights: [{first:.3}, {second:.3}] }}, // {name}"
        );
    }
    table
}

/// What is usual of each feature that these lessons have; of the others nothing is known.
fn usual(lessons: &[Lesson<'_, '_>]) -> Vec<Worth> {
    let blocks = || lessons.iter().flat_map(|it| &it.values);
    let n = blocks().count().max(1) as f64;
    let mean = |of: &dyn Fn(f64) -> f64, feature: usize| {
        let values = blocks().filter_map(|values| values.get(feature));
        values.map(|value| of(f64::from(*value))).sum::<f64>() / n
    };
    let worth = |feature: usize| {
        let usual = mean(&|value| value, feature);
        let spread = mean(&|value| (value - usual).powi(2), feature).sqrt().max(LEAST_SPREAD);
        Worth { mean: usual as f32, spread: spread as f32, weights: [0.0; 2] }
    };
    (0..N_ALL).map(worth).collect()
}

/// Three digits are more than a few pages can tell.
fn rounded(weight: f64) -> f32 {
    ((weight * 1e3).round() / 1e3) as f32
}
