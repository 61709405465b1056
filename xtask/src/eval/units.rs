//! `cargo xtask eval units`: departments on the pages of a recorded university that list them.
//!
//! The gold knows where the people of each unit are listed. A page that links to many of these places lists the units: each block with
//! such a link is one of them, and starts with its name. Units without such a link are not known to the gold, and not judged.

use super::Flags;
use super::people::Counts;
use super::report::{Results, Row};
use super::score::Verdict;
use anyhow::{Context, Result, ensure};
use page::{Leaf, Leaves, NodeId, Page};
use pagemill::input;
use pagemill::regions::{Config, Thresholds, units};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Instant;
use url::Url;

pub(crate) const SUITE: &str = "units";
pub(crate) const SITE: &str = "uni/ucsd";
/// A page that links to so many lists of people is a list of units.
const MIN_LINKS: usize = 20;

/// A page that lists units.
pub(crate) struct Listing {
    url: Url,
    page: Page,
    /// Names, as the page has them.
    names: Vec<String>,
    /// Where the people of each are listed.
    links: BTreeSet<String>,
}

pub(crate) fn run(flags: &Flags, data: &Path) -> Result<()> {
    let started = Instant::now();
    let listings = read(&data.join(SITE))?;
    ensure!(!listings.is_empty(), "no page of {SITE} lists units");
    let ways = [("graded", Thresholds::default()), ("paper", Thresholds::paper())];
    let mut rows = Vec::new();
    println!("{:<12}{:<56} names  found  right  name F1  link F1", "way", "page");
    for (way, thresholds) in ways {
        let config = Config { thresholds, ..Config::default() };
        let (mut names, mut links) = (Counts::default(), Counts::default());
        for listing in &listings {
            let (of_names, of_links) = listing.judge(&config);
            let Counts { right, found, wanted } = of_names;
            let url = listing.url.as_str();
            println!(
                "{way:<12}{url:<56} {wanted:5}  {found:5}  {right:5} {:8.3} {:8.3}",
                of_names.f1(),
                of_links.f1()
            );
            (names, links) = (names.plus(of_names), links.plus(of_links));
        }
        let parts = BTreeMap::from([
            ("names".to_owned(), names.part()),
            ("links".to_owned(), links.part()),
        ]);
        let mut row = Row::new(way, listings.len());
        row.verdict = Verdict { score: names.f1(), parts };
        rows.push(row);
    }
    let digest = format!(
        "{} pages, {} units",
        listings.len(),
        listings.iter().map(|it| it.names.len()).sum::<usize>()
    );
    let mut results = Results::new(SUITE, digest, &[], rows, started.elapsed().as_secs_f64());
    let ours = results.rows[0].verdict.parts.clone();
    results.means.extend(ours.into_iter().map(|(name, part)| (name, part.f1)));
    super::judge(flags, &results)
}

/// The pages of a recorded university that list its units.
pub(crate) fn read(folder: &Path) -> Result<Vec<Listing>> {
    let gold: Value = serde_json::from_slice(&fs::read(folder.join("gold.json"))?)?;
    let people = gold["units"].as_array().context("no units")?.iter();
    let people: BTreeSet<String> =
        people.filter_map(|unit| unit["people_page"].as_str()).map(str::to_owned).collect();
    let mut listings = Vec::new();
    for input in input::pages([folder.join("site.warc.gz")]) {
        let input = input?;
        let Some(url) = input.url.as_deref().and_then(|url| Url::parse(url).ok()) else { continue };
        let listing = Listing::of(url, input.parse(), &people);
        if listing.links.len() >= MIN_LINKS {
            listings.push(listing);
        }
    }
    Ok(listings)
}

impl Listing {
    fn of(url: Url, page: Page, people: &BTreeSet<String>) -> Listing {
        let leaves = page.leaves();
        let mut names = Vec::new();
        let mut links = BTreeSet::new();
        for leaf in leaves.iter() {
            let target =
                leaf.link.and_then(|link| resolved(&url, link)).filter(|it| people.contains(it));
            if let Some(target) = target
                && links.insert(target)
            {
                names.extend(first_of_block(&page, &leaves, leaf));
            }
        }
        Listing { url, page, names, links }
    }

    /// How well names and links are found; of units with a link to their people, as the gold knows no others.
    pub(crate) fn judge(&self, config: &Config) -> (Counts, Counts) {
        let found = units(&self.page, config);
        let with_people = || found.iter().filter(|unit| unit.people_url.is_some());
        let names: Vec<String> = with_people().map(|unit| unit.name.clone()).collect();
        let target = |link: &String| resolved(&self.url, link);
        let links: BTreeSet<String> =
            with_people().filter_map(|unit| target(unit.people_url.as_ref()?)).collect();
        let of_links = Counts {
            right: links.intersection(&self.links).count(),
            found: links.len(),
            wanted: self.links.len(),
        };
        (Counts::of(&self.names, &names), of_links)
    }
}

fn resolved(base: &Url, link: &str) -> Option<String> {
    let mut url = base.join(link).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

/// What the block of a leaf starts with, without the bracket that some lists have there.
fn first_of_block(page: &Page, leaves: &Leaves, leaf: Leaf<'_>) -> Option<String> {
    let block = page.ancestors(leaf.element).find(|node| !page.is_inline(*node))?;
    let is_inside =
        |element: NodeId| element == block || page.ancestors(element).any(|node| node == block);
    let before =
        (0..=leaf.position).rev().take_while(|position| is_inside(leaves.element(*position)));
    let text = leaves.get(before.last()?).text;
    Some(text.split('[').next()?.trim().to_owned())
}
