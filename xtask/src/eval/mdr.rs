//! MDR, the baseline that the paper compares with (Liu, Grossman and Zhai, KDD 2003).
//!
//! Of the children of each node, generalized nodes (stretches of one to ten siblings) are compared with the one behind them;
//! those in a row that are alike are a data region, and each of them is a record, or where it is a row of things that are alike, these
//! are. Regions inside of records are not looked for. Trees are compared by the similarity that the engine uses, not by the edit
//! distance of their tags, so that what differs is the method.

use page::{Leaves, NodeId, Page};
use pagemill::regions::{
    Config, Field, Matcher, Outline, Person, Repeat, RepeatConfig, TwigId, name_in, rank, repeats,
};
use std::ops::Range;
use wrapper::{Cutter, Data};

/// Siblings that a generalized node has at most; `K` of the paper.
const MAX_UNIT: usize = 10;
/// What is smaller is not looked into: trees of fewer than three levels have no records.
const MIN_SIZE: u32 = 4;
/// Stretches more alike than this repeat.
pub(crate) const SIMILARITY: f64 = 0.8;
/// The share of records with a name that makes a region one of people.
const NAMES: f64 = 0.75;
/// A name counts from this probability on.
const SURE: f64 = 0.5;

/// Siblings that make up one record.
type Record = Vec<TwigId>;

/// The data regions of a page, each its records.
pub(crate) fn regions(outline: &Outline, similarity: f64) -> Vec<Vec<Record>> {
    let matcher = Matcher::new(outline, false).with_budget(usize::MAX);
    let mut search = Search { outline, matcher, similarity };
    let mut found = Vec::new();
    let mut open = vec![outline.root()];
    while let Some(parent) = open.pop() {
        let siblings = outline.children(parent);
        let mut is_inside = vec![false; siblings.len()];
        let mut start = 0;
        while let Some(stretch) = search.next_region(siblings, start) {
            start = stretch.end();
            is_inside[stretch.start..start].fill(true);
            found.push(search.records(&siblings[stretch.start..start], stretch.unit));
        }
        let outside = siblings.iter().zip(is_inside).filter(|(_, is_inside)| !is_inside);
        open.extend(outside.map(|(it, _)| *it).filter(|it| outline.twig(*it).size >= MIN_SIZE));
    }
    found
}

struct Search<'o> {
    outline: &'o Outline,
    matcher: Matcher<'o>,
    similarity: f64,
}

/// Generalized nodes in a row: where the first starts, how many siblings each has, and how many there are.
#[derive(Clone, Copy)]
struct Stretch {
    start: usize,
    unit: usize,
    n_units: usize,
}

impl Stretch {
    fn n_siblings(&self) -> usize {
        self.unit * self.n_units
    }

    fn end(&self) -> usize {
        self.start + self.n_siblings()
    }
}

