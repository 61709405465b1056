use crate::harness::{Outcome, Run, corpus};
use expect_test::expect;
use serde_json::Value as Json;
use std::collections::BTreeMap;

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The pages of each group, by the folders they came from.
fn groups(outcome: &Outcome) -> BTreeMap<u64, BTreeMap<String, usize>> {
    let mut groups: BTreeMap<u64, BTreeMap<String, usize>> = BTreeMap::new();
    for line in lines(&outcome.stdout) {
        let page = line["page"].as_str().unwrap();
        let folder = page.rsplit_once("corpus/").unwrap().1.rsplit_once('/').unwrap().0.to_owned();
        let group = groups.entry(line["group"].as_u64().unwrap()).or_default();
        *group.entry(folder).or_default() += 1;
    }
    groups
}

/// Books that differ, and lists of them.
fn shop() -> Run {
    let run = Run::with(&[]);
    for n in 0..4 {
        let book = format!(
            "<h1>Book {n}</h1><table><tr><th>Price<td>${n}.50<tr><th>Pages<td>{}</table><p>Since {}</p>",
            100 + n,
            1990 + n
        );
        run.write(format!("shop/book-{n}.html"), book.as_bytes());
        let items: String = (0..4)
            .map(|i| format!("<li><a href=b{i}{n}>Title {i}{n}</a> <b>${i}.{n}0</b></li>"))
            .collect();
        run.write(format!("shop/list-{n}.html"), format!("<ol>{items}</ol>").as_bytes());
    }
    run
}

#[test]
fn pages_of_a_whole_shop_and_a_newspaper_are_told_apart() {
    let outcome = Run::with(&[]).run(&["get", &corpus("bookshop"), &corpus("newspaper")]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let expected = |folder: &str, n: usize| BTreeMap::from([(folder.to_owned(), n)]);
    let groups = groups(&outcome);
    assert_eq!(groups[&1], expected("bookshop/detail/pages", 20));
    assert_eq!(groups[&2], expected("newspaper/pages", 15));
    assert_eq!(groups[&3], expected("bookshop/list/pages", 5));
    assert_eq!(groups[&4], expected("bookshop", 1));
    assert_eq!(groups.len(), 4);
    assert!(lines(&outcome.stdout).iter().all(|line| line["status"] == "verified"));
    assert!(outcome.stderr.contains(" --keep site.json, then "), "{}", outcome.stderr);
}

#[test]
fn tables_are_for_people() {
    let outcome = shop().run(&["get", "shop", "--table", "--limit", "3"]);
    expect![[r#"
        group 1  4 pages, 16 items
        link  money
        00    $0.00
        10    $1.00
        20    $2.00
        … 13 more rows

        group 2  4 pages
        title  price  pages  text
        0      $0.50  100    1990
        1      $1.50  101    1991
        2      $2.50  102    1992
        … 1 more row
        pagemill: for more pages like these: pagemill get shop --keep site.json, then pagemill extract site.json MORE
        exit 0
    "#]].assert_eq(&outcome.all());
}

#[test]
fn a_page_alone_is_read_if_it_has_records() {
    let run = shop();
    let outcome = run.run(&["get", "shop/list-1.html"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let line = &lines(&outcome.stdout)[0];
    let sets = line["data"].as_object().unwrap().values().filter_map(Json::as_array);
    assert_eq!(sets.map(Vec::len).collect::<Vec<_>>(), [4], "{line}");
    run.write("about.html", b"<h1>About us</h1><p>We sell books.</p>");
    let outcome = run.run(&["get", "about.html"]);
    assert_eq!((outcome.code, &*outcome.stdout), (Some(1), ""));
    assert!(outcome.stderr.contains("the only page of its kind"), "{}", outcome.stderr);
}

#[test]
fn files_hold_all_groups_or_one_each() {
    let run = shop();
    for name in ["a.jsonl", "a.csv", "a.db"] {
        let outcome = run.run(&["get", "shop", "-o", name]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert!(outcome.stdout.starts_with("group 1  4 pages"), "{}", outcome.stdout);
    }
    assert_eq!(run.read("a.jsonl"), run.run(&["get", "shop"]).stdout);
    assert_eq!(run.read("a-1.csv").lines().count() + run.read("a-2.csv").lines().count(), 22);
    assert!(!run.path().join("a.csv").exists() && run.path().join("a-2.db").exists());
    run.run(&["get", "shop/book-1.html", "shop/book-2.html", "-o", "b.csv"]);
    assert_eq!(run.read("b.csv").lines().count(), 3);
}

#[test]
fn what_was_learnt_may_be_kept() {
    let run = shop();
    let outcome = run.run(&["get", "shop", "--keep", "w.json"]);
    assert!(outcome.stderr.ends_with("pagemill extract w-1.json MORE\n"), "{}", outcome.stderr);
    let mut n_verified = 0;
    for wrapper in ["w-1.json", "w-2.json"] {
        let found = lines(&run.run(&["extract", wrapper, "shop"]).stdout);
        n_verified += found.iter().filter(|line| line["status"] == "verified").count();
    }
    assert_eq!(n_verified, 8);
}

#[test]
fn many_pages_of_a_kind_are_learnt_from_few() {
    let run = shop();
    for n in 0..50 {
        let html =
            format!("<dl><dt>Name<dd>Person {n}<dt>Room<dd>{n}</dl><address>{n} St</address>");
        run.write(format!("people/{n:02}.html"), html.as_bytes());
    }
    let outcome = run.run(&["get", "people", "shop"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let lines = lines(&outcome.stdout);
    assert_eq!(lines.len(), 58);
    for (n, line) in lines.iter().take(50).enumerate() {
        assert_eq!((&line["group"], &line["data"]["room"]), (&1.into(), &n.to_string().into()));
    }
}

#[test]
fn wrong_files_and_missing_pages_are_told() {
    let run = shop();
    let outcome = run.run(&["get", "shop", "-o", "a.xls"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains(".parquet"), "{}", outcome.stderr);
    let outcome = run.run(&["get", "shop", "none.html"]);
    assert_eq!((outcome.code, outcome.stdout.lines().count()), (Some(3), 8));
    assert!(outcome.stderr.contains("none.html"), "{}", outcome.stderr);
    let run = Run::with(&[("a.html", b"<p>")]);
    let outcome = run.run(&["get", "."]);
    assert_eq!(outcome.code, Some(3));
    assert!(outcome.stderr.contains("show nothing"), "{}", outcome.stderr);
}

#[test]
fn pages_cannot_command_the_terminal() {
    let page = |n: usize| format!("<h1>\u{1b}[31mBook {n}</h1><p>{n} \u{202e}pages</p>");
    let (one, two) = (page(1), page(2));
    let run = Run::with(&[("a.html", one.as_bytes()), ("b.html", two.as_bytes())]);
    let outcome = run.run(&["get", ".", "--table"]);
    assert!(outcome.stdout.contains("[31mBook 1"), "{}", outcome.stdout);
    assert!(!outcome.all().contains(['\u{1b}', '\u{202e}']));
}
