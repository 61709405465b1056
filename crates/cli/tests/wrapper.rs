use crate::harness::{Run, corpus};
use expect_test::expect;
use serde_json::Value as Json;

fn page(title: &str, price: &str) -> String {
    format!(
        "<h1>{title}</h1><table><tr><th>Price<td>{price}<tr><th>Pages<td>{}00</table>",
        title.len()
    )
}

/// Four books, and a wrapper of them.
fn books() -> Run {
    let pages = [("Dune", "$9.99"), ("Emma", "$4.50"), ("Kim", "$7.00"), ("Momo", "$6.10")];
    let run = Run::with(&[]);
    for (title, price) in pages {
        run.write(format!("old/{title}.html"), page(title, price).as_bytes());
        let moved =
            page(title, price).replace("<table", "<main><div><table").replace("Price", "Cost");
        run.write(format!("new/{title}.html"), moved.as_bytes());
    }
    assert_eq!(run.run(&["learn", "old", "-o", "w.json"]).code, Some(0));
    run
}

#[test]
fn columns_are_listed_and_changed_in_place() {
    let run = books();
    expect![[r#"
        title  string     100%  Dune · Emma · Kim
        price  money      100%  $4.50 · $6.10 · $7.00
        pages  number     100%  300 · 400
        exit 0
    "#]]
    .assert_eq(&run.run(&["columns", "w.json"]).all());
    assert_eq!(run.run(&["columns", "w.json", "rename", "price", "cost"]).all(), "exit 0\n");
    assert_eq!(run.run(&["columns", "w.json", "drop", "pages"]).all(), "exit 0\n");
    assert_eq!(
        run.run(&["columns", "w.json", "type", "title", "date", "-o", "x.json"]).all(),
        "exit 0\n"
    );
    let line = run.run(&["extract", "w.json", "old/Kim.html"]).stdout;
    let line: Json = serde_json::from_str(&line).unwrap();
    assert_eq!(line["data"], serde_json::json!({ "title": "Kim", "cost": "$7.00" }));
    run.run(&["extract", "w.json", "old", "-o", "a.csv", "--rows", "pages"]);
    assert!(run.read("a.csv").starts_with("page,status,title,cost\n"), "{}", run.read("a.csv"));
    expect![[r#"
        {"path":"title","type":"date","share":1.0,"label":null,"examples":["Dune","Emma","Kim"]}
        {"path":"cost","type":"money","share":1.0,"label":"price","examples":["$4.50","$6.10","$7.00"]}
        exit 0
    "#]]
    .assert_eq(&run.run(&["columns", "x.json", "--json"]).all());
    expect![[r#"
        pagemill: taken back: drop pages
        exit 0
    "#]]
    .assert_eq(&run.run(&["columns", "w.json", "undo"]).all());
}

#[test]
fn a_change_that_cannot_be_made_is_usage_and_leaves_the_file() {
    let run = books();
    let before = run.read("w.json");
    let told = |args: &[&str]| run.run(&[&["columns", "w.json"], args].concat()).all();
    expect![[r#"
        pagemill: cannot change "w.json": there is no "prize"; did you mean price?
        exit 2
    "#]]
    .assert_eq(&told(&["rename", "prize", "cost"]));
    assert!(
        told(&["type", "price", "colour"]).contains("types are string, "),
        "{}",
        told(&["type", "price", "colour"])
    );
    assert!(told(&["undo"]).ends_with("exit 2\n"));
    assert!(told(&["merge", "price"]).ends_with("exit 2\n"));
    assert_eq!(run.read("w.json"), before);
}

#[test]
fn columns_are_named_by_example() {
    let run = books();
    let outcome =
        run.run(&["learn", "old", "--name", "cost=4.50", "--name", "book=dune", "-o", "n.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("pagemill: price is called cost\n"), "{}", outcome.stderr);
    assert!(outcome.stdout.starts_with("book "), "{}", outcome.stdout);
    assert!(run.read("n.json").contains(r#"{"edit": "rename", "path": "price", "name": "cost"}"#));
    let outcome = run.run(&["learn", "old", "--name", "cost=4.51"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("\"$4.50\" in price"), "{}", outcome.stderr);
    assert_eq!(run.run(&["learn", "old", "--name", "cost"]).code, Some(2));
}

#[test]
fn a_check_tells_whether_pages_have_changed() {
    let run = books();
    expect![[r#"
        4 pages: 4 verified, 0 partial, 0 failed

        It fits.
        exit 0
    "#]]
    .assert_eq(&run.run(&["check", "w.json", "old"]).all());
    let outcome = run.run(&["check", "w.json", "new"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("4 of 4 pages do not fit, where 50% of them may"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stderr.contains("pagemill repair"), "{}", outcome.stderr);
    let report = run.run(&["check", "w.json", "new", "--json"]).stdout;
    let report: Json = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["is_drift"], &report["n_verified"]), (&true.into(), &0.into()));
    assert_eq!(report["problems"][0]["n_pages"], 4);
    assert_eq!(run.run(&["check", "w.json", "old", "none.html"]).code, Some(3));
    assert_eq!(run.run(&["check", "w.json", "old", "--max-unfit", "lots"]).code, Some(2));
    assert_eq!(run.run(&["check", "w.json", "old", "new", "--max-unfit", "50%"]).code, Some(0));
}

#[test]
fn a_repair_keeps_the_names() {
    let run = books();
    run.run(&["columns", "w.json", "rename", "pages", "length"]);
    let outcome = run.run(&["repair", "w.json", "new", "-o", "fixed.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("pagemill: 0 of 4 pages fit before, 4 fit now\n"),
        "{}",
        outcome.stderr
    );
    let line = run.run(&["extract", "fixed.json", "new/Kim.html"]).stdout;
    let line: Json = serde_json::from_str(&line).unwrap();
    let expected = serde_json::json!({ "title": "Kim", "price": "$7.00", "length": "300" });
    assert_eq!(line["data"], expected);
    assert_eq!(run.run(&["check", "fixed.json", "new"]).code, Some(0));
}

#[test]
fn a_repair_of_what_fits_changes_nothing() {
    let run = books();
    let outcome = run.run(&["repair", "w.json", "old", "-o", "fixed.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let said = "pagemill: 4 of 4 pages fit: the wrapper still fits; nothing was changed\n";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    assert_eq!(run.read("fixed.json"), run.read("w.json"));
}

#[test]
fn real_pages_fit_their_wrapper() {
    let run = Run::with(&[]);
    let pages = corpus("bookshop/detail/pages");
    run.run(&["learn", &pages, "-o", "w.json"]);
    let outcome = run.run(&["check", "w.json", &pages]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stdout);
    let outcome = run.run(&["check", "w.json", &corpus("newspaper/pages")]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stdout);
}
