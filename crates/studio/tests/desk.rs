//! The label desk, without a browser.

use crate::harness::Server;
use serde_json::{Value as Json, json};
use std::fs;
use std::thread;
use std::time::Duration;

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
