//! Sites of several pages: what two teach names the columns of a third.

use crate::harness::Run;
use serde_json::{Value as Json, json};

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
