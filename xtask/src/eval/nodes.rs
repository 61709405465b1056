//! The paper's setting: nodes that people labelled, trained on a few pages of as many sites, tested on pages of others.
//!
//! The labelled files are the pages with spans around texts and elements. Spans are taken out before a page is parsed, so that
//! nothing of the labels is left to be seen; which leaf has which label is told by where it stands in what is left.

use super::Flags;
use super::report::{Results, Row};
use super::score::{Part, Verdict};
use annotate::{
    Clusters, Example, Kind, Label, Labels, MapConfig, Model, Place, Target, TrainConfig, train,
};
use anyhow::{Context, Result, ensure};
use page::{LeafKind, Page, ParseConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
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

/// How models of few sites annotate unless told otherwise.
const DEFAULT: &str = "blocks";

/// A way to annotate.
const WAYS: [(&str, Kind, Clusters); 9] = [
    (DEFAULT, Kind::Naive, Clusters::Blocks),
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
    let (mut rows, mut by_page) = (Vec::new(), Vec::new());
    for (nth, (way, ..)) in WAYS.iter().enumerate() {
        for size in SIZES {
            let of_size = draws.iter().zip(&counts).filter(|it| it.0.0 == size);
            let of_size: Vec<Counts> = of_size.map(|it| it.1[nth]).collect();
            let parts: Vec<Part> = of_size.iter().map(|it| it.part()).collect();
            let n = (of_size.len() * N_TESTED) as f64;
            by_page.push(
                [0, 1].map(|side| of_size.iter().map(|it| it.of_pages[side]).sum::<f64>() / n),
            );
            rows.push(row(&format!("{way}, {size} pages"), &parts));
        }
    }
    // All nodes of a draw count alike, as in the paper; beside it, all its pages.
    println!("{:40} precision   recall       F1   by page: precision   recall", "full-text nodes");
    for (row, [precision, recall]) in rows.iter().zip(&by_page) {
        let part = &row.verdict.parts["fulltext"];
        println!(
            "{:40} {:9.3} {:8.3} {:8.3}            {precision:9.3} {recall:8.3}",
            row.site, part.precision, part.recall, part.f1
        );
    }
    let digest = format!("{} pages", pages.len());
    let mut results = Results::new(SUITE, digest, &["mean"], rows, started.elapsed().as_secs_f64());
    for row in &results.rows {
        if let (Some(size), Some(part)) =
            (row.site.strip_prefix(&format!("{DEFAULT}, ")), row.verdict.parts.get("fulltext"))
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
    /// The sums of both over pages, each of which counts as one.
    of_pages: [f64; 2],
}

impl Counts {
    fn add(&mut self, page: Counts) {
        let part = page.part();
        self.right += page.right;
        self.taken += page.taken;
        self.wanted += page.wanted;
        self.of_pages[0] += part.precision;
        self.of_pages[1] += part.recall;
    }

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
        counts.add(Counts {
            taken: taken.len(),
            right: taken.iter().filter(|it| is_it(it)).count(),
            wanted: (0..labelled.elements.len()).filter(|it| is_it(it)).count(),
            ..Counts::default()
        });
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
    let unmarked = Unmarked::of(marked.source());
    let config = ParseConfig::default().with_charset("utf-8");
    let page = page::parse_with(unmarked.source.as_bytes(), &config);
    let elements: Vec<Option<usize>> = page
        .leaves()
        .iter()
        .map(|leaf| match leaf.kind {
            LeafKind::Text => unmarked.element(leaf.span.range()),
            _ => None,
        })
        .collect();
    let site = main_host(page.source());
    elements.contains(&Some(FULL_TEXT)).then_some(Labelled { page, elements, site })
}

/// A source without `<span class="x-nc-…">` and the `</span>` of each. Such spans are around texts and around elements, one
/// in another, and other spans may be among them.
#[derive(Default)]
struct Unmarked {
    source: String,
    /// By byte: the label of the innermost span around it, if any.
    labels: Vec<u8>,
    /// The spans that are open.
    open: Vec<Span>,
}

#[derive(Clone, Copy)]
enum Span {
    /// One of the page's own.
    Own,
    /// One that labels; with 0 it only says that something was not to be seen.
    Label(u8),
}

impl Unmarked {
    fn of(source: &str) -> Unmarked {
        let mut unmarked = Unmarked::default();
        let mut rest = source;
        while let Some(start) = rest.find('<') {
            unmarked.put(&rest[..start]);
            let (tag, after) = rest[start..].split_at(markup_len(&rest[start..]));
            unmarked.tag(tag);
            rest = after;
        }
        unmarked.put(rest);
        unmarked
    }

    fn tag(&mut self, tag: &str) {
        if let Some(attributes) = strip_name(tag, "<span") {
            let class = attributes.trim_start().strip_prefix("class=\"x-nc-");
            let label = |class: &str| class.strip_prefix("sel").and_then(|it| it.bytes().next());
            let span = class.map_or(Span::Own, |class| Span::Label(label(class).unwrap_or(0)));
            self.open.push(span);
            if matches!(span, Span::Label(_)) {
                return;
            }
        } else if strip_name(tag, "</span").is_some()
            && let Some(Span::Label(_)) = self.open.pop()
        {
            return;
        }
        self.put(tag);
    }

    fn put(&mut self, text: &str) {
        let label = self.open.iter().rev().find_map(|span| match span {
            Span::Label(label) if *label > 0 => Some(*label),
            _ => None,
        });
        self.source.push_str(text);
        self.labels.resize(self.source.len(), label.unwrap_or(0));
    }

    /// What most of a text is.
    fn element(&self, text: Range<usize>) -> Option<usize> {
        let mut votes: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        for at in text.filter(|at| !self.source.as_bytes()[*at].is_ascii_whitespace()) {
            let element = match self.labels[at] {
                b'1' => Some(HEADLINE),
                b'2' => Some(FULL_TEXT),
                _ => None,
            };
            *votes.entry(element).or_default() += 1;
        }
        votes.into_iter().max_by_key(|it| it.1).and_then(|it| it.0)
    }
}

/// What follows the name of a tag, if it has that name.
fn strip_name<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (start, rest) = tag.split_at_checked(name.len())?;
    let is_whole = rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '>');
    (start.eq_ignore_ascii_case(name) && is_whole).then_some(rest)
}

