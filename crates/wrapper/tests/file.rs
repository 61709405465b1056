use crate::{corpus, learn, parse};
use expect_test::expect;
use page::Page;
use serde_json::Value as Json;
use wrapper::{Extractor, LearnConfig, Method, Wrapper};

fn pages(folder: &str) -> Vec<Page> {
    corpus(folder).iter().map(|(_, bytes)| page::parse(bytes)).collect()
}

fn wrapper_of(folder: &str, method: Method) -> Wrapper {
    let config = LearnConfig::default().with_method(method);
    wrapper::learn(pages(folder), &config).expect("there is something to learn").wrapper
}

/// A shop's page of some books: a title, prose, and records with a link and a price.
fn shelf(title: &str, books: &[&str]) -> String {
    let book = |book: &&str| format!("<li><a href=/{book}>{book}</a> <b>${}</b>", book.len());
    let books: String = books.iter().map(book).collect();
    format!(
        "<h1>{title}</h1><p class=on>Books <i>on {title}</i> and more<ul class=books>{books}</ul><p>Shelf: {title}s"
    )
}

fn small() -> String {
    let shelves = [
        shelf("sea", &["Herring", "Fog and Foam", "Kelp"]),
        shelf("ice", &["Floe", "Winter"]),
        shelf("tar", &["Pitch", "Roads", "Boats of Old", "Knots"]),
        shelf("oak", &["Acorns", "Bark", "Galls"]),
    ];
    let learnt = learn(&shelves.iter().map(String::as_str).collect::<Vec<_>>());
    learnt.wrapper.to_json().expect("few sets")
}

fn other() -> String {
    shelf("ash", &["Bows", "Keys and Wings"])
}

#[test]
fn what_is_read_is_what_was_written() {
    for folder in ["bookshop/detail/pages", "bookshop/list/pages", "newspaper/pages"] {
        for method in [Method::TopDown, Method::Uwide] {
            let wrapper = wrapper_of(folder, method);
            let file = wrapper.to_json().expect("few sets");
            let read = Wrapper::from_json(file.as_bytes()).expect("it was just written");
            assert_eq!(read.to_json().expect("few sets"), file, "{folder}");
            let (mut before, mut after) = (Extractor::new(&wrapper), Extractor::new(&read));
            for page in pages(folder) {
                assert_eq!(before.extract(&page), after.extract(&page), "{folder}");
            }
        }
    }
}

#[test]
fn the_order_of_pages_leaves_no_trace_in_the_file() {
    let mut bytes: Vec<_> = corpus("bookshop/detail/pages").into_iter().map(|it| it.1).collect();
    let file = |bytes: &[Vec<u8>]| {
        let pages = bytes.iter().map(|bytes| page::parse(bytes)).collect();
        let learnt = wrapper::learn(pages, &LearnConfig::default()).expect("there is something");
        learnt.wrapper.to_json().expect("few sets")
    };
    let first = file(&bytes);
    bytes.reverse();
    bytes.swap(1, 4);
    assert_eq!(file(&bytes), first);
}