impl Search<'_> {
    /// The region that covers most from a sibling on.
    fn next_region(&mut self, siblings: &[TwigId], start: usize) -> Option<Stretch> {
        let mut best: Option<Stretch> = None;
        for unit in 1..=MAX_UNIT {
            for first in start..(start + unit).min(siblings.len()) {
                let Some(found) = self.stretch(siblings, first, unit) else { continue };
                let is_better = best.is_none_or(|best| {
                    found.n_siblings() > best.n_siblings() && found.start <= best.start
                });
                if is_better {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// The first generalized nodes in a row that are alike, in steps of their length.
    fn stretch(&mut self, siblings: &[TwigId], first: usize, unit: usize) -> Option<Stretch> {
        let mut start = first;
        while start + 2 * unit <= siblings.len() {
            let pairs = siblings[start..]
                .chunks_exact(unit)
                .zip(siblings[start + unit..].chunks_exact(unit));
            let are_alike = |(left, right): &(&[TwigId], &[TwigId])| {
                self.matcher.alike_units(left, right) > self.similarity
            };
            let n_alike = pairs.take_while(are_alike).count();
            if n_alike > 0 {
                return Some(Stretch { start, unit, n_units: n_alike + 1 });
            }
            start += unit;
        }
        None
    }

    /// The records of a region: its generalized nodes, or where each is one element whose children are alike, these.
    fn records(&mut self, siblings: &[TwigId], unit: usize) -> Vec<Record> {
        if unit == 1 && siblings.iter().all(|it| self.is_row(*it)) {
            let cells = siblings.iter().flat_map(|it| self.outline.children(*it));
            return cells.map(|it| vec![*it]).collect();
        }
        siblings.chunks(unit).map(<[TwigId]>::to_vec).collect()
    }

    /// Whether an element is a row of records: several children, alike and each more than a text.
    fn is_row(&mut self, twig: TwigId) -> bool {
        let children = self.outline.children(twig);
        let (matcher, similarity) = (&mut self.matcher, self.similarity);
        children.len() > 1
            && children.iter().all(|it| self.outline.twig(*it).size >= MIN_SIZE)
            && children.windows(2).all(|pair| matcher.are_alike(pair[0], pair[1], similarity))
    }
}

/// The records of each region with their data, the region with most text first.
pub(crate) fn record_sets(page: &Page, leaves: &Leaves) -> Vec<Vec<Data>> {
    let outline = Outline::new(page, leaves);
    let mut regions = regions(&outline, SIMILARITY);
    let ranges = |region: &Vec<Record>| -> Vec<Range<usize>> {
        region.iter().map(|record| leaves_of(&outline, record)).collect()
    };
    let letters = |region: &Vec<Record>| -> usize {
        ranges(region).into_iter().flatten().map(|leaf| leaves.get(leaf).text.len()).sum()
    };
    regions.sort_by_cached_key(|region| std::cmp::Reverse(letters(region)));
    let mut all: Vec<Range<usize>> = regions.iter().flat_map(ranges).collect();
    all.sort_by_key(|it| it.start);
    // MDR ends at the records; for their columns it gets what the engine has.
    let cutter = Cutter::new(page, leaves.clone(), &all);
    let nodes = |record: &Record| -> Vec<NodeId> {
        record.iter().map(|it| outline.twig(*it).node).collect()
    };
    let cut =
        |region: &Vec<Record>| cutter.cut(&region.iter().map(nodes).collect::<Vec<_>>()).records;
    regions.iter().map(cut).collect()
}

fn leaves_of(outline: &Outline, record: &Record) -> Range<usize> {
    let leaves = |it: &TwigId| outline.twig(*it).leaves.clone();
    let (first, last) = (record.first().map(leaves), record.last().map(leaves));
    first.map_or(0, |it| it.start as usize)..last.map_or(0, |it| it.end as usize)
}

/// The people of a page by data regions and the dictionary: of regions most of whose records have a name, the first of each. What else
/// is said of them is what the dictionary knows within their records: a title, and where the name leads.
pub(crate) fn people_in(
    page: &Page,
    leaves: &Leaves,
    config: &Config,
    similarity: f64,
) -> Vec<Person> {
    let outline = Outline::new(page, leaves);
    let regions = regions(&outline, similarity);
    let of_region = |(group, records): (usize, &Vec<Record>)| {
        named(&outline, leaves, records, config)
            .into_iter()
            .map(move |named| person(leaves, named, group, config))
    };
    regions.iter().enumerate().flat_map(of_region).collect()
}

/// Their names.
pub(crate) fn people(page: &Page, config: &Config, similarity: f64) -> Vec<String> {
    let people = people_in(page, &page.leaves(), config, similarity);
    people.into_iter().map(|person| person.name).collect()
}

/// The same by the paper's own repeating units (its Algorithm 1) in place of data regions.
pub(crate) fn people_by_units(page: &Page, config: &Config, similarity: f64) -> Vec<String> {
    let leaves = page.leaves();
    let outline = Outline::new(page, &leaves);
    let how = RepeatConfig { similarity, similarity_of_role: similarity, ..RepeatConfig::paper() };
    let found: Vec<Repeat> = repeats(&outline, &leaves, &how);
    let named = found.iter().flat_map(|it| named(&outline, &leaves, &it.units, config));
    named.map(|it| it.name.to_owned()).collect()
}

/// A record that has a name.
struct Named<'l> {
    name: &'l str,
    score: f64,
    leaf: usize,
    record: Range<usize>,
}

/// The records of a region with their names, if most have one.
fn named<'l>(
    outline: &Outline,
    leaves: &'l Leaves,
    records: &[Record],
    config: &Config,
) -> Vec<Named<'l>> {
    let named = |record: &Record| {
        let record = leaves_of(outline, record);
        record.clone().find_map(|leaf| {
            let found = name_in(leaves.get(leaf).text, &config.dictionary);
            let (name, score) = found.filter(|(_, probability)| *probability > SURE)?;
            Some(Named { name, score, leaf, record: record.clone() })
        })
    };
    let found: Vec<Named<'_>> = records.iter().filter_map(named).collect();
    let are_most = found.len() as f64 > records.len() as f64 * NAMES;
    if are_most { found } else { Vec::new() }
}

