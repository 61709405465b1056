//! What a column is like: the features of its values, averaged, and what only a column has.

use super::{Cell, Column, Site};
use crate::feature::evidence::{Evidence, Kind, Word};
use crate::feature::{N_PLAIN, Plain, Scale};
use crate::metadata::Item;
use crate::sheet::{Sheet, Stretch};
use crate::text::{self, Map};
use page::{DataType, LeafKind};

/// Features that only columns have, after the plain ones.
const OWN: [&str; 11] = [
    "pages with it",
    "values that differ",
    "values a page",
    "in the page's title",
    "share of the page's title",
    "said elsewhere too",
    "within a set",
    "digits",
    "differences in length",
    "values of the commonest type",
    "order",
];

/// How many features there are.
pub(super) const N_FEATURES: usize = N_PLAIN + OWN.len();
/// The feature that says what of its place a value is: a leaf, a part of one, several of them, a picture's description.
pub(super) const FORM: usize = 0;
/// The one that says where on its page a value stands.
const PLACE: usize = 23;

pub(super) fn feature_names() -> impl Iterator<Item = &'static str> {
    Plain::FEATURES.iter().map(|it| it.name).chain(OWN)
}

pub(super) fn scales() -> impl Iterator<Item = Scale> {
    let plain = Plain::FEATURES.iter().map(|it| it.scale);
    plain.chain(std::iter::repeat_n(Scale::Numbers, OWN.len()))
}

/// A column as it is judged.
pub(super) struct Portrait {
    /// Plain features, then its own.
    pub(super) values: Vec<f32>,
    /// Of each cell that was looked at.
    pub(super) words: Vec<Vec<(Kind, Word)>>,
    /// The first column that is read from the same leaves; itself, if no other is.
    pub(super) place: usize,
    /// Whether people see it: what is in the page's head, they do not.
    pub(super) is_seen: bool,
}

/// So many pages of a site tell what its columns are like.
const MAX_PAGES: usize = 40;
/// So many values of a column on one page do.
const MAX_CELLS: usize = 4;

/// The portraits of all columns of a site; and the names of words, for those who want them.
pub(super) fn portraits(
    site: &Site<'_>,
    mut names: Option<&mut Map<Word, (Kind, String)>>,
) -> Vec<Portrait> {
    let mut drafts: Vec<Draft> = site.columns.iter().map(|_| Draft::default()).collect();
    let step = site.pages.len().div_ceil(MAX_PAGES).max(1);
    let cells = by_page(site);
    for number in (0..site.pages.len()).step_by(step) {
        let page = PageOfCells { site, number, cells: &cells[number] };
        page.look(&mut drafts, names.as_deref_mut());
    }
    let n_pages = site.pages.len().div_ceil(step).max(1) as f32;
    let ranks = ranks(&drafts);
    let places = places(&site.columns);
    let all = drafts.into_iter().zip(&site.columns).enumerate();
    all.map(|(nth, (draft, column))| {
        let mut portrait = draft.portrait(column, n_pages, ranks[nth]);
        portrait.place = places[nth];
        portrait
    })
    .collect()
}

/// By page: its cells, with the numbers of their columns.
fn by_page<'s>(site: &'s Site<'_>) -> Vec<Vec<(usize, &'s Cell)>> {
    let mut pages = vec![Vec::new(); site.pages.len()];
    for (nth, column) in site.columns.iter().enumerate() {
        for cell in &column.cells {
            pages[cell.page].push((nth, cell));
        }
    }
    pages
}

/// By column: how many come before it, by where they stand in the mean.
fn ranks(drafts: &[Draft]) -> Vec<f32> {
    let mut order: Vec<(f32, usize)> =
        drafts.iter().map(|draft| draft.mean_of(PLACE)).zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut ranks = vec![0.0; drafts.len()];
    for (rank, (_, nth)) in order.iter().enumerate() {
        ranks[*nth] = rank as f32;
    }
    ranks
}

/// A page, and what columns have on it.
struct PageOfCells<'s, 'p> {
    site: &'s Site<'p>,
    number: usize,
    cells: &'s [(usize, &'s Cell)],
}

impl PageOfCells<'_, '_> {
    fn look(&self, drafts: &mut [Draft], names: Option<&mut Map<Word, (Kind, String)>>) {
        let stretches = self.cells.iter().map(|(_, cell)| Stretch {
            leaves: cell.leaves.clone(),
            intro: &cell.intro,
            text: &cell.text,
        });
        let sheet = Sheet::with(self.site.pages[self.number], stretches);
        let mut evidence = Evidence::new(&sheet, &[], names.is_some());
        let plain = Plain::new(&sheet);
        let title = title(&sheet.items);
        let mut keys: Map<String, usize> = Map::default();
        for (_, cell) in self.cells {
            *keys.entry(text::key(&cell.text)).or_default() += 1;
        }
        for ((nth, cell), spot) in self.cells.iter().zip(&sheet.spots) {
            let draft = &mut drafts[*nth];
            if !draft.takes(self.number) {
                continue;
            }
            draft.n_told += usize::from(is_told(&sheet, cell));
            plain.of(spot, &mut draft.rows);
            let mut words = evidence.of(spot);
            if let Some(label) = &self.site.columns[*nth].label {
                evidence.label(&text::phrase(label), &mut words);
            }
            evidence.shapes(&cell.text, &mut words);
            words.sort_unstable();
            words.dedup();
            draft.words.push(words);
            draft.texts(&cell.text, &title, &keys);
        }
        if let Some(names) = names {
            names.extend(evidence.into_names());
        }
    }
}