/// How far a comment goes, a script or style sheet, or else a tag.
fn markup_len(markup: &str) -> usize {
    let up_to = |end: &str| markup.find(end).unwrap_or(markup.len());
    let past = |end: &str| markup.find(end).map_or(markup.len(), |it| it + end.len());
    let is_named = |name: &str| strip_name(markup, name).is_some();
    match () {
        () if markup.starts_with("<!--") => past("-->"),
        () if is_named("<script") => up_to("</script"),
        () if is_named("<style") => up_to("</style"),
        () => past(">"),
    }
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
        let html = "<script>'<span>'</script><body><h1><span class=\"x-nc-sel1\"><span class=\"x-nc-sel1\">Ä &amp; B</span></span></h1>
            <span class=\"x-nc-sel2\"><p class=own><span class=\"x-nc-sel2\">One</span><span class=\"x-nc-sel2\"><br></span> <span lang=en><b><span class=\"x-nc-sel2 x\"><span class=\"x-nc-sel2\">two</span></span></b></span></p></span>
            <a href='http://a.example.org/'><span class=\"x-nc-sel0\">More</span></a>";
        let read = labelled(html.as_bytes()).unwrap();
        assert_eq!(read.elements, [Some(HEADLINE), Some(FULL_TEXT), Some(FULL_TEXT), None]);
        assert!(!read.page.source().contains("x-nc-"));
        assert_eq!(read.site, "example.org");
    }
}
