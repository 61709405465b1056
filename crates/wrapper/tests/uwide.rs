use crate::{corpus, parse, shown};
use expect_test::{Expect, expect};
use wrapper::{LearnConfig, Learnt, Method};

fn config() -> LearnConfig {
    LearnConfig::default().with_method(Method::Uwide)
}

fn learn(pages: &[&str]) -> Learnt {
    let pages = pages.iter().map(|html| parse(html)).collect();
    wrapper::learn(pages, &config()).expect("there is something to learn")
}

/// The schema, then the data of each page.
#[track_caller]
fn check(pages: &[&str], expected: Expect) {
    expected.assert_eq(&shown(&learn(pages)));
}

#[test]
fn columns_come_from_alignment_and_names_from_labels() {
    check(
        &[
            "<h1>Dune</h1><p><b>Author:</b> Frank Herbert</p><p><b>Year:</b> 1965</p>",
            "<h1>Emma</h1><p><b>Author:</b> Jane Austen</p><p><b>Year:</b> 1815</p>",
            "<h1>Beowulf</h1><p><b>Year:</b> 1000</p>",
        ],
        expect![[r#"
            title    string     100% Beowulf
            author?  string     66%  Frank Herbert
            year     number     100% 1000
            {"title":"Dune","author":"Frank Herbert","year":"1965"}
            {"title":"Emma","author":"Jane Austen","year":"1815"}
            {"title":"Beowulf","year":"1000"}
        "#]],
    );
}

#[test]
fn records_have_optional_parts() {
    check(
        &[
            "<ul><li><h3>Dune</h3><p>$9</p><li><h3>Emma</h3><em>sale</em><p>$5</p><li><h3>Ubik</h3><p>$7</p></ul>",
            "<ul><li><h3>Kim</h3><p>$3</p><li><h3>She</h3><p>$4</p></ul>",
        ],
        expect![[r#"
            items     set        100% 5 records
              title   string     100% Dune
              text?   string     20%  sale
              money   money      100% $3
            {"items":[{"title":"Dune","money":"$9"},{"title":"Emma","text":"sale","money":"$5"},{"title":"Ubik","money":"$7"}]}
            {"items":[{"title":"Kim","money":"$3"},{"title":"She","money":"$4"}]}
        "#]],
    );
}

#[test]
fn sets_nest() {
    check(
        &[
            "<div><section><h2>A</h2><ul><li>a1<li>a2<li>a3<li>a4<li>a5</ul></section><section><h2>B</h2><ul><li>b1</ul></section></div>",
            "<div><section><h2>C</h2><ul><li>c1</ul></section><section><h2>D</h2><ul><li>d1<li>d2</ul></section><section><h2>E</h2><ul><li>e1</ul></section></div>",
        ],
        expect![[r#"
            records    set        100% 5 records
              title    string     100% A
              items    set        100% 10 records
                text   string     100% a1
            {"records":[{"title":"A","items":[{"text":"a1"},{"text":"a2"},{"text":"a3"},{"text":"a4"},{"text":"a5"}]},{"title":"B","items":[{"text":"b1"}]}]}
            {"records":[{"title":"C","items":[{"text":"c1"}]},{"title":"D","items":[{"text":"d1"},{"text":"d2"}]},{"title":"E","items":[{"text":"e1"}]}]}
        "#]],
    );
}

#[test]
fn free_text_is_one_value() {
    check(
        &[
            "<h1>A</h1><div>It is <b>very</b> good, see <a href=/x>here</a> for more.</div>",
            "<h1>B</h1><div>Plain.</div>",
            "<h1>C</h1><div>Plainer.</div>",
        ],
        expect![[r#"
            title      string     100% A
            text       string     100% It is
            text_2?    string     33%  very
            text_3?    string     33%  good, see
            link?      string     33%  here
            link_url?  url        33%  /x
            text_4?    string     33%  for more.
            {"title":"A","text_5":"It is very good, see here for more.","text":"It is","text_2":"very","text_3":"good, see","link":"here","link_url":"/x","text_4":"for more."}
            {"title":"B","text_5":"Plain.","text":"Plain."}
            {"title":"C","text_5":"Plainer.","text":"Plainer."}
        "#]],
    );
}

#[test]
fn what_was_considered_is_told() {
    let pages = ["<h1>x</h1><ul><li>a<li>b<li>c<li>d</ul>", "<h1>y</h1><ul><li>e<li>f</ul>"];
    let pages = pages.iter().map(|html| parse(html)).collect();
    let learnt = wrapper::learn(pages, &config().with_explanation(true)).expect("learnt");
    let told = learnt.explanation.join("\n");
    for part in
        ["pattern of length 2, frequency 3", "6 records in 2 places", "density 1.00", "chosen"]
    {
        assert!(told.contains(part), "{part:?} is not in:\n{told}");
    }
}

#[test]
fn the_order_of_pages_leaves_no_trace() {
    for folder in ["bookshop/detail/pages", "bookshop/list/pages", "newspaper/pages"] {
        let pages = corpus(folder);
        let mut pages: Vec<&[u8]> = pages.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        let schema = |pages: &[&[u8]]| {
            let pages = pages.iter().map(|bytes| page::parse(bytes)).collect();
            let learnt = wrapper::learn(pages, &config()).expect("learnt");
            serde_json::to_string(learnt.schema()).expect("a schema is plain data")
        };
        let first = schema(&pages);
        for turn in 1..4 {
            let n_turned = turn * 3 % pages.len();
            pages.rotate_left(n_turned);
            pages.swap(0, turn);
            assert_eq!(schema(&pages), first, "{folder}");
        }
    }
}

#[test]
fn one_page_and_the_same_page_twice_are_pages_too() {
    let page =
        "<h1>Books</h1><ul><li><a href=1>A</a> $1<li><a href=2>B</a> $2<li><a href=3>C</a> $3</ul>";
    for pages in [vec![page], vec![page, page]] {
        let learnt = learn(&pages);
        let data = learnt.data[0].as_ref().expect("learnt");
        assert_eq!(data["items"].as_records().map(<[_]>::len), Some(3), "{data:?}");
    }
}

#[test]
fn pages_with_nothing_in_common_and_empty_ones_do_no_harm() {
    learn(&["<p>a</p><b>c</b>", ""]);
    learn(&["<p>a</p>", "<table><tr><td>b</table>", "<ul><li>c<li>d</ul>"]);
    learn(&["<p>a"]);
}

#[test]
fn depth_is_no_problem() {
    let deep = |inner: &str| format!("{}{inner}", "<div>".repeat(10_000));
    let pages = [deep("<p>a<p>b<p>c"), deep("<p>d<p>e")];
    learn(&[&pages[0], &pages[1]]);
}

/// Bounds only have to tell the linear from the quadratic: a square of the leaves would take minutes.
fn takes_seconds(pages: &[&str]) -> Learnt {
    let start = std::time::Instant::now();
    let learnt = learn(pages);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    learnt
}

#[test]
fn many_leaves_take_no_time_to_speak_of() {
    let rows = |n: usize| -> String {
        (0..n).map(|i| format!("<tr><td>{i}<td>name {i}<td>${i}.00")).collect()
    };
    let pages = [format!("<table>{}</table>", rows(7_000)), format!("<table>{}</table>", rows(10))];
    let learnt = takes_seconds(&[&pages[0], &pages[1]]);
    let data = learnt.data[0].as_ref().expect("learnt");
    assert_eq!(data["rows"].as_records().map(<[_]>::len), Some(7_000));
}

#[test]
fn many_leaves_without_order_take_no_time_to_speak_of() {
    // Tags in an order that repeats nowhere for long: nearly everything is a pattern, nothing a set.
    let tags = ["b", "i", "u", "em", "q", "s", "p", "h2", "div", "pre"];
    let page = |seed: u64| -> String {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 40).unwrap_or_default()
        };
        (0..20_000)
            .map(|_| {
                let tag = tags[next() % tags.len()];
                format!("<{tag}>{}</{tag}>", next() % 50)
            })
            .collect()
    };
    let pages = [page(1), page(2), page(3)];
    takes_seconds(&[&pages[0], &pages[1], &pages[2]]);
}

#[test]
fn many_records_that_all_differ_take_no_time_to_speak_of() {
    let tags = ["b", "i", "u", "em", "q", "s", "code", "sub"];
    let record = |i: usize| -> String {
        let parts: String = (0..8)
            .map(|bit| tags[(i >> bit) % tags.len()])
            .map(|tag| format!("<div><{tag}>{i}</{tag}></div>"))
            .collect();
        format!("<li>{parts}</li>")
    };
    let page: String = (0..3_000).map(record).collect();
    takes_seconds(&[&format!("<ul>{page}</ul>"), "<ul><li>x<li>y</ul>"]);
}
