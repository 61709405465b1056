//! The paper's setting: nodes that people labelled, trained on a few pages of as many sites, tested on pages of others.
//!
//! The labelled files are the pages with spans around texts. Spans are taken out before a page is parsed, so that nothing of the
//! labels is left to be seen; which leaf has which label is told by the characters that both have in common.

use super::Flags;
use super::report::{Results, Row};
use super::score::{Part, Verdict};
use annotate::{
    Clusters, Example, Kind, Label, Labels, MapConfig, Model, Place, Target, TrainConfig, train,
};
use anyhow::{Context, Result, ensure};
use page::{LeafKind, Page};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// What the suite is called.
pub(crate) const SUITE: &str = "nodes";
const SCHEMA: &str = "<!ELEMENT news (headline, fulltext*)>";
const HEADLINE: usize = 0;
const FULL_TEXT: usize = 1;
/// Random draws of training pages.
const N_DRAWS: u64 = 10;
/// Pages tested on in each draw.
const N_TESTED: usize = 120;
/// How the numbers of training pages are reported.
const SIZES: [usize; 2] = [3, 30];

/// A page with its labels.
struct Labelled {
    page: Page,
    /// By leaf.
    elements: Vec<Option<usize>>,
    site: String,
}

/// A way to annotate.
const WAYS: [(&str, Kind, Clusters); 8] = [
    ("naive, without clustering", Kind::Naive, Clusters::None),
    ("naive, Algorithm 1", Kind::Naive, Clusters::Unit),
    ("naive, Algorithm 2", Kind::Naive, Clusters::Ancestor(30.0)),
    ("naive, region", Kind::Naive, Clusters::Region),
    ("tree, without clustering", Kind::Tree, Clusters::None),
    ("tree, Algorithm 1", Kind::Tree, Clusters::Unit),
    ("tree, Algorithm 2", Kind::Tree, Clusters::Ancestor(30.0)),
    ("tree, region", Kind::Tree, Clusters::Region),
];

pub(crate) fn run(flags: &Flags, data: &Path) -> Result<()> {
    let folder = data.join("news/l3s-gn1/labels");
    let pages = read(&folder)?;
    let sites: BTreeSet<&str> = pages.iter().map(|it| it.site.as_str()).collect();
    println!("{} pages of {} sites", pages.len(), sites.len());
    let started = Instant::now();
    let draws: Vec<(usize, u64)> =
        SIZES.iter().flat_map(|size| (0..N_DRAWS).map(move |draw| (*size, draw))).collect();
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let counts = super::in_parallel(&draws, n_cores, |(size, draw)| measure(&pages, *size, *draw));
    let mut rows = Vec::new();
    for (nth, (way, ..)) in WAYS.iter().enumerate() {
        for size in SIZES {
            let of_size = draws.iter().zip(&counts).filter(|it| it.0.0 == size);
            let parts: Vec<Part> = of_size.map(|it| it.1[nth].part()).collect();
            rows.push(row(&format!("{way}, {size} pages"), &parts));
        }
    }
    println!("{:40} precision   recall       F1", "full-text nodes");
    for row in &rows {
        let part = &row.verdict.parts["fulltext"];
        println!("{:40} {:9.3} {:8.3} {:8.3}", row.site, part.precision, part.recall, part.f1);
    }
    let digest = format!("{} pages", pages.len());
    let mut results = Results::new(SUITE, digest, &["mean"], rows, started.elapsed().as_secs_f64());
    for row in &results.rows {
        if let (Some(size), Some(part)) =
            (row.site.strip_prefix("naive, region, "), row.verdict.parts.get("fulltext"))
        {
            let size = size.replace(' ', "_");
            results.means.insert(format!("precision_{size}"), part.precision);
            results.means.insert(format!("recall_{size}"), part.recall);
        }
    }
    super::judge(flags, &results)
}

fn row(name: &str, parts: &[Part]) -> Row {
    let mean = |of: fn(&Part) -> f64| parts.iter().map(of).sum::<f64>() / parts.len().max(1) as f64;
    let part = Part {
        precision: mean(|it| it.precision),
        recall: mean(|it| it.recall),
        f1: mean(|it| it.f1),
        column: None,
    };
    let mut row = Row::new(name, N_TESTED);
    row.verdict =
        Verdict { score: part.f1, parts: BTreeMap::from([("fulltext".to_owned(), part)]) };
    row
}

#[derive(Clone, Copy, Default)]
struct Counts {
    right: usize,
    taken: usize,
    wanted: usize,
}

impl Counts {
    fn part(self) -> Part {
        let share = |of: usize| self.right as f64 / of.max(1) as f64;
        let (precision, recall) = (share(self.taken), share(self.wanted));
        let f1 = 2.0 * precision * recall / (precision + recall).max(1e-9);
        Part { precision, recall, f1, column: None }
    }
}

/// One draw: pages of so many sites to train on, pages of other sites to test on.
fn measure(pages: &[Labelled], n_train: usize, draw: u64) -> Vec<Counts> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    shuffle(&mut order, draw * 1000 + n_train as u64);
    let mut sites = BTreeSet::new();
    let has_text = |it: &usize| pages[*it].elements.contains(&Some(FULL_TEXT));
    let train_on: Vec<usize> = order
        .iter()
        .copied()
        .filter(|it| {
            has_text(it) && sites.len() < n_train && sites.insert(pages[*it].site.as_str())
        })
        .collect();
    let test_on: Vec<&Labelled> = order
        .iter()
        .map(|it| &pages[*it])
        .filter(|it| !sites.contains(it.site.as_str()))
        .take(N_TESTED)
        .collect();
    let Ok(target) = Target::parse(SCHEMA) else { return Vec::new() };
    let model = |kind: Kind| {
        let examples: Vec<Example<'_>> = train_on.iter().map(|it| example(&pages[*it])).collect();
        train(
            &target,
            &examples,
            &TrainConfig { kind: Some(kind), by_length: false, ..TrainConfig::default() },
        )
    };
    let (naive, tree) = (model(Kind::Naive), model(Kind::Tree));
    let way = |(_, kind, clusters): &(&str, Kind, Clusters)| {
        let model = if *kind == Kind::Naive { &naive } else { &tree };
        count(model, *clusters, &test_on)
    };
    WAYS.iter().map(way).collect()
}

