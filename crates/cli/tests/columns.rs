//! Sites of several pages: what two teach names the columns of a third.

use crate::harness::{Run, corpus};
use serde_json::{Value as Json, json};
use std::fs;

const PEOPLE: [(&str, &str, &str); 6] = [
    ("Ann Lee", "Botany", "ann@uni.example"),
    ("Bo Stone", "Geology", "bo@uni.example"),
    ("Eva Berg", "Botany", "eva@uni.example"),
    ("Dan Wu", "Physics", "dan@uni.example"),
    ("Ida Holm", "Music", "ida@uni.example"),
    ("Per Vik", "Physics", "per@uni.example"),
];

fn page(site: &str, nth: usize) -> String {
    let (name, field, mail) = PEOPLE[nth];
    match site {
        "one" => format!(
            "<title>{name}</title><h1>{name}</h1><table><tr><th>Field<td>{field}<tr><th>E-mail<td>{mail}
             <tr><th>Room<td>{nth}2</table>"
        ),
        "two" => format!(
            "<title>Staff: {name}</title><p><a href=/>Home</a></p><h2>{name}</h2>
             <div>Field: <b>{field}</b></div><div>E-mail: <b>{mail}</b></div><div>Seen: <b>{nth}</b></div>"
        ),
        _ => format!(
            "<title>{name} | Institute</title><h1>{name}</h1><dl><dt>Office<dd>B{nth}
             <dt>E-mail<dd>{mail}<dt>Field<dd>{field}</dl>"
        ),
    }
}

/// Three sites, two of them with labels, and a model of these two.
fn trained() -> Run {
    let run = Run::with(&[("staff.dtd", b"<!ELEMENT staff (name, field, email)>")]);
    for site in ["one", "two", "three"] {
        let mut labels = String::new();
        for (nth, (name, field, mail)) in PEOPLE.iter().enumerate() {
            run.write(format!("{site}/{nth}.html"), page(site, nth).as_bytes());
            let values = json!({ "name": [name], "field": [field], "email": [mail] });
            labels += &format!("{}\n", json!({ "page": format!("{nth}.html"), "values": values }));
        }
        run.write(format!("{site}/labels.jsonl"), labels.as_bytes());
    }
    let outcome = run.run(&[
        "train",
        "--schema",
        "staff.dtd",
        "one/labels.jsonl",
        "two/labels.jsonl",
        "-o",
        "m.json",
    ]);
    assert_eq!(outcome.stderr, "pagemill: 3 elements of staff learnt from 12 pages of 2 sites\n");
    run
}

#[test]
fn a_site_never_seen_gets_a_wrapper_with_the_names_of_the_schema() {
    let run = trained();
    let pages: Vec<String> = (0..PEOPLE.len()).map(|nth| format!("three/{nth}.html")).collect();
    let mut args = vec!["annotate", "m.json", "--keep", "three.json", "--json"];
    args.extend(pages.iter().map(String::as_str));
    let outcome = run.run(&args);
    assert_eq!(outcome.code, Some(0), "{}", outcome.all());
    let line = |nth: usize| -> Json {
        serde_json::from_str(outcome.stdout.lines().nth(nth).unwrap()).unwrap()
    };
    for (nth, (name, field, mail)) in PEOPLE.iter().enumerate() {
        assert_eq!(line(nth)["page"], pages[nth]);
        assert_eq!(line(nth)["data"], json!({ "name": name, "field": field, "email": mail }));
    }
    let outcome = run.run(&["extract", "three.json", "three/4.html"]);
    let found: Json = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        found["data"],
        json!({ "name": "Ida Holm", "email": "ida@uni.example", "field": "Music" })
    );
}

#[test]
fn a_page_alone_is_judged_leaf_by_leaf() {
    let run = trained();
    let outcome = run.run(&["annotate", "m.json", "three/3.html", "--json"]);
    let found: Json = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(found["data"]["name"], "Dan Wu", "{}", outcome.all());
    assert_eq!(found["data"]["email"], "dan@uni.example");
    let outcome = run.run(&["annotate", "m.json", "three/3.html", "--json", "--keep", "w.json"]);
    assert!(outcome.stderr.contains("no wrapper to keep: no five pages are of one template"));
}

/// Copy the pages of a site of the corpus, and what is known of titles and authors.
fn copy_works(run: &Run, site: &str, folder: &str) {
    let gold = fs::read_to_string(corpus(&format!("{folder}/gold.jsonl"))).unwrap();
    let mut labels = String::new();
    for line in gold.lines() {
        let known: Json = serde_json::from_str(line).unwrap();
        let (page, values) = (known["page"].as_str().unwrap(), &known["values"]);
        let source = fs::read(corpus(&format!("{folder}/pages/{page}"))).unwrap();
        run.write(format!("{site}/pages/{page}"), &source);
        let author = values.get("author").cloned().unwrap_or(json!([]));
        let values = json!({ "title": values["title"], "author": author });
        labels += &format!("{}\n", json!({ "page": page, "values": values }));
    }
    run.write(format!("{site}/labels.jsonl"), labels.as_bytes());
}

#[test]
fn a_report_tells_of_whole_sites_by_columns() {
    let run = Run::with(&[("work.dtd", b"<!ELEMENT work (title, author*)>")]);
    copy_works(&run, "books", "bookshop/detail");
    copy_works(&run, "news", "newspaper");
    let labels = ["books/labels.jsonl", "news/labels.jsonl"];
    let args = [&["train", "--schema", "work.dtd", "--report"], &labels[..]].concat();
    let outcome = run.run(&args);
    assert_eq!(outcome.code, Some(0), "{}", outcome.all());
    let table: Vec<Vec<&str>> =
        outcome.stderr.lines().map(|line| line.split_whitespace().collect()).collect();
    let starts: Vec<String> = table.iter().map(|line| line[..2].join(" ")).collect();
    assert!(starts[0].starts_with("page by") && starts[3].starts_with("by columns"), "{starts:?}");
    assert_eq!((table.len(), table[4][0], table[5][0]), (7, "title", "author"));
    let f1 = |line: usize| table[line][3].parse::<f64>().unwrap();
    assert_eq!((table[4][4], table[5][4]), ("35", "46"), "all that is known counts");
    assert!(f1(4) > 0.9 && f1(5) > 0.9, "a shop teaches what a paper is like: {}", outcome.stderr);
    assert!(f1(4) >= f1(1) && f1(5) >= f1(2), "{}", outcome.stderr);
    assert_eq!(run.run(&args).all(), outcome.all());
}
