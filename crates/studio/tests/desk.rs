//! The label desk, without a browser.

use crate::harness::{Server, corpus, news};
use pagemill::annotate::{Spans, Target};
use pagemill::input;
use pagemill::labelled::{Helpers, Material};
use serde_json::{Value as Json, json};
use std::ffi::OsStr;
use std::fs;
use std::thread;
use std::time::Duration;
use studio::Config;
use tempfile::TempDir;

/// The numbers of the leaves that say something, of a page.
fn leaf(server: &Server, page: usize, text: &str) -> usize {
    let view = server.get(&format!("/api/page/{page}"));
    let leaves = view["leaves"].as_array().unwrap();
    let is_it = |it: &Json| {
        it["text"].as_str().unwrap().contains(text)
            && !it["path"].as_str().unwrap().contains("title")
    };
    leaves.iter().position(is_it).unwrap_or_else(|| panic!("{text}"))
}

fn settled(server: &Server, page: usize) -> Json {
    for _ in 0..200 {
        let marks = server.get(&format!("/api/label/page/{page}"));
        if marks["is_learning"] == false {
            return marks;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("it learns for ever");
}

fn page(server: &Server, name: &str) -> usize {
    let start = server.get("/api/start");
    start["pages"]
        .as_array()
        .unwrap()
        .iter()
        .position(|it| it.as_str().unwrap().ends_with(name))
        .unwrap()
}

#[test]
fn labels_are_kept_read_again_and_taken_back() {
    let server = Server::with("articles/pages");
    let choir = page(&server, "choir.html");
    assert_eq!(
        server.post("/api/label/put", &json!({"page": 0, "leaves": [1], "field": 0}))["error"],
        "choose a schema first"
    );
    assert_eq!(
        server.post("/api/label/schema", &json!({"name": "news"}))["schema"]["name"],
        "news"
    );
    let title = leaf(&server, choir, "Village choir");
    let put = server.post("/api/label/put", &json!({"page": choir, "leaves": [title], "field": 0}));
    assert_eq!(put["labels"][0]["text"], "Village choir sings to an empty valley");
    let author = leaf(&server, choir, "Benedikt Aldous");
    server.post("/api/label/put", &json!({"page": choir, "leaves": [author], "field": 1}));
    let file = fs::read_to_string(server.path().join("news-labels.jsonl")).unwrap();
    let lines: Vec<Json> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["xpath"], &lines[0]["element"]),
        (&json!("/html/body/main/h1/text()"), &json!("title"))
    );

    assert_eq!(server.post("/api/label/undo", &json!({}))["labels"].as_array().unwrap().len(), 1);
    assert_eq!(server.post("/api/label/redo", &json!({}))["labels"].as_array().unwrap().len(), 2);
    assert_eq!(server.post("/api/label/redo", &json!({}))["error"], "nothing to make again");
    let wrong =
        server.post("/api/label/put", &json!({"page": choir, "leaves": [99999], "field": 0}));
    assert_eq!(
        (&wrong["status"], &wrong["error"]),
        (&json!(400), &json!("there is no such field or leaf"))
    );

    // Chosen again, the schema has the labels of the file; and lines about other pages stay in it.
    let other = r#"{"page":"elsewhere.html","values":{"title":["Rain"]}}"#;
    fs::write(server.path().join("news-labels.jsonl"), format!("{other}\n{file}")).unwrap();
    assert_eq!(server.post("/api/label/schema", &json!({"name": "news"}))["n_read"], 2);
    server.post("/api/label/put", &json!({"page": choir, "leaves": [author], "field": null}));
    let file = fs::read_to_string(server.path().join("news-labels.jsonl")).unwrap();
    assert!(file.starts_with(other) && file.lines().count() == 2, "{file}");
}

/// A site changes, and a page is not what it was when it was labelled.
#[test]
fn labels_that_lead_nowhere_are_told_and_stay() {
    let server = Server::with("articles/pages");
    let choir = page(&server, "choir.html");
    let place = fs::canonicalize(corpus("articles/pages/choir.html")).unwrap();
    let line = |xpath: &str| json!({"page": place, "xpath": xpath, "element": "title"}).to_string();
    let (gone, there) = (line("/html/body/aside/h6"), line("/html/body/main/h1/text()"));
    let path = server.path().join("news-labels.jsonl");
    fs::write(&path, format!("{there}\n{gone}\n")).unwrap();
    let desk = server.post("/api/label/schema", &json!({"name": "news"}));
    let told = desk["trouble"].as_str().unwrap();
    assert!(told.contains("a label leads nowhere and will stay in the file; line 2"), "{told}");
    let author = leaf(&server, choir, "Benedikt Aldous");
    server.post("/api/label/put", &json!({"page": choir, "leaves": [author], "field": 1}));
    let file = fs::read_to_string(&path).unwrap();
    assert!(file.starts_with(&gone) && file.lines().count() == 3, "{file}");
}

