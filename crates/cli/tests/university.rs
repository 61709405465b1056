//! From the home page of the corpus' university to its network.

use crate::harness::{Run, corpus};
use crate::postgres;
use expect_test::expect_file;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const HOME: &str = "https://aldermoor.example/";
const CRAWL: [&str; 8] =
    ["crawl", HOME, "--plan", "university", "--replay", "site.warc", "--store", "u.db"];

/// The site as an archive, under the addresses that its own links have.
fn archive() -> Vec<u8> {
    let mut pages = Vec::new();
    collect(Path::new(&corpus("university/site")), "", &mut pages);
    pages.sort();
    let mut archive = Vec::new();
    for (path, body) in pages {
        let mut http =
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".to_vec();
        http.extend(body);
        let mut head = String::from("WARC/1.0\r\nWARC-Type: response\r\n");
        let _ =
            write!(head, "WARC-Target-URI: {HOME}{path}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n");
        let _ = write!(
            head,
            "Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
            http.len()
        );
        archive.extend(head.into_bytes());
        archive.extend(http);
        archive.extend(b"\r\n\r\n");
    }
    archive
}

fn collect(folder: &Path, above: &str, pages: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{above}{name}/"), pages);
        } else if name.ends_with(".html") || name.ends_with(".htm") {
            let name = if name == "index.html" { "" } else { name.as_str() };
            pages.push((format!("{above}{name}"), std::fs::read(entry.path()).unwrap()));
        }
    }
}

/// The network as lines, sorted: the order in which pages came is no part of it.
fn exported(run: &Run, network: &str) -> String {
    let out = run.run(&["network", network, "export", "--format", "jsonl"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let mut lines: Vec<&str> = out.stdout.lines().collect();
    lines.sort_unstable();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn crawled() -> Run {
    let run = Run::with(&[("site.warc", &archive())]);
    let out = run.run(&CRAWL);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    run
}

#[test]
fn a_home_page_gives_the_network() {
    let run = crawled();
    let network = exported(&run, "u.db");
    expect_file!["golden/university.jsonl"].assert_eq(&network);
    let rows: Vec<Value> =
        network.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let gold = std::fs::read(corpus("university/gold.json")).unwrap();
    let gold: Value = serde_json::from_slice(&gold).unwrap();
    assert_eq!(people(&rows), people_of(&gold));
    // The German faculty is on no list: its institutes are found, and stand in what led there.
    let (found, known) = (units(&rows), units_of(&gold));
    let missing: Vec<&String> = known.difference(&found).collect();
    assert_eq!(missing, ["Fakultät für Meereskunde"]);
    let extra: Vec<&String> = found.difference(&known).collect();
    assert_eq!(extra, ["Aldermoor University"]);
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or("").to_owned()
}

fn units(rows: &[Value]) -> BTreeSet<String> {
    rows.iter().filter(|it| it["class"] != "Person").map(|it| text(it, "name")).collect()
}

/// Names, units and addresses of people.
fn people(rows: &[Value]) -> BTreeSet<[String; 3]> {
    let people = rows.iter().filter(|it| it["class"] == "Person");
    people.map(|it| [key(&text(it, "name")), text(it, "in"), text(it, "email")]).collect()
}

fn units_of(gold: &Value) -> BTreeSet<String> {
    gold["units"].as_array().unwrap().iter().map(|it| text(it, "name")).collect()
}

fn people_of(gold: &Value) -> BTreeSet<[String; 3]> {
    let mut people = BTreeSet::new();
    for unit in gold["units"].as_array().unwrap() {
        for person in unit["people"].as_array().unwrap() {
            let direct = person.get("name_direct").and_then(Value::as_str);
            let name = direct.map_or_else(|| text(person, "name"), str::to_owned);
            people.insert([key(&name), text(unit, "name"), text(person, "email")]);
        }
    }
    people
}

/// A name in any order of its words.
fn key(name: &str) -> String {
    let mut words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    words.retain(|word| !word.is_empty());
    words.sort_unstable();
    words.join(" ").to_lowercase()
}

/// Read twice, the pages say the same: nothing is new, and nothing is gone.
#[test]
fn gathering_again_changes_nothing() {
    let run = crawled();
    let before = exported(&run, "u.db");
    let again = run.run(&["network", "u.db", "gather", "--plan", "university"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(exported(&run, "u.db"), before);
}

/// However often the crawl is killed, the network is the same.
#[test]
fn kills_do_not_change_the_network() {
    let run = Run::with(&[("site.warc", &archive())]);
    let mut state: u64 = 11;
    for _ in 0..30 {
        let mut command: Command = run.command(&CRAWL);
        let null = || Stdio::null();
        let mut child = command.stdin(null()).stdout(null()).stderr(null()).spawn().unwrap();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        thread::sleep(Duration::from_millis((state >> 33) % 80));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let out = run.run(&CRAWL);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    expect_file!["golden/university.jsonl"].assert_eq(&exported(&run, "u.db"));
}

/// A crawl into PostgreSQL gives the network there, by itself.
#[test]
fn a_shared_crawl_gives_the_network() {
    let run = Run::with(&[("site.warc", &archive())]);
    let store = postgres::database();
    let mut crawl = CRAWL;
    crawl[7] = &store;
    let out = run.run(&crawl);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    expect_file!["golden/university.jsonl"].assert_eq(&exported(&run, &store));
    // Started over, it is made of the new pages alone.
    let fresh = run.run(&[&crawl[..], &["--fresh", "--max-pages", "1"]].concat());
    assert_eq!(fresh.code, Some(0), "{}", fresh.stderr);
    assert_eq!(exported(&run, &store).lines().filter(|it| it.contains("Person")).count(), 0);
}

/// The same pages give the same network in PostgreSQL.
#[test]
fn networks_are_the_same_in_both_databases() {
    let run = crawled();
    let network = postgres::database();
    let gather = ["network", &network, "gather", "--plan", "university", "--pages", "u.db"];
    let out = run.run(&gather);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    expect_file!["golden/university.jsonl"].assert_eq(&exported(&run, &network));
}
