//! From some sites of a kind to others of it: detail pages of sites never seen, by a schema.
//!
//! Of the ten sites of each kind, some in a row are learnt from, with the gold as labels, and the five after the first five are
//! annotated; then the same from the next site on, ten times. A value is right as the referee says, but names count: only what is
//! called as the gold calls it.

use super::report::{Results, Row};
use super::score::Part;
use super::sites::{self, Site};
use super::{Flags, in_parallel};
use annotate::{Choice, ColumnModel, Label, Labels, Lesson, Target};
use anyhow::{Context, Result, ensure};
use page::Page;
use pagemill::site::cut;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;
use wrapper::{Data, Extractor, Value};

/// What the suite is called.
pub(crate) const SUITE: &str = "across";
/// Sites of a kind.
const N_SITES: usize = 10;
/// Of these, so many are learnt from at most, and so many others annotated.
const N_LEARNT: usize = 5;
/// Pages one by one take longer; they start from these sites.
const STARTS_OF_LEAVES: [usize; 2] = [0, 5];

/// By attribute: the keys of its values.
type Values = BTreeMap<String, BTreeSet<String>>;

/// A line of gold.
#[derive(Deserialize)]
struct Gold {
    page: String,
    values: BTreeMap<String, Vec<String>>,
}

/// A site, looked at once for all models.
struct Known {
    pages: Vec<Page>,
    gold: Vec<BTreeMap<String, Vec<String>>>,
    /// Its columns, by number.
    paths: Vec<String>,
    lesson: Lesson,
    /// By page.
    data: Vec<Data>,
}

pub(crate) fn run(flags: &Flags, data: &Path) -> Result<()> {
    let sites = sites::find(&data.join("swde"), &flags.sites, flags.pages)?;
    let mut kinds: BTreeMap<String, Vec<&Site>> = BTreeMap::new();
    for site in &sites {
        let (kind, _) = site.name.split_once('-').context("a site without a kind")?;
        kinds.entry(kind.to_owned()).or_default().push(site);
    }
    kinds.retain(|_, sites| sites.len() == N_SITES);
    ensure!(!kinds.is_empty(), "no kind has all of its {N_SITES} sites: name a kind, not a site");
    let started = Instant::now();
    let rows =
        kinds.iter().map(|(kind, sites)| measure(kind, sites)).collect::<Result<Vec<_>>>()?;
    print_table(&rows);
    let parts =
        ["leaves_1", "leaves_5", "columns_1", "columns_2", "columns_3", "columns_4", "columns_5"];
    let seconds = started.elapsed().as_secs_f64();
    let results = Results::new(SUITE, sites::digest(&sites)?, &parts, rows, seconds);
    super::judge(flags, &results)
}

/// All that is measured of one kind of sites.
fn measure(kind: &str, sites: &[&Site]) -> Result<Row> {
    let started = Instant::now();
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let golds = sites.iter().map(|site| read_gold(site)).collect::<Result<Vec<_>>>()?;
    let target = target(kind, &golds)?;
    let pairs: Vec<_> = sites.iter().zip(golds).collect();
    let known = in_parallel(&pairs, n_cores, |(site, gold)| look(site, gold, &target));
    let known = known.into_iter().collect::<Result<Vec<_>>>()?;
    let mut row = Row::new(kind, known.iter().map(|it| it.pages.len()).sum());
    let starts: Vec<usize> = (0..N_SITES).collect();
    for n_learnt in 1..=N_LEARNT {
        let scores = in_parallel(&starts, n_cores, |start| {
            let lessons: Vec<&Lesson> =
                (0..n_learnt).map(|nth| &known[(start + nth) % N_SITES].lesson).collect();
            let model = ColumnModel::train(&target, &lessons);
            mean_over_tested(*start, &known, |site| by_columns(&model, &target, site))
        });
        row.verdict.parts.insert(format!("columns_{n_learnt}"), share(mean(&scores)));
        row.verdict.score = mean(&scores);
    }
    for n_learnt in [1, N_LEARNT] {
        let scores = in_parallel(&STARTS_OF_LEAVES, n_cores, |start| {
            let lessons: Vec<&Lesson> =
                (0..n_learnt).map(|nth| &known[(start + nth) % N_SITES].lesson).collect();
            let model = ColumnModel::train(&target, &lessons);
            mean_over_tested(*start, &known, |site| by_leaves(&model, &target, site))
        });
        row.verdict.parts.insert(format!("leaves_{n_learnt}"), share(mean(&scores)));
    }
    row.set_times(started.elapsed(), started.elapsed());
    Ok(row)
}

