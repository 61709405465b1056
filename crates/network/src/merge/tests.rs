//! Pages of a made-up university, and what comes of them.

use super::*;
use expect_test::{Expect, expect};
use std::fmt::Write;

fn rules() -> Rules {
    let all = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    Rules {
        page_words: all(&["faculty", "people", "staff", "departments"]),
        loose_words: all(&["department of", "department"]),
        classes: vec![
            ("College".to_owned(), all(&["college of", "school of"])),
            ("Department".to_owned(), all(&["department of", "department"])),
        ],
        nesting: vec![
            pair("University", "College"),
            pair("University", "Department"),
            pair("College", "Department"),
        ],
        most: 0.6,
        few: 0.2,
    }
}

fn page(url: &str, heading: &str, found_on: Option<usize>) -> PageFacts {
    let url = format!("https://u.example{url}");
    PageFacts { url, headings: vec![heading.to_owned()], found_on, ..PageFacts::default() }
}

fn part(class: &str, name: &str, url: &str) -> Part {
    let url = (!url.is_empty()).then(|| format!("https://u.example{url}"));
    Part { class: class.to_owned(), name: name.to_owned(), url, confidence: 0.9, ..Part::default() }
}

fn player(name: &str, title: &str, mark: &str) -> Player {
    Player {
        class: "Person".to_owned(),
        name: name.to_owned(),
        role: "Faculty".to_owned(),
        context: vec![("title".to_owned(), title.to_owned())],
        marks: (!mark.is_empty()).then(|| mark.to_owned()).into_iter().collect(),
        confidence: 0.9,
        ..Player::default()
    }
}

fn check(pages: Vec<PageFacts>, expected: Expect) {
    let root = Root {
        class: "University".to_owned(),
        name: "U".to_owned(),
        url: "https://u.example/".to_owned(),
    };
    let merged = merge(&Evidence { root, pages }, &rules());
    expected.assert_eq(&written(&merged));
}

fn written(merged: &Merged) -> String {
    let mut out = String::new();
    for part in &merged.parts {
        let container = part.container.map_or("", |it| merged.parts[it].name.as_str());
        let _ = writeln!(out, "{} {} in {container:?} {:?}", part.class, part.name, part.aliases);
    }
    for role in &merged.roles {
        let (player, part) = (&merged.players[role.player], &merged.parts[role.part]);
        let title = &role.context[0].1;
        let _ = writeln!(out, "{} is {title} in {}", player.name, part.name);
    }
    for doubt in &merged.doubts {
        let _ = writeln!(
            out,
            "{}: {} {:?}: {}",
            doubt.kind.name(),
            doubt.one,
            doubt.other,
            doubt.reason
        );
    }
    out
}