fn title(items: &[Item]) -> String {
    let title = items.iter().find(|item| item.key == "title");
    title.map(|item| text::key(&item.text)).unwrap_or_default()
}

/// Whether something is only told to machines, or to those who read the names of windows.
fn is_told(sheet: &Sheet<'_>, cell: &Cell) -> bool {
    let leaf = sheet.leaves.get(cell.leaves.start);
    leaf.kind == LeafKind::Meta || sheet.page.tag(leaf.element) == Some("title")
}

/// For each column the first that is read from the same leaves on most pages that have both.
fn places(columns: &[Column]) -> Vec<usize> {
    let mut owners: Map<(usize, usize, usize), usize> = Map::default();
    let mut places = Vec::new();
    for (nth, column) in columns.iter().enumerate() {
        let mut shared: Map<usize, usize> = Map::default();
        for cell in &column.cells {
            let at = (cell.page, cell.leaves.start, cell.leaves.end);
            let owner = *owners.entry(at).or_insert(nth);
            *shared.entry(owner).or_default() += 1;
        }
        let best = shared.iter().max_by_key(|(owner, n)| (**n, usize::MAX - **owner));
        let place = best.filter(|it| it.1 * 2 > column.cells.len()).map_or(nth, |it| *it.0);
        places.push(place);
    }
    places
}

/// A portrait in the making.
#[derive(Default)]
struct Draft {
    rows: Vec<f32>,
    words: Vec<Vec<(Kind, Word)>>,
    keys: Map<String, usize>,
    n_cells: usize,
    n_pages: usize,
    /// Of those that were looked at: how many there are, and how many only machines are told.
    n_seen: usize,
    n_told: usize,
    last_page: Option<usize>,
    /// How many the last page has.
    n_here: usize,
    in_title: f32,
    of_title: f32,
    elsewhere: f32,
    digits: f32,
    lens: Vec<f32>,
    types: Map<DataType, usize>,
}

impl Draft {
    /// Count a cell, and say whether to look at it.
    fn takes(&mut self, page: usize) -> bool {
        if self.last_page != Some(page) {
            self.last_page = Some(page);
            self.n_pages += 1;
            self.n_here = 0;
        }
        self.n_cells += 1;
        self.n_here += 1;
        let takes = self.n_here <= MAX_CELLS;
        self.n_seen += usize::from(takes);
        takes
    }

    fn texts(&mut self, text: &str, title: &str, keys: &Map<String, usize>) {
        const TELLING: usize = 3;
        let key = text::key(text);
        if key.len() >= TELLING && title.contains(&key) {
            self.in_title += 1.0;
            self.of_title += key.len() as f32 / title.len() as f32;
        }
        if keys.get(&key).is_some_and(|n| *n > 1) {
            self.elsewhere += 1.0;
        }
        let n_chars = text.chars().filter(|c| c.is_alphanumeric()).count();
        let n_digits = text.chars().filter(|c| c.is_ascii_digit()).count();
        self.digits += n_digits as f32 / n_chars.max(1) as f32;
        self.lens.push(text.len() as f32);
        *self.types.entry(DataType::classify(text)).or_default() += 1;
        *self.keys.entry(key).or_default() += 1;
    }

    fn mean_of(&self, feature: usize) -> f32 {
        let values = self.rows.chunks(N_PLAIN).map(|row| row[feature]);
        values.sum::<f32>() / self.n_seen.max(1) as f32
    }

    fn portrait(self, column: &Column, n_pages: f32, rank: f32) -> Portrait {
        let n = self.n_seen.max(1) as f32;
        let mut values: Vec<f32> = (0..N_PLAIN)
            .map(|feature| match Plain::FEATURES[feature].scale {
                Scale::Numbers => self.mean_of(feature),
                Scale::Categories(n) => self.commonest(feature, n),
            })
            .collect();
        let len = self.lens.iter().sum::<f32>() / n;
        let spread = self.lens.iter().map(|it| (it - len) * (it - len)).sum::<f32>() / n;
        let commonest = self.types.values().max().copied().unwrap_or(0) as f32;
        values.extend([
            self.n_pages as f32 / n_pages,
            self.keys.len() as f32 / n,
            (self.n_cells as f32 / self.n_pages.max(1) as f32).ln(),
            self.in_title / n,
            self.of_title / n,
            self.elsewhere / n,
            f32::from(u8::from(column.is_in_set)),
            self.digits / n,
            spread.sqrt() / len.max(1.0),
            commonest / n,
            rank.ln_1p(),
        ]);
        Portrait { values, words: self.words, place: 0, is_seen: self.n_told * 2 < self.n_seen }
    }

    fn commonest(&self, feature: usize, n: usize) -> f32 {
        let mut counts = vec![0usize; n];
        for row in self.rows.chunks(N_PLAIN) {
            counts[(row[feature] as usize).min(n - 1)] += 1;
        }
        let most = counts.iter().enumerate().max_by_key(|(code, n)| (**n, usize::MAX - code));
        most.map_or(0.0, |(code, _)| code as f32)
    }
}
