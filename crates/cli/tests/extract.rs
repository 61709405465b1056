use crate::harness::{Outcome, Run, corpus};
use expect_test::expect;
use serde_json::Value as Json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// A folder with the wrapper of a shop's books, `books.json`.
fn shop() -> Run {
    let run = Run::with(&[]);
    let outcome = run.run(&["learn", &books(), "-o", "books.json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    run
}

fn books() -> String {
    corpus("bookshop/detail/pages")
}

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_pages_that_were_learnt_from_give_their_data() {
    let run = shop();
    run.run(&["learn", &books(), "--data", "learnt.jsonl"]);
    let outcome = run.run(&["extract", "books.json", &books()]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    // Where the machine cannot tell two places apart it may read a part otherwise than learning did; never these.
    let read = |text: &str| -> Vec<Json> {
        let keys = [
            "/page",
            "/status",
            "/data/title",
            "/data/og_url",
            "/data/basket",
            "/data/offers_text",
        ];
        let line = |line: &Json| {
            keys.iter().map(|key| line.pointer(key).cloned().unwrap_or_default()).collect()
        };
        lines(text).iter().map(line).collect()
    };
    assert_eq!(read(&outcome.stdout), read(&run.read("learnt.jsonl")));
    let n_pages = outcome.stdout.lines().count();
    let summary = format!("pagemill: {n_pages} pages verified, 0 partial, 0 failed\n");
    assert_eq!(outcome.stderr, summary);
}

#[test]
fn every_format_is_written_by_its_name() {
    let run = shop();
    let read = |name: &str| fs::read(run.path().join(name)).unwrap();
    for name in ["a.jsonl", "a.csv", "a.parquet", "a.db", "a.csv.gz"] {
        let outcome = run.run(&["extract", "books.json", &books(), "-o", name]);
        assert_eq!((outcome.code, &*outcome.stdout), (Some(0), ""), "{}", outcome.stderr);
    }
    assert_eq!(run.read("a.jsonl"), run.run(&["extract", "books.json", &books()]).stdout);
    let n_pages = run.read("a.jsonl").lines().count();
    assert!(run.read("a.csv").starts_with("page,status,title,"), "{}", run.read("a.csv"));
    assert!(run.read("a.csv").lines().count() > n_pages);
    assert!(read("a.parquet").starts_with(b"PAR1") && read("a.parquet").ends_with(b"PAR1"));
    assert!(read("a.db").starts_with(b"SQLite format 3\0"));
    assert!(read("a.csv.gz").starts_with(b"\x1F\x8B"));
    assert_eq!(
        names(run.path()),
        ["a.csv", "a.csv.gz", "a.db", "a.jsonl", "a.parquet", "books.json"]
    );
}

#[test]
fn rows_of_csv_may_be_chosen() {
    let run = Run::with(&[]);
    let pages = corpus("bookshop/list/pages");
    run.run(&["learn", &pages, "-o", "list.json"]);
    let n_rows = |rows: &[&str]| {
        let outcome = run.run(&[&["extract", "list.json", &pages, "-o", "a.csv"], rows].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        run.read("a.csv").lines().count() - 1
    };
    assert_eq!(n_rows(&[]), 70);
    assert_eq!(n_rows(&["--rows", "records"]), 70);
    assert_eq!(n_rows(&["--rows", "book_items"]), 70);
    assert_eq!(n_rows(&["--rows", "pages"]), 5);
    assert_eq!(n_rows(&["--rows", "pages", "--formulas"]), 5);
}

#[test]
fn the_order_of_inputs_is_kept_by_any_number_of_threads() {
    let run = shop();
    let mut list: Vec<String> = fs::read_dir(books())
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(".html"))
        .collect();
    list.sort_by_key(|path| path.bytes().map(u64::from).sum::<u64>() % 13);
    let list: Vec<String> = list.iter().cycle().take(300).cloned().collect();
    let extract = |threads: &str| {
        let args = ["extract", "books.json", "-", "--threads", threads];
        run.run_with_stdin(&args, list.join("\n").as_bytes()).stdout
    };
    let one = extract("1");
    let pages: Vec<String> =
        lines(&one).iter().map(|line| line["page"].as_str().unwrap().to_owned()).collect();
    assert_eq!(pages, list);
    assert_eq!(extract("4"), one);
}

#[test]
fn what_is_no_wrapper_is_told() {
    let run = shop();
    run.write("page.html", b"\n<!doctype html><p>1");
    run.write("package.json", b"{\"name\": \"x\"}");
    run.write("cut.json", &run.read("books.json").as_bytes()[..3000]);
    run.write(
        "newer.json",
        run.read("books.json").replace("\"pagemill\": 1", "\"pagemill\": 7").as_bytes(),
    );
    run.write("noise.json", b"\x00\xFF\x1B[31m");
    let told = |wrapper: &str| run.run(&["extract", wrapper, "page.html", "-o", "a.csv"]).all();
    let files =
        ["none.json", ".", "page.html", "package.json", "cut.json", "newer.json", "noise.json"];
    expect![[r#"
        pagemill: cannot use "none.json" as a wrapper: no such file; pagemill learn PAGES -o FILE makes one
        exit 2
        pagemill: cannot use "." as a wrapper: it is a folder; pagemill learn PAGES -o FILE makes one
        exit 2
        pagemill: cannot use "page.html" as a wrapper: it is a page; pagemill learn PAGES -o FILE makes one
        exit 2
        pagemill: cannot use "package.json" as a wrapper: it is JSON, but has no number called "pagemill"; pagemill learn PAGES -o FILE makes one
        exit 2
        pagemill: cannot use "cut.json" as a wrapper: EOF while parsing an object at line 117 column 8; it may be damaged, or written by a newer pagemill; pagemill learn PAGES -o FILE makes one
        exit 2
        pagemill: cannot use "newer.json" as a wrapper: it is of format 7, and this program knows formats up to 2: use a newer pagemill; pagemill learn PAGES -o FILE makes one
        exit 2
        pagemill: cannot use "noise.json" as a wrapper: it is no JSON: expected value at line 1 column 1; pagemill learn PAGES -o FILE makes one
        exit 2
    "#]]
    .assert_eq(&files.map(told).concat());
    assert!(!run.path().join("a.csv").exists());
}

#[test]
fn wrong_usage_is_2() {
    let run = shop();
    let told = |args: &[&str]| {
        let outcome = run.run(&[&["extract", "books.json", &books()], args].concat());
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        outcome.stderr
    };
    assert!(told(&["-o", "a.xls"]).contains(".parquet"));
    assert!(told(&["-o", "a.csv", "--rows", "wheels"]).contains("the sets of these pages are"));
    assert!(told(&["-o", "a.db", "--rows", "pages"]).contains("for .csv only"));
    assert!(told(&["--rows", "pages"]).contains("--output"));
    assert!(told(&["--threads", "0"]).contains("--threads"));
    assert_eq!(run.run(&["extract", "books.json"]).code, Some(2));
    assert_eq!(names(run.path()), ["books.json"]);
}

#[test]
fn pages_of_another_template_fail_and_the_others_are_extracted() {
    let run = shop();
    let other = corpus("newspaper/pages");
    let outcome = run.run(&["extract", "books.json", &other, "none.html", &books()]);
    assert_eq!(outcome.code, Some(3));
    let lines = lines(&outcome.stdout);
    let (failed, verified): (Vec<&Json>, Vec<&Json>) =
        lines.iter().partition(|line| line["page"].as_str().unwrap().contains("newspaper"));
    assert!(!failed.is_empty() && failed.iter().all(|line| line["status"] == "failed"));
    assert!(failed.iter().all(|line| line["data"].is_null()));
    assert!(
        failed.iter().all(|line| (1..=21).contains(&line["problems"].as_array().unwrap().len()))
    );
    assert!(!verified.is_empty() && verified.iter().all(|line| line["status"] == "verified"));
    let told: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(told[0], r#"pagemill: cannot read "none.html": no such file or folder"#);
    let (n_failed, n_verified) = (failed.len(), verified.len());
    assert_eq!(
        told[1],
        format!(
            "pagemill: {n_verified} pages verified, 0 partial, {n_failed} failed, 1 could not be read"
        )
    );
    assert!(told[2].contains("is failed: "), "{}", told[2]);
}

#[test]
fn a_page_that_changed_a_little_is_partial_and_found() {
    let page =
        |title: &str, extra: &str| format!("<h1>{title}</h1><p>Price: <b>$5{title}</b></p>{extra}");
    let run = Run::with(&[
        ("a.html", page("Dune", "").as_bytes()),
        ("b.html", page("Emma", "").as_bytes()),
        ("c.html", page("Kim", "").as_bytes()),
        ("new/d.html", page("She", "<aside>Sale!</aside>").as_bytes()),
        ("empty.html", b""),
    ]);
    run.run(&["learn", "a.html", "b.html", "c.html", "-o", "w.json"]);
    expect![[r#"
        {"page":"new/d.html","status":"partial","data":{"title":"She","text":"Price: $5She","price":"$5She"},"problems":["\"Sale!\" at html/body/aside is new; after price, the end of the page is expected"]}
        pagemill: 0 pages verified, 1 partial, 0 failed
        pagemill: "new/d.html" is partial: "Sale!" at html/body/aside is new; after price, the end of the page is expected
        exit 0
    "#]]
    .assert_eq(&run.run(&["extract", "w.json", "new"]).all());
    expect![[r#"
        {"page":"empty.html","status":"failed","data":null,"problems":["the page shows nothing","3 of 3 things are missing that every page had: title, \"Price:\", price"]}
        pagemill: 0 pages verified, 0 partial, 1 failed
        pagemill: "empty.html" is failed: the page shows nothing
        exit 3
    "#]]
    .assert_eq(&run.run(&["extract", "w.json", "empty.html"]).all());
}

#[test]
fn a_closed_pipe_is_success_and_silent() {
    let run = shop();
    // The list does not end: that nobody reads on must be enough.
    let mut child = run.command(&["extract", "books.json", "-"]).spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    let page = format!("{}/bread-before-dawn.html\n", books());
    list.write_all(page.repeat(2).as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _ = list.write_all(page.repeat(400).as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with("{\"page\":"), "{line}");
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    drop(list);
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_no_half_file() {
    let run = shop();
    let mut child = run.command(&["extract", "books.json", "-", "-o", "a.jsonl"]).spawn().unwrap();
    let mut list = child.stdin.take().unwrap();
    let page = format!("{}/bread-before-dawn.html\n", books());
    list.write_all(page.repeat(50).as_bytes()).unwrap();
    let is_writing = || names(run.path()).iter().any(|name| name.ends_with(".partial"));
    let start = Instant::now();
    while !is_writing() {
        assert!(start.elapsed() < Duration::from_secs(30), "it does not write");
        thread::yield_now();
    }
    // Kills as `kill -9` does.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!run.path().join("a.jsonl").exists());
    let Outcome { code, stderr, .. } =
        run.run(&["extract", "books.json", &books(), "-o", "a.jsonl"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(names(run.path()), ["a.jsonl", "books.json"]);
}
