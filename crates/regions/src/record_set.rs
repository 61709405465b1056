//! The record sets of one page: which repeats are records, and what each record has.
//!
//! In come a page, its leaves and, where they are known, the places of these; out come [`RecordSet`]s, the main one first. Nothing is
//! learnt from other pages: a repeat is judged by how much of the page it holds, how alike its units are and how much each
//! says of its own. The columns are those that the wrapper room finds in the records.

use crate::boxes::Boxes;
use crate::measure::{Measures, Sums, measure};
use crate::repeat::{Repeat, RepeatConfig, Search, Unit};
use crate::tree::{Outline, TwigId};
use page::{Leaves, NodeId, Page};
use std::ops::Range;
use wrapper::{Cut, Cutter, Data, Field, Schema};

/// How record sets are found.
#[derive(Clone, Copy, Debug)]
pub struct SetConfig {
    /// When trees are alike, and how many make a repeat.
    pub repeat: RepeatConfig,
    /// No more sets than this are given.
    pub max_sets: usize,
    /// Sets that score less than this share of the best are left out.
    pub min_share: f64,
}

impl Default for SetConfig {
    fn default() -> SetConfig {
        SetConfig { repeat: RepeatConfig::default(), max_sets: 6, min_share: 0.1 }
    }
}

/// Records of one kind on a page.
#[derive(Clone, Debug)]
pub struct RecordSet {
    /// What the page calls them, or what they are: `books`, `rows`.
    pub name: String,
    /// What holds all of them.
    pub parent: NodeId,
    /// The nodes that each record is made of: siblings.
    pub nodes: Vec<Vec<NodeId>>,
    /// The leaves of each record.
    pub leaves: Vec<Range<usize>>,
    /// What speaks for it.
    pub measures: Measures,
    /// All of that in one figure, from 0 to 1.
    pub score: f64,
    /// What records have, in their order.
    pub fields: Vec<Field>,
    /// The data of each record.
    pub records: Vec<Data>,
}

impl RecordSet {
    /// What speaks for it, in words.
    pub fn why(&self) -> String {
        let it = &self.measures;
        let per_cent = |share: f64| (share * 100.0).round();
        let mut why = format!(
            "{} % of the text, {} % alike, {:.1} parts each",
            per_cent(it.coverage),
            per_cent(it.regularity),
            it.n_leaves
        );
        if let Some(share) = it.alignment {
            why.push_str(&format!(", {} % in line", per_cent(share)));
        }
        if it.is_frame {
            why.push_str(", in the frame of the site");
        }
        why
    }

    /// The XPath of what holds all records.
    pub fn path(&self, page: &Page) -> String {
        let mut steps: Vec<String> = Vec::new();
        for node in std::iter::once(self.parent).chain(page.ancestors(self.parent)) {
            let Some(tag) = page.tag(node) else { break };
            let is_twin = |it: &NodeId| page.tag(*it) == Some(tag);
            let before =
                std::iter::successors(page.previous_sibling(node), |it| page.previous_sibling(*it));
            let after = std::iter::successors(page.next_sibling(node), |it| page.next_sibling(*it));
            let n_before = before.filter(is_twin).count();
            let is_only = n_before == 0 && !after.into_iter().any(|it| is_twin(&it));
            steps.push(if is_only { tag.to_owned() } else { format!("{tag}[{}]", n_before + 1) });
        }
        steps.reverse();
        format!("/{}", steps.join("/"))
    }

    /// As the data of a page that has these records and nothing else, under the set's name.
    pub fn into_page(self) -> (Schema, Data) {
        let cut = Cut { name: self.name, fields: self.fields, records: self.records };
        cut.into_page()
    }
}

