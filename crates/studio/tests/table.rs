//! Tables and why, without a browser.

use crate::harness::{Server, corpus};
use pagemill::{LearnConfig, Sink, input, learn, pipeline};
use serde_json::{Value as Json, json};
use std::ffi::OsString;
use std::fs;
use std::thread;
use std::time::Duration;
use studio::Config;
use tempfile::TempDir;

fn learnt(pages: &str) -> Server {
    let server = Server::with(pages);
    learn_tables(&server);
    server
}

fn learn_tables(server: &Server) {
    server.post("/api/tables/learn", &json!({}));
    while server.get("/api/tables")["stage"] == "learning" {
        thread::sleep(Duration::from_millis(50));
    }
}

fn names(table: &Json) -> Vec<&str> {
    table["columns"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

#[test]
fn rows_are_those_of_the_engine_and_changes_can_be_taken_back() {
    let server = learnt("bookshop/detail/pages");
    let table = server.get("/api/table/0");
    assert_eq!(table["n_rows"], 20);
    assert!(names(&table).contains(&"name"), "{:?}", names(&table));

    let renamed = server.post(
        "/api/table/0/edit",
        &json!({"edits": [{"edit": "rename", "path": "name", "name": "book"}]}),
    );
    assert!(names(&renamed).contains(&"book"));
    let wrong = server.post(
        "/api/table/0/edit",
        &json!({"edits": [{"edit": "rename", "path": "nome", "name": "x"}]}),
    );
    assert_eq!(wrong["status"], 400, "{wrong}");
    assert!(names(&server.post("/api/table/0/undo", &json!({}))).contains(&"name"));
    let redone = server.post("/api/table/0/redo", &json!({}));
    assert!(
        names(&redone).contains(&"book") && redone["edits"] == json!(["rename name to book"]),
        "{}",
        redone["edits"]
    );

    let saved = server.post("/api/table/0/export", &json!({"file": "books.jsonl"}));
    assert_eq!(saved, json!({"file": "books.jsonl", "n_rows": 20}));
    assert_eq!(
        server.post("/api/table/0/export", &json!({"file": "books.jsonl"}))["kind"],
        "exists"
    );
    assert_eq!(
        server.post("/api/table/0/export", &json!({"file": "../books.jsonl"}))["kind"],
        "bad"
    );
    assert_eq!(
        server.post("/api/table/0/save", &json!({"file": "shop.json"}))["file"],
        "shop.json"
    );

    // The same by the library.
    let folder = corpus("bookshop/detail/pages");
    let pages = input::pages([&folder]).map(|page| page.unwrap().parse()).collect();
    let mut wrapper = learn(pages, &LearnConfig::default()).unwrap().wrapper;
    wrapper.edit(pagemill::wrapper::Edit::rename("name", "book")).unwrap();
    assert_eq!(
        fs::read_to_string(server.path().join("shop.json")).unwrap(),
        wrapper.to_json().unwrap()
    );
    let expected = server.path().join("expected.jsonl");
    let mut sink = Sink::create(&expected, wrapper.schema(), &Default::default()).unwrap();
    pipeline::extract(&wrapper, input::pages([&folder]), pipeline::all_cores(), |found| {
        sink.write(&found.unwrap().row())
    })
    .unwrap();
    sink.finish().unwrap();
    assert_eq!(fs::read(server.path().join("books.jsonl")).unwrap(), fs::read(expected).unwrap());
}

#[test]
fn columns_are_merged_split_dropped_and_retyped() {
    let server = learnt("bookshop/detail/pages");
    let edit = |edits: Json| server.post("/api/table/0/edit", &json!({ "edits": edits }));
    let merged = edit(json!([{"edit": "merge", "paths": ["isbn_13", "isbn"], "name": "number"}]));
    let number =
        merged["columns"].as_array().unwrap().iter().find(|it| it["name"] == "number").unwrap();
    assert_eq!((&number["otherwise"], &number["density"]), (&json!(["isbn"]), &json!(1000)));
    let split = edit(json!([{"edit": "split", "path": "number"}]));
    assert!(
        names(&split).contains(&"isbn") && !names(&split).contains(&"number"),
        "{:?}",
        names(&split)
    );
    let retyped = edit(json!([{"edit": "type", "path": "isbn", "type": "string"}]));
    let isbn =
        retyped["columns"].as_array().unwrap().iter().find(|it| it["name"] == "isbn").unwrap();
    assert_eq!(isbn["type"], "string");
    let dropped =
        edit(json!([{"edit": "drop", "path": "isbn"}, {"edit": "drop", "path": "title"}]));
    assert_eq!(dropped["dropped"], json!(["isbn", "title"]));
    let kept = edit(json!([{"edit": "keep", "path": "title"}]));
    assert_eq!(kept["dropped"], json!(["isbn"]));
    assert!(names(&kept).contains(&"title"));
}

#[test]
fn values_lead_to_their_leaves_and_back() {
    let server = learnt("bookshop");
    assert!(server.get("/api/tables")["groups"].as_array().unwrap().len() >= 2);
    let table = server.get("/api/table/1?rows_of=book_items");
    assert_eq!(table["n_rows"], 70);
    let row = &table["rows"][3];
    let (page, at) = (row["page"].as_u64().unwrap(), row["at"].as_str().unwrap());
    assert_eq!(at, "book_items[3]");
    let why = server.get(&format!("/api/why/1/{page}/value?field=book_items%5B3%5D.price"));
    let nth =
        table["header"].as_array().unwrap().iter().position(|it| it["name"] == "price").unwrap();
    assert_eq!(why["value"], row["cells"][nth]["text"]);
    let leaf = why["leaves"][0].as_u64().unwrap();
    let shown = server.get(&format!("/api/page/{page}"));
    assert_eq!(shown["leaves"][usize::try_from(leaf).unwrap()]["text"], why["value"]);
    let whole = server.get(&format!("/api/why/1/{page}"));
    let back = whole["values"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["field"] == "book_items[3].price")
        .unwrap();
    assert_eq!((&back["leaves"], &back["column"]), (&why["leaves"], &json!("book_items.price")));
    let absent = server.get(&format!("/api/why/1/{page}/value?field=book_items%5B999%5D.price"));
    assert_eq!(absent["value"], Json::Null);
}

/// What is open is not written over, whatever the user says.
#[test]
fn what_is_open_is_not_written_over() {
    let folder = TempDir::new().unwrap();
    let page = |name: &str| {
        let path = folder.path().join(name);
        fs::copy(format!("{}/{name}", corpus("bookshop/detail/pages")), &path).unwrap();
        path
    };
    let names = ["bread-before-dawn.html", "cafe-mirabeau-at-midnight.html"];
    let inputs: Vec<OsString> = names.map(|name| page(name).into_os_string()).into();
    let pages: Vec<_> = input::pages(&inputs).map(Result::unwrap).collect();
    let store = folder.path().join("site.db");
    fs::write(&store, "not to be lost").unwrap();
    fs::write(folder.path().join("old.db"), "").unwrap();
    let server = Server::open(
        folder,
        Config {
            n_pages: pages.len(),
            pages,
            inputs,
            store: Some(store.to_string_lossy().into_owned()),
            ..Config::default()
        },
    );
    learn_tables(&server);
    let export =
        |file: &str| server.post("/api/table/0/export", &json!({"file": file, "replace": true}));
    assert_eq!(export("site.db")["error"], "\"site.db\" is open here: name another file");
    assert_eq!(fs::read_to_string(&store).unwrap(), "not to be lost");
    assert_eq!(export("old.db")["n_rows"], 2);
}
