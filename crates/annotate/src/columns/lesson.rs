//! A site whose columns are known.

use super::Site;
use super::portrait::{Portrait, portraits};
use crate::feature::evidence::{Kind, Word};
use crate::labels::Labels;
use crate::target::Target;
use crate::text::{self, Map};

/// A site to learn from: what its columns are like, and which element each is.
pub struct Lesson {
    pub(super) portraits: Vec<Portrait>,
    /// By column: 0, or the number of its element plus one; none if it is in doubt.
    classes: Vec<Option<u8>>,
    /// What words are called.
    pub(super) names: Map<Word, (Kind, String)>,
}

/// A column that agrees so much with the known values of an element may be it, and is it if none agrees much more.
const AGREES: f32 = 0.5;
const NEARLY_BEST: f32 = 0.9;
/// One that agrees less, but this much, is left out.
const IN_DOUBT: f32 = 0.15;

impl Lesson {
    /// A site with what is known of each of its pages: values, or leaves.
    pub fn new(target: &Target, site: &Site<'_>, labels: &[Labels]) -> Lesson {
        let found = agreements(target.elements().len(), site, labels);
        let mut best = vec![0.0; target.elements().len()];
        for (element, share) in found.iter().flatten() {
            best[*element] = f32::max(best[*element], *share);
        }
        let mut names = Map::default();
        let portraits = portraits(site, Some(&mut names));
        let class = |found: &Option<(usize, f32)>| match *found {
            Some((element, share)) if share >= AGREES && share > NEARLY_BEST * best[element] => {
                u8::try_from(element + 1).ok()
            }
            Some((_, share)) if share >= IN_DOUBT => None,
            _ => Some(0),
        };
        let classes = found.iter().map(class).zip(&portraits);
        let classes = classes.map(|(class, portrait)| class.filter(|_| portrait.is_seen)).collect();
        Lesson { portraits, classes, names }
    }

    /// How many of the columns were found to be an element.
    pub fn n_known(&self) -> usize {
        self.classes.iter().flatten().filter(|class| **class > 0).count()
    }

    /// Columns that are not in doubt, with their classes.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&Portrait, u8)> {
        let all = self.portraits.iter().zip(&self.classes);
        all.filter_map(|(portrait, class)| Some((portrait, (*class)?)))
    }
}

/// For each column the element that it agrees with most, and how much.
fn agreements(n_elements: usize, site: &Site<'_>, labels: &[Labels]) -> Vec<Option<(usize, f32)>> {
    let known: Vec<Vec<Vec<String>>> = (0..n_elements)
        .map(|element| {
            let pages = labels.iter().zip(&site.pages);
            pages.map(|(labels, page)| labels.keys(element, page)).collect()
        })
        .collect();
    let columns = site.columns.iter().map(|column| {
        let mut cells: Vec<Vec<String>> = vec![Vec::new(); site.pages.len()];
        for cell in &column.cells {
            cells[cell.page].push(text::key(&cell.text));
        }
        for keys in &mut cells {
            keys.sort_unstable();
            keys.dedup();
        }
        let shares = known.iter().map(|known| agreement(&cells, known)).enumerate();
        shares.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    });
    columns.collect()
}

/// F1 of a column's values, by page, as those of an element; over the pages on which it is known.
fn agreement(cells: &[Vec<String>], known: &[Vec<String>]) -> f32 {
    let (mut right, mut n) = (0, 0);
    for (cells, known) in cells.iter().zip(known).filter(|it| !it.1.is_empty()) {
        right += cells.iter().filter(|it| known.contains(it)).count();
        n += cells.len() + known.len();
    }
    if n == 0 { 0.0 } else { 2.0 * right as f32 / n as f32 }
}