#[test]
fn people_can_read_it() {
    let learnt = learn(&["<h1>Dune</h1><b>$9</b>", "<h1>Emma\u{202e}</h1><b>$7</b>"]);
    expect![[r#"
        {
          "pagemill": 1,
          "schema": {
            "fields": [
              {
                "kind": "column",
                "name": "title",
                "type": "string",
                "density": 1000,
                "is_template": false,
                "reads": "value",
                "slots": [
                  4
                ],
                "examples": [
                  "Dune",
                  "Emma\u202e"
                ]
              },
              {
                "kind": "column",
                "name": "money",
                "type": "money",
                "density": 1000,
                "is_template": false,
                "reads": "value",
                "slots": [
                  6
                ],
                "examples": [
                  "$7",
                  "$9"
                ]
              }
            ]
          },
          "machine": {
            "steps": [
              {"parent": 0, "tag": ""},
              {"parent": 0, "tag": "html"},
              {"parent": 1, "tag": "body"},
              {"parent": 2, "tag": "h1"},
              {"parent": 2, "tag": "b"}
            ],
            "nodes": [
              {"parent": 0, "kind": {"tuple": {"n": 2, "parts": [[1, false]]}}, "n_present": 0, "depths": null},
              {"parent": 0, "kind": {"tuple": {"n": 2, "parts": [[2, false]]}}, "n_present": 2, "depths": null},
              {"parent": 1, "kind": {"tuple": {"n": 2, "parts": [[3, false], [5, false]], "turned": [[3, 5]]}}, "n_present": 2, "depths": [2, 2]},
              {"parent": 2, "kind": {"tuple": {"n": 2, "parts": [[4, false]]}}, "n_present": 2, "depths": null},
              {"parent": 3, "kind": {"leaf": {"n": 2, "elements": [3, 3], "types": [["string", 2]], "shortest": 4, "longest": 5}}, "n_present": 2, "depths": null},
              {"parent": 2, "kind": {"tuple": {"n": 2, "parts": [[6, false]]}}, "n_present": 2, "depths": null},
              {"parent": 5, "kind": {"leaf": {"n": 2, "elements": [3, 3], "types": [["money", 2]], "shortest": 2, "longest": 2}}, "n_present": 2, "depths": null}
            ],
            "spots": [
              {"step": 3, "kind": 0, "states": [{"slot": 4, "n": 2}]},
              {"step": 4, "kind": 0, "states": [{"slot": 6, "n": 2}]}
            ],
            "follows": [
              [0, 4, 2],
              [4, 6, 2],
              [6, 0, 2]
            ]
          }
        }
    "#]]
    .assert_eq(&learnt.wrapper.to_json().expect("no sets"));
}

/// Written by the first version that wrote wrappers. It must stay readable, and find what it found.
#[test]
fn version_1_stays_readable() {
    let file = include_bytes!("fixtures/wrapper-1.json");
    let wrapper = Wrapper::from_json(file).expect("old files stay readable");
    let found = Extractor::new(&wrapper).extract(&parse(&other()));
    assert_eq!(found.status.name(), "verified", "{:?}", found.problems);
    expect![[r#"
        {
          "title": "ash",
          "books_text": "Books on ash and more",
          "books": "ash",
          "books_text_2": "on ash",
          "books_2": [
            {
              "text": "Bows $4",
              "link": "Bows",
              "link_url": "/Bows",
              "money": "$4"
            },
            {
              "text": "Keys and Wings $14",
              "link": "Keys and Wings",
              "link_url": "/Keys",
              "money": "$14"
            }
          ],
          "shelf": "ashs",
          "shelf_text": "Shelf: ashs"
        }
    "#]]
    .assert_eq(&format!("{:#}\n", Json::from(found.data)));
}

#[test]
fn what_is_no_wrapper_is_told() {
    let told = |file: &[u8]| Wrapper::from_json(file).expect_err("no wrapper").to_string();
    let small = small();
    let changed = |from: &str, to: &str| {
        assert!(small.contains(from), "{small}");
        told(small.replacen(from, to, 1).as_bytes())
    };
    let all = [
        told(b""),
        told(b"<!doctype html><p>1"),
        told(b"\xFF\xFE"),
        told(b"[1, 2]"),
        told(b"{\"name\": \"package\"}"),
        told(b"{\"pagemill\": 1, \"schema\": {\"fields\": []}}"),
        told(&small.as_bytes()[..small.len() / 2]),
        changed("\"pagemill\": 1", "\"pagemill\": 3"),
        changed("\"type\": \"string\"", "\"type\": \"colour\""),
        changed("\"slots\": [\n", "\"slots\": [77777,\n"),
        changed("{\"parent\": 1, ", "{\"parent\": 9, "),
        changed("{\"step\": ", "{\"step\": 1000"),
        changed("\"follows\": [\n      [0, ", "\"follows\": [\n      [0, 1000"),
        told(&vec![b' '; (64 << 20) + 1]),
    ];
    expect![[r#"
        it is no JSON: EOF while parsing a value at line 1 column 0
        it is no JSON: expected value at line 1 column 1
        it is no JSON: expected value at line 1 column 1
        it is JSON, but has no number called "pagemill"
        it is JSON, but has no number called "pagemill"
        missing field `machine` at line 1 column 41; it may be damaged, or written by a newer pagemill
        EOF while parsing a string at line 212 column 13; it may be damaged, or written by a newer pagemill
        it is of format 3, and this program knows formats up to 2: use a newer pagemill
        no type is called "colour" at line 21 column 6; it may be damaged, or written by a newer pagemill
        the column "title" reads slot 77777, of 21; it may be damaged, or written by a newer pagemill
        step 9, which comes later, holds step 2 at line 255 column 5; it may be damaged, or written by a newer pagemill
        spot 0 names step 10003, of 11; it may be damaged, or written by a newer pagemill
        follow 0 names slot 10004, of 21; it may be damaged, or written by a newer pagemill
        it is larger than 64 MiB
    "#]]
    .assert_eq(&(all.join("\n") + "\n"));
}

#[test]
fn sets_in_sets_without_end_are_told_when_written() {
    let page = |n: usize| format!("{}x{n}", "<ul><li>a<li>b<li>".repeat(400));
    let learnt = learn(&[&page(1), &page(2)]);
    if let Ok(file) = learnt.wrapper.to_json() {
        Wrapper::from_json(file.as_bytes()).expect("what is written can be read");
    }
    let deep = format!(
        "{{\"pagemill\":1,\"schema\":{}{}}}",
        "{\"fields\":[{\"kind\":\"set\",\"x\":".repeat(10_000),
        "}]}".repeat(10_000)
    );
    assert!(Wrapper::from_json(deep.as_bytes()).is_err());
}

/// A file that was cut or changed is told or still works; nothing ends in a panic.
#[test]
fn damaged_files_do_no_harm() {
    let small = small();
    for end in (0..small.len() - 2).step_by(7) {
        assert!(Wrapper::from_json(&small.as_bytes()[..end]).is_err());
    }
    let mut random = Random(1);
    for _ in 0..3_000 {
        let mut bytes = small.clone().into_bytes();
        for _ in 0..=random.below(2) {
            let index = random.below(bytes.len());
            bytes[index] = match random.below(3) {
                0 => bytes[index] ^ (1 << random.below(8)),
                1 => b"0123456789"[random.below(10)],
                _ => b"\"[]{},:truefalsenull "[random.below(21)],
            };
        }
        use_if_read(&bytes);
    }
}

/// The same for numbers alone, which byte by byte are rarely met.
#[test]
fn wrong_numbers_do_no_harm() {
    let small: Json = serde_json::from_str(&small()).expect("JSON");
    let mut random = Random(2);
    let mut n_read = 0;
    for _ in 0..3_000 {
        let mut changed = small.clone();
        let nth = random.below(n_numbers(&small));
        let number = [0, 1, 2, 5, 9, 17, 255, 65_535, u64::from(u32::MAX), u64::MAX];
        set_number(&mut changed, &mut { nth }, number[random.below(number.len())]);
        n_read += usize::from(use_if_read(changed.to_string().as_bytes()));
    }
    assert!(n_read > 300, "only {n_read} files could be read: they test nothing");
}

fn use_if_read(file: &[u8]) -> bool {
    let Ok(wrapper) = Wrapper::from_json(file) else { return false };
    let mut extractor = Extractor::new(&wrapper);
    for page in
        [&other(), "", "<p>x<table><tr><td>1<td>2", "<h1>A</h1><ul><li><b>B</b> $1<li>C</ul>"]
    {
        extractor.extract(&parse(page));
    }
    true
}

fn n_numbers(json: &Json) -> usize {
    match json {
        Json::Number(_) => 1,
        Json::Array(values) => values.iter().map(n_numbers).sum(),
        Json::Object(members) => members.values().map(n_numbers).sum(),
        _ => 0,
    }
}

fn set_number(json: &mut Json, nth: &mut usize, number: u64) {
    match json {
        Json::Number(_) if *nth == 0 => (*json, *nth) = (number.into(), usize::MAX),
        Json::Number(_) => *nth -= 1,
        Json::Array(values) => values.iter_mut().for_each(|it| set_number(it, nth, number)),
        Json::Object(members) => members.values_mut().for_each(|it| set_number(it, nth, number)),
        _ => {}
    }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}