fn person(leaves: &Leaves, named: Named<'_>, group: usize, config: &Config) -> Person {
    let own = leaves.get(named.leaf);
    let field = |text: &str, leaf: usize| Field { text: text.to_owned(), leaf };
    let title = named.record.filter(|leaf| *leaf != named.leaf).find_map(|leaf| {
        let text = leaves.get(leaf).text;
        Some((field(text, leaf), rank(text, &config.dictionary)?))
    });
    Person {
        name: named.name.to_owned(),
        rank: title.as_ref().map(|(_, rank)| *rank),
        title: title.map(|(title, _)| title),
        email: None,
        phone: None,
        homepage: own.link.map(|link| field(link, named.leaf)),
        photo: None,
        unit: None,
        heading: None,
        leaf: named.leaf,
        node: own.node,
        span: own.span,
        score: named.score,
        group,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(html: &str) -> Vec<Vec<String>> {
        let page = page::parse(html.as_bytes());
        let leaves = page.leaves();
        let outline = Outline::new(&page, &leaves);
        let text = |record: &Record| {
            let texts = leaves_of(&outline, record).map(|leaf| leaves.get(leaf).text.to_owned());
            texts.collect::<Vec<_>>().join(" ")
        };
        let regions = regions(&outline, SIMILARITY);
        regions.iter().map(|region| region.iter().map(text).collect()).collect()
    }

    #[test]
    fn generalized_nodes_may_have_several_siblings() {
        let list = "<dl><dt><b>Dune</b><i>new</i><dd>$9<dt><b>Emma</b><i>old</i><dd>$7</dl>";
        assert_eq!(texts(list), [["Dune new $9", "Emma old $7"]]);
    }

    #[test]
    fn rows_of_records_are_opened() {
        let cell = |name: &str| format!("<td><b>{name}</b><i>$9</i></td>");
        let row = |a: &str, b: &str| format!("<tr>{}{}</tr>", cell(a), cell(b));
        let grid = format!("<table>{}{}</table>", row("Dune", "Emma"), row("Kim", "Ivanhoe"));
        assert_eq!(texts(&grid), [["Dune $9", "Emma $9", "Kim $9", "Ivanhoe $9"]]);
    }

    #[test]
    fn people_are_in_regions_of_names() {
        let html = "<ul><li><b>Anna Berg</b> room 4<li><b>Tomasz Nowak</b> room 5<li><b>Maria Rossi</b> room 6</ul>";
        let page = page::parse(html.as_bytes());
        let names = people(&page, &Config::default(), SIMILARITY);
        assert_eq!(names, ["Anna Berg", "Tomasz Nowak", "Maria Rossi"]);
    }

    #[test]
    fn titles_are_those_of_the_record() {
        let html = "<ul><li><a href=/a>Anna Berg</a> <i>Lecturer</i><li><a href=/t>Tomasz Nowak</a> <i>Professor</i></ul>";
        let page = page::parse(html.as_bytes());
        let people = people_in(&page, &page.leaves(), &Config::default(), SIMILARITY);
        let text = |field: &Option<Field>| field.as_ref().map(|it| it.text.clone());
        let said: Vec<_> = people.iter().map(|it| (text(&it.title), text(&it.homepage))).collect();
        let expected = [("Lecturer", "/a"), ("Professor", "/t")];
        assert_eq!(said, expected.map(|(a, b)| (Some(a.to_owned()), Some(b.to_owned()))));
    }
}
