//! From the home page of the corpus' bookshop to a database of its books.

use crate::harness::{Outcome, Run, corpus};
use crate::postgres;
use expect_test::expect_file;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folder of a shop as the address of its home page.
fn home(folder: &Path) -> String {
    format!("file://{}/index.html", folder.display())
}

fn bookshop() -> PathBuf {
    Path::new(&corpus("bookshop")).canonicalize().unwrap()
}

fn crawl(run: &Run, folder: &Path, store: &str, more: &[&str]) -> Outcome {
    let home = home(folder);
    let args = ["crawl", &home, "--plan", "shop", "--store", store, "--gap", "0s"];
    let out = run.run(&[&args[..], more].concat());
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    out
}

/// The network as lines, sorted, without where the folder is.
fn exported(run: &Run, network: &str, folder: &Path) -> String {
    let out = run.run(&["network", network, "export", "--format", "jsonl"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let here = format!("file://{}/", folder.display());
    let text = out.stdout.replace(&here, "");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_home_page_gives_all_products() {
    let (run, folder) = (Run::with(&[]), bookshop());
    let out = crawl(&run, &folder, "shop.db", &[]);
    assert!(out.stderr.contains("70 Product, 1 Shop"), "{}", out.stderr);
    let network = exported(&run, "shop.db", &folder);
    expect_file!["golden/shop.jsonl"].assert_eq(&network);
    let rows: Vec<Value> = network.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    check_lists(&rows);
    check_details(&rows);
    let query = r#"query Product "Kestrel Down"[price: $x, makers: $m], Category $c[products: "Kestrel Down"] construct $x, $m, $c"#;
    let answer = run.run(&["network", "shop.db", query, "--json"]);
    let expected = r#"{"x":"£7.99","m":"Ironmonger Row","c":"Thrillers"}
{"x":"£7.99","m":"Lachlan Dreyfus-Holt","c":"Thrillers"}
"#;
    assert_eq!(answer.stdout, expected, "{}", answer.stderr);
}

#[test]
fn shops_are_the_same_in_postgresql() {
    let (run, folder) = (Run::with(&[]), bookshop());
    let store = postgres::database();
    crawl(&run, &folder, &store, &[]);
    expect_file!["golden/shop.jsonl"].assert_eq(&exported(&run, &store, &folder));
}

/// Where the crawl went by no plan, what pages have tells what they are.
#[test]
fn pages_without_kinds_are_told_by_their_columns() {
    let (run, folder) = (Run::with(&[]), bookshop());
    let home = home(&folder);
    let out = run.run(&["crawl", &home, "--store", "shop.db", "--gap", "0s"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let out = run.run(&["network", "shop.db", "gather", "--plan", "shop"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    expect_file!["golden/shop.jsonl"].assert_eq(&exported(&run, "shop.db", &folder));
}

fn texts(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::String(text) => BTreeSet::from([text.clone()]),
        _ => BTreeSet::new(),
    }
}

fn by_url(rows: &[Value]) -> BTreeMap<&str, &Value> {
    let products = rows.iter().filter(|row| row["class"] == "Product");
    products.map(|row| (row["url"].as_str().unwrap(), row)).collect()
}

fn gold(folder: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(corpus(&format!("bookshop/{folder}/gold.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every record of every list is a product, with its price, makers and link, in the list's category or in one within it.
fn check_lists(rows: &[Value]) {
    let products = by_url(rows);
    let categories: BTreeMap<&str, &Value> = rows
        .iter()
        .filter(|row| row["class"] == "Category")
        .map(|row| (row["name"].as_str().unwrap(), row))
        .collect();
    let mut n_records = 0;
    for page in gold("list") {
        let list = format!("list/pages/{}", page["page"].as_str().unwrap());
        for record in page["records"].as_array().unwrap() {
            let url = record["title_url"].as_str().unwrap().trim_start_matches("../../");
            let product = products[url];
            assert_eq!(product["name"], record["title"]);
            assert_eq!(product["price"], record["price"], "{url}");
            assert_eq!(product.get("oldPrice"), record.get("old_price"), "{url}");
            let authors = record["author"].as_str().unwrap().split(", ").map(str::to_owned);
            assert_eq!(texts(&product["author"]), authors.collect(), "{url}");
            let mut category = categories[product["in"].as_str().unwrap()];
            while category["url"] != list.as_str() {
                category = categories[category["in"].as_str().unwrap()];
            }
            n_records += 1;
        }
    }
    assert_eq!((n_records, products.len()), (70, 70));
}

/// Every page of a book gives what its gold has.
fn check_details(rows: &[Value]) {
    let products = by_url(rows);
    for page in gold("detail") {
        let url = format!("detail/pages/{}", page["page"].as_str().unwrap());
        let (product, values) = (products[url.as_str()], &page["values"]);
        let pairs = [
            ("name", "title"),
            ("price", "price"),
            ("author", "author"),
            ("publisher", "publisher"),
            ("isbn", "isbn_13"),
            ("sku", "sku"),
            ("availability", "availability"),
        ];
        for (property, field) in pairs {
            assert_eq!(texts(&product[property]), texts(&values[field]), "{url} {property}");
        }
        assert_eq!(Some(&product["in"]), values["category"].as_array().unwrap().last());
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => std::fs::copy(entry.path(), to.join(entry.file_name())).map(|_| ()).unwrap(),
        }
    }
}

fn edit(path: &Path, change: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed);
    std::fs::write(path, changed).unwrap();
}

/// What a shop says no more when it is crawled again is marked with when it was last seen, and what it says instead is there.
#[test]
fn renewing_marks_what_is_gone() {
    let run = Run::with(&[]);
    let folder = run.path().canonicalize().unwrap().join("shop");
    copy(&bookshop(), &folder);
    crawl(&run, &folder, "shop.db", &[]);
    // A price changes everywhere, a book is on no list any more, and a page of a book that is still on a list is taken away.
    for page in ["list/pages/crime-mystery.html", "detail/pages/kestrel-down.html"] {
        edit(&folder.join(page), |text| text.replace("£7.99</span>", "£6.49</span>"));
    }
    edit(&folder.join("list/pages/fiction.html"), |text| {
        let start = text.find("<li class=\"book-item\" data-pos=\"4\">").unwrap();
        let end = text.find("<li class=\"book-item\" data-pos=\"5\">").unwrap();
        format!("{}{}", &text[..start], &text[end..])
    });
    std::fs::remove_file(folder.join("detail/pages/the-quiet-engine.html")).unwrap();
    let out = crawl(&run, &folder, "shop.db", &["--renew"]);
    assert!(out.stderr.contains("facts are said by no page any more"), "{}", out.stderr);

    let ask = |query: &str| run.run(&["network", "shop.db", query, "--json"]).stdout;
    assert_eq!(
        ask(r#"query Product "Kestrel Down"[price: $x] construct $x"#),
        "{\"x\":\"£6.49\"}\n"
    );
    assert_eq!(ask(r#"query Product $p construct count($p)"#), "{\"count(p)\":69}\n");
    assert_eq!(
        ask(r#"query Product "The Quiet Engine"[price: $x] construct $x"#).lines().count(),
        1
    );
    assert_eq!(ask(r#"query Product "The Quiet Engine"[isbn: $x] construct $x"#), "");
    // Nothing was dropped: all of it is told, with the time.
    let show = |name: &str| run.run(&["network", "shop.db", "show", name]).stdout;
    for (name, said) in [("Kestrel Down", "price: £7.99"), ("The Quiet Engine", "isbn: 979-9-")] {
        let shown = show(name);
        let after = shown.lines().skip_while(|line| !line.contains(said)).skip(1);
        let mut sources = after.take_while(|line| line.starts_with("    "));
        assert!(sources.any(|line| line.contains("gone, last seen 20")), "{said} in {shown}");
    }
    assert!(show("The Great Alder Lane Sale").contains("gone, last seen 20"));
    // Nothing has changed since: gathered again, nothing is.
    let before = exported(&run, "shop.db", &folder);
    let out = run.run(&["network", "shop.db", "gather", "--plan", "shop"]);
    assert!(!out.stderr.contains("no page any more"), "{}", out.stderr);
    assert_eq!(exported(&run, "shop.db", &folder), before);
}