#[test]
fn a_page_that_is_half_labelled_comes_back_so() {
    let server = Server::with("articles/pages");
    let (choir, weather) = (page(&server, "choir.html"), page(&server, "weather.html"));
    server.post("/api/label/schema", &json!({"name": "news"}));
    for (page, text) in [(choir, "Village choir"), (weather, "Forecaster retires")] {
        let title = leaf(&server, page, text);
        server.post("/api/label/put", &json!({"page": page, "leaves": [title], "field": 0}));
    }
    settled(&server, weather);
    server.post("/api/label/accept", &json!({"page": weather}));
    let desk = server.post("/api/label/schema", &json!({"name": "news"}));
    let is_done = |number: usize| {
        let pages = desk["pages"].as_array().unwrap();
        pages.iter().find(|it| it["number"] == number).unwrap()["is_done"].clone()
    };
    assert_eq!((is_done(choir), is_done(weather)), (json!(false), json!(true)));
}

/// Pages in an archive are no files: what they are in is said, so that training finds them.
#[test]
fn labels_say_what_archive_a_page_is_in() {
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("site.warc");
    fs::write(&archive, warc(&["choir.html", "weather.html"])).unwrap();
    let pages: Vec<_> = input::pages([&archive]).map(Result::unwrap).collect();
    let inputs = vec![archive.into_os_string()];
    let server = Server::open(folder, Config { n_pages: 2, pages, inputs, ..Config::default() });
    server.post("/api/label/schema", &json!({"name": "news"}));
    let title = leaf(&server, 0, "Village choir");
    server.post("/api/label/put", &json!({"page": 0, "leaves": [title], "field": 0}));
    let labels = server.path().join("news-labels.jsonl");
    let file = fs::read_to_string(&labels).unwrap();
    let line: Json = serde_json::from_str(&file).unwrap();
    assert_eq!(line["page"], "https://post.example/choir.html");
    assert_eq!(line["in"], json!(["site.warc"]));

    let target = Target::parse(&news().1).unwrap();
    let helpers = Helpers {
        read: &|input: &OsStr| Box::new(input::pages([input])),
        tell: &|what| panic!("{what}"),
        watch: &|| (),
    };
    let mut material = Material::new(&target, Spans::default(), helpers);
    material.add(labels.as_os_str()).unwrap();
    assert_eq!(material.pages.len(), 1);
    assert_eq!(material.pages[0].site, "post.example");
}

fn warc(names: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for name in names {
        let html = fs::read(corpus(&format!("articles/pages/{name}"))).unwrap();
        let http = [&b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"[..], &html].concat();
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://post.example/{name}\r\n\
             Content-Length: {}\r\n\r\n",
            http.len()
        );
        bytes.extend([head.as_bytes(), &http, b"\r\n\r\n"].concat());
    }
    bytes
}

#[test]
fn each_label_teaches_and_a_rejection_stays_rejected() {
    let server = Server::with("articles/pages");
    server.post("/api/label/schema", &json!({"name": "news"}));
    let (choir, weather) = (page(&server, "choir.html"), page(&server, "weather.html"));
    let title = leaf(&server, choir, "Village choir");
    server.post("/api/label/put", &json!({"page": choir, "leaves": [title], "field": 0}));
    server.get(&format!("/api/label/page/{weather}"));
    let marks = settled(&server, weather);
    let first = &marks["predictions"][0];
    assert_eq!(
        (&first["field"], &first["text"]),
        (&json!(0), &json!("Forecaster retires with a perfect last day")),
        "{marks}"
    );
    let rejected = server.post(
        "/api/label/reject",
        &json!({"page": weather, "leaves": first["leaves"], "field": 0}),
    );
    assert_eq!(rejected["predictions"], json!([]), "{rejected}");
    assert_eq!(
        settled(&server, weather)["predictions"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["leaves"] == first["leaves"])
            .count(),
        0
    );
}

#[test]
fn schemas_can_be_written() {
    let server = Server::with("articles/pages");
    let desk = server.post("/api/label/schema", &json!({"fields": "book: title, author*, price?"}));
    let names: Vec<&str> = desk["schema"]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["title", "author", "price"]);
    let wrong = server.post("/api/label/schema", &json!({"dtd": "<!ELEMENT"}));
    assert!(
        wrong["error"].as_str().unwrap().starts_with("cannot use this as a schema: line 1"),
        "{wrong}"
    );
    assert_eq!(server.post("/api/label/train", &json!({}))["status"], 400);
}
