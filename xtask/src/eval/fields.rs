//! News fields on sites never seen: five folds by site inside each set, scored by the referee.

use super::Flags;
use super::report::{Results, Row};
use super::score::score;
use super::sites::{self, Site};
use annotate::{Example, Label, Labels, Model, Target, TrainConfig, train};
use anyhow::{Context, Result};
use page::Page;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// What the suite is called.
pub(crate) const SUITE: &str = "fields";
/// What trafilatura 2 reaches by the same referee.
const PEER: [(&str, &[(&str, f64)]); 4] = [
    ("wcxb", &[("title", 0.553), ("author", 0.654), ("date", 0.847), ("content", 0.938)]),
    ("trafilatura", &[("title", 0.613), ("author", 0.604), ("date", 0.866)]),
    ("postlight", &[("title", 0.836), ("author", 0.593), ("date", 0.756)]),
    ("chinese69", &[("author", 0.056), ("date", 0.557), ("content", 0.742)]),
];
const N_FOLDS: u64 = 5;
const SCHEMA: &str = "<!ELEMENT news (title, author, date, source?, content*)>";

/// A line of gold.
#[derive(Deserialize)]
struct Gold {
    page: String,
    url: Option<String>,
    values: BTreeMap<String, Vec<String>>,
}

/// An article with what is known of it.
struct Article {
    gold: Gold,
    page: Page,
    /// Its domain; pages without an address are each of a site of their own.
    site: String,
}

pub(crate) fn run(flags: &Flags, shared: &Path, data: &Path) -> Result<()> {
    let names: Vec<&str> = PEER.iter().map(|it| it.0).collect();
    let wanted: Vec<String> = match flags.sites.as_slice() {
        [] => names.iter().map(|it| (*it).to_owned()).collect(),
        some => some.to_vec(),
    };
    let sets = sites::find(&data.join("news"), &wanted, None)?;
    let folder = tempfile::tempdir()?;
    let started = Instant::now();
    let mut rows = Vec::new();
    for set in &sets {
        rows.push(
            measure(set, shared, folder.path())
                .with_context(|| format!("cannot measure {}", set.name))?,
        );
    }
    print_table(&rows);
    let digest = sites::digest(&sets)?;
    let mut results = Results::new(SUITE, digest, &["mean"], rows, started.elapsed().as_secs_f64());
    for row in &results.rows {
        for (field, part) in &row.verdict.parts {
            results.means.insert(format!("{}_{field}", row.site), part.f1);
        }
    }
    super::judge(flags, &results)
}

/// What the prose of a set is like, as the table that is built in.
pub(crate) fn prose_prior(data: &Path, set: &str) -> Result<String> {
    let sets = sites::find(&data.join("news"), &[set.to_owned()], None)?;
    let target = Target::parse(SCHEMA)?;
    let content = target.find("content").context("no content in the schema")?;
    let articles = read(sets.first().with_context(|| format!("no set {set:?}"))?)?;
    let examples: Vec<Example<'_>> = articles.iter().map(|it| example(it, &target)).collect();
    Ok(annotate::prose_prior(&target, &examples, content))
}

/// All folds of a set.
fn measure(set: &Site, shared: &Path, folder: &Path) -> Result<Row> {
    let articles = read(set)?;
    let target = Target::parse(SCHEMA)?;
    let mut row = Row::new(&set.name, articles.len());
    let started = Instant::now();
    let folds: Vec<u64> = (0..N_FOLDS).collect();
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let lines =
        super::in_parallel(&folds, n_cores, |fold| annotate_fold(&articles, &target, *fold));
    row.set_times(started.elapsed(), started.elapsed());
    let output = folder.join(format!("{}.jsonl", set.name));
    fs::write(&output, lines.concat())?;
    let gold = set.write_gold(folder, |_| true)?;
    row.verdict = score(&shared.join("eval/score.py"), &gold, &output)?;
    Ok(row)
}