fn share(f1: f64) -> Part {
    Part { precision: f1, recall: f1, f1, column: None }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn mean_over_tested(start: usize, known: &[Known], found: impl Fn(&Known) -> Vec<Values>) -> f64 {
    let tested = (N_LEARNT..N_SITES).map(|nth| &known[(start + nth) % N_SITES]);
    let scores: Vec<f64> = tested.map(|site| score(&site.gold, &found(site))).collect();
    mean(&scores)
}

fn read_gold(site: &Site) -> Result<Vec<Gold>> {
    let text = fs::read_to_string(site.folder().join("gold.jsonl"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let all = lines.map(|line| Ok(serde_json::from_str(line)?)).collect::<Result<Vec<Gold>>>()?;
    let names: Vec<String> = site.pages.iter().map(|page| sites::name(page)).collect();
    Ok(all.into_iter().filter(|gold| names.contains(&gold.page)).collect())
}

/// One in so many pages has several values of what repeats.
const SELDOM: usize = 20;

/// The schema of a kind: what its gold has.
fn target(kind: &str, golds: &[Vec<Gold>]) -> Result<Target> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, values) in golds.iter().flatten().flat_map(|gold| &gold.values) {
        let count = counts.entry(name).or_default();
        count.0 += usize::from(!values.is_empty());
        count.1 += usize::from(keys(values).len() > 1);
    }
    let elements: Vec<String> = counts
        .iter()
        .map(|(name, (n, n_many))| format!("{name}{}", if n_many * SELDOM > *n { "*" } else { "" }))
        .collect();
    Ok(Target::parse(&format!("<!ELEMENT {kind} ({})>", elements.join(", ")))?)
}

fn keys(values: &[String]) -> BTreeSet<String> {
    values.iter().map(|value| key(value)).filter(|key| !key.is_empty()).collect()
}

/// Letters and digits, in lower case, as the referee compares them.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn look(site: &Site, gold: &[Gold], target: &Target) -> Result<Known> {
    let folder = site.folder().join("pages");
    let read = |gold: &Gold| Ok(page::parse(&fs::read(folder.join(&gold.page))?));
    let pages = gold.iter().map(read).collect::<Result<Vec<Page>>>()?;
    let gold: Vec<BTreeMap<String, Vec<String>>> =
        gold.iter().map(|gold| gold.values.clone()).collect();
    let cut = cut(&pages.iter().collect::<Vec<_>>(), NonZeroUsize::MIN)?;
    let known: Vec<Labels> = cut.numbers.iter().map(|it| labels(&gold[*it], target)).collect();
    let lesson = Lesson::new(target, &cut.site, &known);
    let paths = cut.site.columns.iter().map(|column| column.path.clone()).collect();
    let mut extractor = Extractor::new(&cut.wrapper);
    let data = pages.iter().map(|page| extractor.extract(page).data).collect();
    Ok(Known { pages, gold, paths, lesson, data })
}

fn labels(gold: &BTreeMap<String, Vec<String>>, target: &Target) -> Labels {
    let elements = target.elements().iter().enumerate();
    let labels = elements.flat_map(|(nth, element)| {
        let values = gold.get(element.name()).into_iter().flatten();
        values.map(move |value| Label::Value(nth, value.clone()))
    });
    Labels::new(labels.collect())
}

fn by_columns(model: &ColumnModel, target: &Target, site: &Known) -> Vec<Values> {
    let choices = model.choose_again(&site.lesson);
    let of = |data: &Data| {
        let value = |choice: &Choice| {
            let path: Vec<&str> = site.paths[choice.column].split('.').collect();
            let mut found = Vec::new();
            collect(data, &path, &mut found);
            (target.elements()[choice.element].name().to_owned(), keys(&found))
        };
        choices.iter().map(value).collect()
    };
    site.data.iter().map(of).collect()
}

/// The texts at the end of a path.
fn collect(data: &Data, path: &[&str], found: &mut Vec<String>) {
    let Some((name, rest)) = path.split_first() else { return };
    match data.get(name) {
        Some(Value::Text(text)) if rest.is_empty() => found.push(text.to_string()),
        Some(Value::Records(records)) => {
            records.iter().for_each(|record| collect(record, rest, found));
        }
        _ => {}
    }
}

/// Each page for itself.
fn by_leaves(model: &ColumnModel, target: &Target, site: &Known) -> Vec<Values> {
    let of = |page: &Page| {
        let found = model.choose_alone(page).into_iter();
        let name = |element: usize| target.elements()[element].name().to_owned();
        found.map(|(choice, text)| (name(choice.element), keys(&[text]))).collect()
    };
    site.pages.iter().map(of).collect()
}

/// The mean F1 over the attributes that the gold of a site has.
fn score(gold: &[BTreeMap<String, Vec<String>>], found: &[Values]) -> f64 {
    let names: BTreeSet<&String> = gold.iter().flat_map(BTreeMap::keys).collect();
    let f1 = |name: &&String| {
        let (mut n_right, mut n_found, mut n_gold) = (0, 0, 0);
        for (gold, found) in gold.iter().zip(found) {
            let gold = gold.get(*name).map(|it| keys(it)).unwrap_or_default();
            let found = found.get(*name).cloned().unwrap_or_default();
            n_right += gold.intersection(&found).count();
            n_found += found.len();
            n_gold += gold.len();
        }
        (n_gold > 0).then(|| 2.0 * n_right as f64 / (n_found + n_gold) as f64)
    };
    mean(&names.iter().filter_map(f1).collect::<Vec<_>>())
}

fn print_table(rows: &[Row]) {
    println!("sites learnt from  columns: 1       2       3       4       5  leaves: 1       5");
    let parts = (1..=N_LEARNT).map(|n| format!("columns_{n}"));
    let parts: Vec<String> = parts.chain(["leaves_1".to_owned(), "leaves_5".to_owned()]).collect();
    let line = |name: &str, value: &dyn Fn(&str) -> f64| {
        let figures: Vec<String> = parts.iter().map(|it| format!("{:7.3}", value(it))).collect();
        println!("{name:21} {}", figures.join(" "));
    };
    for row in rows {
        line(&row.site, &|part| row.verdict.parts[part].f1);
    }
    line("mean", &|part| {
        mean(&rows.iter().map(|it| it.verdict.parts[part].f1).collect::<Vec<_>>())
    });
}
