use crate::harness::{Outcome, Run, corpus};
use expect_test::expect;
use serde_json::Value as Json;
use std::fs;

/// A folder with the articles, and the labels of some of them.
fn articles(labelled: &[&str]) -> Run {
    let run = Run::with(&[]);
    for entry in fs::read_dir(corpus("articles/pages")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        run.write(format!("pages/{name}"), &fs::read(&path).unwrap());
    }
    let labels = fs::read_to_string(corpus("articles/labels.jsonl")).unwrap();
    let is_of =
        |line: &&str| labelled.iter().any(|page| line.contains(&format!("\"{page}.html\"")));
    let chosen: Vec<&str> = labels.lines().filter(is_of).collect();
    run.write("labels.jsonl", chosen.join("\n").as_bytes());
    run
}

const TAUGHT: [&str; 4] = ["harbour", "library", "orchard", "railway"];

fn trained(kind: &str) -> Run {
    let run = articles(&TAUGHT);
    let args = ["train", "--schema", "news", "--kind", kind, "labels.jsonl", "-o", "m.json"];
    let outcome = run.run(&args);
    expect![[r#"
        pagemill: 5 elements of news learnt from 4 pages of 4 sites
        exit 0
    "#]]
    .assert_eq(&outcome.all());
    run
}

fn lines(outcome: &Outcome) -> Vec<Json> {
    outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn papers_never_seen_are_annotated() {
    for kind in ["tree", "naive"] {
        let run = trained(kind);
        let outcome = run.run(&["annotate", "m.json", "pages/weather.html", "pages/choir.html"]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.all());
        assert_eq!(outcome.stderr, "pagemill: 2 pages verified, 0 partial, 0 failed\n");
        let found = lines(&outcome);
        assert_eq!(found[0]["page"], "pages/weather.html");
        assert_eq!(found[0]["status"], "verified");
        assert_eq!(found[0]["problems"], serde_json::json!([]));
        assert_eq!(found[0]["data"]["title"], "Forecaster retires with a perfect last day");
        assert_eq!(found[0]["data"]["author"][0], "Rosalind Amery");
        assert_eq!(found[0]["data"]["date"], "2024-07-30", "{}", outcome.stdout);
        assert_eq!(found[0]["data"]["content"].as_array().unwrap().len(), 4, "{}", outcome.stdout);
        assert_eq!(found[1]["page"], "pages/choir.html");
        assert_eq!(found[1]["data"]["title"], "Village choir sings to an empty valley");
        assert_eq!(found[1]["data"]["date"], "2024-09-12");
        assert_eq!(found[1]["data"]["content"].as_array().unwrap().len(), 4, "{}", outcome.stdout);
    }
}

#[test]
fn the_same_labels_give_the_same_model() {
    let (one, two) = (trained("tree"), trained("tree"));
    assert_eq!(one.read("m.json"), two.read("m.json"));
}

#[test]
fn tables_have_a_row_a_page() {
    let run = trained("tree");
    let pages = ["pages/weather.html", "pages/choir.html"];
    let csv = run.run(&["annotate", "m.json", pages[0], pages[1], "-o", "a.csv"]);
    assert_eq!((csv.code, &*csv.stdout), (Some(0), ""));
    let text = run.read("a.csv");
    assert!(text.starts_with("page,status,title,author,date,source,content\n"), "{text}");
    assert!(text.contains("\npages/choir.html,verified,Village choir sings"), "{text}");
    for name in ["a.db", "a.parquet", "a.jsonl.gz"] {
        let outcome = run.run(&["annotate", "m.json", pages[0], "-o", name]);
        assert_eq!(outcome.code, Some(0), "{}", outcome.all());
        assert!(run.path().join(name).metadata().unwrap().len() > 20);
    }
    let table = run.run(&["annotate", "m.json", pages[1], pages[0], "--table", "--limit", "1"]);
    assert!(table.stdout.starts_with("news  1 page\ntitle"), "{}", table.stdout);
    assert!(table.stdout.contains("2024-09-12"), "{}", table.stdout);
    assert!(table.stderr.contains("1 more pages are not shown"), "{}", table.stderr);
}

#[test]
fn pages_of_nothing_fail_and_the_rest_goes_on() {
    let run = trained("tree");
    run.write("empty.html", b"");
    let outcome = run.run(&["annotate", "m.json", "empty.html", "no.html", "pages/choir.html"]);
    assert_eq!(outcome.code, Some(3));
    let found = lines(&outcome);
    assert_eq!(found.len(), 2);
    assert_eq!((&found[0]["status"], &found[0]["data"]), (&"failed".into(), &Json::Null));
    assert_eq!(found[0]["problems"][0], "the page shows nothing: it may need scripts to be read");
    expect![[r#"
        pagemill: cannot read "no.html": no such file or folder
        pagemill: 1 pages verified, 0 partial, 1 failed, 1 could not be read
        pagemill: "empty.html" is failed: the page shows nothing: it may need scripts to be read
    "#]]
    .assert_eq(&outcome.stderr);
}

#[test]
fn labels_are_written_and_trained_from() {
    let run = articles(&[]);
    let label = |args: &[&str]| run.run(&[&["label", "pages/choir.html"], args].concat());
    expect![[r#"
        {"page":"pages/choir.html","xpath":"/html/body/main/h1/text()","element":"title"}
        {"page":"pages/choir.html","xpath":"/html/body/main/div/span/text()","element":"author"}
        {"page":"pages/choir.html","values":{"content":["the school"]}}
        exit 0
    "#]]
    .assert_eq(
        &label(&[
            "title=village choir sings to an empty valley",
            "author=Benedikt Aldous",
            "content=the school",
        ])
        .all(),
    );
    let file = ["-o", "new.jsonl", "--schema", "news"];
    assert_eq!(label(&[&["author=Benedikt Aldous"], &file[..]].concat()).code, Some(0));
    assert_eq!(
        label(&[&["title=Village choir sings to an empty valley"], &file[..]].concat()).all(),
        "exit 0\n"
    );
    assert_eq!(run.read("new.jsonl").lines().count(), 2);
    let train = ["train", "--schema", "news", "new.jsonl", "-o", "m.json"];
    assert_eq!(run.run(&train).code, Some(0));
}

#[test]
fn labels_that_cannot_be_are_told() {
    let run = articles(&[]);
    let label = |args: &[&str]| run.run(&[&["label", "pages/choir.html"], args].concat()).all();
    expect![[r#"
        pagemill: title: no text of the page is "Village choir sings to a full valley"; the nearest is "Village choir sings to an empty valley"
        exit 1
    "#]].assert_eq(&label(&["title=Village choir sings to a full valley"]));
    expect![[r#"
        pagemill: the schema has no element "headline"; it has title, author, date, source, content
        exit 2
    "#]]
    .assert_eq(&label(&["headline=x", "--schema", "news"]));
    assert!(label(&["title"]).contains("write an element and its value"));
    run.write("twice.html", b"<p>Dune</p><b>Dune</b>");
    expect![[r#"
        {"page":"twice.html","xpath":"/html/body/p/text()","element":"title"}
        {"page":"twice.html","xpath":"/html/body/b/text()","element":"title"}
        pagemill: "Dune" stands in 2 places, and all are labelled title
        exit 0
    "#]]
    .assert_eq(&run.run(&["label", "twice.html", "title=Dune"]).all());
}

#[test]
fn pages_may_label_themselves() {
    let run = Run::with(&[]);
    for name in TAUGHT {
        let page = fs::read_to_string(corpus(&format!("articles/pages/{name}.html"))).unwrap();
        let page = page.replacen("<h1", "<h1 data-label=title", 1);
        let page = page.replacen("<h2 class=\"title\"", "<h2 class=\"title head\"", 1);
        run.write(format!("{name}/a.html"), page.as_bytes());
    }
    let args = ["train", "--schema", "t.dtd", "--span-class", "head=title", "-o", "m.json"];
    run.write("t.dtd", b"<!ELEMENT t (title)>");
    let pages = ["harbour", "library", "orchard", "railway"];
    let outcome = run.run(&[&args[..], &pages[..]].concat());
    assert_eq!(outcome.all(), "pagemill: 1 element of t learnt from 4 pages of 4 sites\nexit 0\n");
    assert!(!run.read("m.json").contains("\"head\""), "what labels is no evidence");
    let weather = corpus("articles/pages/weather.html");
    let outcome = run.run(&["annotate", "m.json", &weather]);
    assert_eq!(lines(&outcome)[0]["data"]["title"], "Forecaster retires with a perfect last day");
}

#[test]
fn a_report_has_a_line_an_element() {
    let run = articles(&["harbour", "library", "orchard", "railway", "weather", "choir"]);
    let args = ["train", "--schema", "news", "labels.jsonl", "--report", "--folds", "3"];
    let outcome = run.run(&args);
    assert_eq!(outcome.code, Some(0), "{}", outcome.all());
    let table: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(table[0], "element  precision  recall     F1   known   found");
    assert_eq!(table.len(), 7);
    let title: Vec<&str> = table[1].split_whitespace().collect();
    assert_eq!((title[0], title[4]), ("title", "6"));
    assert!(title[2].parse::<f64>().unwrap() > 0.6, "{}", outcome.stderr);
    assert!(table[4].contains("source           -"), "{}", outcome.stderr);
    assert_eq!(run.run(&args).all(), outcome.all());
}

#[test]
fn mistakes_are_told_with_their_place() {
    let run = articles(&["harbour"]);
    run.write("bad.dtd", b"<!ELEMENT news\n  title>");
    let train = |schema: &str, labels: &str| {
        run.run(&["train", "--schema", schema, labels, "-o", "m.json"]).all()
    };
    expect![[r#"
        pagemill: cannot use "bad.dtd" as a schema: line 2, column 3: expected (, EMPTY or ANY
        exit 2
    "#]]
    .assert_eq(&train("bad.dtd", "labels.jsonl"));
    expect![[r#"
        pagemill: cannot use "nwes" as a schema: no such file; name a DTD, or one of those built in: news, product, job, event, recipe, person
        exit 2
    "#]].assert_eq(&train("nwes", "labels.jsonl"));
    run.write(
        "unknown.jsonl",
        b"\n{\"page\": \"harbour.html\", \"xpath\": \"/html\", \"element\": \"mood\"}",
    );
    expect![[r#"
        pagemill: "unknown.jsonl", line 2: the schema has no element "mood"; it has title, author, date, source, content
        exit 2
    "#]].assert_eq(&train("news", "unknown.jsonl"));
    run.write("missing.jsonl", b"{\"page\": \"no.html\", \"values\": {\"title\": \"x\"}}");
    expect![[r#"
        pagemill: "missing.jsonl", line 1: no page "no.html" in its folder, nor in "pages"; it is left out
        pagemill: nothing to learn from: none of the pages has a label of the schema
        exit 3
    "#]].assert_eq(&train("news", "missing.jsonl"));
    run.write(
        "nowhere.jsonl",
        b"{\"page\": \"harbour.html\", \"xpath\": \"/html/body/h6\", \"element\": \"title\"}
          {\"page\": \"harbour.html\", \"selector\": \"h1\", \"element\": \"title\"}",
    );
    let outcome = train("news", "nowhere.jsonl");
    assert!(
        outcome.starts_with(
            "pagemill: \"nowhere.jsonl\", line 1: nothing on the page is at XPath \"/html/body/h6\"\n"
        ) && outcome.ends_with("exit 3\n"),
        "{outcome}"
    );
}

#[test]
fn models_that_are_none_are_told() {
    let run = trained("tree");
    let model = run.read("m.json");
    run.write("half.json", &model.as_bytes()[..model.len() / 2]);
    run.write(
        "newer.json",
        model.replacen("\"pagemill_model\":1", "\"pagemill_model\":9", 1).as_bytes(),
    );
    let annotate = |model: &str| run.run(&["annotate", model, "pages"]).all();
    let make_one = "pagemill train --schema news LABELS -o FILE makes one\nexit 2\n";
    for (file, reason) in [
        ("half.json", "not a model file: "),
        ("newer.json", "the model has version 9"),
        ("no.json", "no such file, and none is built in but news; "),
        ("pages", "it is a folder; "),
        ("pages/choir.html", "it is a page or a schema; "),
    ] {
        let told = annotate(file);
        let start = format!("pagemill: cannot use {file:?} as a model: {reason}");
        assert!(told.starts_with(&start) && told.ends_with(make_one), "{told}");
    }
    let unknown = run.run(&["annotate", "m.json", "pages", "-o", "a.txt"]);
    assert_eq!(unknown.code, Some(2));
}

#[test]
fn packed_models_are_models() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let run = trained("tree");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(run.read("m.json").as_bytes()).unwrap();
    run.write("m.json.gz", &packed.finish().unwrap());
    let annotate = |model: &str| run.run(&["annotate", model, "pages"]).all();
    assert_eq!(annotate("m.json.gz"), annotate("m.json"));
}

#[test]
fn articles_need_no_training() {
    let run = articles(&[]);
    let outcome = run.run(&["annotate", "news", "pages/weather.html", "pages/choir.html"]);
    let found = lines(&outcome);
    assert_eq!(found[0]["data"]["title"], "Forecaster retires with a perfect last day");
    assert_eq!(found[0]["data"]["author"], serde_json::json!(["Rosalind Amery"]));
    assert_eq!(found[0]["data"]["date"], "2024-07-30");
    assert_eq!(found[0]["data"]["content"].as_array().unwrap().len(), 4, "{}", outcome.stdout);
    assert_eq!(found[1]["data"]["title"], "Village choir sings to an empty valley");
}