fn read(set: &Site) -> Result<Vec<Article>> {
    let folder = set.folder();
    let text = fs::read_to_string(folder.join("gold.jsonl"))?;
    let read = |line: &str| {
        let gold: Gold = serde_json::from_str(line)?;
        let page = page::parse(&fs::read(folder.join("pages").join(&gold.page))?);
        let site = gold.url.as_deref().and_then(domain).unwrap_or_else(|| gold.page.clone());
        Ok(Article { gold, page, site })
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}

/// The domain that somebody has registered: the last two labels of a host, or three where a country has second levels of its own
/// (`bbc.co.uk`). Sub-domains are of one site.
pub(super) fn domain(url: &str) -> Option<String> {
    const SECOND_LEVELS: [&str; 10] =
        ["ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org"];
    let host = url.split("//").nth(1)?.split(['/', ':', '?', '#']).next()?;
    let labels: Vec<&str> = host.rsplit('.').collect();
    let is_shared = labels.len() > 2 && labels[0].len() == 2 && SECOND_LEVELS.contains(&labels[1]);
    let n_labels = if is_shared { 3 } else { 2 };
    let kept: Vec<&str> = labels.into_iter().take(n_labels).rev().collect();
    (!host.is_empty()).then(|| kept.join("."))
}

/// Which fold a site is in: by its name alone, so that all its pages are in the same.
fn fold_of(site: &str) -> u64 {
    site.bytes().fold(7u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        % N_FOLDS
}

fn annotate_fold(articles: &[Article], target: &Target, fold: u64) -> String {
    let (own, others): (Vec<&Article>, Vec<&Article>) =
        articles.iter().partition(|it| fold_of(&it.site) == fold);
    let model = train(
        target,
        &others.iter().map(|it| example(it, target)).collect::<Vec<_>>(),
        &TrainConfig::default(),
    );
    own.iter().map(|it| line(&model, it)).collect()
}

fn example<'a>(article: &'a Article, target: &Target) -> Example<'a> {
    let elements = target.elements().iter().enumerate();
    let labels = elements.flat_map(|(nth, element)| {
        let values = article.gold.values.get(element.name()).into_iter().flatten();
        values.map(move |value| Label::Value(nth, value.clone()))
    });
    Example {
        page: &article.page,
        site: article.site.clone(),
        labels: Labels::new(labels.collect()),
    }
}

fn line(model: &Model, article: &Article) -> String {
    let data = model.annotate(&article.page).data(model.target());
    serde_json::json!({ "page": article.gold.page, "data": data }).to_string() + "\n"
}

fn print_table(rows: &[Row]) {
    println!("set          field      precision   recall       F1   trafilatura");
    for row in rows {
        let peer = PEER.iter().find(|it| it.0 == row.site).map_or(&[][..], |it| it.1);
        for (field, part) in &row.verdict.parts {
            let known = peer.iter().find(|it| it.0 == field).map(|it| it.1);
            let shown = known.map_or_else(String::new, |it| {
                format!("{it:9.3}  {}", if part.f1 > it { "ahead" } else { "BEHIND" })
            });
            println!(
                "{:12} {field:10} {:9.3} {:8.3} {:8.3} {shown}",
                row.site, part.precision, part.recall, part.f1
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_site_share_a_fold() {
        assert_eq!(domain("https://www.news.example.com/a?b").as_deref(), Some("example.com"));
        assert_eq!(domain("http://www.bbc.co.uk/x").as_deref(), Some("bbc.co.uk"));
        assert_eq!(domain("http://a.co.uk").as_deref(), Some("a.co.uk"));
        assert_eq!(domain("nothing"), None);
        assert_eq!(fold_of("example.com"), fold_of("example.com"));
        let folds: std::collections::BTreeSet<u64> =
            (0..100).map(|n| fold_of(&format!("site{n}.com"))).collect();
        assert_eq!(folds.len(), 5);
    }
}
