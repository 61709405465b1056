use crate::harness::{Run, corpus};
use expect_test::expect;
use serde_json::Value;

const STAFF: &[u8] = b"<h2>Professors</h2><ul>\
    <li><a href=/berg>Anna Berg</a>, <a href='mailto:berg@example.org'>e-mail</a>\
    <li><a href=/nowak>Tomasz Nowak</a><li><a href=/rossi>Maria Rossi</a><li><a href=/wu>Dr. Dan Wu</a></ul>";

const DEPARTMENTS: &[u8] = b"<h1>Departments</h1><ul><li><a href=/p>Physics</a><li><a href=/c>Computer Science</a>\
    <li><a href=/h>Department of History</a><li><a href=/m>Mathematics</a><li><a href=/g>Music</a><li><a href=/l>School of Law</a></ul>";

#[test]
fn json_lines_have_people_and_units() {
    let run = Run::with(&[("staff.html", STAFF)]);
    expect![[r#"
        {"page":"staff.html","data":{"people":[{"name":"Anna Berg","title":"Professors","rank":"professor","email":"berg@example.org","url":"/berg","heading":"Professors","score":0.999,"leaf":1},{"name":"Tomasz Nowak","title":"Professors","rank":"professor","url":"/nowak","heading":"Professors","score":0.999,"leaf":4},{"name":"Maria Rossi","title":"Professors","rank":"professor","url":"/rossi","heading":"Professors","score":0.998,"leaf":5},{"name":"Dan Wu","title":"Professors","rank":"professor","url":"/wu","heading":"Professors","score":1.0,"leaf":6}]}}
        exit 0
    "#]]
    .assert_eq(&run.run(&["regions", "--kind", "people", "staff.html"]).all());
}

#[test]
fn units_have_names_and_links() {
    let run = Run::with(&[("list.html", DEPARTMENTS)]);
    let outcome = run.run(&["regions", "--json", "--kind", "units", "list.html"]);
    let line: Value = serde_json::from_str(outcome.stdout.trim()).unwrap();
    let units = line["data"]["units"].as_array().unwrap();
    let names: Vec<&str> = units.iter().filter_map(|unit| unit["name"].as_str()).collect();
    let expected = [
        "Physics",
        "Computer Science",
        "Department of History",
        "Mathematics",
        "Music",
        "School of Law",
    ];
    assert_eq!(names, expected);
    assert_eq!((&units[1]["url"], &units[2]["kind"]), (&"/c".into(), &"department".into()));
    assert!(line["data"].get("people").is_none());
}

#[test]
fn a_table_says_why() {
    let run = Run::with(&[("staff.html", STAFF), ("empty.html", b"<p>Nothing here")]);
    let outcome = run.run(&["regions", "--table", "--limit", "2", "staff.html", "empty.html"]);
    assert!(
        outcome.stdout.contains("people  4  1.00  names at html/body/ul/li/a; 4 with a title"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("and 2 more"));
    assert!(outcome.stdout.contains("empty.html  nothing that repeats"));
}

#[test]
fn dictionaries_are_added() {
    let page = b"<ul><li>Xqwz Vrrt<li>Rrtz Qwx<li>Zwqx Trrv<li>Vvzt Xrrq</ul>";
    let dictionary = b"# ours\ngiven: Xqwz, Rrtz, Zwqx, Vvzt\nsurname: Vrrt, Qwx, Trrv, Xrrq\n";
    let run = Run::with(&[("a.html", page), ("names.txt", dictionary), ("bad.txt", b"nobody")]);
    let with = run.run(&["regions", "--dictionary", "names.txt", "a.html"]);
    assert!(with.stdout.contains(r#""name":"Xqwz Vrrt""#), "{}", with.all());
    let bad = run.run(&["regions", "--dictionary", "bad.txt", "a.html"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("line 1: no class"), "{}", bad.stderr);
    assert_eq!(run.run(&["regions", "--dictionary", "none.txt", "a.html"]).code, Some(2));
}

#[test]
fn pages_without_any_are_nothing() {
    let run = Run::with(&[("a.html", b"<p>Nothing here")]);
    let outcome = run.run(&["regions", "a.html"]);
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (
            Some(1),
            "{\"page\":\"a.html\",\"data\":{\"people\":[],\"units\":[],\"main\":null,\"sets\":[]}}\n"
        )
    );
}

#[test]
fn names_cannot_command_a_terminal() {
    let page = "<ul><li>Anna \u{1b}[31mBerg<li>Tomasz Nowak<li>Maria Rossi<li>Dan Wu<li>Eva\u{202e} Stone</ul>";
    let run = Run::with(&[("a.html", page.as_bytes())]);
    let outcome = run.run(&["regions", "--table", "a.html"]);
    assert!(!outcome.stdout.contains(['\u{1b}', '\u{202e}']), "{}", outcome.stdout);
}

#[test]
fn folders_are_read() {
    let run = Run::with(&[]);
    let folder = corpus("university/site/arts");
    let outcome = run.run(&["regions", "--kind", "people", folder.as_str()]);
    let n_people: usize = outcome
        .stdout
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["data"]["people"].as_array().unwrap().len()
        })
        .sum();
    assert!(n_people >= 55, "{n_people}");
}
