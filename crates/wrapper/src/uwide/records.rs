//! From a landmark to records: where each begins and ends.
//!
//! The farthest distinct ancestors (FDAs) of a landmark's occurrences are the hearts of the records. Siblings that look the
//! same are records without the landmark; other siblings that come regularly are parts of the record before or after them.

use super::distance::{Likeness, lcs};
use super::encode::{Code, Content, number};
use super::landmarks::Landmark;
use super::outline::Outline;
use crate::twig::{Symbol, TwigId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Records of a set that hang under one parent.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    pub(super) page: usize,
    pub(super) parent: TwigId,
    pub(super) fdas: Vec<TwigId>,
    /// Each of some siblings.
    pub(super) records: Vec<Vec<TwigId>>,
}

/// Where on a page a landmark stands.
#[derive(Default)]
pub(super) struct Index {
    by_code: HashMap<Code, Vec<u32>>,
    by_content: HashMap<(Code, Content), Vec<u32>>,
}

impl Index {
    pub(super) fn of(outline: &Outline<'_>) -> Index {
        let mut index = Index::default();
        for (position, entry) in outline.entries.iter().enumerate() {
            let (code, content) = (entry.mark.code, entry.mark.content);
            index.by_code.entry(code).or_default().push(number(position));
            index.by_content.entry((code, content)).or_default().push(number(position));
        }
        index
    }

    fn places(&self, landmark: &Landmark) -> &[u32] {
        let places = match landmark.content {
            None => self.by_code.get(&landmark.code),
            Some(content) => self.by_content.get(&(landmark.code, content)),
        };
        places.map_or(&[], Vec::as_slice)
    }
}

