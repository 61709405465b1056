//! All lists of people and units of the university of the corpus, against its gold.
//!
//! Shares are exact: who changes what is found changes them here, and says why.

use regions::{Config, Person, Unit, people, units};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use url::Url;

const HOME: &str = "https://aldermoor.example";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/university")
}

fn gold() -> Value {
    serde_json::from_slice(&std::fs::read(corpus().join("gold.json")).unwrap()).unwrap()
}

fn page(path: &str) -> page::Page {
    let file = if path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    page::parse(&std::fs::read(corpus().join("site").join(&file[1..])).unwrap())
}

/// The words of a name in any order: `Last, First` is the same person.
fn key(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphabetic()).filter(|it| !it.is_empty()).collect();
    words.sort_unstable();
    words.join(" ")
}

fn texts<'v>(value: &'v Value, name: &str) -> Vec<&'v str> {
    value[name].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Where a link leads, from a page of the site.
fn path_of(page: &str, link: &str) -> String {
    Url::parse(HOME).unwrap().join(page).unwrap().join(link).unwrap().path().to_owned()
}

/// A person of the gold and the one that was found, with the page they are on.
struct Pair {
    gold: Value,
    found: Person,
    page: String,
}

/// Everybody of all lists, and what else was taken for a name.
fn everybody() -> (Vec<Pair>, Vec<String>, Vec<String>) {
    let config = Config::default();
    let (mut pairs, mut missed, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for unit in gold()["units"].as_array().unwrap() {
        let mut found: BTreeMap<String, (String, Person)> = BTreeMap::new();
        for path in texts(unit, "people_pages") {
            found.extend(
                people(&page(path), &config)
                    .into_iter()
                    .map(|it| (key(&it.name), (path.to_owned(), it))),
            );
        }
        for gold in unit["people"].as_array().unwrap() {
            let name = gold["name_direct"].as_str().or(gold["name"].as_str()).unwrap();
            match found.remove(&key(name)) {
                Some((page, found)) => pairs.push(Pair { gold: gold.clone(), found, page }),
                None => missed.push(name.to_owned()),
            }
        }
        others.extend(found.into_values().map(|(_, it)| it.name));
    }
    (pairs, missed, others)
}

/// How many of those that should have something have it.
fn n_right(pairs: &[Pair], field: &str, is_right: impl Fn(&Pair, &str) -> bool) -> (usize, usize) {
    let wanted = pairs.iter().filter_map(|pair| Some((pair, pair.gold[field].as_str()?)));
    let rights: Vec<bool> = wanted.map(|(pair, want)| is_right(pair, want)).collect();
    (rights.iter().filter(|it| **it).count(), rights.len())
}

#[test]
fn every_list_of_people() {
    let (pairs, missed, others) = everybody();
    assert_eq!((missed, others), (vec![], vec![]), "missed, and taken for names");
    assert_eq!(pairs.len(), 295);
    let text = |field: &Option<regions::Field>| {
        field.as_ref().map(|it| it.text.clone()).unwrap_or_default()
    };
    let titles = n_right(&pairs, "title", |pair, want| text(&pair.found.title) == want);
    let emails = n_right(&pairs, "email", |pair, want| text(&pair.found.email) == want);
    let urls = n_right(&pairs, "url", |pair, want| {
        path_of(&pair.page, &text(&pair.found.homepage)) == want
    });
    let sections = n_right(&pairs, "section", |pair, want| text(&pair.found.heading) == want);
    assert_eq!(titles, (263, 267), "titles");
    assert_eq!(emails, (256, 256), "e-mail addresses");
    assert_eq!(urls, (84, 84), "homepages");
    assert_eq!(sections, (89, 89), "headings");
    let has_rank = |pair: &Pair| pair.found.rank.is_some() == pair.found.title.is_some();
    assert!(pairs.iter().filter(|pair| has_rank(pair)).count() > 250);
}

#[test]
fn values_lead_back_to_their_places() {
    for path in
        ["/sciences/chemistry/faculty/", "/business/management/our-team/", "/lis/people.html"]
    {
        let page = page(path);
        let leaves = page.leaves();
        for person in people(&page, &Config::default()) {
            let leaf = leaves.get(person.leaf);
            assert_eq!((leaf.node, leaf.span), (person.node, person.span));
            assert!(leaf.text.contains(&person.name), "{person:?}");
            let fields = [
                &person.title,
                &person.email,
                &person.phone,
                &person.photo,
                &person.unit,
                &person.heading,
            ];
            assert!(fields.into_iter().flatten().all(|field| field.leaf < leaves.len()));
            assert!((0.0..=1.0).contains(&person.score));
        }
    }
}

/// Names and addresses.
type Listed = BTreeSet<(String, String)>;

/// The units that a page lists, and those of the gold that it should.
fn listed(path: &str, within: &str) -> (Listed, Listed) {
    let config = Config::default();
    let url = |unit: &Unit| path_of(path, unit.url.as_deref().unwrap_or_default());
    let found = units(&page(path), &config)
        .into_iter()
        .map(|unit| (unit.name.clone(), url(&unit)))
        .collect();
    let gold = gold();
    let members =
        gold["units"].as_array().unwrap().iter().filter(|unit| {
            unit["in"] == within && unit["lang"].is_null() != path.starts_with("/de/")
        });
    let text = |unit: &Value, field: &str| unit[field].as_str().unwrap().to_owned();
    (found, members.map(|unit| (text(unit, "name"), text(unit, "url"))).collect())
}

#[test]
fn every_list_of_units() {
    for (path, within) in [
        ("/academics/", "Aldermoor University"),
        ("/arts/departments/", "College of Arts and Letters"),
        ("/engineering/departments/", "School of Engineering"),
        ("/marine/departments/", "Faculty of Marine Studies"),
        ("/de/marine/institute/", "Fakultät für Meereskunde"),
        ("/business/departments/", "School of Business and Public Affairs"),
    ] {
        let (found, wanted) = listed(path, within);
        assert_eq!(found, wanted, "{path}");
    }
}

#[test]
fn other_pages_list_no_people() {
    for path in [
        "/",
        "/news/",
        "/events/",
        "/library/",
        "/contact/",
        "/arts/departments/",
        "/engineering/cs/courses/",
        "/research/",
    ] {
        let names: Vec<String> =
            people(&page(path), &Config::default()).into_iter().map(|it| it.name).collect();
        assert!(names.is_empty(), "{path}: {names:?}");
    }
}
