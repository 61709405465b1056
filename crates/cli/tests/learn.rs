use crate::harness::Run;
use expect_test::expect;

const DUNE: &[u8] =
    b"<h1>Dune</h1><table><tr><th>Author<td>F. Herbert<tr><th>Price<td>$9.99</table>";
const EMMA: &[u8] =
    b"<h1>Emma</h1><table><tr><th>Price<td>$4.50<tr><th>Author<td>J. Austen</table>";
const KIM: &[u8] = b"<h1>Kim</h1><table><tr><th>Author<td>R. Kipling</table>";

fn books() -> Run {
    Run::with(&[("a.html", DUNE), ("b.html", EMMA), ("c.html", KIM)])
}

#[test]
fn the_schema_is_a_tree() {
    let outcome = books().run(&["learn", "."]);
    expect![[r#"
        title    string     100% Dune
        author   string     100% F. Herbert
        price?   money      66%  $4.50
    "#]]
    .assert_eq(&outcome.stdout);
    assert_eq!(outcome.stderr, "pagemill: 3 columns learnt from 3 pages\n");
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn data_is_a_line_a_page() {
    let run = books();
    let outcome = run.run(&["learn", "b.html", "a.html", "c.html", "--data", "out.jsonl"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    expect![[r#"
        {"page":"b.html","status":"verified","data":{"title":"Emma","author":"J. Austen","price":"$4.50"},"problems":[]}
        {"page":"a.html","status":"verified","data":{"title":"Dune","author":"F. Herbert","price":"$9.99"},"problems":[]}
        {"page":"c.html","status":"verified","data":{"title":"Kim","author":"R. Kipling"},"problems":[]}
    "#]].assert_eq(&run.read("out.jsonl"));
}

#[test]
fn the_same_pages_in_any_order_give_the_same_file() {
    let run = books();
    run.run(&["learn", "a.html", "b.html", "c.html", "-o", "one.json"]);
    run.run(&["learn", "c.html", "a.html", "b.html", "-o", "two.json"]);
    assert_eq!(run.read("one.json"), run.read("two.json"));
    assert!(run.read("one.json").contains("\"name\": \"author\""));
}

#[test]
fn other_languages_for_the_schema() {
    let dtd = books().run(&["learn", ".", "--show", "dtd"]);
    expect![[r#"
        <!ELEMENT page (title, author, price?)>
        <!ELEMENT author (#PCDATA)>
        <!ELEMENT price (#PCDATA)>
        <!ELEMENT title (#PCDATA)>
    "#]]
    .assert_eq(&dtd.stdout);
    let json = books().run(&["learn", ".", "--show", "json-schema"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["properties"]["price"]["x-type"], "money");
}

#[test]
fn pages_that_show_nothing_and_files_that_cannot_be_written() {
    let run = Run::with(&[("a.html", b"<p>"), ("b.html", b"<script>1</script>")]);
    let outcome = run.run(&["learn", "."]);
    assert_eq!(outcome.code, Some(3));
    assert!(outcome.stderr.contains("show nothing"), "{}", outcome.stderr);
    let outcome = books().run(&["learn", ".", "-o", "no/such/folder/x.json"]);
    assert_eq!(outcome.code, Some(3));
    assert!(
        outcome.stderr.contains("cannot write \"no/such/folder/x.json\""),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_missing_page_is_told_and_the_others_are_learnt_from() {
    let outcome = books().run(&["learn", "a.html", "none.html", "b.html"]);
    assert_eq!(outcome.code, Some(3));
    assert!(outcome.stderr.contains("none.html"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("author"), "{}", outcome.stdout);
}

#[test]
fn another_method_may_be_asked_for() {
    let run = books();
    let outcome = run.run(&["learn", ".", "--method", "uwide", "--explain"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.starts_with("title "), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("round 0: "), "{}", outcome.stderr);
    assert_eq!(run.run(&["learn", ".", "--method", "guess"]).code, Some(2));
}

/// A folder of pages, more than are all learnt from; a few have a note.
fn many() -> Run {
    let run = Run::with(&[]);
    for n in 0..60 {
        let note = if n % 9 == 4 { "<p>Only <b>three</b> left</p>" } else { "" };
        let html = format!("<h1>Book {n}</h1><table><tr><th>Price<td>${n}.50</table>{note}");
        run.write(format!("shop/{n:02}.html"), html.as_bytes());
    }
    run
}

#[test]
fn of_many_pages_few_are_learnt_from_and_all_give_their_data() {
    let run = many();
    let outcome = run.run(&["learn", "shop", "--data", "out.jsonl", "-o", "shop.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let (_, told) = outcome.stderr.split_once(" columns learnt from ").unwrap();
    let (n_taken, told) = told.split_once(" of ").unwrap();
    assert!(n_taken.parse::<usize>().unwrap() <= 10, "{}", outcome.stderr);
    assert_eq!(told, "60 pages; 60 verified, 0 partial, 0 failed\n");
    let data = run.read("out.jsonl");
    assert_eq!(data.lines().count(), 60);
    for (n, line) in data.lines().enumerate() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["page"], format!("shop/{n:02}.html"));
        assert_eq!(line["data"]["title"], n.to_string());
        assert_eq!(line["status"], "verified");
    }
    assert_eq!(run.run(&["extract", "shop.json", "shop"]).stdout, data);
}

#[test]
fn how_many_pages_are_learnt_from_may_be_said() {
    let run = many();
    let told = |args: &[&str]| run.run(&[&["learn", "shop"], args].concat()).stderr;
    assert!(told(&["--all"]).ends_with(" columns learnt from 60 pages\n"));
    assert_eq!(told(&["--max-pages", "60"]), told(&["--all"]));
    let few = told(&["--max-pages", "2"]);
    assert!(few.contains(" columns learnt from 2 of 60 pages; "), "{few}");
    assert!(told(&["--max-pages", "0"]).contains("--max-pages"));
    assert!(told(&["--max-pages", "9", "--all"]).contains("cannot be used with"));
}

#[test]
fn a_list_on_stdin_is_as_good_as_a_folder_and_a_page_of_something_else_is_told() {
    let run = many();
    run.write("other.html", b"<ul><li>Error<li>404</ul>");
    let mut list: Vec<String> = (0..60).map(|n| format!("shop/{n:02}.html")).collect();
    list.insert(5, "other.html".into());
    let args = ["learn", "-", "--data", "out.jsonl"];
    let outcome = run.run_with_stdin(&args, list.join("\n").as_bytes());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(" of 61 pages; 60 verified, 0 partial, 1 failed\n"));
    assert!(outcome.stderr.contains("\"other.html\" is failed: "), "{}", outcome.stderr);
    let pages: Vec<String> = run
        .read("out.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["page"].clone())
        .map(|page| page.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(pages, list);
}
