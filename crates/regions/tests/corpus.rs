use crate::{sets_of, texts};
use page::Page;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name)
}

fn read(path: &Path) -> Page {
    page::parse(&fs::read(path).expect("the file is part of the project"))
}

/// Each page of the bookshop's lists by itself: the main set is the books, and each book has all that the gold has.
#[test]
fn books_of_a_shelf_are_found_without_other_pages() {
    let folder = folder("bookshop/list");
    let gold = fs::read_to_string(folder.join("gold.jsonl")).expect("gold");
    for line in gold.lines() {
        let gold: Json = serde_json::from_str(line).expect("gold is JSON");
        let name = gold["page"].as_str().expect("a name");
        let books = gold["records"].as_array().expect("records");
        let sets = sets_of(&read(&folder.join("pages").join(name)));
        let found: Vec<Vec<String>> = sets[0].records.iter().map(texts).collect();
        assert_eq!(found.len(), books.len(), "{name}");
        for (book, found) in books.iter().zip(&found) {
            for (field, value) in book.as_object().expect("a record") {
                let value = value.as_str().expect("text");
                assert!(
                    found.iter().any(|it| it.contains(value)),
                    "{name}: {field} {value:?} of {found:?}"
                );
            }
        }
    }
}

/// On pages that list people, some set has most of them, each in a record of its own.
#[test]
fn people_of_a_department_are_records() {
    let folder = folder("university");
    let gold: Json =
        serde_json::from_slice(&fs::read(folder.join("gold.json")).expect("gold")).expect("JSON");
    let (mut n_pages, mut n_found, mut n_people) = (0, 0, 0);
    for unit in gold["units"].as_array().expect("units") {
        let pages = unit["people_pages"].as_array().into_iter().flatten();
        for path in pages.filter_map(Json::as_str) {
            let path = folder.join("site").join(path.trim_matches('/'));
            let page = read(&if path.is_dir() { path.join("index.html") } else { path });
            let text = page.text_content(page.document());
            let people = unit["people"].as_array().into_iter().flatten();
            let names: Vec<&str> = people.filter_map(|it| it["name"].as_str()).collect();
            let names: Vec<&str> = names.into_iter().filter(|it| text.contains(it)).collect();
            let best = sets_of(&page).iter().map(|set| n_with_one(set, &names)).max();
            n_found += best.unwrap_or_default();
            n_people += names.len();
            n_pages += 1;
        }
    }
    assert!(n_pages > 5, "{n_pages} pages");
    assert!(n_found * 4 >= n_people * 3, "{n_found} of {n_people} people");
}

/// How many records have exactly one of some names.
fn n_with_one(set: &regions::RecordSet, names: &[&str]) -> usize {
    let has_one = |record: &&wrapper::Data| {
        let texts = texts(record);
        names.iter().filter(|name| texts.iter().any(|text| text.contains(**name))).count() == 1
    };
    set.records.iter().filter(has_one).count()
}

#[test]
fn the_same_page_gives_the_same_sets() {
    let path = folder("bookshop/list/pages/fiction.html");
    let shown = || format!("{:?}", sets_of(&read(&path)));
    assert_eq!(shown(), shown());
}