fn example(labelled: &Labelled) -> Example<'_> {
    let labels = labelled.elements.iter().enumerate();
    let labels = labels.filter_map(|(leaf, element)| Some(Label::Leaf(leaf, (*element)?)));
    Example {
        page: &labelled.page,
        site: labelled.site.clone(),
        labels: Labels::new(labels.collect()),
    }
}

fn count(model: &Model, clusters: Clusters, pages: &[&Labelled]) -> Counts {
    let mut counts = Counts::default();
    for labelled in pages {
        let annotation = model.annotate_with(&labelled.page, &MapConfig { clusters });
        let taken = annotation.values.iter().filter(|it| it.element == FULL_TEXT);
        let taken: BTreeSet<usize> = taken
            .flat_map(|it| match &it.place {
                Place::Leaves(leaves) => leaves.clone(),
                Place::Statement(_) => 0..0,
            })
            .collect();
        let is_it = |leaf: &usize| labelled.elements[*leaf] == Some(FULL_TEXT);
        counts.taken += taken.len();
        counts.right += taken.iter().filter(|it| is_it(it)).count();
        counts.wanted += (0..labelled.elements.len()).filter(|it| is_it(it)).count();
    }
    counts
}

fn read(folder: &Path) -> Result<Vec<Labelled>> {
    let list = fs::read_dir(folder).with_context(|| format!("cannot read {folder:?}"))?;
    let mut files = list.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    let pages: Vec<Labelled> = files
        .iter()
        .map(|file| Ok(labelled(&fs::read(file)?)))
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect();
    ensure!(!pages.is_empty(), "no labelled pages in {folder:?}");
    Ok(pages)
}

/// A page without its label spans, and what they said; none if no text of it is labelled.
fn labelled(bytes: &[u8]) -> Option<Labelled> {
    let marked = page::parse(bytes);
    let page = page::parse(without_spans(marked.source()).as_bytes());
    // The label of each character that shows.
    let mut labels = Vec::new();
    for leaf in marked.leaves().iter().filter(|it| it.kind == LeafKind::Text) {
        let label =
            std::iter::once(leaf.element).chain(marked.ancestors(leaf.element)).find_map(|node| {
                let class = marked.attr(node, "class")?;
                let number = class.split_once("x-nc-sel")?.1.chars().next()?;
                Some(number)
            });
        labels.extend(leaf.text.chars().filter(|c| !c.is_whitespace()).map(|c| (c, label)));
    }
    let mut elements = Vec::new();
    let mut at = 0;
    for leaf in page.leaves().iter() {
        let mut votes: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        if leaf.kind == LeafKind::Text {
            for c in leaf.text.chars().filter(|c| !c.is_whitespace()) {
                // Both come from one file, so the characters are the same; if not, what follows cannot be told.
                let (known, label) = labels.get(at)?;
                if *known != c {
                    return None;
                }
                at += 1;
                let element = match label {
                    Some('1') => Some(HEADLINE),
                    Some('2') => Some(FULL_TEXT),
                    _ => None,
                };
                *votes.entry(element).or_default() += 1;
            }
        }
        elements.push(votes.into_iter().max_by_key(|it| it.1).and_then(|it| it.0));
    }
    let site = main_host(page.source());
    elements.contains(&Some(FULL_TEXT)).then_some(Labelled { page, elements, site })
}

/// The source without `<span class="x-nc-…">` and the `</span>` that closes each: the spans hold texts only.
fn without_spans(source: &str) -> String {
    let mut plain = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("<span class=\"x-nc-") {
        let (before, span) = rest.split_at(start);
        plain.push_str(before);
        let Some(open) = span.find('>') else { break };
        let inside = &span[open + 1..];
        let Some(close) = inside.find("</span>") else { break };
        plain.push_str(&inside[..close]);
        rest = &inside[close + "</span>".len()..];
    }
    plain + rest
}

/// The host that most links of a page lead to: whose page it is.
fn main_host(source: &str) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for link in source.split("http://").skip(1) {
        let host: String = link
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
            .collect();
        if let Some(domain) = super::fields::domain(&format!("http://{host}/")) {
            *counts.entry(domain).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|it| it.1).map_or_else(String::new, |it| it.0)
}

/// Fisher and Yates, by a small generator: the same draw gives the same order everywhere.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for last in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let pick = usize::try_from(state % (last as u64 + 1)).unwrap_or(0);
        order.swap(last, pick);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_left_no_trace() {
        let html = "<body><h1><span class=\"x-nc-sel1\">A &amp; B</span></h1><p><span class=\"x-nc-sel2\">One</span> <b><span class=\"x-nc-sel2 x\">two</span></b>
            <a href='http://a.example.org/'><span class=\"x-nc-sel0\">More</span></a>";
        let read = labelled(html.as_bytes()).unwrap();
        assert_eq!(read.elements, [Some(HEADLINE), Some(FULL_TEXT), Some(FULL_TEXT), None]);
        assert!(!read.page.source().contains("x-nc-"));
        assert_eq!(read.site, "example.org");
    }
}