#[test]
fn a_unit_that_three_pages_name_is_one() {
    let home = page("/", "U", None);
    let mut academics = page("/academics/", "Academics", Some(0));
    academics.parts = vec![
        part("College", "College of Arts", "/arts/"),
        part("Department", "History", "/arts/history/"),
    ];
    let arts = page("/arts/", "College of Arts", Some(1));
    let mut departments = page("/arts/departments/", "Departments", Some(2));
    departments.parts = vec![
        part("Department", "Department of History", "/arts/history/"),
        part("Department", "Philosophy", "/arts/phil/"),
        // The menu that all pages have.
        part("College", "College of Arts", "/arts/"),
    ];
    let mut history = page("/arts/history/people/", "People – Department of History", Some(3));
    history.players = vec![player("Ann Lee", "Professor", "")];
    check(
        vec![home, academics, arts, departments, history],
        expect![[r#"
            University U in "" []
            College College of Arts in "U" []
            Department Department of History in "College of Arts" ["History"]
            Department Philosophy in "College of Arts" []
            Ann Lee is Professor in Department of History
        "#]],
    );
}

#[test]
fn an_entry_tells_what_its_links_lead_to() {
    let mut list = page("/list.html", "Courses", None);
    let mut physics = part("Department", "Physics", "/p/1.html");
    physics.links = vec!["https://u.example/f/1.html".to_owned()];
    list.parts = vec![physics];
    let mut people = page("/f/1.html", "Who we are", Some(0));
    people.players = vec![player("Bo Ek", "Lecturer", "")];
    check(
        vec![list, people],
        expect![[r#"
            University U in "" []
            Department Physics in "U" []
            Bo Ek is Lecturer in Physics
        "#]],
    );
}

#[test]
fn one_person_has_two_roles() {
    let mut list = page("/list.html", "Departments", None);
    list.parts = vec![part("Department", "Law", "/law/"), part("Department", "Trade", "/trade/")];
    let mut law = page("/law/people.html", "People", Some(0));
    law.players =
        vec![player("Eli Berman", "Professor", "e@u.example"), player("J. Ito", "Dean", "")];
    let mut trade = page("/trade/people.html", "People", Some(0));
    trade.players =
        vec![player("Berman, Eli", "Chair", "b@u.example"), player("Jun Ito", "Fellow", "")];
    check(
        vec![list, law, trade],
        expect![[r#"
            University U in "" []
            Department Law in "U" []
            Department Trade in "U" []
            Eli Berman is Professor in Law
            Eli Berman is Chair in Trade
            J. Ito is Dean in Law
            Jun Ito is Fellow in Trade
            maybe two: Eli Berman None: two e-mail addresses: b@u.example and e@u.example
            maybe the same: J. Ito Some("Jun Ito"): the names agree as far as they go
        "#]],
    );
}

#[test]
fn what_leads_to_nobody_is_doubted() {
    let mut list = page("/list.html", "Departments", None);
    let names = ["Law", "Trade", "Art", "Music", "Study Abroad Office"];
    list.parts = names.iter().map(|it| part("Department", it, &format!("/{it}/"))).collect();
    let mut pages = vec![list];
    for name in &names[..4] {
        let mut people = page(&format!("/{name}/people.html"), "People", Some(0));
        people.players = vec![player(&format!("Ann {name}"), "Professor", "")];
        pages.push(people);
    }
    check(
        pages,
        expect![[r#"
            University U in "" []
            Department Law in "U" []
            Department Trade in "U" []
            Department Art in "U" []
            Department Music in "U" []
            Department Study Abroad Office in "U" []
            Ann Art is Professor in Art
            Ann Law is Professor in Law
            Ann Music is Professor in Music
            Ann Trade is Professor in Trade
            maybe none: Study Abroad Office None: 80 % of its list lead to someone, and it does not
        "#]],
    );
}

#[test]
fn units_of_one_name_in_two_colleges_are_two() {
    let mut list = page("/", "U", None);
    list.parts = vec![
        part("College", "College of Arts", "/arts/"),
        part("College", "School of Law", "/law/"),
    ];
    let mut arts = page("/arts/units.html", "College of Arts", Some(0));
    arts.parts = vec![part("Department", "Department of Ethics", "/arts/ethics/")];
    let mut law = page("/law/units.html", "School of Law", Some(0));
    law.parts = vec![part("Department", "Department of Ethics", "/law/ethics/")];
    check(
        vec![list, arts, law],
        expect![[r#"
            University U in "" []
            College College of Arts in "U" []
            College School of Law in "U" []
            Department Department of Ethics in "College of Arts" []
            Department Department of Ethics in "School of Law" []
        "#]],
    );
}

#[test]
fn rings_are_opened() {
    let mut rules = rules();
    rules.nesting.push(("College".to_owned(), "College".to_owned()));
    let mut one = page("/a/", "College of A", None);
    one.parts = vec![part("College", "College of B", "/b/")];
    let mut other = page("/b/", "College of B", Some(0));
    other.parts = vec![part("College", "College of A", "/a/")];
    let root = Root { class: "University".to_owned(), ..Root::default() };
    let merged = merge(&Evidence { root, pages: vec![one, other] }, &rules);
    assert!(merged.parts.iter().skip(1).any(|part| part.container == Some(0)));
}