/// The FDAs of a landmark on all pages, by parent.
pub(super) fn stands(outlines: &[Outline<'_>], index: &[Index], landmark: &Landmark) -> Vec<Stand> {
    let mut stands: Vec<Stand> = Vec::new();
    for (page, outline) in outlines.iter().enumerate() {
        for position in index[page].places(landmark) {
            let twig = outline.entries[*position as usize].twig;
            let Some(fda) = outline.sheet.ancestor(twig, landmark.depth + 1) else { continue };
            let parent = outline.sheet.parents[fda.index()];
            if outline.is_region[parent.index()] {
                continue;
            }
            match stands.last_mut().filter(|it| it.page == page && it.parent == parent) {
                Some(stand) if stand.fdas.last() == Some(&fda) => {}
                Some(stand) => stand.fdas.push(fda),
                None => {
                    stands.push(Stand { page, parent, fdas: vec![fda], records: Vec::new() });
                }
            }
        }
    }
    stands
}

/// Stands of which the markup says different things are different sets.
pub(super) fn by_role(outlines: &[Outline<'_>], stands: Vec<Stand>) -> Vec<Vec<Stand>> {
    let mut roles: BTreeMap<(Symbol, Symbol), Vec<Stand>> = BTreeMap::new();
    for stand in stands {
        let parent = outlines[stand.page].sheet.bough.twig(stand.parent);
        roles.entry((parent.class, parent.id)).or_default().push(stand);
    }
    roles.into_values().collect()
}

/// Cut records around the FDAs of all stands.
pub(super) fn cut(outlines: &[Outline<'_>], likeness: &mut Likeness, stands: &mut [Stand]) {
    let common = common_codes(outlines, stands);
    // Siblings need not be more like what all FDAs have in common than these are. The paper asks for the first bound only.
    let least = ALIKE.min(mean_likeness(outlines, likeness, stands, &common));
    for stand in stands.iter_mut() {
        add_alike(&outlines[stand.page], likeness, &common, least, stand);
    }
    assemble(outlines, likeness, stands);
}

/// FDAs whose codes are compared for what all have in common.
const MAX_COMPARED: usize = 12;

fn codes_below(outline: &Outline<'_>, twig: TwigId) -> Vec<Code> {
    outline.below(twig).iter().map(|entry| entry.mark.code).collect()
}

fn sample(stands: &[Stand]) -> Vec<(usize, TwigId)> {
    let fdas = |stand: &Stand| stand.fdas.iter().map(|fda| (stand.page, *fda)).collect();
    let fdas: Vec<(usize, TwigId)> = stands.iter().flat_map::<Vec<_>, _>(fdas).collect();
    let step = fdas.len().div_ceil(MAX_COMPARED).max(1);
    fdas.into_iter().step_by(step).collect()
}

/// The longest common subsequence of the FDAs' codes.
fn common_codes(outlines: &[Outline<'_>], stands: &[Stand]) -> Vec<Code> {
    let fdas = sample(stands);
    let mut strings = fdas.iter().map(|(page, fda)| codes_below(&outlines[*page], *fda));
    let first = strings.next().unwrap_or_default();
    strings.fold(first, |common, codes| lcs(&common, &codes))
}

/// Siblings at least this alike are of one kind.
const ALIKE: f64 = 0.7;

/// How like what all FDAs have in common they are themselves.
fn mean_likeness(
    outlines: &[Outline<'_>],
    likeness: &mut Likeness,
    stands: &[Stand],
    common: &[Code],
) -> f64 {
    let fdas = sample(stands);
    let codes = |(page, fda): &(usize, TwigId)| codes_below(&outlines[*page], *fda);
    fdas.iter().map(|fda| likeness.of(&codes(fda), common)).sum::<f64>() / fdas.len().max(1) as f64
}

/// Siblings of the same tag that look like records are some, though the landmark is missing.
fn add_alike(
    outline: &Outline<'_>,
    likeness: &mut Likeness,
    common: &[Code],
    least: f64,
    stand: &mut Stand,
) {
    let bough = outline.sheet.bough;
    let Some(tag) = stand.fdas.first().map(|fda| bough.twig(*fda).tag) else { return };
    let fdas: BTreeSet<TwigId> = stand.fdas.iter().copied().collect();
    let mut is_alike = |twig: &TwigId| {
        bough.twig(*twig).tag == tag && likeness.of(&codes_below(outline, *twig), common) > least
    };
    let children = bough.twig(stand.parent).children.iter();
    stand.fdas = children.filter(|twig| fdas.contains(twig) || is_alike(twig)).copied().collect();
}

/// Siblings that are no FDAs, of one kind.
struct Cluster {
    tag: Symbol,
    codes: Vec<Code>,
    /// By stand, how many FDAs come before it.
    places: Vec<(usize, usize, TwigId)>,
}

/// More kinds than this are no parts of records.
const MAX_CLUSTERS: usize = 24;
/// Share of the records that must have a part for it to be one.
const REGULAR: f64 = 0.5;
/// The same for a part that records start with. If some have none, it is the start of something larger.
const REGULAR_BEFORE: f64 = 0.8;

/// Join FDAs with the siblings that belong to them.
fn assemble(outlines: &[Outline<'_>], likeness: &mut Likeness, stands: &mut [Stand]) {
    let clusters = clusters(outlines, likeness, stands);
    for stand in stands.iter_mut() {
        stand.records = stand.fdas.iter().map(|fda| vec![*fda]).collect();
    }
    let n_fdas: usize = stands.iter().map(|stand| stand.fdas.len()).sum();
    for cluster in clusters {
        let gaps: BTreeSet<(usize, usize)> =
            cluster.places.iter().map(|(stand, gap, _)| (*stand, *gap)).collect();
        let n_first = gaps.iter().filter(|(_, gap)| *gap == 0).count();
        let n_last = gaps.iter().filter(|(at, gap)| *gap == stands[*at].fdas.len()).count();
        let (side, regular) =
            if n_first > n_last { (Side::Before, REGULAR_BEFORE) } else { (Side::After, REGULAR) };
        if (gaps.len() as f64) < n_fdas as f64 * regular {
            continue;
        }
        for (at, gap, twig) in cluster.places {
            let record = match side {
                Side::Before => Some(gap),
                Side::After => gap.checked_sub(1),
            };
            if let Some(record) = record.and_then(|record| stands[at].records.get_mut(record)) {
                record.push(twig);
            }
        }
    }
    for record in stands.iter_mut().flat_map(|stand| &mut stand.records) {
        record.sort_unstable();
    }
}

/// Where a part stands, seen from its FDA.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

fn clusters(outlines: &[Outline<'_>], likeness: &mut Likeness, stands: &[Stand]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for (at, stand) in stands.iter().enumerate() {
        let outline = &outlines[stand.page];
        let mut gap = 0;
        for child in &outline.sheet.bough.twig(stand.parent).children {
            if stand.fdas.get(gap) == Some(child) {
                gap += 1;
                continue;
            }
            let codes = codes_below(outline, *child);
            if codes.is_empty() {
                continue;
            }
            let tag = outline.sheet.bough.twig(*child).tag;
            let found = clusters.iter().position(|cluster| {
                cluster.tag == tag && likeness.of(&cluster.codes, &codes) > ALIKE
            });
            let place = (at, gap, *child);
            match found {
                Some(found) => clusters[found].places.push(place),
                None if clusters.len() < MAX_CLUSTERS => {
                    clusters.push(Cluster { tag, codes, places: vec![place] });
                }
                None => {}
            }
        }
    }
    clusters
}