/// The record sets of a page, the main one first.
///
/// ```
/// let page = page::parse(b"<nav><a href=/>Home</a><a href=/b>Blog</a></nav>
///     <ul><li><b>Dune</b> <i>$9</i><li><b>Emma</b> <i>$7</i><li><b>Kim</b> <i>$5</i></ul>");
/// let sets = regions::record_sets(&page, &page.leaves(), None, &Default::default());
/// assert_eq!(sets[0].records.len(), 3);
/// assert_eq!(sets[0].records[2]["money"], "$5");
/// ```
pub fn record_sets(
    page: &Page,
    leaves: &Leaves,
    boxes: Option<&Boxes>,
    config: &SetConfig,
) -> Vec<RecordSet> {
    let outline = Outline::new(page, leaves);
    let chosen = choose(&outline, candidates(&outline, leaves, boxes, config), config);
    if chosen.is_empty() {
        return Vec::new();
    }
    let units = chosen.iter().flat_map(|it| &it.repeat.units);
    let mut ranges: Vec<Range<usize>> = units.map(|unit| outline.leaves_of(unit)).collect();
    ranges.sort_by_key(|it| it.start);
    let cutter = Cutter::new(page, leaves.clone(), &ranges);
    chosen.into_iter().map(|it| it.into_set(&outline, &cutter)).collect()
}

/// A repeat that may be records.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its units.
    pub repeat: Repeat,
    /// What speaks for it.
    pub measures: Measures,
    /// All of that in one figure, from 0 to 1.
    pub score: f64,
}

/// All repeats of a page with what speaks for them, the best first.
pub fn candidates(
    outline: &Outline,
    leaves: &Leaves,
    boxes: Option<&Boxes>,
    config: &SetConfig,
) -> Vec<Candidate> {
    let sums = Sums::new(leaves);
    let mut search = Search::new(outline, leaves, &config.repeat);
    let mut candidates: Vec<Candidate> = search
        .repeats()
        .into_iter()
        .map(|repeat| {
            let measures = measure(outline, leaves, &sums, &mut search.matcher, boxes, &repeat);
            Candidate { repeat, measures, score: score(&measures) }
        })
        .filter(|it| it.measures.n_different > 1)
        .collect();
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}

/// What speaks for a repeat, multiplied: whatever is missing altogether cannot be made up for.
fn score(it: &Measures) -> f64 {
    let n_units = 1.0 - 0.5 / it.n_units as f64;
    let parts = (it.n_leaves / PARTS).min(1.0);
    let own_words = (1.0 - 0.8 * it.linked).sqrt();
    let frame = if it.is_frame { IN_FRAME } else { 1.0 };
    let aligned = it.alignment.map_or(1.0, |share| 0.5 + 0.5 * share);
    it.coverage * it.regularity * it.variety * n_units * parts * own_words * frame * aligned
}

/// Records have at least so many parts; what has fewer is rather a part itself.
const PARTS: f64 = 3.0;
/// What belongs to the site is worth so much of what belongs to the page.
const IN_FRAME: f64 = 0.4;

/// The best candidates, of those that overlap the better one.
fn choose(outline: &Outline, candidates: Vec<Candidate>, config: &SetConfig) -> Vec<Candidate> {
    let mut is_taken = vec![false; outline.twig(outline.root()).leaves.end as usize];
    let least = candidates.first().map_or(0.0, |best| best.score * config.min_share);
    let mut chosen = Vec::new();
    for candidate in candidates {
        if chosen.len() == config.max_sets || candidate.score <= least {
            break;
        }
        let leaves = || candidate.repeat.units.iter().map(|unit| outline.leaves_of(unit));
        if leaves().any(|range| is_taken[range].contains(&true)) {
            continue;
        }
        leaves().for_each(|range| is_taken[range].fill(true));
        chosen.push(candidate);
    }
    chosen
}

impl Candidate {
    fn into_set(self, outline: &Outline, cutter: &Cutter) -> RecordSet {
        let node = |id: &TwigId| outline.twig(*id).node;
        let nodes = |unit: &Unit| -> Vec<NodeId> { unit.iter().map(node).collect() };
        let nodes: Vec<Vec<NodeId>> = self.repeat.units.iter().map(nodes).collect();
        let leaves = self.repeat.units.iter().map(|unit| outline.leaves_of(unit)).collect();
        let Cut { name, fields, records, .. } = cutter.cut(&nodes);
        let parent = node(&self.repeat.parent);
        let Candidate { measures, score, .. } = self;
        RecordSet { name, parent, nodes, leaves, measures, score, fields, records }
    }
}
